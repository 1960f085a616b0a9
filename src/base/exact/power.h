// Logarithms and powers with errors far below half an ulp, the same bits on every machine. For set-up code
// and for the last steps of scores: about a microsecond a call.
#ifndef VMAFX_BASE_EXACT_POWER_H_
#define VMAFX_BASE_EXACT_POWER_H_

#include "base/exact/double_double.h"

namespace vmafx::exact {

// Natural logarithm of a positive, normal, finite x. Relative error below 2^-95 (absolute near x = 1).
DoubleDouble wide_log(double x);
// e^x for |x| < 700. Relative error below 2^-90.
DoubleDouble wide_exp(DoubleDouble x);

// Positive x, results within double's normal range: rounded correctly but for cases closer than 2^-85 to
// a tie.
double accurate_log10(double x);
double accurate_exp(double x);
double accurate_pow(double x, double y);

// x to the power 0x1.555556p-2, the float next to 1/3, correctly rounded to float: what libvmaf means by
// powf(x, 1.0f / 3.0f). Differs from the true cube root by up to 1e-6 of it. 0 if x is not positive;
// x is finite.
float pow_float_third(float x);

}  // namespace vmafx::exact

#endif  // VMAFX_BASE_EXACT_POWER_H_
