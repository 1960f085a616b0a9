// From the library's errors to Python's exceptions.
#ifndef VMAFX_PYTHON_ERRORS_H_
#define VMAFX_PYTHON_ERRORS_H_

#include <string>
#include <utility>

#include <nanobind/nanobind.h>

#include "vmafx/status.h"

namespace vmafx::python {

// Paths, and messages that name them, need not be UTF-8. Needs the GIL.
nanobind::object text_of(const std::string& bytes);

// Throws the exception of vmafx/_errors.py that the error's code stands for. Needs the GIL.
[[noreturn]] void raise(const Error& error);

inline void check(const Status& status) {
  if (!status) raise(status.error());
}

template <class T>
T value_of(Result<T> result) {
  if (!result) raise(result.error());
  return std::move(result).value();
}

}  // namespace vmafx::python

#endif  // VMAFX_PYTHON_ERRORS_H_
