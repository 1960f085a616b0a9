// Working memory of one worker: a stack of aligned blocks that is reused from frame to frame.
#ifndef VMAFX_BASE_SCRATCH_H_
#define VMAFX_BASE_SCRATCH_H_

#include <cstddef>
#include <memory>
#include <type_traits>
#include <vector>

namespace vmafx {

// Blocks are aligned to kAlignment and followed by at least kAlignment readable and writable bytes,
// so that a vector loop may run past the end of a line. Contents are unspecified. Memory is kept
// until the Scratch dies; steady state allocates nothing. Throws std::bad_alloc, which the engine
// turns into an Error.
class Scratch {
 public:
  static constexpr std::size_t kAlignment = 64;

  template <class T>
  T* take(std::size_t count) {
    static_assert(std::is_trivially_copyable_v<T> && alignof(T) <= kAlignment);
    return static_cast<T*>(take_bytes(count * sizeof(T)));  // NOLINT(bugprone-sizeof-expression)
  }

  // Gives back, at its end of life, everything that was taken during it.
  class Frame {
   public:
    explicit Frame(Scratch& scratch)
        : scratch_(scratch), block_(scratch.block_), used_(scratch.used_) {}
    ~Frame() {
      scratch_.block_ = block_;
      scratch_.used_ = used_;
    }
    Frame(const Frame&) = delete;
    Frame& operator=(const Frame&) = delete;

   private:
    Scratch& scratch_;
    std::size_t block_;
    std::size_t used_;
  };

 private:
  struct Release {
    void operator()(std::byte* p) const;
  };
  struct Block {
    std::unique_ptr<std::byte, Release> data;
    std::size_t size = 0;
  };

  void* take_bytes(std::size_t bytes);

  std::vector<Block> blocks_;
  std::size_t block_ = 0;  // index of the block that is being filled
  std::size_t used_ = 0;   // bytes used of it
};

}  // namespace vmafx

#endif  // VMAFX_BASE_SCRATCH_H_
