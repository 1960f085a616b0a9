// Arithmetic on unevaluated sums of two doubles (about 104 bits), from IEEE + - x / only, so that
// it has the same bits on every machine. T. J. Dekker, "A floating-point technique for extending
// the available precision", Numer. Math. 18, 1971.
#ifndef VMAFX_BASE_EXACT_DOUBLE_DOUBLE_H_
#define VMAFX_BASE_EXACT_DOUBLE_DOUBLE_H_

namespace vmafx::exact {

// |lo| is at most half an ulp of hi.
struct DoubleDouble {
  double hi = 0;
  double lo = 0;
};

// a + b without error.
constexpr DoubleDouble two_sum(double a, double b) {
  const double sum = a + b;
  const double part = sum - a;
  return {sum, (a - (sum - part)) + (b - part)};
}

// a x b without error, unless it overflows near the ends of double's range.
constexpr DoubleDouble two_product(double a, double b) {
  constexpr double kSplit = 134217729;  // 2^27 + 1
  const double a_big = kSplit * a;
  const double a_hi = a_big - (a_big - a);
  const double a_lo = a - a_hi;
  const double b_big = kSplit * b;
  const double b_hi = b_big - (b_big - b);
  const double b_lo = b - b_hi;
  const double product = a * b;
  return {product, ((a_hi * b_hi - product) + a_hi * b_lo + a_lo * b_hi) + a_lo * b_lo};
}

constexpr DoubleDouble operator+(DoubleDouble a, DoubleDouble b) {
  const DoubleDouble high = two_sum(a.hi, b.hi);
  const DoubleDouble low = two_sum(a.lo, b.lo);
  const DoubleDouble middle = two_sum(high.hi, high.lo + low.hi);
  return two_sum(middle.hi, middle.lo + low.lo);
}

constexpr DoubleDouble operator-(DoubleDouble a, DoubleDouble b) {
  return a + DoubleDouble{-b.hi, -b.lo};
}

constexpr DoubleDouble operator*(DoubleDouble a, DoubleDouble b) {
  const DoubleDouble product = two_product(a.hi, b.hi);
  return two_sum(product.hi, product.lo + (a.hi * b.lo + a.lo * b.hi));
}

constexpr DoubleDouble operator/(DoubleDouble a, DoubleDouble b) {
  const double first = a.hi / b.hi;
  const DoubleDouble rest = a - b * DoubleDouble{first, 0};
  const double second = rest.hi / b.hi;
  const DoubleDouble last = rest - b * DoubleDouble{second, 0};
  return DoubleDouble{first, 0} + two_sum(second, last.hi / b.hi);
}

}  // namespace vmafx::exact

#endif  // VMAFX_BASE_EXACT_DOUBLE_DOUBLE_H_
