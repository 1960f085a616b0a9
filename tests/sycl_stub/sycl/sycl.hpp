// A stand-in for SYCL that runs on the host alone: the names that src/device/sycl uses, with the
// meaning that the standard gives them, so that the backend can be compiled, run and sanitised
// where there is no implementation of SYCL. Commands run where they are submitted; errors of
// kernels come late, through the async_handler. Reported are barriers that not all work-items of a
// group reach, and indices beyond a local_accessor. Memory is filled with a pattern.
#ifndef VMAFX_TESTS_SYCL_STUB_SYCL_SYCL_HPP_
#define VMAFX_TESTS_SYCL_STUB_SYCL_SYCL_HPP_

#include <array>
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <cstring>
#include <exception>
#include <functional>
#include <memory>
#include <string>
#include <system_error>
#include <type_traits>
#include <utility>
#include <vector>

#include "../fibers.h"

// The names are the standard's.
// NOLINTBEGIN(readability-identifier-naming)
namespace sycl {

// --- errors

enum class errc { success, runtime, nd_range, invalid, memory_allocation };

inline const std::error_category& sycl_category() {
  struct Category final : std::error_category {
    const char* name() const noexcept override { return "sycl"; }
    std::string message(int value) const override { return "error " + std::to_string(value); }
  };
  static const Category kCategory;
  return kCategory;
}
inline std::error_code make_error_code(errc e) { return {static_cast<int>(e), sycl_category()}; }

class exception : public virtual std::exception {
 public:
  exception(std::error_code code, std::string what) : code_(code), what_(std::move(what)) {}
  const std::error_code& code() const noexcept { return code_; }
  const char* what() const noexcept override { return what_.c_str(); }

 private:
  std::error_code code_;
  std::string what_;
};

class exception_list : private std::vector<std::exception_ptr> {
 public:
  using std::vector<std::exception_ptr>::begin;
  using std::vector<std::exception_ptr>::end;
  using std::vector<std::exception_ptr>::push_back;
};
using async_handler = std::function<void(exception_list)>;

// --- devices

enum class aspect { usm_device_allocations, usm_host_allocations, atomic64 };

namespace info {
namespace platform {
struct name {};
}  // namespace platform
namespace device {
struct name {};
struct driver_version {};
struct global_mem_size {};
}  // namespace device
}  // namespace info

class platform {
 public:
  template <class Parameter>
  std::string get_info() const {
    static_assert(std::is_same_v<Parameter, info::platform::name>);
    return "stand-in";
  }
};

class device {
 public:
  static std::vector<device> get_devices() { return {device()}; }
  bool is_gpu() const { return false; }
  bool has(aspect /*aspect*/) const { return true; }
  platform get_platform() const { return {}; }
  template <class Parameter>
  auto get_info() const {
    if constexpr (std::is_same_v<Parameter, info::device::global_mem_size>) {
      return std::uint64_t{1} << 30;
    } else if constexpr (std::is_same_v<Parameter, info::device::driver_version>) {
      return std::string("1");
    } else {
      static_assert(std::is_same_v<Parameter, info::device::name>);
      return std::string("fibers of the host");
    }
  }
};

class context {
 public:
  context(const device& /*device*/, const async_handler& /*handler*/) {}
};

// --- memory

namespace stub {

inline constexpr int kPattern = 0xC7;
inline constexpr std::align_val_t kAlignment{256};

inline void* allocate(std::size_t bytes) {
  void* const memory = ::operator new(bytes, kAlignment, std::nothrow);
  if (memory != nullptr) std::memset(memory, kPattern, bytes);
  return memory;
}
inline void release(void* memory) { ::operator delete(memory, kAlignment); }

}  // namespace stub

inline void* aligned_alloc_device(std::size_t alignment, std::size_t bytes,
                                  const device& /*device*/, const context& /*context*/) {
  return alignment <= static_cast<std::size_t>(stub::kAlignment) ? stub::allocate(bytes) : nullptr;
}
inline void* malloc_host(std::size_t bytes, const context& /*context*/) {
  return stub::allocate(bytes);
}
inline void free(void* memory, const context& /*context*/) { stub::release(memory); }

enum class memory_order { relaxed };
enum class memory_scope { work_group, device };
namespace access {
enum class address_space { global_space, local_space };
}  // namespace access

template <class T, memory_order order, memory_scope scope, access::address_space space>
class atomic_ref {
 public:
  explicit atomic_ref(T& value) : value_(value) {}
  // Kernels of other queues may run in other threads.
  T fetch_add(T operand) const { return __atomic_fetch_add(&value_, operand, __ATOMIC_RELAXED); }

 private:
  T& value_;
};

// --- index spaces

template <int dimensions>
class range {
 public:
  template <class... Sizes>
    requires(sizeof...(Sizes) == dimensions)
  explicit range(Sizes... sizes) : sizes_{static_cast<std::size_t>(sizes)...} {}
  std::size_t operator[](int dimension) const {
    return sizes_[static_cast<std::size_t>(dimension)];
  }
  std::size_t size() const {
    std::size_t product = 1;
    for (const std::size_t size : sizes_) product *= size;
    return product;
  }

