// The work-items of a work-group as fibers of one thread.
#ifndef VMAFX_TESTS_SYCL_STUB_FIBERS_H_
#define VMAFX_TESTS_SYCL_STUB_FIBERS_H_

#include <sys/mman.h>
#include <ucontext.h>
#include <unistd.h>

#include <cstddef>
#include <exception>
#include <functional>
#include <memory>
#include <new>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

#if defined(__SANITIZE_ADDRESS__)
#define SYCL_STUB_ASAN 1
#elif defined(__has_feature)
#if __has_feature(address_sanitizer)
#define SYCL_STUB_ASAN 1
#endif
#endif
#ifdef SYCL_STUB_ASAN
#include <sanitizer/common_interface_defs.h>
#endif

namespace sycl::stub {

// Memory for a stack, above a page that nobody may touch.
class Stack {
 public:
  static constexpr std::size_t kBytes = 256 * 1024;

  Stack() : guard_(static_cast<std::size_t>(sysconf(_SC_PAGESIZE))) {
    pages_ =
        mmap(nullptr, guard_ + kBytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (pages_ == MAP_FAILED) throw std::bad_alloc();
    mprotect(pages_, guard_, PROT_NONE);
  }
  ~Stack() { munmap(pages_, guard_ + kBytes); }
  Stack(const Stack&) = delete;
  Stack& operator=(const Stack&) = delete;

  void* bottom() const { return static_cast<char*>(pages_) + guard_; }

 private:
  std::size_t guard_;
  void* pages_ = nullptr;
};

// One of a thread's two sides: the fiber, or the one that runs them. Tells AddressSanitizer on
// which stack the thread is.
struct Side {
  ucontext_t context{};
  const void* stack = nullptr;
  std::size_t stack_bytes = 0;
  void* hidden = nullptr;  // AddressSanitizer's memory for what it keeps off the stack

  void switch_to(Side& other, bool for_ever = false) {
#ifdef SYCL_STUB_ASAN
    __sanitizer_start_switch_fiber(for_ever ? nullptr : &hidden, other.stack, other.stack_bytes);
#else
    static_cast<void>(for_ever);
#endif
    swapcontext(&context, &other.context);
    arrived_from(other);
  }
  void arrived_from(Side& other) {
#ifdef SYCL_STUB_ASAN
    __sanitizer_finish_switch_fiber(hidden, &other.stack, &other.stack_bytes);
    hidden = nullptr;
#else
    static_cast<void>(other);
#endif
  }
};

// Runs work-groups, each step of a group in the opposite order of the one before: who reads what
// another work-item writes in the same step gets the wrong value sooner or later.
class Fibers {
 public:
  // Of the work-item that runs in this thread.
  static Fibers*& current() {
    thread_local Fibers* fibers = nullptr;
    return fibers;
  }

  // body(i) for each of the work-items; throws what one of them throws, or runtime_error if they
  // do not meet at barriers.
  void run(std::size_t count, const std::function<void(std::size_t)>& body) {
    Fibers* const outer = std::exchange(current(), this);
    body_ = &body;
    failure_ = nullptr;
    while (fibers_.size() < count) fibers_.push_back(std::make_unique<Fiber>());
    for (std::size_t i = 0; i < count; ++i) fibers_[i]->start();
    bool more = true;
    for (bool forward = true; more; forward = !forward) {
      for (std::size_t i = 0; i < count; ++i) resume(forward ? i : count - 1 - i);
      check(count);
      more = failure_ == nullptr && fibers_[0]->waits;
    }
    current() = outer;
    if (failure_ != nullptr) std::rethrow_exception(std::exchange(failure_, nullptr));
  }

  // Called by a work-item: returns when all have called it.
  void barrier() {
    Fiber& fiber = *fibers_[running_];
    fiber.waits = true;
    fiber.side.switch_to(main_);
  }

 private:
  struct Fiber {
    Stack stack;
    Side side;
    bool waits = false;  // at a barrier; else it has ended

    void start() {
      waits = false;
      side = {};
      side.stack = stack.bottom();
      side.stack_bytes = Stack::kBytes;
      getcontext(&side.context);
      side.context.uc_stack.ss_sp = stack.bottom();
      side.context.uc_stack.ss_size = Stack::kBytes;
      side.context.uc_link = nullptr;
      makecontext(&side.context, &Fibers::enter, 0);
    }
  };

  static void enter() {
    Fibers& fibers = *current();
    Fiber& fiber = *fibers.fibers_[fibers.running_];
    fiber.side.arrived_from(fibers.main_);
    try {
      (*fibers.body_)(fibers.running_);
    } catch (...) {
      if (fibers.failure_ == nullptr) fibers.failure_ = std::current_exception();
    }
    fiber.side.switch_to(fibers.main_, true);
  }

  void resume(std::size_t index) {
    running_ = index;
    fibers_[index]->waits = false;
    main_.switch_to(fibers_[index]->side);
  }

  void check(std::size_t count) {
    for (std::size_t i = 1; i < count && failure_ == nullptr; ++i) {
      if (fibers_[i]->waits == fibers_[0]->waits) continue;
      const auto place = [&](std::size_t k) {
        return "work-item " + std::to_string(k) +
               (fibers_[k]->waits ? " waits at a barrier" : " has ended");
      };
      failure_ = std::make_exception_ptr(std::runtime_error(place(0) + ", but " + place(i)));
    }
  }

  std::vector<std::unique_ptr<Fiber>> fibers_;
  Side main_;
  std::size_t running_ = 0;
  const std::function<void(std::size_t)>* body_ = nullptr;
  std::exception_ptr failure_;
};

// Stacks stay until the thread ends.
inline Fibers& fibers_of_thread() {
  thread_local Fibers fibers;
  return fibers;
}

}  // namespace sycl::stub

#endif  // VMAFX_TESTS_SYCL_STUB_FIBERS_H_
