// Errors as values: every fallible call returns a Status or a Result<T>; nothing throws across
// the library's boundary.
#ifndef VMAFX_STATUS_H_
#define VMAFX_STATUS_H_

#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <variant>

namespace vmafx {

enum class ErrorCode : std::uint8_t {
  kUsage,          // an option, name or value that does not exist or is out of range
  kBadInput,       // a file or stream that cannot be read as what it claims to be
  kMismatch,       // reference and distorted differ in size, format or depth
  kNotApplicable,  // a metric or model that does not apply to this format or size
  kNoFrames,       // an input without a single complete frame
  kIo,             // opening, reading or writing failed
  kUnavailable,    // something this build or machine does not have
  kNotYet,         // a value whose frames have not all been measured
  kDevice,         // a device or its driver failed
  kOutOfMemory,    // of the host or of a device
  kInterrupted,
  kInternal,
};

// One clear line that names the thing, and what to do about it (may be empty).
struct Error {
  ErrorCode code = ErrorCode::kInternal;
  std::string message;
  std::string hint;
};

// Holds a T or an Error. Must be looked at.
template <class T>
class [[nodiscard]] Result {
 public:
  Result(T value) : state_(std::move(value)) {}      // NOLINT(google-explicit-constructor)
  Result(Error error) : state_(std::move(error)) {}  // NOLINT(google-explicit-constructor)

  bool ok() const { return std::holds_alternative<T>(state_); }
  explicit operator bool() const { return ok(); }

  // Precondition: ok().
  T& value() & { return *std::get_if<T>(&state_); }
  const T& value() const& { return *std::get_if<T>(&state_); }
  T&& value() && { return std::move(*std::get_if<T>(&state_)); }
  T& operator*() & { return value(); }
  const T& operator*() const& { return value(); }
  T&& operator*() && { return std::move(*this).value(); }
  T* operator->() { return &value(); }
  const T* operator->() const { return &value(); }

  // Precondition: !ok().
  const Error& error() const { return *std::get_if<Error>(&state_); }

 private:
  std::variant<T, Error> state_;
};

// Success or an Error.
class [[nodiscard]] Status {
 public:
  Status() = default;
  Status(Error error) : error_(std::move(error)) {}  // NOLINT(google-explicit-constructor)

  bool ok() const { return !error_.has_value(); }
  explicit operator bool() const { return ok(); }
  const Error& error() const { return *error_; }

 private:
  std::optional<Error> error_;
};

}  // namespace vmafx

#endif  // VMAFX_STATUS_H_
