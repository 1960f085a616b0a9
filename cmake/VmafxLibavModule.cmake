# The module that opens containers. It is loaded with dlopen when a container is opened, because linking
# libav* costs every run 70 ms and 27 MB.
set(VMAFX_MODULE_DIR ${CMAKE_INSTALL_FULL_LIBDIR}/vmafx)
file(RELATIVE_PATH VMAFX_MODULE_FROM_BIN ${CMAKE_INSTALL_FULL_BINDIR} ${VMAFX_MODULE_DIR})
set_property(SOURCE src/base/module_loader.cc APPEND PROPERTY COMPILE_DEFINITIONS
  VMAFX_MODULE_DIR="${VMAFX_MODULE_DIR}" VMAFX_MODULE_FROM_BIN="${VMAFX_MODULE_FROM_BIN}")

if(VMAFX_LIBAV STREQUAL "OFF")
  return()
endif()
find_package(PkgConfig)
if(PkgConfig_FOUND)
  pkg_check_modules(LIBAV IMPORTED_TARGET libavformat libavcodec libavutil)
endif()
if(NOT LIBAV_FOUND)
  if(VMAFX_LIBAV STREQUAL "ON")
    message(FATAL_ERROR "VMAFX_LIBAV=ON, but libavformat, libavcodec or libavutil is missing")
  endif()
  message(STATUS "libav not found: y4m and raw input only")
  return()
endif()

# It cannot use the library's symbols, so it holds the few files that it needs of it.
file(GLOB VMAFX_LIBAV_SOURCES CONFIGURE_DEPENDS src/media/libav/*.cc)
add_library(vmafx_libav MODULE ${VMAFX_LIBAV_SOURCES}
  src/base/picture.cc src/media/buffer_pool.cc src/media/rgb.cc src/base/sample_range.cc)
set_target_properties(vmafx_libav PROPERTIES PREFIX "" SUFFIX ".so"
  CXX_VISIBILITY_PRESET hidden VISIBILITY_INLINES_HIDDEN ON
  LIBRARY_OUTPUT_DIRECTORY ${CMAKE_BINARY_DIR}/lib/vmafx)
target_include_directories(vmafx_libav PRIVATE include src)
target_link_libraries(vmafx_libav PRIVATE vmafx_strict fmt::fmt PkgConfig::LIBAV Threads::Threads)
