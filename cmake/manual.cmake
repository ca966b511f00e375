# SPDX-License-Identifier: Apache-2.0
#
# The manual page and the completions for bash and zsh, which the program itself prints from its
# table of verbs, and where they are installed.
set(manual_dir ${CMAKE_BINARY_DIR}/manual)
set(manual_files loci.1 loci.bash _loci)
set(manual_flags --man --bash --zsh)
foreach(file flag IN ZIP_LISTS manual_files manual_flags)
  add_custom_command(
    OUTPUT ${manual_dir}/${file}
    COMMAND ${CMAKE_COMMAND} -E make_directory ${manual_dir}
    COMMAND loci help ${flag} > ${manual_dir}/${file}
    DEPENDS loci VERBATIM)
endforeach()
list(TRANSFORM manual_files PREPEND ${manual_dir}/)

# Made with the rest, unless the program cannot run here.
if(NOT CMAKE_CROSSCOMPILING OR CMAKE_CROSSCOMPILING_EMULATOR)
  add_custom_target(manual ALL DEPENDS ${manual_files})
  install(FILES ${manual_dir}/loci.1 DESTINATION ${CMAKE_INSTALL_MANDIR}/man1)
  install(FILES ${manual_dir}/loci.bash RENAME loci
          DESTINATION ${CMAKE_INSTALL_DATADIR}/bash-completion/completions)
  install(FILES ${manual_dir}/_loci DESTINATION ${CMAKE_INSTALL_DATADIR}/zsh/vendor-completions)
endif()
