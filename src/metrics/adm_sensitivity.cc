#include "metrics/adm_sensitivity.h"

#include <algorithm>
#include <cmath>
#include <iterator>

#include "base/exact/exp.h"
#include "base/exact/log.h"
#include "base/exact/power.h"

namespace vmafx::adm {
namespace {

constexpr double kPi = 3.14159265358979323846;

// Pixels in a degree of visual angle.
float pixels_per_degree(const Csf& csf) {
  return static_cast<float>(csf.view_distance * csf.display_height * kPi / 180.0);
}

// A. B. Watson, G. Y. Yang, J. A. Solomon, J. Villasenor, "Visibility of wavelet quantization
// noise", IEEE Trans. Image Processing 6(8), 1997: the constants of equation 7 for luma (table IV)
// and the amplitudes of the basis functions (table V) of levels 1 to 4.
constexpr float kThresholdMin = 0.495f;
constexpr float kThresholdWidth = 0.466f;
constexpr float kThresholdFrequency = 0.401f;
constexpr float kAxisOrientation = 1.0f;
constexpr float kDiagonalOrientation = 0.534f;
constexpr float kAxisAmplitude[kScales] = {0.67234f, 0.41317f, 0.22727f, 0.11792f};
constexpr float kDiagonalAmplitude[kScales] = {0.72709f, 0.49428f, 0.28688f, 0.15214f};

// 1 / the quantization step that is just visible (equations 9 and 10 there).
float watson_weight(const Csf& csf, int scale, bool diagonal) {
  const double frequency = static_cast<double>(2 << scale) * kThresholdFrequency *
                           (diagonal ? kDiagonalOrientation : kAxisOrientation) /
                           pixels_per_degree(csf);
  const auto log_ratio = static_cast<float>(exact::log10(frequency));
  const float exponent = kThresholdWidth * log_ratio * log_ratio;
  const double amplitude = (diagonal ? kDiagonalAmplitude : kAxisAmplitude)[scale];
  const auto step =
      static_cast<float>(2.0 * kThresholdMin * exact::pow(10.0, exponent) / amplitude);
  return 1.0f / step;
}

// R. Mantiuk, K. J. Kim, A. G. Rempel, W. Heidrich, "HDR-VDP-2", ACM Trans. Graphics 30(4), 2011,
// as released in its version 2.2.1, at a luminance of 100 cd/m2: between the two brightest anchors.
constexpr double kLuminance = 100;
constexpr float kDarkAnchor = 20;
constexpr float kBrightAnchor = 150;
constexpr int kNeuralParameters = 4;
constexpr float kNeuralDark[kNeuralParameters] = {0.334278f, 3.79542f, 1.07327f, 6.4635f};
constexpr float kNeuralBright[kNeuralParameters] = {0.394533f, 2.7755f, 1.16577f, 7.45665f};
constexpr float kRodCone[4] = {30.162f, 4.0627f, 1.6596f, 0.2712f};
constexpr float kOpticsAmplitude[4] = {0.424838596301290f, 0.572435103936480f,
                                       0.000167576239164937f, 0.00255872352306433f};
constexpr float kOpticsDecay[4] = {0.028f, 0.37f, 37.0f, 360.0f};

// Linear in the logarithm of the luminance.
float neural_parameter(int index) {
  const auto dark = static_cast<float>(exact::log10(kDarkAnchor));
  const auto bright = static_cast<float>(exact::log10(kBrightAnchor));
  const auto here = static_cast<float>(exact::log10(kLuminance));
  return kNeuralDark[index] +
         (kNeuralBright[index] - kNeuralDark[index]) / (bright - dark) * (here - dark);
}

float optics(float frequency) {
  float sum = 0;
  for (int i = 0; i < 4; ++i) {
    sum = static_cast<float>(sum + kOpticsAmplitude[i] * exact::exp(-kOpticsDecay[i] * frequency));
  }
  return sum;
}

float rod_cone_sensitivity() {
  const double drop = exact::pow(kRodCone[1] / static_cast<float>(kLuminance), kRodCone[2]);
  return static_cast<float>(kRodCone[0] * exact::pow(drop + 1, -kRodCone[3]));
}

float barten_weight(const Csf& csf, int scale, bool diagonal) {
  const float frequency = pixels_per_degree(csf) / static_cast<float>(2 << scale);
  const float cutoff = neural_parameter(0) * frequency;
  const auto high_pass = static_cast<float>(1.0 + exact::pow(cutoff, neural_parameter(1)));
  const double octaves = frequency / 7;
  const auto low_pass = static_cast<float>(
      1.0 / exact::pow(1 - exact::exp(-(octaves * octaves)), neural_parameter(2)));
  const auto neural = static_cast<float>(neural_parameter(3) /
                                         std::sqrt(static_cast<double>(high_pass * low_pass)));
  return static_cast<float>(neural * optics(frequency) * rod_cone_sensitivity() *
                            (diagonal ? csf.diagonal_scale : csf.axis_scale));
}

// The sensitivity that the paper of the metric has (S. Li, F. Zhang, L. Ma, K. N. Ngan 2011): less
// in the diagonal direction by a factor of the frequency.
constexpr double kObliqueEffect = 0.7;

float paper_weight(const Csf& csf, int scale, bool diagonal) {
  float frequency = pixels_per_degree(csf) / static_cast<float>(2 << scale);
  if (diagonal) frequency = static_cast<float>(frequency / kObliqueEffect);
  return static_cast<float>((0.31 + 0.69 * frequency) * exact::exp(-0.29 * frequency));
}

// The blends are tables of libvmaf (its models from v1 on), one for each viewing condition.
struct Blend {
  int display_height;
  double view_distance;
  float axis[kScales];
  float diagonal[kScales];
};

constexpr Blend kBlends[] = {
    {1080,
     3.0,
     {0.01183f, 0.025026f, 0.04295f, 0.058621f},
     {0.004302f, 0.011778f, 0.023918f, 0.035901f}},
    {1080,
     5.0,
     {0.004212f, 0.014809f, 0.029642f, 0.047464f},
     {0.000984f, 0.005852f, 0.0146f, 0.027574f}},
    {2160,
     1.5,
     {0.01183f, 0.025026f, 0.04295f, 0.058621f},
     {0.004302f, 0.011778f, 0.023918f, 0.035901f}},
    {2160,
     3.0,
     {0.00226f, 0.01183f, 0.025026f, 0.04295f},
     {0.000479f, 0.004302f, 0.011778f, 0.023918f}},
    {2160,
     5.0,
     {0.000092f, 0.004212f, 0.014809f, 0.029642f},
     {0.000050f, 0.000984f, 0.005852f, 0.0146f}},
    {720,
     5.0,
     {0.010144f, 0.022561f, 0.040309f, 0.05672f},
     {0.003463f, 0.010282f, 0.021839f, 0.034641f}},
};
constexpr Blend kBlendsMae[] = {
    {1080,
     3.0,
     {0.011249f, 0.022606f, 0.035930f, 0.045673f},
     {0.004097f, 0.010921f, 0.021430f, 0.031313f}},
    {1080,
     5.0,
     {0.004052f, 0.013939f, 0.026298f, 0.038833f},
     {0.000927f, 0.005544f, 0.013415f, 0.024515f}},
    {2160,
     1.5,
     {0.011249f, 0.022606f, 0.035930f, 0.045673f},
     {0.004097f, 0.010921f, 0.021430f, 0.031313f}},
    {2160,
     3.0,
     {0.002166f, 0.011249f, 0.022606f, 0.035930f},
     {0.000447f, 0.004097f, 0.010921f, 0.021430f}},
    {2160,
     5.0,
     {0.000077f, 0.004052f, 0.013939f, 0.026298f},
     {0.000045f, 0.000927f, 0.005544f, 0.013415f}},
    {720,
     5.0,
     {0.009689f, 0.020577f, 0.034162f, 0.044523f},
     {0.003302f, 0.009579f, 0.019661f, 0.030318f}},
};

const Blend* find_blend(const Csf& csf) {
  const auto& table = csf.mode == CsfMode::kBlend ? kBlends : kBlendsMae;
  const auto* it = std::find_if(std::begin(table), std::end(table), [&](const Blend& blend) {
    return blend.display_height == csf.display_height && blend.view_distance == csf.view_distance;
  });
  return it == std::end(table) ? nullptr : it;
}

}  // namespace

bool has_weights(const Csf& csf) {
  const bool tabulated = csf.mode == CsfMode::kBlend || csf.mode == CsfMode::kBlendMae;
  return !tabulated || find_blend(csf) != nullptr;
}

float csf_weight(const Csf& csf, int scale, bool diagonal) {
  switch (csf.mode) {
    case CsfMode::kWatson:
      return watson_weight(csf, scale, diagonal);
    case CsfMode::kBarten:
      return barten_weight(csf, scale, diagonal);
    case CsfMode::kPaper:
      return paper_weight(csf, scale, diagonal);
    case CsfMode::kBlend:
    case CsfMode::kBlendMae:
      break;
  }
  const Blend& blend = *find_blend(csf);
  return (diagonal ? blend.diagonal : blend.axis)[scale];
}

}  // namespace vmafx::adm
