# SPDX-FileCopyrightText: The Gertie authors
# SPDX-License-Identifier: Apache-2.0
#
# The CMake package: find_package(gertie) gives gertie::gertie-static, gertie::gertie-runtime-shared and so on.

include(CMakePackageConfigHelpers)
set(package_dir ${CMAKE_INSTALL_LIBDIR}/cmake/gertie)
install(EXPORT gertie-targets NAMESPACE gertie:: DESTINATION ${package_dir})
configure_package_config_file(${CMAKE_CURRENT_LIST_DIR}/gertie-config.cmake.in
    ${PROJECT_BINARY_DIR}/gertie-config.cmake INSTALL_DESTINATION ${package_dir})
write_basic_package_version_file(${PROJECT_BINARY_DIR}/gertie-config-version.cmake
    COMPATIBILITY SameMinorVersion)
install(FILES ${PROJECT_BINARY_DIR}/gertie-config.cmake ${PROJECT_BINARY_DIR}/gertie-config-version.cmake
    DESTINATION ${package_dir})
