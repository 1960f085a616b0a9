// Sizes of everything between a plane and its blocks.
#ifndef VMAFX_METRICS_SPEED_GEOMETRY_H_
#define VMAFX_METRICS_SPEED_GEOMETRY_H_

namespace vmafx::speed {

inline constexpr int kDecimation = 16;
// Statistics are of blocks of 5x5 samples of the decimated plane.
inline constexpr int kBlock = 5;
inline constexpr int kElements = kBlock * kBlock;
// Smallest width and height, after prescaling, that hold a block.
inline constexpr int kSmallest = kDecimation * kBlock;

struct Geometry {
  int width = 0;  // of the plane
  int height = 0;
  int scaled_width = 0;  // after prescaling
  int scaled_height = 0;
  int decimated_width = 0;
  int decimated_height = 0;
  int blocks_across = 0;
  int blocks_down = 0;

  constexpr int blocks() const { return blocks_across * blocks_down; }
  // Of the part of the decimated plane that whole blocks cover.
  constexpr int covered_width() const { return blocks_across * kBlock; }
  constexpr int covered_height() const { return blocks_down * kBlock; }
  // Places of a 5x5 window inside that part: each is an observation of the 25 elements.
  constexpr int places_across() const { return covered_width() - kBlock + 1; }
  constexpr int places_down() const { return covered_height() - kBlock + 1; }
  constexpr int places() const { return places_across() * places_down(); }

  constexpr bool scales() const { return scaled_width != width || scaled_height != height; }
};

inline Geometry make_geometry(int width, int height, double prescale) {
  // A factor this close to 1 is rounding noise of whoever computed it.
  constexpr double kUnity = 1e-3;
  const bool scales = prescale - 1 >= kUnity || 1 - prescale >= kUnity;
  const auto scaled = [&](int size) {
    // As libvmaf rounds. NOLINTNEXTLINE(bugprone-incorrect-roundings)
    return scales ? static_cast<int>(size * prescale + 0.5) : size;
  };
  Geometry g;
  g.width = width;
  g.height = height;
  g.scaled_width = scaled(width);
  g.scaled_height = scaled(height);
  g.decimated_width = g.scaled_width / kDecimation;
  g.decimated_height = g.scaled_height / kDecimation;
  g.blocks_across = g.decimated_width / kBlock;
  g.blocks_down = g.decimated_height / kBlock;
  return g;
}

}  // namespace vmafx::speed

#endif  // VMAFX_METRICS_SPEED_GEOMETRY_H_
