// What measuring a frame gives.
#ifndef VMAFX_ENGINE_RECORDS_H_
#define VMAFX_ENGINE_RECORDS_H_

#include <cstddef>
#include <cstdint>
#include <vector>

#include "vmafx/artifact.h"

namespace vmafx::engine {

// The raw sums of an encode's frame: group g's record is at MeasurePlan::groups[g].offset. Groups
// that are not measured for this frame hold zeros.
struct EncodeRecord {
  bool identical = false;  // to the reference
  std::vector<std::byte> bytes;
  std::vector<std::vector<Artifact>> artifacts;  // of each group
};

struct FrameRecords {
  std::int64_t frame = 0;
  std::vector<EncodeRecord> encodes;
};

}  // namespace vmafx::engine

#endif  // VMAFX_ENGINE_RECORDS_H_
