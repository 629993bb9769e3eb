# What `cmake --install` puts where; each part belongs to a Debian package (packages.cmake).
include(GNUInstallDirs)
include(CMakePackageConfigHelpers)

find_program(HALO_GZIP gzip REQUIRED)
set(halo_share ${CMAKE_BINARY_DIR}/generated/share)
set(halo_share_stamp ${CMAKE_BINARY_DIR}/generated/share.stamp)
add_custom_command(OUTPUT ${halo_share_stamp}
  COMMAND ${CMAKE_COMMAND} -DHALO=$<TARGET_FILE:halo> -DGZIP=${HALO_GZIP} -DOUTPUT=${halo_share}
          -P ${CMAKE_SOURCE_DIR}/packaging/reference.cmake
  COMMAND ${CMAKE_COMMAND} -E touch ${halo_share_stamp}
  DEPENDS halo ${CMAKE_SOURCE_DIR}/packaging/reference.cmake
  COMMENT "Writing manuals and completions" VERBATIM)
add_custom_target(halo_reference ALL DEPENDS ${halo_share_stamp})

install(TARGETS halo RUNTIME DESTINATION ${CMAKE_INSTALL_BINDIR} COMPONENT halo)
install(DIRECTORY ${halo_share}/ DESTINATION ${CMAKE_INSTALL_DATADIR} COMPONENT halo)
install(DIRECTORY examples DESTINATION ${CMAKE_INSTALL_DATADIR}/halo COMPONENT halo)
install(FILES README.md CHANGELOG.md DESTINATION ${CMAKE_INSTALL_DATADIR}/doc/halo COMPONENT halo)
install(FILES LICENSE DESTINATION ${CMAKE_INSTALL_DATADIR}/doc/halo RENAME copyright COMPONENT halo)

install(TARGETS halo_shared EXPORT HaloTargets
  LIBRARY DESTINATION ${CMAKE_INSTALL_LIBDIR} COMPONENT libhalo0 NAMELINK_COMPONENT libhalo-dev)
install(FILES LICENSE DESTINATION ${CMAKE_INSTALL_DATADIR}/doc/libhalo0 RENAME copyright
  COMPONENT libhalo0)
install(FILES LICENSE DESTINATION ${CMAKE_INSTALL_DATADIR}/doc/libhalo-dev RENAME copyright
  COMPONENT libhalo-dev)
install(FILES api/halo.h api/halo.hpp DESTINATION ${CMAKE_INSTALL_INCLUDEDIR}/halo
  COMPONENT libhalo-dev)

set(halo_cmake_folder ${CMAKE_INSTALL_LIBDIR}/cmake/Halo)
configure_package_config_file(packaging/HaloConfig.cmake.in
  ${CMAKE_BINARY_DIR}/generated/HaloConfig.cmake INSTALL_DESTINATION ${halo_cmake_folder})
write_basic_package_version_file(${CMAKE_BINARY_DIR}/generated/HaloConfigVersion.cmake
  COMPATIBILITY SameMinorVersion)
install(FILES ${CMAKE_BINARY_DIR}/generated/HaloConfig.cmake
  ${CMAKE_BINARY_DIR}/generated/HaloConfigVersion.cmake
  DESTINATION ${halo_cmake_folder} COMPONENT libhalo-dev)
install(EXPORT HaloTargets NAMESPACE Halo:: DESTINATION ${halo_cmake_folder} COMPONENT libhalo-dev)

# The prefix is where the file lies, seen from there.
file(RELATIVE_PATH halo_prefix_of_pc /${CMAKE_INSTALL_LIBDIR}/pkgconfig /)
configure_file(packaging/halo.pc.in ${CMAKE_BINARY_DIR}/generated/halo.pc @ONLY)
install(FILES ${CMAKE_BINARY_DIR}/generated/halo.pc
  DESTINATION ${CMAKE_INSTALL_LIBDIR}/pkgconfig COMPONENT libhalo-dev)
