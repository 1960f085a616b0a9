// Support vector regression with a Gaussian kernel (Schoelkopf et al., "New support vector
// algorithms", 2000; the prediction of libsvm's nu_svr with its rbf kernel).
#ifndef VMAFX_MODELS_SVR_H_
#define VMAFX_MODELS_SVR_H_

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace vmafx {

// The support vectors, each once: a bootstrap set draws those of all its members from one small
// pool, so their kernel values are computed once for all members.
class KernelBasis {
 public:
  // `points` holds one support vector after the other, each of `features` values.
  KernelBasis(double gamma, std::size_t features, std::span<const double> points);

  double gamma() const { return gamma_; }
  std::size_t size() const { return size_; }
  std::size_t features() const { return features_; }

  // exp(-gamma |x - p|^2) for every support vector p; the squares are summed in feature order.
  // Resizes `kernel` to at least size().
  void evaluate(std::span<const double> x, std::vector<double>& kernel) const;

 private:
  double gamma_;
  std::size_t features_;
  std::size_t size_;
  std::size_t padded_size_;
  std::vector<double> values_;  // [feature][point], so that loops run across support vectors
};

struct WeightedPoint {
  std::uint32_t point;  // index into the basis
  double weight;
};

// sum of weight * kernel - rho, in the order of the terms, which decides the last bits.
struct Regression {
  std::vector<WeightedPoint> terms;
  double rho = 0;

  double evaluate(std::span<const double> kernel) const;
};

}  // namespace vmafx

#endif  // VMAFX_MODELS_SVR_H_
