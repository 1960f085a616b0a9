#include "vmafx/measurement_file.h"

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iterator>

#include <gtest/gtest.h>
#include <unistd.h>

#include "base/sha256.h"

namespace vmafx {
namespace {

namespace fs = std::filesystem;

MeasurementFile example() {
  MeasurementFile file;
  file.recording.plan = "a plan";
  file.recording.first_frame = 7;
  file.recording.identical = {true, false, true};
  file.recording.records = {std::byte{1},  std::byte{0},  std::byte{255},
                            std::byte{10}, std::byte{13}, std::byte{3}};
  file.skipped_distorted = 5;
  file.reference.path = "a \"quoted\" näme.mkv";
  file.reference.container = "matroska";
  file.reference.codec = "h264";
  file.reference.format = {353, 289, 10, Chroma::k422};
  file.reference.color = {ColorInfo::Range::kFull, 9, 16, 9};
  file.reference.frame_rate = Rational{30000, 1001};
  file.reference.frame_count = 1000;
  file.reference.notes = {"a note"};
  file.distorted = file.reference;
  file.distorted.path = "b.mkv";
  file.distorted.bit_rate = 12345;
  file.distorted.frame_rate = std::nullopt;
  file.distorted.interlaced = true;
  ModelSpec spec{.version = "vmaf_v0.6.1", .name = "v"};
  spec.disable_clip = true;
  spec.transform = TransformUse::kOff;
  spec.overloads = {{"adm", "egl", "1"}};
  file.models = {{spec, "0123"}};
  file.metrics = {{"psnr", {{"enable_chroma", "false"}}}, {"vif", {}}};
  file.subsample = 3;
  file.seconds = 1.25;
  file.at_end = true;
  file.left_out_reference = 4;
  return file;
}

class MeasurementFiles : public testing::Test {
 protected:
  void SetUp() override {
    std::string pattern = (fs::temp_directory_path() / "vmafx_XXXXXX").string();
    ASSERT_NE(mkdtemp(pattern.data()), nullptr);
    folder_ = pattern;
  }
  void TearDown() override { fs::remove_all(folder_); }

  std::string path() const { return (folder_ / "part").string(); }
  std::string content() const {
    std::ifstream stream(path(), std::ios::binary);
    return {std::istreambuf_iterator<char>(stream), {}};
  }
  void put(const std::string& text) const { std::ofstream(path(), std::ios::binary) << text; }
  // With the digest that belongs to it.
  void put_signed(const std::string& text) const { put(text + sha256(text)); }
  std::string written() const {
    EXPECT_TRUE(write_measurements(example(), path()).ok());
    return content();
  }

