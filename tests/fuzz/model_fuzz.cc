// Any bytes as a model file: it loads and then gives finite scores or an error, or it does not
// load.
#include <sys/mman.h>
#include <unistd.h>

#include <cmath>
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <string>
#include <vector>

#include "vmafx/model.h"

namespace {

// A file in memory that holds the input.
std::string path_of(const std::uint8_t* data, std::size_t size) {
  static const int file = memfd_create("model", 0);
  if (ftruncate(file, 0) != 0 || pwrite(file, data, size, 0) != static_cast<ssize_t>(size))
    std::abort();
  return "/proc/self/fd/" + std::to_string(file);
}

void predict(const vmafx::Model& model) {
  for (const double value : {0.0, 0.5, 1.0, 100.0, -1e9, 1e300}) {
    const std::vector<double> features(model.features().size(), value);
    std::vector<double> scores(model.score_keys().size(), std::nan(""));
    if (!model.predict(features, scores)) continue;
    for (const double score : scores)
      if (!std::isfinite(score)) std::abort();
  }
}

}  // namespace

// NOLINTNEXTLINE(readability-identifier-naming): libFuzzer's name
extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const auto model = vmafx::load_model({.path = path_of(data, size)});
  if (!model) return model.error().message.empty() ? (std::abort(), 0) : 0;
  static_cast<void>(model->check({64, 64, 8, vmafx::Chroma::k420}));
  predict(*model);
  return 0;
}
