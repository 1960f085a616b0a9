#include "base/scratch.h"

#include <algorithm>
#include <cstdlib>
#include <new>

namespace vmafx {
namespace {

constexpr std::size_t kMinBlock = std::size_t{1} << 20;

std::size_t round_up(std::size_t bytes) {
  return (bytes + Scratch::kAlignment - 1) / Scratch::kAlignment * Scratch::kAlignment;
}

}  // namespace

void Scratch::Release::operator()(std::byte* p) const { std::free(p); }

void* Scratch::take_bytes(std::size_t bytes) {
  const std::size_t need = round_up(bytes) + kAlignment;
  while (block_ < blocks_.size() && used_ + need > blocks_[block_].size) {
    ++block_;
    used_ = 0;
  }
  if (block_ == blocks_.size()) {
    const std::size_t size = std::max(need, kMinBlock);
    auto* data = static_cast<std::byte*>(std::aligned_alloc(kAlignment, size));
    if (data == nullptr) throw std::bad_alloc();
    blocks_.push_back({std::unique_ptr<std::byte, Release>(data), size});
    used_ = 0;
  }
  void* p = blocks_[block_].data.get() + used_;
  used_ += need;
  return p;
}

}  // namespace vmafx
