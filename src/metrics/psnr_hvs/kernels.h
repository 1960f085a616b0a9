// PSNR-HVS for devices: all terms of a plane's sum at once, then the sum in its order.
#ifndef VMAFX_METRICS_PSNR_HVS_KERNELS_H_
#define VMAFX_METRICS_PSNR_HVS_KERNELS_H_

#include <algorithm>
#include <bit>
#include <cstddef>
#include <cstdint>

#include "base/plane.h"
#include "device/kernel.h"
#include "metrics/psnr_hvs/block.h"
#include "metrics/psnr_hvs/ordered_sum.h"

namespace vmafx::psnr_hvs {

inline constexpr int kMaxPlanes = 3;

// Term k of block b is at [k * stride + b]: threads take neighbouring blocks.
struct Terms {
  float* data;
  int stride;
  int blocks;

  VMAFX_PORTABLE float* of(int coefficient) const {
    return data + static_cast<std::ptrdiff_t>(coefficient) * stride;
  }
};

template <class Sample>
struct PlanePair {
  PlaneView<const Sample> reference;
  PlaneView<const Sample> distorted;
  int blocks_in_row;
  Terms terms;
  Weights weights;
};

// A team takes kBlocks blocks: one half of its threads transforms those of the reference, the other
// half those of the distorted picture; then each half makes one half of the terms.
template <class Sample>
struct MeasureBlocks {
  static constexpr int kThreads = 128;
  static constexpr int kBlocks = kThreads / 2;
  static constexpr int kHalf = kCoefficients / 2;
  template <template <class, int> class Array>
  struct Shared {
    Array<std::int32_t, kCoefficients * kThreads> coefficients;
    Array<float, kThreads> masks;
  };

  PlanePair<Sample> planes[kMaxPlanes];

  static device::Grid grid(int blocks, int planes) {
    return {device::teams_for(blocks, kBlocks), 1, planes};
  }

  template <class Team>
  VMAFX_PORTABLE void operator()(Team& team) const {
    const PlanePair<Sample>& pair = planes[team.block().z];
    const int first = team.block().x * kBlocks;
    if (first >= pair.terms.blocks) return;
    auto& shared = team.shared();
    team.each([&](int thread) {
      const int block = first + thread % kBlocks;
      if (block < pair.terms.blocks) transform(shared, pair, block, thread);
    });
    team.each_last([&](int thread) {
      const int block = thread % kBlocks;
      if (first + block < pair.terms.blocks)
        put_terms(shared, pair, first + block, block, thread / kBlocks * kHalf);
    });
  }

 private:
  template <class Shared>
  static VMAFX_PORTABLE void transform(Shared& shared, const PlanePair<Sample>& pair, int block,
                                       int thread) {
    const int x = block % pair.blocks_in_row * kStep;
    const int y = block / pair.blocks_in_row * kStep;
    Block values;
    shared.masks[thread] = measure_block(thread < kBlocks ? pair.reference : pair.distorted, x, y,
                                         pair.weights, values);
    VMAFX_UNROLL
    for (int k = 0; k < kCoefficients; ++k) shared.coefficients[k * kThreads + thread] = values[k];
  }

  template <class Shared>
  static VMAFX_PORTABLE void put_terms(Shared& shared, const PlanePair<Sample>& pair, int block,
                                       int slot, int first) {
    const float reference_mask = shared.masks[slot];
    const float distorted_mask = shared.masks[kBlocks + slot];
    // Devices are slow to divide zero. So little, divided by a weight, takes nothing off an
    // integer.
    constexpr float kAlmostZero = 0x1p-60f;
    const float mask = std::max(std::max(reference_mask, distorted_mask), kAlmostZero);
    VMAFX_UNROLL
    for (int i = 0; i < kHalf; ++i) {
      const int k = first + i;
      const std::int32_t reference = shared.coefficients[k * kThreads + slot];
      const std::int32_t distorted = shared.coefficients[k * kThreads + kBlocks + slot];
      pair.terms.of(k)[block] = squared_error(k, reference - distorted, mask, pair.weights);
    }
  }
};

// The running sum of all terms of a plane: one team a plane, whose threads take a block each.
struct SumTerms {
  static constexpr int kThreads = 512;
  template <template <class, int> class Array>
  struct Shared {
    Array<std::uint32_t, 2 * kThreads> even;
    Array<std::uint32_t, 2 * kThreads> odd;
    Array<std::uint32_t, 1> sum;
  };
  struct BlockTerms {
    float term[kCoefficients];
  };

