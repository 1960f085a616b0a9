#include "base/options.h"

#include <array>

#include <gtest/gtest.h>

namespace vmafx {
namespace {

constexpr std::string_view kChoices[] = {"x", "y"};

const std::array<OptionSpec, 4>& schema() {
  static const std::array<OptionSpec, 4> kSchema = {{
      {.name = "zeta",
       .alias = "z",
       .help = "",
       .default_value = 1.0,
       .min = 0,
       .max = 10,
       .in_key = true},
      {.name = "alpha", .alias = "a", .help = "", .default_value = false, .in_key = true},
      {.name = "count",
       .alias = "",
       .help = "",
       .default_value = 3,
       .min = 1,
       .max = 9,
       .in_key = true},
      {.name = "mode",
       .alias = "",
       .help = "",
       .default_value = std::string("x"),
       .choices = {kChoices[0], kChoices[1]}},
  }};
  return kSchema;
}

Result<Options> parse(const OptionText& text) { return Options::parse(schema(), text, "m"); }

TEST(Options, SuffixIsSortedByFullNameAndLeavesOutDefaults) {
  EXPECT_EQ(parse({{"z", "0.70"}, {"alpha", "true"}, {"count", "3"}})->key_suffix(), "_a_z_0.7");
  EXPECT_EQ(parse({{"count", "4"}, {"zeta", "1"}})->key_suffix(), "_count_4");
  EXPECT_EQ(parse({})->key_suffix(), "");
  EXPECT_EQ(parse({{"mode", "y"}})->key_suffix(), "");
}

TEST(Options, AliasAndNameGiveEqualOptions) {
  EXPECT_EQ(parse({{"z", "2"}})->canonical(), parse({{"zeta", "2.0"}})->canonical());
}

TEST(Options, ErrorsNameOwnerAndOption) {
  EXPECT_EQ(parse({{"bogus", "1"}}).error().message, "m: there is no option \"bogus\"");
  EXPECT_EQ(parse({{"bogus", "1"}}).error().hint, "it has: zeta, alpha, count, mode");
  EXPECT_EQ(parse({{"zeta", "11"}}).error().message,
            "m: zeta=11 is out of range, it takes 0 to 10");
  EXPECT_EQ(parse({{"zeta", "nan"}}).error().message, "m: zeta=nan is not a number");
  EXPECT_EQ(parse({{"alpha", "maybe"}}).error().message, "m: alpha=maybe is not true or false");
  EXPECT_EQ(parse({{"count", "2.5"}}).error().message, "m: count=2.5 is not a whole number");
  EXPECT_EQ(parse({{"mode", "w"}}).error().message, "m: mode=w is not one of x, y");
  EXPECT_EQ(parse({{"zeta", "1"}, {"z", "2"}}).error().code, ErrorCode::kUsage);
}

}  // namespace
}  // namespace vmafx
