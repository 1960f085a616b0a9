// Windows over columns whose counts are bytes, four to a word.
#ifndef VMAFX_METRICS_CAMBI_WINDOW_WORDS_H_
#define VMAFX_METRICS_CAMBI_WINDOW_WORDS_H_

#include <algorithm>
#include <cstdint>

#include "base/portable.h"
#include "metrics/cambi/cambi.h"

namespace vmafx::cambi {

// The columns x to x + 2 * radius, in words counted from the one that holds column x.
struct WindowWords {
  // Up to so many words behind that of the last column are read.
  static constexpr int kBeyond = 2;
  // Words that a window may see partly: word 0 and the two behind the whole ones. Those beyond are
  // seen by no window.
  static constexpr int kMasks = 3;

  int first;  // word, of those of column 0
  int whole;  // words from 1 on that every window of the radius sees wholly
  std::uint32_t masks[kMasks];

  static constexpr int whole_words(int radius) { return radius < 2 ? 0 : (2 * radius - 3) / 4; }
  static constexpr std::uint32_t make_mask(int x, int radius, int index) {
    return mask(x, radius, index == 0 ? 0 : whole_words(radius) + index);
  }

  // The bytes of a word that the window sees.
  static constexpr std::uint32_t mask(int x, int radius, int word) {
    const int begin = x % 4 - 4 * word;
    const int end = begin + 2 * radius + 1;
    const std::uint32_t from = begin <= 0 ? ~0u : ~0u << begin * 8;
    const std::uint32_t to = end >= 4 ? ~0u : end <= 0 ? 0 : ~0u >> (4 - end) * 8;
    return from & to;
  }

  // The sum of what the window sees of a line of words.
  template <class Words>
  VMAFX_PORTABLE int sum(Words& words, int line) const {
    const int at = line + first;
    std::uint32_t sum = outer(words, at);
    int i = 1;
    for (; i + 2 <= whole; i += 3) sum += three(words, at + i);
    for (; i <= whole; ++i) sum += pairs(words[at + i]);
    return total(sum);
  }
  // The larger sum of two lines. Together they take less time than one after the other.
  template <class Words>
  VMAFX_PORTABLE int larger_sum(Words& words, int line, int other_line) const {
    const int at = line + first;
    const int other_at = other_line + first;
    std::uint32_t sum = outer(words, at);
    std::uint32_t other = outer(words, other_at);
    int i = 1;
    for (; i + 2 <= whole; i += 3) {
      sum += three(words, at + i);
      other += three(words, other_at + i);
    }
    for (; i <= whole; ++i) {
      sum += pairs(words[at + i]);
      other += pairs(words[other_at + i]);
    }
    return std::max(total(sum), total(other));
  }

  template <class Words>
  VMAFX_PORTABLE std::uint32_t outer(Words& words, int at) const {
    return pairs((words[at] & masks[0]) + (words[at + whole + 1] & masks[1]) +
                 (words[at + whole + 2] & masks[2]));
  }
  template <class Words>
  VMAFX_PORTABLE static std::uint32_t three(Words& words, int at) {
    return pairs(words[at] + words[at + 1] + words[at + 2]);
  }

  // The four bytes' sum in two halves, which can be added up; and what they add up to. The bytes
  // may be sums of three counts: those make no carry.
  static constexpr std::uint32_t pairs(std::uint32_t bytes) {
    return (bytes & 0x00ff00ff) + (bytes >> 8 & 0x00ff00ff);
  }
  static constexpr int total(std::uint32_t pairs) {
    return static_cast<int>((pairs & 0xffff) + (pairs >> 16));
  }
  static_assert(3 * kMaxWindow < 256);
};

}  // namespace vmafx::cambi

#endif  // VMAFX_METRICS_CAMBI_WINDOW_WORDS_H_
