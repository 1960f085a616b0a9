// Pictures over the memory of arrays that Python owns.
#ifndef VMAFX_PYTHON_FRAMES_H_
#define VMAFX_PYTHON_FRAMES_H_

#include <atomic>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include <nanobind/nanobind.h>
#include <nanobind/ndarray.h>

#include "vmafx/picture.h"

namespace vmafx::python {

using Array = nanobind::ndarray<nanobind::ro>;

// Keeps arrays while pictures over them live. The last picture may go on a thread that must not
// wait for the GIL, so its arrays are only put aside there; release() lets go of them.
class ArrayKeeper : public std::enable_shared_from_this<ArrayKeeper> {
 public:
  ArrayKeeper() = default;
  // Needs the GIL.
  ~ArrayKeeper() { release(); }
  ArrayKeeper(const ArrayKeeper&) = delete;
  ArrayKeeper& operator=(const ArrayKeeper&) = delete;

  // The owner of a picture over the arrays.
  std::shared_ptr<const void> keep(std::vector<Array> arrays);
  // Needs the GIL.
  void release();

 private:
  struct Kept {
    std::vector<Array> arrays;
    Kept* next = nullptr;
  };
  void put_aside(Kept* kept) noexcept;

  std::atomic<Kept*> aside_ = nullptr;
};

// A frame is a plane or a tuple or list of one or three. `where` is what errors begin with,
// "reference, frame 3". Without a depth, samples are uint8. Needs the GIL; throws.
Picture picture_of(nanobind::handle frame, const std::string& where,
                   const std::optional<int>& bit_depth, ArrayKeeper& keeper);

}  // namespace vmafx::python

#endif  // VMAFX_PYTHON_FRAMES_H_
