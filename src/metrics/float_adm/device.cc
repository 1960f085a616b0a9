#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <memory>
#include <span>
#include <vector>

#include "metrics/float_adm/float_adm.h"
#include "metrics/float_adm/kernels.h"

namespace vmafx::float_adm {
namespace {

static_assert(sizeof(Sums) == kScales * AddRows::kSums * sizeof(double));

Masking masking_of(const Variant& variant, std::size_t scale) {
  Masking masking = {};
  masking.gain_limit = variant.gain_limit;
  std::copy(variant.weights[scale].begin(), variant.weights[scale].end(), masking.weight);
  masking.masking = variant.masking;
  masking.measured = scale > 0 || variant.scale0;
  return masking;
}

struct ScalePlan {
  int width = 0;  // of each band
  int height = 0;
  bool measured = true;
  Extent input;   // samples that are read
  Extent needed;  // of any band
  Extent summed;
};

std::array<ScalePlan, kScales> make_plan(const PictureFormat& format, bool scale0) {
  std::array<ScalePlan, kScales> plan;
  int width = format.width;
  int height = format.height;
  for (ScalePlan& p : plan) {
    p.input = {{0, width}, {0, height}};
    p.width = width = (width + 1) / 2;
    p.height = height = (height + 1) / 2;
  }
  plan[0].measured = scale0;
  Extent low;  // nothing for the last scale
  for (std::size_t s = kScales; s-- > 0;) {
    ScalePlan& p = plan[s];
    Extent detail;
    if (p.measured) {
      p.summed = {adm::inner_range(p.width), adm::inner_range(p.height)};
      detail = {adm::masking_range(p.width), adm::masking_range(p.height)};
    }
    p.needed = {hull(detail.columns, low.columns), hull(detail.rows, low.rows)};
    p.input = {filter_input(p.needed.columns, p.input.columns.end),
               filter_input(p.needed.rows, p.input.rows.end)};
    low = p.input;
  }
  return plan;
}

// A plane of each picture.
template <class T>
struct Planes {
  PlaneView<T> original;
  PlaneView<T> test;
};

// T is the type of terms and partial sums.
template <class T>
class FloatAdmOnDevice final : public DeviceMeasurement {
 public:
  FloatAdmOnDevice(const PictureFormat& format, float power,
                   const adm::DistinctVariants<Variant>& variants)
      : variants_(variants),
        plan_(make_plan(format, std::ranges::any_of(variants.distinct(), &Variant::scale0))),
        power_(power),
        step_(1.0f / static_cast<float>(1 << (format.bit_depth - 8))) {
    for (const Variant& variant : variants.distinct()) {
      for (std::size_t scale = 0; scale < kScales; ++scale)
        masking_.push_back(masking_of(variant, scale));
    }
  }

  std::span<const std::byte> constants() const override {
    return std::as_bytes(std::span(masking_));
  }
  std::size_t workspace_bytes() const override {
    device::Workspace workspace;
    lay_out(workspace);
    return workspace.used();
  }
  std::size_t result_bytes() const override { return variants_.distinct().size() * sizeof(Sums); }

  void enqueue(const DeviceInput& input, device::Queue& queue) const override {
    device::Workspace workspace(input.workspace);
    const Layout layout = lay_out(workspace);
    with_sample_type(input.reference[0].format, [&]<class Sample>(Sample) {
      const Planes<const Sample> luma = {input.reference[0].plane<Sample>(0),
                                         input.distorted[0].plane<Sample>(0)};
      make_terms(luma, 0, layout, input, queue);
    });
    for (std::size_t s = 1; s < kScales; ++s)
      make_terms<float>({layout.low[s - 1].original, layout.low[s - 1].test}, s, layout, input,
                        queue);
    AddColumns<T> columns = {{}, {}, layout.line_sums, masking(input)};
    AddRows rows = {
        {}, lines(), layout.line_sums, masking(input), reinterpret_cast<double*>(input.result)};
    for (std::size_t s = 0; s < kScales; ++s) {
      columns.terms[s] = layout.terms[s];
      columns.teams_before[s + 1] = columns.teams_before[s] + teams(s);
      rows.scale[s] = {std::ptrdiff_t{columns.teams_before[s]} * AddColumns<T>::kLines,
                       plan_[s].summed.rows.size()};
    }
    queue.launch(columns.grid(), columns);
    queue.launch(AddRows::grid(variants()), rows);
  }

