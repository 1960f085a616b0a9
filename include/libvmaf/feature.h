/* Options of features, name to value: `vmafx features NAME` lists them. */
#ifndef VMAFX_LIBVMAF_FEATURE_H_
#define VMAFX_LIBVMAF_FEATURE_H_

#ifdef __cplusplus
extern "C" {
#endif

typedef struct VmafFeatureDictionary VmafFeatureDictionary;

/* Adds an option to *options; makes the dictionary if that is NULL. A later value of one name
 * replaces the earlier. Both texts are copied. -EINVAL: a NULL, or an empty name. Whether there is
 * such an option is told by the function that takes the dictionary. */
int vmaf_feature_dictionary_set(VmafFeatureDictionary** options, const char* name,
                                const char* value);

/* Frees *options and sets it to NULL: one that no function took. Those that take a dictionary own
 * it from then on, whatever they return. -EINVAL: a NULL. */
int vmaf_feature_dictionary_free(VmafFeatureDictionary** options);

#ifdef __cplusplus
}
#endif

#endif /* VMAFX_LIBVMAF_FEATURE_H_ */
