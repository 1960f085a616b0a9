#include "common/option_text.h"

#include <gtest/gtest.h>

namespace vmafx::tools {

bool operator==(const KeyValue& a, const KeyValue& b) {
  return a.scope == b.scope && a.key == b.key && a.value == b.value;
}

void PrintTo(const KeyValue& pair, std::ostream* out) {
  *out << '[' << pair.scope << "][" << pair.key << ']';
  if (pair.value) *out << "=[" << *pair.value << ']';
}

namespace {

using Pairs = std::vector<KeyValue>;

TEST(SplitPairs, PairsAndBareWords) {
  EXPECT_EQ(split_pairs("a=1:b=2"), (Pairs{{"", "a", "1"}, {"", "b", "2"}}));
  EXPECT_EQ(split_pairs("disable_clip:a=1"), (Pairs{{"", "disable_clip", {}}, {"", "a", "1"}}));
  EXPECT_EQ(split_pairs("a="), (Pairs{{"", "a", ""}}));
  EXPECT_EQ(split_pairs(""), (Pairs{{"", "", {}}}));
  EXPECT_EQ(split_pairs("a=1:"), (Pairs{{"", "a", "1"}, {"", "", {}}}));
}

TEST(SplitPairs, FirstEqualsSignEndsTheKey) {
  EXPECT_EQ(split_pairs("a=b=c:d=="), (Pairs{{"", "a", "b=c"}, {"", "d", "="}}));
}

TEST(SplitPairs, DotSplitsTheKeyOnly) {
  EXPECT_EQ(split_pairs("adm.egl=1.2"), (Pairs{{"adm", "egl", "1.2"}}));
  EXPECT_EQ(split_pairs("a.b.c=1"), (Pairs{{"a", "b.c", "1"}}));
}

TEST(SplitPairs, EscapesInKeys) {
  EXPECT_EQ(split_pairs(R"(a\:b=1)"), (Pairs{{"", "a:b", "1"}}));
  EXPECT_EQ(split_pairs(R"(a\=b=1)"), (Pairs{{"", "a=b", "1"}}));
  EXPECT_EQ(split_pairs(R"(a\.b=1)"), (Pairs{{"", "a.b", "1"}}));
  EXPECT_EQ(split_pairs(R"(a\\=1)"), (Pairs{{"", "a\\", "1"}}));
  EXPECT_EQ(split_pairs(R"(a\n=1)"), (Pairs{{"", "a\\n", "1"}}));
}

TEST(SplitPairs, BackslashesInValuesArePlainData) {
  EXPECT_EQ(split_pairs(R"(p=a\b\\c)"), (Pairs{{"", "p", R"(a\b\\c)"}}));
}

TEST(SplitPairs, BackslashRunsBeforeSignsAreReadInPairs) {
  EXPECT_EQ(split_pairs(R"(p=a\:b)"), (Pairs{{"", "p", "a:b"}}));
  EXPECT_EQ(split_pairs(R"(p=a\\:q=1)"), (Pairs{{"", "p", R"(a\)"}, {"", "q", "1"}}));
  EXPECT_EQ(split_pairs(R"(p=a\\\:b)"), (Pairs{{"", "p", R"(a\:b)"}}));
  EXPECT_EQ(split_pairs(R"(p=a\=b)"), (Pairs{{"", "p", "a=b"}}));
  EXPECT_EQ(split_pairs(R"(p=a\\)"), (Pairs{{"", "p", R"(a\)"}}));
  EXPECT_EQ(split_pairs(R"(p=a\)"), (Pairs{{"", "p", R"(a\)"}}));
}

TEST(SplitPairs, WindowsDrives) {
  EXPECT_EQ(split_pairs(R"(path=C:\models\v.json:name=a)"),
            (Pairs{{"", "path", R"(C:\models\v.json)"}, {"", "name", "a"}}));
  EXPECT_EQ(split_pairs("path=d:/v.json:name=a"),
            (Pairs{{"", "path", "d:/v.json"}, {"", "name", "a"}}));
  EXPECT_EQ(split_pairs(R"(C:\models\v.json:name=a)"),
            (Pairs{{"", R"(C:\models\v.json)", {}}, {"", "name", "a"}}));
  // One letter and a sign that no path begins with is an ordinary pair.
  EXPECT_EQ(split_pairs("a=x:b=1"), (Pairs{{"", "a", "x"}, {"", "b", "1"}}));
}

TEST(ParseFeature, NameAndOptions) {
  const auto feature = parse_feature("psnr=enable_mse=true:min_sse=0.5");
  ASSERT_TRUE(feature.ok());
  EXPECT_EQ(feature->name, "psnr");
  EXPECT_EQ(feature->options,
            (std::map<std::string, std::string>{{"enable_mse", "true"}, {"min_sse", "0.5"}}));
  EXPECT_TRUE(parse_feature("vif")->options.empty());
}

TEST(ParseFeature, Mistakes) {
  const auto message = [](std::string_view text) { return parse_feature(text).error().message; };
  EXPECT_EQ(message("psnr=enable_mse"), "feature psnr: option \"enable_mse\" has no value");
  EXPECT_EQ(message("psnr="), "feature psnr: option \"\" has no value");
  EXPECT_EQ(message("=a=b"), "feature \"=a=b\" has no name");
  EXPECT_EQ(message("psnr=a=1:a=2"), "feature psnr: a is given twice, as 1 and as 2");
  EXPECT_TRUE(parse_feature("psnr=a=1:a=1").ok());
}

TEST(ParseModel, Words) {
  const auto model = parse_model(
      "version=vmaf_v0.6.1:name=v:disable_clip:enable_transform=true:adm.adm_enhn_gain_limit=1.2");
  ASSERT_TRUE(model.ok());
  EXPECT_EQ(model->version, "vmaf_v0.6.1");
  EXPECT_EQ(model->name, "v");
  EXPECT_TRUE(model->disable_clip);
  EXPECT_EQ(model->transform, TransformUse::kOn);
  ASSERT_EQ(model->overloads.size(), 1u);
  EXPECT_EQ(model->overloads[0].metric, "adm");
  EXPECT_EQ(model->overloads[0].option, "adm_enhn_gain_limit");
  EXPECT_EQ(model->overloads[0].value, "1.2");
}

TEST(ParseModel, DefaultsAndFlagsThatAreOff) {
  const auto model = parse_model("path=m.json:disable_clip=false:enable_transform=false");
  ASSERT_TRUE(model.ok());
  EXPECT_EQ(model->path, "m.json");
  EXPECT_EQ(model->name, "vmaf");
  EXPECT_FALSE(model->disable_clip);
  EXPECT_EQ(model->transform, TransformUse::kModelDecides);
}

TEST(ParseModel, BareNameOrPath) {
  EXPECT_EQ(parse_model("vmaf_v0.6.1")->version, "vmaf_v0.6.1");
  EXPECT_EQ(parse_model("file.json")->path, "file.json");
  EXPECT_EQ(parse_model("models/file")->path, "models/file");
  EXPECT_EQ(parse_model(R"(C:\m\file.json:name=a)")->path, R"(C:\m\file.json)");
}

TEST(ParseModel, Mistakes) {
  const auto message = [](std::string_view text) { return parse_model(text).error().message; };
  EXPECT_EQ(message("name=a"), "model \"name=a\" needs either version= or path=");
  EXPECT_EQ(message("disable_clip"), "model \"disable_clip\" needs either version= or path=");
  EXPECT_EQ(message("version=a:path=b"),
            "model \"version=a:path=b\" needs either version= or path=");
  EXPECT_EQ(message("version=a:bogus=1"), "there is no model option \"bogus\"");
  EXPECT_EQ(message("version=a:bogus"), "model option \"bogus\" has no value");
  EXPECT_EQ(message("version=a:disable_clip=maybe"),
            "model option disable_clip=maybe is not true or false");
  EXPECT_EQ(message(""), "model option \"\" has no value");
}

TEST(ParseNumber, BasesOfC) {
  EXPECT_EQ(parse_number("10"), 10u);
  EXPECT_EQ(parse_number("0x1F"), 31u);
  EXPECT_EQ(parse_number("010"), 8u);
  EXPECT_EQ(parse_number("0"), 0u);
  for (const char* text : {"", "-1", "+1", " 1", "1 ", "1.5", "0x", "09", "99999999999999999999"})
    EXPECT_FALSE(parse_number(text).has_value()) << text;
}

TEST(ParsePrecision, Forms) {
  EXPECT_EQ(parse_precision("legacy")->form, Precision::Form::kLegacy);
  EXPECT_EQ(parse_precision("max")->digits, 17);
  EXPECT_EQ(parse_precision("full")->digits, 17);
  EXPECT_EQ(parse_precision("9")->digits, 9);
  for (const char* text : {"0", "18", "-1", "", "many"})
    EXPECT_FALSE(parse_precision(text).has_value()) << text;
}

TEST(ParseRawFormat, Forms) {
  EXPECT_EQ(*parse_raw_format("1920x1080:420:10"), (PictureFormat{1920, 1080, 10, Chroma::k420}));
  EXPECT_EQ(*parse_raw_format("8x6:400"), (PictureFormat{8, 6, 8, Chroma::k400}));
  for (const char* text : {"", "1920x1080", "1920:420:8", "x:420:8", "8x6:421:8", "8x6:420:7",
                           "8x6:420:17", "8x6:420:", "0x6:420:8", "8x99999:420:8", "8x6:420:8:1"})
    EXPECT_FALSE(parse_raw_format(text).ok()) << text;
}

}  // namespace
}  // namespace vmafx::tools
