/* VMAFx behind libvmaf's interface: programs that were built for libvmaf.so.3 run with it.
 *
 * Make a context, tell it models and features, hand over frame pairs in order, flush, read scores.
 * Functions return 0, or a negative errno and one line on standard error, if the log level lets it
 * through: -EINVAL for an argument or a call that cannot be (and for what a handle or a format does
 * not allow), -EAGAIN for a score whose frames are not all in, -ENOMEM, -EIO for a file.
 *
 * Handles that were freed, or that never were this library's, are refused with -EINVAL where their
 * address is not in use again. Contexts share nothing: any number of threads may use one each. Calls
 * with the same context wait for each other, but for vmaf_fetch_preallocated_picture(). */
#ifndef VMAFX_LIBVMAF_LIBVMAF_H_
#define VMAFX_LIBVMAF_LIBVMAF_H_

#include <stdint.h>
#include <stdio.h>

#include "libvmaf/feature.h"
#include "libvmaf/model.h"
#include "libvmaf/picture.h"

#ifdef __cplusplus
extern "C" {
#endif

enum VmafLogLevel {
  VMAF_LOG_LEVEL_NONE = 0,
  VMAF_LOG_LEVEL_ERROR = 1,
  VMAF_LOG_LEVEL_WARNING = 2,
  VMAF_LOG_LEVEL_INFO = 3,
  VMAF_LOG_LEVEL_DEBUG = 4
};

enum VmafOutputFormat {
  VMAF_OUTPUT_FORMAT_NONE = 0,
  VMAF_OUTPUT_FORMAT_XML = 1,
  VMAF_OUTPUT_FORMAT_JSON = 2,
  VMAF_OUTPUT_FORMAT_CSV = 3,
  VMAF_OUTPUT_FORMAT_SUB = 4
};

enum VmafPoolingMethod {
  VMAF_POOL_METHOD_UNKNOWN = 0,
  VMAF_POOL_METHOD_MIN = 1,
  VMAF_POOL_METHOD_MAX = 2,
  VMAF_POOL_METHOD_MEAN = 3,
  VMAF_POOL_METHOD_HARMONIC_MEAN = 4, /* n / sum(1 / (score + 1)) - 1 */
  VMAF_POOL_METHOD_NB = 5             /* their number, not a method */
};

typedef struct VmafConfiguration {
  enum VmafLogLevel log_level; /* of this context */
  unsigned n_threads;          /* 0: everything runs in the caller's thread */
  unsigned n_subsample;        /* only frames whose index is a multiple are scored; 0 is 1 */
  uint64_t cpumask;            /* no effect: every instruction set gives the same scores */
  uint64_t gpumask;            /* no effect: there is no GPU code behind this interface */
} VmafConfiguration;

typedef struct VmafContext VmafContext;

/* -EINVAL: a NULL, or a log level that there is not. */
int vmaf_init(VmafContext **vmaf, VmafConfiguration cfg);

/* Has the model's features measured and its score reported. Before the first pictures. The same
 * model again changes nothing. -EINVAL besides: another model of that name is there. */
int vmaf_use_features_from_model(VmafContext *vmaf, VmafModel *model);
int vmaf_use_features_from_model_collection(VmafContext *vmaf,
                                            VmafModelCollection *model_collection);

/* A metric by its name, "psnr". Before the first pictures. Takes opts_dict, which may be NULL, in
 * every case. -EINVAL: an unknown metric, option or value. */
int vmaf_use_feature(VmafContext *vmaf, const char *feature_name,
                     VmafFeatureDictionary *opts_dict);

/* A score from elsewhere, under any name: it can be read, pooled and reported, and models that were
 * not given to vmaf_use_features_from_model() may be scored with it. Each (name, index) once;
 * index below 2^24. */
int vmaf_import_feature_score(VmafContext *vmaf, const char *feature_name, double value,
                              unsigned index);

/* Hands over a pair of pictures, or, with two NULLs, says that there are no more (flush).
 *
 * Takes both pictures and zeroes the two structs, whatever it returns. Indexes are 0, 1, 2, ...;
 * any other is refused. The first pair fixes the format; metrics and models that do not apply to it
 * are left out with a warning, -EINVAL if none is left. Returns at once while fewer than n_threads +
 * 1 pairs are being measured, else it waits: that, and three earlier pictures at most, is all the
 * library holds. An error while measuring is returned by the next call and by the flush. After the
 * flush every score is final; a second flush is -EINVAL. */
int vmaf_read_pictures(VmafContext *vmaf, VmafPicture *ref, VmafPicture *dist, unsigned index);

/* The score of a frame. It is final once the pair is in, and with it the next one for models and
 * features with motion, two for its five-frame window, or the flush: until then -EAGAIN. Waits for
 * what is being measured. A model that the context does not use is scored if its features are there.
 * -EINVAL: an index that is not scored, a name that there is not. */
int vmaf_score_at_index(VmafContext *vmaf, VmafModel *model, double *score, unsigned index);
int vmaf_score_at_index_model_collection(VmafContext *vmaf, VmafModelCollection *model_collection,
                                         VmafModelCollectionScore *score, unsigned index);
/* feature_name is a key of the reports: "integer_motion2", "psnr_y". */
int vmaf_feature_score_at_index(VmafContext *vmaf, const char *feature_name, double *score,
                                unsigned index);

/* Over the scored frames of index_low..index_high, both included. -EAGAIN while one of them is not
 * final. -EINVAL besides: an empty range, a method that there is not. */
int vmaf_score_pooled(VmafContext *vmaf, VmafModel *model, enum VmafPoolingMethod pool_method,
                      double *score, unsigned index_low, unsigned index_high);
int vmaf_score_pooled_model_collection(VmafContext *vmaf, VmafModelCollection *model_collection,
                                       enum VmafPoolingMethod pool_method,
                                       VmafModelCollectionScore *score, unsigned index_low,
                                       unsigned index_high);
int vmaf_feature_score_pooled(VmafContext *vmaf, const char *feature_name,
                              enum VmafPoolingMethod pool_method, double *score,
                              unsigned index_low, unsigned index_high);

typedef struct VmafPictureConfiguration {
  struct {
    unsigned w, h;
    unsigned bpc;
    enum VmafPixelFormat pix_fmt;
  } pic_params;
  unsigned pic_cnt; /* 1..4096; for scoring 2, and one for each earlier picture that the metrics look
                     * at: 3 with motion, 4 with its five-frame window */
} VmafPictureConfiguration;

/* A pool of pictures, one for each context, that vmaf_fetch_preallocated_picture() takes from: it
 * waits while all are in use. They are released as others are. A pool too small to score with is
 * refused by the first vmaf_read_pictures(). Pictures may be released after vmaf_close(). */
int vmaf_preallocate_pictures(VmafContext *vmaf, VmafPictureConfiguration cfg);
int vmaf_fetch_preallocated_picture(VmafContext *vmaf, VmafPicture *pic);

/* At any moment; waits for what is being measured. */
int vmaf_close(VmafContext *vmaf);

/* Writes what is final. The file is replaced at once when it is complete. */
int vmaf_write_output(VmafContext *vmaf, const char *output_path, enum VmafOutputFormat fmt);

/* "3.2.0 (VMAFx 0.1.0)"; static. */
const char *vmaf_version(void);

#ifdef __cplusplus
}
#endif

#endif /* VMAFX_LIBVMAF_LIBVMAF_H_ */
