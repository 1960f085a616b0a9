// Which contrasts are pooled, for devices. Where no more contrasts are above 0 than are pooled, all
// of them are, and these kernels have nothing to do.
#ifndef VMAFX_METRICS_CAMBI_SELECTION_KERNELS_H_
#define VMAFX_METRICS_CAMBI_SELECTION_KERNELS_H_

#include <cstdint>

#include "base/portable.h"
#include "device/kernel.h"
#include "metrics/cambi/device_scales.h"

namespace vmafx::cambi {

// Looks for the smallest contrast that is pooled, by the digits of its rank: the first is known by
// how often each occurs, this counts the second digits (kDigit 2) among the contrasts with the same
// first one, or the third ones (kDigit 3) among those with the same first two. Contrasts whose
// digits before are larger are pooled.
template <int kDigit>
struct CountDigits {
  static constexpr int kThreads = 256;
  static constexpr int kDigits = kDigit == 2 ? kSecondDigits : kThirdDigits;
  static constexpr int kGroups = 32;
  template <template <class, int> class Array>
  struct Shared {
    Array<std::uint32_t, kDigits> counts;
    Array<std::uint32_t, kGroups> first_groups;
    Array<std::uint32_t, kGroups> second_groups;
  };

  StreamOnDevice streams[kMaxStreams];

  template <class Team>
  VMAFX_PORTABLE void operator()(Team& team) const {
    const StreamOnDevice& stream = streams[team.block().z];
    if (team.block().x >= stream.tiles) return;
    const Tile tile = Tile::find(stream, team.block().x);
    const ScaleOnDevice& scale = stream.scales[tile.scale];
    ScaleResult* const result = &stream.results[tile.scale];
    if (result->count <= scale.pooled) return;

    auto& shared = team.shared();
    team.each([&](int thread) {
      for (int i = thread; i < kDigits; i += kThreads) shared.counts[i] = 0;
    });
    std::uint32_t place = scale.pooled;
    const int first = find_digit<kFirstDigits>(team, scale.first, shared.first_groups, place);
    int second = 0;
    if constexpr (kDigit == 3) {
      second = find_digit<kSecondDigits>(team, scale.second, shared.second_groups, place);
      if (tile.left == 0 && tile.top == 0) {
        team.leader([&] {
          result->digits = static_cast<std::uint32_t>(first * kSecondDigits + second);
          result->place = place;
        });
      }
    }
    auto above = team.template values<std::uint64_t>();
    team.each([&](int thread) {
      for (int i = thread; i < Tile::kWidth * Tile::kHeight; i += kThreads) {
        const int x = tile.left + i % Tile::kWidth;
        const int y = tile.top + i / Tile::kWidth;
        if (x >= scale.pixels.width || y >= scale.pixels.height) continue;
        if ((scale.pixels.row(y)[x] & kPixelHasContrast) == 0) continue;
        const float contrast = scale.contrasts.row(y)[x];
        const std::uint32_t rank = rank_of(contrast);
        if constexpr (kDigit == 2) {
          if (first_digit(rank) > first) above[thread] += SplitSum::units(contrast);
          if (first_digit(rank) == first) team.add(shared.counts, second_digit(rank), 1u);
        } else {
          if (first_digit(rank) != first) continue;
          if (second_digit(rank) > second) above[thread] += SplitSum::units(contrast);
          if (second_digit(rank) == second) team.add(shared.counts, third_digit(rank), 1u);
        }
      }
    });
    const std::uint64_t units = team.sum(above);
    team.leader([&] { SplitSum::add(team, &result->above, units); });
    std::uint32_t* const counts = kDigit == 2 ? scale.second : result->third;
    team.each_last([&](int thread) {
      for (int i = thread; i < kDigits; i += kThreads) {
        const std::uint32_t n = shared.counts[i];
        if (n > 0) team.add(&counts[i], n);
      }
    });
  }

  // The digit of what is at this place from the largest, counted from 1; changes `place` to the one
  // among those with the digit. The digits are summed in groups, which are then walked through.
  template <int kSize, class Team, class Groups>
  VMAFX_PORTABLE static int find_digit(Team& team, const std::uint32_t* counts, Groups& groups,
                                       std::uint32_t& place) {
    constexpr int kOfGroup = kSize / kGroups;
    team.each([&](int thread) {
      if (thread >= kGroups) return;
      std::uint32_t sum = 0;
      for (int i = 0; i < kOfGroup; ++i) sum += counts[thread * kOfGroup + i];
      groups[thread] = sum;
    });
    int group = kGroups - 1;
    for (std::uint32_t n = groups[group]; n < place; n = groups[--group]) place -= n;
    int digit = (group + 1) * kOfGroup - 1;
    while (counts[digit] < place) place -= counts[digit--];
    return digit;
  }
};

}  // namespace vmafx::cambi

#endif  // VMAFX_METRICS_CAMBI_SELECTION_KERNELS_H_
