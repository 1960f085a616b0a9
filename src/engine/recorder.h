// Recordings: made from records as they come, and taken apart again in frame order.
#ifndef VMAFX_ENGINE_RECORDER_H_
#define VMAFX_ENGINE_RECORDER_H_

#include <cstddef>
#include <functional>
#include <span>
#include <string>
#include <vector>

#include "engine/measurer.h"
#include "vmafx/recording.h"
#include "vmafx/status.h"

namespace vmafx::engine {

// What measured a group of the plan, in all recordings: "cpu", or "cpu, cuda".
std::string backends_of(const std::vector<Recording>& recordings, std::size_t group);

// Adds the next frame.
void append(Recording& recording, const EncodeRecord& record);

// Checks that the recordings are of `plan` and hold every frame from 0 on, each with the same
// record wherever it is held twice.
Status check_recordings(std::span<const Recording> recordings, const std::string& plan,
                        std::size_t record_bytes);

// Calls `deliver` for each frame once, in order. Precondition: check_recordings() passed.
void replay(std::span<const Recording> recordings, std::size_t record_bytes,
            const std::function<void(std::int64_t frame, const EncodeRecord& record)>& deliver);

}  // namespace vmafx::engine

#endif  // VMAFX_ENGINE_RECORDER_H_
