/* Models: from the features of a frame to its score. A collection is a model with a bootstrap set
 * of others that tell how sure the score is. */
#ifndef VMAFX_LIBVMAF_MODEL_H_
#define VMAFX_LIBVMAF_MODEL_H_

#include <stdint.h>

#include "libvmaf/feature.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef struct VmafModel VmafModel;
typedef struct VmafModelCollection VmafModelCollection;

enum VmafModelFlags {
  VMAF_MODEL_FLAGS_DEFAULT = 0,
  VMAF_MODEL_FLAG_DISABLE_CLIP = 1,     /* scores may leave the model's range */
  VMAF_MODEL_FLAG_ENABLE_TRANSFORM = 2, /* apply the model's transform, as for a phone */
  VMAF_MODEL_FLAG_DISABLE_TRANSFORM = 4 /* even if the model asks for it */
};

typedef struct VmafModelConfig {
  const char* name; /* key of the scores in reports; NULL: "vmaf". Copied. */
  uint64_t flags;   /* VmafModelFlags, ored */
} VmafModelConfig;

enum VmafModelCollectionScoreType {
  VMAF_MODEL_COLLECTION_SCORE_UNKNOWN = 0,
  VMAF_MODEL_COLLECTION_SCORE_BOOTSTRAP = 1
};

typedef struct VmafModelCollectionScore {
  enum VmafModelCollectionScoreType type;
  struct {
    double bagging_score; /* mean of the set */
    double stddev;
    struct {
      struct {
        double lo, hi;
      } p95; /* 95 % confidence interval */
    } ci;
  } bootstrap;
} VmafModelCollectionScore;

/* A built-in model, "vmaf_v0.6.1" (`vmafx models` lists them), or a model file in JSON. The caller
 * destroys *model. config may be NULL. -EINVAL: a NULL, a version that there is not, a file that is
 * no model, or a collection; -EIO: a file that cannot be read; -ENOMEM. *model is then NULL. */
int vmaf_model_load(VmafModel** model, VmafModelConfig* config, const char* version);
int vmaf_model_load_from_path(VmafModel** model, VmafModelConfig* config, const char* path);

/* The same of a collection. *model is its main model; the caller destroys both, each with its own
 * function. -EINVAL besides: a model that is no collection. */
int vmaf_model_collection_load(VmafModel** model, VmafModelCollection** collection,
                               VmafModelConfig* config, const char* version);
int vmaf_model_collection_load_from_path(VmafModel** model, VmafModelCollection** collection,
                                         VmafModelConfig* config, const char* path);

/* Sets options of those of the model's features that `metric` ("adm") measures; if there is none,
 * it changes nothing, says so in a line and returns 0. Before the model is used, and from one
 * thread at a time. Takes the options in every case. -EINVAL: a NULL, an unknown metric, option or
 * value; the model is then as it was. */
int vmaf_model_feature_overload(VmafModel* model, const char* metric,
                                VmafFeatureDictionary* options);
/* The same of a collection and its main model. -EINVAL besides: two that were not loaded together,
 * or of which one alone was changed. */
int vmaf_model_collection_feature_overload(VmafModel* model, VmafModelCollection** collection,
                                           const char* metric, VmafFeatureDictionary* options);

/* NULL is allowed. A context that uses the model goes on using it. */
void vmaf_model_destroy(VmafModel* model);
void vmaf_model_collection_destroy(VmafModelCollection* collection);

#ifdef __cplusplus
}
#endif

#endif /* VMAFX_LIBVMAF_MODEL_H_ */
