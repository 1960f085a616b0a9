#include <cmath>
#include <cstddef>

#include "base/exact/power.h"
#include "metrics/ssimulacra2/ssimulacra2.h"

namespace vmafx::ssimulacra2 {
namespace {

// How much each mean error counts: a line for each scale and norm (mean, then root of the mean
// fourth power), with structure, artifacts, lost. Fitted by the metric's author to CID22, TID2013,
// KADID-10k and KonFiG-IQA (version 2.1 of the metric).
constexpr double kWeights[] = {
    // clang-format off
    // X
    0, 0.0007376606707406586, 0,
    0, 0.0007793481682867309, 0,
    0, 0.0004371155730107379, 0,
    1.1041726426657346, 0.00066284834129271, 0.00015231632783718752,
    0, 0.0016406437456599754, 0,
    1.8422455520539298, 11.441172603757666, 0,
    0.0007989109436015163, 0.000176816438078653, 0,
    1.8787594979546387, 10.94906990605142, 0,
    0.0007289346991508072, 0.9677937080626833, 0,
    0.00014003424285435884, 0.9981766977854967, 0.00031949755934435053,
    0.0004550992113792063, 0, 0,
    0.0013648766163243398, 0, 0,
    // Y
    0, 0, 0,
    7.466890328078848, 0, 17.445833984131262,
    0.0006235601634041466, 0, 0,
    6.683678146179332, 0.00037724407979611296, 1.027889937768264,
    225.20515300849274, 0, 0,
    19.213238186143016, 0.0011401524586618361, 0.001237755635509985,
    176.39317598450694, 0, 0,
    24.43300999870476, 0.28520802612117757, 0.0004485436923833408,
    0, 0, 0,
    34.77906344483772, 44.835625328877896, 0,
    0, 0, 0,
    0, 0, 0,
    // B - Y
    0, 0.0008680556573291698, 0,
    0, 0, 0,
    0, 0.0005313191874358747, 0,
    0.00016533814161379112, 0, 0,
    0, 0, 0,
    0.0004179171803251336, 0.0017290828234722833, 0,
    0.0020827005846636437, 0, 0,
    8.826982764996862, 23.19243343998926, 0,
    95.1080498811086, 0.9863978034400682, 0.9834382792465353,
    0.0012286405048278493, 171.2667255897307, 0.9807858872435379,
    0, 0, 0,
    0.0005130064588990679, 0, 0.00010854057858411537,
    // clang-format on
};
static_assert(sizeof kWeights / sizeof kWeights[0] == kChannels * kScales * 2 * 3);

double fourth_root(double x) { return std::sqrt(std::sqrt(x)); }

}  // namespace

int scale_count(int width, int height) {
  int count = 1;
  while (count < kScales && width >= kMinSize && height >= kMinSize) {
    ++count;
    width = half_size(width);
    height = half_size(height);
  }
  return count;
}

double score(const Sums& sums, int width, int height) {
  const int scales = scale_count(width, height);
  // Small pictures have fewer scales and take the weights in order, without leaving any out, as in
  // the public implementation.
  const double* weight = kWeights;
  double error = 0;
  for (std::size_t c = 0; c < kChannels; ++c) {
    int w = width;
    int h = height;
    for (int scale = 0; scale < scales; ++scale) {
      const ChannelSums& at = sums.at[scale][c];
      const double per_pixel = 1 / (static_cast<double>(w) * h);
      for (const ErrorSums* e : {&at.structure, &at.artifacts, &at.lost})
        error += *weight++ * (per_pixel * e->first);
      for (const ErrorSums* e : {&at.structure, &at.artifacts, &at.lost})
        error += *weight++ * fourth_root(per_pixel * e->fourth);
      w = half_size(w);
      h = half_size(h);
    }
  }
  // Fitted to the scale of the subjective scores.
  error *= 0.9562382616834844;
  error = 2.326765642916932 * error - 0.020884521182843837 * error * error +
          6.248496625763138e-05 * error * error * error;
  return error > 0 ? 100 - 10 * exact::pow(error, 0.6276336467831387) : 100;
}

}  // namespace vmafx::ssimulacra2
