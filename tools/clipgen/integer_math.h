// Integer building blocks, so that a clip has the same bytes on every machine.
#ifndef VMAFX_TOOLS_CLIPGEN_INTEGER_MATH_H_
#define VMAFX_TOOLS_CLIPGEN_INTEGER_MATH_H_

#include <cstdint>

namespace vmafx::clipgen {

// A well-mixed 32-bit value for each pair; hash(hash(a, b), c) takes three.
std::uint32_t hash(std::uint32_t a, std::uint32_t b);

// sin(2 pi angle / 65536) * 16384, off by 8 at most.
std::int32_t sine(std::uint32_t angle);
inline std::int32_t cosine(std::uint32_t angle) { return sine(angle + 16384); }

// A short sequence of random numbers (xorshift), cheap enough for one a sample.
class Random {
 public:
  explicit Random(std::uint32_t seed) : state_(seed | 1U) {}
  std::uint32_t next() {
    state_ ^= state_ << 13;
    state_ ^= state_ >> 17;
    state_ ^= state_ << 5;
    return state_;
  }
  // 0..bound - 1.
  std::int32_t below(std::int32_t bound) {
    return static_cast<std::int32_t>((std::uint64_t{next()} * static_cast<std::uint32_t>(bound)) >>
                                     32);
  }

 private:
  std::uint32_t state_;
};

}  // namespace vmafx::clipgen

#endif  // VMAFX_TOOLS_CLIPGEN_INTEGER_MATH_H_
