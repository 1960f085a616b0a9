#include <array>
#include <bit>
#include <cmath>
#include <limits>
#include <set>
#include <string>
#include <string_view>

#include "device/host/table.h"
#include "tests/device_parity.h"
#include "metrics/metric_testing.h"
#include "metrics/speed/eigenvalues.h"
#include "metrics/speed/kernels.h"
#include "metrics/speed/speed.h"

namespace vmafx {
namespace {

using metric_testing::parse;
using parity::Case;
using parity::Clip;
using parity::expect_same_on_devices;
using parity::Pattern;

constexpr const char* kMethods[] = {"nearest", "bilinear", "bicubic", "lanczos4"};

std::unique_ptr<Measurement> measurement_of(const Metric& metric, const OptionText& text,
                                            const PictureFormat& format) {
  const Options options = parse(metric, text);
  return *metric.measurement(std::span(&options, 1), format);
}

// Zeros would be the same everywhere, whatever the kernels do.
bool has_score(const Metric& metric, const OptionText& text, const Clip& clip) {
  const auto measurement = measurement_of(metric, text, clip.reference[0].format());
  const std::vector<Picture> reference(clip.reference.rbegin(), clip.reference.rend());
  const std::vector<Picture> distorted(clip.distorted.rbegin(), clip.distorted.rend());
  std::vector<std::byte> record(measurement->record_size());
  Scratch scratch;
  measurement->measure({static_cast<std::int64_t>(reference.size()) - 1, reference, distorted},
                       scratch, record);
  return std::any_of(record.begin(), record.end(), [](std::byte b) { return b != std::byte{}; });
}

void expect_same_scores(const Metric& metric, const OptionText& text, const Clip& clip) {
  EXPECT_TRUE(has_score(metric, text, clip));
  expect_same_on_devices(metric, std::vector<OptionText>{text}, clip);
}

Clip noise_clip(const PictureFormat& format, int frames = 1, Pattern reference = Pattern::kRandom,
                Pattern distorted = Pattern::kTexture) {
  return parity::make_clip({format, reference, distorted, format.width % 4}, frames);
}

TEST(SpeedDeviceParity, SizesAndDepths) {
  for (const int depth : {8, 10, 12, 16}) {
    for (const int width : {240, 255, 341})
      expect_same_scores(speed_chroma_metric(), {}, noise_clip({width, 333, depth, Chroma::k444}));
    expect_same_scores(speed_temporal_metric(), {}, noise_clip({531, 247, depth, Chroma::k400}, 2));
  }
}

TEST(SpeedDeviceParity, ChromaFormats) {
  for (const Chroma chroma : {Chroma::k420, Chroma::k422, Chroma::k444})
    expect_same_scores(speed_chroma_metric(), {}, noise_clip({665, 499, 10, chroma}));
}

// 312 blocks, more than the threads of a team, and places that fill many turns.
TEST(SpeedDeviceParity, AsLargeAsHd) {
  expect_same_scores(speed_temporal_metric(), {},
                     noise_clip({1920, 1080, 8, Chroma::k400}, 2, Pattern::kTexture));
}

TEST(SpeedDeviceParity, EveryKernelScale) {
  for (const char* scale : {"0.1", "0.5", "1.5", "4"}) {
    expect_same_scores(speed_chroma_metric(), {{"ks", scale}},
                       noise_clip({251, 243, 8, Chroma::k444}));
  }
}

TEST(SpeedDeviceParity, EveryPrescale) {
  for (const char* method : kMethods) {
    for (const char* factor : {"0.6", "1.25", "3.3"}) {
      const OptionText text = {{"ps", factor}, {"psm", method}, {"snn", "0.19"}};
      expect_same_scores(speed_temporal_metric(), text, noise_clip({417, 431, 8, Chroma::k400}, 2));
      expect_same_on_devices(speed_chroma_metric(), text,
                             {{153, 145, 10, Chroma::k444}, Pattern::kRandom, Pattern::kTexture});
    }
  }
}

TEST(SpeedDeviceParity, VariantsOfAGroup) {
  std::vector<OptionText> variants;
  for (int mode = 0; mode < 7; ++mode) {
    variants.push_back({{"wvm", std::to_string(mode)}});
    variants.push_back({{"wvm", std::to_string(mode)}, {"nnf", "1"}, {"mxv", "0.5"}});
  }
  const Clip clip = noise_clip({333, 331, 8, Chroma::k444}, 1, Pattern::kExtremes);
  ASSERT_TRUE(has_score(speed_chroma_metric(), {}, clip));
  expect_same_on_devices(speed_chroma_metric(), variants, clip);
  expect_same_on_devices(speed_temporal_metric(),
                         std::vector<OptionText>{{}, {{"nnf", "0.3"}}, {{"nnf", "1"}}},
                         noise_clip({333, 331, 10, Chroma::k420}, 2));
}

TEST(SpeedDeviceParity, WindowOfTheChange) {
  const Clip clip = noise_clip({333, 331, 10, Chroma::k420}, 3);
  expect_same_scores(speed_temporal_metric(), {}, clip);
  expect_same_scores(speed_temporal_metric(), {{"urd", "true"}}, clip);
  expect_same_on_devices(speed_temporal_metric(), std::vector<OptionText>{{}},
                         noise_clip({333, 331, 10, Chroma::k420}));
}

// The invariants, on devices; speed_test.cc has those of the CPU. Equality with the CPU carries
// over what is tested there.

TEST(SpeedDeviceInvariants, MeansAndCovarianceAreGlobal) {
  expect_same_scores(speed_chroma_metric(), {}, noise_clip({976, 1040, 8, Chroma::k444}));
}

Clip with_half_contrast(Clip clip) {
  const PictureFormat format = clip.reference[0].format();
  clip.distorted[0] = parity::make_picture({format, Pattern::kFlat, 1, 0});
  for (int p = 0; p < format.planes(); ++p) {
    for (int y = 0; y < format.plane_height(p); ++y) {
      auto* const out = const_cast<std::uint8_t*>(clip.distorted[0].row<std::uint8_t>(p, y));
      for (int x = 0; x < format.plane_width(p); ++x)
        out[x] = static_cast<std::uint8_t>(64 + clip.reference[0].row<std::uint8_t>(p, y)[x] / 2);
    }
  }
  return clip;
}

// With the reference's eigenvalues, the distorted stream's entropies would be 50 too large.
TEST(SpeedDeviceInvariants, EachStreamHasItsOwnCovariance) {
  expect_same_scores(speed_chroma_metric(), {},
                     with_half_contrast(noise_clip({333, 331, 8, Chroma::k444})));
}

// The watching executor sees accesses beyond any shared array; this sees the CPU's.
TEST(SpeedDeviceInvariants, EigenvaluesStayInsideTheirMemory) {
  constexpr float kGuard = 12345;
  for (std::size_t size = 2; size <= speed::kElements; ++size) {
    std::array<float, speed::kElements + 2> diagonal;
    std::array<float, speed::kElements + 2> beside;
    diagonal.fill(kGuard);
    beside.fill(kGuard);
    std::fill_n(diagonal.begin() + 1, size, 2.0f);
    std::fill_n(beside.begin() + 1, size - 1, -1.0f);
    speed::diagonalize(std::span(diagonal).subspan(1, size),
                       std::span(beside).subspan(1, size - 1));
    EXPECT_EQ(diagonal[0], kGuard);
    EXPECT_EQ(diagonal[size + 1], kGuard);
    EXPECT_EQ(beside[0], kGuard);
    EXPECT_EQ(beside[size], kGuard);
  }
}

TEST(SpeedDeviceInvariants, SmallestPlanes) {
  for (const char* method : kMethods) {
    expect_same_on_devices(speed_temporal_metric(), {{"ps", "4"}, {"psm", method}},
                           {{20, 20, 8, Chroma::k400}, Pattern::kRandom, Pattern::kRandom}, 2);
  }
  expect_same_on_devices(speed_chroma_metric(), {},
                         {{159, 159, 8, Chroma::k420}, Pattern::kRandom, Pattern::kRandom});
}

// A device whose memory cannot be touched from here. It does nothing, and may fail at one call.
class Elsewhere final : public device::Driver {
 public:
  explicit Elsewhere(int failing_call = -1) : failing_call_(failing_call) {}

