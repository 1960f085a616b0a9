// The file in which the raw measurements of a range of frames travel, with all that a report needs.
#ifndef VMAFX_MEASUREMENT_FILE_H_
#define VMAFX_MEASUREMENT_FILE_H_

#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "vmafx/media.h"
#include "vmafx/model.h"
#include "vmafx/recording.h"
#include "vmafx/status.h"

namespace vmafx {

struct MeasurementFile {
  struct Model {
    ModelSpec spec;
    std::string digest;  // of the model's content
  };
  struct Metric {
    std::string name;
    std::map<std::string, std::string> options;
  };

  Recording recording;
  StreamInfo reference;
  StreamInfo distorted;
  std::vector<Model> models;
  std::vector<Metric> metrics;  // asked for by name
  // Frames that were left out before frame 0.
  std::int64_t skipped_reference = 0;
  std::int64_t skipped_distorted = 0;
  int subsample = 1;
  double seconds = 0;   // wall clock of the measuring
  bool at_end = false;  // a stream ends with the range
  // Frames of the longer stream past the end of the shorter one.
  std::int64_t left_out_reference = 0;
  std::int64_t left_out_distorted = 0;
};

// Atomic, like write_report(). kIo names the path and the reason.
Status write_measurements(const MeasurementFile& file, const std::string& path);

// kIo if it cannot be read, kBadInput if it is no such file, cut off or changed. The recording's
// source is the path.
Result<MeasurementFile> read_measurements(const std::string& path);

}  // namespace vmafx

#endif  // VMAFX_MEASUREMENT_FILE_H_
