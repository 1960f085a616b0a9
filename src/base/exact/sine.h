// Sine from IEEE + - * only, the same bits on every machine.
#ifndef VMAFX_BASE_EXACT_SINE_H_
#define VMAFX_BASE_EXACT_SINE_H_

namespace vmafx::exact {

// sin(pi x), within 3 ulp for |x| < 2^30 and exactly 0 where x is whole.
constexpr double sine_of_pi(double x) {
  constexpr double kPi = 0x1.921fb54442d18p+1;
  const auto whole = static_cast<long long>(x < 0 ? x - 0.5 : x + 0.5);
  const double t = kPi * (x - static_cast<double>(whole));
  // Taylor for |t| <= pi / 2: the first term left out is below 2^-67 of t.
  constexpr int kLastTerm = 23;
  const double square = t * t;
  double sum = 0;
  for (int n = kLastTerm; n >= 3; n -= 2) sum = (1 + sum) * square * (-1.0 / (n * (n - 1)));
  const double sine = t + t * sum;
  return whole % 2 == 0 ? sine : -sine;
}

}  // namespace vmafx::exact

#endif  // VMAFX_BASE_EXACT_SINE_H_
