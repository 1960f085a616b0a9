// For kernels that live on products of 16-bit pairs: compiles them for x86 with VNNI, too. Included
// before Highway.
#ifndef VMAFX_BASE_DOT_PRODUCTS_H_
#define VMAFX_BASE_DOT_PRODUCTS_H_

#define HWY_WANT_AVX3_DL

#endif  // VMAFX_BASE_DOT_PRODUCTS_H_
