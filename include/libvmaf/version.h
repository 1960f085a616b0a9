/* The version of libvmaf's interface that these headers follow. */
#ifndef VMAFX_LIBVMAF_VERSION_H_
#define VMAFX_LIBVMAF_VERSION_H_

#define VMAF_API_VERSION_MAJOR 3
#define VMAF_API_VERSION_MINOR 2
#define VMAF_API_VERSION_PATCH 0

#endif /* VMAFX_LIBVMAF_VERSION_H_ */
