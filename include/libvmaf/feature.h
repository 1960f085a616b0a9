/* Options of features, name to value: `vmafx features NAME` lists them. */
#ifndef VMAFX_LIBVMAF_FEATURE_H_
#define VMAFX_LIBVMAF_FEATURE_H_

#ifdef __cplusplus
extern "C" {
#endif

typedef struct VmafFeatureDictionary VmafFeatureDictionary;

/* Adds an option to *dict; makes the dictionary if *dict is NULL. A later value of one name replaces
 * the earlier. Both texts are copied. -EINVAL: a NULL, or an empty name. Whether there is such an
 * option is told by the function that takes the dictionary. */
int vmaf_feature_dictionary_set(VmafFeatureDictionary **dict, const char *key, const char *val);

/* Frees *dict and sets it to NULL: one that no function took. Those that take a dictionary own it
 * from then on, whatever they return. -EINVAL: a NULL. */
int vmaf_feature_dictionary_free(VmafFeatureDictionary **dict);

#ifdef __cplusplus
}
#endif

#endif /* VMAFX_LIBVMAF_FEATURE_H_ */
