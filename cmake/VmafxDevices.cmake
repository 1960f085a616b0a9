# Every metric that has a kernels.h is compiled for the host and for each backend, a file a metric.
file(GLOB VMAFX_KERNEL_HEADERS CONFIGURE_DEPENDS ${PROJECT_SOURCE_DIR}/src/metrics/*/kernels.h)
set(VMAFX_KERNEL_METRICS)
foreach(header ${VMAFX_KERNEL_HEADERS})
  cmake_path(GET header PARENT_PATH folder)
  cmake_path(GET folder FILENAME metric)
  list(APPEND VMAFX_KERNEL_METRICS ${metric})
endforeach()

# vmafx_kernel_files(OUT FOLDER EXTENSION NAMESPACE ADD TABLE): a file a metric, and one with the function TABLE that
# gathers what they add. ADD and TABLE are functions of src/device/FOLDER/kernels.h, in vmafx::device::NAMESPACE.
function(vmafx_kernel_files OUT FOLDER EXTENSION NAMESPACE ADD TABLE)
  set(source ${PROJECT_SOURCE_DIR}/src/device)
  set(generated ${PROJECT_BINARY_DIR}/${TABLE}/${FOLDER})
  set(files)
  set(DECLARATIONS)
  set(CALLS)
  foreach(METRIC ${VMAFX_KERNEL_METRICS})
    configure_file(${source}/metric_kernels.in ${generated}/${METRIC}.${EXTENSION} @ONLY)
    list(APPEND files ${generated}/${METRIC}.${EXTENSION})
    string(APPEND DECLARATIONS "void ${ADD}_${METRIC}(Table& table);\n")
    string(APPEND CALLS "    ${ADD}_${METRIC}(table);\n")
  endforeach()
  configure_file(${source}/all_kernels.in ${generated}/all.${EXTENSION} @ONLY)
  set(${OUT} ${files} ${generated}/all.${EXTENSION} PARENT_SCOPE)
endfunction()

# Modules of other sources are refused: they would take kernels' arguments for something else.
file(GLOB_RECURSE stamped CONFIGURE_DEPENDS ${PROJECT_SOURCE_DIR}/include/vmafx/*.h ${PROJECT_SOURCE_DIR}/src/base/*.h
  ${PROJECT_SOURCE_DIR}/src/device/*.h ${PROJECT_SOURCE_DIR}/src/metrics/*.h)
list(FILTER stamped EXCLUDE REGEX "-inl\\.h$")
set(VMAFX_KERNEL_STAMP ${PROJECT_BINARY_DIR}/stamp/device/kernel_stamp.h)
add_custom_command(OUTPUT ${VMAFX_KERNEL_STAMP} DEPENDS ${stamped} ${CMAKE_CURRENT_LIST_DIR}/KernelStamp.cmake VERBATIM
  COMMAND ${CMAKE_COMMAND} "-DFILES=${stamped}" -DOUTPUT=${VMAFX_KERNEL_STAMP}
    -P ${CMAKE_CURRENT_LIST_DIR}/KernelStamp.cmake
  COMMENT "Hashing the kernels")
add_custom_target(vmafx_kernel_stamp DEPENDS ${VMAFX_KERNEL_STAMP})
add_dependencies(vmafx vmafx_kernel_stamp)
target_include_directories(vmafx PRIVATE ${PROJECT_BINARY_DIR}/stamp)

vmafx_kernel_files(VMAFX_HOST_KERNELS host cc host add_plain kernels)
target_sources(vmafx PRIVATE ${VMAFX_HOST_KERNELS})
if(CMAKE_CXX_COMPILER_ID MATCHES Clang)
  # Loops that devices unroll, and that clang cannot on the host.
  set_property(SOURCE ${VMAFX_HOST_KERNELS} PROPERTY COMPILE_OPTIONS -Wno-pass-failed)
endif()
# Kernels that watch themselves, for tests.
vmafx_kernel_files(VMAFX_CHECKED_KERNELS host cc host add_checked checked_kernels)

# A module that measures through one backend, loaded when it is asked for.
function(vmafx_device_module backend)
  set_target_properties(vmafx_${backend} PROPERTIES PREFIX "" SUFFIX ".so"
    CXX_VISIBILITY_PRESET hidden CUDA_VISIBILITY_PRESET hidden VISIBILITY_INLINES_HIDDEN ON
    LIBRARY_OUTPUT_DIRECTORY ${CMAKE_BINARY_DIR}/lib/vmafx)
  add_dependencies(vmafx_${backend} vmafx_kernel_stamp)
  target_include_directories(vmafx_${backend} PRIVATE ${PROJECT_SOURCE_DIR}/include ${PROJECT_SOURCE_DIR}/src
    ${PROJECT_BINARY_DIR}/stamp)
endfunction()

function(vmafx_use_nvcc backend)
  # The same bits as everywhere: no fused multiply-add.
  target_compile_options(vmafx_${backend} PRIVATE --fmad=false --expt-relaxed-constexpr
    --diag-suppress=554)  # a view's conversion to one of constants, in a view of constants
  target_link_libraries(vmafx_${backend} PRIVATE CUDA::cudart_static)
endfunction()

# CUDA. Machine code for the architectures that are named, and portable code of two for those between and after them.
set(VMAFX_CUDA_ARCHITECTURES 75-real 80-real 90 120 CACHE STRING "What the CUDA module is compiled for")
if(NOT VMAFX_CUDA STREQUAL "OFF")
  find_package(CUDAToolkit 12.8 QUIET)
  if(CUDAToolkit_FOUND)
    set(CMAKE_CUDA_COMPILER ${CUDAToolkit_NVCC_EXECUTABLE} CACHE FILEPATH "")
    set(CMAKE_CUDA_ARCHITECTURES ${VMAFX_CUDA_ARCHITECTURES})
    enable_language(CUDA)
    # CMake 3.25 does not know that nvcc has C++20.
    set(CMAKE_CUDA20_STANDARD_COMPILE_OPTION "-std=c++20")
    set(CMAKE_CUDA20_EXTENSION_COMPILE_OPTION "-std=c++20")
    vmafx_kernel_files(VMAFX_CUDA_KERNELS cuda cu simt add kernels)
    add_library(vmafx_cuda MODULE ${PROJECT_SOURCE_DIR}/src/device/cuda/module.cu ${VMAFX_CUDA_KERNELS})
    vmafx_device_module(cuda)
    vmafx_use_nvcc(cuda)
  elseif(VMAFX_CUDA STREQUAL "ON")
    message(FATAL_ERROR "VMAFX_CUDA=ON, but there is no CUDA toolkit of 12.8 or later")
  else()
    message(STATUS "CUDA not found: no vmafx_cuda module")
  endif()
endif()

# vmafx_compile_with(OUT FOLDER COMPILER FLAGS SOURCES): objects of sources that CMake's own compilers cannot compile.
function(vmafx_compile_with out folder compiler flags sources)
  set(objects)
  foreach(source ${sources})
    cmake_path(GET source FILENAME name)
    set(object ${PROJECT_BINARY_DIR}/kernels/${folder}/${name}.o)
    add_custom_command(OUTPUT ${object} DEPENDS ${source} ${VMAFX_KERNEL_STAMP} DEPFILE ${object}.d VERBATIM
      COMMAND ${compiler} ${flags} -I${PROJECT_SOURCE_DIR}/include -I${PROJECT_SOURCE_DIR}/src -I${PROJECT_BINARY_DIR}/stamp
        -MD -MT ${object} -MF ${object}.d -c ${source} -o ${object}
      COMMENT "Building ${folder} object kernels/${folder}/${name}.o")
    list(APPEND objects ${object})
  endforeach()
  set(${out} ${objects} PARENT_SCOPE)
endfunction()

include(VmafxHip)
include(VmafxSycl)
