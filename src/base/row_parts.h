// Rows in parts of about the same size, for a crew to share.
#ifndef VMAFX_BASE_ROW_PARTS_H_
#define VMAFX_BASE_ROW_PARTS_H_

#include <algorithm>

namespace vmafx {

// The size decides alone, so that nothing depends on the number of threads.
class RowParts {
 public:
  struct Rows {
    int begin = 0;
    int end = 0;
  };

  // Each of kMostRows or fewer; one, which may be empty, at least. Where parts meet is a multiple,
  // which divides kMostRows, of rows after `begin`.
  constexpr RowParts(int begin, int end, int multiple = 1)
      : begin_(begin), size_(end > begin ? end - begin : 0), multiple_(multiple) {}

  constexpr int count() const { return size_ == 0 ? 1 : (size_ + kMostRows - 1) / kMostRows; }
  constexpr Rows operator[](int part) const { return {boundary(part), boundary(part + 1)}; }

 private:
  // Many enough that what is done twice where parts meet costs little.
  static constexpr int kMostRows = 128;

  constexpr int boundary(int part) const {
    const int rows = size_ * part / count();
    return begin_ + std::min((rows + multiple_ - 1) / multiple_ * multiple_, size_);
  }

  int begin_;
  int size_;
  int multiple_;
};

}  // namespace vmafx

#endif  // VMAFX_BASE_ROW_PARTS_H_
