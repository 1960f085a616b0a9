# Every metric that has a kernels.h is compiled for the host and for each backend, a file a metric.
file(GLOB VMAFX_KERNEL_HEADERS CONFIGURE_DEPENDS ${PROJECT_SOURCE_DIR}/src/metrics/*/kernels.h)
set(VMAFX_KERNEL_METRICS)
foreach(header ${VMAFX_KERNEL_HEADERS})
  cmake_path(GET header PARENT_PATH folder)
  cmake_path(GET folder FILENAME metric)
  list(APPEND VMAFX_KERNEL_METRICS ${metric})
endforeach()

# vmafx_kernel_files(OUT FOLDER EXTENSION PREFIX): from src/device/FOLDER/metric_kernels.in one file a metric, and from
# all_kernels.in the one that calls their functions, each named PREFIX and the metric.
function(vmafx_kernel_files out folder extension prefix)
  set(source ${PROJECT_SOURCE_DIR}/src/device/${folder})
  set(generated ${PROJECT_BINARY_DIR}/kernels/${folder})
  set(files)
  set(DECLARATIONS)
  set(CALLS)
  foreach(METRIC ${VMAFX_KERNEL_METRICS})
    configure_file(${source}/metric_kernels.in ${generated}/${METRIC}.${extension} @ONLY)
    list(APPEND files ${generated}/${METRIC}.${extension})
    string(APPEND DECLARATIONS "void ${prefix}${METRIC}(Table& table);\n")
    string(APPEND CALLS "  ${prefix}${METRIC}(table);\n")
  endforeach()
  configure_file(${source}/all_kernels.in ${generated}/all.${extension} @ONLY)
  set(${out} ${files} ${generated}/all.${extension} PARENT_SCOPE)
endfunction()

vmafx_kernel_files(VMAFX_HOST_KERNELS host cc add_)
target_sources(vmafx PRIVATE ${VMAFX_HOST_KERNELS})
# Kernels that watch themselves, for tests.
vmafx_kernel_files(VMAFX_CHECKED_KERNELS host/checked cc add_checked_)
