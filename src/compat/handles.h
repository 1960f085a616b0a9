// What stands behind libvmaf's opaque pointers, and which of them are alive.
#ifndef VMAFX_COMPAT_HANDLES_H_
#define VMAFX_COMPAT_HANDLES_H_

#include <cstddef>
#include <cstring>
#include <map>
#include <memory>
#include <mutex>
#include <new>
#include <string>
#include <unordered_map>
#include <utility>

#include "libvmaf/libvmaf.h"
#include "vmafx/model.h"

struct VmafFeatureDictionary {
  std::map<std::string, std::string> options;
};

// Its model is replaced by overloads. The main model of a collection shares the collection's Model,
// so that both are one to a context.
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
  static_assert(sizeof(value) == sizeof(int));
  int number = 0;
  std::memcpy(&number, &value, sizeof(number));
  return number;
}

// The objects of one type that callers hold. A pointer that is not among them is never looked into:
// it was freed, or never was ours. Whoever found one keeps it alive until done with it, so that
// freeing it in another thread does no harm. Thread-safe; only add() needs memory.
template <class T>
class Handles {
 public:
  static T* add(std::shared_ptr<T> object) {
    Set& set = instance();
    const std::lock_guard lock(set.mutex);
    T* const handle = object.get();
    set.alive.emplace(handle, std::move(object));
    return handle;
  }

  // nullptr if it is not alive.
  static std::shared_ptr<T> find(const T* handle) {
    Set& set = instance();
    const std::lock_guard lock(set.mutex);
    const auto found = set.alive.find(handle);
    return found == set.alive.end() ? nullptr : found->second;
  }

  // The same, and it is not alive from then on.
  static std::shared_ptr<T> take(const T* handle) {
    Set& set = instance();
    const std::lock_guard lock(set.mutex);
    const auto found = set.alive.find(handle);
    if (found == set.alive.end()) return nullptr;
    const std::shared_ptr<T> taken = std::move(found->second);
    set.alive.erase(found);
    return taken;
  }

 private:
  struct Set {
    std::mutex mutex;
    std::unordered_map<const T*, std::shared_ptr<T>> alive;
  };
  // Never destroyed: threads may release pictures while the process ends.
  static Set& instance() {
    alignas(Set) static std::byte storage[sizeof(Set)];
    static Set& set = *new (storage) Set;
    return set;
  }
};

}  // namespace vmafx::compat

#endif  // VMAFX_COMPAT_HANDLES_H_
