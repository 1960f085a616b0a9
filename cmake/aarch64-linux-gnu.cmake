# Cross-compiles for 64-bit Arm with the distribution's g++; what was built runs under qemu-user. `./dev check arm` uses it.
# VMAFX_ARM_SYSROOT is the folder that holds usr/ of the libraries' packages for arm64.
set(CMAKE_SYSTEM_NAME Linux)
set(CMAKE_SYSTEM_PROCESSOR aarch64)
set(CMAKE_LIBRARY_ARCHITECTURE aarch64-linux-gnu)
set(CMAKE_CXX_COMPILER aarch64-linux-gnu-g++)
set(CMAKE_CROSSCOMPILING_EMULATOR qemu-aarch64 -L /usr/aarch64-linux-gnu)

set(CMAKE_TRY_COMPILE_PLATFORM_VARIABLES VMAFX_ARM_SYSROOT)
set(CMAKE_FIND_ROOT_PATH ${VMAFX_ARM_SYSROOT} /usr/aarch64-linux-gnu)
set(CMAKE_FIND_ROOT_PATH_MODE_PROGRAM NEVER)
set(CMAKE_FIND_ROOT_PATH_MODE_LIBRARY ONLY)
set(CMAKE_FIND_ROOT_PATH_MODE_INCLUDE ONLY)
set(CMAKE_FIND_ROOT_PATH_MODE_PACKAGE ONLY)
