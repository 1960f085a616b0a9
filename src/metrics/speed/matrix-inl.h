// Linear algebra of 25x25 matrices. Lanes are columns, so each sum runs in the order of
// reference.cc.
#if defined(VMAFX_METRICS_SPEED_MATRIX_INL_H_) == defined(HWY_TARGET_TOGGLE)
#ifdef VMAFX_METRICS_SPEED_MATRIX_INL_H_
#undef VMAFX_METRICS_SPEED_MATRIX_INL_H_
#else
#define VMAFX_METRICS_SPEED_MATRIX_INL_H_
#endif

#include <cmath>
#include <cstring>

#include <hwy/highway.h>

#include "metrics/speed/decimate-inl.h"

HWY_BEFORE_NAMESPACE();
namespace vmafx::speed {
namespace HWY_NAMESPACE {

namespace hn = hwy::HWY_NAMESPACE;

// Columns past 25 are zero.
constexpr std::size_t kPitch = 32;
struct alignas(64) Matrix {
  float row[kElements][kPitch];
};
struct alignas(64) Vector {
  float at[kPitch];
};

// The first whole vector that holds a column.
HWY_INLINE std::size_t vector_of(std::size_t column) {
  return column / hn::Lanes(df) * hn::Lanes(df);
}

// w = tau a v for the rows and columns from `first`; a is symmetric there.
HWY_INLINE void reflect(const Matrix& a, float tau, const Vector& v, std::size_t first, Vector& w) {
  const VF factor = hn::Set(df, tau);
  for (std::size_t r = vector_of(first); r < kElements; r += hn::Lanes(df)) {
    VF sum = hn::Zero(df);
    for (std::size_t c = first; c < kElements; ++c) {
      const VF scaled = hn::Mul(factor, hn::Load(df, a.row[c] + r));
      sum = hn::Add(sum, hn::Mul(scaled, hn::Set(df, v.at[c])));
    }
    hn::Store(sum, df, w.at + r);
  }
  for (std::size_t r = vector_of(first); r < first; ++r) w.at[r] = 0;
}

// a -= w v' + v w' for the rows from `first`; v and w are zero before.
HWY_INLINE void subtract_products(const Vector& v, const Vector& w, std::size_t first, Matrix& a) {
  for (std::size_t r = first; r < kElements; ++r) {
    const VF wr = hn::Set(df, w.at[r]);
    const VF vr = hn::Set(df, v.at[r]);
    for (std::size_t c = vector_of(first); c < kElements; c += hn::Lanes(df)) {
      const VF change =
          hn::Add(hn::Mul(wr, hn::Load(df, v.at + c)), hn::Mul(vr, hn::Load(df, w.at + c)));
      hn::Store(hn::Sub(hn::Load(df, a.row[r] + c), change), df, a.row[r] + c);
    }
  }
}

inline void tridiagonalize(Matrix a, float* diagonal, float* beside) {
  constexpr std::size_t n = kElements;
  for (std::size_t i = 0; i + 2 < n; ++i) {
    const std::size_t first = i + 1;
    const float* x = a.row[i];  // also column i: what is left of a is symmetric
    float square = 0;
    for (std::size_t r = first + 1; r < n; ++r) square += x[r] * x[r];
    const float below = std::sqrt(square);
    diagonal[i] = x[i];
    beside[i] = x[first];
    if (below == 0) continue;

    const float alpha = x[first];
    const float length = std::sqrt(alpha * alpha + below * below);
    const float beta = alpha >= 0 ? -length : length;
    const float tau = (beta - alpha) / beta;
    Vector v{};
    v.at[first] = 1;
    for (std::size_t r = first + 1; r < n; ++r) v.at[r] = x[r] / (alpha - beta);
    beside[i] = beta;

    Vector w{};
    reflect(a, tau, v, first, w);
    float product = 0;
    for (std::size_t r = first; r < n; ++r) product += w.at[r] * v.at[r];
    const float half = -0.5f * tau * product;
    for (std::size_t r = first; r < n; ++r) w.at[r] += half * v.at[r];
    subtract_products(v, w, first, a);
  }
  diagonal[n - 2] = a.row[n - 2][n - 2];
  diagonal[n - 1] = a.row[n - 1][n - 1];
  beside[n - 2] = a.row[n - 1][n - 2];
}

// kRows rows of a product, two vectors wide.
template <std::size_t kRows>
HWY_INLINE void multiply_tile(const Matrix& a, const Matrix& b, std::size_t first, std::size_t row,
                              std::size_t column, Matrix& out) {
  static_assert(kRows == 1 || kRows == 2);
  const std::size_t second = column + hn::Lanes(df);
  VF left0 = hn::Zero(df), right0 = left0, left1 = left0, right1 = left0;
  for (std::size_t j = first; j < kElements; ++j) {
    const VF left = hn::Load(df, b.row[j] + column);
    const VF right = hn::Load(df, b.row[j] + second);
    const VF f0 = hn::Set(df, a.row[row][j]);
    left0 = hn::Add(left0, hn::Mul(f0, left));
    right0 = hn::Add(right0, hn::Mul(f0, right));
    if constexpr (kRows == 2) {
      const VF f1 = hn::Set(df, a.row[row + 1][j]);
      left1 = hn::Add(left1, hn::Mul(f1, left));
      right1 = hn::Add(right1, hn::Mul(f1, right));
    }
  }
  hn::Store(left0, df, out.row[row] + column);
  hn::Store(right0, df, out.row[row] + second);
  if constexpr (kRows == 2) {
    hn::Store(left1, df, out.row[row + 1] + column);
    hn::Store(right1, df, out.row[row + 1] + second);
  }
}

// out = a b for the rows from `first`, of which a has zeros before column `first`; columns of the
// result from `column` at least.
HWY_INLINE void multiply(const Matrix& a, const Matrix& b, std::size_t first, std::size_t column,
                         Matrix& out) {
  const std::size_t step = 2 * hn::Lanes(df);
  for (std::size_t c = column / step * step; c < kElements; c += step) {
    std::size_t r = first;
    for (; r + 2 <= kElements; r += 2) multiply_tile<2>(a, b, first, r, c, out);
    if (r < kElements) multiply_tile<1>(a, b, first, r, c, out);
  }
}

inline float norm(const Vector& v) {
  float square = 0;
  for (std::size_t i = 0; i < kElements; ++i) square += v.at[i] * v.at[i];
  return std::sqrt(square);
}

inline void copy_rows(const Matrix& from, std::size_t first, Matrix& to) {
  std::memcpy(to.row[first], from.row[first], (kElements - first) * sizeof from.row[0]);
}

// The transpose of Q in k = Q R.
inline void transposed_q(const Matrix& k, Matrix& q) {
  Matrix rest = k;
  Matrix reflection;
  Matrix product;
  q = {};
  for (std::size_t i = 0; i < kElements; ++i) q.row[i][i] = 1;
  for (std::size_t step = 0; step + 1 < kElements; ++step) {
    Vector v{};
    for (std::size_t i = step; i < kElements; ++i) v.at[i] = rest.row[i][step];
    v.at[step] += norm(v);
    const VF length = hn::Set(df, norm(v));
    for (std::size_t i = 0; i < kElements; i += hn::Lanes(df))
      hn::Store(hn::Div(hn::Load(df, v.at + i), length), df, v.at + i);

    for (std::size_t i = step; i < kElements; ++i) {
      const VF factor = hn::Set(df, -2 * v.at[i]);
      for (std::size_t j = vector_of(step); j < kElements; j += hn::Lanes(df))
        hn::Store(hn::Mul(factor, hn::Load(df, v.at + j)), df, reflection.row[i] + j);
      reflection.row[i][i] += 1;
    }
    multiply(reflection, rest, step, step, product);
    copy_rows(product, step, rest);
    multiply(reflection, q, step, 0, product);
    copy_rows(product, step, q);
  }
}

}  // namespace HWY_NAMESPACE
}  // namespace vmafx::speed
HWY_AFTER_NAMESPACE();

#endif  // VMAFX_METRICS_SPEED_MATRIX_INL_H_