  const device::DeviceInfo& info() const override { return info_; }
  Result<void*> allocate(std::size_t bytes) override {
    if (const Status status = call(); !status) return status.error();
    next_ += bytes / 256 * 256 + 256;
    ++held;
    return reinterpret_cast<void*>(next_ - bytes / 256 * 256);
  }
  void release(void* /*memory*/) override { --held; }
  Result<void*> allocate_pinned(std::size_t bytes) override {
    if (const Status status = call(); !status) return status.error();
    ++held;
    return ::operator new(bytes);
  }
  void release_pinned(void* memory) override {
    --held;
    ::operator delete(memory);
  }
  Result<std::unique_ptr<device::Stream>> make_stream() override {
    if (const Status status = call(); !status) return status.error();
    return std::make_unique<device::Stream>();
  }
  Result<std::unique_ptr<device::Mark>> make_mark() override {
    return std::make_unique<device::Mark>();
  }
  Status upload(device::Stream& /*stream*/, void* /*to*/, const void* /*from*/,
                std::size_t /*bytes*/) override {
    return call();
  }
  Status download(device::Stream& /*stream*/, void* to, const void* /*from*/,
                  std::size_t bytes) override {
    std::memset(to, 0, bytes);
    return call();
  }
  Status zero(device::Stream& /*stream*/, void* /*memory*/, std::size_t /*bytes*/) override {
    return call();
  }
  Status launch(device::Stream& /*stream*/, const char* kernel, device::Grid /*grid*/,
                const void* /*arguments*/) override {
    launched.emplace_back(kernel);
    return call();
  }
  Status record(device::Stream& /*stream*/, device::Mark& /*mark*/) override { return call(); }
  Status wait(device::Stream& /*stream*/, const device::Mark& /*mark*/) override { return call(); }
  Status synchronize(device::Stream& /*stream*/) override { return {}; }

