#include "models/svr.h"

#include "base/exact/exp.h"

namespace vmafx {
namespace {

// Support vectors computed together: whole vectors of every instruction set, and few enough that
// their distances stay in registers or L1.
constexpr std::size_t kBlock = 32;

}  // namespace

KernelBasis::KernelBasis(double gamma, std::size_t features, std::span<const double> points)
    : gamma_(gamma),
      features_(features),
      size_(points.size() / features),
      padded_size_((size_ + kBlock - 1) / kBlock * kBlock),
      values_(features * padded_size_) {
  for (std::size_t i = 0; i < size_; ++i) {
    for (std::size_t f = 0; f < features; ++f) {
      values_[f * padded_size_ + i] = points[i * features + f];
    }
  }
}

void KernelBasis::evaluate(std::span<const double> x, std::vector<double>& kernel) const {
  kernel.resize(padded_size_);
  for (std::size_t first = 0; first < padded_size_; first += kBlock) {
    double distance[kBlock] = {};
    for (std::size_t f = 0; f < features_; ++f) {
      const double* const values = values_.data() + f * padded_size_ + first;
      for (std::size_t i = 0; i < kBlock; ++i) {
        const double difference = x[f] - values[i];
        distance[i] += difference * difference;
      }
    }
    double* const out = kernel.data() + first;
    for (std::size_t i = 0; i < kBlock; ++i) out[i] = exact::exp(-gamma_ * distance[i]);
  }
}

double Regression::evaluate(std::span<const double> kernel) const {
  double sum = 0;
  for (const WeightedPoint& term : terms) sum += term.weight * kernel[term.point];
  return sum - rho;
}

}  // namespace vmafx