  Terms planes[kMaxPlanes];
  float* sums;

  template <class Team>
  VMAFX_PORTABLE void operator()(Team& team) const {
    const Terms& terms = planes[team.block().z];
    auto block = team.template values<BlockTerms>();
    std::uint32_t sum = 0;  // its bits
    for (int first = 0; first < terms.blocks; first += kThreads) {
      team.each([&](int thread) { load(terms, first + thread, block[thread]); });
      int done = 0;
      while (done < kThreads) done = advance_from(team, block, done, sum);
    }
    team.leader([&] { sums[team.block().z] = std::bit_cast<float>(sum); });
  }

 private:
  static VMAFX_PORTABLE void load(const Terms& terms, int index, BlockTerms& block) {
    const bool exists = index < terms.blocks;
    VMAFX_UNROLL
    for (int k = 0; k < kCoefficients; ++k) block.term[k] = exists ? terms.of(k)[index] : 0;
  }

  // Adds the blocks from `done` on, up to the one where the sum leaves its binade; returns the
  // first that is not added.
  template <class Team, class Blocks>
  static VMAFX_PORTABLE int advance_from(Team& team, Blocks& block, int done, std::uint32_t& sum) {
    auto own = team.template values<Advance>();
    auto total = team.template values<std::uint64_t>();
    constexpr std::uint64_t kTie = std::uint64_t{1} << 48;
    team.each([&](int thread) {
      if (thread < done) return;
      own[thread] = advance_by(block[thread].term, sum);
      total[thread] = own[thread].even + (own[thread].even != own[thread].odd ? kTie : 0);
    });
    // Mostly, no run of terms cares for parity, and the sum stays where it is.
    const std::uint64_t all = team.sum(total);
    if (all <= kTooFar && stays(sum, static_cast<std::uint32_t>(all))) {
      sum += static_cast<std::uint32_t>(all);
      return kThreads;
    }
    return advance_with_parity(team, block, own, sum);
  }

  template <class Team, class Blocks, class Advances>
  static VMAFX_PORTABLE int advance_with_parity(Team& team, Blocks& block, Advances& own,
                                                std::uint32_t& sum) {
    auto& shared = team.shared();
    const int side = join_prefixes(team, own);
    auto crossing = team.template values<std::int32_t>();
    team.each([&](int thread) {
      crossing[thread] = stays(sum, advance(own[thread], sum)) ? kThreads : thread;
    });
    const int end = team.min(crossing);
    const auto before = [&](int thread) -> std::uint32_t {
      if (thread == 0) return sum;
      const Advance by = {shared.even[side + thread - 1], shared.odd[side + thread - 1]};
      return sum + advance(by, sum);
    };
    team.each([&](int thread) {
      if (thread == end) {
        shared.sum[0] = add_one_by_one(block[thread], before(thread));
      } else if (end == kThreads && thread == kThreads - 1) {
        shared.sum[0] = sum + advance(own[thread], sum);
      }
    });
    sum = shared.sum[0];
    return end + 1;
  }

  // Makes the advance of each thread that of it and all before it. They are also in the half of
  // the shared arrays that begins at the index returned.
  template <class Team, class Advances>
  static VMAFX_PORTABLE int join_prefixes(Team& team, Advances& own) {
    auto& shared = team.shared();
    int side = 0;
    const auto put = [&](int thread) {
      shared.even[side + thread] = own[thread].even;
      shared.odd[side + thread] = own[thread].odd;
    };
    team.each(put);
    for (int distance = 1; distance < kThreads; distance *= 2) {
      const int from = side;
      side = kThreads - side;
      team.each([&](int thread) {
        if (thread >= distance) {
          const int other = from + thread - distance;
          own[thread] = join({shared.even[other], shared.odd[other]}, own[thread]);
        }
        put(thread);
      });
    }
    return side;
  }

  static VMAFX_PORTABLE std::uint32_t add_one_by_one(const BlockTerms& block, std::uint32_t bits) {
    auto sum = std::bit_cast<float>(bits);
    VMAFX_UNROLL
    for (int k = 0; k < kCoefficients; ++k) sum += block.term[k];
    return std::bit_cast<std::uint32_t>(sum);
  }
};

using Kernels =
    device::KernelList<MeasureBlocks<std::uint8_t>, MeasureBlocks<std::uint16_t>, SumTerms>;

}  // namespace vmafx::psnr_hvs

#endif  // VMAFX_METRICS_PSNR_HVS_KERNELS_H_
