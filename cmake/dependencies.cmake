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

# Always the shared libLLVM: a static one in the executable could satisfy the symbols of the other
# LLVM that lavapipe brings into the process.
add_library(dep_llvm INTERFACE)
target_include_directories(dep_llvm SYSTEM INTERFACE ${LLVM_INCLUDE_DIRS})
separate_arguments(llvm_definitions NATIVE_COMMAND "${LLVM_DEFINITIONS}")
target_compile_definitions(dep_llvm INTERFACE ${llvm_definitions})
if(NOT LLVM_ENABLE_RTTI)  # Debian's has RTTI
  target_compile_options(dep_llvm INTERFACE $<$<COMPILE_LANGUAGE:CXX>:-fno-rtti>)
endif()
target_link_libraries(dep_llvm INTERFACE LLVM)

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
