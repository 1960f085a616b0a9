// Linear algebra of a 25x25 covariance by a team of threads. Every sum is one thread's, in the
// order of reference.cc; threads share the entries of matrices.
#ifndef VMAFX_METRICS_SPEED_MATRIX_PHASES_H_
#define VMAFX_METRICS_SPEED_MATRIX_PHASES_H_

#include <bit>
#include <cmath>
#include <cstdint>

#include "device/kernel.h"
#include "metrics/speed/eigenvalues.h"
#include "metrics/speed/geometry.h"

namespace vmafx::speed {

inline constexpr int kSquare = kElements * kElements;
// A matrix to reflect and, right of it, the product of the reflections.
inline constexpr int kReflectedColumns = 2 * kElements;
inline constexpr int kReflected = kElements * kReflectedColumns;

// What a team shares.
template <template <class, int> class Array>
struct Matrices {
  Array<float, kSquare> covariance;
  Array<float, kSquare> rest;  // a copy; what of it is not tridiagonal yet
  Array<float, kElements> diagonal;
  Array<float, kElements> beside;
  Array<float, kElements> v;
  Array<float, kElements> product;  // of a matrix and v
  Array<float, kElements> w;
  Array<float, kElements> tau;
  Array<float, 2 * kReflected> reflected;  // two buffers, [row][column]
  Array<float, kSquare> triangle;
};

VMAFX_PORTABLE int entry(int row, int column) { return row * kElements + column; }

// Element `thread` of the vector whose reflection clears column i below the band. What is the same
// for all elements every thread computes for itself: that is quicker than to wait for one.
template <class M>
VMAFX_PORTABLE void make_band_reflection(M& m, int i, int thread) {
  const int first = i + 1;
  float square = 0;
  for (int r = first + 1; r < kElements; ++r) {
    const float x = m.rest[entry(r, i)];
    square += x * x;
  }
  const float below = std::sqrt(square);
  const float alpha = m.rest[entry(first, i)];
  const float length = std::sqrt(alpha * alpha + below * below);
  const float beta = alpha >= 0 ? -length : length;
  const float tau = (beta - alpha) / beta;
  const float v = m.rest[entry(thread, i)] / (alpha - beta);
  m.v[thread] = thread == first ? 1 : v;
  if (thread != 0) return;
  m.diagonal[i] = m.rest[entry(i, i)];
  m.beside[i] = below == 0 ? alpha : beta;
  m.tau[i] = below == 0 ? 0 : tau;
}

template <class M>
VMAFX_PORTABLE float product_entry(M& m, int first, float tau, int row) {
  float sum = 0;
  for (int c = first; c < kElements; ++c) sum += tau * m.rest[entry(c, row)] * m.v[c];
  return sum;
}

// w = product + half v, where half is the same for all.
template <class M>
VMAFX_PORTABLE float corrected(M& m, int first, float tau, int row) {
  float sum = 0;
  for (int r = first; r < kElements; ++r) sum += m.product[r] * m.v[r];
  const float half = -0.5f * tau * sum;
  return m.product[row] + half * m.v[row];
}

// Of m.rest, to m.diagonal and m.beside.
template <int threads, class Team, class M>
VMAFX_PORTABLE void tridiagonalize(Team& team, M& m) {
  constexpr int n = kElements;
  for (int i = 0; i + 2 < n; ++i) {
    const int first = i + 1;
    team.each([&](int thread) {
      if (thread < n) make_band_reflection(m, i, thread);
    });
    // 0 if there is nothing to reflect; else it is at least 1.
    const float tau = m.tau[i];
    if (tau == 0) continue;
    team.each([&](int thread) {
      if (thread >= first && thread < n) m.product[thread] = product_entry(m, first, tau, thread);
    });
    team.each([&](int thread) {
      if (thread >= first && thread < n) m.w[thread] = corrected(m, first, tau, thread);
    });
    team.each([&](int thread) {
      const int c = thread % device::kGroup;
      if (c < first || c >= n) return;
      for (int r = first + thread / device::kGroup; r < n; r += threads / device::kGroup)
        m.rest[entry(r, c)] = m.rest[entry(r, c)] - (m.w[r] * m.v[c] + m.v[r] * m.w[c]);
    });
  }
  team.each([&](int thread) {
    if (thread >= n - 2 && thread < n) m.diagonal[thread] = m.rest[entry(thread, thread)];
    if (thread == n - 2) m.beside[thread] = m.rest[entry(n - 1, n - 2)];
  });
}

// Element `thread` of the vector whose reflection clears column `step` below the diagonal.
template <class M>
VMAFX_PORTABLE void make_unit_vector(M& m, int step, int thread) {
  const int from = step % 2 * kReflected + step;
  const auto column = [&](int r) -> float { return m.reflected[from + r * kReflectedColumns]; };
  float square = 0;
  for (int r = step; r < kElements; ++r) square += column(r) * column(r);
  const float first = column(step) + std::sqrt(square);
  square = first * first;
  for (int r = step + 1; r < kElements; ++r) square += column(r) * column(r);
  const float length = std::sqrt(square);
  m.v[thread] = (thread == step ? first : column(thread)) / length;
}

// Every kQrRows-th entry of a column, from a row on, of the reflected matrix: as many as there are,
// from one buffer to the other one.
inline constexpr int kQrRows = 5;

template <class M>
VMAFX_PORTABLE void reflect_column(M& m, int from, int to, int step, int row, int column) {
  constexpr int kStride = kQrRows * kReflectedColumns;
  const int at = row * kReflectedColumns + column;
  float factor[kQrRows];
  float sum[kQrRows];
  VMAFX_UNROLL
  for (int i = 0; i < kQrRows; ++i) {
    factor[i] = -2 * m.v[row + i * kQrRows];
    sum[i] = 0;
  }
  for (int j = step; j < kElements; ++j) {
    const float v = m.v[j];
    const float value = m.reflected[from + j * kReflectedColumns + column];
    VMAFX_UNROLL
    for (int i = 0; i < kQrRows; ++i) {
      const float product = factor[i] * v;
      sum[i] += (row + i * kQrRows == j ? product + 1 : product) * value;
    }
  }
  VMAFX_UNROLL
  for (int i = 0; i < kQrRows; ++i) {
    if (row + i * kQrRows >= step) {
      m.reflected[to + at + i * kStride] = sum[i];
    } else if (column >= kElements) {
      m.reflected[to + at + i * kStride] = static_cast<float>(m.reflected[from + at + i * kStride]);
    }
  }
}

// Half a step of the factorization Q R = covariance: the vector, then the reflection, from one
// buffer to the other one. An even number of steps ends in the first.
inline constexpr int kQrPieces = 2 * (kElements - 1);
static_assert(kQrPieces / 2 % 2 == 0);

template <int threads, class M>
VMAFX_PORTABLE void factorize_piece(M& m, int piece, int thread) {
  const int step = piece / 2;
  if (piece % 2 == 0) {
    if (thread >= step && thread < kElements) make_unit_vector(m, step, thread);
    return;
  }
  const int from = step % 2 * kReflected;
  constexpr int kColumnThreads = 2 * device::kGroup;
  static_assert(kReflectedColumns <= kColumnThreads && kQrRows * kColumnThreads <= threads);
  const int row = thread / kColumnThreads;
  const int column = thread % kColumnThreads;
  if (row < kQrRows && column >= step && column < kReflectedColumns)
    reflect_column(m, from, kReflected - from, step, row, column);
}

// Of the transposed Q.
template <class M>
VMAFX_PORTABLE float transposed_q(M& m, int row, int column) {
  return m.reflected[row * kReflectedColumns + kElements + column];
}

// m.diagonal becomes the eigenvalues, as by diagonalize(), which is one thread's work. Meanwhile
// the others factorize.
template <int threads, class Team, class M>
VMAFX_PORTABLE void diagonalize_and_factorize(Team& team, M& m) {
  constexpr int kFactorizing = threads - device::kGroup;
  team.each([&](int thread) {
    for (int at = thread; at < kReflected; at += threads) {
      const int r = at / kReflectedColumns;
      const int c = at % kReflectedColumns;
      m.reflected[at] = c < kElements ? static_cast<float>(m.covariance[entry(r, c)])
                                      : (r == c - kElements ? 1.0f : 0.0f);
    }
  });
  for (int step = 0, piece = 0;; ++step, ++piece) {
    auto bit = team.template values<std::uint32_t>();
    team.each([&](int thread) {
      if (thread + 1 >= kElements) return;
      const float kept =
          eigen::unless_negligible(m.beside[thread], m.diagonal[thread], m.diagonal[thread + 1]);
      m.beside[thread] = kept;
      bit[thread] = kept != 0 ? std::uint32_t{1} << thread : 0;
    });
    // Which entries beside the diagonal are not zero; the last rows that they join are next.
    const std::uint32_t joined = team.sum(bit);
    const int last = static_cast<int>(std::bit_width(joined));
    const std::uint32_t apart = ~joined & ((std::uint32_t{1} << last) - 1);
    const int first = static_cast<int>(std::bit_width(apart));
    const bool diagonalizes = joined != 0 && step < eigen::kMaxSteps;
    if (!diagonalizes && piece >= kQrPieces) break;
    team.each([&](int thread) {
      if (thread == 0 && diagonalizes)
        eigen::qr_step(m.diagonal, m.beside, first, last,
                       [](float x) { return eigen::reciprocal_root_by_whole_numbers(x); });
      if (thread >= device::kGroup && piece < kQrPieces)
        factorize_piece<kFactorizing>(m, piece, thread - device::kGroup);
    });
  }
}

// The upper triangle of R.
template <int threads, class Team, class M>
VMAFX_PORTABLE void make_triangle(Team& team, M& m) {
  team.each([&](int thread) {
    for (int at = thread; at < kSquare; at += threads) {
      const int r = at / kElements;
      const int c = at % kElements;
      if (c < r) continue;
      float sum = 0;
      for (int e = 0; e < kElements; ++e) sum += transposed_q(m, r, e) * m.covariance[entry(e, c)];
      m.triangle[at] = sum;
    }
  });
}

VMAFX_PORTABLE bool is_singular(float value) { return static_cast<double>(value) < kSingular; }

// Whether eigenvalue or pivot i is too small.
template <class M>
VMAFX_PORTABLE bool is_singular_at(M& m, int i) {
  return is_singular(m.diagonal[i]) ||
         is_singular(std::abs(static_cast<float>(m.triangle[entry(i, i)])));
}

// y' covariance^-1 y / 25.
template <class M>
VMAFX_PORTABLE float block_variance(M& m, const float (&y)[kElements]) {
  float x[kElements] = {};  // of the rows that are solved, the last solved first
  // Not unrolled: else the matrices, which are the same for all blocks, would be held in registers.
  VMAFX_NO_UNROLL
  for (int i = kElements - 1; i >= 0; --i) {
    float rest = 0;
    VMAFX_UNROLL
    for (int j = 0; j < kElements; ++j) rest += transposed_q(m, i, j) * y[j];
    VMAFX_UNROLL
    for (int k = 0; k + 1 < kElements; ++k) {
      if (i + 1 + k < kElements) rest -= x[k] * m.triangle[entry(i, i + 1 + k)];
    }
    VMAFX_UNROLL
    for (int k = kElements - 1; k > 0; --k) x[k] = x[k - 1];
    x[0] = rest / m.triangle[entry(i, i)];
  }
  float sum = x[0] * y[0] / kElements;
  VMAFX_UNROLL
  for (int e = 1; e < kElements; ++e) sum += x[e] * y[e] / kElements;
  return sum;
}

}  // namespace vmafx::speed

#endif  // VMAFX_METRICS_SPEED_MATRIX_PHASES_H_
