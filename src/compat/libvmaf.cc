// libvmaf's functions: each takes what it owns, finds the handle, and passes the call on.
#include "libvmaf/libvmaf.h"

#include <cerrno>
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

// Runs `f` for a call without a context.
template <class F>
int call(const char* name, F&& f) {
  return kDefaultLog.result(name, guarded(std::forward<F>(f)));
}

// Runs `f` with the context, one call at a time.
template <class F>
int call(const char* name, VmafContext* vmaf, F&& f) {
  if (!Handles<VmafContext>::has(vmaf))
    return kDefaultLog.result(name, usage("the context is not one of vmaf_init(), or was closed"));
  const std::lock_guard lock(vmaf->mutex);
  Context& context = vmaf->context;
  return context.log().result(name, guarded([&] { return f(context); }));
}

Status dead_model() { return usage("the model is not a loaded one, or was destroyed"); }

// The model of a VmafModel or a VmafModelCollection; nullptr if the handle is dead.
template <class Handle>
std::shared_ptr<const Model> model_of(const Handle* handle) {
  return Handles<Handle>::has(handle) ? handle->model : nullptr;
}

// Owns the dictionary from here on. nullptr gives none.
Result<std::map<std::string, std::string>> take_options(VmafFeatureDictionary* dictionary) {
  if (dictionary == nullptr) return std::map<std::string, std::string>();
  const auto taken = Handles<VmafFeatureDictionary>::take(dictionary);
  if (!taken) return usage("the dictionary was not made here, or was freed");
  return std::move(taken->options);
}

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
  *model = Handles<VmafModel>::add(std::make_unique<VmafModel>(VmafModel{*std::move(loaded)}));
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
  auto both = std::make_unique<VmafModelCollection>(VmafModelCollection{*loaded});
  *model = Handles<VmafModel>::add(std::make_unique<VmafModel>(VmafModel{*std::move(loaded)}));
  *collection = Handles<VmafModelCollection>::add(std::move(both));
  return {};
}

Result<std::shared_ptr<const Model>> overloaded(std::shared_ptr<const Model> model,
                                                const char* feature_name,
                                                VmafFeatureDictionary* dictionary) {
  const auto options = take_options(dictionary);
  if (!options) return options.error();
  if (dictionary == nullptr) return usage("the options are NULL");
  if (feature_name == nullptr) return usage("the feature's name is NULL");
  for (const auto& [name, value] : *options) {
    auto changed = model->with_overload({feature_name, name, value});
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

// `score` of every scored frame of low..high, all of which must be there.
template <class F>
auto scores_between(const Context& context, unsigned low, unsigned high, F&& score)
    -> Result<std::vector<std::decay_t<decltype(*score(low))>>> {
  if (low > high) return usage(fmt::format("the range {}..{} is empty", low, high));
  std::vector<std::decay_t<decltype(*score(low))>> all;
  for (std::uint64_t index = low; index <= high; ++index) {
    if (!context.is_scored(static_cast<std::int64_t>(index))) continue;
    auto value = score(static_cast<unsigned>(index));
    if (!value) return value.error();
    all.push_back(*std::move(value));
  }
  return all;
}

Result<double> pooled(const VmafPoolingMethod& method, const Result<std::vector<double>>& values) {
  if (!values) return values.error();
  return pool(method, *values);
}

Status put(const Result<double>& value, double* result) {
  if (!value) return value.error();
  *result = *value;
  return {};
}

}  // namespace
}  // namespace vmafx::compat

// The functions below are C's: their names and the shapes of their arguments are libvmaf's.
using namespace vmafx;          // NOLINT(google-build-using-namespace)
using namespace vmafx::compat;  // NOLINT(google-build-using-namespace)

const char* vmaf_version(void) {
  static const std::string text =
      fmt::format("{}.{}.{} (VMAFx {})", VMAF_API_VERSION_MAJOR, VMAF_API_VERSION_MINOR,
                  VMAF_API_VERSION_PATCH, version());
  return text.c_str();
}