  fs::path folder_;
};

void expect_equal(const StreamInfo& a, const StreamInfo& b) {
  EXPECT_EQ(a.path, b.path);
  EXPECT_EQ(a.container, b.container);
  EXPECT_EQ(a.codec, b.codec);
  EXPECT_EQ(a.format, b.format);
  EXPECT_EQ(a.color, b.color);
  ASSERT_EQ(a.frame_rate.has_value(), b.frame_rate.has_value());
  if (a.frame_rate) {
    EXPECT_EQ(a.frame_rate->num, b.frame_rate->num);
    EXPECT_EQ(a.frame_rate->den, b.frame_rate->den);
  }
  EXPECT_EQ(a.frame_count, b.frame_count);
  EXPECT_EQ(a.bit_rate, b.bit_rate);
  EXPECT_EQ(a.interlaced, b.interlaced);
  EXPECT_EQ(a.notes, b.notes);
}

TEST_F(MeasurementFiles, HoldEverything) {
  written();
  const auto read = read_measurements(path());
  ASSERT_TRUE(read.ok()) << read.error().message;
  const MeasurementFile wanted = example();
  EXPECT_EQ(read->recording.source, path());
  EXPECT_EQ(read->recording.plan, wanted.recording.plan);
  EXPECT_EQ(read->recording.first_frame, 7);
  EXPECT_EQ(read->recording.identical, wanted.recording.identical);
  EXPECT_EQ(read->recording.records, wanted.recording.records);
  expect_equal(read->reference, wanted.reference);
  expect_equal(read->distorted, wanted.distorted);
  ASSERT_EQ(read->models.size(), 1u);
  const ModelSpec& spec = read->models[0].spec;
  EXPECT_EQ(spec.version, "vmaf_v0.6.1");
  EXPECT_EQ(spec.name, "v");
  EXPECT_TRUE(spec.disable_clip);
  EXPECT_EQ(spec.transform, TransformUse::kOff);
  ASSERT_EQ(spec.overloads.size(), 1u);
  EXPECT_EQ(spec.overloads[0].value, "1");
  EXPECT_EQ(read->models[0].digest, "0123");
  ASSERT_EQ(read->metrics.size(), 2u);
  EXPECT_EQ(read->metrics[0].options.at("enable_chroma"), "false");
  EXPECT_EQ(read->skipped_reference, 0);
  EXPECT_EQ(read->skipped_distorted, 5);
  EXPECT_EQ(read->subsample, 3);
  EXPECT_EQ(read->seconds, 1.25);
  EXPECT_TRUE(read->at_end);
  EXPECT_EQ(read->left_out_reference, 4);
  EXPECT_EQ(read->left_out_distorted, 0);
}

TEST_F(MeasurementFiles, AreRefusedWhereverTheyAreCut) {
  const std::string whole = written();
  for (std::size_t size = 0; size < whole.size(); ++size) {
    put(whole.substr(0, size));
    const auto read = read_measurements(path());
    ASSERT_FALSE(read.ok()) << size;
    EXPECT_EQ(read.error().code, ErrorCode::kBadInput) << size;
  }
}

TEST_F(MeasurementFiles, AreRefusedIfTheirNumbersCannotBe) {
  const std::string whole = written();
  const std::string text = whole.substr(0, whole.size() - 64);
  const std::pair<std::string, std::string> changes[] = {
      {"\"first_frame\":7", "\"first_frame\":-1"},
      {"\"first_frame\":7", "\"first_frame\":9223372036854775807"},
      {"\"first_frame\":7", "\"first_frame\":7.5"},
      {"\"first_frame\":7", "\"first_frame\":\"7\""},
      {"\"frames\":3", "\"frames\":18446744073709551615"},
      {"\"frames\":3", "\"frames\":1000"},
      {"\"subsample\":3", "\"subsample\":0"},
      {"\"subsample\":3", "\"subsample\":4294967297"},
      {"\"frames\":3", "\"frames\":0"},
      {"\"frames\":3", "\"frames\":4"},
      {"\"seconds\":1.25", "\"seconds\":-1.25"},
      {"\"left_out\":[4,", "\"left_out\":[-4,"},
      {"\"matrix\":9", "\"matrix\":1e300"},
      {"\"range\":\"full\"", "\"range\":\"half\""},
      {"\"transform\":\"off\"", "\"transform\":[]"},
      {"\"frame_rate\":[30000,", "\"frame_rate\":[-1,"},
      {"\"width\":353", "\"width\":-353"},
      {"\"width\":353", "\"width\":100000"},
      {"\"bit_depth\":10", "\"bit_depth\":17"},
      {"\"chroma\":\"422\"", "\"chroma\":\"423\""},
      {"\"models\":[", "\"models\":[3,"},
      {"{", "["},
  };
  for (const auto& [from, to] : changes) {
    std::string changed = text;
    const std::size_t at = changed.find(from);
    ASSERT_NE(at, std::string::npos) << from;
    changed.replace(at, from.size(), to);
    put_signed(changed);
    const auto read = read_measurements(path());
    ASSERT_FALSE(read.ok()) << to;
    EXPECT_EQ(read.error().code, ErrorCode::kBadInput) << to;
  }
  put_signed("vmafx measurements 1\n{}");
  EXPECT_EQ(read_measurements(path()).error().code, ErrorCode::kBadInput);
}

TEST_F(MeasurementFiles, ThatCannotBeReadAreNamed) {
  const auto folder = read_measurements(folder_.string());
  ASSERT_FALSE(folder.ok());
  EXPECT_EQ(folder.error().code, ErrorCode::kIo);
  EXPECT_EQ(folder.error().message, "cannot read \"" + folder_.string() + "\": Is a directory");
  EXPECT_EQ(read_measurements(path()).error().code, ErrorCode::kIo);
}

}  // namespace
}  // namespace vmafx
