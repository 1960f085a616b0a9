// Borders of the scales, the same in both forms of ADM.
#ifndef VMAFX_METRICS_ADM_BORDERS_H_
#define VMAFX_METRICS_ADM_BORDERS_H_

#include <algorithm>

namespace vmafx::adm {

// First and one past the last of a row's columns or of a plane's rows.
struct Range {
  int begin = 0;
  int end = 0;
  constexpr int size() const { return end - begin; }
};

// A tenth of the coefficients at each end is left out of the sums.
inline Range inner_range(int size) {
  const int border = static_cast<int>(size * 0.1 - 0.5);
  return {border, size - border};
}

// The inner range and its neighbours.
inline Range masking_range(int size) {
  const Range inner = inner_range(size);
  return {std::max(inner.begin - 1, 0), std::min(inner.end + 1, size)};
}

// Samples that the wavelet filters look at for outputs in a range.
inline Range filter_input(Range outputs, int size) {
  return {std::max(2 * outputs.begin - 1, 0), std::min(2 * outputs.end + 1, size)};
}

inline Range hull(Range a, Range b) {
  if (a.size() <= 0) return b;
  if (b.size() <= 0) return a;
  return {std::min(a.begin, b.begin), std::max(a.end, b.end)};
}

// Index of the sample that stands for one beyond the border: the first sample is not repeated, the
// last one is (a quirk of libvmaf).
constexpr int reflect(int index, int size) {
  if (index < 0) return -index;
  if (index >= size) return 2 * size - 1 - index;
  return index;
}

}  // namespace vmafx::adm

#endif  // VMAFX_METRICS_ADM_BORDERS_H_
