#include "vmafx/alignment.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
#include <deque>
#include <new>
#include <vector>

namespace vmafx {
namespace {

constexpr int kReach = 2;
constexpr int kOffsets = 2 * kReach + 1;

// Points of the grid in a row or column, at most.
constexpr int kGrid = 96;
// Neighbours in a row that are averaged, so that noise does not hide small motion.
constexpr int kNeighbours = 4;

// Share of a picture's variance. Below it, differences are those of good encodes.
constexpr double kInvisible = 1e-5;
// The best offset is this many times better than any other, and than its neighbour is like it.
constexpr double kClearly = 2;

constexpr int kVotesNeeded = 4;
constexpr int kVotesEnough = 8;
constexpr int kPairsLookedAt = 500;

// What is compared of a picture.
struct Sketch {
  std::vector<std::int32_t> points;
  double mean = 0;
  double variance = 0;  // times the number of points
};

template <class Sample>
void sample_grid(const Picture& picture, int step, std::vector<std::int32_t>& points) {
  const int width = picture.width(0);
  const int neighbours = std::min(kNeighbours, width);
  for (int y = step / 2; y < picture.height(0); y += step) {
    const Sample* row = picture.row<Sample>(0, y);
    for (int x = 0; x + neighbours <= width; x += step) {
      std::int32_t sum = 0;
      for (int i = 0; i < neighbours; ++i) sum += row[x + i];
      points.push_back(sum);
    }
  }
}

Sketch sketch_of(const Picture& picture) {
  const int longest = std::max(picture.width(0), picture.height(0));
  const int step = (longest + kGrid - 1) / kGrid;
  Sketch sketch;
  if (picture.format().bit_depth == 8)
    sample_grid<std::uint8_t>(picture, step, sketch.points);
  else
    sample_grid<std::uint16_t>(picture, step, sketch.points);
  // 18 bits a point, fewer than 2^14 points: the sums are exact.
  std::int64_t sum = 0;
  std::int64_t squares = 0;
  for (const std::int64_t point : sketch.points) {
    sum += point;
    squares += point * point;
  }
  const auto count = static_cast<double>(sketch.points.size());
  sketch.mean = static_cast<double>(sum) / count;
  sketch.variance = static_cast<double>(squares) - sketch.mean * static_cast<double>(sum);
  return sketch;
}

// The share of b's variance that a, scaled and shifted, does not explain: 0..1.
double difference(const Sketch& a, const Sketch& b) {
  if (a.points.size() != b.points.size()) return 1;
  std::int64_t products = 0;
  for (std::size_t i = 0; i < a.points.size(); ++i)
    products += static_cast<std::int64_t>(a.points[i]) * b.points[i];
  const double covariance =
      static_cast<double>(products) - a.mean * b.mean * static_cast<double>(a.points.size());
  // Flat pictures and negatives are no match.
  if (!(a.variance > 0) || !(b.variance > 0) || !(covariance > 0)) return 1;
  return std::clamp(1 - covariance / a.variance * (covariance / b.variance), kInvisible, 1.0);
}

}  // namespace

class AlignmentCheck::Impl {
 public:
  void add(const Picture& reference, const Picture& distorted) {
    if (is_done()) return;
    try {
      look_at(reference, distorted);
    } catch (const std::bad_alloc&) {
      // A run that has no memory for this may still have it for its scores.
      pairs_ = kPairsLookedAt;
    }
  }

  std::optional<int> frames_late() const {
    if (all_votes_ < kVotesNeeded) return std::nullopt;
    for (std::size_t i = 0; i < kOffsets; ++i)
      if (i != kReach && votes_[i] == all_votes_) return static_cast<int>(i) - kReach;
    return std::nullopt;
  }

 private:
  // One frame in step is enough to know: a stream that is out of step has none.
  bool is_done() const {
    return all_votes_ >= kVotesEnough || votes_[kReach] > 0 || pairs_ >= kPairsLookedAt;
  }

  void look_at(const Picture& reference, const Picture& distorted) {
    ++pairs_;
    keep(reference, references_, kOffsets);
    keep(distorted, distorted_, kReach + 2);
    if (static_cast<int>(references_.size()) < kOffsets) return;
    if (const auto match = judge()) {
      ++votes_[*match];
      ++all_votes_;
    }
  }

  static void keep(const Picture& picture, std::deque<Sketch>& sketches, int count) {
    sketches.push_front(sketch_of(picture));
    if (static_cast<int>(sketches.size()) > count) sketches.pop_back();
  }

  // Which of the five references the distorted frame of the middle one shows, if it tells.
  std::optional<std::size_t> judge() const {
    const Sketch& frame = distorted_[kReach];
    std::array<double, kOffsets> differences;
    for (std::size_t i = 0; i < kOffsets; ++i) differences[i] = difference(references_[i], frame);
    const auto best = static_cast<std::size_t>(
        std::min_element(differences.begin(), differences.end()) - differences.begin());
    for (std::size_t i = 0; i < kOffsets; ++i)
      if (i != best && differences[i] < kClearly * differences[best]) return std::nullopt;
    if (!moves(best, differences[best])) return std::nullopt;
    return best;
  }

  // A stream that stands still, or one that is further out than the reach, has a best offset too,
  // but no reference that it is like.
  bool moves(std::size_t best, double least) const {
    const std::size_t beside = best + 1 < kOffsets ? best + 1 : best - 1;
    const double motion = difference(references_[best], references_[beside]);
    return motion >= kClearly * least &&
           difference(distorted_[kReach], distorted_[kReach + 1]) >= motion / kClearly;
  }

  // Newest first.
  std::deque<Sketch> references_;
  std::deque<Sketch> distorted_;
  int pairs_ = 0;
  std::array<int, kOffsets> votes_{};
  int all_votes_ = 0;
};

AlignmentCheck::AlignmentCheck() : impl_(std::make_unique<Impl>()) {}
AlignmentCheck::~AlignmentCheck() = default;
AlignmentCheck::AlignmentCheck(AlignmentCheck&&) noexcept = default;
AlignmentCheck& AlignmentCheck::operator=(AlignmentCheck&&) noexcept = default;

void AlignmentCheck::add(const Picture& reference, const Picture& distorted) {
  impl_->add(reference, distorted);
}
std::optional<int> AlignmentCheck::frames_late() const { return impl_->frames_late(); }

}  // namespace vmafx
