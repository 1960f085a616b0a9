// libvmaf's interface as its clients use it, and as they misuse it.
#include "libvmaf/libvmaf.h"

#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <clocale>
#include <cmath>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <sstream>
#include <string>
#include <thread>
#include <vector>

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include "compat/picture.h"
#include "libvmaf/version.h"
#include "metrics/parity_harness.h"
#include "vmafx/session.h"

namespace vmafx {
namespace {

using nlohmann::json;
using parity::Pattern;

// The layouts are the interface: programs pass these structs by value or allocate them.
static_assert(sizeof(VmafConfiguration) == 32 && offsetof(VmafConfiguration, cpumask) == 16);
static_assert(sizeof(VmafPicture) == 96 && offsetof(VmafPicture, w) == 8 &&
              offsetof(VmafPicture, stride) == 32 && offsetof(VmafPicture, data) == 56 &&
              offsetof(VmafPicture, ref) == 80 && offsetof(VmafPicture, priv) == 88);
static_assert(sizeof(VmafPictureConfiguration) == 20);
static_assert(sizeof(VmafModelConfig) == 16);
static_assert(sizeof(VmafModelCollectionScore) == 40);

constexpr PictureFormat kFormat{96, 64, 8, Chroma::k420};

Picture content(std::uint64_t seed, const PictureFormat& format = kFormat) {
  return parity::make_picture({format, Pattern::kTexture, seed, 0});
}
Picture reference(int frame) { return content(static_cast<std::uint64_t>(frame)); }
Picture distorted(int frame) { return content(1000 + static_cast<std::uint64_t>(frame)); }

VmafPixelFormat pixel_format(Chroma chroma) {
  return chroma == Chroma::k420   ? VMAF_PIX_FMT_YUV420P
         : chroma == Chroma::k422 ? VMAF_PIX_FMT_YUV422P
         : chroma == Chroma::k444 ? VMAF_PIX_FMT_YUV444P
                                  : VMAF_PIX_FMT_YUV400P;
}

// Any number as an enumerator, as C lets callers pass it.
template <class Enum>
Enum any(int value) {
  Enum result;
  std::memcpy(&result, &value, sizeof(result));
  return result;
}

// As FFmpeg fills pictures: row by row, through the fields of the struct.
void fill(const Picture& from, VmafPicture& to) {
  for (int p = 0; p < from.format().planes(); ++p) {
    ASSERT_EQ(to.w[p], static_cast<unsigned>(from.width(p)));
    for (unsigned y = 0; y < to.h[p]; ++y)
      std::memcpy(static_cast<std::byte*>(to.data[p]) + y * to.stride[p],
                  from.row<std::byte>(p, static_cast<int>(y)), to.w[p] * ((to.bpc + 7) / 8));
  }
}

VmafPicture allocated(const Picture& from) {
  const PictureFormat& format = from.format();
  VmafPicture picture;
  EXPECT_EQ(vmaf_picture_alloc(
                &picture, pixel_format(format.chroma), static_cast<unsigned>(format.bit_depth),
                static_cast<unsigned>(format.width), static_cast<unsigned>(format.height)),
            0);
  fill(from, picture);
  return picture;
}

bool is_zeroed(const VmafPicture& picture) {
  const VmafPicture zero = {};
  return std::memcmp(&picture, &zero, sizeof(zero)) == 0;
}

// A context that is closed at the end of a test.
class Client {
 public:
  explicit Client(VmafConfiguration config = {}) { EXPECT_EQ(vmaf_init(&vmaf_, config), 0); }
  ~Client() {
    if (vmaf_ != nullptr) {
      EXPECT_EQ(vmaf_close(vmaf_), 0);
    }
    for (VmafModel* model : models_) vmaf_model_destroy(model);
  }
  Client(const Client&) = delete;
  Client& operator=(const Client&) = delete;

  VmafContext* get() const { return vmaf_; }
  void close() {
    EXPECT_EQ(vmaf_close(vmaf_), 0);
    vmaf_ = nullptr;
  }

  VmafModel* load(const char* version, const char* name = nullptr) {
    VmafModelConfig config = {name, VMAF_MODEL_FLAGS_DEFAULT};
    VmafModel* model = nullptr;
    EXPECT_EQ(vmaf_model_load(&model, &config, version), 0);
    models_.push_back(model);
    return model;
  }
  VmafModel* use(const char* version, const char* name = nullptr) {
    VmafModel* model = load(version, name);
    EXPECT_EQ(vmaf_use_features_from_model(vmaf_, model), 0);
    return model;
  }

  int read(const Picture& reference, const Picture& distorted, unsigned index) {
    VmafPicture a = allocated(reference);
    VmafPicture b = allocated(distorted);
    const int code = vmaf_read_pictures(vmaf_, &a, &b, index);
    EXPECT_TRUE(is_zeroed(a) && is_zeroed(b));
    return code;
  }
  int read(int frame) {
    return read(reference(frame), distorted(frame), static_cast<unsigned>(frame));
  }
  int flush() { return vmaf_read_pictures(vmaf_, nullptr, nullptr, 0); }

  int feature(const char* name, unsigned index, double* score) {
    return vmaf_feature_score_at_index(vmaf_, name, score, index);
  }
  double pooled(VmafModel* model, VmafPoolingMethod method, unsigned low, unsigned high) {
    double score = std::nan("");
    EXPECT_EQ(vmaf_score_pooled(vmaf_, model, method, &score, low, high), 0);
    return score;
  }

