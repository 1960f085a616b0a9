#include "models/builtin.h"

#include <algorithm>

namespace vmafx {

const BuiltinModel* find_builtin(std::string_view version) {
  const auto& all = builtin_catalog();
  const auto it = std::find_if(all.begin(), all.end(),
                               [&](const BuiltinModel& model) { return model.version == version; });
  return it == all.end() ? nullptr : &*it;
}

ModelContent make_content(const BuiltinModel& model) {
  const BuiltinTable& table = *model.table;
  ModelContent content;
  content.digest = model.digest;
  content.features = model.features;
  content.spaces.push_back(
      {model.rescale, std::nullopt, KernelBasis(table.gamma, table.features, table.points)});
  if (model.chroma_correction_parameter) {
    content.spaces[0].correction =
        chroma_correction(model.features, *model.chroma_correction_parameter);
  }
  for (const BuiltinRegression& member : table.members) {
    content.members.push_back(
        {0, {{member.terms.begin(), member.terms.end()}, member.rho}, model.score, model.mapping});
  }
  return content;
}

}  // namespace vmafx
