# vmafx_strict: the flags that every file needs so that the same source gives the same bits.
add_library(vmafx_strict INTERFACE)
target_compile_options(vmafx_strict INTERFACE
  -ffp-contract=off   # no fused multiply-add: see docs/decisions/0001-same-bits.md
  -fno-math-errno     # sqrt as one instruction, same result
  -Wall -Wextra -Wshadow -Wconversion -Wno-sign-conversion -Wnon-virtual-dtor
  -Wno-missing-field-initializers)  # designated initializers leave out what has a default
if(CMAKE_CXX_COMPILER_ID STREQUAL GNU AND CMAKE_CXX_COMPILER_VERSION VERSION_LESS 13)
  target_compile_options(vmafx_strict INTERFACE -Wno-restrict)  # false alarms on std::string, GCC bug 105651
endif()
if(VMAFX_WERROR)
  target_compile_options(vmafx_strict INTERFACE -Werror)
endif()
# Highway 1.0.3 excludes its baseline of 128-bit emulation for g++ 12, which compiles it correctly.
target_compile_definitions(vmafx_strict INTERFACE HWY_BROKEN_EMU128=0)

option(VMAFX_ONE_TARGET "Compile for one instruction set (on x86-64 AVX2) in place of all of them, to save minutes" OFF)
if(VMAFX_ONE_TARGET)
  add_compile_definitions(HWY_COMPILE_ONLY_STATIC)
  if(CMAKE_SYSTEM_PROCESSOR MATCHES "x86_64|AMD64")
    add_compile_options(-march=x86-64-v3)
  endif()
endif()

set(VMAFX_SANITIZE "" CACHE STRING "Sanitizers for the whole build: address,undefined or thread")
if(VMAFX_SANITIZE)
  add_compile_options(-fsanitize=${VMAFX_SANITIZE} -fno-sanitize-recover=all -fno-omit-frame-pointer)
  string(REPLACE "-O2 -g" "-O1 -g1" CMAKE_CXX_FLAGS_RELWITHDEBINFO "${CMAKE_CXX_FLAGS_RELWITHDEBINFO}")
  if(CMAKE_CXX_COMPILER_ID STREQUAL GNU AND VMAFX_SANITIZE MATCHES address)
    # Checks as calls: the kernels, which are inlined into a few large functions, compile three times faster.
    add_compile_options(--param=asan-instrumentation-with-call-threshold=0)
  endif()
  add_link_options(-fsanitize=${VMAFX_SANITIZE})
endif()