 private:
  VmafContext* vmaf_ = nullptr;
  std::vector<VmafModel*> models_;
};

VmafFeatureDictionary* options(std::initializer_list<std::pair<const char*, const char*>> pairs) {
  VmafFeatureDictionary* dictionary = nullptr;
  for (const auto& [key, value] : pairs)
    EXPECT_EQ(vmaf_feature_dictionary_set(&dictionary, key, value), 0);
  return dictionary;
}

// What standard error gets while `f` runs.
template <class F>
std::string logged(F&& f) {
  testing::internal::CaptureStderr();
  f();
  return testing::internal::GetCapturedStderr();
}

// Tests run beside each other, each in a process of its own.
std::filesystem::path output_path() {
  return std::filesystem::temp_directory_path() /
         ("vmafx_compat_" + std::to_string(getpid()) + ".out");
}

json json_output(VmafContext* vmaf) {
  const auto path = output_path();
  EXPECT_EQ(vmaf_write_output(vmaf, path.c_str(), VMAF_OUTPUT_FORMAT_JSON), 0);
  std::ifstream file(path);
  std::stringstream text;
  text << file.rdbuf();
  file.close();
  std::filesystem::remove(path);
  return json::parse(text.str());
}

Scores session_scores(int frames) {
  Session session({.threads = 1});
  EXPECT_TRUE(session.add_model(*load_model({.version = "vmaf_v0.6.1"})).ok());
  EXPECT_TRUE(session.add_metric("psnr", {}).ok());
  for (int i = 0; i < frames; ++i) EXPECT_TRUE(session.submit(reference(i), distorted(i)).ok());
  EXPECT_TRUE(session.finish().ok());
  return session.scores();
}

TEST(Compat, ScoresAreTheSessionsForEveryNumberOfThreads) {
  constexpr int kFrames = 7;
  const Scores expected = session_scores(kFrames);
  for (const unsigned threads : {0u, 1u, 2u, 4u, 100000u}) {
    Client client({VMAF_LOG_LEVEL_ERROR, threads, 0, 0, 0});
    VmafModel* model = client.use("vmaf_v0.6.1");
    ASSERT_EQ(vmaf_use_feature(client.get(), "psnr", nullptr), 0);
    for (int i = 0; i < kFrames; ++i) ASSERT_EQ(client.read(i), 0);
    ASSERT_EQ(client.flush(), 0);
    for (const Column& column : expected.columns) {
      for (unsigned i = 0; i < kFrames; ++i) {
        double score = 0;
        ASSERT_EQ(client.feature(column.key.c_str(), i, &score), 0) << column.key;
        EXPECT_EQ(score, column.values[i]) << column.key << " of frame " << i;
      }
    }
    double score = 0;
    ASSERT_EQ(vmaf_score_at_index(client.get(), model, &score, 3), 0);
    EXPECT_EQ(score, expected.columns.back().values[3]);
    if (threads == 100000) break;
    const json report = json_output(client.get());
    ASSERT_EQ(report["frames"].size(), 7u);
    EXPECT_EQ(report["frames"][0]["metrics"].size(), expected.columns.size());
  }
}

TEST(Compat, Pools) {
  Client client;
  VmafModel* model = client.use("vmaf_v0.6.1");
  for (int i = 0; i < 5; ++i) ASSERT_EQ(client.read(i), 0);
  ASSERT_EQ(client.flush(), 0);
  std::vector<double> scores(5);
  for (unsigned i = 0; i < 5; ++i)
    ASSERT_EQ(vmaf_score_at_index(client.get(), model, &scores[i], i), 0);
  double sum = 0;
  double inverses = 0;
  for (int i = 1; i <= 3; ++i) {
    sum += scores[static_cast<std::size_t>(i)];
    inverses += 1 / (scores[static_cast<std::size_t>(i)] + 1);
  }
  EXPECT_EQ(client.pooled(model, VMAF_POOL_METHOD_MEAN, 1, 3), sum / 3);
  EXPECT_EQ(client.pooled(model, VMAF_POOL_METHOD_HARMONIC_MEAN, 1, 3), 3 / inverses - 1);
  EXPECT_EQ(client.pooled(model, VMAF_POOL_METHOD_MIN, 1, 3),
            std::min({scores[1], scores[2], scores[3]}));
  EXPECT_EQ(client.pooled(model, VMAF_POOL_METHOD_MAX, 1, 3),
            std::max({scores[1], scores[2], scores[3]}));
  double score = 0;
  EXPECT_EQ(vmaf_feature_score_pooled(client.get(), "vmaf", VMAF_POOL_METHOD_MEAN, &score, 1, 3),
            0);
  EXPECT_EQ(score, sum / 3);
  for (const int method : {0, 5, 77, -1})
    EXPECT_EQ(vmaf_score_pooled(client.get(), model, any<VmafPoolingMethod>(method), &score, 0, 1),
              -EINVAL);
  EXPECT_EQ(vmaf_score_pooled(client.get(), model, VMAF_POOL_METHOD_MEAN, &score, 3, 2), -EINVAL);
  EXPECT_EQ(vmaf_score_pooled(client.get(), model, VMAF_POOL_METHOD_MEAN, &score, 0, 5), -EINVAL);
  EXPECT_EQ(vmaf_score_pooled(client.get(), model, VMAF_POOL_METHOD_MEAN, &score, 0, 0xffffffffu),
            -EINVAL);
}

TEST(Compat, ScoresAreThereAsSoonAsTheirFramesAre) {  // known bug A17
  for (const unsigned threads : {0u, 3u}) {
    Client client({VMAF_LOG_LEVEL_NONE, threads, 0, 0, 0});
    VmafModel* model = client.use("vmaf_v0.6.1");
    double score = 0;
    EXPECT_EQ(vmaf_score_at_index(client.get(), model, &score, 0), -EAGAIN);
    for (int i = 0; i < 6; ++i) {
      ASSERT_EQ(client.read(i), 0);
      const auto index = static_cast<unsigned>(i);
      EXPECT_EQ(vmaf_score_at_index(client.get(), model, &score, index), -EAGAIN);
      if (i == 0) continue;
      EXPECT_EQ(vmaf_score_at_index(client.get(), model, &score, index - 1), 0);
      EXPECT_EQ(client.pooled(model, VMAF_POOL_METHOD_MIN, index - 1, index - 1), score);
      EXPECT_EQ(vmaf_score_pooled(client.get(), model, VMAF_POOL_METHOD_MEAN, &score, 0, index),
                -EAGAIN);
    }
    ASSERT_EQ(client.flush(), 0);
    EXPECT_EQ(vmaf_score_at_index(client.get(), model, &score, 5), 0);
    EXPECT_EQ(vmaf_score_at_index(client.get(), model, &score, 6), -EINVAL);
  }
}

TEST(Compat, FiveFrameWindowNeedsTwoMoreFrames) {
  Client client({VMAF_LOG_LEVEL_NONE, 2, 0, 0, 0});
  ASSERT_EQ(
      vmaf_use_feature(client.get(), "motion", options({{"motion_five_frame_window", "true"}})), 0);
  double score = 0;
  for (int i = 0; i < 5; ++i) {
    ASSERT_EQ(client.read(i), 0);
    if (i < 2) continue;
    EXPECT_EQ(client.feature("integer_motion2_mffw", static_cast<unsigned>(i - 2), &score), 0);
    EXPECT_EQ(client.feature("integer_motion2_mffw", static_cast<unsigned>(i), &score), -EAGAIN);
  }
}

TEST(Compat, IndexesOutOfOrderAreRefusedAtOnce) {
  Client client({VMAF_LOG_LEVEL_ERROR, 2, 0, 0, 0});
  ASSERT_EQ(vmaf_use_feature(client.get(), "psnr", nullptr), 0);
  const auto refused = [&](unsigned index, const char* line) {
    EXPECT_EQ(logged([&] { EXPECT_EQ(client.read(reference(0), distorted(0), index), -EINVAL); }),
              line);
  };
  refused(1,
          "libvmaf ERROR vmaf_read_pictures: pictures 1 come where pictures 0 are due (indexes are "
          "0, 1, 2 and so on)\n");
  ASSERT_EQ(client.read(0), 0);
  refused(0,
          "libvmaf ERROR vmaf_read_pictures: pictures 0 come where pictures 1 are due (indexes are "
          "0, 1, 2 and so on)\n");
  refused(2,
          "libvmaf ERROR vmaf_read_pictures: pictures 2 come where pictures 1 are due (indexes are "
          "0, 1, 2 and so on)\n");
  ASSERT_EQ(client.read(1), 0);
  ASSERT_EQ(client.flush(), 0);
  refused(2, "libvmaf ERROR vmaf_read_pictures: pictures 2 come after the flush\n");
  EXPECT_EQ(client.flush(), -EINVAL);
  double score = 0;
  EXPECT_EQ(client.feature("psnr_y", 1, &score), 0);
}

TEST(Compat, PicturesOfAnotherFormatAreRefusedAndTheRunGoesOn) {
  Client client({VMAF_LOG_LEVEL_NONE, 0, 0, 0, 0});
  ASSERT_EQ(vmaf_use_feature(client.get(), "psnr", nullptr), 0);
  ASSERT_EQ(client.read(0), 0);
  for (const PictureFormat& other :
       {PictureFormat{98, 64, 8, Chroma::k420}, PictureFormat{96, 66, 8, Chroma::k420},
        PictureFormat{96, 64, 10, Chroma::k420}, PictureFormat{96, 64, 8, Chroma::k444}}) {
    EXPECT_EQ(client.read(content(1, other), content(2, other), 1), -EINVAL);
    EXPECT_EQ(client.read(reference(1), content(2, other), 1), -EINVAL);
  }
  ASSERT_EQ(client.read(1), 0);
  EXPECT_EQ(client.flush(), 0);
}

TEST(Compat, DepthsThatDifferAreRefusedInTheFirstPair) {
  Client client({VMAF_LOG_LEVEL_NONE, 0, 0, 0, 0});
  ASSERT_EQ(vmaf_use_feature(client.get(), "psnr", nullptr), 0);
  const PictureFormat deep{96, 64, 10, Chroma::k420};
  EXPECT_EQ(client.read(content(1), content(2, deep), 0), -EINVAL);
  // The right pair may follow, of either format.
  ASSERT_EQ(client.read(content(1, deep), content(2, deep), 0), 0);
  EXPECT_EQ(client.flush(), 0);

  Client none({VMAF_LOG_LEVEL_NONE, 0, 0, 0, 0});
  ASSERT_EQ(vmaf_use_feature(none.get(), "psnr", nullptr), 0);
  EXPECT_EQ(none.read(content(1), content(2, deep), 0), -EINVAL);
  EXPECT_EQ(none.flush(), -EINVAL);
}

TEST(Compat, AnErrorWhileMeasuringIsReturnedByLaterCallsAndTheFlush) {
  // Heat maps go where a file is in the way, which nobody knows before the first one is written.
  const auto path = output_path();
  std::ofstream(path) << "in the way";
  for (const unsigned threads : {0u, 2u}) {
    Client client({VMAF_LOG_LEVEL_ERROR, threads, 0, 0, 0});
    ASSERT_EQ(vmaf_use_feature(client.get(), "cambi", options({{"heatmaps_path", path.c_str()}})),
              0);
    ASSERT_EQ(vmaf_use_feature(client.get(), "psnr", nullptr), 0);
    const PictureFormat format{320, 240, 8, Chroma::k420};
    int code = 0;
    const std::string lines = logged([&] {
      unsigned index = 0;
      for (; code == 0 && index < 200; ++index)
        code = client.read(content(index, format), content(9, format), index);
      EXPECT_EQ(client.read(content(1, format), content(9, format), index - 1), code);
      EXPECT_EQ(client.flush(), code);
    });
    EXPECT_EQ(code, -EIO);
    EXPECT_NE(lines.find(path.string()), std::string::npos) << lines;
    EXPECT_EQ(std::count(lines.begin(), lines.end(), '\n'), 3) << lines;
  }
  std::filesystem::remove(path);
}

TEST(Compat, ClosedWhileAnotherThreadCalls) {
  for (int round = 0; round < 10; ++round) {
    Client client({VMAF_LOG_LEVEL_NONE, 2, 0, 0, 0});
    client.use("vmaf_v0.6.1");
    ASSERT_EQ(client.read(0), 0);
    std::thread other([vmaf = client.get()] {
      double score = 0;
      int code = 0;
      logged([&] {
        while (code != -EINVAL) code = vmaf_feature_score_at_index(vmaf, "integer_adm2", &score, 0);
      });
    });
    ASSERT_EQ(client.read(1), 0);
    client.close();
    other.join();
  }
}

TEST(Compat, SamplesAboveTheDepthAreRefused) {
  Client client({VMAF_LOG_LEVEL_ERROR, 0, 0, 0, 0});
  ASSERT_EQ(vmaf_use_feature(client.get(), "cambi", nullptr), 0);
  const PictureFormat deep{320, 240, 10, Chroma::k420};
  VmafPicture a = allocated(content(1, deep));
  VmafPicture b = allocated(content(2, deep));
  static_cast<std::uint16_t*>(b.data[0])[5] = 65535;
  EXPECT_EQ(logged([&] { EXPECT_EQ(vmaf_read_pictures(client.get(), &a, &b, 0), -EINVAL); }),
            "libvmaf ERROR vmaf_read_pictures: the distorted picture: frame 0, luma row 0, column "
            "5 holds 65535, but the largest 10-bit sample is 1023 (check the bit depth; samples "
            "must be in the low bits)\n");
}

TEST(Compat, OddSizesAndEveryFormatAndDepth) {
  for (const Chroma chroma : {Chroma::k400, Chroma::k420, Chroma::k422, Chroma::k444}) {
    for (const int depth : {8, 9, 10, 12, 16}) {
      const PictureFormat format{33, 35, depth, chroma};
      Client client;
      ASSERT_EQ(vmaf_use_feature(client.get(), "psnr", nullptr), 0);
      ASSERT_EQ(client.read(content(1, format), content(2, format), 0), 0);
      ASSERT_EQ(client.flush(), 0);
      double score = 0;
      EXPECT_EQ(client.feature("psnr_y", 0, &score), 0);
      EXPECT_EQ(client.feature("psnr_cb", 0, &score), chroma == Chroma::k400 ? -EINVAL : 0);
      EXPECT_EQ(json_output(client.get())["pooled_metrics"].contains("psnr_cb"),
                chroma != Chroma::k400);
    }
  }
}

TEST(Compat, WhatDoesNotApplyIsLeftOutWithALine) {
  Client client({VMAF_LOG_LEVEL_WARNING, 0, 0, 0, 0});
  VmafModel* model = client.use("vmaf_v0.6.1");
  ASSERT_EQ(vmaf_use_feature(client.get(), "psnr", nullptr), 0);
  const PictureFormat tiny{16, 16, 8, Chroma::k420};
  const std::string lines =
      logged([&] { EXPECT_EQ(client.read(content(1, tiny), content(2, tiny), 0), 0); });
  EXPECT_EQ(lines.rfind("libvmaf WARNING vmaf is left out: ", 0), 0u) << lines;
  ASSERT_EQ(client.flush(), 0);
  double score = 0;
  EXPECT_EQ(vmaf_score_at_index(client.get(), model, &score, 0), -EINVAL);
  EXPECT_EQ(client.feature("psnr_y", 0, &score), 0);

  Client alone({VMAF_LOG_LEVEL_NONE, 0, 0, 0, 0});
  alone.use("vmaf_v0.6.1");
  const PictureFormat dot{2, 2, 8, Chroma::k420};
  EXPECT_EQ(alone.read(content(1, dot), content(2, dot), 0), -EINVAL);
}

TEST(Compat, PicturesAreTakenOnEveryReturn) {
  Client client({VMAF_LOG_LEVEL_NONE, 0, 0, 0, 0});
  std::weak_ptr<compat::PictureMemory> memory;
  const auto make = [&] {
    VmafPicture picture = allocated(reference(0));
    memory = picture.ref->memory;
    return picture;
  };
  VmafPicture alone = make();
  EXPECT_EQ(vmaf_read_pictures(client.get(), &alone, nullptr, 0), -EINVAL);
  EXPECT_TRUE(is_zeroed(alone) && memory.expired());
  alone = make();
  EXPECT_EQ(vmaf_read_pictures(client.get(), nullptr, &alone, 0), -EINVAL);
  EXPECT_TRUE(is_zeroed(alone) && memory.expired());
  VmafPicture other = allocated(reference(0));
  alone = make();
  EXPECT_EQ(vmaf_read_pictures(nullptr, &other, &alone, 0), -EINVAL);
  EXPECT_TRUE(is_zeroed(alone) && is_zeroed(other) && memory.expired());
  // No feature was asked for.
  other = allocated(reference(0));
  alone = make();
  EXPECT_EQ(vmaf_read_pictures(client.get(), &other, &alone, 0), -EINVAL);
  EXPECT_TRUE(is_zeroed(alone) && is_zeroed(other) && memory.expired());
  EXPECT_EQ(vmaf_picture_unref(&alone), -EINVAL);
}

TEST(Compat, OnePictureMayBeBothOfAPair) {
  Client client;
  ASSERT_EQ(vmaf_use_feature(client.get(), "psnr", nullptr), 0);
  VmafPicture picture = allocated(reference(0));
  ASSERT_EQ(vmaf_read_pictures(client.get(), &picture, &picture, 0), 0);
  EXPECT_TRUE(is_zeroed(picture));
  ASSERT_EQ(client.flush(), 0);
  double score = 0;
  ASSERT_EQ(client.feature("psnr_y", 0, &score), 0);
  EXPECT_EQ(score, 60);
}

TEST(Compat, PicturesThatAreNotOursOrWereChangedAreRefused) {
  Client client({VMAF_LOG_LEVEL_NONE, 0, 0, 0, 0});
  ASSERT_EQ(vmaf_use_feature(client.get(), "psnr", nullptr), 0);
  const auto refused = [&](VmafPicture bad) {
    VmafPicture good = allocated(reference(0));
    EXPECT_EQ(vmaf_read_pictures(client.get(), &good, &bad, 0), -EINVAL);
    EXPECT_TRUE(is_zeroed(bad) && is_zeroed(good));
  };
  refused(VmafPicture{});
  VmafPicture foreign = {};
  int nothing = 0;
  foreign.ref = reinterpret_cast<VmafRef*>(&nothing);
  refused(foreign);
  VmafPicture released = allocated(reference(0));
  const VmafPicture copy = released;
  ASSERT_EQ(vmaf_picture_unref(&released), 0);
  EXPECT_TRUE(is_zeroed(released));
  EXPECT_EQ(vmaf_picture_unref(&released), -EINVAL);
  refused(copy);
  VmafPicture changed = allocated(reference(0));
  changed.w[0] += 1000;
  refused(changed);
  changed = allocated(reference(0));
  changed.data[1] = &nothing;
  refused(changed);
  changed = allocated(reference(0));
  changed.stride[0] = 1 << 30;
  refused(changed);
  changed = allocated(reference(0));
  changed.bpc = 16;
  refused(changed);
  ASSERT_EQ(client.read(0), 0);
}

TEST(Compat, AllocRefusesWhatThereIsNot) {
  VmafPicture picture;
  const auto alloc = [&](int format, unsigned bpc, unsigned w, unsigned h) {
    int code = 0;
    EXPECT_NE(logged([&] {
                code = vmaf_picture_alloc(&picture, any<VmafPixelFormat>(format), bpc, w, h);
              }),
              "");
    return code;
  };
  EXPECT_EQ(alloc(0, 8, 16, 16), -EINVAL);
  EXPECT_EQ(alloc(5, 8, 16, 16), -EINVAL);
  EXPECT_EQ(alloc(-1, 8, 16, 16), -EINVAL);
  EXPECT_EQ(alloc(1, 7, 16, 16), -EINVAL);
  EXPECT_EQ(alloc(1, 17, 16, 16), -EINVAL);
  EXPECT_EQ(alloc(1, 0xffffffffu, 16, 16), -EINVAL);
  EXPECT_EQ(alloc(1, 8, 0, 16), -EINVAL);
  EXPECT_EQ(alloc(1, 8, 16, 0), -EINVAL);
  EXPECT_EQ(alloc(1, 8, 40000, 16), -EINVAL);
  EXPECT_EQ(alloc(1, 8, 0xffffffffu, 0xffffffffu), -EINVAL);
}

TEST(Compat, RowsAreAlignedAndChromaIsRoundedUp) {
  VmafPicture picture;
  ASSERT_EQ(vmaf_picture_alloc(&picture, VMAF_PIX_FMT_YUV420P, 10, 17, 33), 0);
  EXPECT_EQ(picture.w[1], 9u);
  EXPECT_EQ(picture.h[2], 17u);
  for (int p = 0; p < 3; ++p) {
    EXPECT_EQ(reinterpret_cast<std::uintptr_t>(picture.data[p]) % 64, 0u);
    EXPECT_EQ(picture.stride[p] % 64, 0);
    for (unsigned y = 0; y < picture.h[p]; ++y)
      for (unsigned x = 0; x < picture.w[p]; ++x)
        ASSERT_EQ(*reinterpret_cast<std::uint16_t*>(static_cast<std::byte*>(picture.data[p]) +
                                                    y * picture.stride[p] + 2 * x),
                  0);
  }
  ASSERT_EQ(vmaf_picture_unref(&picture), 0);
}

TEST(Compat, MemoryIsBoundedHoweverFastFramesCome) {  // known bug B10
  constexpr unsigned kThreads = 2;
  Client client({VMAF_LOG_LEVEL_ERROR, kThreads, 0, 0, 0});
  const PictureFormat format{320, 240, 8, Chroma::k420};
  client.use("vmaf_v1.0.16_3d0h");
  ASSERT_EQ(vmaf_use_feature(client.get(), "speed_temporal", nullptr), 0);
  unsigned most = 0;
  std::vector<std::weak_ptr<compat::PictureMemory>> all;
  for (int i = 0; i < 30; ++i) {
    VmafPicture a = allocated(content(static_cast<unsigned>(i), format));
    VmafPicture b = allocated(content(7, format));
    all.emplace_back(a.ref->memory);
    all.emplace_back(b.ref->memory);
    ASSERT_EQ(vmaf_read_pictures(client.get(), &a, &b, static_cast<unsigned>(i)), 0);
    unsigned alive = 0;
    for (const auto& memory : all) alive += memory.expired() ? 0 : 1;
    // The pairs in flight; before them the five-frame window looks back at two pictures of the
    // reference, and speed_temporal at a distorted one.
    EXPECT_LE(alive, 2 * (kThreads + 1) + 3);
    most = std::max(most, alive);
  }
  EXPECT_GE(most, 2 * kThreads);  // the calls ran ahead until they had to wait
  ASSERT_EQ(client.flush(), 0);
}

TEST(Compat, PoolsGiveTheirPicturesAgain) {
  Client client({VMAF_LOG_LEVEL_ERROR, 2, 0, 0, 0});
  ASSERT_EQ(vmaf_use_feature(client.get(), "psnr", nullptr), 0);
  const VmafPictureConfiguration config = {{96, 64, 8, VMAF_PIX_FMT_YUV420P}, 2};
  ASSERT_EQ(vmaf_preallocate_pictures(client.get(), config), 0);
  std::vector<void*> seen;
  for (int i = 0; i < 20; ++i) {
    VmafPicture a;
    VmafPicture b;
    ASSERT_EQ(vmaf_fetch_preallocated_picture(client.get(), &a), 0);
    ASSERT_EQ(vmaf_fetch_preallocated_picture(client.get(), &b), 0);
    fill(reference(i), a);
    fill(distorted(i), b);
    if (i == 0) seen = {a.data[0], b.data[0]};
    EXPECT_EQ(std::count(seen.begin(), seen.end(), a.data[0]), 1);
    EXPECT_NE(a.data[0], b.data[0]);
    ASSERT_EQ(vmaf_read_pictures(client.get(), &a, &b, static_cast<unsigned>(i)), 0);
  }
  ASSERT_EQ(client.flush(), 0);
}

TEST(Compat, APoolTooSmallForTheWindowIsRefusedAndALargerOneNeverStalls) {
  for (const unsigned threads : {0u, 4u}) {
    for (const unsigned count : {2u, 3u, 4u}) {
      Client client({VMAF_LOG_LEVEL_NONE, threads, 0, 0, 0});
      ASSERT_EQ(
          vmaf_use_feature(client.get(), "motion", options({{"motion_five_frame_window", "true"}})),
          0);
      const VmafPictureConfiguration config = {{96, 64, 8, VMAF_PIX_FMT_YUV420P}, count};
      ASSERT_EQ(vmaf_preallocate_pictures(client.get(), config), 0);
      for (unsigned i = 0; i < 10; ++i) {
        VmafPicture a;
        VmafPicture b;
        ASSERT_EQ(vmaf_fetch_preallocated_picture(client.get(), &a), 0);
        ASSERT_EQ(vmaf_fetch_preallocated_picture(client.get(), &b), 0);
        // A pool that was refused is refused again; its pictures come back all the same.
        EXPECT_EQ(vmaf_read_pictures(client.get(), &a, &b, count < 4 ? 0 : i),
                  count < 4 ? -EINVAL : 0);
      }
    }
  }
}

TEST(Compat, PoolsRefuseWhatThereIsNot) {
  Client client({VMAF_LOG_LEVEL_NONE, 0, 0, 0, 0});
  VmafPicture picture;
  EXPECT_EQ(vmaf_fetch_preallocated_picture(client.get(), &picture), -EINVAL);
  for (const unsigned count : {0u, 1u})
    EXPECT_EQ(vmaf_preallocate_pictures(client.get(), {{96, 64, 8, VMAF_PIX_FMT_YUV420P}, count}),
              -EINVAL);
  EXPECT_EQ(
      vmaf_preallocate_pictures(client.get(), {{96, 64, 8, VMAF_PIX_FMT_YUV420P}, 0xffffffffu}),
      -EINVAL);
  EXPECT_EQ(vmaf_preallocate_pictures(client.get(), {{0, 64, 8, VMAF_PIX_FMT_YUV420P}, 4}),
            -EINVAL);
  EXPECT_EQ(vmaf_preallocate_pictures(client.get(), {{96, 64, 8, VMAF_PIX_FMT_UNKNOWN}, 4}),
            -EINVAL);
  ASSERT_EQ(vmaf_preallocate_pictures(client.get(), {{96, 64, 8, VMAF_PIX_FMT_YUV420P}, 4}), 0);
  EXPECT_EQ(vmaf_preallocate_pictures(client.get(), {{96, 64, 8, VMAF_PIX_FMT_YUV420P}, 4}),
            -EINVAL);
  EXPECT_EQ(vmaf_fetch_preallocated_picture(client.get(), nullptr), -EINVAL);
}

TEST(Compat, ClosesAtAnyMoment) {
  Client untouched;
  untouched.close();
  {
    Client busy({VMAF_LOG_LEVEL_ERROR, 2, 0, 0, 0});
    busy.use("vmaf_v0.6.1");
    for (int i = 0; i < 4; ++i) ASSERT_EQ(busy.read(i), 0);
    busy.close();
  }
  {
    Client failed({VMAF_LOG_LEVEL_NONE, 2, 0, 0, 0});
    failed.use("vmaf_v0.6.1");
    ASSERT_EQ(failed.read(0), 0);
    ASSERT_EQ(failed.read(reference(0), distorted(0), 9), -EINVAL);
    failed.close();
  }
  Client holding;
  ASSERT_EQ(vmaf_preallocate_pictures(holding.get(), {{96, 64, 8, VMAF_PIX_FMT_YUV420P}, 2}), 0);
  VmafPicture picture;
  ASSERT_EQ(vmaf_fetch_preallocated_picture(holding.get(), &picture), 0);
  holding.close();
  fill(reference(0), picture);
  EXPECT_EQ(vmaf_picture_unref(&picture), 0);
}

TEST(Compat, ImportedScoresAreReadPooledAndReported) {
  Client client({VMAF_LOG_LEVEL_NONE, 0, 0, 0, 0});
  for (unsigned i = 0; i < 3; ++i)
    ASSERT_EQ(vmaf_import_feature_score(client.get(), "feature_a", 100. * (i + 1), i), 0);
  EXPECT_EQ(vmaf_import_feature_score(client.get(), "feature_a", 1, 2), -EINVAL);
  double score = 0;
  ASSERT_EQ(client.feature("feature_a", 1, &score), 0);
  EXPECT_EQ(score, 200);
  ASSERT_EQ(
      vmaf_feature_score_pooled(client.get(), "feature_a", VMAF_POOL_METHOD_MEAN, &score, 0, 2), 0);
  EXPECT_EQ(score, 200);
  EXPECT_EQ(json_output(client.get())["frames"][2]["metrics"]["feature_a"], 300);

  ASSERT_EQ(vmaf_use_feature(client.get(), "psnr", nullptr), 0);
  ASSERT_EQ(client.read(0), 0);
  ASSERT_EQ(client.flush(), 0);
  EXPECT_EQ(vmaf_import_feature_score(client.get(), "psnr_y", 1, 0), -EINVAL);
  EXPECT_EQ(vmaf_import_feature_score(client.get(), "psnr_y", 1, 7), -EINVAL);
  EXPECT_EQ(vmaf_import_feature_score(client.get(), "", 1, 7), -EINVAL);
  ASSERT_EQ(vmaf_import_feature_score(client.get(), "feature_b", 7, 4000000000u), 0);
  const json report = json_output(client.get());
  ASSERT_EQ(report["frames"].size(), 4u);
  EXPECT_TRUE(report["frames"][0]["metrics"].contains("psnr_y"));
  EXPECT_EQ(report["frames"][0]["metrics"]["feature_a"], 100);
  EXPECT_EQ(report["frames"][1]["metrics"], json({{"feature_a", 200.}}));
  EXPECT_EQ(report["frames"][3]["frameNum"], 4000000000u);
}

TEST(Compat, ImportedScoresDoNotHideMeasuredOnes) {
  Client client({VMAF_LOG_LEVEL_NONE, 0, 0, 0, 0});
  ASSERT_EQ(vmaf_use_feature(client.get(), "psnr", nullptr), 0);
  ASSERT_EQ(vmaf_import_feature_score(client.get(), "psnr_y", 1, 0), 0);
  EXPECT_EQ(client.read(0), -EINVAL);
}

TEST(Compat, ModelsAreScoredFromImportedFeatures) {
  Client measured;
  VmafModel* used = measured.use("vmaf_v0.6.1");
  for (int i = 0; i < 2; ++i) ASSERT_EQ(measured.read(i), 0);
  ASSERT_EQ(measured.flush(), 0);

  Client imported({VMAF_LOG_LEVEL_NONE, 0, 0, 0, 0});
  VmafModel* model = imported.load("vmaf_v0.6.1");
  double score = 0;
  EXPECT_EQ(vmaf_score_at_index(imported.get(), model, &score, 0), -EAGAIN);
  for (const char* key : {"integer_adm2", "integer_motion2", "integer_vif_scale0",
                          "integer_vif_scale1", "integer_vif_scale2", "integer_vif_scale3"}) {
    for (unsigned i = 0; i < 2; ++i) {
      ASSERT_EQ(measured.feature(key, i, &score), 0) << key;
      ASSERT_EQ(vmaf_import_feature_score(imported.get(), key, score, i), 0);
    }
  }
  for (const auto method : {VMAF_POOL_METHOD_MIN, VMAF_POOL_METHOD_MEAN})
    EXPECT_EQ(imported.pooled(model, method, 0, 1), measured.pooled(used, method, 0, 1));
}

TEST(Compat, Collections) {
  Client client;
  VmafModel* model = nullptr;
  VmafModelCollection* collection = nullptr;
  VmafModelConfig config = {"boot", VMAF_MODEL_FLAGS_DEFAULT};
  ASSERT_EQ(vmaf_model_collection_load(&model, &collection, &config, "vmaf_b_v0.6.3"), 0);
  // Registered once, whichever of the two handles is used and how often.
  ASSERT_EQ(vmaf_use_features_from_model(client.get(), model), 0);
  ASSERT_EQ(vmaf_use_features_from_model_collection(client.get(), collection), 0);
  for (int i = 0; i < 3; ++i) ASSERT_EQ(client.read(i), 0);
  ASSERT_EQ(client.flush(), 0);
  VmafModelCollectionScore score = {};
  double mean = 0;
  for (unsigned i = 0; i < 3; ++i) {
    ASSERT_EQ(vmaf_score_at_index_model_collection(client.get(), collection, &score, i), 0);
    EXPECT_EQ(score.type, VMAF_MODEL_COLLECTION_SCORE_BOOTSTRAP);
    double value = 0;
    ASSERT_EQ(client.feature("boot_bagging", i, &value), 0);
    EXPECT_EQ(score.bootstrap.bagging_score, value);
    ASSERT_EQ(client.feature("boot_stddev", i, &value), 0);
    EXPECT_EQ(score.bootstrap.stddev, value);
    ASSERT_EQ(client.feature("boot_ci_p95_lo", i, &value), 0);
    EXPECT_EQ(score.bootstrap.ci.p95.lo, value);
    ASSERT_EQ(client.feature("boot_ci_p95_hi", i, &value), 0);
    EXPECT_EQ(score.bootstrap.ci.p95.hi, value);
    mean += score.bootstrap.bagging_score;
  }
  ASSERT_EQ(vmaf_score_pooled_model_collection(client.get(), collection, VMAF_POOL_METHOD_MEAN,
                                               &score, 0, 2),
            0);
  EXPECT_EQ(score.bootstrap.bagging_score, mean / 3);
  double main = 0;
  ASSERT_EQ(vmaf_score_at_index(client.get(), model, &main, 1), 0);
  double key = 0;
  ASSERT_EQ(client.feature("boot", 1, &key), 0);
  EXPECT_EQ(main, key);
  // A context goes on with models whose handles are gone.
  vmaf_model_destroy(model);
  vmaf_model_collection_destroy(collection);
  EXPECT_EQ(client.feature("boot", 2, &key), 0);
}

TEST(Compat, OverloadsChangeTheModelsFeatures) {
  Client client({VMAF_LOG_LEVEL_NONE, 0, 0, 0, 0});
  VmafModel* model = client.load("vmaf_v0.6.1");
  EXPECT_EQ(vmaf_model_feature_overload(model, "adm", options({{"no_such_option", "1"}})), -EINVAL);
  EXPECT_EQ(vmaf_model_feature_overload(model, "no_such_metric", options({{"a", "0"}})), -EINVAL);
  // What libaom does whatever the model is.
  EXPECT_EQ(logged([&] {
              EXPECT_EQ(vmaf_model_feature_overload(model, "float_motion",
                                                    options({{"motion_force_zero", "1"}})),
                        0);
            }),
            "libvmaf WARNING model vmaf does not use float_motion: its options change nothing\n");
  EXPECT_EQ(vmaf_model_feature_overload(model, "adm", nullptr), -EINVAL);
  EXPECT_EQ(vmaf_model_feature_overload(model, nullptr, options({{"a", "b"}})), -EINVAL);
  EXPECT_EQ(vmaf_model_feature_overload(nullptr, "adm", options({{"a", "b"}})), -EINVAL);
  ASSERT_EQ(vmaf_model_feature_overload(model, "adm", options({{"adm_enhn_gain_limit", "1.0"}})),
            0);
  ASSERT_EQ(vmaf_use_features_from_model(client.get(), model), 0);
  for (int i = 0; i < 2; ++i) ASSERT_EQ(client.read(i), 0);
  ASSERT_EQ(client.flush(), 0);
  double score = 0;
  EXPECT_EQ(client.feature("integer_adm2_egl_1", 0, &score), 0);
  EXPECT_EQ(client.feature("integer_adm2", 0, &score), -EINVAL);
  EXPECT_EQ(vmaf_score_at_index(client.get(), model, &score, 0), 0);

  VmafModel* main = nullptr;
  VmafModelCollection* collection = nullptr;
  ASSERT_EQ(vmaf_model_collection_load(&main, &collection, nullptr, "vmaf_b_v0.6.3"), 0);
  ASSERT_EQ(vmaf_model_collection_feature_overload(main, &collection, "vif",
                                                   options({{"vif_enhn_gain_limit", "1"}})),
            0);
  EXPECT_EQ(vmaf_model_collection_feature_overload(main, nullptr, "vif", options({{"a", "1"}})),
            -EINVAL);
  EXPECT_EQ(vmaf_model_collection_feature_overload(model, &collection, "vif",
                                                   options({{"vif_enhn_gain_limit", "1"}})),
            -EINVAL);
  vmaf_model_destroy(main);
  vmaf_model_collection_destroy(collection);
}

TEST(Compat, ModelsThatCannotBeLoaded) {
  const auto load = [](VmafModelConfig config, const char* version) {
    VmafModel* model = reinterpret_cast<VmafModel*>(1);
    int code = 0;
    const std::string lines = logged([&] { code = vmaf_model_load(&model, &config, version); });
    EXPECT_EQ(std::count(lines.begin(), lines.end(), '\n'), 1) << lines;
    EXPECT_EQ(model, nullptr);
    return code;
  };
  EXPECT_EQ(load({}, "vmaf_v9"), -EINVAL);
  EXPECT_EQ(load({}, nullptr), -EINVAL);
  EXPECT_EQ(load({}, ""), -EINVAL);
  EXPECT_EQ(load({}, "vmaf_b_v0.6.3"), -EINVAL);
  EXPECT_EQ(load({"", 0}, "vmaf_v0.6.1"), -EINVAL);
  EXPECT_EQ(load({nullptr, 8}, "vmaf_v0.6.1"), -EINVAL);
  EXPECT_EQ(load({nullptr, VMAF_MODEL_FLAG_ENABLE_TRANSFORM | VMAF_MODEL_FLAG_DISABLE_TRANSFORM},
                 "vmaf_v0.6.1"),
            -EINVAL);
  VmafModel* model = nullptr;
  VmafModelCollection* collection = nullptr;
  EXPECT_EQ(logged([&] {
              EXPECT_EQ(vmaf_model_load_from_path(&model, nullptr, "/no/such/model.json"), -EIO);
            }),
            "libvmaf ERROR vmaf_model_load_from_path: cannot read model /no/such/model.json: No "
            "such file or directory\n");
  logged([&] {
    EXPECT_EQ(vmaf_model_load(nullptr, nullptr, "vmaf_v0.6.1"), -EINVAL);
    EXPECT_EQ(vmaf_model_collection_load(&model, &collection, nullptr, "vmaf_v0.6.1"), -EINVAL);
    EXPECT_EQ(vmaf_model_collection_load(nullptr, &collection, nullptr, "vmaf_b_v0.6.3"), -EINVAL);
    EXPECT_EQ(vmaf_model_collection_load(&model, nullptr, nullptr, "vmaf_b_v0.6.3"), -EINVAL);
  });
}

TEST(Compat, RegistrationsThatAreRefused) {
  Client client({VMAF_LOG_LEVEL_NONE, 0, 0, 0, 0});
  client.use("vmaf_v0.6.1");
  EXPECT_EQ(vmaf_use_features_from_model(client.get(), nullptr), -EINVAL);
  EXPECT_EQ(vmaf_use_feature(client.get(), "no_such_feature", options({{"a", "b"}})), -EINVAL);
  EXPECT_EQ(vmaf_use_feature(client.get(), nullptr, options({{"a", "b"}})), -EINVAL);
  EXPECT_EQ(vmaf_use_feature(client.get(), "adm", options({{"bogus", "1"}})), -EINVAL);  // A14
  ASSERT_EQ(client.read(0), 0);
  EXPECT_EQ(vmaf_use_feature(client.get(), "psnr", nullptr), -EINVAL);
}

// FFmpeg's model_path= comes beside its default model, both called "vmaf".
TEST(Compat, OfModelsOfOneNameEachHasItsOwnScore) {
  Client alone;
  VmafModel* expected = alone.use("vmaf_v0.6.1neg", "neg");
  Client client({VMAF_LOG_LEVEL_WARNING, 0, 0, 0, 0});
  VmafModel* first = client.use("vmaf_v0.6.1");
  VmafModel* second = client.load("vmaf_v0.6.1neg");
  EXPECT_EQ(
      logged([&] { EXPECT_EQ(vmaf_use_features_from_model(client.get(), second), 0); }),
      "libvmaf WARNING the score of model vmaf_v0.6.1neg is not reported: vmaf_v0.6.1 has the "
      "name vmaf already\n");
  for (int i = 0; i < 3; ++i) {
    ASSERT_EQ(alone.read(i), 0);
    ASSERT_EQ(client.read(i), 0);
  }
  ASSERT_EQ(alone.flush(), 0);
  ASSERT_EQ(client.flush(), 0);
  EXPECT_EQ(client.pooled(second, VMAF_POOL_METHOD_MEAN, 0, 2),
            alone.pooled(expected, VMAF_POOL_METHOD_MEAN, 0, 2));
  double reported = 0;
  ASSERT_EQ(vmaf_feature_score_pooled(client.get(), "vmaf", VMAF_POOL_METHOD_MEAN, &reported, 0, 2),
            0);
  EXPECT_EQ(client.pooled(first, VMAF_POOL_METHOD_MEAN, 0, 2), reported);
  EXPECT_NE(client.pooled(second, VMAF_POOL_METHOD_MEAN, 0, 2), reported);
}

TEST(Compat, DeadAndForeignHandlesAreRefused) {
  VmafContext* vmaf = nullptr;
  ASSERT_EQ(vmaf_init(&vmaf, {}), 0);
  ASSERT_EQ(vmaf_close(vmaf), 0);
  VmafModel* model = nullptr;
  ASSERT_EQ(vmaf_model_load(&model, nullptr, "vmaf_v0.6.1"), 0);
  vmaf_model_destroy(model);
  double score = 0;
  const std::string lines = logged([&] {
    EXPECT_EQ(vmaf_close(vmaf), -EINVAL);
    EXPECT_EQ(vmaf_close(nullptr), -EINVAL);
    EXPECT_EQ(vmaf_use_feature(vmaf, "psnr", options({{"enable_chroma", "0"}})), -EINVAL);
    EXPECT_EQ(vmaf_read_pictures(vmaf, nullptr, nullptr, 0), -EINVAL);
    EXPECT_EQ(vmaf_score_at_index(vmaf, model, &score, 0), -EINVAL);
    vmaf_model_destroy(model);
    vmaf_model_collection_destroy(reinterpret_cast<VmafModelCollection*>(&score));
    Client client({VMAF_LOG_LEVEL_ERROR, 0, 0, 0, 0});
    EXPECT_EQ(vmaf_use_features_from_model(client.get(), model), -EINVAL);
    auto* foreign = reinterpret_cast<VmafFeatureDictionary*>(&score);
    EXPECT_EQ(vmaf_use_feature(client.get(), "psnr", foreign), -EINVAL);
    EXPECT_EQ(vmaf_feature_dictionary_set(&foreign, "a", "b"), -EINVAL);
    EXPECT_EQ(vmaf_feature_dictionary_free(&foreign), -EINVAL);
  });
  EXPECT_EQ(std::count(lines.begin(), lines.end(), '\n'), 11) << lines;
  vmaf_model_destroy(nullptr);
  vmaf_model_collection_destroy(nullptr);
}

TEST(Compat, Dictionaries) {
  VmafFeatureDictionary* dictionary = options({{"enable_chroma", "true"}});
  ASSERT_EQ(vmaf_feature_dictionary_set(&dictionary, "enable_chroma", "false"), 0);
  logged([&] {
    EXPECT_EQ(vmaf_feature_dictionary_set(&dictionary, nullptr, "b"), -EINVAL);
    EXPECT_EQ(vmaf_feature_dictionary_set(&dictionary, "a", nullptr), -EINVAL);
    EXPECT_EQ(vmaf_feature_dictionary_set(&dictionary, "", "b"), -EINVAL);
    EXPECT_EQ(vmaf_feature_dictionary_set(nullptr, "a", "b"), -EINVAL);
  });
  Client client;
  ASSERT_EQ(vmaf_use_feature(client.get(), "psnr", dictionary), 0);
  ASSERT_EQ(client.read(0), 0);
  ASSERT_EQ(client.flush(), 0);
  EXPECT_FALSE(json_output(client.get())["frames"][0]["metrics"].contains("psnr_cb"));
  VmafFeatureDictionary* unused = options({{"a", "b"}});
  EXPECT_EQ(vmaf_feature_dictionary_free(&unused), 0);
  EXPECT_EQ(unused, nullptr);
  logged([&] {
    EXPECT_EQ(vmaf_feature_dictionary_free(&unused), -EINVAL);
    EXPECT_EQ(vmaf_feature_dictionary_free(nullptr), -EINVAL);
  });
}

TEST(Compat, PlacesThatAreNullAreRefused) {
  Client client({VMAF_LOG_LEVEL_NONE, 0, 0, 0, 0});
  VmafModel* model = client.use("vmaf_v0.6.1");
  double score = 0;
  VmafModelCollectionScore spread;
  VmafContext* vmaf = client.get();
  logged([&] { EXPECT_EQ(vmaf_init(nullptr, {}), -EINVAL); });
  EXPECT_EQ(vmaf_score_at_index(vmaf, model, nullptr, 0), -EINVAL);
  EXPECT_EQ(vmaf_score_at_index(vmaf, nullptr, &score, 0), -EINVAL);
  EXPECT_EQ(vmaf_score_at_index_model_collection(vmaf, nullptr, &spread, 0), -EINVAL);
  EXPECT_EQ(vmaf_feature_score_at_index(vmaf, nullptr, &score, 0), -EINVAL);
  EXPECT_EQ(vmaf_feature_score_at_index(vmaf, "vmaf", nullptr, 0), -EINVAL);
  EXPECT_EQ(vmaf_score_pooled(vmaf, nullptr, VMAF_POOL_METHOD_MEAN, &score, 0, 0), -EINVAL);
  EXPECT_EQ(vmaf_score_pooled(vmaf, model, VMAF_POOL_METHOD_MEAN, nullptr, 0, 0), -EINVAL);
  EXPECT_EQ(vmaf_score_pooled_model_collection(vmaf, nullptr, VMAF_POOL_METHOD_MEAN, &spread, 0, 0),
            -EINVAL);
  EXPECT_EQ(vmaf_feature_score_pooled(vmaf, nullptr, VMAF_POOL_METHOD_MEAN, &score, 0, 0), -EINVAL);
  EXPECT_EQ(vmaf_import_feature_score(vmaf, nullptr, 1, 0), -EINVAL);
  EXPECT_EQ(vmaf_write_output(vmaf, nullptr, VMAF_OUTPUT_FORMAT_JSON), -EINVAL);
  EXPECT_EQ(vmaf_write_output(vmaf, "/dev/null", VMAF_OUTPUT_FORMAT_NONE), -EINVAL);
  EXPECT_EQ(vmaf_write_output(vmaf, "/dev/null", any<VmafOutputFormat>(9)), -EINVAL);
  EXPECT_EQ(vmaf_write_output(vmaf, "/no/such/folder/o.json", VMAF_OUTPUT_FORMAT_JSON), -EIO);
  logged([&] {
    EXPECT_EQ(vmaf_picture_alloc(nullptr, VMAF_PIX_FMT_YUV420P, 8, 16, 16), -EINVAL);
    EXPECT_EQ(vmaf_picture_unref(nullptr), -EINVAL);
  });
}

TEST(Compat, FlushWithoutFrames) {
  Client client({VMAF_LOG_LEVEL_ERROR, 0, 0, 0, 0});
  client.use("vmaf_v0.6.1");
  EXPECT_EQ(logged([&] { EXPECT_EQ(client.flush(), -EINVAL); }),
            "libvmaf ERROR vmaf_read_pictures: no frames were submitted\n");
}

TEST(Compat, EveryContextHasItsOwnLogLevel) {
  Client loud({VMAF_LOG_LEVEL_ERROR, 0, 0, 0, 0});
  Client quiet({VMAF_LOG_LEVEL_NONE, 0, 0, 0, 0});
  const auto fail = [](Client& client) {
    return logged([&] { EXPECT_EQ(vmaf_use_feature(client.get(), "nothing", nullptr), -EINVAL); });
  };
  EXPECT_NE(fail(loud), "");
  EXPECT_EQ(fail(quiet), "");
  EXPECT_NE(fail(loud), "");
  VmafContext* vmaf = nullptr;
  logged([&] {
    EXPECT_EQ(vmaf_init(&vmaf, {any<VmafLogLevel>(7), 0, 0, 0, 0}), -EINVAL);
    EXPECT_EQ(vmaf_init(&vmaf, {any<VmafLogLevel>(-1), 0, 0, 0, 0}), -EINVAL);
  });
  EXPECT_EQ(vmaf, nullptr);
}

TEST(Compat, LinesStayLines) {
  Client client({VMAF_LOG_LEVEL_ERROR, 0, 0, 0, 0});
  const std::string name = "a\nb\x1b[2J" + std::string(5000, 'x');
  const std::string line =
      logged([&] { EXPECT_EQ(vmaf_use_feature(client.get(), name.c_str(), nullptr), -EINVAL); });
  EXPECT_EQ(std::count(line.begin(), line.end(), '\n'), 1);
  EXPECT_EQ(line.find('\x1b'), std::string::npos);
  EXPECT_LT(line.size(), 1100u);
}

TEST(Compat, SubsampledFramesAreScoredAndPooled) {
  Client all;
  Client some({VMAF_LOG_LEVEL_NONE, 2, 3, 0, 0});
  VmafModel* model = all.use("vmaf_v0.6.1");
  VmafModel* same = some.use("vmaf_v0.6.1");
  for (int i = 0; i < 8; ++i) {
    ASSERT_EQ(all.read(i), 0);
    ASSERT_EQ(some.read(i), 0);
  }
  ASSERT_EQ(all.flush(), 0);
  ASSERT_EQ(some.flush(), 0);
  double sum = 0;
  for (const unsigned i : {0u, 3u, 6u}) {
    double expected = 0;
    double score = 0;
    ASSERT_EQ(vmaf_score_at_index(all.get(), model, &expected, i), 0);
    ASSERT_EQ(vmaf_score_at_index(some.get(), same, &score, i), 0);
    EXPECT_EQ(score, expected);
    sum += score;
  }
  double score = 0;
  EXPECT_EQ(vmaf_score_at_index(some.get(), same, &score, 1), -EINVAL);
  EXPECT_EQ(some.pooled(same, VMAF_POOL_METHOD_MEAN, 0, 7), sum / 3);
  EXPECT_EQ(vmaf_score_pooled(some.get(), same, VMAF_POOL_METHOD_MEAN, &score, 1, 2), -EINVAL);
}

TEST(Compat, ContextsInSeveralThreadsDoNotMeet) {
  const auto run = [](const char* version, unsigned threads, std::vector<double>& scores) {
    Client client({VMAF_LOG_LEVEL_ERROR, threads, 0, 0, 0});
    VmafModel* model = client.use(version);
    for (int i = 0; i < 5; ++i) ASSERT_EQ(client.read(i), 0);
    ASSERT_EQ(client.flush(), 0);
    for (unsigned i = 0; i < 5; ++i)
      ASSERT_EQ(vmaf_score_at_index(client.get(), model, &scores[i], i), 0);
  };
  std::vector<double> expected(5);
  std::vector<double> expected_neg(5);
  run("vmaf_v0.6.1", 0, expected);
  run("vmaf_v0.6.1neg", 0, expected_neg);
  std::vector<double> scores(5);
  std::vector<double> scores_neg(5);
  std::thread one(run, "vmaf_v0.6.1", 2u, std::ref(scores));
  std::thread two(run, "vmaf_v0.6.1neg", 0u, std::ref(scores_neg));
  one.join();
  two.join();
  EXPECT_EQ(scores, expected);
  EXPECT_EQ(scores_neg, expected_neg);
}

TEST(Compat, OneContextPolledFromAnotherThread) {
  Client client({VMAF_LOG_LEVEL_NONE, 2, 0, 0, 0});
  VmafModel* model = client.use("vmaf_v0.6.1");
  std::thread poller([&] {
    double score = 0;
    int code = -EAGAIN;
    while (code == -EAGAIN) code = vmaf_score_at_index(client.get(), model, &score, 5);
    EXPECT_EQ(code, 0);
  });
  for (int i = 0; i < 8; ++i) EXPECT_EQ(client.read(i), 0);
  EXPECT_EQ(client.flush(), 0);
  poller.join();
}

TEST(Compat, OutputDoesNotDependOnTheLocale) {
  Client client;
  client.use("vmaf_v0.6.1");
  for (int i = 0; i < 2; ++i) ASSERT_EQ(client.read(i), 0);
  ASSERT_EQ(client.flush(), 0);
  const json before = json_output(client.get());
  if (const char* const folder = std::getenv("VMAFX_LOCALES")) setenv("LOCPATH", folder, 1);
  if (std::setlocale(LC_ALL, "de_DE.UTF-8") == nullptr)
    GTEST_SKIP() << "this machine has no locale with a decimal comma";
  const json after = json_output(client.get());
  VmafModel* model = client.load("vmaf_v0.6.1", "other");
  EXPECT_EQ(vmaf_model_feature_overload(model, "adm", options({{"adm_enhn_gain_limit", "1.5"}})),
            0);
  Client other;
  EXPECT_EQ(vmaf_use_features_from_model(other.get(), model), 0);
  EXPECT_EQ(other.read(0), 0);
  double score = 0;
  EXPECT_EQ(other.feature("integer_adm2_egl_1.5", 0, &score), 0);
  std::setlocale(LC_ALL, "C");
  unsetenv("LOCPATH");
  EXPECT_EQ(before, after);
}

TEST(Compat, OutputFormats) {
  Client client;
  ASSERT_EQ(vmaf_use_feature(client.get(), "psnr", nullptr), 0);
  ASSERT_EQ(client.read(0), 0);
  ASSERT_EQ(client.flush(), 0);
  const auto path = output_path();
  const std::pair<VmafOutputFormat, const char*> formats[] = {{VMAF_OUTPUT_FORMAT_XML, "<VMAF"},
                                                              {VMAF_OUTPUT_FORMAT_JSON, "{"},
                                                              {VMAF_OUTPUT_FORMAT_CSV, "Frame,"},
                                                              {VMAF_OUTPUT_FORMAT_SUB, "{0}{1}"}};
  for (const auto& [format, begin] : formats) {
    ASSERT_EQ(vmaf_write_output(client.get(), path.c_str(), format), 0);
    std::ifstream file(path);
    std::string line;
    std::getline(file, line);
    EXPECT_EQ(line.rfind(begin, 0), 0u) << line;
  }
  std::filesystem::remove(path);
}

TEST(Compat, Version) {
  EXPECT_EQ(std::string(vmaf_version()).rfind("3.2.0 (VMAFx ", 0), 0u);
  EXPECT_EQ(VMAF_API_VERSION_MAJOR, 3);
}

}  // namespace
}  // namespace vmafx
