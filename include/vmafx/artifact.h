// Maps that a metric makes beside its scores, such as CAMBI's heat maps.
#ifndef VMAFX_ARTIFACT_H_
#define VMAFX_ARTIFACT_H_

#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "vmafx/status.h"

namespace vmafx {

// One frame's part of a file.
struct Artifact {
  std::string folder;  // as the metric's option names it
  std::string file;    // "cambi_heatmap_scale_0_1920x1080_16b.gray"
  std::vector<std::byte> bytes;
};

// Writes artifacts to their files, one frame after the other. Folders are made, files that exist
// are replaced. Not thread-safe.
class ArtifactFiles {
 public:
  ArtifactFiles();
  ~ArtifactFiles();
  ArtifactFiles(ArtifactFiles&&) noexcept;
  ArtifactFiles& operator=(ArtifactFiles&&) noexcept;

  // Of several encodes each but the first has a folder "encode_<number>" of its own. kIo names the
  // path and the reason.
  Status append(const Artifact& artifact, int encode);

 private:
  class Impl;
  std::unique_ptr<Impl> impl_;
};

}  // namespace vmafx

#endif  // VMAFX_ARTIFACT_H_
