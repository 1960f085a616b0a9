// The extension module: what vmafx/*.py stands on. Everything is checked and named there; here it
// is only handed on.
#include <array>
#include <tuple>
#include <vector>

#include <nanobind/nanobind.h>
#include <nanobind/stl/array.h>
#include <nanobind/stl/map.h>
#include <nanobind/stl/optional.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/string_view.h>
#include <nanobind/stl/tuple.h>
#include <nanobind/stl/variant.h>
#include <nanobind/stl/vector.h>

#include "errors.h"
#include "results.h"
#include "session.h"
#include "streams.h"
#include "vmafx/catalog.h"

namespace vmafx::python {
namespace {

namespace nb = nanobind;
using namespace nb::literals;

std::string string_of(const nb::bytes& bytes) { return {bytes.c_str(), bytes.size()}; }

Chroma chroma_of(const std::string& name) {
  for (const Chroma chroma :
       {Chroma::k400, Chroma::k411, Chroma::k420, Chroma::k422, Chroma::k440, Chroma::k444})
    if (to_string(chroma) == name) return chroma;
  raise({ErrorCode::kUsage, "there is no chroma format \"" + name + "\"",
         "the formats are 400, 411, 420, 422, 440 and 444"});
}

// Width, height, chroma and bit depth.
using RawFormat = std::tuple<int, int, std::string, int>;

FileInput file_input(const nb::bytes& path, const std::optional<RawFormat>& raw) {
  FileInput input{string_of(path), {}};
  if (!raw) return input;
  const auto& [width, height, chroma, bit_depth] = *raw;
  input.raw = PictureFormat{width, height, bit_depth, chroma_of(chroma)};
  if (const Status valid = validate(*input.raw); !valid)
    raise({ErrorCode::kUsage, valid.error().message, valid.error().hint});
  return input;
}

using Fraction = std::tuple<std::int64_t, std::int64_t>;

std::optional<Rational> rational_of(const std::optional<Fraction>& fraction) {
  if (!fraction) return std::nullopt;
  return Rational{std::get<0>(*fraction), std::get<1>(*fraction)};
}

void bind_inputs(nb::module_& module) {
  nb::class_<FileInput>(module, "FileInput").def(nb::new_(&file_input), "path"_a, "raw"_a.none());
  nb::class_<ArrayInput>(module, "ArrayInput")
      .def(nb::new_([](nb::object frames, std::string name, std::optional<int> bit_depth,
                       const std::optional<Fraction>& frame_rate) {
             return ArrayInput{std::move(frames), std::move(name), bit_depth,
                               rational_of(frame_rate)};
           }),
           "frames"_a, "name"_a, "bit_depth"_a.none(), "frame_rate"_a.none());
}

Model make_model(const std::string& version, const nb::bytes& path, const std::string& name,
                 bool disable_clip, const std::optional<bool>& transform,
                 const std::vector<std::array<std::string, 3>>& overloads) {
  ModelSpec spec;
  spec.version = version;
  spec.path = string_of(path);
  spec.name = name;
  spec.disable_clip = disable_clip;
  if (transform) spec.transform = *transform ? TransformUse::kOn : TransformUse::kOff;
  for (const auto& [metric, option, value] : overloads)
    spec.overloads.push_back({metric, option, value});
  return value_of(load_model(spec));
}

nb::list features_of(const Model& model) {
  nb::list features;
  for (const ModelFeature& feature : model.features())
    features.append(nb::make_tuple(feature.name, feature.options));
  return features;
}

void bind_model(nb::module_& module) {
  nb::class_<Model>(module, "Model")
      .def(nb::new_(&make_model), "version"_a, "path"_a, "name"_a, "disable_clip"_a,
           "transform"_a.none(), "overloads"_a)
      .def_prop_ro("name", [](const Model& self) { return text_of(self.name()); })
      .def_prop_ro("version", [](const Model& self) { return text_of(self.version()); })
      .def_prop_ro("digest", &Model::digest)
      .def_prop_ro("keys", &Model::score_keys)
      .def_prop_ro("features", &features_of);
}

void bind_session(nb::module_& module) {
  nb::class_<ScoringSession>(module, "Session")
      .def(nb::init<int, int, bool, bool>(), "threads"_a, "subsample"_a, "chooses_model"_a,
           "check_samples"_a)
      .def("add_model", &ScoringSession::add_model, "model"_a)
      .def("add_metric", &ScoringSession::add_metric, "name"_a, "options"_a)
      .def("run", &ScoringSession::run, "reference"_a, "distorted"_a, "frames"_a.none(),
           "progress"_a.none())
      .def(
          "submit",
          [](ScoringSession& self, nb::handle reference, nb::handle distorted,
             const std::optional<int>& bit_depth, const std::optional<Fraction>& frame_rate) {
            self.submit(reference, distorted, bit_depth, rational_of(frame_rate));
          },
          "reference"_a, "distorted"_a, "bit_depth"_a.none(), "frame_rate"_a.none())
      .def("finish", &ScoringSession::finish)
      .def("report", &ScoringSession::report)
      .def("score", &ScoringSession::score, "key"_a, "frame"_a)
      .def_prop_ro("frames_done", &ScoringSession::frames_done)
      .def("close", &ScoringSession::close);
}

nb::list features() {
  nb::list list;
  for (const MetricInfo& metric : list_metrics()) {
    nb::list options;
    for (const OptionInfo& option : metric.options)
      options.append(nb::make_tuple(option.name, option.alias, option.help, option.default_value,
                                    option.range, option.in_key));
    list.append(nb::make_tuple(metric.name, metric.summary, options, metric.keys, metric.smallest));
  }
  return list;
}

}  // namespace
}  // namespace vmafx::python

NB_MODULE(_vmafx, module) {
  using namespace vmafx::python;
  // What is alive at the end of the process is not this module's fault.
  nanobind::set_leak_warnings(false);
  bind_inputs(module);
  bind_model(module);
  bind_report(module);
  bind_session(module);
  module.def("features", &features);
  module.def("models", &vmafx::builtin_models);
  module.def("can_open_containers", &vmafx::can_open_containers);
  module.attr("version") = std::string(vmafx::version());
}
