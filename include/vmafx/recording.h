// Raw measurements of a range of frames, before anything is folded over time: what machines that
// share one long video hand to the one that makes the report.
#ifndef VMAFX_RECORDING_H_
#define VMAFX_RECORDING_H_

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

namespace vmafx {

// Frames before the one that it measures that any metric looks at.
inline constexpr int kLookBack = 2;

struct Recording {
  std::string source;  // in messages: the file that it is from
  std::string plan;    // what was measured, and by which version: only equal ones fit together
  std::vector<std::string> backends;  // "cpu", "cuda": of each part of the plan
  std::int64_t first_frame = 0;
  std::vector<bool> identical;     // of each frame: reference and distorted have the same samples
  std::vector<std::byte> records;  // of all frames, equally long, in this machine's byte order

  std::int64_t frame_count() const { return static_cast<std::int64_t>(identical.size()); }
};

}  // namespace vmafx

#endif  // VMAFX_RECORDING_H_
