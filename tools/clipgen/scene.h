// A moving scene: textures under a camera, objects in front of it, captions and grain.
#ifndef VMAFX_TOOLS_CLIPGEN_SCENE_H_
#define VMAFX_TOOLS_CLIPGEN_SCENE_H_

#include <array>
#include <cstdint>
#include <memory>
#include <vector>

#include "vmafx/picture.h"

namespace vmafx::clipgen {

enum class Motion : std::uint8_t {
  kStill,    // the same picture, only the grain changes
  kPan,      // the camera slides
  kZoom,     // the camera moves in and out
  kRotate,   // the camera turns
  kObjects,  // a slow pan with discs and boxes that move and spin
  kCuts,     // another scene with another motion every cut_interval frames
};

struct SceneOptions {
  PictureFormat format;
  Motion motion = Motion::kObjects;
  std::uint32_t seed = 1;
  int grain = 16;         // amplitude of the noise of each frame in 1/16 of an 8-bit step; 0..1024
  int cut_interval = 12;  // frames
};

// Planes of 16-bit samples without padding, values of the depth in the low bits.
struct Frame {
  PictureFormat format;
  std::array<std::vector<std::uint16_t>, 3> planes;
};

// Limited range. A frame is a function of the options and its number alone.
class Scene {
 public:
  // Precondition: validate(options.format) is ok.
  explicit Scene(const SceneOptions& options);
  ~Scene();
  Scene(Scene&&) noexcept;
  Scene& operator=(Scene&&) noexcept;

  // Not thread-safe: it keeps the textures of the current shot.
  Frame render(int frame);

 private:
  class Shot;
  const Shot& shot(int index);

  SceneOptions options_;
  int shot_index_ = -1;
  std::unique_ptr<Shot> shot_;
};

}  // namespace vmafx::clipgen

#endif  // VMAFX_TOOLS_CLIPGEN_SCENE_H_
