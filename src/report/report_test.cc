#include "vmafx/report.h"

#include <clocale>
#include <cmath>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <limits>
#include <sstream>
#include <tuple>

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>
#include <unistd.h>

#include "vmafx/catalog.h"

namespace vmafx {
namespace {

namespace fs = std::filesystem;
using nlohmann::json;

constexpr double kInf = std::numeric_limits<double>::infinity();
constexpr Precision kLegacy{};
constexpr Precision kFull{Precision::Form::kDigits, 17};

Column column(std::string key, std::vector<std::optional<double>> values,
              std::string producer = "adm") {
  return {std::move(key), std::move(producer), "cpu", std::move(values)};
}

Report two_frames() {
  Report report;
  report.scores.frames = {0, 1};
  report.scores.identical = {false, false};
  report.scores.columns = {column("integer_adm2", {0.9697631, 0.9608272}),
                           column("psnr_hvs_y", {40.5, kInf}, "psnr_hvs"),
                           column("vmaf", {86.166917, 85.161428}, "vmaf_v0.6.1")};
  report.scores.aggregates = {{"apsnr_y", 34.082046}, {"apsnr_cb", kInf}};
  report.models = {{"vmaf", "vmaf_v0.6.1", "abc123"}};
  report.width = 352;
  report.height = 288;
  report.seconds = 0.5;
  report.frames_scored = 2;
  return report;
}

std::string with_version(std::string text) {
  const std::string mark = "@VERSION@";
  for (std::size_t at = 0; (at = text.find(mark, at)) != std::string::npos;)
    text.replace(at, mark.size(), version());
  return text;
}

// The part that libvmaf's readers know: up to where our own sections begin.
std::string head(const std::string& text, std::string_view first_own_line) {
  return text.substr(0, text.find(first_own_line));
}

TEST(ReportJson, LaysOutLikeLibvmaf) {
  const std::string text = render_report(two_frames(), ReportFormat::kJson, kLegacy);
  EXPECT_EQ(head(text, "  \"engine\""), with_version(R"({
  "version": "@VERSION@",
  "fps": 4.00,
  "frames": [
    {
      "frameNum": 0,
      "metrics": {
        "integer_adm2": 0.969763,
        "psnr_hvs_y": 40.500000,
        "vmaf": 86.166917
      }
    },
    {
      "frameNum": 1,
      "metrics": {
        "integer_adm2": 0.960827,
        "psnr_hvs_y": null,
        "vmaf": 85.161428
      }
    }
  ],
  "pooled_metrics": {
    "integer_adm2": {
      "min": 0.960827,
      "max": 0.969763,
      "mean": 0.965295,
      "harmonic_mean": 0.965285
    },
    "psnr_hvs_y": {
      "min": 40.500000,
      "max": null,
      "mean": null,
      "harmonic_mean": 82.000000
    },
    "vmaf": {
      "min": 85.161428,
      "max": 86.166917,
      "mean": 85.664173,
      "harmonic_mean": 85.661256
    }
  },
  "aggregate_metrics": {
    "apsnr_y": 34.082046,
    "apsnr_cb": null
  },
)"));
}

TEST(ReportJson, OwnSectionsFollow) {
  Report report = two_frames();
  report.scores.identical = {false, true};
  report.scores.skipped = {{"cambi", "needs 216 samples"}};
  report.partial = true;
  report.frames_left_out_distorted = 3;
  report.warnings = {"frame rates differ"};
  report.reference = StreamInfo{};
  report.reference->path = "a.mkv";
  report.reference->frame_rate = Rational{25, 1};
  report.reference->notes = {"RGB converted to 4:4:4 BT.709"};
  const json parsed = json::parse(render_report(report, ReportFormat::kJson, kLegacy));
  EXPECT_EQ(parsed["engine"], json({{"name", "VMAFx"}, {"version", version()}}));
  EXPECT_EQ(parsed["inputs"]["reference"]["path"], "a.mkv");
  EXPECT_EQ(parsed["inputs"]["reference"]["frame_rate"], "25/1");
  EXPECT_EQ(parsed["inputs"]["reference"]["notes"][0], "RGB converted to 4:4:4 BT.709");
  EXPECT_FALSE(parsed["inputs"].contains("distorted"));
  EXPECT_EQ(parsed["models"][0]["digest"], "abc123");
  EXPECT_EQ(parsed["feature_backends"], json::parse(R"([{"extractor":"adm","backend":"cpu"},
                                                        {"extractor":"psnr_hvs","backend":"cpu"}])"));
  EXPECT_EQ(parsed["skipped"][0]["reason"], "needs 216 samples");
  EXPECT_EQ(parsed["partial"], true);
  EXPECT_EQ(parsed["identical"], json::parse(R"({"all":false,"frames":[1]})"));
  EXPECT_EQ(parsed["left_out"], json::parse(R"({"reference":0,"distorted":3})"));
  EXPECT_EQ(parsed["warnings"][0], "frame rates differ");
  EXPECT_EQ(parsed["statistics"]["vmaf"]["p50"], 85.664173);
  EXPECT_EQ(parsed["statistics"]["psnr_hvs_y"]["mean"], nullptr);
  EXPECT_EQ(parsed["statistics"]["psnr_hvs_y"]["stddev"], nullptr);
}

TEST(ReportJson, EmptyRunIsValid) {
  const std::string text = render_report(Report{}, ReportFormat::kJson, kLegacy);
  const json parsed = json::parse(text);
  EXPECT_EQ(parsed["fps"], nullptr);
  EXPECT_TRUE(parsed["frames"].empty());
  EXPECT_NE(text.find("  \"aggregate_metrics\": {\n  },\n"), std::string::npos);
}

TEST(ReportJson, OneMemberALine) {
  const std::string text = render_report(two_frames(), ReportFormat::kJson, kLegacy);
  std::istringstream lines(text);
  for (std::string line; std::getline(lines, line);) {
    // A member is `"key": `; no key or value of this report holds that text.
    const std::size_t first = line.find("\": ");
    if (first != std::string::npos) {
      EXPECT_EQ(line.find("\": ", first + 1), std::string::npos) << line;
    }
  }
}

TEST(ReportJson, HostileTextsAreEscaped) {
  Report report = two_frames();
  const std::string hostile = "a\"b\\c\n\x01<&>,|";
  report.scores.columns[0].key = hostile;
  report.warnings = {"bad UTF-8 \xff"};
  const json parsed = json::parse(render_report(report, ReportFormat::kJson, kLegacy));
  EXPECT_EQ(parsed["frames"][0]["metrics"][hostile], 0.969763);
  EXPECT_EQ(parsed["warnings"][0], "bad UTF-8 \xEF\xBF\xBD");
}

TEST(ReportXml, LaysOutLikeLibvmaf) {
  const std::string text = render_report(two_frames(), ReportFormat::kXml, kLegacy);
  EXPECT_EQ(head(text, "  <engine"), with_version(R"(<VMAF version="@VERSION@">
  <params qualityWidth="352" qualityHeight="288" />
  <fyi fps="4.00" />
  <frames>
    <frame frameNum="0" integer_adm2="0.969763" psnr_hvs_y="40.500000" vmaf="86.166917" />
    <frame frameNum="1" integer_adm2="0.960827" psnr_hvs_y="inf" vmaf="85.161428" />
  </frames>
  <pooled_metrics>
    <metric name="integer_adm2" min="0.960827" max="0.969763" mean="0.965295" harmonic_mean="0.965285" />
    <metric name="psnr_hvs_y" min="40.500000" max="inf" mean="inf" harmonic_mean="82.000000" />
    <metric name="vmaf" min="85.161428" max="86.166917" mean="85.664173" harmonic_mean="85.661256" />
  </pooled_metrics>
  <aggregate_metrics apsnr_y="34.082046" apsnr_cb="inf" />
)"));
  EXPECT_EQ(text.substr(text.size() - 8), "</VMAF>\n");
}

TEST(ReportXml, HostileTextsAreEscaped) {
  Report report = two_frames();
  report.scores.columns[0].key = "a b";
  report.scores.columns[1].key = "a_b";
  report.scores.columns[2].key = "1<\"&\n\x01\xff";
  report.warnings = {"x\"/><evil a=\"<&\xC3\xA4"};
  const std::string text = render_report(report, ReportFormat::kXml, kLegacy);
  EXPECT_NE(text.find("<frame frameNum=\"0\" a_b=\"0.969763\" a_b_2=\"40.500000\" "
                      "_1______=\"86.166917\" />"),
            std::string::npos)
      << text;
  EXPECT_NE(text.find("<metric name=\"1&lt;&quot;&amp;&#10;\xEF\xBF\xBD\xEF\xBF\xBD\" "),
            std::string::npos);
  EXPECT_NE(text.find("text=\"x&quot;/&gt;&lt;evil a=&quot;&lt;&amp;\xC3\xA4\""),
            std::string::npos);
}

TEST(ReportXml, OwnSectionsFollow) {
  Report report = two_frames();
  report.scores.columns[2].values = {80.0, 90.0};
  report.scores.identical = {true, true};
  report.frames_left_out_distorted = 3;
  report.scores.skipped = {{"cambi", "needs 216 samples"}};
  report.distorted = StreamInfo{};
  report.distorted->path = "b.y4m";
  report.distorted->notes = {"note"};
  const std::string text = render_report(report, ReportFormat::kXml, kLegacy);
  for (const char* part :
       {"<input role=\"distorted\" path=\"b.y4m\" ", "<note text=\"note\" />\n    </input>",
        "<model name=\"vmaf\" version=\"vmaf_v0.6.1\" digest=\"abc123\" />",
        "<feature extractor=\"adm\" backend=\"cpu\" />",
        "<feature name=\"cambi\" reason=\"needs 216 samples\" />", "<partial value=\"false\" />",
        "<identical all=\"true\" frames=\"0 1\" />", "<left_out reference=\"0\" distorted=\"3\" />",
        "<metric name=\"vmaf\" min=\"80.000000\" max=\"90.000000\" mean=\"85.000000\" "
        "harmonic_mean=\"84.709302\" stddev=\"5.000000\" p1=\"80.100000\" p5=\"80.500000\" "})
    EXPECT_NE(text.find(part), std::string::npos) << part << "\n" << text;
}

TEST(ReportCsv, KeepsColumnsAligned) {
  Report report = two_frames();
  report.scores.columns[1].values = {std::nullopt, 2.0};
  report.scores.columns.push_back(column("never", {std::nullopt, std::nullopt}));
  report.scores.columns.push_back(column("a,\"b", {1.0, 2.0}));
  EXPECT_EQ(render_report(report, ReportFormat::kCsv, kLegacy),
            "Frame,integer_adm2,psnr_hvs_y,vmaf,\"a,\"\"b\",\n"
            "0,0.969763,,86.166917,1.000000,\n"
            "1,0.960827,2.000000,85.161428,2.000000,\n");
}

TEST(ReportSub, LeavesOutWhatIsMissing) {
  Report report = two_frames();
  report.scores.columns[1].values = {std::nullopt, kInf};
  report.scores.columns[2].key = "my|model\n";
  EXPECT_EQ(render_report(report, ReportFormat::kSub, kLegacy),
            "{0}{1}frame: 0|integer_adm2: 0.969763|my_model_: 86.166917|\n"
            "{1}{2}frame: 1|integer_adm2: 0.960827|psnr_hvs_y: inf|my_model_: 85.161428|\n");
}

TEST(Report, FramesWithoutValuesAreAbsentAndNumbersAreKept) {
  Report report;
  report.scores.frames = {0, 5, 10};
  report.scores.columns = {column("k", {std::nullopt, 1.0, 2.0})};
  EXPECT_EQ(render_report(report, ReportFormat::kCsv, kLegacy),
            "Frame,k,\n5,1.000000,\n10,2.000000,\n");
  const json parsed = json::parse(render_report(report, ReportFormat::kJson, kLegacy));
  ASSERT_EQ(parsed["frames"].size(), 2u);
  EXPECT_EQ(parsed["frames"][0]["frameNum"], 5);
}

TEST(Report, DoesNotDependOnTheLocale) {
  const std::string before = render_report(two_frames(), ReportFormat::kJson, kLegacy);
  if (const char* const folder = std::getenv("VMAFX_LOCALES")) setenv("LOCPATH", folder, 1);
  if (std::setlocale(LC_ALL, "de_DE.UTF-8") == nullptr &&
      std::setlocale(LC_ALL, "de_DE") == nullptr)
    GTEST_SKIP() << "this machine has no locale with a decimal comma";
  const std::string after = render_report(two_frames(), ReportFormat::kJson, kLegacy);
  std::setlocale(LC_ALL, "C");
  unsetenv("LOCPATH");
  EXPECT_EQ(before, after);
}

TEST(FormatScore, Legacy) {
  EXPECT_EQ(format_score(76.667831491355784, kLegacy), "76.667831");
  EXPECT_EQ(format_score(0, kLegacy), "0.000000");
  EXPECT_EQ(format_score(-1.5, kLegacy), "-1.500000");
  EXPECT_EQ(format_score(1e-10, kLegacy), "0.0000000001000000");
  EXPECT_EQ(format_score(2e-6, kLegacy), "0.000002");
  EXPECT_EQ(format_score(9.9e-7, kLegacy), "0.0000009900000000");
  // The fraction decides, not the size.
  EXPECT_EQ(format_score(3.0000001, kLegacy), "3.0000000999999998");
  EXPECT_EQ(format_score(-3.0000001, kLegacy), "-3.0000000999999998");
  EXPECT_EQ(format_score(4294967296.00000095, kLegacy), "4294967296.000001");
  EXPECT_EQ(format_score(kInf, kLegacy), "inf");
}

TEST(FormatScore, Digits) {
  EXPECT_EQ(format_score(76.667831491355784, kFull), "76.667831491355784");
  EXPECT_EQ(format_score(76.667831491355784, {Precision::Form::kDigits, 3}), "76.7");
  EXPECT_EQ(format_score(1e-10, {Precision::Form::kDigits, 1}), "1e-10");
  EXPECT_EQ(format_score(100, kFull), "100");
}

TEST(Pool, KnownTable) {
  const auto pooled = pool(column("k", {4.0, std::nullopt, 1.0, 3.0, 2.0, 0.0}));
  ASSERT_TRUE(pooled.has_value());
  EXPECT_EQ(pooled->min, 0);
  EXPECT_EQ(pooled->max, 4);
  EXPECT_EQ(pooled->mean, 2);
  EXPECT_EQ(pooled->harmonic_mean, 5 / (1.0 / 5 + 1.0 / 2 + 1.0 / 4 + 1.0 / 3 + 1.0) - 1);
  EXPECT_EQ(pooled->stddev, std::sqrt(2.0));
  const std::vector<std::pair<int, double>> expected = {{1, 0.04}, {5, 0.2}, {10, 0.4}, {25, 1},
                                                        {50, 2},   {75, 3},  {90, 3.6}, {95, 3.8}};
  ASSERT_EQ(pooled->percentiles.size(), expected.size());
  for (std::size_t i = 0; i < expected.size(); ++i) {
    EXPECT_EQ(pooled->percentiles[i].first, expected[i].first);
    EXPECT_DOUBLE_EQ(pooled->percentiles[i].second, expected[i].second);
  }
}

TEST(Pool, OneFrame) {
  const auto pooled = pool(column("k", {42.5}));
  ASSERT_TRUE(pooled.has_value());
  EXPECT_EQ(pooled->min, 42.5);
  EXPECT_EQ(pooled->max, 42.5);
  EXPECT_EQ(pooled->mean, 42.5);
  EXPECT_DOUBLE_EQ(pooled->harmonic_mean, 42.5);
  EXPECT_EQ(pooled->stddev, 0);
  for (const auto& [percent, value] : pooled->percentiles) EXPECT_EQ(value, 42.5) << percent;
}

TEST(Pool, ZeroScoresHaveAHarmonicMean) {
  EXPECT_EQ(pool(column("k", {0.0, 0.0}))->harmonic_mean, 0);
  EXPECT_DOUBLE_EQ(pool(column("k", {0.0, 1.0}))->harmonic_mean, 2 / 1.5 - 1);
}

TEST(Pool, Infinities) {
  const auto pooled = pool(column("k", {1.0, kInf, 3.0}));
  EXPECT_EQ(pooled->min, 1);
  EXPECT_EQ(pooled->max, kInf);
  EXPECT_EQ(pooled->mean, kInf);
  EXPECT_EQ(pooled->stddev, kInf);
  EXPECT_EQ(pooled->harmonic_mean, 3 / 0.75 - 1);
  EXPECT_EQ(pooled->percentiles[4].second, 3);
  EXPECT_EQ(pooled->percentiles[7].second, kInf);
  const auto all = pool(column("k", {kInf, kInf}));
  EXPECT_EQ(all->harmonic_mean, kInf);
  for (const auto& [percent, value] : all->percentiles) EXPECT_EQ(value, kInf) << percent;
}

TEST(Pool, NothingToPool) {
  EXPECT_FALSE(pool(column("k", {})).has_value());
  EXPECT_FALSE(pool(column("k", {std::nullopt})).has_value());
}

class WriteReport : public ::testing::Test {
 protected:
  void SetUp() override {
    const auto* test = ::testing::UnitTest::GetInstance()->current_test_info();
    folder_ = fs::temp_directory_path() /
              ("vmafx_report_" + std::to_string(::getpid()) + "_" + test->name());
    fs::create_directories(folder_);
  }
  void TearDown() override { fs::remove_all(folder_); }

  static std::string content(const fs::path& path) {
    std::ostringstream text;
    text << std::ifstream(path).rdbuf();
    return text.str();
  }
  std::size_t files() const {
    return static_cast<std::size_t>(
        std::distance(fs::directory_iterator(folder_), fs::directory_iterator()));
  }

  fs::path folder_;
};

TEST_F(WriteReport, WritesAndReplaces) {
  const fs::path path = folder_ / "r.json";
  std::ofstream(path) << "old";
  ASSERT_TRUE(write_report(two_frames(), ReportFormat::kJson, kLegacy, path.string()).ok());
  EXPECT_EQ(content(path), render_report(two_frames(), ReportFormat::kJson, kLegacy));
  EXPECT_EQ(files(), 1u);
}

TEST_F(WriteReport, FollowsLinks) {
  fs::create_symlink(folder_ / "real.csv", folder_ / "link.csv");
  const std::string link = (folder_ / "link.csv").string();
  ASSERT_TRUE(write_report(two_frames(), ReportFormat::kCsv, kLegacy, link).ok());
  EXPECT_TRUE(fs::is_symlink(link));
  EXPECT_EQ(content(folder_ / "real.csv"),
            render_report(two_frames(), ReportFormat::kCsv, kLegacy));
}

TEST_F(WriteReport, FailsWithPathAndReason) {
  const std::string path = (folder_ / "no" / "such" / "r.json").string();
  const Status status = write_report(two_frames(), ReportFormat::kJson, kLegacy, path);
  ASSERT_FALSE(status.ok());
  EXPECT_EQ(status.error().code, ErrorCode::kIo);
  EXPECT_EQ(status.error().message,
            "cannot write the report to \"" + path + "\": No such file or directory");
}

TEST_F(WriteReport, PathIsCheckedBefore) {
  const fs::path file = folder_ / "file";
  std::ofstream(file) << "old";
  const std::string long_name = (folder_ / std::string(300, 'a')).string();
  EXPECT_TRUE(check_report_path((folder_ / "new.json").string()).ok());
  EXPECT_TRUE(check_report_path(file.string()).ok());
  EXPECT_TRUE(check_report_path("-").ok());
  EXPECT_EQ(files(), 1u);
  EXPECT_EQ(content(file), "old");
  for (const auto& [path, reason, hint] :
       {std::tuple((folder_ / "no" / "r.json").string(), "No such file or directory",
                   "the folder must exist and be writable"),
        std::tuple((file / "r.json").string(), "Not a directory",
                   "the folder must exist and be writable"),
        std::tuple(folder_.string(), "Is a directory", ""),
        std::tuple(long_name, "File name too long", "give it a shorter name")}) {
    const Status checked = check_report_path(path);
    ASSERT_FALSE(checked.ok()) << path;
    EXPECT_EQ(checked.error().message, "cannot write the report to \"" + path + "\": " + reason);
    EXPECT_EQ(checked.error().hint, hint);
    // The same that writing says.
    const Status written = write_report(two_frames(), ReportFormat::kJson, kLegacy, path);
    ASSERT_FALSE(written.ok());
    EXPECT_EQ(written.error().message, checked.error().message);
  }
}

TEST_F(WriteReport, FullDeviceIsAnError) {
  if (!fs::exists("/dev/full")) GTEST_SKIP() << "there is no /dev/full here";
  const Status status = write_report(two_frames(), ReportFormat::kJson, kLegacy, "/dev/full");
  ASSERT_FALSE(status.ok());
  EXPECT_NE(status.error().message.find("No space left"), std::string::npos);
}

}  // namespace
}  // namespace vmafx