int vmaf_init(VmafContext** vmaf, VmafConfiguration cfg) {
  return call(__func__, [&]() -> Status {
    if (vmaf == nullptr) return usage("the place for the context is NULL");
    *vmaf = nullptr;
    const int level = number_of(cfg.log_level);
    if (level < VMAF_LOG_LEVEL_NONE || level > VMAF_LOG_LEVEL_DEBUG)
      return usage(fmt::format("there is no log level {}", level));
    *vmaf = Handles<VmafContext>::add(std::make_unique<VmafContext>(cfg));
    return {};
  });
}

int vmaf_close(VmafContext* vmaf) {
  return call(__func__, [&]() -> Status {
    if (!Handles<VmafContext>::take(vmaf))
      return usage("the context is not one of vmaf_init(), or was closed");
    return {};
  });
}

int vmaf_use_feature(VmafContext* vmaf, const char* feature_name,
                     VmafFeatureDictionary* opts_dict) {
  auto options = take_options(opts_dict);
  return call(__func__, vmaf, [&](Context& context) -> Status {
    if (!options) return options.error();
    if (feature_name == nullptr) return usage("the feature's name is NULL");
    return context.use(feature_name, *options);
  });
}

int vmaf_use_features_from_model(VmafContext* vmaf, VmafModel* model) {
  return call(__func__, vmaf, [&](Context& context) -> Status {
    const auto found = model_of(model);
    return found ? context.use(found) : dead_model();
  });
}

int vmaf_use_features_from_model_collection(VmafContext* vmaf,
                                            VmafModelCollection* model_collection) {
  return call(__func__, vmaf, [&](Context& context) -> Status {
    const auto found = model_of(model_collection);
    return found ? context.use(found) : dead_model();
  });
}

int vmaf_import_feature_score(VmafContext* vmaf, const char* feature_name, double value,
                              unsigned index) {
  return call(__func__, vmaf, [&](Context& context) -> Status {
    if (feature_name == nullptr) return usage("the feature's name is NULL");
    return context.import_score(feature_name, index, value);
  });
}

int vmaf_read_pictures(VmafContext* vmaf, VmafPicture* ref, VmafPicture* dist, unsigned index) {
  if (ref == nullptr && dist == nullptr)
    return call(__func__, vmaf, [](Context& context) { return context.flush(); });
  // Whatever is wrong, the pictures are taken.
  const Result<Picture> none = usage("one of the two pictures is NULL");
  const auto take = [&](VmafPicture* picture) { return picture ? take_back(picture) : none; };
  const auto reference = guarded([&] { return take(ref); });
  const auto distorted = ref == dist ? reference : guarded([&] { return take(dist); });
  return call(__func__, vmaf, [&](Context& context) -> Status {
    if (!reference) return reference.error();
    if (!distorted) return distorted.error();
    return context.read(*reference, *distorted, index);
  });
}

int vmaf_score_at_index(VmafContext* vmaf, VmafModel* model, double* score, unsigned index) {
  return call(__func__, vmaf, [&](Context& context) -> Status {
    if (score == nullptr) return usage("the place for the score is NULL");
    const auto found = model_of(model);
    if (!found) return dead_model();
    const auto scores = context.scores(found, index);
    if (!scores) return scores.error();
    *score = scores->front();
    return {};
  });
}

int vmaf_score_at_index_model_collection(VmafContext* vmaf, VmafModelCollection* model_collection,
                                         VmafModelCollectionScore* score, unsigned index) {
  return call(__func__, vmaf, [&](Context& context) -> Status {
    if (score == nullptr) return usage("the place for the score is NULL");
    const auto found = model_of(model_collection);
    if (!found) return dead_model();
    const auto scores = context.scores(found, index);
    if (!scores) return scores.error();
    *score = to_libvmaf(*scores);
    return {};
  });
}

int vmaf_feature_score_at_index(VmafContext* vmaf, const char* feature_name, double* score,
                                unsigned index) {
  return call(__func__, vmaf, [&](Context& context) -> Status {
    if (feature_name == nullptr || score == nullptr)
      return usage("the feature's name or the place for the score is NULL");
    return put(context.score(feature_name, index), score);
  });
}