  void finish(std::span<const std::byte> result, std::span<std::byte> record) const override {
    std::vector<Sums> sums(variants_.distinct().size());
    std::memcpy(sums.data(), result.data(), result.size());
    variants_.template store<Sums>(sums, record);
  }

 private:
  struct Layout {
    std::array<Planes<float>, kScales> low;  // not of the last scale
    std::array<Terms<T>, kScales> terms;
    double* line_sums = nullptr;
  };

  int variants() const { return static_cast<int>(variants_.distinct().size()); }
  // Of terms, for a row.
  int lines() const { return kOriginalLines + variants() * kVariantLines; }
  // Of AddColumns.
  int teams(std::size_t scale) const {
    return device::teams_for(plan_[scale].summed.rows.size() * lines(), AddColumns<T>::kLines);
  }
  const Masking* masking(const DeviceInput& input) const {
    return reinterpret_cast<const Masking*>(input.constants);
  }

  Layout lay_out(device::Workspace& workspace) const {
    Layout layout;
    int all_teams = 0;
    for (std::size_t s = 0; s < kScales; ++s) {
      const ScalePlan& p = plan_[s];
      if (s + 1 < kScales)
        layout.low[s] = {workspace.take_plane<float>(p.width, p.height),
                         workspace.take_plane<float>(p.width, p.height)};
      Terms<T>& terms = layout.terms[s];
      terms = {nullptr, 0, lines(), p.summed};
      constexpr int kAlignment = 2 * kPartialSums;
      terms.pitch =
          device::teams_for(p.summed.columns.end - terms.first_column(), kAlignment) * kAlignment;
      terms.data = workspace.take<T>(static_cast<std::size_t>(terms.pitch) *
                                     static_cast<std::size_t>(lines()) *
                                     static_cast<std::size_t>(p.summed.rows.size()));
      all_teams += teams(s);
    }
    layout.line_sums =
        workspace.take<double>(static_cast<std::size_t>(all_teams) * AddColumns<T>::kLines);
    return layout;
  }

  template <class Input>
  void make_terms(const Planes<const Input>& from, std::size_t scale, const Layout& layout,
                  const DeviceInput& input, device::Queue& queue) const {
    const ScalePlan& plan = plan_[scale];
    const MakeTerms<Input, T> kernel = {.original = from.original,
                                        .test = from.test,
                                        .step = step_,
                                        .original_low = layout.low[scale].original,
                                        .test_low = layout.low[scale].test,
                                        .width = plan.width,
                                        .height = plan.height,
                                        .input = plan.input,
                                        .needed = plan.needed,
                                        .terms = layout.terms[scale],
                                        .power = power_,
                                        .scale = static_cast<int>(scale),
                                        .measured = plan.measured,
                                        .masking = masking(input)};
    queue.launch(kernel.grid(variants()), kernel);
  }

  adm::DistinctVariants<Variant> variants_;
  std::array<ScalePlan, kScales> plan_;
  float power_;
  float step_;
  std::vector<Masking> masking_;  // [distinct variant][scale]
};

}  // namespace

std::unique_ptr<DeviceMeasurement> measure_on_device(
    const PictureFormat& format, float power, const adm::DistinctVariants<Variant>& variants) {
  if (power == kCube) return std::make_unique<FloatAdmOnDevice<float>>(format, power, variants);
  return std::make_unique<FloatAdmOnDevice<double>>(format, power, variants);
}

}  // namespace vmafx::float_adm
