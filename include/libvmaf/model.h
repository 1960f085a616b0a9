/* Models: from the features of a frame to its score. A collection is a model with a bootstrap set of
 * others that tell how sure the score is. */
#ifndef VMAFX_LIBVMAF_MODEL_H_
#define VMAFX_LIBVMAF_MODEL_H_

#include <stdint.h>

#include "feature.h"

#ifdef __cplusplus
extern "C" {
#endif

enum VmafModelFlags {
  VMAF_MODEL_FLAGS_DEFAULT = 0,
  VMAF_MODEL_FLAG_DISABLE_CLIP = 1,      /* scores may leave the model's range */
  VMAF_MODEL_FLAG_ENABLE_TRANSFORM = 2,  /* apply the model's transform, as for a phone */
  VMAF_MODEL_FLAG_DISABLE_TRANSFORM = 4  /* even if the model asks for it */
};

typedef struct VmafModelConfig {
  const char *name; /* key of the scores in reports; NULL: "vmaf". Copied. */
  uint64_t flags;   /* VmafModelFlags, ored */
} VmafModelConfig;

typedef struct VmafModel VmafModel;
typedef struct VmafModelCollection VmafModelCollection;

/* Loads a built-in model, "vmaf_v0.6.1" (`vmafx models` lists them), or a model file in JSON, into
 * *model, which the caller destroys. cfg may be NULL. -EINVAL: a NULL, a version that there is not,
 * a file that is no model, or a collection; -EIO: a file that cannot be read; -ENOMEM. *model is
 * then NULL. */
int vmaf_model_load(VmafModel **model, VmafModelConfig *cfg, const char *version);
int vmaf_model_load_from_path(VmafModel **model, VmafModelConfig *cfg, const char *path);

/* Sets options of those of the model's features that feature_name ("adm") measures. To be called
 * before the model is used. Takes opts_dict in every case. -EINVAL: a NULL, an unknown feature,
 * option or value, or a feature that the model does not have; the model is then as it was. */
int vmaf_model_feature_overload(VmafModel *model, const char *feature_name,
                                VmafFeatureDictionary *opts_dict);

/* NULL is allowed. A context that uses the model goes on using it. */
void vmaf_model_destroy(VmafModel *model);

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

/* As vmaf_model_load(), for a collection. *model is its main model; both are destroyed by the
 * caller, each with its own function. -EINVAL besides: a model that is no collection. */
int vmaf_model_collection_load(VmafModel **model, VmafModelCollection **model_collection,
                               VmafModelConfig *cfg, const char *version);
int vmaf_model_collection_load_from_path(VmafModel **model,
                                         VmafModelCollection **model_collection,
                                         VmafModelConfig *cfg, const char *path);

/* vmaf_model_feature_overload() of both. */
int vmaf_model_collection_feature_overload(VmafModel *model,
                                           VmafModelCollection **model_collection,
                                           const char *feature_name,
                                           VmafFeatureDictionary *opts_dict);

void vmaf_model_collection_destroy(VmafModelCollection *model_collection);

#ifdef __cplusplus
}
#endif

#endif /* VMAFX_LIBVMAF_MODEL_H_ */
