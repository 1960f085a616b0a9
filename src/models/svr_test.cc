#include "models/svr.h"

#include <random>

#include "base/exact/exp.h"
#include "gtest/gtest.h"

namespace vmafx {
namespace {

// The definition, one support vector at a time.
double kernel_value(double gamma, std::span<const double> x, const double* point) {
  double sum = 0;
  for (std::size_t f = 0; f < x.size(); ++f) sum += (x[f] - point[f]) * (x[f] - point[f]);
  return exact::exp(-gamma * sum);
}

TEST(KernelBasis, EqualsTheDefinitionForEverySize) {
  std::mt19937_64 random(7);
  std::uniform_real_distribution<double> uniform(-2, 2);
  std::vector<double> kernel;
  for (const std::size_t features : {1u, 4u, 6u, 17u}) {
    for (const std::size_t size : {1u, 31u, 32u, 33u, 211u}) {
      std::vector<double> points(features * size);
      std::vector<double> x(features);
      for (double& value : points) value = uniform(random);
      for (double& value : x) value = uniform(random);

      const KernelBasis basis(0.04, features, points);
      basis.evaluate(x, kernel);
      ASSERT_EQ(basis.size(), size);
      ASSERT_GE(kernel.size(), size);
      for (std::size_t i = 0; i < size; ++i) {
        EXPECT_EQ(kernel[i], kernel_value(0.04, x, points.data() + i * features));
      }
    }
  }
}

TEST(KernelBasis, IsOneAtASupportVectorAndZeroFarAway) {
  const std::vector<double> points = {0.25, 0.5, 1e200, -1e200};
  const KernelBasis basis(0.04, 2, points);
  std::vector<double> kernel;
  basis.evaluate(std::vector<double>{0.25, 0.5}, kernel);
  EXPECT_EQ(kernel[0], 1.0);
  EXPECT_EQ(kernel[1], 0.0);
}

TEST(Regression, SumsInTheOrderOfItsTerms) {
  const std::vector<double> kernel = {1, 0.5, 0x1p-53};
  EXPECT_EQ((Regression{{{0, 1}, {2, 1}, {2, 1}}, 0}).evaluate(kernel), 1.0);
  EXPECT_EQ((Regression{{{2, 1}, {2, 1}, {0, 1}}, 0}).evaluate(kernel), 1 + 0x1p-52);
  EXPECT_EQ((Regression{{{1, -4}, {0, 2}}, 0.25}).evaluate(kernel), -0.25);
}

}  // namespace
}  // namespace vmafx
