// The filter between the scales of MS-SSIM: what its definition and its kernels share.
#ifndef VMAFX_METRICS_FLOAT_MS_SSIM_LOW_PASS_H_
#define VMAFX_METRICS_FLOAT_MS_SSIM_LOW_PASS_H_

namespace vmafx::ms_ssim {

inline constexpr int kTaps = 9;
inline constexpr int kRadius = kTaps / 2;

// Of the tap `down` rows and `across` columns from the upper left corner of the filter: the
// low-pass filter of the 9/7 biorthogonal wavelet, as a table of its two-dimensional taps rounded
// to six digits, by the larger and the smaller distance from the centre along one axis.
constexpr float low_pass(int down, int across) {
  constexpr float kTable[kRadius + 1][kRadius + 1] = {
      {0.363505f},
      {0.160885f, 0.071207f},
      {-0.047149f, -0.020867f, 0.006115f},
      {-0.010146f, -0.004490f, 0.001316f, 0.000283f},
      {0.016114f, 0.007132f, -0.002090f, -0.000450f, 0.000714f},
  };
  const int y = down < kRadius ? kRadius - down : down - kRadius;
  const int x = across < kRadius ? kRadius - across : across - kRadius;
  return kTable[y > x ? y : x][y > x ? x : y];
}

}  // namespace vmafx::ms_ssim

#endif  // VMAFX_METRICS_FLOAT_MS_SSIM_LOW_PASS_H_
