// VIF in vectors. The pictures are taken in strips of columns and bands of eight rows, whose
// samples and lines stay in the second-level cache: vertical sums go to the lines, from there along
// the rows to statistics and sums, and the band's part of the next scale's planes comes from the
// same loaded rows. Only these planes are ever stored whole. What a band needs of the reference is
// computed before its encodes take their turns.
#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <span>

#include "base/crew.h"
#include "base/dot_products.h"
#include "base/part_sums.h"
#include "base/plane.h"
#include "base/row_parts.h"
#include "metrics/vif/constants.h"
#include "metrics/vif/log2_table.h"
#include "metrics/vif/vif.h"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "metrics/vif/cpu.cc"
#include <hwy/cache_control.h>
#include <hwy/foreach_target.h>
#include <hwy/highway.h>

#include "metrics/vif/band-inl.h"
#include "metrics/vif/filter-inl.h"
#include "metrics/vif/log2-inl.h"
#include "metrics/vif/pairs-inl.h"
#include "metrics/vif/statistics-inl.h"

HWY_BEFORE_NAMESPACE();
namespace vmafx::vif {
namespace HWY_NAMESPACE {

using Luma = PlaneView<std::int16_t>;  // samples minus 2^15

// One scale of a picture and of its encodes.
template <class Sample>
struct Job {
  PlaneView<const Sample> r;
  std::span<const PlaneView<const Sample>> d;
  Luma next_r;  // empty at the last scale
  std::span<const Luma> next_d;
  Shifts shifts;
  bool statistics = true;
  std::span<const double> gain_limits;
};

// The band of a strip whose first row is y.
struct Band {
  int y;
  int rows;
  bool starts;  // the rings have nothing yet
  int first;    // column of the strip
  int last;
};

// What the next band needs of a row: its parts are too short for processors to see where the reads
// go on.
template <class Sample>
HWY_INLINE void prefetch(const Sample* row, const Band& band) {
  constexpr int kLine = 64 / static_cast<int>(sizeof(Sample));
  for (int x = band.first; x < band.last; x += kLine) hwy::Prefetch(row + x);
}

// Rows y and y + 1 of a plane to its ring.
template <int kScale, Form kForm, class Sample>
HWY_INLINE void fill_pair(const PlaneView<const Sample>& plane, const Buffers& b, const Band& band,
                          const Ring& ring, int pair) {
  using W = Window<kScale>;
  const int y = band.y + 2 * pair - W::kStart;
  for (int k = 0; k < 2; ++k) {
    // What is further out has a tap of zero, or belongs to rows of the band below the picture.
    const int source =
        mirror(std::clamp(y + k, -W::kReach, plane.height - 1 + W::kReach), plane.height);
    prefetch(plane.row(std::min(source + kBandRows, plane.height - 1)), band);
    expand_row<kForm>(plane.row(source), plane.width, band.first - W::kReach,
                      band.last - 1 + W::kReach, b.row[k] + (W::kStart - W::kReach));
  }
  pair_rows(b.row[0], b.row[1], band.last - band.first + 2 * W::kStart, ring, pair);
}

// The band's first pairs are the last ones of the band above.
template <int kScale>
HWY_INLINE void advance(const Band& band, Ring& ring) {
  constexpr int kKept = Window<kScale>::kRowPairs - Ring::kBandPairs;
  const int n = static_cast<int>(hn::Lanes(d16));
  if (++ring.band < Ring::kBands) return;
  ring.band = 0;
  const int columns = band.last - band.first + 2 * Window<kScale>::kStart;
  for (int x = 0; x < columns; x += n) {
    const std::int16_t* const from = ring.at(x, Ring::kBands * Ring::kBandPairs);
    std::int16_t* const to = ring.at(x, 0);
    for (int i = 0; i < 2 * kKept * n; i += n) hn::Store(hn::Load(d16, from + i), d16, to + i);
  }
}

// What the band needs beyond the band above it.
template <int kScale, Form kForm, class Sample>
HWY_NOINLINE void fill_ring(const PlaneView<const Sample>& plane, const Buffers& b,
                            const Band& band, Ring& ring) {
  constexpr int kPairs = Window<kScale>::kRowPairs;
  if (band.starts) {
    ring.band = 0;
  } else {
    advance<kScale>(band, ring);
  }
  for (int p = band.starts ? 0 : kPairs - Ring::kBandPairs; p < kPairs; ++p)
    fill_pair<kScale, kForm>(plane, b, band, ring, p);
}

template <int kScale>
HWY_INLINE void decimate_band(const Buffers& b, const Band& band, Line line, const Luma& next) {
  const int columns = std::min(band.last / 2, next.width) - band.first / 2;
  for (int i = 0; i < band.rows; i += 2) {
    const int y = (band.y + i) / 2;
    if (y < next.height)
      decimate_row<kScale>(b, b.line[i][line] + Window<kScale>::kStart, columns,
                           next.row(y) + band.first / 2);
  }
}

template <int kScale>
HWY_INLINE void lines_of_row(const Buffers& b, int row, const std::int16_t* (&line)[kLines]) {
  for (int k = 0; k < kLines; ++k) line[k] = b.line[row][k] + Window<kScale>::kStart;
}

template <int kScale, Form kForm, class Sample>
HWY_NOINLINE void measure_reference_band(const Job<Sample>& job, Buffers& b, const Band& band,
                                         ScaleSums& sums) {
  const int columns = band.last - band.first + 2 * Window<kScale>::kStart;
  fill_ring<kScale, kForm>(job.r, b, band, b.reference);
  if (job.statistics) sum_reference<kScale, kForm>(b, job.shifts, columns);
  if constexpr (kScale + 1 < kScales)
    sum_next<kScale, kForm>(b, b.reference, job.shifts, kNextR, columns);
  for (int i = 0; job.statistics && i < band.rows; ++i) {
    const std::int16_t* line[kLines];
    lines_of_row<kScale>(b, i, line);
    measure_reference_row<kScale>(line, band.last - band.first, b, b.moments[i], sums);
  }
  if constexpr (kScale + 1 < kScales) decimate_band<kScale>(b, band, kNextR, job.next_r);
}

// The logarithms of the numerators of one row of a strip of an encode, from the moments of both. In
// a loop of its own, because divisions take long and several vectors' can then be under way.
HWY_NOINLINE void measure_numerators(int columns, std::span<const double> gain_limits,
                                     const Buffers& b, const std::uint32_t* moments,
                                     std::span<ScaleSums> sums) {
  const hn::Rebind<std::int32_t, decltype(dsf64)> half32;
  const std::size_t half = hn::Lanes(dsf64);
  const std::size_t lanes = hn::Lanes(d32);
  const Constants k(b.constants);
  const LogSum noise = b.logs[1];
  const NumeratorLogs logs{noise, b.logs.subspan(2), gain_limits};
  for (const LogSum& log : b.logs.subspan(1)) log.clear();
  std::size_t count = 0;
  // Even columns and odd ones.
  const std::size_t blocks = 2 * ((static_cast<std::size_t>(columns) - 1) / (2 * lanes) + 1);
  for (std::size_t i = 0; i < blocks; ++i) {
    const auto* const r = reinterpret_cast<const std::int32_t*>(moments + (2 * i + 1) * lanes);
    if (hn::AllTrue(d32, hn::Eq(hn::Load(d32, r), hn::Zero(d32)))) continue;
    const std::int32_t* const d = b.distorted_moments + 2 * i * lanes;
    const std::int32_t* const c = d + lanes;
    const auto load = [&](const std::int32_t* p)
                          HWY_ATTR { return hn::PromoteTo(dsf64, hn::Load(half32, p)); };
    logs.add(k, count, load(r), load(r + half), load(d), load(d + half), load(c), load(c + half));
    count += lanes;
  }
  const std::int64_t of_noise = noise.total(count);
  for (std::size_t i = 0; i < logs.signal.size(); ++i)
    sums[i].num_log += logs.signal[i].total(count) - of_noise;
}

template <int kScale, Form kForm, class Sample>
HWY_NOINLINE void measure_distorted_band(const Job<Sample>& job, const Buffers& b, const Band& band,
                                         std::size_t encode, std::span<ScaleSums> sums) {
  const int columns = band.last - band.first + 2 * Window<kScale>::kStart;
  Ring& ring = b.distorted[encode];
  fill_ring<kScale, kForm>(job.d[encode], b, band, ring);
  if (job.statistics) sum_distorted<kScale, kForm>(b, ring, job.shifts, columns);
  if constexpr (kScale + 1 < kScales) sum_next<kScale, kForm>(b, ring, job.shifts, kNextD, columns);
  for (int i = 0; job.statistics && i < band.rows; ++i) {
    const std::int16_t* line[kLines];
    lines_of_row<kScale>(b, i, line);
    const std::int64_t non_log =
        measure_moments<kScale>(line, band.last - band.first, b, b.moments[i]);
    for (ScaleSums& s : sums) s.num_non_log += non_log;
    measure_numerators(band.last - band.first, job.gain_limits, b, b.moments[i], sums);
  }
  if constexpr (kScale + 1 < kScales) decimate_band<kScale>(b, band, kNextD, job.next_d[encode]);
}

// A part of a plane, whose sums are independent of the others'.
struct Block {
  int first_column, last_column;
  RowParts::Rows rows;
};

// `sums` are those of each encode's gain limits, one encode after the other.
template <int kScale, Form kForm, class Sample>
void measure_block(const Job<Sample>& job, const Block& block, Scratch& scratch,
                   std::span<ScaleSums> sums) {
  const std::size_t limits = job.gain_limits.size();
  Buffers buffers = take_buffers<kScale>(scratch, job.d.size(), limits);
  ScaleSums reference;
  for (int y = block.rows.begin; y < block.rows.end; y += kBandRows) {
    const Band band{y, std::min(kBandRows, block.rows.end - y), y == block.rows.begin,
                    block.first_column, block.last_column};
    measure_reference_band<kScale, kForm>(job, buffers, band, reference);
    for (std::size_t e = 0; e < job.d.size(); ++e)
      measure_distorted_band<kScale, kForm>(job, buffers, band, e,
                                            sums.subspan(e * limits, limits));
  }
  for (ScaleSums& s : sums) {
    s.den_log = reference.den_log;
    s.den_non_log = reference.den_non_log;
  }
}

template <int kScale, Form kForm, class Sample>
void measure_scale(const Job<Sample>& job, Scratch& scratch, Crew* crew,
                   std::span<const std::span<Sums>> sums) {
  if (kScale + 1 == kScales && !job.statistics) return;
  const int width = job.r.width;
  const int strips = (width + kMaxStrip - 1) / kMaxStrip;
  const int n = 2 * static_cast<int>(hn::Lanes(d16));
  const int strip = std::min(kMaxStrip, ((width + strips - 1) / strips + n - 1) / n * n);
  const int strips_of_width = (width + strip - 1) / strip;
  const RowParts parts(0, job.r.height, kBandRows);
  const std::size_t limits = job.gain_limits.size();
  sum_parts<ScaleSums>(
      crew, scratch, strips_of_width * parts.count(), job.d.size() * limits,
      [&](int block, Scratch& own, std::span<ScaleSums> of_block) {
        const int x = block / parts.count() * strip;
        measure_block<kScale, kForm>(
            job, {x, std::min(x + strip, width), parts[block % parts.count()]}, own, of_block);
      },
      [&](std::size_t i, const ScaleSums& of_block) {
        sums[i / limits][i % limits].scale[kScale].add(of_block);
      });
}

Luma take_plane(Scratch& scratch, int width, int height) {
  return vmafx::take_plane<std::int16_t>(scratch, width, height, static_cast<int>(hn::Lanes(d16)));
}

// A plane of the reference and one of each encode.
struct DecimatedPlanes {
  Luma r;
  std::span<Luma> d;
};

DecimatedPlanes take_planes(Scratch& scratch, std::size_t encodes, int width, int height) {
  DecimatedPlanes planes{take_plane(scratch, width, height),
                         {scratch.take<Luma>(encodes), encodes}};
  for (Luma& plane : planes.d) plane = take_plane(scratch, width, height);
  return planes;
}

template <int kScale>
void measure_decimated(const DecimatedPlanes& planes, const DecimatedPlanes& next, int depth,
                       const Task& task, Scratch& scratch, Crew* crew,
                       std::span<const std::span<Sums>> sums) {
  const Scratch::Frame frame(scratch);
  using View = PlaneView<const std::int16_t>;
  const std::span<View> d(scratch.take<View>(planes.d.size()), planes.d.size());
  std::copy(planes.d.begin(), planes.d.end(), d.begin());
  measure_scale<kScale, Form::kCentred>(
      Job<std::int16_t>{planes.r,
                        d,
                        next.r,
                        next.d,
                        {mean_shift(kScale, depth), square_shift(kScale, depth)},
                        true,
                        task.gain_limits},
      scratch, crew, sums);
}

template <Form kForm, class Sample>
void measure(const Picture& reference, std::span<const Picture* const> distorted, const Task& task,
             Scratch& scratch, Crew* crew, std::span<const std::span<Sums>> sums) {
  const Scratch::Frame frame(scratch);
  const int depth = reference.format().bit_depth;
  DecimatedPlanes planes[kScales];
  for (int s = 1; s < kScales; ++s)
    planes[s] =
        take_planes(scratch, distorted.size(), reference.width(0) >> s, reference.height(0) >> s);
  using View = PlaneView<const Sample>;
  const std::span<View> d(scratch.take<View>(distorted.size()), distorted.size());
  std::transform(distorted.begin(), distorted.end(), d.begin(),
                 [](const Picture* picture) { return plane_view<Sample>(*picture, 0); });
  measure_scale<0, kForm>(Job<Sample>{plane_view<Sample>(reference, 0),
                                      d,
                                      planes[1].r,
                                      planes[1].d,
                                      {mean_shift(0, depth), square_shift(0, depth)},
                                      task.scale0,
                                      task.gain_limits},
                          scratch, crew, sums);
  measure_decimated<1>(planes[1], planes[2], depth, task, scratch, crew, sums);
  measure_decimated<2>(planes[2], planes[3], depth, task, scratch, crew, sums);
  measure_decimated<3>(planes[3], {}, depth, task, scratch, crew, sums);
}

void measure_pictures(const Picture& reference, std::span<const Picture* const> distorted,
                      const Task& task, Scratch& scratch, Crew* crew,
                      std::span<const std::span<Sums>> sums) {
#if HWY_TARGET == HWY_EMU128 || HWY_TARGET == HWY_SCALAR
  // Emulated vectors are slower than the definition, and take minutes to compile.
  static_cast<void>(scratch);
  static_cast<void>(crew);
  for (std::size_t e = 0; e < distorted.size(); ++e)
    measure_reference(reference, *distorted[e], task, sums[e]);
#else
  const int depth = reference.format().bit_depth;
  if (depth == 8)
    measure<Form::kNarrow, std::uint8_t>(reference, distorted, task, scratch, crew, sums);
  else if (depth < 16)
    measure<Form::kPlain, std::uint16_t>(reference, distorted, task, scratch, crew, sums);
  else
    measure<Form::kCentred, std::uint16_t>(reference, distorted, task, scratch, crew, sums);
#endif
}

std::array<std::int64_t, 2> log2_of(std::int32_t number, Scratch& scratch) {
#if HWY_TARGET == HWY_EMU128 || HWY_TARGET == HWY_SCALAR
  static_cast<void>(scratch);
  const std::int64_t log = log2_fixed(static_cast<std::uint64_t>(number)) - log2_fixed(kNoise);
  return {log, log};
#else
  const Scratch::Frame frame(scratch);
  const std::size_t lanes = hn::Lanes(d32);
  const auto count = static_cast<std::int64_t>(lanes);
  LogSum sum(scratch.take<std::uint32_t>(LogSum::words(lanes)));
  const auto of_integers = [&](std::int32_t value) HWY_ATTR {
    sum.clear();
    sum.add(0, hn::Set(d32, value));
    return sum.total(lanes) / count;
  };
  const auto of_doubles = [&](std::int32_t value) HWY_ATTR {
    const Vd part = add_integer_part(hn::Set(dsf64, value + 0.75), hn::Set(dsf64, kSumStart));
    sum.clear();
    sum.add(0, part, part);
    return sum.total(lanes) / count;
  };
  return {of_integers(number) - of_integers(kNoise), of_doubles(number) - of_doubles(kNoise)};
#endif
}

}  // namespace HWY_NAMESPACE
}  // namespace vmafx::vif
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace vmafx::vif {

HWY_EXPORT(measure_pictures);
HWY_EXPORT(log2_of);

void measure_cpu(const Picture& reference, std::span<const Picture* const> distorted,
                 const Task& task, Scratch& scratch, Crew* crew,
                 std::span<const std::span<Sums>> sums) {
  for (const std::span<Sums> of_encode : sums)
    std::fill(of_encode.begin(), of_encode.end(), Sums{});
  HWY_DYNAMIC_DISPATCH(measure_pictures)(reference, distorted, task, scratch, crew, sums);
}

std::array<std::int64_t, 2> log2_cpu(std::int32_t number, Scratch& scratch) {
  return HWY_DYNAMIC_DISPATCH(log2_of)(number, scratch);
}

}  // namespace vmafx::vif
#endif
