#include "errors.h"
namespace vmafx::python {
namespace {

namespace nb = nanobind;

const char* name_of(ErrorCode code) {
  switch (code) {
    case ErrorCode::kUsage:
      return "usage";
    case ErrorCode::kBadInput:
      return "bad_input";
    case ErrorCode::kMismatch:
      return "mismatch";
    case ErrorCode::kNotApplicable:
      return "not_applicable";
    case ErrorCode::kNoFrames:
      return "no_frames";
    case ErrorCode::kIo:
      return "io";
    case ErrorCode::kUnavailable:
      return "unavailable";
    case ErrorCode::kDevice:
      return "device";
    case ErrorCode::kNotYet:
      return "not_yet";
    case ErrorCode::kOutOfMemory:
      return "out_of_memory";
    case ErrorCode::kInterrupted:
      return "interrupted";
    case ErrorCode::kInternal:
      break;
  }
  return "internal";
}

}  // namespace

nb::object text_of(const std::string& bytes) {
  return nb::steal(PyUnicode_DecodeUTF8(bytes.data(), static_cast<Py_ssize_t>(bytes.size()),
                                        "backslashreplace"));
}

void raise(const Error& error) {
  const nb::object exception =
      nb::module_::import_("vmafx._errors")
          .attr("error_of")(name_of(error.code), text_of(error.message), text_of(error.hint));
  PyErr_SetObject(reinterpret_cast<PyObject*>(Py_TYPE(exception.ptr())), exception.ptr());
  throw nb::python_error();
}

}  // namespace vmafx::python
