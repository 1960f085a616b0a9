# HIP, by hipcc: CMake's own HIP language does not find a compiler that a distribution has installed.
set(VMAFX_HIP_ARCHITECTURES gfx90a gfx1030 CACHE STRING "What the HIP module is compiled for")


vmafx_kernel_files(VMAFX_HIP_KERNELS hip hip add_)
set(VMAFX_HIP_SOURCES ${PROJECT_SOURCE_DIR}/src/device/hip/module.hip ${VMAFX_HIP_KERNELS})

if(VMAFX_HIP STREQUAL "OFF")
  return()
endif()
find_program(VMAFX_HIP_COMPILER hipcc PATHS /opt/rocm PATH_SUFFIXES bin)
find_library(VMAFX_HIP_LIBRARY amdhip64 PATHS /opt/rocm PATH_SUFFIXES lib)

if(VMAFX_HIP_COMPILER AND VMAFX_HIP_LIBRARY)
  set(flags -x hip -std=c++20 -O3 -ffp-contract=off -fPIC -fvisibility=hidden)
  list(TRANSFORM VMAFX_HIP_ARCHITECTURES PREPEND --offload-arch= OUTPUT_VARIABLE architectures)
  vmafx_compile_with(objects hip ${VMAFX_HIP_COMPILER} "${flags};${architectures}" "${VMAFX_HIP_SOURCES}")
  add_library(vmafx_hip MODULE ${objects})
  vmafx_device_module(hip)
  set_target_properties(vmafx_hip PROPERTIES LINKER_LANGUAGE CXX)
  target_link_libraries(vmafx_hip PRIVATE ${VMAFX_HIP_LIBRARY})
elseif(VMAFX_HIP STREQUAL "ON")
  message(FATAL_ERROR "VMAFX_HIP=ON, but there is no hipcc or no libamdhip64")
else()
  message(STATUS "HIP not found: no vmafx_hip module")
endif()
