# SYCL: AdaptiveCpp where it is installed, or a compiler that knows -fsycl. Neither is looked for in this tree.
set(VMAFX_SYCL_IMPLEMENTATION auto CACHE STRING "What compiles the SYCL module (auto, AdaptiveCpp, compiler)")
set_property(CACHE VMAFX_SYCL_IMPLEMENTATION PROPERTY STRINGS auto AdaptiveCpp compiler)

vmafx_kernel_files(VMAFX_SYCL_KERNELS sycl cc sycl_backend add kernels)
set(VMAFX_SYCL_SOURCES ${PROJECT_SOURCE_DIR}/src/device/sycl/module.cc ${VMAFX_SYCL_KERNELS})
# The same bits as everywhere. Linking vmafx_strict would bring warnings about the headers of others.
set(VMAFX_SYCL_FLAGS -ffp-contract=off -fno-math-errno)

if(VMAFX_SYCL STREQUAL "OFF")
  return()
endif()
set(implementation ${VMAFX_SYCL_IMPLEMENTATION})
if(NOT implementation STREQUAL "compiler")
  find_package(AdaptiveCpp QUIET)
  if(AdaptiveCpp_FOUND)
    set(implementation AdaptiveCpp)
  endif()
endif()
if(NOT implementation STREQUAL "AdaptiveCpp")
  find_program(VMAFX_SYCL_COMPILER icpx HINTS ENV CMPLR_ROOT PATHS /opt/intel/oneapi/compiler/latest PATH_SUFFIXES bin
    DOC "A compiler that knows -fsycl")
  if(VMAFX_SYCL_COMPILER)
    set(implementation compiler)
  endif()
endif()

if(implementation STREQUAL "AdaptiveCpp" AND AdaptiveCpp_FOUND)
  add_library(vmafx_sycl MODULE ${VMAFX_SYCL_SOURCES})
  vmafx_device_module(sycl)
  target_compile_options(vmafx_sycl PRIVATE ${VMAFX_SYCL_FLAGS})
  # Its own compiler stands in front of the command line, where another launcher would hide it.
  set_target_properties(vmafx_sycl PROPERTIES CXX_COMPILER_LAUNCHER "")
  add_sycl_to_target(TARGET vmafx_sycl SOURCES ${VMAFX_SYCL_SOURCES})
elseif(implementation STREQUAL "compiler" AND VMAFX_SYCL_COMPILER)
  # -fp-model=precise turns contraction on again unless it stands first. Division and square root of float are exact
  # only where that is asked for, also when the module is linked.
  set(flags -fsycl -fp-model=precise ${VMAFX_SYCL_FLAGS})
  foreach(flag -foffload-fp32-prec-div -foffload-fp32-prec-sqrt -fno-sycl-id-queries-fit-in-int)
    execute_process(COMMAND ${VMAFX_SYCL_COMPILER} -fsycl -Werror ${flag} -x c++ -fsyntax-only /dev/null
      RESULT_VARIABLE refused OUTPUT_QUIET ERROR_QUIET)
    if(refused EQUAL 0)
      list(APPEND flags ${flag})
    endif()
  endforeach()
  list(APPEND flags -std=c++20 -O3 -fPIC -fvisibility=hidden -Wno-pass-failed)
  vmafx_compile_with(objects sycl ${VMAFX_SYCL_COMPILER} "${flags}" "${VMAFX_SYCL_SOURCES}")
  set(module ${PROJECT_BINARY_DIR}/lib/vmafx/vmafx_sycl.so)
  add_custom_command(OUTPUT ${module} DEPENDS ${objects} VERBATIM
    COMMAND ${CMAKE_COMMAND} -E make_directory ${PROJECT_BINARY_DIR}/lib/vmafx
    COMMAND ${VMAFX_SYCL_COMPILER} ${flags} -shared ${objects} -o ${module}
    COMMENT "Linking SYCL module lib/vmafx/vmafx_sycl.so")
  add_custom_target(vmafx_sycl ALL DEPENDS ${module})
elseif(VMAFX_SYCL STREQUAL "ON")
  message(FATAL_ERROR "VMAFX_SYCL=ON, but there is no AdaptiveCpp and no VMAFX_SYCL_COMPILER")
else()
  message(STATUS "SYCL not found: no vmafx_sycl module")
endif()
