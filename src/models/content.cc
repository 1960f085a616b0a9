#include "models/content.h"

namespace vmafx {
namespace {

// The only feature whose name contains `part`.
std::optional<std::size_t> find_one(std::span<const ModelFeature> features, std::string_view part) {
  std::optional<std::size_t> found;
  for (std::size_t i = 0; i < features.size(); ++i) {
    if (features[i].name.find(part) == std::string::npos) continue;
    if (found) return std::nullopt;
    found = i;
  }
  return found;
}

}  // namespace

std::optional<ChromaCorrection> chroma_correction(std::span<const ModelFeature> features,
                                                  double parameter) {
  const auto guiding = find_one(features, "adm3");
  const auto guided = find_one(features, "speed_chroma");
  if (!guiding || !guided || guiding == guided) return std::nullopt;
  return ChromaCorrection{*guiding, *guided, parameter};
}

void FeatureSpace::evaluate(std::span<const double> features, std::vector<double>& kernel) const {
  std::vector<double> x(features.size());
  for (std::size_t i = 0; i < x.size(); ++i) x[i] = rescale[i].apply(features[i]);
  if (correction) {
    // The values are those that survive rescaling and back, rounding included: the test for 0 sees
    // tiny features as 0 as well, as in libvmaf.
    const auto value = [&](std::size_t i) { return rescale[i].invert(x[i]); };
    if (value(correction->guided) == 0) {
      const double p = correction->parameter;
      const double corrected = -p * value(correction->guiding) + p;
      x[correction->guided] = rescale[correction->guided].apply(corrected);
    }
  }
  basis.evaluate(x, kernel);
}

}  // namespace vmafx
