// libvmaf's functions: each takes what it owns, finds the handle, and passes the call on. Nothing
// is thrown into C: whatever needs memory happens inside of call().
#include "libvmaf/libvmaf.h"

#include <algorithm>
#include <cerrno>
#include <cstdint>
#include <type_traits>
#include <utility>

#include <fmt/format.h>

#include "base/guard.h"
#include "compat/context.h"
#include "compat/handles.h"
#include "compat/log.h"
#include "compat/picture.h"
#include "libvmaf/version.h"
#include "vmafx/catalog.h"

namespace vmafx::compat {
namespace {

Error usage(std::string message) { return {ErrorCode::kUsage, std::move(message), {}}; }

Error dead(std::string_view what) {
  return usage(fmt::format("the {} is not one of this library, or was freed", what));
}

// Runs `f` for a call without a context.
template <class F>
int call(const char* name, const F& f) noexcept {
  return kDefaultLog.result(name, guarded([&]() -> Status { return f(); }));
}

// Runs `f` with the context, one call at a time.
template <class F>
int call(const char* name, const VmafContext* handle, const F& f) noexcept {
  Log log = kDefaultLog;
  const Status status = guarded([&]() -> Status {
    const auto vmaf = Handles<VmafContext>::find(handle);
    if (!vmaf) return dead("context");
    log = vmaf->context.log();
    const std::lock_guard lock(vmaf->mutex);
    return f(vmaf->context);
  });
  return log.result(name, status);
}

// The Model of a VmafModel or a VmafModelCollection.
template <class Handle>
Result<std::shared_ptr<const Model>> model_of(const Handle* handle) {
  if (const auto found = Handles<Handle>::find(handle)) return found->model;
  return dead("model");
}

// Owns the dictionary that a caller gave away.
class TakenOptions {
 public:
  explicit TakenOptions(const VmafFeatureDictionary* dictionary) noexcept
      : given_(dictionary != nullptr), taken_(Handles<VmafFeatureDictionary>::take(dictionary)) {}

  // kUsage if what was given is no dictionary; none was given: no options.
  Result<std::map<std::string, std::string>> get() const {
    if (taken_) return taken_->options;
    if (given_) return dead("dictionary");
    return std::map<std::string, std::string>();
  }
  bool given() const { return given_; }

