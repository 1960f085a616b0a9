#include "tools/clipgen/scene.h"

#include <algorithm>
#include <cstddef>
#include <span>
#include <utility>

#include "tools/clipgen/integer_math.h"
#include "tools/clipgen/texture.h"

namespace vmafx::clipgen {
namespace {

constexpr int kObjectCount = 6;
constexpr int kGlyphWidth = 5;
constexpr int kGlyphHeight = 7;

// A position in texels or samples, in 1/65536.
struct Point {
  std::int64_t x = 0;
  std::int64_t y = 0;
};

// Texture coordinates of a frame: origin + x * step_x + y * step_y for sample (x, y) of the luma
// plane.
struct Camera {
  Point origin;
  Point step_x;
  Point step_y;
};

struct Object {
  bool round = true;
  std::int32_t radius = 0;  // samples
  Point centre;
  Camera camera;
};

struct Material {
  std::vector<Texture> planes;
};

ChromaSpacing spacing_of(const PictureFormat& format, int plane) {
  return plane == 0 ? ChromaSpacing{} : chroma_spacing(format.chroma);
}

int log2_texture_size(const PictureFormat& format) {
  int log2_size = 8;
  while (log2_size < 11 && (1 << log2_size) < std::max(format.width, format.height)) ++log2_size;
  return log2_size;
}

Material make_material(int log2_size, std::uint32_t seed, int planes) {
  Material material;
  material.planes.push_back(natural_luma(log2_size, seed));
  for (int plane = 1; plane < planes; ++plane) {
    material.planes.push_back(fractal_noise(
        log2_size - 2, hash(seed, 100U + static_cast<std::uint32_t>(plane)), log2_size - 4, 1));
  }
  return material;
}

// A camera that looks at `centre` of the texture, turned by `angle`, with `scale` / 65536 texels a
// sample, such that `middle` (in samples / 65536) of the picture shows it.
Camera look_at(Point centre, Point middle, std::uint32_t angle, std::int64_t scale) {
  const std::int64_t c = (cosine(angle) * scale) >> 14;
  const std::int64_t s = (sine(angle) * scale) >> 14;
  Camera camera;
  camera.step_x = {c, s};
  camera.step_y = {-s, c};
  camera.origin = {centre.x - ((middle.x * c - middle.y * s) >> 16),
                   centre.y - ((middle.x * s + middle.y * c) >> 16)};
  return camera;
}

// Texture value to a sample of 16 bits in limited range.
std::int32_t to_sample16(std::int32_t texel, int plane) {
  if (plane == 0) return (16 << 8) + ((texel * (219 << 8 >> 3)) >> 13);
  return 32768 + ((texel - 32768) >> 2);
}

// Texture coordinates of a plane's first sample of a row and the step to the next.
struct RowWalk {
  std::uint32_t u, v, du, dv;
};

RowWalk walk_row(const Camera& camera, ChromaSpacing spacing, int x, int y) {
  // The middle of the luma samples that a chroma sample stands for, in half samples.
  const std::int64_t x2 = 2 * std::int64_t{x} * spacing.x + spacing.x - 1;
  const std::int64_t y2 = 2 * std::int64_t{y} * spacing.y + spacing.y - 1;
  const std::int64_t u = camera.origin.x + (x2 * camera.step_x.x + y2 * camera.step_y.x) / 2;
  const std::int64_t v = camera.origin.y + (x2 * camera.step_x.y + y2 * camera.step_y.y) / 2;
  return {static_cast<std::uint32_t>(u), static_cast<std::uint32_t>(v),
          static_cast<std::uint32_t>(camera.step_x.x * spacing.x),
          static_cast<std::uint32_t>(camera.step_x.y * spacing.x)};
}

// Chroma textures have a quarter of the size of luma's.
std::int32_t look_up(const Texture& texture, int plane, std::uint32_t u, std::uint32_t v) {
  return plane == 0 ? texture.sample(u, v) : texture.sample(u >> 2, v >> 2);
}

// The working picture: samples of 16 bits.
struct Canvas {
  PictureFormat format;
  std::array<std::vector<std::int32_t>, 3> planes;

