// Keeps exceptions of the standard library inside the library.
#ifndef VMAFX_BASE_GUARD_H_
#define VMAFX_BASE_GUARD_H_

#include <exception>
#include <new>

#include "vmafx/status.h"

namespace vmafx {

// What `f` returns, a Status or a Result; an exception becomes its error. For the functions of the
// public API, where nothing below can say better what ran out.
template <class F>
auto guarded(F&& f) -> decltype(f()) {
  try {
    return f();
  } catch (const std::bad_alloc&) {
    // Short enough to need no memory itself.
    return Error{ErrorCode::kOutOfMemory, "out of memory", {}};
  } catch (const std::exception& e) {
    return Error{ErrorCode::kInternal, e.what(), {}};
  }
}

}  // namespace vmafx

#endif  // VMAFX_BASE_GUARD_H_
