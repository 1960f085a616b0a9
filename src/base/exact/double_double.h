// Pairs of doubles whose unevaluated sum carries about 106 bits, by error-free transformations
// (Dekker, Knuth) without fused multiply-add, so that every compiler, instruction set and device
// gives the same bits.
#ifndef VMAFX_BASE_EXACT_DOUBLE_DOUBLE_H_
#define VMAFX_BASE_EXACT_DOUBLE_DOUBLE_H_

namespace vmafx::exact {

struct DoubleDouble {
  double hi = 0;
  double lo = 0;
};

// hi + lo = a + b exactly.
constexpr DoubleDouble two_sum(double a, double b) {
  const double s = a + b;
  const double t = s - a;
  return {s, (a - (s - t)) + (b - t)};
}

// The same for |a| >= |b| or a = 0.
constexpr DoubleDouble quick_two_sum(double a, double b) {
  const double s = a + b;
  return {s, b - (s - a)};
}

// hi + lo = a * b exactly, for |a|, |b| < 2^996.
constexpr DoubleDouble two_product(double a, double b) {
  constexpr double kSplit = 134217729.0;  // 2^27 + 1
  const double ta = kSplit * a;
  const double ah = ta - (ta - a);
  const double al = a - ah;
  const double tb = kSplit * b;
  const double bh = tb - (tb - b);
  const double bl = b - bh;
  const double p = a * b;
  return {p, ((ah * bh - p) + ah * bl + al * bh) + al * bl};
}

constexpr DoubleDouble add(DoubleDouble a, DoubleDouble b) {
  const DoubleDouble s = two_sum(a.hi, b.hi);
  return quick_two_sum(s.hi, s.lo + (a.lo + b.lo));
}

constexpr DoubleDouble multiply(DoubleDouble a, DoubleDouble b) {
  const DoubleDouble p = two_product(a.hi, b.hi);
  return quick_two_sum(p.hi, p.lo + (a.hi * b.lo + a.lo * b.hi));
}

constexpr DoubleDouble divide(DoubleDouble a, DoubleDouble b) {
  const double q = a.hi / b.hi;
  const DoubleDouble qb = multiply({q, 0}, b);
  const DoubleDouble rest = add(a, {-qb.hi, -qb.lo});
  return quick_two_sum(q, rest.hi / b.hi);
}

// Operators carry the full accuracy (about 104 bits); the functions above are quicker and lose a
// few bits.
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
