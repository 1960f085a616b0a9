/* VMAFx behind libvmaf's interface: programs that were built for libvmaf.so.3 run with it.
 *
 * Make a context, tell it models and features, hand over frame pairs in order, flush, read scores.
 * Functions return 0, or a negative errno and one line on standard error, if the log level lets it
 * through: -EINVAL for an argument or a call that cannot be (and for what a handle or a format does
 * not allow), -EAGAIN for a score whose frames are not all in, -ENOMEM, -EIO for a file.
 *
 * Handles that were freed, or that never were this library's, are refused with -EINVAL where their
 * address is not in use again. Contexts have no state in common: any number of threads may use one
 * each. Calls with the same context wait for each other, but for vmaf_fetch_preallocated_picture().
 */
#ifndef VMAFX_LIBVMAF_LIBVMAF_H_
#define VMAFX_LIBVMAF_LIBVMAF_H_

#include <stdint.h>
#include <stdio.h> /* not used here; programs may count on it, since it was always there */

#include "libvmaf/feature.h"
#include "libvmaf/model.h"
#include "libvmaf/picture.h"

#ifdef __cplusplus
extern "C" {
#endif

/* ---- contexts ---- */

typedef struct VmafContext VmafContext;

enum VmafLogLevel {
  VMAF_LOG_LEVEL_NONE = 0,
  VMAF_LOG_LEVEL_ERROR = 1,
  VMAF_LOG_LEVEL_WARNING = 2,
  VMAF_LOG_LEVEL_INFO = 3,
  VMAF_LOG_LEVEL_DEBUG = 4
};

typedef struct VmafConfiguration {
  enum VmafLogLevel log_level; /* of this context; calls without one write errors and warnings */
  unsigned n_threads;          /* 0 and 1: everything runs in the caller's thread */
  unsigned n_subsample;        /* only frames whose index is a multiple are scored; 0 is 1 */
  uint64_t cpumask;            /* no effect: every instruction set gives the same scores */
  uint64_t gpumask;            /* no effect: there is no GPU code behind this interface */
} VmafConfiguration;

/* -EINVAL: a NULL, or a log level that there is not. */
int vmaf_init(VmafContext** context, VmafConfiguration config);

/* At any moment. Waits for what is being measured, and for calls of other threads. */
int vmaf_close(VmafContext* context);

/* "3.2.0 (VMAFx 0.1.0)"; static. */
const char* vmaf_version(void);

/* ---- what to measure; before the first pictures ---- */

/* Has the model's features measured and its score reported. The same model again changes nothing.
 * Of two models of one name the first one's score is reported; a warning says so, and each is
 * scored where it is asked for. */
int vmaf_use_features_from_model(VmafContext* context, VmafModel* model);
int vmaf_use_features_from_model_collection(VmafContext* context, VmafModelCollection* collection);

/* A metric by its name, "psnr". Takes the options, which may be NULL, in every case. -EINVAL: an
 * unknown metric, option or value. */
int vmaf_use_feature(VmafContext* context, const char* metric, VmafFeatureDictionary* options);

/* A score from elsewhere, at any time and under any name that is not measured: it can be read,
 * pooled and reported, and models that the context does not use are scored with it. Each (name,
 * index) once. */
int vmaf_import_feature_score(VmafContext* context, const char* name, double score, unsigned index);

/* ---- pictures ---- */

/* Hands over a pair of pictures, or, with two NULLs, says that there are no more (flush).
 *
 * Takes both pictures and zeroes the two structs, whatever it returns. Indexes are 0, 1, 2, ...;
 * any other is refused, and a pair that is refused does not count. The first pair fixes the format;
 * metrics and models that do not apply to it are left out with a warning, -EINVAL if none is left.
 * Returns when the pair is measured, or with n_threads > 1 as soon as at most n_threads + 1 pairs
 * are in work: those, and four earlier pictures at most that metrics look back at, are all that the
 * library holds. An error while measuring is returned by every later call with pictures, and by the
 * flush. After the flush every score is final; a second flush is -EINVAL. */
int vmaf_read_pictures(VmafContext* context, VmafPicture* reference, VmafPicture* distorted,
                       unsigned index);

typedef struct VmafPictureConfiguration {
  struct {
    unsigned w, h;
    unsigned bpc;
    enum VmafPixelFormat pix_fmt;
  } pic_params;
  unsigned pic_cnt; /* 2..4096. For scoring 2, and one for each earlier picture that the metrics
                     * look at: 3 with motion and so with VMAF v0, 4 with its five-frame window and
                     * so with VMAF v1, or with speed_temporal, 5 with both */
} VmafPictureConfiguration;

/* A pool of pictures, one for each context, that vmaf_fetch_preallocated_picture() takes from: it
 * waits while all are in use. They are released as others are, also after vmaf_close(). A pool too
 * small to score with is refused by vmaf_read_pictures(). */
int vmaf_preallocate_pictures(VmafContext* context, VmafPictureConfiguration config);
int vmaf_fetch_preallocated_picture(VmafContext* context, VmafPicture* picture);

/* ---- scores ---- */

/* Of a frame. A score is final once the pair is in, and with it the next one for models and
 * features with motion, two for its five-frame window, or the flush: until then -EAGAIN. Waits for
 * what is being measured. A model that the context does not use is scored if its features are
 * there. -EINVAL: an index that is not scored, a name that there is not (before the first pictures
 * nobody knows); `name` is a key of the reports: "integer_motion2", "psnr_y". */
int vmaf_feature_score_at_index(VmafContext* context, const char* name, double* score,
                                unsigned index);
int vmaf_score_at_index(VmafContext* context, VmafModel* model, double* score, unsigned index);
int vmaf_score_at_index_model_collection(VmafContext* context, VmafModelCollection* collection,
                                         VmafModelCollectionScore* score, unsigned index);

enum VmafPoolingMethod {
  VMAF_POOL_METHOD_UNKNOWN = 0,
  VMAF_POOL_METHOD_MIN = 1,
  VMAF_POOL_METHOD_MAX = 2,
  VMAF_POOL_METHOD_MEAN = 3,
  VMAF_POOL_METHOD_HARMONIC_MEAN = 4, /* n / sum(1 / (score + 1)) - 1 */
  VMAF_POOL_METHOD_NB = 5             /* their number, not a method */
};

/* Over the scored frames of first..last, both included. -EAGAIN while one of them is not final.
 * -EINVAL besides: an empty range, a method that there is not. */
int vmaf_feature_score_pooled(VmafContext* context, const char* name, enum VmafPoolingMethod method,
                              double* score, unsigned first, unsigned last);
int vmaf_score_pooled(VmafContext* context, VmafModel* model, enum VmafPoolingMethod method,
                      double* score, unsigned first, unsigned last);
int vmaf_score_pooled_model_collection(VmafContext* context, VmafModelCollection* collection,
                                       enum VmafPoolingMethod method,
                                       VmafModelCollectionScore* score, unsigned first,
                                       unsigned last);

enum VmafOutputFormat {
  VMAF_OUTPUT_FORMAT_NONE = 0,
  VMAF_OUTPUT_FORMAT_XML = 1,
  VMAF_OUTPUT_FORMAT_JSON = 2,
  VMAF_OUTPUT_FORMAT_CSV = 3,
  VMAF_OUTPUT_FORMAT_SUB = 4
};

/* Writes what is final. A file is replaced at once when it is complete, by one that is made beside
 * it;
 * "-" is standard output. */
int vmaf_write_output(VmafContext* context, const char* path, enum VmafOutputFormat format);

#ifdef __cplusplus
}
#endif

#endif /* VMAFX_LIBVMAF_LIBVMAF_H_ */
