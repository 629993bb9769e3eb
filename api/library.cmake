# libhalo.so: objects of halo_api and the libraries below it. A process may hold other LLVMs (Mesa,
# llvmlite, torch), so LLVM is linked statically and nothing but halo_* is visible. Code that runs in
# the background has no end of its own, therefore the library is never unloaded.
add_library(halo_shared SHARED $<TARGET_OBJECTS:halo_api>)
halo_target_names(halo_api_deps cli/session cli/repl)
target_link_libraries(halo_shared PRIVATE ${halo_api_deps})
set_target_properties(halo_shared PROPERTIES
  OUTPUT_NAME halo VERSION ${PROJECT_VERSION} SOVERSION ${PROJECT_VERSION_MAJOR} LINKER_LANGUAGE CXX EXPORT_NAME halo
  LIBRARY_OUTPUT_DIRECTORY ${CMAKE_BINARY_DIR} HALO_STATIC_LLVM ON
  LINK_DEPENDS ${CMAKE_CURRENT_LIST_DIR}/halo.map)
target_link_options(halo_shared PRIVATE -Wl,--exclude-libs,ALL -Wl,-z,nodelete
  -Wl,--version-script=${CMAKE_CURRENT_LIST_DIR}/halo.map)
target_include_directories(halo_shared INTERFACE $<INSTALL_INTERFACE:include>)
