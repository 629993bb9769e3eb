# `cpack -G DEB` in the build folder.
set(CPACK_PACKAGE_NAME halo)
set(CPACK_PACKAGE_VENDOR "Halo")
set(HALO_MAINTAINER "The developers of Halo <halo@example.org>" CACHE STRING "the maintainer that packages name")
set(CPACK_PACKAGE_CONTACT "${HALO_MAINTAINER}")
set(CPACK_PACKAGE_DESCRIPTION_SUMMARY "functional array language with stencils, on CPUs and GPUs")
set(CPACK_PACKAGE_DESCRIPTION "Halo runs programs of its own and of Futhark: interpreted, compiled \
by LLVM, or on any Vulkan GPU.")
set(CPACK_RESOURCE_FILE_LICENSE ${CMAKE_SOURCE_DIR}/LICENSE)
set(CPACK_STRIP_FILES ON)
set(CPACK_PACKAGING_INSTALL_PREFIX /usr)
set(CPACK_COMPONENTS_ALL halo libhalo0 libhalo-dev)
if(TARGET halo_python)
  list(APPEND CPACK_COMPONENTS_ALL python3-halo)
endif()
set(CPACK_DEB_COMPONENT_INSTALL ON)
set(CPACK_DEBIAN_PACKAGE_SHLIBDEPS ON)
set(CPACK_DEBIAN_PACKAGE_GENERATE_SHLIBS ON)
set(CPACK_DEBIAN_PACKAGE_GENERATE_SHLIBS_POLICY "=")
set(CPACK_DEBIAN_FILE_NAME DEB-DEFAULT)
set(CPACK_DEBIAN_PACKAGE_HOMEPAGE "")

set(CPACK_DEBIAN_HALO_PACKAGE_NAME halo)
set(CPACK_DEBIAN_HALO_PACKAGE_SECTION devel)
set(CPACK_DEBIAN_HALO_PACKAGE_RECOMMENDS mesa-vulkan-drivers)
set(CPACK_DEBIAN_LIBHALO0_PACKAGE_NAME libhalo0)
set(CPACK_DEBIAN_LIBHALO0_PACKAGE_SECTION libs)
set(CPACK_DEBIAN_LIBHALO0_PACKAGE_CONTROL_EXTRA ${CMAKE_SOURCE_DIR}/packaging/libhalo0/triggers)
set(CPACK_DEBIAN_LIBHALO0_PACKAGE_RECOMMENDS mesa-vulkan-drivers)
set(CPACK_DEBIAN_LIBHALO-DEV_PACKAGE_NAME libhalo-dev)
set(CPACK_DEBIAN_LIBHALO-DEV_PACKAGE_SECTION libdevel)
set(CPACK_DEBIAN_LIBHALO-DEV_PACKAGE_DEPENDS "libhalo0 (= ${PROJECT_VERSION})")
set(CPACK_DEBIAN_PYTHON3-HALO_PACKAGE_NAME python3-halo)
set(CPACK_DEBIAN_PYTHON3-HALO_PACKAGE_CONTROL_EXTRA ${CMAKE_SOURCE_DIR}/packaging/python3-halo/prerm)
set(CPACK_DEBIAN_PYTHON3-HALO_PACKAGE_SECTION python)
# dpkg-shlibdeps knows libhalo0 only where it is installed.
set(CPACK_DEBIAN_PYTHON3-HALO_PACKAGE_SHLIBDEPS OFF)
# The binary interface of numpy that the module was compiled for.
execute_process(COMMAND dpkg-query -W -f=\${Provides} python3-numpy OUTPUT_VARIABLE halo_numpy ERROR_QUIET)
string(REGEX MATCH "python3-numpy-abi[0-9]+" halo_numpy "${halo_numpy}")
set(CPACK_DEBIAN_PYTHON3-HALO_PACKAGE_DEPENDS
  "libc6, libstdc++6, libhalo0 (= ${PROJECT_VERSION}), python3 (>= 3.11), python3 (<< 3.12), python3-numpy")
if(halo_numpy)
  string(APPEND CPACK_DEBIAN_PYTHON3-HALO_PACKAGE_DEPENDS ", ${halo_numpy}")
endif()
set(CPACK_COMPONENT_PYTHON3-HALO_DESCRIPTION "The Python package, with numpy arrays in and out.")
set(CPACK_COMPONENT_HALO_DESCRIPTION "The command: runs, tests, measures and explains programs.")
set(CPACK_COMPONENT_LIBHALO0_DESCRIPTION "The library for other programs.")
set(CPACK_COMPONENT_LIBHALO-DEV_DESCRIPTION "Headers, CMake package and pkg-config of libhalo.")

# Debian's form of a changelog, which each package has.
string(TIMESTAMP halo_date "%a, %d %b %Y %H:%M:%S +0000" UTC)
set(halo_changelog ${CMAKE_BINARY_DIR}/generated/changelog)
file(CONFIGURE OUTPUT ${halo_changelog} CONTENT "halo (@PROJECT_VERSION@) unstable; urgency=low

  * CHANGELOG.md of the package halo has the history.

 -- @HALO_MAINTAINER@  @halo_date@
" @ONLY)
execute_process(COMMAND ${HALO_GZIP} -9nkf ${halo_changelog} COMMAND_ERROR_IS_FATAL ANY)
foreach(package IN LISTS CPACK_COMPONENTS_ALL)
  install(FILES ${halo_changelog}.gz DESTINATION ${CMAKE_INSTALL_DATADIR}/doc/${package}
    COMPONENT ${package})
endforeach()
include(CPack)