  std::int32_t* row(int plane, int y) {
    return planes[static_cast<std::size_t>(plane)].data() +
           static_cast<std::ptrdiff_t>(y) * format.plane_width(plane);
  }
};

void paint_background(Canvas& canvas, const Material& material, const Camera& camera) {
  for (int plane = 0; plane < canvas.format.planes(); ++plane) {
    const Texture& texture = material.planes[static_cast<std::size_t>(plane)];
    const ChromaSpacing spacing = spacing_of(canvas.format, plane);
    const int width = canvas.format.plane_width(plane);
    for (int y = 0; y < canvas.format.plane_height(plane); ++y) {
      RowWalk walk = walk_row(camera, spacing, 0, y);
      std::int32_t* row = canvas.row(plane, y);
      for (int x = 0; x < width; ++x) {
        row[x] = to_sample16(look_up(texture, plane, walk.u, walk.v), plane);
        walk.u += walk.du;
        walk.v += walk.dv;
      }
    }
  }
}

// How much of a sample the object covers, 0..256; dx and dy are distances from its centre in 1/256
// sample.
std::int32_t coverage(const Object& object, std::int64_t dx, std::int64_t dy) {
  const std::int64_t r = std::int64_t{object.radius} << 8;
  if (object.round) {
    // (r^2 - d^2) / 2r is about r - d near the border.
    return static_cast<std::int32_t>(
        std::clamp<std::int64_t>((r * r - dx * dx - dy * dy) / (2 * r), 0, 256));
  }
  const std::int64_t c = object.camera.step_x.x;
  const std::int64_t s = object.camera.step_x.y;
  const std::int64_t along = (dx * c - dy * s) >> 16;
  const std::int64_t across = (dx * s + dy * c) >> 16;
  const std::int64_t distance = std::max(along < 0 ? -along : along, across < 0 ? -across : across);
  return static_cast<std::int32_t>(std::clamp<std::int64_t>(r * 3 / 4 - distance, 0, 256));
}

void paint_object(Canvas& canvas, const Material& material, const Object& object) {
  for (int plane = 0; plane < canvas.format.planes(); ++plane) {
    const Texture& texture = material.planes[static_cast<std::size_t>(plane)];
    const ChromaSpacing spacing = spacing_of(canvas.format, plane);
    const auto range = [&](std::int64_t centre, int step, int size) {
      const auto middle = static_cast<int>(centre >> 16);
      const int reach = object.radius * 3 / 2 + step;
      return std::pair(std::clamp((middle - reach) / step, 0, size),
                       std::clamp((middle + reach) / step + 1, 0, size));
    };
    const auto [x0, x1] = range(object.centre.x, spacing.x, canvas.format.plane_width(plane));
    const auto [y0, y1] = range(object.centre.y, spacing.y, canvas.format.plane_height(plane));
    for (int y = y0; y < y1; ++y) {
      RowWalk walk = walk_row(object.camera, spacing, x0, y);
      std::int32_t* row = canvas.row(plane, y);
      const std::int64_t dy = ((std::int64_t{y} * spacing.y << 16) - object.centre.y) >> 8;
      for (int x = x0; x < x1; ++x) {
        const std::int64_t dx = ((std::int64_t{x} * spacing.x << 16) - object.centre.x) >> 8;
        const std::int32_t alpha = coverage(object, dx, dy);
        const std::int32_t value = to_sample16(look_up(texture, plane, walk.u, walk.v), plane);
        row[x] += ((value - row[x]) * alpha) >> 8;
        walk.u += walk.du;
        walk.v += walk.dv;
      }
    }
  }
}

// A line of made-up letters of `scale` samples a dot, its left edge at `left`.
void paint_caption(Canvas& canvas, std::uint32_t seed, int left, int top, int scale) {
  const int cell = (kGlyphWidth + 1) * scale;
  for (int y = 0; y < kGlyphHeight * scale; ++y) {
    if (top + y < 0 || top + y >= canvas.format.height) continue;
    std::int32_t* row = canvas.row(0, top + y);
    for (int x = std::max(left, 0); x < canvas.format.width; ++x) {
      const int letter = (x - left) / cell;
      const int dot_x = (x - left) % cell / scale;
      if (dot_x == kGlyphWidth) continue;
      // Letters are symmetric: they look like writing.
      const int mirrored = dot_x < 3 ? dot_x : kGlyphWidth - 1 - dot_x;
      const std::uint32_t bits = hash(seed, static_cast<std::uint32_t>(letter));
      if ((bits >> (y / scale * 3 + mirrored)) & 1U) row[x] = 230 << 8;
    }
  }
}

std::uint16_t to_depth(std::int32_t sample16, int depth) {
  const int shift = 16 - depth;
  const std::int32_t half = shift > 0 ? 1 << (shift - 1) : 0;
  return static_cast<std::uint16_t>(std::clamp((sample16 + half) >> shift, 0, (1 << depth) - 1));
}

// Adds grain and reduces to the depth.
Frame develop(Canvas& canvas, std::uint32_t seed, int grain) {
  Frame frame;
  frame.format = canvas.format;
  for (int plane = 0; plane < canvas.format.planes(); ++plane) {
    const int width = canvas.format.plane_width(plane);
    const int height = canvas.format.plane_height(plane);
    // Chroma is less grainy than luma.
    const std::int32_t amplitude = plane == 0 ? grain : grain / 2;
    auto& out = frame.planes[static_cast<std::size_t>(plane)];
    out.resize(static_cast<std::size_t>(width) * static_cast<std::size_t>(height));
    std::uint16_t* samples = out.data();
    for (int y = 0; y < height; ++y) {
      Random random(
          hash(hash(seed, static_cast<std::uint32_t>(plane)), static_cast<std::uint32_t>(y)));
      const std::int32_t* row = canvas.row(plane, y);
      for (int x = 0; x < width; ++x) {
        // The sum of two bytes has a triangular distribution, -255..255.
        const std::uint32_t bits = random.next();
        const std::int32_t noise =
            static_cast<std::int32_t>((bits >> 8) & 255U) - static_cast<std::int32_t>(bits >> 24);
        samples[x] = to_depth(row[x] + ((noise * amplitude) >> 4), canvas.format.bit_depth);
      }
      samples += width;
    }
  }
  return frame;
}

}  // namespace

// What lasts from one cut to the next: textures, and how camera and objects move.
class Scene::Shot {
 public:
  Shot(const PictureFormat& format, Motion motion, std::uint32_t seed)
      : format_(format), motion_(motion), seed_(seed) {
    const int log2_size = log2_texture_size(format);
    background_ = make_material(log2_size, seed, format.planes());
    if (motion == Motion::kObjects) {
      foreground_ = make_material(log2_size, hash(seed, 7), format.planes());
    }
  }