 private:
  bool given_;
  std::shared_ptr<VmafFeatureDictionary> taken_;
};

Result<ModelSpec> spec_of(const VmafModelConfig* config) {
  constexpr std::uint64_t kKnownFlags = VMAF_MODEL_FLAG_DISABLE_CLIP |
                                        VMAF_MODEL_FLAG_ENABLE_TRANSFORM |
                                        VMAF_MODEL_FLAG_DISABLE_TRANSFORM;
  ModelSpec spec;
  if (config == nullptr) return spec;
  if ((config->flags & ~kKnownFlags) != 0)
    return usage(fmt::format("there are no model flags {:#x}", config->flags & ~kKnownFlags));
  const bool on = (config->flags & VMAF_MODEL_FLAG_ENABLE_TRANSFORM) != 0;
  const bool off = (config->flags & VMAF_MODEL_FLAG_DISABLE_TRANSFORM) != 0;
  if (on && off) return usage("the transform cannot be both enabled and disabled");
  if (config->name != nullptr) spec.name = config->name;
  spec.disable_clip = (config->flags & VMAF_MODEL_FLAG_DISABLE_CLIP) != 0;
  if (on || off) spec.transform = on ? TransformUse::kOn : TransformUse::kOff;
  return spec;
}

enum class Source { kBuiltIn, kFile };
enum class Kind { kModel, kCollection };

Result<std::shared_ptr<const Model>> load(const VmafModelConfig* config, const char* from,
                                          Source source, Kind kind) {
  if (from == nullptr) return usage("the version or path is NULL");
  auto spec = spec_of(config);
  if (!spec) return spec.error();
  (source == Source::kBuiltIn ? spec->version : spec->path) = from;
  auto model = load_model(*spec);
  if (!model) return model.error();
  if (model->is_set() && kind == Kind::kModel)
    return Error{ErrorCode::kUsage, fmt::format("{} is a collection of models", from),
                 "load it with vmaf_model_collection_load"};
  if (!model->is_set() && kind == Kind::kCollection)
    return Error{ErrorCode::kUsage, fmt::format("{} is a single model, not a collection", from),
                 "load it with vmaf_model_load"};
  return std::make_shared<const Model>(*std::move(model));
}

Status load_into(VmafModel** model, const VmafModelConfig* config, const char* from,
                 Source source) {
  if (model == nullptr) return usage("the place for the model is NULL");
  *model = nullptr;
  auto loaded = load(config, from, source, Kind::kModel);
  if (!loaded) return loaded.error();
  *model = Handles<VmafModel>::add(std::make_shared<VmafModel>(VmafModel{*std::move(loaded)}));
  return {};
}

Status load_into(VmafModel** model, VmafModelCollection** collection, const VmafModelConfig* config,
                 const char* from, Source source) {
  if (model == nullptr || collection == nullptr)
    return usage("the place for the model or the collection is NULL");
  *model = nullptr;
  *collection = nullptr;
  auto loaded = load(config, from, source, Kind::kCollection);
  if (!loaded) return loaded.error();
  const auto main = std::make_shared<VmafModel>(VmafModel{*loaded});
  const auto all = std::make_shared<VmafModelCollection>(VmafModelCollection{*loaded});
  VmafModel* const handle = Handles<VmafModel>::add(main);
  try {
    *collection = Handles<VmafModelCollection>::add(all);
  } catch (const std::bad_alloc&) {
    Handles<VmafModel>::take(handle);
    throw;
  }
  *model = handle;
  return {};
}

Result<std::shared_ptr<const Model>> overloaded(std::shared_ptr<const Model> model,
                                                const char* metric, const TakenOptions& taken) {
  const auto options = taken.get();
  if (!options) return options.error();
  if (!taken.given()) return usage("the options are NULL");
  if (metric == nullptr) return usage("the metric's name is NULL");
  const std::vector<std::string> used = model->metrics();
  if (has_metric(metric) && std::find(used.begin(), used.end(), metric) == used.end()) {
    // Encoders set the options of every metric that some model has.
    kDefaultLog.write(
        VMAF_LOG_LEVEL_WARNING,
        fmt::format("model {} does not use {}: its options change nothing", model->name(), metric));
    return model;
  }
  for (const auto& [name, value] : *options) {
    auto changed = model->with_overload({metric, name, value});
    if (!changed) return changed.error();
    model = std::make_shared<const Model>(*std::move(changed));
  }
  return model;
}

Result<ReportFormat> report_format(const VmafOutputFormat& format) {
  switch (number_of(format)) {
    case VMAF_OUTPUT_FORMAT_XML:
      return ReportFormat::kXml;
    case VMAF_OUTPUT_FORMAT_JSON:
      return ReportFormat::kJson;
    case VMAF_OUTPUT_FORMAT_CSV:
      return ReportFormat::kCsv;
    case VMAF_OUTPUT_FORMAT_SUB:
      return ReportFormat::kSub;
    default:
      return usage(fmt::format("there is no output format {}", number_of(format)));
  }
}

// Positions in the scores of a collection, counted from their end: see Model::score_keys().
VmafModelCollectionScore to_libvmaf(const std::vector<double>& scores) {
  const auto from_end = [&](std::size_t k) { return scores[scores.size() - k]; };
  VmafModelCollectionScore result = {};
  result.type = VMAF_MODEL_COLLECTION_SCORE_BOOTSTRAP;
  result.bootstrap.bagging_score = from_end(4);
  result.bootstrap.stddev = from_end(3);
  result.bootstrap.ci.p95.lo = from_end(2);
  result.bootstrap.ci.p95.hi = from_end(1);
  return result;
}

// `score` of every scored frame of first..last, all of which must be there.
template <class F>
auto scores_between(const Context& context, unsigned first, unsigned last, const F& score)
    -> Result<std::vector<std::decay_t<decltype(*score(first))>>> {
  if (first > last) return usage(fmt::format("the range {}..{} is empty", first, last));
  const auto step = static_cast<std::int64_t>(context.subsample());
  std::vector<std::decay_t<decltype(*score(first))>> all;
  for (std::int64_t index = (first + step - 1) / step * step; index <= last; index += step) {
    auto value = score(index);
    if (!value) return value.error();
    all.push_back(*std::move(value));
  }
  return all;
}

Status put(const Result<double>& value, double* result) {
  if (!value) return value.error();
  *result = *value;
  return {};
}

Status put_pooled(const VmafPoolingMethod& method, const Result<std::vector<double>>& values,
                  double* result) {
  return values ? put(pool(method, *values), result) : values.error();
}

Status check_method(const VmafPoolingMethod& method) {
  const int number = number_of(method);
  if (number > VMAF_POOL_METHOD_UNKNOWN && number < VMAF_POOL_METHOD_NB) return {};
  return usage(fmt::format("there is no pooling method {}", number));
}

Status no_place() { return usage("the place for the score is NULL"); }

}  // namespace
}  // namespace vmafx::compat

