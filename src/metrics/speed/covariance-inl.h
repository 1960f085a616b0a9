// The covariance of the 25 elements of a block. Lanes are elements, so each sum runs over the
// places of the block in raster order, however many lanes there are.
#if defined(VMAFX_METRICS_SPEED_COVARIANCE_INL_H_) == defined(HWY_TARGET_TOGGLE)
#ifdef VMAFX_METRICS_SPEED_COVARIANCE_INL_H_
#undef VMAFX_METRICS_SPEED_COVARIANCE_INL_H_
#else
#define VMAFX_METRICS_SPEED_COVARIANCE_INL_H_
#endif

#include <algorithm>

#include <hwy/highway.h>

#include "metrics/speed/decimate-inl.h"
#include "metrics/speed/matrix-inl.h"

HWY_BEFORE_NAMESPACE();
namespace vmafx::speed {
namespace HWY_NAMESPACE {

namespace hn = hwy::HWY_NAMESPACE;

constexpr hn::CappedTag<double, 8> dd;
using DD = decltype(dd);
using VD = hn::Vec<DD>;
constexpr hn::Rebind<float, DD> df_of_dd;

// Five neighbouring elements, and what lies in the vectors behind them.
constexpr std::size_t kElementRow = 8;

// Sums of the elements of kBlock rows, each in raster order.
inline void means(const Geometry& g, const Small& plane, float (&mean)[kBlock][kElementRow]) {
  constexpr hn::CappedTag<float, kElementRow> d;
  const std::size_t lanes = hn::Lanes(d);
  const hn::Vec<decltype(d)> places = hn::Set(d, static_cast<float>(g.places()));
  for (std::size_t first = 0; first < kBlock; first += lanes) {
    auto sum0 = hn::Zero(d), sum1 = sum0, sum2 = sum0, sum3 = sum0, sum4 = sum0;
    for (int y = 0; y < g.places_down(); ++y) {
      const float* top = plane.row(y) + first;
      for (int x = 0; x < g.places_across(); ++x) {
        const float* at = top + x;
        sum0 = hn::Add(sum0, hn::LoadU(d, at));
        sum1 = hn::Add(sum1, hn::LoadU(d, at + plane.stride));
        sum2 = hn::Add(sum2, hn::LoadU(d, at + 2 * plane.stride));
        sum3 = hn::Add(sum3, hn::LoadU(d, at + 3 * plane.stride));
        sum4 = hn::Add(sum4, hn::LoadU(d, at + 4 * plane.stride));
      }
    }
    hn::StoreU(hn::Div(sum0, places), d, mean[0] + first);
    hn::StoreU(hn::Div(sum1, places), d, mean[1] + first);
    hn::StoreU(hn::Div(sum2, places), d, mean[2] + first);
    hn::StoreU(hn::Div(sum3, places), d, mean[3] + first);
    hn::StoreU(hn::Div(sum4, places), d, mean[4] + first);
  }
}

// Deviations from the mean at some places in a row: [place][element]. Elements past 25 are not
// used.
constexpr int kPlaces = 64;
struct alignas(64) Deviations {
  double of[kPlaces][kPitch];
};

// Sums of products of deviations. Of the lower triangle at least; columns past 25 are not used.
constexpr std::size_t kTileRows = 4;
struct alignas(64) Products {
  double row[(kElements + kTileRows - 1) / kTileRows * kTileRows][kPitch];
};

HWY_INLINE void deviations(const Small& plane, const double (&mean)[kBlock][kElementRow], int x,
                           int y, int count, Deviations& out) {
  const std::size_t lanes = hn::Lanes(dd);
  for (int i = 0; i < count; ++i) {
    for (int r = 0; r < kBlock; ++r) {
      const float* at = plane.row(y + r) + x + i;
      // What a vector writes past five elements is overwritten by the next row's.
      double* element = out.of[i] + r * kBlock;
      for (std::size_t first = 0; first < kBlock; first += lanes) {
        const VD value = hn::PromoteTo(dd, hn::LoadU(df_of_dd, at + first));
        hn::StoreU(hn::Sub(value, hn::LoadU(dd, mean[r] + first)), dd, element + first);
      }
    }
  }
}

// Four rows by two vectors of products, over the places.
HWY_INLINE void add_tile(const Deviations& deviations, int count, std::size_t row,
                         std::size_t column, Products& products) {
  const std::size_t second = column + hn::Lanes(dd);
  const auto at = [&](std::size_t r, std::size_t c)
                      HWY_ATTR { return hn::Load(dd, products.row[row + r] + c); };
  VD a0 = at(0, column), a1 = at(1, column), a2 = at(2, column), a3 = at(3, column);
  VD b0 = at(0, second), b1 = at(1, second), b2 = at(2, second), b3 = at(3, second);
  for (int i = 0; i < count; ++i) {
    const double* of = deviations.of[i];
    const VD left = hn::Load(dd, of + column);
    const VD right = hn::Load(dd, of + second);
    const VD f0 = hn::Set(dd, of[row]);
    const VD f1 = hn::Set(dd, of[row + 1]);
    const VD f2 = hn::Set(dd, of[row + 2]);
    const VD f3 = hn::Set(dd, of[row + 3]);
    a0 = hn::Add(a0, hn::Mul(f0, left));
    a1 = hn::Add(a1, hn::Mul(f1, left));
    a2 = hn::Add(a2, hn::Mul(f2, left));
    a3 = hn::Add(a3, hn::Mul(f3, left));
    b0 = hn::Add(b0, hn::Mul(f0, right));
    b1 = hn::Add(b1, hn::Mul(f1, right));
    b2 = hn::Add(b2, hn::Mul(f2, right));
    b3 = hn::Add(b3, hn::Mul(f3, right));
  }
  const auto put = [&](std::size_t r, VD a, VD b) HWY_ATTR {
    hn::Store(a, dd, products.row[row + r] + column);
    hn::Store(b, dd, products.row[row + r] + second);
  };
  put(0, a0, b0);
  put(1, a1, b1);
  put(2, a2, b2);
  put(3, a3, b3);
}

inline void covariance(const Geometry& g, const Small& plane, Matrix& k) {
  float mean[kBlock][kElementRow] = {};
  means(g, plane, mean);
  double wide_mean[kBlock][kElementRow] = {};
  for (int r = 0; r < kBlock; ++r) std::copy_n(mean[r], kBlock, wide_mean[r]);

  Deviations chunk = {};
  Products products = {};
  for (int y = 0; y < g.places_down(); ++y) {
    for (int x = 0; x < g.places_across(); x += kPlaces) {
      const int count = std::min(kPlaces, g.places_across() - x);
      deviations(plane, wide_mean, x, y, count, chunk);
      for (std::size_t row = 0; row < kElements; row += kTileRows) {
        for (std::size_t column = 0; column < row + kTileRows; column += 2 * hn::Lanes(dd))
          add_tile(chunk, count, row, column, products);
      }
    }
  }
  k = {};
  for (std::size_t a = 0; a < kElements; ++a) {
    for (std::size_t b = 0; b <= a; ++b)
      k.row[a][b] = k.row[b][a] = static_cast<float>(products.row[a][b] / g.places());
  }
}

}  // namespace HWY_NAMESPACE
}  // namespace vmafx::speed
HWY_AFTER_NAMESPACE();

#endif  // VMAFX_METRICS_SPEED_COVARIANCE_INL_H_
