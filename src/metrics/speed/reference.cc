// The definition of SpEED's block statistics, in plain arithmetic. Everything is float but the
// products of the covariance and the logarithms, and every sum runs in the order that is written
// here: eigenvalues and solutions amplify the rounding of float, so the order is part of the
// definition (it is libvmaf's).
#include <array>
#include <cmath>
#include <cstddef>
#include <vector>

#include "base/grid.h"
#include "metrics/speed/eigenvalues.h"
#include "metrics/speed/entropy.h"
#include "metrics/speed/speed.h"

namespace vmafx::speed {
namespace {

using Vector = std::array<float, kElements>;
using Matrix = std::array<Vector, kElements>;

// A sample of the prescaled plane: the one behind a tap of an output, in both directions.
template <class Sample>
float scaled_sample(const Plan& plan, const Source<Sample>& source, int tap_x, int output_x,
                    int tap_y, int output_y) {
  float sum = 0;
  float weights = 0;
  for (int j = 0; j < plan.y.points; ++j) {
    const std::size_t row = plan.y.index(j, tap_y, output_y);
    for (int i = 0; i < plan.x.points; ++i) {
      const std::size_t column = plan.x.index(i, tap_x, output_x);
      const float weight = plan.y.weight[row] * plan.x.weight[column];
      weights += weight;
      sum += source.at(plan.x.position[column], plan.y.position[row]) * weight;
    }
  }
  return plan.normalize ? sum / weights : sum;
}

// Anti-alias filter, down the columns and then along the rows, where a sample of 16x16 remains.
template <class Sample>
Grid<float> decimate(const Plan& plan, const Source<Sample>& source) {
  const Geometry& g = plan.geometry;
  const int taps = static_cast<int>(plan.antialias.size());
  Grid<float> out(g.decimated_width, g.decimated_height);
  for (int y = 0; y < g.decimated_height; ++y) {
    for (int x = 0; x < g.decimated_width; ++x) {
      float sum = 0;
      for (int k = 0; k < taps; ++k) {
        float column = 0;
        for (int l = 0; l < taps; ++l)
          column +=
              plan.antialias[static_cast<std::size_t>(l)] * scaled_sample(plan, source, k, x, l, y);
        sum += plan.antialias[static_cast<std::size_t>(k)] * column;
      }
      out.at(x, y) = sum;
    }
  }
  return out;
}

// What remains after the local mean is subtracted.
Grid<float> detail(const Plan& plan, const Grid<float>& plane) {
  const int width = plan.geometry.decimated_width;
  const int height = plan.geometry.decimated_height;
  const int taps = static_cast<int>(plan.local_mean.size());
  const auto weight = [&](int k) { return plan.local_mean[static_cast<std::size_t>(k)]; };
  Grid<float> columns(width, height);
  Grid<float> out(width, height);
  for (int y = 0; y < height; ++y) {
    for (int x = 0; x < width; ++x) {
      float sum = 0;
      for (int k = 0; k < taps; ++k)
        sum += weight(k) * plane.at(x, mirror(y + k - taps / 2, height));
      columns.at(x, y) = sum;
    }
    for (int x = 0; x < width; ++x) {
      float sum = 0;
      for (int k = 0; k < taps; ++k)
        sum += weight(k) * columns.at(mirror(x + k - taps / 2, width), y);
      out.at(x, y) = plane.at(x, y) - sum;
    }
  }
  return out;
}

// Mean of each of the 25 elements of a block over all places of the block.
Vector means(const Geometry& g, const Grid<float>& plane) {
  Vector mean{};
  for (std::size_t e = 0; e < kElements; ++e) {
    const int dx = static_cast<int>(e) % kBlock;
    const int dy = static_cast<int>(e) / kBlock;
    float sum = 0;
    for (int y = 0; y < g.places_down(); ++y) {
      for (int x = 0; x < g.places_across(); ++x) sum += plane.at(x + dx, y + dy);
    }
    mean[e] = sum / static_cast<float>(g.places());
  }
  return mean;
}

Matrix covariance(const Geometry& g, const Grid<float>& plane) {
  const Vector mean = means(g, plane);
  Matrix k{};
  for (std::size_t a = 0; a < kElements; ++a) {
    for (std::size_t b = 0; b <= a; ++b) {
      const auto deviation = [&](std::size_t e, int x, int y) {
        const int i = static_cast<int>(e);
        return static_cast<double>(plane.at(x + i % kBlock, y + i / kBlock)) -
               static_cast<double>(mean[e]);
      };
      double sum = 0;
      for (int y = 0; y < g.places_down(); ++y) {
        for (int x = 0; x < g.places_across(); ++x) sum += deviation(a, x, y) * deviation(b, x, y);
      }
      k[a][b] = k[b][a] = static_cast<float>(sum / g.places());
    }
  }
  return k;
}

// Householder reflections bring the matrix to tridiagonal form (Golub and Van Loan, 8.3.1).
void tridiagonalize(Matrix a, Vector& diagonal, Vector& beside) {
  constexpr std::size_t n = kElements;
  for (std::size_t i = 0; i + 2 < n; ++i) {
    const std::size_t first = i + 1;
    float square = 0;
    for (std::size_t r = first + 1; r < n; ++r) square += a[r][i] * a[r][i];
    const float below = std::sqrt(square);
    diagonal[i] = a[i][i];
    beside[i] = a[first][i];
    if (below == 0) continue;

    const float alpha = a[first][i];
    const float length = std::sqrt(alpha * alpha + below * below);
    const float beta = alpha >= 0 ? -length : length;
    const float tau = (beta - alpha) / beta;
    Vector v{};
    v[first] = 1;
    for (std::size_t r = first + 1; r < n; ++r) v[r] = a[r][i] / (alpha - beta);
    beside[i] = beta;

    Vector w{};
    for (std::size_t r = first; r < n; ++r) {
      for (std::size_t c = first; c < n; ++c) w[r] += tau * a[r][c] * v[c];
    }
    float product = 0;
    for (std::size_t r = first; r < n; ++r) product += w[r] * v[r];
    const float half = -0.5f * tau * product;
    for (std::size_t r = first; r < n; ++r) w[r] += half * v[r];
    for (std::size_t r = first; r < n; ++r) {
      for (std::size_t c = first; c < n; ++c) a[r][c] -= w[r] * v[c] + v[r] * w[c];
    }
  }
  diagonal[n - 2] = a[n - 2][n - 2];
  diagonal[n - 1] = a[n - 1][n - 1];
  beside[n - 2] = a[n - 1][n - 2];
}

float norm(const Vector& v) {
  float square = 0;
  for (const float x : v) square += x * x;
  return std::sqrt(square);
}

// The product of the Householder reflections that make k upper triangular: the transpose of Q in
// k = Q R. Each reflection is multiplied out as a matrix.
Matrix transposed_q(const Matrix& k) {
  constexpr std::size_t n = kElements;
  Matrix rest = k;
  Matrix q{};
  for (std::size_t i = 0; i < n; ++i) q[i][i] = 1;
  for (std::size_t step = 0; step + 1 < n; ++step) {
    Vector v{};
    for (std::size_t i = step; i < n; ++i) v[i] = rest[i][step];
    // Added, never subtracted: the diagonal of a covariance is not negative.
    v[step] += norm(v);
    const float length = norm(v);
    for (float& x : v) x /= length;

    const Matrix old_rest = rest;
    const Matrix old_q = q;
    for (std::size_t i = step; i < n; ++i) {
      const auto reflect = [&](const Matrix& m, std::size_t column) {
        float sum = 0;
        for (std::size_t j = step; j < n; ++j) {
          const float product = -2 * v[i] * v[j];
          sum += (i == j ? product + 1 : product) * m[j][column];
        }
        return sum;
      };
      for (std::size_t c = step; c < n; ++c) rest[i][c] = reflect(old_rest, c);
      for (std::size_t c = 0; c < n; ++c) q[i][c] = reflect(old_q, c);
    }
  }
  return q;
}

// The upper triangle of R.
Matrix triangle(const Matrix& transposed_q, const Matrix& k) {
  Matrix r{};
  for (std::size_t i = 0; i < kElements; ++i) {
    for (std::size_t j = i; j < kElements; ++j) {
      for (std::size_t e = 0; e < kElements; ++e) r[i][j] += transposed_q[i][e] * k[e][j];
    }
  }
  return r;
}

// x with r x = transposed_q y.
Vector solve(const Matrix& transposed_q, const Matrix& r, const Vector& y) {
  Vector x{};
  for (std::size_t i = kElements; i-- > 0;) {
    float rest = 0;
    for (std::size_t j = 0; j < kElements; ++j) rest += transposed_q[i][j] * y[j];
    for (std::size_t j = i + 1; j < kElements; ++j) rest -= x[j] * r[i][j];
    x[i] = rest / r[i][i];
  }
  return x;
}

// y' K^-1 y / 25 of a block y.
float block_variance(const Matrix& transposed_q, const Matrix& r, const Vector& y) {
  const Vector x = solve(transposed_q, r, y);
  float sum = x[0] * y[0] / kElements;
  for (std::size_t e = 1; e < kElements; ++e) sum += x[e] * y[e] / kElements;
  return sum;
}

bool all_at_least(const Vector& values, double limit) {
  for (const float v : values) {
    if (static_cast<double>(v) < limit) return false;
  }
  return true;
}

}  // namespace

template <class Sample>
bool reference_statistics(const Plan& plan, const Source<Sample>& source, BlockStatistics blocks) {
  const Geometry& g = plan.geometry;
  const Grid<float> plane = detail(plan, decimate(plan, source));
  const Matrix k = covariance(g, plane);
  Vector eigenvalues{};
  Vector beside{};
  tridiagonalize(k, eigenvalues, beside);
  diagonalize(eigenvalues, std::span(beside).first(kElements - 1));
  if (!all_at_least(eigenvalues, kSingular)) return false;

  const Matrix q = transposed_q(k);
  const Matrix r = triangle(q, k);
  for (std::size_t i = 0; i < kElements; ++i) {
    if (static_cast<double>(std::fabs(r[i][i])) < kSingular) return false;
  }

  for (int block = 0; block < g.blocks(); ++block) {
    Vector y;
    for (int e = 0; e < kElements; ++e) {
      y[static_cast<std::size_t>(e)] = plane.at(block % g.blocks_across * kBlock + e % kBlock,
                                                block / g.blocks_across * kBlock + e / kBlock);
    }
    const float variance = block_variance(q, r, y);
    float entropy = 0;
    for (const float eigenvalue : eigenvalues)
      entropy = add_component(entropy, eigenvalue, variance, plan.noise);
    // Rounding can make a nearly singular solution useless: no logarithm of it would exist.
    if (!std::isfinite(entropy) || !(variance > -1)) return false;
    blocks.entropy[static_cast<std::size_t>(block)] = entropy;
    blocks.variance[static_cast<std::size_t>(block)] = variance;
  }
  return true;
}

template bool reference_statistics(const Plan&, const Source<std::uint8_t>&, BlockStatistics);
template bool reference_statistics(const Plan&, const Source<std::uint16_t>&, BlockStatistics);

}  // namespace vmafx::speed
