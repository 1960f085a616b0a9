// Scaling of a plane of floats, in libvmaf's arithmetic.
#ifndef VMAFX_METRICS_FLOAT_VIF_PRESCALE_H_
#define VMAFX_METRICS_FLOAT_VIF_PRESCALE_H_

#include <vector>

#include "base/plane.h"
#include "base/scratch.h"
#include "metrics/speed/axis.h"

namespace vmafx::float_vif {

class Prescaler {
 public:
  Prescaler(speed::Scaling scaling, int width, int height, int scaled_width, int scaled_height);

  int width() const { return static_cast<int>(columns_.size()); }
  int height() const { return static_cast<int>(rows_.size()); }

  // Every scaled sample is the sum of the plane's samples times the product of their weights down
  // and across, row by row from the top left, divided by the sum of these products for lanczos4.
  void scale(PlaneView<const float> plane, PlaneView<float> out) const;

 private:
  void scale_row(PlaneView<const float> plane, const speed::Points& row, float* out) const;

  int points_;
  bool normalize_;
  std::vector<speed::Points> columns_;
  std::vector<speed::Points> rows_;
};

}  // namespace vmafx::float_vif

#endif  // VMAFX_METRICS_FLOAT_VIF_PRESCALE_H_
