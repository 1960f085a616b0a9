// What stands behind libvmaf's opaque pointers, and which of them are alive.
#ifndef VMAFX_COMPAT_HANDLES_H_
#define VMAFX_COMPAT_HANDLES_H_

#include <bit>
#include <map>
#include <memory>
#include <mutex>
#include <string>
#include <unordered_set>
#include <utility>

#include "libvmaf/libvmaf.h"
#include "vmafx/model.h"

struct VmafFeatureDictionary {
  std::map<std::string, std::string> options;
};

// The main model of a collection shares the collection's Model, so that both are one to a context.
struct VmafModel {
  std::shared_ptr<const vmafx::Model> model;
};

struct VmafModelCollection {
  std::shared_ptr<const vmafx::Model> model;
};

namespace vmafx::compat {

// The number behind an enumeration, which in C may be any; C++ must not look at those outside it.
template <class Enum>
int number_of(const Enum& value) {
  return std::bit_cast<int>(value);
}

// The objects of one type that callers hold. A pointer that is not among them is never looked into:
// it was freed, or never was ours. Thread-safe.
template <class T>
class Handles {
 public:
  static T* add(std::unique_ptr<T> object) {
    Set& set = instance();
    const std::lock_guard lock(set.mutex);
    set.alive.insert(object.get());
    return object.release();
  }

  static bool has(const T* handle) {
    Set& set = instance();
    const std::lock_guard lock(set.mutex);
    return set.alive.contains(handle);
  }

  // nullptr if it is not alive.
  static std::unique_ptr<T> take(T* handle) {
    Set& set = instance();
    const std::lock_guard lock(set.mutex);
    return std::unique_ptr<T>(set.alive.erase(handle) > 0 ? handle : nullptr);
  }

 private:
  struct Set {
    std::mutex mutex;
    std::unordered_set<const T*> alive;
  };
  // Never destroyed: threads may release pictures while the process ends.
  static Set& instance() {
    static Set& set = *new Set;
    return set;
  }
};

}  // namespace vmafx::compat

#endif  // VMAFX_COMPAT_HANDLES_H_
