#include "frames.h"

#include <algorithm>
#include <array>
#include <cstdint>
#include <limits>

#include <fmt/format.h>

#include "errors.h"

namespace vmafx::python {
namespace {

namespace nb = nanobind;

[[noreturn]] void wrong_type(const std::string& where, const std::string& what) {
  throw nb::type_error(fmt::format("{}: {}", where, what).c_str());
}

[[noreturn]] void unusable(const std::string& where, const std::string& what,
                           std::string hint = {}) {
  raise({ErrorCode::kUsage, fmt::format("{}: {}", where, what), std::move(hint)});
}

std::string dtype_name(const nb::dlpack::dtype& type) {
  using Code = nb::dlpack::dtype_code;
  const char* kind = "an unknown type of";
  switch (static_cast<Code>(type.code)) {
    case Code::Int:
      kind = "int";
      break;
    case Code::UInt:
      kind = "uint";
      break;
    case Code::Float:
      kind = "float";
      break;
    case Code::Bfloat:
      kind = "bfloat";
      break;
    case Code::Complex:
      kind = "complex";
      break;
    case Code::Bool:
      kind = "bool";
      break;
    default:
      break;
  }
  return fmt::format("{}{}", kind, static_cast<int>(type.bits));
}

// Asked before the tensor: that of another device cannot be had, or not without a copy.
void check_device(nb::handle object, const std::string& where) {
  // DLPack's numbers of memory that the CPU reads: its own, and what CUDA has pinned.
  constexpr int kCpu = 1;
  constexpr int kCudaHost = 3;
  if (!nb::hasattr(object, "__dlpack_device__")) return;
  const nb::object device = object.attr("__dlpack_device__")();
  const int type = nb::cast<int>(device[0]);
  if (type != kCpu && type != kCudaHost)
    wrong_type(where,
               fmt::format("the array is not in the CPU's memory (DLPack device type {}); copy it "
                           "there first",
                           type));
}

Array array_of(nb::handle object, const std::string& where) {
  check_device(object, where);
  nb::object exporter = nb::borrow(object);
  // A memoryview says its strides; other buffers (of ctypes) may not, on which nanobind relies.
  if (!nb::hasattr(object, "__dlpack__") && PyObject_CheckBuffer(object.ptr()) != 0)
    exporter = nb::steal(PyMemoryView_FromObject(object.ptr()));
  if (!exporter.is_valid()) throw nb::python_error();
  Array array;
  if (!nb::try_cast(exporter, array, false))
    wrong_type(where,
               fmt::format("a plane is an array (NumPy, DLPack or buffer) in native byte order, "
                           "not {}",
                           nb::type_name(object.type()).c_str()));
  const nb::dlpack::dtype type = array.dtype();
  if (type.code != static_cast<std::uint8_t>(nb::dlpack::dtype_code::UInt) || type.lanes != 1 ||
      (type.bits != 8 && type.bits != 16))
    wrong_type(where, fmt::format("samples are uint8 or uint16, not {}", dtype_name(type)));
  return array;
}

void check_layout(const Array& array, const std::string& where) {
  if (array.ndim() != 2)
    unusable(where,
             fmt::format("a plane has two dimensions, rows and columns, not {}", array.ndim()),
             "frames come as a list, an array of them or an iterator; a frame is a plane, or a "
             "tuple of planes");
  if (array.shape(1) > 1 && array.stride(1) != 1)
    unusable(where, "the samples of a row do not lie side by side",
             "numpy.ascontiguousarray makes a copy in which they do");
  const auto address = reinterpret_cast<std::uintptr_t>(array.data());
  if (address % array.itemsize() != 0)
    unusable(where, "the samples are not aligned", "numpy.require(plane, requirements='A')");
}

int side(std::size_t samples) {
  return static_cast<int>(std::min<std::size_t>(samples, std::numeric_limits<int>::max()));
}

int depth_of(const std::vector<Array>& planes, const std::string& where,
             const std::optional<int>& bit_depth) {
  const int sample_bits = planes[0].dtype().bits;
  for (const Array& plane : planes)
    if (plane.dtype().bits != sample_bits) unusable(where, "planes of uint8 and of uint16");
  if (sample_bits == 8) {
    if (bit_depth.value_or(8) != 8)
      unusable(where, fmt::format("samples of {} bits are uint16, not uint8", *bit_depth));
    return 8;
  }
  if (!bit_depth)
    unusable(where, "samples are uint16, but bit_depth is not given", "bit_depth is 9 to 16");
  if (*bit_depth == 8) unusable(where, "samples of 8 bits are uint8, not uint16");
  return *bit_depth;
}

PictureFormat format_of(const std::vector<Array>& planes, const std::string& where,
                        const std::optional<int>& bit_depth) {
  PictureFormat format{side(planes[0].shape(1)), side(planes[0].shape(0)),
                       depth_of(planes, where, bit_depth), Chroma::k400};
  if (const Status valid = validate(format); !valid)
    raise({valid.error().code, fmt::format("{}: {}", where, valid.error().message), {}});
  if (planes.size() == 1) return format;
  // Of a very small picture several fit; then the most common one is meant.
  for (const Chroma chroma :
       {Chroma::k420, Chroma::k422, Chroma::k444, Chroma::k440, Chroma::k411}) {
    format.chroma = chroma;
    bool fits = true;
    for (int p = 1; p < 3; ++p) {
      const Array& plane = planes[static_cast<std::size_t>(p)];
      fits = fits && side(plane.shape(1)) == format.plane_width(p) &&
             side(plane.shape(0)) == format.plane_height(p);
    }
    if (fits) return format;
  }
  unusable(where,
           fmt::format("planes of {}x{}, {}x{} and {}x{} (width x height) make no picture",
                       planes[0].shape(1), planes[0].shape(0), planes[1].shape(1),
                       planes[1].shape(0), planes[2].shape(1), planes[2].shape(0)),
           "chroma planes are as large as luma, or half of it, rounded up");
}

std::vector<Array> planes_of(nb::handle frame, const std::string& where) {
  std::vector<Array> planes;
  if (nb::isinstance<nb::tuple>(frame) || nb::isinstance<nb::list>(frame)) {
    for (const nb::handle plane : frame) planes.push_back(array_of(plane, where));
    if (planes.size() != 1 && planes.size() != 3)
      unusable(where, fmt::format("a frame has one plane or three, not {}", planes.size()));
  } else {
    planes.push_back(array_of(frame, where));
  }
  for (const Array& plane : planes) check_layout(plane, where);
  return planes;
}

}  // namespace

std::shared_ptr<const void> ArrayKeeper::keep(std::vector<Array> arrays) {
  auto kept = std::make_unique<Kept>(Kept{std::move(arrays)});
  return {kept.release(), [self = shared_from_this()](Kept* done) { self->put_aside(done); }};
}

void ArrayKeeper::put_aside(Kept* kept) noexcept {
  kept->next = aside_.load();
  while (!aside_.compare_exchange_weak(kept->next, kept)) {
  }
}

void ArrayKeeper::release() {
  Kept* kept = aside_.exchange(nullptr);
  while (kept != nullptr) {
    const std::unique_ptr<Kept> done(kept);
    kept = done->next;
  }
}

Picture picture_of(nb::handle frame, const std::string& where, const std::optional<int>& bit_depth,
                   ArrayKeeper& keeper) {
  std::vector<Array> arrays = planes_of(frame, where);
  const PictureFormat format = format_of(arrays, where, bit_depth);
  std::array<Picture::Plane, 3> planes{};
  for (std::size_t p = 0; p < arrays.size(); ++p)
    planes[p] = {static_cast<const std::byte*>(arrays[p].data()),
                 static_cast<std::ptrdiff_t>(arrays[p].stride(0)) * format.bytes_per_sample()};
  return {format, planes, keeper.keep(std::move(arrays))};
}

}  // namespace vmafx::python
