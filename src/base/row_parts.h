// Rows in parts of about the same size, for a crew to share.
#ifndef VMAFX_BASE_ROW_PARTS_H_
#define VMAFX_BASE_ROW_PARTS_H_

namespace vmafx {

// The size decides alone, so that nothing depends on the number of threads.
class RowParts {
 public:
  struct Rows {
    int begin = 0;
    int end = 0;
  };

  // Each of kMostRows or fewer; one, which may be empty, at least.
  constexpr RowParts(int begin, int end) : begin_(begin), size_(end > begin ? end - begin : 0) {}

  constexpr int count() const { return size_ == 0 ? 1 : (size_ + kMostRows - 1) / kMostRows; }
  constexpr Rows operator[](int part) const {
    return {begin_ + size_ * part / count(), begin_ + size_ * (part + 1) / count()};
  }

 private:
  // Many enough that what is done twice where parts meet costs little.
  static constexpr int kMostRows = 128;

  int begin_;
  int size_;
};

}  // namespace vmafx

#endif  // VMAFX_BASE_ROW_PARTS_H_