  int calls = 0;
  int held = 0;
  std::vector<std::string> launched;

 private:
  Status call() {
    if (calls++ == failing_call_) return Error{ErrorCode::kDevice, "the call failed", {}};
    return {};
  }

  const int failing_call_;
  std::uintptr_t next_ = 0xdead000000000000u;
  device::DeviceInfo info_{.backend = "elsewhere", .name = "elsewhere", .driver = {}};
};

Result<std::vector<std::byte>> measure_elsewhere(const std::shared_ptr<Elsewhere>& driver,
                                                 const Metric& metric) {
  const Clip clip = noise_clip({333, 331, 8, Chroma::k444}, 2);
  const auto measurement = measurement_of(metric, {}, clip.reference[0].format());
  const auto on_device = measurement->on_device(clip.reference[0].format());
  return parity::measure_on(driver, *on_device, {1, clip.reference, clip.distorted},
                            measurement->record_size());
}

TEST(SpeedDeviceInvariants, PicturesAreReadOnTheDeviceAlone) {
  for (const Metric* metric : {&speed_chroma_metric(), &speed_temporal_metric()}) {
    const auto driver = std::make_shared<Elsewhere>();
    EXPECT_TRUE(measure_elsewhere(driver, *metric).ok());
    EXPECT_EQ(driver->launched.size(), 3);
    EXPECT_EQ(driver->held, 0);
  }
}

// The watching executor refuses a barrier that some threads miss. Sizes and pictures here leave
// threads without places, blocks or a regular matrix.
TEST(SpeedDeviceInvariants, EveryThreadReachesEveryBarrier) {
  for (const int size : {80, 96, 160, 176, 256, 400}) {
    for (const Pattern pattern : {Pattern::kRandom, Pattern::kFlat})
      expect_same_on_devices(speed_chroma_metric(), {},
                             {{size, 80, 8, Chroma::k444}, Pattern::kRandom, pattern});
  }
}

// Planes 1 and 2 of two pictures.
Picture with_chroma(const Picture& u, const Picture& v) {
  struct Both {
    Picture u, v;
  };
  return Picture(u.format(), {u.plane(0), u.plane(1), v.plane(2)},
                 std::make_shared<const Both>(Both{u, v}));
}

TEST(SpeedDeviceInvariants, SingularCovarianceGivesZero) {
  const PictureFormat format{333, 331, 8, Chroma::k444};
  const auto picture = [&](Pattern pattern, std::uint64_t seed) {
    return parity::make_picture({format, pattern, seed, 0});
  };
  const Picture flat = picture(Pattern::kFlat, 1);
  const Picture noise = picture(Pattern::kRandom, 1);
  const Picture other = picture(Pattern::kRandom, 2);
  const std::vector<OptionText> plain = {{}};
  for (const auto& [reference, distorted] :
       {std::pair(flat, noise), {noise, flat}, {flat, flat}, {noise, noise}})
    expect_same_on_devices(speed_chroma_metric(), plain, Clip{{reference}, {distorted}});
  EXPECT_FALSE(has_score(speed_chroma_metric(), {}, {{flat}, {noise}}));
  // One channel survives.
  expect_same_scores(speed_chroma_metric(), {},
                     {{with_chroma(flat, noise)}, {with_chroma(flat, other)}});
  expect_same_scores(speed_chroma_metric(), {},
                     {{with_chroma(noise, noise)}, {with_chroma(other, flat)}});
  // A frozen reference, a frozen distorted stream.
  expect_same_on_devices(speed_temporal_metric(), plain, {{noise, noise}, {noise, other}});
  expect_same_on_devices(speed_temporal_metric(), plain, {{noise, other}, {noise, noise}});
  EXPECT_FALSE(has_score(speed_temporal_metric(), {}, {{noise, noise}, {noise, other}}));
}

TEST(SpeedDeviceInvariants, ScoresAreFinite) {
  for (const Pattern a : parity::kAllPatterns) {
    for (const Pattern b : {Pattern::kRamp, Pattern::kBars, Pattern::kExtremes})
      expect_same_on_devices(speed_chroma_metric(), {}, {{250, 245, 8, Chroma::k444}, a, b});
  }
}

// Clipping is the fold's, which does not know who measured.
TEST(SpeedDeviceInvariants, LargeScoresAreClipped) {
  const Clip clip = noise_clip({333, 331, 8, Chroma::k444});
  expect_same_scores(speed_chroma_metric(), {{"mxv", "0.5"}}, clip);
}

TEST(SpeedDeviceInvariants, OddChromaIsRoundedUp) {
  expect_same_scores(speed_chroma_metric(), {}, noise_clip({575, 479, 8, Chroma::k420}));
  expect_same_scores(speed_chroma_metric(), {}, noise_clip({479, 333, 10, Chroma::k422}));
}

TEST(SpeedDeviceInvariants, PrescaleAboveOneStaysInsideItsMemory) {
  for (const char* method : kMethods)
    expect_same_scores(speed_chroma_metric(), {{"ps", "4"}, {"psm", method}},
                       noise_clip({83, 91, 8, Chroma::k444}));
}

// 1e-6 as float is less than 1e-6 as double. The rest of the arithmetic is compared by the parity
// tests; roots and logarithms are those of every device.
TEST(SpeedDeviceInvariants, ThresholdsAreDouble) {
  constexpr float kLimit = 1e-6f;
  const float above = std::nextafter(kLimit, 1.0f);
  EXPECT_TRUE(speed::is_singular(kLimit));
  EXPECT_FALSE(speed::is_singular(above));
  EXPECT_EQ(speed::eigen::unless_negligible(kLimit, 1, 0), 0);
  EXPECT_EQ(speed::eigen::unless_negligible(above, 1, 0), above);
}

TEST(SpeedDeviceInvariants, ReciprocalRootsAreThoseOfDouble) {
  for (std::uint32_t bits = 0x3f800000; bits <= 0x40000000; ++bits) {
    const auto x = std::bit_cast<float>(bits);
    ASSERT_EQ(speed::eigen::reciprocal_root_by_whole_numbers(x), speed::eigen::reciprocal_root(x))
        << x;
  }
}

template <class... K>
std::set<std::string_view> names_of(device::KernelList<K...> /*list*/) {
  return {typeid(K).name()...};
}

template <class... K>
constexpr std::size_t count_of(device::KernelList<K...> /*list*/) {
  return sizeof...(K);
}

TEST(SpeedDeviceInvariants, KernelsHaveNamesOfTheirOwn) {
  const auto names = names_of(speed::Kernels());
  EXPECT_EQ(names.size(), count_of(speed::Kernels()));
  for (const std::string_view name : names) {
    EXPECT_NE(name.find("vmafx5speed"), std::string_view::npos) << name;
    EXPECT_TRUE(device::host::kernels().contains(name)) << name;
  }
}

TEST(SpeedDeviceInvariants, FailuresLeaveNothingBehind) {
  const auto working = std::make_shared<Elsewhere>();
  ASSERT_TRUE(measure_elsewhere(working, speed_temporal_metric()).ok());
  for (int failing = 0; failing < working->calls; ++failing) {
    const auto driver = std::make_shared<Elsewhere>(failing);
    const auto got = measure_elsewhere(driver, speed_temporal_metric());
    ASSERT_FALSE(got.ok()) << failing;
    EXPECT_EQ(got.error().code, ErrorCode::kDevice);
    EXPECT_EQ(driver->held, 0) << failing;
  }
}

}  // namespace
}  // namespace vmafx
