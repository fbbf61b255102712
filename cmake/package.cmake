# SPDX-FileCopyrightText: The Gertie authors
# SPDX-License-Identifier: Apache-2.0
#
# What an installed Gertie is found by: a CMake package, pkg-config files, a manual page and bash completion. The
# installed tree can be moved as a whole: the package and the pkg-config files find the prefix from where they lie.

include(CMakePackageConfigHelpers)
set(package_dir ${CMAKE_INSTALL_LIBDIR}/cmake/gertie)
install(EXPORT gertie-targets NAMESPACE gertie:: DESTINATION ${package_dir})
configure_package_config_file(${CMAKE_CURRENT_LIST_DIR}/gertie-config.cmake.in
    ${PROJECT_BINARY_DIR}/gertie-config.cmake INSTALL_DESTINATION ${package_dir})
write_basic_package_version_file(${PROJECT_BINARY_DIR}/gertie-config-version.cmake
    COMPATIBILITY SameMinorVersion)
install(FILES ${PROJECT_BINARY_DIR}/gertie-config.cmake ${PROJECT_BINARY_DIR}/gertie-config-version.cmake
    DESTINATION ${package_dir})

# A folder of the installation as pkg-config should see it: below the prefix, unless it was given absolute.
function(gertie_pc_folder out folder)
    if(IS_ABSOLUTE ${folder})
        set(${out} ${folder} PARENT_SCOPE)
    else()
        set(${out} "\${prefix}/${folder}" PARENT_SCOPE)
    endif()
endfunction()

set(pc_dir ${CMAKE_INSTALL_LIBDIR}/pkgconfig)
if(IS_ABSOLUTE ${pc_dir})
    set(pc_prefix ${CMAKE_INSTALL_PREFIX})
else()
    file(RELATIVE_PATH up /prefix/${pc_dir} /prefix)
    string(REGEX REPLACE "/$" "" pc_prefix "\${pcfiledir}/${up}")
endif()
gertie_pc_folder(pc_libdir ${CMAKE_INSTALL_LIBDIR})
gertie_pc_folder(pc_includedir ${CMAKE_INSTALL_INCLUDEDIR})

# What follows the description is needed by the static library only.
function(gertie_pkg_config pc_name pc_description)
    string(JOIN " " pc_libs_private ${ARGN} "")
    configure_file(${CMAKE_CURRENT_FUNCTION_LIST_DIR}/library.pc.in ${PROJECT_BINARY_DIR}/${pc_name}.pc @ONLY)
    install(FILES ${PROJECT_BINARY_DIR}/${pc_name}.pc DESTINATION ${pc_dir})
endfunction()
gertie_pkg_config(gertie-runtime "Plays characters: pose, clip, blend, deform; no files")
if(NOT GERTIE_RUNTIME_ONLY)
    gertie_pkg_config(gertie-scene "Reads, writes and plays characters; no solver")
    gertie_pkg_config(gertie "Character animation: everything" -lpng16 -ljpeg -lexpat -ldraco -lstdc++ -lamd -lcamd -ldl)
endif()
