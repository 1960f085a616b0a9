// Eigenvalues of a symmetric tridiagonal matrix.
#ifndef VMAFX_METRICS_SPEED_EIGENVALUES_H_
#define VMAFX_METRICS_SPEED_EIGENVALUES_H_

#include <span>

namespace vmafx::speed {

// A number below this is zero: an eigenvalue or a pivot. It is compared as a double.
inline constexpr double kSingular = 1e-6;

// Turns the diagonal into the eigenvalues, in no particular order, by implicit QR steps with
// Wilkinson's shift (Golub and Van Loan, Matrix Computations, 8.3). `beside` holds the entries next
// to the diagonal, one fewer, and is destroyed. Float arithmetic; the small eigenvalues are no more
// accurate than 1e-7 of the largest, so the order of operations is part of the definition.
void diagonalize(std::span<float> diagonal, std::span<float> beside);

}  // namespace vmafx::speed

#endif  // VMAFX_METRICS_SPEED_EIGENVALUES_H_
