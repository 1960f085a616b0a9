// Constants of PSNR-HVS-M.
#ifndef VMAFX_METRICS_PSNR_HVS_CONSTANTS_H_
#define VMAFX_METRICS_PSNR_HVS_CONSTANTS_H_

#include <array>
#include <cstddef>

namespace vmafx::psnr_hvs {

inline constexpr int kBlock = 8;
inline constexpr int kCoefficients = kBlock * kBlock;
// Blocks overlap by one sample.
inline constexpr int kStep = 7;

// Weights of one plane for each DCT coefficient, row by row.
struct Weights {
  // Contrast sensitivity.
  float csf[kCoefficients];
  // Contrast masking: how much a coefficient hides errors of others.
  float masking[kCoefficients];
};

namespace internal {

// Symmetric matrices by their lower triangles. They are the ones that Xiph fitted for libvmaf's
// PSNR-HVS, not those of the paper.
using Triangle = std::array<double, kBlock*(kBlock + 1) / 2>;

// clang-format off
inline constexpr Triangle kLumaTriangle = {
    1.6193873005,
    2.2901594831, 1.94321815382,
    2.08509755623, 2.04793073064, 1.34329019223,
    1.48366094411, 1.68731108984, 1.09205635862, 0.772819797575,
    1.00227514334, 1.2305666963, 0.875748795257, 0.605636379554, 0.448996256676,
    0.678296995242, 0.868920337363, 0.670882927016, 0.48309405692, 0.352889268808, 0.27032073436,
    0.466224900598, 0.61280991668, 0.501731932449, 0.380429446972, 0.283006984131, 0.215017739696, 0.168869545842,
    0.3265091542, 0.436405793551, 0.372504254596, 0.295774038565, 0.226951348204, 0.17408067321, 0.136153931001, 0.109083846276};
// clang-format on

// clang-format off
inline constexpr Triangle kCbTriangle = {
    1.91113096927,
    2.46074210438, 1.58529308355,
    1.18284184739, 1.21363250036, 0.978712413627,
    1.14982565193, 1.38190029285, 1.02624506078, 0.861317501629,
    1.05017074788, 1.33100189972, 1.03145147362, 0.801821139099, 0.676555426187,
    0.898018824055, 1.17428548929, 0.960060382087, 0.751437590932, 0.605503172737, 0.514674450957,
    0.74725392039, 0.996404342439, 0.849823426169, 0.685398513368, 0.55002013668, 0.454353482512, 0.389234902883,
    0.615105596242, 0.830890433625, 0.731221236837, 0.608694761374, 0.495804539034, 0.407050308965, 0.342353999733, 0.295530605237};
// clang-format on

// clang-format off
inline constexpr Triangle kCrTriangle = {
    2.03871978502,
    2.62502345193, 1.69112867013,
    1.26180942886, 1.17180569821, 0.944981930573,
    1.11019789803, 1.3342742857, 0.990876405848, 0.831632933426,
    1.01397751469, 1.28513006198, 0.995903384143, 0.77418706195, 0.653238524286,
    0.867069376285, 1.13381474809, 0.926972725286, 0.725539939514, 0.584635025748, 0.496936637883,
    0.721500455585, 0.962064122248, 0.820534991409, 0.661776842059, 0.531064164893, 0.438694579826, 0.375820256136,
    0.593906509971, 0.802254508198, 0.706020324706, 0.587716619023, 0.478717061273, 0.393021669543, 0.330555063063, 0.285345396658};
// clang-format on

// Turns a sensitivity into the square root of its masking weight; Xiph's fit to the paper's table.
inline constexpr double kMaskingScale = 0.3885746225901003;

constexpr Weights make_weights(const Triangle& triangle) {
  Weights weights{};
  for (std::size_t row = 0; row < kBlock; ++row) {
    for (std::size_t column = 0; column < kBlock; ++column) {
      const std::size_t i = row > column ? row : column;
      const std::size_t j = row > column ? column : row;
      const auto csf = static_cast<float>(triangle[i * (i + 1) / 2 + j]);
      const double root = csf * kMaskingScale;
      weights.csf[row * kBlock + column] = csf;
      weights.masking[row * kBlock + column] = static_cast<float>(root * root);
    }
  }
  return weights;
}

}  // namespace internal

// By plane: luma, Cb, Cr.
inline constexpr std::array<Weights, 3> kWeights = {internal::make_weights(internal::kLumaTriangle),
                                                    internal::make_weights(internal::kCbTriangle),
                                                    internal::make_weights(internal::kCrTriangle)};

// Multipliers of the lifting steps of the DCT, as fractions of a power of two.
struct Lift {
  int factor;
  int shift;
};
inline constexpr Lift kTanPi8 = {13573, 15};         // sqrt(2) - 1
inline constexpr Lift kSinPi4 = {11585, 14};         // sqrt(1/2)
inline constexpr Lift kTan3Pi16 = {21895, 15};       // tan(3 pi / 16)
inline constexpr Lift kSin3Pi8 = {15137, 14};        // sin(3 pi / 8)
inline constexpr Lift kTwoMinusSqrt2 = {19195, 15};  // 2 - sqrt(2)
inline constexpr Lift kSqrt2MinusHalf = {7489, 13};  // sqrt(2) - 1/2
inline constexpr Lift kTanPi32 = {3227, 15};         // tan(pi / 32)
inline constexpr Lift kSinPi16 = {6393, 15};         // sin(pi / 16)
inline constexpr Lift kTan3Pi32 = {2485, 13};        // tan(3 pi / 32)
inline constexpr Lift kSin3Pi16 = {18205, 15};       // sin(3 pi / 16)

}  // namespace vmafx::psnr_hvs

#endif  // VMAFX_METRICS_PSNR_HVS_CONSTANTS_H_
