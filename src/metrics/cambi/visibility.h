// Which steps between neighbouring luma values a viewer can see.
#ifndef VMAFX_METRICS_CAMBI_VISIBILITY_H_
#define VMAFX_METRICS_CAMBI_VISIBILITY_H_

#include <array>
#include <cstdint>

namespace vmafx::cambi {

enum class Eotf : std::uint8_t { kBt1886, kPq };

// Luma is worked on in 10 bits. Rounding down from more than 10 bits reaches 2^10 itself.
inline constexpr int kMaxLuma = 1024;

// Luminance in cd/m2 of 10-bit limited-range luma, which is clipped to 64..940.
// BT.1886 for a display of 0.01 to 300 cd/m2; PQ is SMPTE ST 2084.
double luminance(int luma, Eotf eotf);

// The largest luma at which a step up by `step` still raises the luminance by more than `ratio` of
// it: 0 if there is none, 1023 if it always does.
int highest_luma_with_visible_step(int step, double ratio, Eotf eotf);

// The smallest luma that is not darker than the threshold; 0 if that is the smallest of all.
int darkest_visible_luma(double threshold, Eotf eotf);

struct VisibilityOptions {
  int max_log_contrast = 2;  // steps of 1..2^max_log_contrast are looked for
  Eotf eotf = Eotf::kBt1886;
  double step_ratio = 0.019;  // smallest visible relative step of luminance
  double dark_threshold = 0;  // luminance below which no banding is seen
};

struct Visibility {
  int steps = 0;
  // Bit s - 1 of entry v is set if a step of s at luma v can be seen.
  std::array<std::uint32_t, kMaxLuma + 1> visible_steps{};
  // Pixels of other values than lowest..highest have no influence (lowest may be negative). Empty
  // if no step can be seen.
  int lowest = 0;
  int highest = -1;
};

Visibility make_visibility(const VisibilityOptions& options);

}  // namespace vmafx::cambi

#endif  // VMAFX_METRICS_CAMBI_VISIBILITY_H_
