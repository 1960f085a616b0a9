// For tests of metrics: pictures of any size, depth, chroma, stride and content, and a loop over
// the instruction sets of this machine. A kernel that passes equals its reference.cc to the bit.
#ifndef VMAFX_METRICS_PARITY_HARNESS_H_
#define VMAFX_METRICS_PARITY_HARNESS_H_

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <cstring>
#include <iterator>
#include <memory>
#include <ostream>
#include <sstream>
#include <stdexcept>
#include <string>
#include <vector>

#include "base/dot_products.h"  // names all targets that kernels are compiled for

#include <fmt/format.h>
#include <hwy/highway.h>
#include <hwy/targets.h>

#include "vmafx/picture.h"

namespace vmafx::parity {

enum class Pattern : std::uint8_t {
  kFlat,      // mid grey
  kBlack,     // all zero
  kWhite,     // all at the peak
  kRamp,      // a diagonal gradient
  kChecker,   // single samples of zero and peak, alternating
  kBars,      // 8x8 blocks of zero and peak: sharp edges that survive decimation
  kRandom,    // uniform noise over the whole range
  kTexture,   // a ramp with mild noise: what natural pictures look like to a filter
  kExtremes,  // zero or peak at random
};

inline constexpr Pattern kAllPatterns[] = {Pattern::kFlat,   Pattern::kBlack,   Pattern::kWhite,
                                           Pattern::kRamp,   Pattern::kChecker, Pattern::kBars,
                                           Pattern::kRandom, Pattern::kTexture, Pattern::kExtremes};

// A small generator whose sequence is the same everywhere (SplitMix64, Steele et al. 2014).
class Random {
 public:
  explicit Random(std::uint64_t seed) : state_(seed) {}
  std::uint64_t next() {
    std::uint64_t z = (state_ += 0x9E3779B97F4A7C15u);
    z = (z ^ (z >> 30)) * 0xBF58476D1CE4E5B9u;
    z = (z ^ (z >> 27)) * 0x94D049BB133111EBu;
    return z ^ (z >> 31);
  }
  std::uint32_t below(std::uint32_t bound) {
    return static_cast<std::uint32_t>((next() >> 32) * bound >> 32);
  }

 private:
  std::uint64_t state_;
};

struct PictureSpec {
  PictureFormat format;
  Pattern pattern = Pattern::kRandom;
  std::uint64_t seed = 1;
  // Samples between the end of a row and the next; the gap is filled with noise that no kernel may
  // see.
  int row_gap = 0;
};

inline std::uint32_t pattern_sample(Pattern pattern, int x, int y, std::uint32_t peak,
                                    Random& random) {
  switch (pattern) {
    case Pattern::kFlat:
      return (peak + 1) / 2;
    case Pattern::kBlack:
      return 0;
    case Pattern::kWhite:
      return peak;
    case Pattern::kRamp:
      return static_cast<std::uint32_t>(x * 3 + y * 2) * (peak / 255) % (peak + 1);
    case Pattern::kChecker:
      return (x + y) % 2 == 0 ? 0 : peak;
    case Pattern::kBars:
      return (x / 8 + y / 8) % 2 == 0 ? 0 : peak;
    case Pattern::kRandom:
      return random.below(peak + 1);
    case Pattern::kTexture: {
      const std::uint32_t base = static_cast<std::uint32_t>(x + y) % 160 * (peak / 255);
      return std::min(peak, base + random.below(peak / 8 + 1));
    }
    case Pattern::kExtremes:
      return random.below(2) * peak;
  }
  return 0;
}

// The last row ends where the allocation ends, so that sanitizers see a read past it.
inline Picture make_picture(const PictureSpec& spec) {
  const PictureFormat& format = spec.format;
  const std::size_t sample = static_cast<std::size_t>(format.bytes_per_sample());
  std::array<std::size_t, 3> start{};
  std::array<std::size_t, 3> stride{};
  std::size_t bytes = 0;
  for (int p = 0; p < format.planes(); ++p) {
    const auto i = static_cast<std::size_t>(p);
    const auto width = static_cast<std::size_t>(format.plane_width(p));
    stride[i] = (width + static_cast<std::size_t>(spec.row_gap)) * sample;
    start[i] = bytes;
    bytes += stride[i] * static_cast<std::size_t>(format.plane_height(p) - 1) + width * sample;
  }
  std::shared_ptr<std::byte[]> memory(new std::byte[bytes]);
  Random random(spec.seed);
  for (std::size_t i = 0; i < bytes; ++i) memory[i] = static_cast<std::byte>(random.next());
  const std::uint32_t peak = (1u << format.bit_depth) - 1;
  std::array<Picture::Plane, 3> planes{};
  for (int p = 0; p < format.planes(); ++p) {
    const auto i = static_cast<std::size_t>(p);
    planes[i] = {memory.get() + start[i], static_cast<std::ptrdiff_t>(stride[i])};
    for (int y = 0; y < format.plane_height(p); ++y) {
      std::byte* row = memory.get() + start[i] + stride[i] * static_cast<std::size_t>(y);
      for (int x = 0; x < format.plane_width(p); ++x) {
        const std::uint32_t value = pattern_sample(spec.pattern, x, y, peak, random);
        if (sample == 1) {
          row[x] = static_cast<std::byte>(value);
        } else {
          const auto wide = static_cast<std::uint16_t>(value);
          std::memcpy(row + 2 * x, &wide, 2);
        }
      }
    }
  }
  return Picture(format, planes, memory);
}

// Different pictures of texture.
inline std::vector<Picture> make_frames(const PictureFormat& format, int count,
                                        std::uint64_t seed) {
  std::vector<Picture> frames;
  for (int i = 0; i < count; ++i)
    frames.push_back(
        make_picture({format, Pattern::kTexture, seed + static_cast<std::uint64_t>(i), 0}));
  return frames;
}

// Reference and distorted picture of one comparison.
struct Case {
  PictureFormat format;
  Pattern reference = Pattern::kRandom;
  Pattern distorted = Pattern::kRandom;
  int row_gap = 0;

