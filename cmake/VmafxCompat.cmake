# libvmaf's interface: libvmaf.so.3, and libvmaf.a for programs that link libvmafx statically.
file(GLOB VMAFX_COMPAT_SOURCES CONFIGURE_DEPENDS src/compat/*.cc)
list(FILTER VMAFX_COMPAT_SOURCES EXCLUDE REGEX "_test\\.cc$")
add_library(vmaf_static STATIC ${VMAFX_COMPAT_SOURCES})
target_include_directories(vmaf_static PUBLIC $<BUILD_INTERFACE:${PROJECT_SOURCE_DIR}/include> PRIVATE src)
target_link_libraries(vmaf_static PRIVATE vmafx $<BUILD_INTERFACE:vmafx_strict> fmt::fmt)
target_compile_definitions(vmaf_static PRIVATE VMAFX_VERSION="${PROJECT_VERSION}")
set_target_properties(vmaf_static PROPERTIES OUTPUT_NAME vmaf)

set(VMAFX_COMPAT_SYMBOLS ${PROJECT_SOURCE_DIR}/src/compat/libvmaf.map)
add_library(vmaf_shared SHARED $<TARGET_OBJECTS:vmaf_static>)
target_include_directories(vmaf_shared INTERFACE $<BUILD_INTERFACE:${PROJECT_SOURCE_DIR}/include>)
target_link_libraries(vmaf_shared PRIVATE vmafx fmt::fmt)
target_link_options(vmaf_shared PRIVATE -Wl,--version-script=${VMAFX_COMPAT_SYMBOLS})
set_target_properties(vmaf_shared PROPERTIES OUTPUT_NAME vmaf SOVERSION 3 VERSION 3.2.0
  LINK_DEPENDS ${VMAFX_COMPAT_SYMBOLS} LINKER_LANGUAGE CXX)
