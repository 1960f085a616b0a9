// Bjontegaard delta rate: how much more or fewer bits one encoder needs than another for equal
// quality.
#ifndef VMAFX_BD_RATE_H_
#define VMAFX_BD_RATE_H_

#include <vector>

#include "vmafx/status.h"

namespace vmafx {

// One encode of a ladder.
struct RatePoint {
  double rate = 0;     // bits a second, or any unit that both ladders share
  double quality = 0;  // any score of which more is better: VMAF, PSNR in dB
};

struct BdRate {
  // Of the anchor's rate, on average over the common qualities: -20 says that the test ladder needs
  // a fifth fewer bits.
  double percent = 0;
  // The qualities that both ladders reach.
  double lowest_quality = 0;
  double highest_quality = 0;
  // Their share of the qualities that either ladder reaches, 0..1. The figure says little about the
  // rest; below 0.75 that is a good part.
  double overlap = 0;
};

// Logarithm of the rate over quality, interpolated by PCHIP (Fritsch and Butland's slopes, as in
// JVET's and AOM's common test conditions) and integrated exactly. Points may be in any order.
// kBadInput, naming ladder and reason, if one has fewer than 4 points, a rate that is not positive,
// a value that is not finite or a quality that does not grow with the rate, or if the ladders have
// no quality in common. docs/bd-rate.md
Result<BdRate> bd_rate(std::vector<RatePoint> anchor, std::vector<RatePoint> test);

}  // namespace vmafx

#endif  // VMAFX_BD_RATE_H_