  void paint(Canvas& canvas, int frame) const {
    paint_background(canvas, background_, camera(frame));
    if (motion_ != Motion::kObjects) return;
    for (int i = 0; i < kObjectCount; ++i) paint_object(canvas, foreground_, object(i, frame));
    const int scale = std::max(1, format_.height / 180);
    paint_caption(canvas, seed_, format_.width / 3 - 2 * frame, format_.height * 7 / 8, scale);
  }

 private:
  Point middle() const {
    return {std::int64_t{format_.width} << 15, std::int64_t{format_.height} << 15};
  }

  Camera camera(int frame) const {
    const std::int64_t t = frame;
    const auto phase = static_cast<std::uint32_t>(frame);
    switch (motion_) {
      case Motion::kPan:
        return look_at({t * 147456, t * 49152}, middle(), 0,
                       65536);  // 2.25 and 0.75 samples a frame
      case Motion::kZoom:
        return look_at({}, middle(), 0, 65536 + sine(phase * 1024));  // 3/4 .. 5/4 within 64 frames
      case Motion::kRotate:
        return look_at({}, middle(), phase * 128, 62000);  // 0.7 degrees a frame
      case Motion::kObjects:
        return look_at({t * 32768, 0}, middle(), 0, 65536);
      case Motion::kStill:
      case Motion::kCuts:
        break;
    }
    return look_at({}, middle(), 0, 65536);
  }

  // Objects swing about a place of their own; every other one is a box, and they spin both ways.
  Object object(int index, int frame) const {
    Random random(hash(seed_, 1000U + static_cast<std::uint32_t>(index)));
    const int least = std::max(2, std::min(format_.width, format_.height) / 16);
    Object object;
    object.round = index % 2 == 0;
    object.radius = least + random.below(least);
    const Point home{std::int64_t{random.below(format_.width)} << 16,
                     std::int64_t{random.below(format_.height)} << 16};
    const std::uint32_t speed_x = 256U + static_cast<std::uint32_t>(random.below(512));
    const std::uint32_t speed_y = 256U + static_cast<std::uint32_t>(random.below(512));
    const auto t = static_cast<std::uint32_t>(frame);
    object.centre = {home.x + std::int64_t{sine(t * speed_x)} * format_.width,
                     home.y + std::int64_t{sine(t * speed_y)} * format_.height};
    const std::uint32_t turn = t * static_cast<std::uint32_t>(100 + random.below(300));
    const Point patch{std::int64_t{random.below(1 << 11)} << 16,
                      std::int64_t{random.below(1 << 11)} << 16};
    object.camera = look_at(patch, object.centre, index % 4 < 2 ? turn : 0U - turn, 65536);
    return object;
  }

  PictureFormat format_;
  Motion motion_;
  std::uint32_t seed_;
  Material background_;
  Material foreground_;
};

Scene::Scene(const SceneOptions& options) : options_(options) {}
Scene::~Scene() = default;
Scene::Scene(Scene&&) noexcept = default;
Scene& Scene::operator=(Scene&&) noexcept = default;

const Scene::Shot& Scene::shot(int index) {
  if (index != shot_index_) {
    constexpr Motion kOrder[] = {Motion::kObjects, Motion::kPan, Motion::kZoom, Motion::kRotate};
    const bool cuts = options_.motion == Motion::kCuts;
    const Motion motion =
        cuts ? kOrder[static_cast<std::size_t>(index) % std::size(kOrder)] : options_.motion;
    shot_ = std::make_unique<Shot>(options_.format, motion,
                                   hash(options_.seed, static_cast<std::uint32_t>(index)));
    shot_index_ = index;
  }
  return *shot_;
}

Frame Scene::render(int frame) {
  const bool cuts = options_.motion == Motion::kCuts;
  const int index = cuts ? frame / options_.cut_interval : 0;
  Canvas canvas;
  canvas.format = options_.format;
  for (int plane = 0; plane < options_.format.planes(); ++plane) {
    canvas.planes[static_cast<std::size_t>(plane)].resize(
        static_cast<std::size_t>(options_.format.plane_width(plane)) *
        static_cast<std::size_t>(options_.format.plane_height(plane)));
  }
  shot(index).paint(canvas, cuts ? frame % options_.cut_interval : frame);
  return develop(canvas, hash(hash(options_.seed, 0x6721U), static_cast<std::uint32_t>(frame)),
                 options_.grain);
}

}  // namespace vmafx::clipgen
