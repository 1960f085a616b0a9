// Each allocation of a whole run through the C interface fails in turn, alone or with those that
// follow it: every call still returns, with a code that the headers name, and nothing is left.
#include <atomic>
#include <cerrno>
#include <cstddef>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <new>

#include "libvmaf/libvmaf.h"

namespace {

constexpr long kNever = 1L << 60;

std::atomic<long> live{0};  // allocations that were not freed
std::atomic<long> made{0};  // since the last run began
std::atomic<long> first_failure{kNever};
std::atomic<long> failures{0};  // how many fail from there on

bool fails() {
  const long number = made++;
  return number >= first_failure && number < first_failure + failures;
}

void* allocate(std::size_t size, std::size_t alignment) {
  if (fails()) throw std::bad_alloc();
  void* const block = std::aligned_alloc(alignment, (size + alignment - 1) / alignment * alignment);
  if (block == nullptr) throw std::bad_alloc();
  ++live;
  return block;
}

void release(void* block) {
  if (block == nullptr) return;
  --live;
  std::free(block);
}

}  // namespace

void* operator new(std::size_t size) { return allocate(size, alignof(std::max_align_t)); }
void* operator new(std::size_t size, std::align_val_t alignment) {
  return allocate(size, static_cast<std::size_t>(alignment));
}
void operator delete(void* block) noexcept { release(block); }
void operator delete(void* block, std::size_t) noexcept { release(block); }
void operator delete(void* block, std::align_val_t) noexcept { release(block); }
void operator delete(void* block, std::size_t, std::align_val_t) noexcept { release(block); }

namespace {

[[noreturn]] void fail(const char* what, int code) {
  std::printf("%s: %d, with allocation %ld failing and %ld after it\n", what, code,
              first_failure.load(), failures - 1);
  std::exit(1);
}

void check(const char* call, int code) {
  if (code != 0 && code != -ENOMEM && code != -EINVAL && code != -EAGAIN && code != -EIO)
    fail(call, code);
}

void read(VmafContext* context, unsigned index) {
  VmafPicture pictures[2] = {};
  for (VmafPicture& picture : pictures) {
    check("alloc", vmaf_picture_alloc(&picture, VMAF_PIX_FMT_YUV420P, 8, 48, 32));
    if (picture.ref == nullptr) continue;
    std::memset(picture.data[0], static_cast<int>(16 + 40 * index), 48);
  }
  check("read", vmaf_read_pictures(context, &pictures[0], &pictures[1], index));
  if (pictures[0].ref != nullptr || pictures[1].ref != nullptr) fail("pictures were not taken", 0);
}

void run(unsigned threads) {
  VmafContext* context = nullptr;
  check("init", vmaf_init(&context, {VMAF_LOG_LEVEL_NONE, threads, 0, 0, 0}));
  if (context == nullptr) return;
  VmafModel* model = nullptr;
  VmafModelCollection* collection = nullptr;
  check("load", vmaf_model_collection_load(&model, &collection, nullptr, "vmaf_b_v0.6.3"));
  if ((model == nullptr) != (collection == nullptr)) fail("half a collection", 0);
  VmafFeatureDictionary* options = nullptr;
  check("set", vmaf_feature_dictionary_set(&options, "motion_force_zero", "false"));
  check("use", vmaf_use_feature(context, "motion", options));
  check("use", vmaf_use_feature(context, "psnr", nullptr));
  if (model != nullptr) check("use", vmaf_use_features_from_model(context, model));
  check("import", vmaf_import_feature_score(context, "own", 1, 5));
  for (unsigned index = 0; index < 4; ++index) read(context, index);
  double score = 0;
  check("score", vmaf_feature_score_at_index(context, "psnr_y", &score, 2));
  check("flush", vmaf_read_pictures(context, nullptr, nullptr, 0));
  check("score", vmaf_feature_score_pooled(context, "psnr_y", VMAF_POOL_METHOD_MEAN, &score, 0, 3));
  check("write", vmaf_write_output(context, "/dev/null", VMAF_OUTPUT_FORMAT_JSON));
  vmaf_model_destroy(model);
  vmaf_model_collection_destroy(collection);
  const int closed = vmaf_close(context);
  if (closed != 0) fail("close", closed);
}

// Returns how many allocations the run made.
long run_failing(unsigned threads, long first, long count) {
  made = 0;
  failures = count;
  first_failure = first;
  const long before = live;
  run(threads);
  first_failure = kNever;
  if (live != before) fail("allocations are left", static_cast<int>(live - before));
  return made;
}

}  // namespace

int main(int argc, char** argv) {
  // Every one with argument 1, which takes a minute.
  const long step = argc > 1 ? std::atol(argv[1]) : 7;
  for (const unsigned threads : {0u, 2u}) {
    run(threads);  // what is made once for the process
    const long total = run_failing(threads, kNever, 0);
    for (const long count : {1L, 4L, 40L})
      for (long first = 0; first < total; first += step) run_failing(threads, first, count);
    std::printf("%u threads: every %ld. of %ld allocations failed in turn\n", threads, step, total);
  }
  return 0;
}