// The functions below are C's: their names and the shapes of their arguments are libvmaf's.
using namespace vmafx;          // NOLINT(google-build-using-namespace)
using namespace vmafx::compat;  // NOLINT(google-build-using-namespace)

#define VMAFX_TEXT_OF(number) #number
#define VMAFX_TEXT(number) VMAFX_TEXT_OF(number)

const char* vmaf_version(void) {
  return VMAFX_TEXT(VMAF_API_VERSION_MAJOR) "." VMAFX_TEXT(VMAF_API_VERSION_MINOR) "." VMAFX_TEXT(
      VMAF_API_VERSION_PATCH) " (VMAFx " VMAFX_VERSION ")";
}

int vmaf_init(VmafContext** context, VmafConfiguration config) {
  return call(__func__, [&]() -> Status {
    if (context == nullptr) return usage("the place for the context is NULL");
    *context = nullptr;
    const int level = number_of(config.log_level);
    if (level < VMAF_LOG_LEVEL_NONE || level > VMAF_LOG_LEVEL_DEBUG)
      return usage(fmt::format("there is no log level {}", level));
    *context = Handles<VmafContext>::add(std::make_shared<VmafContext>(config));
    return {};
  });
}

int vmaf_close(VmafContext* context) {
  return call(__func__, [&]() -> Status {
    const auto closing = Handles<VmafContext>::take(context);
    if (!closing) return dead("context");
    const std::lock_guard wait_for_calls(closing->mutex);
    return {};
  });
}

int vmaf_use_feature(VmafContext* context, const char* metric, VmafFeatureDictionary* options) {
  const TakenOptions taken(options);
  return call(__func__, context, [&](Context& with) -> Status {
    const auto texts = taken.get();
    if (!texts) return texts.error();
    if (metric == nullptr) return usage("the metric's name is NULL");
    return with.use(metric, *texts);
  });
}

int vmaf_use_features_from_model(VmafContext* context, VmafModel* model) {
  return call(__func__, context, [&](Context& with) -> Status {
    const auto found = model_of(model);
    return found ? with.use(*found) : found.error();
  });
}

int vmaf_use_features_from_model_collection(VmafContext* context, VmafModelCollection* collection) {
  return call(__func__, context, [&](Context& with) -> Status {
    const auto found = model_of(collection);
    return found ? with.use(*found) : found.error();
  });
}

int vmaf_import_feature_score(VmafContext* context, const char* name, double score,
                              unsigned index) {
  return call(__func__, context, [&](Context& with) -> Status {
    if (name == nullptr) return usage("the score's name is NULL");
    return with.import_score(name, index, score);
  });
}

int vmaf_read_pictures(VmafContext* context, VmafPicture* reference, VmafPicture* distorted,
                       unsigned index) {
  // Whatever is wrong, the pictures are taken.
  const TakenPicture first = take_back(reference);
  const TakenPicture second = distorted == reference ? first : take_back(distorted);
  return call(__func__, context, [&](Context& with) -> Status {
    if (reference == nullptr && distorted == nullptr) return with.flush();
    if (reference == nullptr || distorted == nullptr)
      return usage("one of the two pictures is NULL");
    const auto a = to_picture(first);
    if (!a) return a.error();
    const auto b = to_picture(second);
    if (!b) return b.error();
    return with.read(*a, *b, index);
  });
}

int vmaf_preallocate_pictures(VmafContext* context, VmafPictureConfiguration config) {
  return call(__func__, context, [&](Context& with) -> Status {
    const auto format = picture_format(config.pic_params.pix_fmt, config.pic_params.bpc,
                                       config.pic_params.w, config.pic_params.h);
    return format ? with.make_pool(*format, config.pic_cnt) : Status(format.error());
  });
}

