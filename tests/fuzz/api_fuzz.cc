// Any sequence of calls to libvmaf's interface, right or wrong: each returns a code that the
// headers name, pictures are taken by every vmaf_read_pictures(), and in the end nothing is left.
#include <cerrno>
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <cstring>
#include <map>
#include <vector>

#include "libvmaf/libvmaf.h"

namespace {

// The input, byte by byte; zeros after its end.
class Bytes {
 public:
  Bytes(const std::uint8_t* data, std::size_t size) : data_(data), end_(data + size) {}
  bool empty() const { return data_ == end_; }
  unsigned next() { return empty() ? 0 : *data_++; }
  unsigned below(unsigned limit) { return next() % limit; }
  template <class T>
  T* pick(std::vector<T*>& from) {
    const unsigned index = below(static_cast<unsigned>(from.size()) + 1);
    return index < from.size() ? from[index] : nullptr;
  }
  template <class Enum>
  Enum any() {
    const int value = static_cast<int>(below(8)) - 1;
    Enum result;
    std::memcpy(&result, &value, sizeof(result));
    return result;
  }

 private:
  const std::uint8_t* data_;
  const std::uint8_t* end_;
};

constexpr const char* kFeatures[] = {"psnr",  "motion",         "vif",   "adm",     "ssim",
                                     "cambi", "speed_temporal", "ciede", "nothing", ""};
constexpr const char* kOptions[] = {"motion_five_frame_window", "enable_chroma", "adm_csf_mode",
                                    "debug", ""};
constexpr const char* kValues[] = {"true", "false", "1", "2.5", "-1", "nan", ""};
constexpr const char* kVersions[] = {"vmaf_v0.6.1", "vmaf_v0.6.1neg", "vmaf_b_v0.6.3", "none", ""};
constexpr const char* kKeys[] = {"psnr_y", "integer_motion2", "vmaf", "own", ""};
constexpr unsigned kSizes[] = {0, 1, 8, 17, 40, 100000};

template <std::size_t n>
const char* text(Bytes& bytes, const char* const (&from)[n]) {
  const unsigned index = bytes.below(n + 1);
  return index < n ? from[index] : nullptr;
}

void expect(bool good) {
  if (!good) std::abort();
}

void check(int code) {
  expect(code == 0 || code == -EINVAL || code == -EAGAIN || code == -EIO || code == -ENOMEM);
}

class Caller {
 public:
  explicit Caller(Bytes bytes) : bytes_(bytes) {}

  void run() {
    for (int calls = 0; !bytes_.empty() && calls < 64; ++calls) call();
    for (VmafContext* context : contexts_) expect(vmaf_close(context) == 0);
    for (VmafModel* model : models_) vmaf_model_destroy(model);
    for (VmafModelCollection* collection : collections_) vmaf_model_collection_destroy(collection);
    for (VmafPicture& picture : pictures_)
      if (picture.ref != nullptr) expect(vmaf_picture_unref(&picture) == 0);
  }

 private:
  void call() {
    switch (bytes_.below(18)) {
      case 0:
        return init();
      case 1:
        return close();
      case 2:
        return load();
      case 3:
        return overload();
      case 4:
        check(vmaf_use_features_from_model(context(), bytes_.pick(models_)));
        return;
      case 5:
        check(vmaf_use_features_from_model_collection(context(), bytes_.pick(collections_)));
        return;
      case 6:
        check(vmaf_use_feature(context(), text(bytes_, kFeatures), dictionary()));
        return;
      case 7:
        return alloc();
      case 8:
      case 9:
      case 10:
        return read();
      case 11:
        check(vmaf_read_pictures(context(), nullptr, nullptr, 0));
        return;
      case 12:
        return score();
      case 13:
        return pool();
      case 14:
        check(vmaf_import_feature_score(context(), text(bytes_, kKeys), bytes_.next(),
                                        bytes_.below(4)));
        return;
      case 15:
        return fetch();
      case 16:
        return destroy();
      default:
        check(vmaf_write_output(context(), bytes_.below(4) == 0 ? nullptr : "/dev/null",
                                bytes_.any<VmafOutputFormat>()));
    }
  }

  VmafContext* context() { return bytes_.pick(contexts_); }

  VmafFeatureDictionary* dictionary() {
    VmafFeatureDictionary* dictionary = nullptr;
    for (unsigned count = bytes_.below(3); count > 0; --count) {
      const char* const name = text(bytes_, kOptions);
      check(vmaf_feature_dictionary_set(&dictionary, name, text(bytes_, kValues)));
    }
    return dictionary;
  }

  void init() {
    if (contexts_.size() == 2) return;
    VmafConfiguration config = {};
    config.n_threads = bytes_.below(3);
    config.n_subsample = bytes_.below(3);
    VmafContext* made = nullptr;
    expect(vmaf_init(&made, config) == 0);
    contexts_.push_back(made);
    if (bytes_.below(2) == 0) return;
    VmafPictureConfiguration pool = {};
    pool.pic_params = {kSizes[bytes_.below(6)], kSizes[bytes_.below(6)], 7 + bytes_.below(11),
                       bytes_.any<VmafPixelFormat>()};
    pool.pic_cnt = bytes_.below(6);
    check(vmaf_preallocate_pictures(made, pool));
  }