int vmaf_score_pooled(VmafContext* vmaf, VmafModel* model, VmafPoolingMethod pool_method,
                      double* score, unsigned index_low, unsigned index_high) {
  return call(__func__, vmaf, [&](Context& context) -> Status {
    if (score == nullptr) return usage("the place for the score is NULL");
    const auto found = model_of(model);
    if (!found) return dead_model();
    const auto main_score = [&](unsigned index) -> Result<double> {
      const auto scores = context.scores(found, index);
      if (!scores) return scores.error();
      return scores->front();
    };
    return put(pooled(pool_method, scores_between(context, index_low, index_high, main_score)),
               score);
  });
}

int vmaf_score_pooled_model_collection(VmafContext* vmaf, VmafModelCollection* model_collection,
                                       VmafPoolingMethod pool_method,
                                       VmafModelCollectionScore* score, unsigned index_low,
                                       unsigned index_high) {
  return call(__func__, vmaf, [&](Context& context) -> Status {
    if (score == nullptr) return usage("the place for the score is NULL");
    const auto found = model_of(model_collection);
    if (!found) return dead_model();
    const auto frames = scores_between(context, index_low, index_high, [&](unsigned index) {
      return context.scores(found, index);
    });
    if (!frames) return frames.error();
    std::vector<double> results;
    for (std::size_t k = 0; k < found->score_keys().size(); ++k) {
      std::vector<double> values;
      for (const std::vector<double>& frame : *frames) values.push_back(frame[k]);
      const auto result = pool(pool_method, values);
      if (!result) return result.error();
      results.push_back(*result);
    }
    *score = to_libvmaf(results);
    return {};
  });
}

int vmaf_feature_score_pooled(VmafContext* vmaf, const char* feature_name,
                              VmafPoolingMethod pool_method, double* score, unsigned index_low,
                              unsigned index_high) {
  return call(__func__, vmaf, [&](Context& context) -> Status {
    if (feature_name == nullptr || score == nullptr)
      return usage("the feature's name or the place for the score is NULL");
    const auto one = [&](unsigned index) { return context.score(feature_name, index); };
    return put(pooled(pool_method, scores_between(context, index_low, index_high, one)), score);
  });
}

int vmaf_preallocate_pictures(VmafContext* vmaf, VmafPictureConfiguration cfg) {
  return call(__func__, vmaf, [&](Context& context) -> Status {
    const auto format = picture_format(cfg.pic_params.pix_fmt, cfg.pic_params.bpc, cfg.pic_params.w,
                                       cfg.pic_params.h);
    return format ? context.make_pool(*format, cfg.pic_cnt) : Status(format.error());
  });
}

int vmaf_fetch_preallocated_picture(VmafContext* vmaf, VmafPicture* pic) {
  std::shared_ptr<PicturePool> pool;
  const int code = call(__func__, vmaf, [&](Context& context) -> Status {
    if (pic == nullptr) return usage("the picture is NULL");
    pool = context.pool();
    return pool ? Status() : usage("there is no pool: vmaf_preallocate_pictures() makes it");
  });
  if (code != 0) return code;
  // Without the context: whoever gives a picture back may need it.
  return call(__func__, [&]() -> Status {
    hand_out(pool->take(), pic);
    return {};
  });
}

int vmaf_write_output(VmafContext* vmaf, const char* output_path, VmafOutputFormat fmt) {
  return call(__func__, vmaf, [&](Context& context) -> Status {
    if (output_path == nullptr) return usage("the path is NULL");
    const auto format = report_format(fmt);
    return format ? context.write(output_path, *format) : Status(format.error());
  });
}

int vmaf_feature_dictionary_set(VmafFeatureDictionary** dict, const char* key, const char* val) {
  return call(__func__, [&]() -> Status {
    if (dict == nullptr || key == nullptr || val == nullptr || *key == '\0')
      return usage("the dictionary, the name or the value is NULL, or the name is empty");
    if (*dict == nullptr)
      *dict = Handles<VmafFeatureDictionary>::add(std::make_unique<VmafFeatureDictionary>());
    if (!Handles<VmafFeatureDictionary>::has(*dict))
      return usage("the dictionary was not made here, or was freed");
    (*dict)->options[key] = val;
    return {};
  });
}

