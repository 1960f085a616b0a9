#include "streams.h"

#include <utility>

#include <fmt/format.h>

#include "errors.h"

namespace vmafx::python {
namespace {

namespace nb = nanobind;

// Where Python tells; an iterator need not.
std::optional<std::int64_t> length_of(nb::handle frames) {
  constexpr std::int64_t kUnknown = -1;
  try {
    const auto length = nb::cast<std::int64_t>(
        nb::module_::import_("operator").attr("length_hint")(frames, kUnknown));
    return length == kUnknown ? std::nullopt : std::optional(length);
  } catch (const nb::python_error&) {
    return std::nullopt;  // that of an iterator may be anything; its frames tell
  }
}

// All but read() needs the GIL.
class ArraySource final : public FrameSource {
 public:
  ArraySource(const ArrayInput& input, Errands& errands, std::shared_ptr<ArrayKeeper> keeper)
      : errands_(errands), keeper_(std::move(keeper)), bit_depth_(input.bit_depth) {
    info_.path = input.name;
    info_.container = "memory";
    info_.codec = "rawvideo";
    info_.frame_rate = input.frame_rate;
    info_.frame_count = length_of(input.frames);
    iterator_ = nb::steal(PyObject_GetIter(input.frames.ptr()));
    if (!iterator_.is_valid()) throw nb::python_error();
    first_ = next();
    if (!first_)
      raise({ErrorCode::kNoFrames, fmt::format("{}: there is no frame in it", input.name), {}});
    info_.format = first_->format();
  }

  const StreamInfo& info() const override { return info_; }

  Result<std::optional<Picture>> read() override {
    if (first_) return std::exchange(first_, std::nullopt);
    std::optional<Picture> picture;
    if (!errands_.ask([&] { picture = next(); }))
      return Error{ErrorCode::kInterrupted, fmt::format("{}: no more frames", info_.path), {}};
    return picture;
  }

 private:
  std::optional<Picture> next() {
    keeper_->release();
    if (!iterator_.is_valid()) return std::nullopt;
    const nb::object frame = nb::steal(PyIter_Next(iterator_.ptr()));
    if (!frame.is_valid()) {
      if (PyErr_Occurred() != nullptr) throw nb::python_error();
      iterator_.reset();
      return std::nullopt;
    }
    const std::string where = fmt::format("{}, frame {}", info_.path, count_);
    Picture picture = picture_of(frame, where, bit_depth_, *keeper_);
    if (count_ > 0 && picture.format() != info_.format)
      raise({ErrorCode::kMismatch,
             fmt::format("{} is {}, but the first was {}", where, to_string(picture.format()),
                         to_string(info_.format)),
             {}});
    ++count_;
    return picture;
  }

  Errands& errands_;
  const std::shared_ptr<ArrayKeeper> keeper_;
  const std::optional<int> bit_depth_;
  StreamInfo info_;
  nb::object iterator_;
  std::optional<Picture> first_;
  std::int64_t count_ = 0;
};

std::unique_ptr<FrameSource> open_file(const FileInput& input) {
  SourceOptions options;
  options.path = input.path;
  options.raw = input.raw;
  auto opened = [&] {
    const nb::gil_scoped_release no_gil;
    return open_source(options);
  }();
  return value_of(std::move(opened));
}

}  // namespace

std::unique_ptr<FrameSource> open_input(const Input& input, Errands& errands,
                                        const std::shared_ptr<ArrayKeeper>& keeper) {
  if (const auto* file = std::get_if<FileInput>(&input)) return open_file(*file);
  return std::make_unique<ArraySource>(std::get<ArrayInput>(input), errands, keeper);
}

}  // namespace vmafx::python
