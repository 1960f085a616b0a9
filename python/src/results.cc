#include "results.h"

#include <algorithm>
#include <limits>
#include <memory>

#include <fmt/format.h>
#include <nanobind/ndarray.h>
#include <nanobind/stl/optional.h>
#include <nanobind/stl/string.h>

#include "errors.h"
#include "session.h"

namespace vmafx::python {
namespace {

namespace nb = nanobind;
using namespace nb::literals;

template <class T>
using Vector = nb::ndarray<nb::numpy, T, nb::ndim<1>>;

// get(row) gives the values.
template <class T, class Get>
Vector<T> vector_of(std::size_t size, const Get& get) {
  auto values = std::make_unique<T[]>(size);
  for (std::size_t row = 0; row < size; ++row) values[row] = get(row);
  T* const data = values.get();
  const nb::capsule owner(values.release(), [](void* p) noexcept { delete[] static_cast<T*>(p); });
  return Vector<T>(data, {size}, owner);
}

Vector<std::int64_t> frames(const ScoredReport& scored) {
  const auto& frames = scored.report.scores.frames;
  return vector_of<std::int64_t>(frames.size(), [&](std::size_t row) { return frames[row]; });
}

Vector<bool> identical(const ScoredReport& scored) {
  const auto& identical = scored.report.scores.identical;
  return vector_of<bool>(identical.size(), [&](std::size_t row) { return identical[row]; });
}

nb::list keys(const ScoredReport& scored) {
  nb::list keys;
  for (const Column& column : scored.report.scores.columns) keys.append(column.key.c_str());
  return keys;
}

const Column& column_of(const ScoredReport& scored, const std::string& key) {
  const auto& columns = scored.report.scores.columns;
  const auto found = std::find_if(columns.begin(), columns.end(),
                                  [&](const Column& column) { return column.key == key; });
  if (found == columns.end()) throw nb::key_error(key.c_str());
  return *found;
}

Vector<double> column(const ScoredReport& scored, const std::string& key) {
  constexpr double kNone = std::numeric_limits<double>::quiet_NaN();
  const auto& values = column_of(scored, key).values;
  return vector_of<double>(values.size(),
                           [&](std::size_t row) { return values[row].value_or(kNone); });
}

nb::object pooled(const ScoredReport& scored, const std::string& key) {
  const auto pooled = pool(column_of(scored, key));
  if (!pooled) return nb::none();
  nb::dict percentiles;
  for (const auto& [percent, value] : pooled->percentiles) percentiles[nb::int_(percent)] = value;
  return nb::make_tuple(pooled->min, pooled->max, pooled->mean, pooled->harmonic_mean,
                        pooled->stddev, percentiles);
}

nb::dict aggregates(const ScoredReport& scored) {
  nb::dict values;
  for (const auto& [key, value] : scored.report.scores.aggregates) values[key.c_str()] = value;
  return values;
}

nb::list skipped(const ScoredReport& scored) {
  nb::list list;
  for (const Skipped& skipped : scored.report.scores.skipped)
    list.append(nb::make_tuple(text_of(skipped.name), text_of(skipped.reason)));
  return list;
}

nb::list models(const ScoredReport& scored) {
  nb::list list;
  for (const UsedModel& model : scored.report.models) {
    const bool chosen = scored.choice && &model == &scored.report.models.back();
    list.append(nb::make_tuple(text_of(model.name), text_of(model.version), model.digest,
                               chosen ? scored.choice->reason : std::string()));
  }
  return list;
}

nb::list warnings(const ScoredReport& scored) {
  nb::list list;
  for (const std::string& warning : scored.report.warnings) list.append(text_of(warning));
  return list;
}

ReportFormat format_of(const std::string& name) {
  if (name == "json") return ReportFormat::kJson;
  if (name == "xml") return ReportFormat::kXml;
  if (name == "csv") return ReportFormat::kCsv;
  if (name == "sub") return ReportFormat::kSub;
  raise({ErrorCode::kUsage, fmt::format("there is no report format \"{}\"", name),
         "the formats are json, xml, csv and sub"});
}

Precision precision_of(const std::optional<int>& digits) {
  if (!digits) return {Precision::Form::kLegacy, 0};
  return {Precision::Form::kDigits, *digits};
}

nb::object text(const ScoredReport& scored, const std::string& format,
                const std::optional<int>& digits) {
  return text_of(render_report(scored.report, format_of(format), precision_of(digits)));
}

void write(const ScoredReport& scored, const nb::bytes& path, const std::string& format,
           const std::optional<int>& digits) {
  const ReportFormat kind = format_of(format);
  const std::string file(path.c_str(), path.size());
  const Status written = [&] {
    const nb::gil_scoped_release no_gil;
    return write_report(scored.report, kind, precision_of(digits), file);
  }();
  check(written);
}

}  // namespace

void bind_report(nb::module_& module) {
  nb::class_<ScoredReport>(module, "Report")
      .def_prop_ro("frames", &frames, nb::rv_policy::move)
      .def_prop_ro("identical", &identical, nb::rv_policy::move)
      .def_prop_ro("keys", &keys)
      .def_prop_ro("aggregates", &aggregates)
      .def_prop_ro("skipped", &skipped)
      .def_prop_ro("models", &models)
      .def_prop_ro("warnings", &warnings)
      .def_prop_ro("width", [](const ScoredReport& self) { return self.report.width; })
      .def_prop_ro("height", [](const ScoredReport& self) { return self.report.height; })
      .def_prop_ro("seconds", [](const ScoredReport& self) { return self.report.seconds; })
      .def_prop_ro("frames_scored",
                   [](const ScoredReport& self) { return self.report.frames_scored; })
      .def_prop_ro("partial", [](const ScoredReport& self) { return self.report.partial; })
      .def("column", &column, "key"_a)
      .def("pooled", &pooled, "key"_a)
      .def("text", &text, "format"_a, "digits"_a.none())
      .def("write", &write, "path"_a, "format"_a, "digits"_a.none());
}

}  // namespace vmafx::python