int vmaf_feature_dictionary_free(VmafFeatureDictionary** dict) {
  return call(__func__, [&]() -> Status {
    if (dict == nullptr || *dict == nullptr) return usage("there is no dictionary");
    const auto options = take_options(*dict);
    *dict = nullptr;
    return options ? Status() : Status(options.error());
  });
}

int vmaf_model_load(VmafModel** model, VmafModelConfig* cfg, const char* version) {
  return call(__func__, [&] { return load_into(model, cfg, version, Source::kBuiltIn); });
}

int vmaf_model_load_from_path(VmafModel** model, VmafModelConfig* cfg, const char* path) {
  return call(__func__, [&] { return load_into(model, cfg, path, Source::kFile); });
}

int vmaf_model_feature_overload(VmafModel* model, const char* feature_name,
                                VmafFeatureDictionary* opts_dict) {
  return call(__func__, [&]() -> Status {
    const auto found = model_of(model);
    if (!found) {
      static_cast<void>(take_options(opts_dict));
      return dead_model();
    }
    auto changed = overloaded(found, feature_name, opts_dict);
    if (!changed) return changed.error();
    model->model = *std::move(changed);
    return {};
  });
}

void vmaf_model_destroy(VmafModel* model) {
  call(__func__, [&]() -> Status {
    return model == nullptr || Handles<VmafModel>::take(model) ? Status() : dead_model();
  });
}

int vmaf_model_collection_load(VmafModel** model, VmafModelCollection** model_collection,
                               VmafModelConfig* cfg, const char* version) {
  return call(__func__,
              [&] { return load_into(model, model_collection, cfg, version, Source::kBuiltIn); });
}

int vmaf_model_collection_load_from_path(VmafModel** model, VmafModelCollection** model_collection,
                                         VmafModelConfig* cfg, const char* path) {
  return call(__func__,
              [&] { return load_into(model, model_collection, cfg, path, Source::kFile); });
}

int vmaf_model_collection_feature_overload(VmafModel* model, VmafModelCollection** model_collection,
                                           const char* feature_name,
                                           VmafFeatureDictionary* opts_dict) {
  return call(__func__, [&]() -> Status {
    const auto found = model_collection == nullptr ? nullptr : model_of(*model_collection);
    if (!found || !Handles<VmafModel>::has(model)) {
      static_cast<void>(take_options(opts_dict));
      return dead_model();
    }
    auto changed = overloaded(found, feature_name, opts_dict);
    if (!changed) return changed.error();
    model->model = *changed;
    (*model_collection)->model = *std::move(changed);
    return {};
  });
}

void vmaf_model_collection_destroy(VmafModelCollection* model_collection) {
  call(__func__, [&]() -> Status {
    return model_collection == nullptr || Handles<VmafModelCollection>::take(model_collection)
               ? Status()
               : dead_model();
  });
}

int vmaf_picture_alloc(VmafPicture* pic, VmafPixelFormat pix_fmt, unsigned bpc, unsigned w,
                       unsigned h) {
  return call(__func__, [&]() -> Status {
    if (pic == nullptr) return usage("the picture is NULL");
    const auto format = picture_format(pix_fmt, bpc, w, h);
    if (!format) return format.error();
    hand_out(std::make_shared<PictureMemory>(*format), pic);
    return {};
  });
}

int vmaf_picture_unref(VmafPicture* pic) {
  return call(__func__, [&]() -> Status {
    if (pic == nullptr) return usage("the picture is NULL");
    if (pic->ref == nullptr) return usage("the picture was released before, or never allocated");
    const std::unique_ptr<VmafRef> ref = Handles<VmafRef>::take(pic->ref);
    *pic = VmafPicture{};
    return ref ? Status() : usage("the picture is not one of this library");
  });
}
