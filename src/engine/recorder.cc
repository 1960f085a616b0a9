#include "engine/recorder.h"

#include <algorithm>
#include <set>

#include <fmt/format.h>
#include <fmt/ranges.h>

namespace vmafx::engine {
namespace {

std::vector<const Recording*> in_frame_order(std::span<const Recording> recordings) {
  std::vector<const Recording*> sorted;
  sorted.reserve(recordings.size());
  for (const Recording& recording : recordings) sorted.push_back(&recording);
  std::sort(sorted.begin(), sorted.end(), [](const Recording* a, const Recording* b) {
    return a->first_frame != b->first_frame ? a->first_frame < b->first_frame : a < b;
  });
  return sorted;
}

std::int64_t end_of(const Recording& recording) {
  return recording.first_frame + recording.frame_count();
}

std::span<const std::byte> record_of(const Recording& recording, std::int64_t frame,
                                     std::size_t record_bytes) {
  return std::span(recording.records)
      .subspan(static_cast<std::size_t>(frame - recording.first_frame) * record_bytes,
               record_bytes);
}

bool same_record(const Recording& a, const Recording& b, std::int64_t frame,
                 std::size_t record_bytes) {
  const auto index = [&](const Recording& r) {
    return static_cast<std::size_t>(frame - r.first_frame);
  };
  const auto first = record_of(a, frame, record_bytes);
  const auto second = record_of(b, frame, record_bytes);
  return a.identical[index(a)] == b.identical[index(b)] &&
         std::equal(first.begin(), first.end(), second.begin(), second.end());
}

Status check_one(const Recording& recording, const std::string& plan, std::size_t record_bytes) {
  if (recording.plan != plan)
    return Error{ErrorCode::kMismatch,
                 fmt::format("{} was measured as \"{}\", not as \"{}\"", recording.source,
                             recording.plan, plan),
                 "all must be measured by one version, with the same options, of the same pair"};
  if (recording.first_frame < 0 ||
      recording.records.size() != recording.identical.size() * record_bytes)
    return Error{ErrorCode::kBadInput, fmt::format("{} is damaged", recording.source), {}};
  return {};
}

}  // namespace

std::string backends_of(const std::vector<Recording>& recordings, std::size_t group) {
  std::set<std::string> names;
  for (const Recording& recording : recordings)
    if (group < recording.backends.size()) names.insert(recording.backends[group]);
  return fmt::format("{}", fmt::join(names, ", "));
}

void append(Recording& recording, const EncodeRecord& record) {
  recording.identical.push_back(record.identical);
  recording.records.insert(recording.records.end(), record.bytes.begin(), record.bytes.end());
}

Status check_recordings(std::span<const Recording> recordings, const std::string& plan,
                        std::size_t record_bytes) {
  for (const Recording& recording : recordings)
    if (Status status = check_one(recording, plan, record_bytes); !status) return status;

  if (std::all_of(recordings.begin(), recordings.end(),
                  [](const Recording& recording) { return recording.identical.empty(); }))
    return Error{ErrorCode::kNoFrames, "there is no measurement of any frame", {}};

  std::int64_t end = 0;
  const Recording* longest = nullptr;  // the one that reaches `end`
  for (const Recording* recording : in_frame_order(recordings)) {
    if (recording->first_frame > end)
      return Error{
          ErrorCode::kBadInput,
          fmt::format("no recording holds frames {} to {}", end, recording->first_frame - 1),
          {}};
    for (std::int64_t n = recording->first_frame; n < std::min(end, end_of(*recording)); ++n)
      if (!same_record(*longest, *recording, n, record_bytes))
        return Error{ErrorCode::kBadInput,
                     fmt::format("{} and {} hold different measurements of frame {}",
                                 longest->source, recording->source, n),
                     "one of them is of other videos"};
    if (longest == nullptr || end_of(*recording) > end) {
      end = end_of(*recording);
      longest = recording;
    }
  }
  return {};
}

void replay(std::span<const Recording> recordings, std::size_t record_bytes,
            const std::function<void(std::int64_t frame, const EncodeRecord& record)>& deliver) {
  std::int64_t next = 0;
  for (const Recording* recording : in_frame_order(recordings)) {
    for (; next < end_of(*recording); ++next) {
      const auto bytes = record_of(*recording, next, record_bytes);
      deliver(next, {recording->identical[static_cast<std::size_t>(next - recording->first_frame)],
                     {bytes.begin(), bytes.end()},
                     {}});
    }
  }
}

}  // namespace vmafx::engine
