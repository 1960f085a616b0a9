// clipgen: moving test clips with the same bytes on every machine.
#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <cstdio>
#include <map>
#include <string>

#include "tools/clipgen/distort.h"
#include "tools/clipgen/scene.h"
#include "tools/clipgen/y4m_writer.h"

namespace vmafx::clipgen {
namespace {

struct Arguments {
  SceneOptions scene{.format = {.width = 640, .height = 360}};
  Distortion distortion = Distortion::kNone;
  int strength = 2;
  int frames = 48;
  int fps = 25;
  bool raw = false;
  std::string output;
};

void declare(CLI::App& app, Arguments& arguments) {
  static const std::map<std::string, Chroma> kChroma = {
      {"400", Chroma::k400}, {"411", Chroma::k411}, {"420", Chroma::k420},
      {"422", Chroma::k422}, {"440", Chroma::k440}, {"444", Chroma::k444}};
  static const std::map<std::string, Motion> kMotion = {
      {"still", Motion::kStill},   {"pan", Motion::kPan},         {"zoom", Motion::kZoom},
      {"rotate", Motion::kRotate}, {"objects", Motion::kObjects}, {"cuts", Motion::kCuts}};
  static const std::map<std::string, Distortion> kDistortion = {{"none", Distortion::kNone},
                                                                {"blur", Distortion::kBlur},
                                                                {"blocks", Distortion::kBlocks},
                                                                {"noise", Distortion::kNoise}};
  SceneOptions& scene = arguments.scene;
  PictureFormat& format = scene.format;
  const auto choose = [](const auto& names) {
    return CLI::CheckedTransformer(names).description("");
  };
  app.add_option("-W,--width", format.width)
      ->check(CLI::Range(1, kMaxDimension))
      ->capture_default_str();
  app.add_option("-H,--height", format.height)
      ->check(CLI::Range(1, kMaxDimension))
      ->capture_default_str();
  app.add_option("-b,--depth", format.bit_depth)->check(CLI::Range(8, 16))->capture_default_str();
  app.add_option("-c,--chroma", format.chroma, "400, 411, 420, 422, 440, 444")
      ->transform(choose(kChroma));
  app.add_option("-n,--frames", arguments.frames)
      ->check(CLI::Range(0, 1000000))
      ->capture_default_str();
  app.add_option("-r,--fps", arguments.fps)->check(CLI::Range(1, 1000))->capture_default_str();
  app.add_option("-s,--seed", scene.seed)->capture_default_str();
  app.add_option("-m,--motion", scene.motion, "still, pan, zoom, rotate, objects, cuts")
      ->transform(choose(kMotion));
  app.add_option("--cut-interval", scene.cut_interval, "Frames from cut to cut")
      ->check(CLI::Range(1, 1000000))
      ->capture_default_str();
  app.add_option("--grain", scene.grain, "Noise in 1/16 of an 8-bit step")
      ->check(CLI::Range(0, 1024))
      ->capture_default_str();
  app.add_option("--distort", arguments.distortion, "none, blur, blocks, noise")
      ->transform(choose(kDistortion));
  app.add_option("--strength", arguments.strength, "Of the distortion")
      ->check(CLI::Range(0, 16))
      ->capture_default_str();
  app.add_flag("--raw", arguments.raw, "Planes only, no y4m headers");
  app.add_option("output", arguments.output, "File, or - for standard output")->required();
}

Status generate(const Arguments& arguments) {
  Result<Y4mWriter> writer =
      Y4mWriter::open(arguments.output, arguments.scene.format, arguments.fps, !arguments.raw);
  if (!writer) return writer.error();
  Scene scene(arguments.scene);
  for (int n = 0; n < arguments.frames; ++n) {
    Frame frame = scene.render(n);
    distort(frame, arguments.distortion, arguments.strength, n, arguments.scene.seed);
    if (Status status = writer->write(frame); !status) return status;
  }
  return writer->close();
}

}  // namespace
}  // namespace vmafx::clipgen

int main(int argc, char** argv) {
  CLI::App app("Makes moving test clips; the same options give the same bytes on every machine.");
  vmafx::clipgen::Arguments arguments;
  vmafx::clipgen::declare(app, arguments);
  CLI11_PARSE(app, argc, argv);
  if (const vmafx::Status status = vmafx::clipgen::generate(arguments); !status) {
    fmt::print(stderr, "clipgen: {}\n", status.error().message);
    return 1;
  }
  return 0;
}
