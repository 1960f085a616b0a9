// The definition of the metric; difference.h has what it does with two pixels.
//
// The differences of a row are added, as doubles, in 16 interleaved partial sums (column modulo
// 16); these are added pairwise (0 with 8, 1 with 9, ...; then 0 with 4, ...), and rows in order.
#include <cstdint>

#include "base/plane.h"
#include "metrics/ciede/ciede.h"
#include "metrics/ciede/definition.h"
#include "metrics/ciede/difference.h"

namespace vmafx::ciede {
namespace {

template <class Sample>
ColourPlanes<Sample> colour_planes(const Picture& picture) {
  return {plane_view<Sample>(picture, 0), plane_view<Sample>(picture, 1),
          plane_view<Sample>(picture, 2), picture.format().chroma};
}

template <class Sample>
double sum_of_rows(const Picture& reference, const Picture& distorted) {
  const PictureFormat& format = reference.format();
  const Conversions c = conversions_of(format.bit_depth);
  const auto one = colour_planes<Sample>(reference);
  const auto two = colour_planes<Sample>(distorted);
  double sum = 0;
  for (int y = 0; y < format.height; ++y) {
    double sums[kPartialSums] = {};
    for (int x = 0; x < format.width; ++x)
      sums[x % kPartialSums] +=
          static_cast<double>(difference(lab_at(one, c, x, y), lab_at(two, c, x, y)));
    for (int step = kPartialSums / 2; step > 0; step /= 2)
      for (int i = 0; i < step; ++i) sums[i] += sums[i + step];
    sum += sums[0];
  }
  return sum;
}

}  // namespace

double reference_sum(const Picture& reference, const Picture& distorted) {
  return reference.format().bit_depth == 8 ? sum_of_rows<std::uint8_t>(reference, distorted)
                                           : sum_of_rows<std::uint16_t>(reference, distorted);
}

}  // namespace vmafx::ciede
