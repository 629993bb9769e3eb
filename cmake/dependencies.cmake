# Outside libraries, all from Debian or Ubuntu packages (packages.txt). A name dep_* is ours, for a
# library whose own package file is absent or does not work.
find_package(Threads REQUIRED)
find_package(fmt REQUIRED CONFIG)
find_package(PNG REQUIRED)
find_package(TBB REQUIRED CONFIG)
find_package(LLVM 19.1 REQUIRED CONFIG)  # plain "19" is refused by LLVM's version file
find_package(Vulkan REQUIRED)
find_package(doctest REQUIRED CONFIG)

add_library(dep_expected INTERFACE)
find_path(EXPECTED_INCLUDE_DIR tl/expected.hpp REQUIRED)
target_include_directories(dep_expected SYSTEM INTERFACE ${EXPECTED_INCLUDE_DIR})

# Programs with the property HALO_STATIC_LLVM link LLVM's archives, if they are installed: to load the
# shared libLLVM takes 15 ms of every start. Such a program exports none of its symbols, so none
# satisfies the other LLVM that lavapipe brings into the process. Tests link the shared one: faster.
add_library(dep_llvm INTERFACE)
target_include_directories(dep_llvm SYSTEM INTERFACE ${LLVM_INCLUDE_DIRS})
separate_arguments(llvm_definitions NATIVE_COMMAND "${LLVM_DEFINITIONS}")
target_compile_definitions(dep_llvm INTERFACE ${llvm_definitions})
if(NOT LLVM_ENABLE_RTTI)  # Debian's has RTTI
  target_compile_options(dep_llvm INTERFACE $<$<COMPILE_LANGUAGE:CXX>:-fno-rtti>)
endif()
execute_process(
  COMMAND ${LLVM_TOOLS_BINARY_DIR}/llvm-config --link-static --libfiles orcjit native passes
  OUTPUT_VARIABLE llvm_archives RESULT_VARIABLE llvm_status ERROR_QUIET
  OUTPUT_STRIP_TRAILING_WHITESPACE)
separate_arguments(llvm_archives NATIVE_COMMAND "${llvm_archives}")
find_library(HALO_ZLIB NAMES z libz.so.1)  # of compressed sections
find_library(HALO_ZSTD NAMES zstd libzstd.so.1)
set(llvm_library LLVM)
if(llvm_status EQUAL 0 AND HALO_ZLIB AND HALO_ZSTD AND NOT HALO_SANITIZE)
  set(static "$<BOOL:$<TARGET_PROPERTY:HALO_STATIC_LLVM>>")
  set(llvm_library "$<$<NOT:${static}>:LLVM>"
    "$<${static}:$<LINK_GROUP:RESCAN,${llvm_archives}>>"
    "$<${static}:${HALO_ZLIB};${HALO_ZSTD};${CMAKE_DL_LIBS};-Wl,--gc-sections>")
endif()
target_link_libraries(dep_llvm INTERFACE ${llvm_library})

# libshaderc.so was built without its glslang and crashes; these archives work. A newer glslang has
# fewer of them, so only the first is required.
add_library(dep_shaderc INTERFACE)
find_path(SHADERC_INCLUDE_DIR shaderc/shaderc.hpp REQUIRED)
target_include_directories(dep_shaderc SYSTEM INTERFACE ${SHADERC_INCLUDE_DIR})
find_library(SHADERC_COMBINED libshaderc_combined.a REQUIRED)
set(shaderc_archives ${SHADERC_COMBINED})
foreach(archive glslang MachineIndependent GenericCodeGen OSDependent OGLCompiler HLSL SPIRV
                SPIRV-Tools-opt SPIRV-Tools)
  find_library(SHADERC_${archive} lib${archive}.a)
  if(SHADERC_${archive})
    list(APPEND shaderc_archives ${SHADERC_${archive}})
  endif()
endforeach()
target_link_libraries(dep_shaderc INTERFACE
  "$<LINK_GROUP:RESCAN,${shaderc_archives}>" Threads::Threads)
