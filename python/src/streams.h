// The two kinds of input: a file, and frames that Python makes.
#ifndef VMAFX_PYTHON_STREAMS_H_
#define VMAFX_PYTHON_STREAMS_H_

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <variant>

#include <nanobind/nanobind.h>

#include "errands.h"
#include "frames.h"
#include "vmafx/media.h"

namespace vmafx::python {

struct FileInput {
  std::string path;
  std::optional<PictureFormat> raw;
};

struct ArrayInput {
  nanobind::object frames;  // anything that can be iterated over
  std::string name;         // in messages and reports
  std::optional<int> bit_depth;
  std::optional<Rational> frame_rate;
};

using Input = std::variant<FileInput, ArrayInput>;

// Opens a file, or takes the first of the frames, which gives the format. Frames are taken one by
// one, as errands. Called with the GIL; throws.
std::unique_ptr<FrameSource> open_input(const Input& input, Errands& errands,
                                        const std::shared_ptr<ArrayKeeper>& keeper);

}  // namespace vmafx::python

#endif  // VMAFX_PYTHON_STREAMS_H_
