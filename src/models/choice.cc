// Which model scores a video if the user names none.
#include <optional>
#include <string>

#include <fmt/format.h>

#include "vmafx/model.h"

namespace vmafx {
namespace {

// The 4K models are trained for 2160 lines at 1.5 heights, the others for 1080 at 3: half way, in
// ratio, is 1527; 1440 is the last common size below.
constexpr int kLargestHeight = 1440;
// Between the 30 fps of the plain models' training and the 50 of the others'.
constexpr int kHighFrameRate = 45;

bool is_known(const std::optional<Rational>& rate) {
  return rate && rate->num > 0 && rate->den > 0;
}

}  // namespace

ModelChoice choose_model(const PictureFormat& format, std::optional<Rational> frame_rate) {
  const bool is_tall = format.height > kLargestHeight;
  const bool is_fast = is_known(frame_rate) && frame_rate->num / frame_rate->den >= kHighFrameRate;
  const std::string version =
      fmt::format("vmaf_v1.0.16_{}{}", is_fast ? "hfr_" : "", is_tall ? "1d5h_2160" : "3d0h");
  const auto model = load_model({.version = version});
  if (!model) return {"vmaf_v0.6.1", model.error().message};
  if (const Status applies = model->check(format); !applies)
    return {"vmaf_v0.6.1", fmt::format("for {}, {}", version, applies.error().message)};
  return {version, fmt::format("height {} {}, {}", is_tall ? "above" : "up to", kLargestHeight,
                               !is_known(frame_rate) ? "unknown frame rate"
                               : is_fast             ? fmt::format("{} fps or more", kHighFrameRate)
                                         : fmt::format("below {} fps", kHighFrameRate))};
}

}  // namespace vmafx
