// The text form in which libsvm saves a regression model.
#ifndef VMAFX_MODELS_LIBSVM_TEXT_H_
#define VMAFX_MODELS_LIBSVM_TEXT_H_

#include <cstddef>
#include <string_view>
#include <vector>

#include "vmafx/status.h"

namespace vmafx {

struct LibsvmModel {
  double gamma = 0;
  double rho = 0;
  std::vector<double> weights;  // one for each support vector
  std::vector<double> points;   // one support vector after the other, each of `features` values
};

// Accepts nu_svr and epsilon_svr with the rbf kernel. Errors say "line N: ...".
Result<LibsvmModel> parse_libsvm(std::string_view text, std::size_t features);

}  // namespace vmafx

#endif  // VMAFX_MODELS_LIBSVM_TEXT_H_
