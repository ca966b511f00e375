# SPDX-License-Identifier: Apache-2.0
#
# The shared library, and what `cmake --install` and the Debian package hold: the program, the
# library with its headers, and what find_package(loci) and pkg-config read. The library needs no
# header of others, so neither do they.
include(GNUInstallDirs)
include(CMakePackageConfigHelpers)

add_library(libloci SHARED $<TARGET_OBJECTS:loci_api>)
target_link_libraries(libloci PRIVATE loci_query loci_formats loci_store)
target_include_directories(libloci INTERFACE $<INSTALL_INTERFACE:${CMAKE_INSTALL_INCLUDEDIR}>)
target_compile_features(libloci INTERFACE cxx_std_20)
# Before 1.0 a minor version may break the interface.
set_target_properties(libloci PROPERTIES
  OUTPUT_NAME loci EXPORT_NAME loci VERSION ${PROJECT_VERSION}
  SOVERSION ${PROJECT_VERSION_MAJOR}.${PROJECT_VERSION_MINOR}
  LIBRARY_OUTPUT_DIRECTORY ${CMAKE_BINARY_DIR}/lib)
# Static libraries of others are as hidden in it as our own.
target_link_options(libloci PRIVATE -Wl,--exclude-libs,ALL)

install(TARGETS loci RUNTIME DESTINATION ${CMAKE_INSTALL_BINDIR})
install(TARGETS libloci EXPORT loci LIBRARY DESTINATION ${CMAKE_INSTALL_LIBDIR})
install(DIRECTORY include/loci DESTINATION ${CMAKE_INSTALL_INCLUDEDIR})

set(package_dir ${CMAKE_INSTALL_LIBDIR}/cmake/loci)
install(EXPORT loci NAMESPACE loci:: FILE loci-config.cmake DESTINATION ${package_dir})
write_basic_package_version_file(${CMAKE_BINARY_DIR}/loci-config-version.cmake
                                 COMPATIBILITY SameMinorVersion)
install(FILES ${CMAKE_BINARY_DIR}/loci-config-version.cmake DESTINATION ${package_dir})
# Relative, so that it is right wherever the whole is put.
file(RELATIVE_PATH LOCI_PC_PREFIX /${CMAKE_INSTALL_LIBDIR}/pkgconfig /)
configure_file(cmake/loci.pc.in ${CMAKE_BINARY_DIR}/loci.pc @ONLY)
install(FILES ${CMAKE_BINARY_DIR}/loci.pc DESTINATION ${CMAKE_INSTALL_LIBDIR}/pkgconfig)

install(FILES README.md docs/manual.md docs/query-language.md docs/formats.md
        DESTINATION ${CMAKE_INSTALL_DOCDIR})
install(FILES LICENSE DESTINATION ${CMAKE_INSTALL_DOCDIR} RENAME copyright)

# `make deb`. The packages that it depends on are told by what the binaries link.
set(CPACK_GENERATOR DEB)
set(CPACK_PACKAGE_NAME loci)
set(CPACK_PACKAGE_CONTACT "The Loci authors <loci@localhost.localdomain>")
set(CPACK_PACKAGE_DESCRIPTION_SUMMARY "${PROJECT_DESCRIPTION}")
set(CPACK_PACKAGE_DESCRIPTION "Loci learns statements from files, answers questions by retrieving \
them, names the sources of every answer and forgets exactly. This package holds the command loci, \
the shared library with its C++ and C headers, and their documentation.")
set(CPACK_PACKAGING_INSTALL_PREFIX /usr)
set(CPACK_STRIP_FILES ON)
set(CPACK_DEBIAN_FILE_NAME DEB-DEFAULT)
set(CPACK_DEBIAN_PACKAGE_SECTION database)
set(CPACK_DEBIAN_PACKAGE_SHLIBDEPS ON)
set(CPACK_DEBIAN_PACKAGE_GENERATE_SHLIBS ON)
set(CPACK_DEBIAN_PACKAGE_SUGGESTS "wordnet-base, raptor2-utils")
include(CPack)
