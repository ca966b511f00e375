# SPDX-License-Identifier: Apache-2.0
#
# Debian's cross compiler for aarch64 over a folder of unpacked arm64 packages (LOCI_SYSROOT, made by
# scripts/cross-aarch64); what is built runs under qemu's user mode.
set(CMAKE_SYSTEM_NAME Linux)
set(CMAKE_SYSTEM_PROCESSOR aarch64)
set(CMAKE_TRY_COMPILE_PLATFORM_VARIABLES LOCI_SYSROOT)
set(CMAKE_SYSROOT ${LOCI_SYSROOT})
set(CMAKE_CXX_COMPILER aarch64-linux-gnu-g++)
set(CMAKE_C_COMPILER aarch64-linux-gnu-gcc)
set(CMAKE_LIBRARY_ARCHITECTURE aarch64-linux-gnu)
set(CMAKE_FIND_ROOT_PATH_MODE_PROGRAM NEVER)
set(CMAKE_FIND_ROOT_PATH_MODE_LIBRARY ONLY)
set(CMAKE_FIND_ROOT_PATH_MODE_INCLUDE ONLY)
set(CMAKE_FIND_ROOT_PATH_MODE_PACKAGE ONLY)
set(ENV{PKG_CONFIG_SYSROOT_DIR} ${LOCI_SYSROOT})
set(ENV{PKG_CONFIG_LIBDIR}
    ${LOCI_SYSROOT}/usr/lib/aarch64-linux-gnu/pkgconfig:${LOCI_SYSROOT}/usr/share/pkgconfig)
set(CMAKE_CROSSCOMPILING_EMULATOR qemu-aarch64-static -L ${LOCI_SYSROOT})
