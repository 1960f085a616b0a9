// For kernels with vectors in arrays and structs, where those of SVE cannot be since they have no
// size at compile time, and for those that want pairs of lanes where fixed-size vectors have them:
// leaves SVE out, so that machines with SVE run NEON. Included before Highway.
#ifndef VMAFX_BASE_FIXED_VECTORS_H_
#define VMAFX_BASE_FIXED_VECTORS_H_

#ifndef HWY_DISABLED_TARGETS
#define HWY_DISABLED_TARGETS (HWY_SVE | HWY_SVE2 | HWY_SVE_256 | HWY_SVE2_128)
#endif

#endif  // VMAFX_BASE_FIXED_VECTORS_H_