  Picture make_reference() const { return make_picture({format, reference, 11, row_gap}); }
  Picture make_distorted() const { return make_picture({format, distorted, 23, 2 * row_gap}); }
};

inline std::ostream& operator<<(std::ostream& out, const Case& c) {
  return out << to_string(c.format) << ", patterns " << static_cast<int>(c.reference) << " and "
             << static_cast<int>(c.distorted) << ", row gap " << c.row_gap;
}

// Widths at which vector loops go wrong: every one up to 65, around 128, odd and prime.
inline std::vector<int> edge_sizes(int min) {
  std::vector<int> sizes;
  for (int size = min; size <= 65; ++size) sizes.push_back(size);
  for (const int size : {97, 127, 128, 129, 191, 257, 331}) {
    if (size >= min) sizes.push_back(size);
  }
  return sizes;
}

// Whether the parity tests look at a target: at every one, unless VMAFX_TEST_TARGETS names some
// ("AVX3_DL AVX3"). A slow emulator is spared those that the machine beneath it runs too.
inline bool is_wanted(const std::string& target) {
  const char* const names = std::getenv("VMAFX_TEST_TARGETS");
  if (names == nullptr) return true;
  std::istringstream words(names);
  const std::istream_iterator<std::string> wanted(words);
  const std::istream_iterator<std::string> end;
  return std::find(wanted, end, target) != end;
}

// A kernel that is not compiled for the target itself takes the best of the others. Better targets
// have lower bits.
inline std::int64_t and_worse(std::int64_t target) { return -target; }

// Calls body(name) once for each wanted Highway target that this machine runs, as if it ran no
// better one, and restores the ordinary choice.
template <class Body>
void for_each_target(Body&& body) {
  struct Restore {
    ~Restore() { hwy::SetSupportedTargetsForTest(0); }
  } restore;
  const std::vector<std::int64_t> targets = hwy::SupportedAndGeneratedTargets();
  bool some = false;
  for (const std::int64_t target : targets) {
    const std::string name = hwy::TargetName(target);
    if (!is_wanted(name)) continue;
    some = true;
    hwy::SetSupportedTargetsForTest(and_worse(target));
    body(name);
  }
  if (!some) throw std::runtime_error("VMAFX_TEST_TARGETS names nothing that this machine runs");
}

}  // namespace vmafx::parity

#endif  // VMAFX_METRICS_PARITY_HARNESS_H_
