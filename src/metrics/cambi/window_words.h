// Windows over columns whose counts are bytes, four to a word. The window of column x sees the
// columns x to x + 2 * radius; words are counted from the one that holds column x.
#ifndef VMAFX_METRICS_CAMBI_WINDOW_WORDS_H_
#define VMAFX_METRICS_CAMBI_WINDOW_WORDS_H_

#include <algorithm>
#include <cstdint>

#include "base/portable.h"
#include "metrics/cambi/cambi.h"

namespace vmafx::cambi::window {

// The last word that a window of this radius may see; the first of those that it may see partly,
// but for the one of column x; and where the group of three words begins that holds that one.
constexpr int last_word(int radius) { return (2 * radius + 3) / 4; }
constexpr int first_partial_word(int radius) { return (2 * radius + 1) / 4; }
constexpr int last_group(int radius) { return first_partial_word(radius) / 3 * 3; }

// From this radius on the last group is not the first one.
inline constexpr int kWideRadius = 6;
static_assert(last_group(kWideRadius) == 3);

// The bytes of a word that the window sees.
constexpr std::uint32_t mask(int x, int radius, int word) {
  const int begin = x % 4 - 4 * word;
  const int end = begin + 2 * radius + 1;
  const std::uint32_t from = begin <= 0 ? ~0u : begin >= 4 ? 0 : ~0u << begin * 8;
  const std::uint32_t to = end >= 4 ? ~0u : end <= 0 ? 0 : ~0u >> (4 - end) * 8;
  return from & to;
}

// The four bytes' sum in two halves, which can be added up; and what they add up to. The bytes may
// be sums of three counts: those make no carry.
constexpr std::uint32_t pairs(std::uint32_t bytes) {
  return (bytes & 0x00ff00ff) + (bytes >> 8 & 0x00ff00ff);
}
constexpr int total(std::uint32_t pairs) {
  return static_cast<int>((pairs & 0xffff) + (pairs >> 16));
}
static_assert(3 * kMaxWindow < 256);

// A group of words, all in the window.
template <class Words>
VMAFX_PORTABLE std::uint32_t inner_group(Words& words, int at) {
  return pairs(words[at] + words[at + 1] + words[at + 2]);
}

// The first and the last group, and the word behind that one for those radii that need it.
template <class Words>
VMAFX_PORTABLE std::uint32_t outer_groups(Words& words, int first, int x, int radius) {
  const int last = last_group(radius);
  const int at = first + last;
  std::uint32_t sum =
      pairs((words[first] & mask(x, radius, 0)) + words[first + 1] + words[first + 2]);
  sum += pairs((words[at] & mask(x, radius, last)) + (words[at + 1] & mask(x, radius, last + 1)) +
               (words[at + 2] & mask(x, radius, last + 2)));
  if (last_word(radius) == last + 3) sum += pairs(words[at + 3] & mask(x, radius, last + 3));
  return sum;
}

template <class Words>
VMAFX_PORTABLE int narrow_sum(Words& words, int first, int x, int radius) {
  std::uint32_t sum = 0;
  for (int word = 0; word <= last_word(radius); ++word)
    sum += pairs(words[first + word] & mask(x, radius, word));
  return total(sum);
}

// What the window of column x sees, where words[first] holds column x. Up to kBeyond words behind
// the last one are read.
inline constexpr int kBeyond = 2;

template <class Words>
VMAFX_PORTABLE int sum(Words& words, int first, int x, int radius) {
  if (radius < kWideRadius) return narrow_sum(words, first, x, radius);
  std::uint32_t sum = outer_groups(words, first, x, radius);
  for (int at = first + 3; at < first + last_group(radius); at += 3) sum += inner_group(words, at);
  return total(sum);
}

// The larger of two such sums. Together they take less time than one after the other.
template <class Words>
VMAFX_PORTABLE int larger_sum(Words& words, int first, int other, int x, int radius) {
  if (radius < kWideRadius) {
    return std::max(narrow_sum(words, first, x, radius), narrow_sum(words, other, x, radius));
  }
  std::uint32_t sum = outer_groups(words, first, x, radius);
  std::uint32_t other_sum = outer_groups(words, other, x, radius);
  for (int i = 3; i < last_group(radius); i += 3) {
    sum += inner_group(words, first + i);
    other_sum += inner_group(words, other + i);
  }
  return std::max(total(sum), total(other_sum));
}

}  // namespace vmafx::cambi::window

#endif  // VMAFX_METRICS_CAMBI_WINDOW_WORDS_H_
