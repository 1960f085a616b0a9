// Which instruction set kernels run with.
#include <cstdint>
#include <string>

#include <gtest/gtest.h>

#include "base/dot_products.h"
#include "vmafx/catalog.h"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "tests/instruction_sets_test.cc"
#include <hwy/foreach_target.h>
#include <hwy/highway.h>

HWY_BEFORE_NAMESPACE();
namespace vmafx {
namespace HWY_NAMESPACE {

std::int64_t target() { return HWY_TARGET; }

}  // namespace HWY_NAMESPACE
}  // namespace vmafx
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace vmafx {
namespace {

HWY_EXPORT(target);

TEST(InstructionSets, DisabledOnesAreNotUsed) {
  struct Restore {
    ~Restore() { disable_instruction_sets(0); }
  } restore;
  std::uint64_t mask = 0;
  for (const std::uint64_t bit : {0U, 32U, 16U, 8U, 4U, 2U, 1U}) {
    mask |= bit;
    disable_instruction_sets(mask);
    // Looking at what there is must not bring back what was disabled.
    const std::string in_use = cpu_info().target;
    EXPECT_EQ(hwy::TargetName(HWY_DYNAMIC_DISPATCH(target)()), in_use) << mask;
  }
}

}  // namespace
}  // namespace vmafx
#endif
