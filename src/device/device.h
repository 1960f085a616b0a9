// A device as the rest of the library uses it: memory that frees itself, and queues that keep
// their first error.
#ifndef VMAFX_DEVICE_DEVICE_H_
#define VMAFX_DEVICE_DEVICE_H_

#include <cstddef>
#include <memory>
#include <string_view>
#include <typeinfo>
#include <utility>

#include "device/driver.h"
#include "device/kernel.h"
#include "vmafx/status.h"

namespace vmafx::device {

// Bytes of a device or, pinned, of the host. Keeps the driver alive.
class Buffer {
 public:
  enum class Place : std::uint8_t { kDevice, kPinned };

  Buffer() = default;
  static Result<Buffer> make(std::shared_ptr<Driver> driver, std::size_t bytes, Place place);

  std::byte* data() const { return memory_.get(); }
  std::size_t size() const { return size_; }

 private:
  struct Release {
    std::shared_ptr<Driver> driver;
    Place place;
    void operator()(std::byte* memory) const;
  };
  Buffer(std::byte* memory, std::size_t bytes, Release release)
      : memory_(memory, std::move(release)), size_(bytes) {}

  std::unique_ptr<std::byte, Release> memory_;
  std::size_t size_ = 0;
};

// Errors name the backend.
Result<std::unique_ptr<Mark>> make_mark(Driver& driver);

// Work for a device, done in order. After an error nothing more is queued; status() has it, and
// finish() too. One thread at a time.
class Queue {
 public:
  static Result<Queue> make(std::shared_ptr<Driver> driver);
  // Waits for the work, so that memory may go.
  ~Queue();
  Queue(Queue&&) = default;
  Queue& operator=(Queue&&) = delete;

  template <class K>
  void launch(Grid grid, const K& kernel) {
    check_kernel<K>();
    launch(grid, typeid(K), &kernel);
  }
  void upload(void* to, const void* from, std::size_t bytes);
  void download(void* to, const void* from, std::size_t bytes);
  void zero(void* memory, std::size_t bytes);
  void record(Mark& mark);
  void wait(const Mark& mark);

  const Status& status() const { return status_; }
  // As if a call had failed so; an earlier error stands.
  void fail(const Error& error) {
    if (status_) status_ = error;
  }
  // Returns when everything is done, with the first error since the last finish().
  Status finish();

 private:
  Queue(std::shared_ptr<Driver> driver, std::unique_ptr<Stream> stream)
      : driver_(std::move(driver)), stream_(std::move(stream)) {}

  void launch(Grid grid, const std::type_info& kernel, const void* arguments);
  template <class Call>
  void keep_error(std::string_view what, const Call& call);

  std::shared_ptr<Driver> driver_;
  std::unique_ptr<Stream> stream_;
  Status status_;
};

}  // namespace vmafx::device

#endif  // VMAFX_DEVICE_DEVICE_H_