int vmaf_fetch_preallocated_picture(VmafContext* context, VmafPicture* picture) {
  std::shared_ptr<PicturePool> pool;
  const int code = call(__func__, context, [&](Context& with) -> Status {
    if (picture == nullptr) return usage("the picture is NULL");
    pool = with.pool();
    return pool ? Status() : usage("there is no pool: vmaf_preallocate_pictures() makes it");
  });
  if (code != 0) return code;
  // Without the context: whoever gives a picture back may need it.
  return call(__func__, [&]() -> Status {
    hand_out(pool->take(), picture);
    return {};
  });
}

int vmaf_feature_score_at_index(VmafContext* context, const char* name, double* score,
                                unsigned index) {
  return call(__func__, context, [&](Context& with) -> Status {
    if (score == nullptr) return no_place();
    if (name == nullptr) return usage("the score's name is NULL");
    return put(with.score(name, index), score);
  });
}

int vmaf_score_at_index(VmafContext* context, VmafModel* model, double* score, unsigned index) {
  return call(__func__, context, [&](Context& with) -> Status {
    if (score == nullptr) return no_place();
    const auto found = model_of(model);
    return found ? put(with.score(*found, index), score) : found.error();
  });
}

int vmaf_score_at_index_model_collection(VmafContext* context, VmafModelCollection* collection,
                                         VmafModelCollectionScore* score, unsigned index) {
  return call(__func__, context, [&](Context& with) -> Status {
    if (score == nullptr) return no_place();
    const auto found = model_of(collection);
    if (!found) return found.error();
    const auto scores = with.scores(*found, index);
    if (!scores) return scores.error();
    *score = to_libvmaf(*scores);
    return {};
  });
}

int vmaf_feature_score_pooled(VmafContext* context, const char* name, VmafPoolingMethod method,
                              double* score, unsigned first, unsigned last) {
  return call(__func__, context, [&](Context& with) -> Status {
    if (score == nullptr) return no_place();
    if (Status status = check_method(method); !status) return status;
    if (Status status = check_method(method); !status) return status;
    if (name == nullptr) return usage("the score's name is NULL");
    const auto one = [&](std::int64_t index) { return with.score(name, index); };
    return put_pooled(method, scores_between(with, first, last, one), score);
  });
}

int vmaf_score_pooled(VmafContext* context, VmafModel* model, VmafPoolingMethod method,
                      double* score, unsigned first, unsigned last) {
  return call(__func__, context, [&](Context& with) -> Status {
    if (score == nullptr) return no_place();
    if (Status status = check_method(method); !status) return status;
    const auto found = model_of(model);
    if (!found) return found.error();
    const auto one = [&](std::int64_t index) { return with.score(*found, index); };
    return put_pooled(method, scores_between(with, first, last, one), score);
  });
}

int vmaf_score_pooled_model_collection(VmafContext* context, VmafModelCollection* collection,
                                       VmafPoolingMethod method, VmafModelCollectionScore* score,
                                       unsigned first, unsigned last) {
  return call(__func__, context, [&](Context& with) -> Status {
    if (score == nullptr) return no_place();
    if (Status status = check_method(method); !status) return status;
    const auto found = model_of(collection);
    if (!found) return found.error();
    const auto frames = scores_between(
        with, first, last, [&](std::int64_t index) { return with.scores(*found, index); });
    if (!frames) return frames.error();
    std::vector<double> pooled;
    for (std::size_t k = 0; k < (*found)->score_keys().size(); ++k) {
      std::vector<double> values;
      for (const std::vector<double>& frame : *frames) values.push_back(frame[k]);
      const auto one = pool(method, values);
      if (!one) return one.error();
      pooled.push_back(*one);
    }
    *score = to_libvmaf(pooled);
    return {};
  });
}

int vmaf_write_output(VmafContext* context, const char* path, VmafOutputFormat format) {
  return call(__func__, context, [&](Context& with) -> Status {
    if (path == nullptr) return usage("the path is NULL");
    const auto layout = report_format(format);
    return layout ? with.write(path, *layout) : Status(layout.error());
  });
}