  void close() {
    VmafContext* const context = bytes_.pick(contexts_);
    expect(vmaf_close(context) == (context != nullptr ? 0 : -EINVAL));
    std::erase(contexts_, context);
    next_index_.erase(context);
    expect(vmaf_close(context) == -EINVAL);
  }

  void load() {
    VmafModelConfig config = {bytes_.below(3) == 0 ? "own" : nullptr, bytes_.below(10)};
    VmafModel* model = nullptr;
    VmafModelCollection* collection = nullptr;
    if (models_.size() == 3) return;
    const char* const version = text(bytes_, kVersions);
    const bool both = bytes_.below(2) == 0;
    const int code = both ? vmaf_model_collection_load(&model, &collection, &config, version)
                          : vmaf_model_load(&model, &config, version);
    check(code);
    expect((code == 0) == (model != nullptr));
    if (model != nullptr) models_.push_back(model);
    if (collection != nullptr) collections_.push_back(collection);
  }

  void overload() {
    VmafModel* const model = bytes_.pick(models_);
    VmafModelCollection* collection = bytes_.pick(collections_);
    const char* const feature = text(bytes_, kFeatures);
    check(bytes_.below(2) == 0
              ? vmaf_model_feature_overload(model, feature, dictionary())
              : vmaf_model_collection_feature_overload(model, &collection, feature, dictionary()));
  }

  void alloc() {
    VmafPicture& picture = pictures_[bytes_.below(2)];
    if (picture.ref != nullptr) expect(vmaf_picture_unref(&picture) == 0);
    const VmafPixelFormat format = bytes_.any<VmafPixelFormat>();
    const unsigned bpc = 7 + bytes_.below(11);
    const unsigned width = kSizes[bytes_.below(6)];
    check(vmaf_picture_alloc(&picture, format, bpc, width, kSizes[bytes_.below(6)]));
  }

  // A pair that fits, or whatever is there, into any context and under any index.
  void read() {
    VmafContext* const into = context();
    if (bytes_.below(4) != 0) {
      for (VmafPicture& picture : pictures_) {
        if (picture.ref != nullptr) expect(vmaf_picture_unref(&picture) == 0);
        expect(vmaf_picture_alloc(&picture, VMAF_PIX_FMT_YUV420P, 8, 40, 40) == 0);
        std::memset(picture.data[0], static_cast<int>(bytes_.next()), 40);
      }
    } else if (pictures_[0].ref != nullptr && pictures_[0].data[0] != nullptr) {
      std::memset(pictures_[0].data[0], 0xff, 1);
    }
    VmafPicture* const second = bytes_.below(8) == 0 ? nullptr : &pictures_[1];
    unsigned& due = next_index_[into];
    const unsigned index = bytes_.below(8) == 0 ? 7 : due;
    const int code = vmaf_read_pictures(into, &pictures_[0], second, index);
    check(code);
    if (code == 0) {
      expect(index == due);
      ++due;
    }
    expect(pictures_[0].ref == nullptr && (second == nullptr || second->ref == nullptr));
  }

  // A picture of the pool, if there is one and none is out: the call would wait.
  void fetch() {
    VmafPicture picture = {};
    if (vmaf_fetch_preallocated_picture(context(), &picture) == 0)
      expect(vmaf_picture_unref(&picture) == 0);
  }

  void destroy() {
    if (models_.empty()) return;
    vmaf_model_destroy(models_.back());
    models_.pop_back();
  }

  void score() {
    double value = 0;
    VmafModelCollectionScore spread;
    VmafContext* const from = context();
    const unsigned index = bytes_.below(8);
    switch (bytes_.below(3)) {
      case 0:
        return check(vmaf_score_at_index(from, bytes_.pick(models_), &value, index));
      case 1:
        return check(
            vmaf_score_at_index_model_collection(from, bytes_.pick(collections_), &spread, index));
      default:
        return check(vmaf_feature_score_at_index(from, text(bytes_, kKeys), &value, index));
    }
  }

  void pool() {
    double value = 0;
    VmafModelCollectionScore spread;
    VmafContext* const from = context();
    const VmafPoolingMethod method = bytes_.any<VmafPoolingMethod>();
    const unsigned low = bytes_.below(4);
    const unsigned high = bytes_.below(6);
    switch (bytes_.below(3)) {
      case 0:
        return check(vmaf_score_pooled(from, bytes_.pick(models_), method, &value, low, high));
      case 1:
        return check(vmaf_score_pooled_model_collection(from, bytes_.pick(collections_), method,
                                                        &spread, low, high));
      default:
        return check(
            vmaf_feature_score_pooled(from, text(bytes_, kKeys), method, &value, low, high));
    }
  }

  Bytes bytes_;
  std::vector<VmafContext*> contexts_;
  std::vector<VmafModel*> models_;
  std::vector<VmafModelCollection*> collections_;
  VmafPicture pictures_[2] = {};
  std::map<VmafContext*, unsigned> next_index_;
};

}  // namespace

// NOLINTNEXTLINE(readability-identifier-naming): libFuzzer's name
extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  Caller(Bytes(data, size)).run();
  return 0;
}
