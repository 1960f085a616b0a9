#include "device/device.h"

#include <string>

#include <fmt/format.h>

#include "device/timing.h"

namespace vmafx::device {
namespace {

Error named(const Driver& driver, std::string_view what, Error error) {
  error.message = fmt::format("{}: {}: {}", driver.info().backend, what, error.message);
  return error;
}

bool fits(Grid grid) {
  return grid.x > 0 && grid.y > 0 && grid.z > 0 && grid.y <= kLargestGrid.y &&
         grid.z <= kLargestGrid.z;
}

}  // namespace

void Buffer::Release::operator()(std::byte* memory) const {
  if (place == Place::kDevice) {
    driver->release(memory);
  } else {
    driver->release_pinned(memory);
  }
}

Result<Buffer> Buffer::make(std::shared_ptr<Driver> driver, std::size_t bytes, Place place) {
  // Whoever needs nothing still gets an address of its own.
  const std::size_t size = bytes == 0 ? 1 : bytes;
  auto memory = place == Place::kDevice ? driver->allocate(size) : driver->allocate_pinned(size);
  if (!memory) {
    return named(*driver,
                 fmt::format("{:.1f} MB of {} memory", static_cast<double>(size) / 1e6,
                             place == Place::kDevice ? "device" : "pinned"),
                 memory.error());
  }
  return Buffer(static_cast<std::byte*>(*memory), bytes, {std::move(driver), place});
}

Result<std::unique_ptr<Mark>> make_mark(Driver& driver) {
  auto mark = driver.make_mark();
  if (!mark) return named(driver, "making a mark", mark.error());
  return mark;
}

Result<Queue> Queue::make(std::shared_ptr<Driver> driver) {
  auto stream = driver->make_stream();
  if (!stream) return named(*driver, "making a stream", stream.error());
  return Queue(std::move(driver), std::move(*stream));
}

Queue::~Queue() {
  if (stream_) static_cast<void>(driver_->synchronize(*stream_));
}

template <class Call>
void Queue::keep_error(std::string_view what, const Call& call) {
  if (!status_) return;
  const Status status = call();
  if (!status) status_ = named(*driver_, what, status.error());
}

void Queue::launch(Grid grid, const std::type_info& kernel, const void* arguments) {
  if (!status_) return;
  if (!fits(grid)) {
    status_ =
        Error{ErrorCode::kInternal,
              fmt::format("{}: {} cannot be launched with {}x{}x{} teams", driver_->info().backend,
                          readable_kernel_name(kernel.name()), grid.x, grid.y, grid.z),
              {}};
    return;
  }
  Status status = driver_->launch(*stream_, kernel.name(), grid, arguments);
  if (status) return;
  keep_error("launch of " + readable_kernel_name(kernel.name()), [&] { return std::move(status); });
}

void Queue::upload(void* to, const void* from, std::size_t bytes) {
  keep_error("upload", [&] { return driver_->upload(*stream_, to, from, bytes); });
}

void Queue::download(void* to, const void* from, std::size_t bytes) {
  keep_error("read-back", [&] { return driver_->download(*stream_, to, from, bytes); });
}

void Queue::zero(void* memory, std::size_t bytes) {
  keep_error("clearing", [&] { return driver_->zero(*stream_, memory, bytes); });
}

void Queue::record(Mark& mark) {
  keep_error("mark", [&] { return driver_->record(*stream_, mark); });
}

void Queue::wait(const Mark& mark) {
  keep_error("wait", [&] { return driver_->wait(*stream_, mark); });
}

Status Queue::finish() {
  // Also after an error: what was queued before it may still be running.
  const Status done = driver_->synchronize(*stream_);
  keep_error("measuring", [&] { return done; });
  return std::exchange(status_, Status());
}

}  // namespace vmafx::device