int vmaf_feature_dictionary_set(VmafFeatureDictionary** options, const char* name,
                                const char* value) {
  return call(__func__, [&]() -> Status {
    if (options == nullptr || name == nullptr || value == nullptr || *name == '\0')
      return usage("the dictionary, the name or the value is NULL, or the name is empty");
    if (*options == nullptr)
      *options = Handles<VmafFeatureDictionary>::add(std::make_shared<VmafFeatureDictionary>());
    const auto found = Handles<VmafFeatureDictionary>::find(*options);
    if (!found) return dead("dictionary");
    found->options[name] = value;
    return {};
  });
}

int vmaf_feature_dictionary_free(VmafFeatureDictionary** options) {
  return call(__func__, [&]() -> Status {
    if (options == nullptr || *options == nullptr) return usage("there is no dictionary");
    const auto taken = Handles<VmafFeatureDictionary>::take(std::exchange(*options, nullptr));
    return taken ? Status() : dead("dictionary");
  });
}

int vmaf_model_load(VmafModel** model, VmafModelConfig* config, const char* version) {
  return call(__func__, [&] { return load_into(model, config, version, Source::kBuiltIn); });
}

int vmaf_model_load_from_path(VmafModel** model, VmafModelConfig* config, const char* path) {
  return call(__func__, [&] { return load_into(model, config, path, Source::kFile); });
}

int vmaf_model_collection_load(VmafModel** model, VmafModelCollection** collection,
                               VmafModelConfig* config, const char* version) {
  return call(__func__,
              [&] { return load_into(model, collection, config, version, Source::kBuiltIn); });
}

int vmaf_model_collection_load_from_path(VmafModel** model, VmafModelCollection** collection,
                                         VmafModelConfig* config, const char* path) {
  return call(__func__, [&] { return load_into(model, collection, config, path, Source::kFile); });
}

int vmaf_model_feature_overload(VmafModel* model, const char* metric,
                                VmafFeatureDictionary* options) {
  const TakenOptions taken(options);
  return call(__func__, [&]() -> Status {
    const auto found = Handles<VmafModel>::find(model);
    if (!found) return dead("model");
    auto changed = overloaded(found->model, metric, taken);
    if (!changed) return changed.error();
    found->model = *std::move(changed);
    return {};
  });
}

int vmaf_model_collection_feature_overload(VmafModel* model, VmafModelCollection** collection,
                                           const char* metric, VmafFeatureDictionary* options) {
  const TakenOptions taken(options);
  return call(__func__, [&]() -> Status {
    const auto main = Handles<VmafModel>::find(model);
    const auto all = Handles<VmafModelCollection>::find(collection ? *collection : nullptr);
    if (!main || !all) return dead("model");
    if (main->model != all->model) return usage("the model and the collection are not of one load");
    auto changed = overloaded(all->model, metric, taken);
    if (!changed) return changed.error();
    main->model = *changed;
    all->model = *std::move(changed);
    return {};
  });
}

void vmaf_model_destroy(VmafModel* model) {
  call(__func__, [&]() -> Status {
    return model == nullptr || Handles<VmafModel>::take(model) ? Status() : dead("model");
  });
}

void vmaf_model_collection_destroy(VmafModelCollection* collection) {
  call(__func__, [&]() -> Status {
    return collection == nullptr || Handles<VmafModelCollection>::take(collection) ? Status()
                                                                                   : dead("model");
  });
}

int vmaf_picture_alloc(VmafPicture* picture, VmafPixelFormat format, unsigned bits, unsigned width,
                       unsigned height) {
  return call(__func__, [&]() -> Status {
    if (picture == nullptr) return usage("the picture is NULL");
    const auto whole = picture_format(format, bits, width, height);
    if (!whole) return whole.error();
    hand_out(std::make_shared<PictureMemory>(*whole), picture);
    return {};
  });
}

int vmaf_picture_unref(VmafPicture* picture) {
  // No line of what encoders do after every vmaf_read_pictures().
  if (picture != nullptr && picture->ref == nullptr) return -EINVAL;
  const TakenPicture taken = take_back(picture);
  return call(__func__, [&]() -> Status {
    if (picture == nullptr) return usage("the picture is NULL");
    return taken.memory ? Status() : dead("picture");
  });
}
