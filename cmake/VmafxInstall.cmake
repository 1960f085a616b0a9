# What `cmake --install` lays down, in three components: `vmafx` (the tools, the libav module and those of devices), `libvmaf` (the
# replacement for Netflix's library) and `development` (the C++ library and the CMake package, which names libvmaf's
# files too). The Python module goes into wheels alone: python/CMakeLists.txt.
include(CMakePackageConfigHelpers)

set(VMAFX_CMAKE_DIR ${CMAKE_INSTALL_LIBDIR}/cmake/vmafx)

# Paths inside the installed files start from the file itself, so that DESTDIR, --prefix and a moved tree work.
file(RELATIVE_PATH VMAFX_PC_TO_PREFIX ${CMAKE_INSTALL_FULL_LIBDIR}/pkgconfig ${CMAKE_INSTALL_PREFIX})
string(REGEX REPLACE "/$" "" VMAFX_PC_TO_PREFIX ${VMAFX_PC_TO_PREFIX})
file(RELATIVE_PATH VMAFX_PC_LIBDIR ${CMAKE_INSTALL_PREFIX} ${CMAKE_INSTALL_FULL_LIBDIR})
file(RELATIVE_PATH VMAFX_PC_INCLUDEDIR ${CMAKE_INSTALL_PREFIX} ${CMAKE_INSTALL_FULL_INCLUDEDIR})

function(vmafx_install_pc name component)
  configure_file(${CMAKE_CURRENT_SOURCE_DIR}/cmake/${name}.pc.in ${CMAKE_BINARY_DIR}/${name}.pc @ONLY)
  install(FILES ${CMAKE_BINARY_DIR}/${name}.pc
    DESTINATION ${CMAKE_INSTALL_LIBDIR}/pkgconfig COMPONENT ${component})
endfunction()

# --- vmafx
if(VMAFX_TOOLS)
  install(TARGETS vmaf vmafx_tool RUNTIME DESTINATION ${CMAKE_INSTALL_BINDIR} COMPONENT vmafx)
endif()
if(TARGET vmafx_libav)
  install(TARGETS vmafx_libav LIBRARY DESTINATION ${CMAKE_INSTALL_LIBDIR}/vmafx COMPONENT vmafx)
endif()
foreach(backend cuda hip sycl)
  if(TARGET vmafx_${backend})
    install(FILES ${CMAKE_BINARY_DIR}/lib/vmafx/vmafx_${backend}.so DESTINATION ${CMAKE_INSTALL_LIBDIR}/vmafx
      COMPONENT vmafx PERMISSIONS OWNER_READ OWNER_WRITE OWNER_EXECUTE GROUP_READ GROUP_EXECUTE WORLD_READ WORLD_EXECUTE)
  endif()
endforeach()

# --- libvmaf
set_target_properties(vmaf_shared PROPERTIES EXPORT_NAME libvmaf)
set_target_properties(vmaf_static PROPERTIES EXPORT_NAME libvmaf_static)
install(TARGETS vmaf_shared vmaf_static EXPORT vmafx
  LIBRARY DESTINATION ${CMAKE_INSTALL_LIBDIR} COMPONENT libvmaf
  ARCHIVE DESTINATION ${CMAKE_INSTALL_LIBDIR} COMPONENT libvmaf
  INCLUDES DESTINATION ${CMAKE_INSTALL_INCLUDEDIR} ${CMAKE_INSTALL_INCLUDEDIR}/libvmaf)
install(DIRECTORY include/libvmaf DESTINATION ${CMAKE_INSTALL_INCLUDEDIR} COMPONENT libvmaf
  FILES_MATCHING PATTERN "*.h")
get_target_property(VMAFX_LIBVMAF_VERSION vmaf_shared VERSION)
vmafx_install_pc(libvmaf libvmaf)

# --- development
install(TARGETS vmafx EXPORT vmafx
  ARCHIVE DESTINATION ${CMAKE_INSTALL_LIBDIR} COMPONENT development
  INCLUDES DESTINATION ${CMAKE_INSTALL_INCLUDEDIR})
install(DIRECTORY include/vmafx DESTINATION ${CMAKE_INSTALL_INCLUDEDIR} COMPONENT development
  FILES_MATCHING PATTERN "*.h")
vmafx_install_pc(vmafx development)

install(EXPORT vmafx NAMESPACE vmafx:: FILE vmafxTargets.cmake
  DESTINATION ${VMAFX_CMAKE_DIR} COMPONENT development)
configure_package_config_file(cmake/vmafxConfig.cmake.in ${CMAKE_BINARY_DIR}/vmafxConfig.cmake
  INSTALL_DESTINATION ${VMAFX_CMAKE_DIR} NO_SET_AND_CHECK_MACRO)
write_basic_package_version_file(${CMAKE_BINARY_DIR}/vmafxConfigVersion.cmake
  COMPATIBILITY SameMinorVersion)
install(FILES ${CMAKE_BINARY_DIR}/vmafxConfig.cmake ${CMAKE_BINARY_DIR}/vmafxConfigVersion.cmake
  DESTINATION ${VMAFX_CMAKE_DIR} COMPONENT development)
