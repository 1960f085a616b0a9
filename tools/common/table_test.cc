#include "common/table.h"

#include <gtest/gtest.h>

namespace vmafx::tools {
namespace {

TEST(Table, AlignsAndTrims) {
  EXPECT_EQ(table_text({{"name", Align::kLeft}, {"mean", Align::kRight}},
                       {{"psnr_y", "34.1"}, {"v", "100.25"}}, 80, Style(false)),
            "  name      mean\n"
            "  psnr_y    34.1\n"
            "  v       100.25\n");
}

TEST(Table, WrapsTheLastColumn) {
  EXPECT_EQ(table_text({{"a", Align::kLeft}, {"text", Align::kLeft}},
                       {{"x", "one two three four five six seven"}}, 28, Style(false)),
            "  a  text\n"
            "  x  one two three four five\n"
            "     six seven\n");
}

}  // namespace
}  // namespace vmafx::tools
