#include <array>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <limits>
#include <memory>
#include <span>
#include <type_traits>
#include <vector>

#include "metrics/adm/adm.h"
#include "metrics/adm/kernels.h"
#include "metrics/adm/plan.h"

namespace vmafx::adm {
namespace {

static_assert(sizeof(Sums) == kScales * kRowSums * sizeof(std::uint64_t));

Masking masking_of(const Variant& variant, std::size_t scale) {
  Masking masking = {};
  masking.gain_limit = variant.gain_limit;
  if (variant.gain_limit == std::floor(variant.gain_limit)) {
    masking.whole_gain = static_cast<std::int32_t>(variant.gain_limit);
    masking.whole_limit = std::numeric_limits<std::int32_t>::max() / masking.whole_gain;
  }
  for (std::size_t band = 0; band < kBands; ++band)
    masking.weight[band] = variant.weights[scale].fixed[band];
  masking.measured = scale > 0 || variant.scale0;
  masking.additive = variant.additive;
  return masking;
}

Extent hull(const Extent& a, const Extent& b) {
  return {adm::hull(a.columns, b.columns), adm::hull(a.rows, b.rows)};
}

// A plane of each picture.
template <class T>
struct Planes {
  PlaneView<T> original;
  PlaneView<T> test;
};

class AdmOnDevice final : public DeviceMeasurement {
 public:
  AdmOnDevice(const PictureFormat& format, const DistinctVariants<Variant>& variants)
      : plan_(make_plan(format, true)), depth_(format.bit_depth), variants_(variants) {
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
    // Threads at the edge of what is needed read beyond it, without using what they get.
    queue.zero(input.workspace,
               static_cast<std::size_t>(reinterpret_cast<std::byte*>(layout.row_sums[0]) -
                                        input.workspace));
    with_sample_type(input.reference[0].format, [&]<class Sample>(Sample) {
      const Planes<const Sample> luma = {input.reference[0].plane<Sample>(0),
                                         input.distorted[0].plane<Sample>(0)};
      sum_scale<0>(luma, layout.low0, layout, input, queue);
    });
    sum_scale<1>(layout.low0, layout.low1, layout, input, queue);
    sum_scale<2>(layout.low1, layout.low2, layout, input, queue);
    sum_scale<3>(layout.low2, Planes<std::int32_t>{}, layout, input, queue);
    add_rows(layout, input, queue);
  }

  void finish(std::span<const std::byte> result, std::span<std::byte> record) const override {
    std::vector<Sums> sums(variants_.distinct().size());
    std::memcpy(sums.data(), result.data(), result.size());
    variants_.store<Sums>(sums, record);
  }

 private:
  struct Layout {
    Planes<std::int16_t> low0;
    Planes<std::int32_t> low1;
    Planes<std::int32_t> low2;
    std::array<std::uint64_t*, kScales> row_sums;
  };

  int variants() const { return static_cast<int>(variants_.distinct().size()); }
  Extent needed(std::size_t scale) const { return hull(plan_[scale].detail, plan_[scale].low); }
  Extent summed(std::size_t scale) const {
    const ScaleGeometry& g = plan_[scale].geometry;
    return {g.columns, g.rows};
  }
  std::array<int, kScales> teams_in_rows() const {
    return {ScaleSums<std::uint8_t, 0>::teams_in_row(needed(0)),
            ScaleSums<std::int16_t, 1>::teams_in_row(needed(1)),
            ScaleSums<std::int32_t, 2>::teams_in_row(needed(2)),
            ScaleSums<std::int32_t, 3>::teams_in_row(needed(3))};
  }

  Layout lay_out(device::Workspace& workspace) const {
    const auto take = [&]<class T>(T, std::size_t scale) {
      const auto plane = [&] {
        return workspace.take_plane<T>(plan_[scale].geometry.width, plan_[scale].geometry.height);
      };
      return Planes<T>{plane(), plane()};
    };
    Layout layout = {take(std::int16_t{}, 0), take(std::int32_t{}, 1), take(std::int32_t{}, 2), {}};
    const std::array<int, kScales> teams = teams_in_rows();
    for (std::size_t s = 0; s < kScales; ++s) {
      const auto sums_of_row = static_cast<std::size_t>(variants() * teams[s] * kRowSums);
      layout.row_sums[s] = workspace.take<std::uint64_t>(
          sums_of_row * static_cast<std::size_t>(summed(s).rows.size()));
    }
    return layout;
  }

  const Masking* masking(const DeviceInput& input) const {
    return reinterpret_cast<const Masking*>(input.constants);
  }

  template <int scale, class Input, class Low>
  void sum_scale(const Planes<Input>& from, const Planes<Low>& low, const Layout& layout,
                 const DeviceInput& input, device::Queue& queue) const {
    const ScalePlan& plan = plan_[scale];
    const ScaleSums<std::remove_const_t<Input>, scale> kernel = {
        from.original,
        from.test,
        low.original,
        low.test,
        plan.geometry.width,
        plan.geometry.height,
        needed(scale),
        plan.detail,
        summed(scale),
        depth_,
        plan.geometry.original_term_shift(scale),
        {plan.geometry.masked_term_shift(scale, 0), plan.geometry.masked_term_shift(scale, 1),
         plan.geometry.masked_term_shift(scale, 2)},
        masking(input),
        layout.row_sums[scale]};
    queue.launch(kernel.grid(variants()), kernel);
  }

  void add_rows(const Layout& layout, const DeviceInput& input, device::Queue& queue) const {
    const std::array<int, kScales> teams = teams_in_rows();
    AddRows kernel = {{}, masking(input), reinterpret_cast<std::uint64_t*>(input.result)};
    for (std::size_t s = 0; s < kScales; ++s) {
      const ScaleGeometry& g = plan_[s].geometry;
      kernel.scale[s] = {layout.row_sums[s], g.rows.size(), teams[s],
                         g.original_row_shift(static_cast<int>(s)), g.masked_row_shift()};
    }
    queue.launch(AddRows::grid(variants()), kernel);
  }

  std::array<ScalePlan, kScales> plan_;
  int depth_;
  DistinctVariants<Variant> variants_;
  std::vector<Masking> masking_;  // [distinct variant][scale]
};

}  // namespace

std::unique_ptr<DeviceMeasurement> measure_on_device(const PictureFormat& format,
                                                     const DistinctVariants<Variant>& variants) {
  return std::make_unique<AdmOnDevice>(format, variants);
}

}  // namespace vmafx::adm