 private:
  std::array<std::size_t, dimensions> sizes_;
};

template <int dimensions>
class nd_range {
 public:
  nd_range(range<dimensions> global, range<dimensions> local) : global_(global), local_(local) {}
  range<dimensions> get_global_range() const { return global_; }
  range<dimensions> get_local_range() const { return local_; }

 private:
  range<dimensions> global_;
  range<dimensions> local_;
};

template <int dimensions>
class group;
template <>
class group<3> {
 public:
  group(range<3> id, range<3> groups) : id_(id), groups_(groups) {}
  std::size_t get_group_id(int dimension) const { return id_[dimension]; }
  std::size_t get_group_range(int dimension) const { return groups_[dimension]; }

 private:
  range<3> id_;
  range<3> groups_;
};

template <int dimensions>
class nd_item;
template <>
class nd_item<3> {
 public:
  nd_item(const group<3>& group, std::size_t local_id) : group_(group), local_id_(local_id) {}
  group<3> get_group() const { return group_; }
  std::size_t get_local_linear_id() const { return local_id_; }

 private:
  group<3> group_;
  std::size_t local_id_;
};

inline void group_barrier(const group<3>& /*group*/) { stub::Fibers::current()->barrier(); }

// --- commands

class event {
 public:
  static void wait(const std::vector<event>& /*events*/) {}
};

class handler {
 public:
  void depends_on(const std::vector<event>& /*events*/) { check(); }
  void memcpy(void* to, const void* from, std::size_t bytes) {
    only_one_command();
    std::memcpy(to, from, bytes);
  }
  void memset(void* memory, int value, std::size_t bytes) {
    only_one_command();
    std::memset(memory, value, bytes);
  }
  template <class Kernel>
  void parallel_for(const nd_range<3>& space, const Kernel& kernel);

 private:
  template <class T, int dimensions>
  friend class local_accessor;
  friend class queue;

  void check() const {
    if (has_command_)
      throw exception(make_error_code(errc::invalid), "the handler has its command");
  }
  void only_one_command() {
    check();
    has_command_ = true;
  }

  bool has_command_ = false;
  std::vector<std::pair<void*, std::size_t>> local_memory_;
  std::exception_ptr failure_;
};

template <class T, int dimensions>
class local_accessor;
template <class T>
class local_accessor<T, 1> {
 public:
  local_accessor(range<1> size, handler& handler)
      : memory_(stub::allocate(size.size() * sizeof(T)), &stub::release), size_(size.size()) {
    if (memory_ == nullptr)
      throw exception(make_error_code(errc::memory_allocation), "no local memory");
    handler.local_memory_.emplace_back(memory_.get(), size_ * sizeof(T));
  }
  T& operator[](std::size_t index) const {
    if (index >= size_)
      throw std::out_of_range("element " + std::to_string(index) + " of a local_accessor of " +
                              std::to_string(size_));
    return static_cast<T*>(memory_.get())[index];
  }

 private:
  std::shared_ptr<void> memory_;
  std::size_t size_;
};

template <class Kernel>
void handler::parallel_for(const nd_range<3>& space, const Kernel& kernel) {
  constexpr std::size_t kLargestGroup = 1024;
  only_one_command();
  const range<3> all = space.get_global_range();
  const range<3> local = space.get_local_range();
  for (int d = 0; d < 3; ++d)
    if (local[d] == 0 || all[d] == 0 || all[d] % local[d] != 0)
      throw exception(make_error_code(errc::nd_range), "groups do not fill the range");
  if (local.size() > kLargestGroup)
    throw exception(make_error_code(errc::nd_range), "a group is too large");
  const range<3> groups(all[0] / local[0], all[1] / local[1], all[2] / local[2]);
  try {
    for (std::size_t g = 0; g < groups.size(); ++g) {
      const range<3> id(g / groups[2] / groups[1], g / groups[2] % groups[1], g % groups[2]);
      for (const auto& [memory, bytes] : local_memory_) std::memset(memory, stub::kPattern, bytes);
      stub::fibers_of_thread().run(
          local.size(), [&](std::size_t item) { kernel(nd_item<3>(group<3>(id, groups), item)); });
    }
  } catch (...) {
    failure_ = std::current_exception();
  }
}

namespace property::queue {
struct in_order {};
}  // namespace property::queue
class property_list {
 public:
  explicit property_list(property::queue::in_order /*property*/) {}
};

class queue {
 public:
  queue(const context& /*context*/, const device& /*device*/, async_handler handler,
        const property_list& /*properties*/)
      : handler_(std::move(handler)) {}

  template <class CommandGroup>
  event submit(const CommandGroup& command_group) {
    handler handler;
    command_group(handler);
    if (handler.failure_ != nullptr) failures_.push_back(handler.failure_);
    return {};
  }
  void wait_and_throw() {
    if (failures_.begin() != failures_.end()) handler_(std::exchange(failures_, {}));
  }

 private:
  async_handler handler_;
  exception_list failures_;
};

}  // namespace sycl
// NOLINTEND(readability-identifier-naming)

#endif  // VMAFX_TESTS_SYCL_STUB_SYCL_SYCL_HPP_
