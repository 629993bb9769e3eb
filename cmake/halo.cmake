# How a folder becomes a target and its *_test.cpp a test program.

# lang/core -> halo_core, cli/session -> halo_session, gpu/plan -> halo_gpu_plan, jit -> halo_jit
function(halo_target_names result)
  set(names)
  foreach(folder IN LISTS ARGN)
    string(REGEX REPLACE "^(lang|cli)/" "" name ${folder})
    string(REPLACE "/" "_" name ${name})
    list(APPEND names halo_${name})
  endforeach()
  set(${result} ${names} PARENT_SCOPE)
endfunction()

# The library of one folder and of its ROOMS, subfolders that share its namespace. A folder without
# sources yet is a header-only library, so that everything configures and links from the first day.
# APART: names of its files may be equal, so that none are compiled together (HALO_UNITY).
# TOGETHER: all of its files are one unit, for they share a header that takes seconds.
# COLD: code that no program waits for, such as options and generators (HALO_COLD_OPTIMISATION).
function(halo_library folder)
  cmake_parse_arguments(PARSE_ARGV 1 arg "APART;TOGETHER;COLD" "" "ROOMS;DEPS;LINKS;PUBLIC_LINKS;TEST_LINKS")
  halo_target_names(target ${folder})
  halo_target_names(deps ${arg_DEPS})

  set(patterns ${CMAKE_SOURCE_DIR}/${folder}/*.cpp)
  foreach(room IN LISTS arg_ROOMS)
    list(APPEND patterns ${CMAKE_SOURCE_DIR}/${folder}/${room}/*.cpp)
  endforeach()
  file(GLOB sources CONFIGURE_DEPENDS ${patterns})
  # By name, not by room: which files are compiled together does not change when one moves.
  list(TRANSFORM sources REPLACE "^(.*)/([^/]+)$" "\\2|\\1")
  list(SORT sources)
  list(TRANSFORM sources REPLACE "^([^|]+)\\|(.*)$" "\\2/\\1")
  set(tests ${sources})
  list(FILTER sources EXCLUDE REGEX "_test\\.cpp$|/main\\.cpp$")
  list(FILTER tests INCLUDE REGEX "_test\\.cpp$")

  if(sources)
    add_library(${target} STATIC ${sources})
    target_include_directories(${target} PUBLIC ${CMAKE_SOURCE_DIR})
    target_link_libraries(${target} PUBLIC ${deps} ${arg_PUBLIC_LINKS} PRIVATE ${arg_LINKS})
    halo_precompile(${target} ${folder})
    if(arg_COLD)
      target_compile_options(${target} PRIVATE $<$<CONFIG:Release>:${HALO_COLD_OPTIMISATION}>)
    endif()
    if(HALO_UNITY AND NOT arg_APART)
      set(batch 8)
      if(arg_TOGETHER)
        set(batch 0)  # no limit
      endif()
      set_target_properties(${target} PROPERTIES
        UNITY_BUILD ON UNITY_BUILD_BATCH_SIZE ${batch})
    endif()
  else()
    add_library(${target} INTERFACE)
    target_include_directories(${target} INTERFACE ${CMAKE_SOURCE_DIR})
    target_link_libraries(${target} INTERFACE ${deps} ${arg_PUBLIC_LINKS})
  endif()

  if(tests)
    halo_test(${target}_test ${tests})
    target_link_libraries(${target}_test PRIVATE ${target} ${arg_LINKS} ${arg_TEST_LINKS})
  endif()
endfunction()

# Headers of other projects are compiled once: a folder's own pch.h, where it needs LLVM's, else the
# one of lang/base for all folders. It names nothing of Halo: an edit would rebuild everything.
function(halo_precompile target folder)
  set(header ${CMAKE_SOURCE_DIR}/${folder}/pch.h)
  if(EXISTS ${header})
    target_precompile_headers(${target} PRIVATE ${header})
    # ccache compares this file, not the precompiled header, whose bytes name the checkout's folder:
    # so checkouts share objects. The header's text and the compiler decide about it.
    file(SHA256 ${header} sum)
    file(CONFIGURE OUTPUT ${CMAKE_BINARY_DIR}/CMakeFiles/${target}.dir/cmake_pch.hxx.gch.sum
         CONTENT "${sum} ${CMAKE_CXX_COMPILER_ID} ${CMAKE_CXX_COMPILER_VERSION}\n")
  elseif(TARGET halo_base)
    target_precompile_headers(${target} REUSE_FROM halo_base)
  endif()
  # What ccache asks for, so that it can cache files that use a precompiled header.
  target_compile_options(${target} PRIVATE
    $<$<COMPILE_LANG_AND_ID:CXX,GNU>:-fpch-preprocess>
    "$<$<COMPILE_LANG_AND_ID:CXX,Clang>:SHELL:-Xclang -fno-pch-timestamp>")
endfunction()

# One program and one ctest entry per folder: one process per case would cost more than the cases.
# Runs in the repository root. halo_stdlib has no dependencies, so every test may use the prelude.
function(halo_test target)
  add_executable(${target} ${ARGN})
  target_link_libraries(${target} PRIVATE halo_unit_main halo_stdlib)
  add_test(NAME unit.${target} COMMAND ${target} WORKING_DIRECTORY ${CMAKE_SOURCE_DIR})
  set_tests_properties(unit.${target} PROPERTIES LABELS unit TIMEOUT 600)
  halo_test_environment(unit.${target})
endfunction()

# Vulkan drivers leak, and are unloaded before the leak checker could tell that it was they; so
# whatever may open a device is only checked for other errors.
function(halo_test_environment test)
  set(leaks 1)
  if(NOT test MATCHES "^unit\\.halo_" OR test MATCHES "^unit\\.halo_(gpu|session|cli)")
    set(leaks 0)
  endif()
  set_property(TEST ${test} APPEND PROPERTY ENVIRONMENT
    ASAN_OPTIONS=detect_leaks=${leaks} UBSAN_OPTIONS=print_stacktrace=1
    TSAN_OPTIONS=die_after_fork=0)  # the one thread that forks is not the first: it has a larger stack
endfunction()

# Library halo_<folder> holding every .fut file of the folder and of its `import` as text; see
# stdlib/embedded.h.
function(halo_embed folder)
  file(GLOB files CONFIGURE_DEPENDS ${CMAKE_SOURCE_DIR}/${folder}/*.fut)
  list(SORT files)
  file(GLOB imports CONFIGURE_DEPENDS ${CMAKE_SOURCE_DIR}/${folder}/import/*.fut)
  list(SORT imports)
  set(codes ${CMAKE_SOURCE_DIR}/lang/diag/codes.md)  # `halo explain` shows its sections
  set(output ${CMAKE_BINARY_DIR}/generated/${folder}/embedded.cpp)
  # The list is part of the command, so that ninja also notices a file that went away.
  string(REPLACE ";" "|" file_list "${files}")
  string(REPLACE ";" "|" import_list "${imports}")
  add_custom_command(OUTPUT ${output}
    COMMAND ${CMAKE_COMMAND} "-DFILES=${file_list}" "-DIMPORTS=${import_list}" -DCODES=${codes}
            -DOUTPUT=${output} -P ${CMAKE_SOURCE_DIR}/cmake/embed.cmake
    DEPENDS ${files} ${imports} ${codes} ${CMAKE_SOURCE_DIR}/cmake/embed.cmake
    COMMENT "Embedding ${folder}/*.fut" VERBATIM)
  add_library(halo_${folder} STATIC ${output})
  target_include_directories(halo_${folder} PUBLIC ${CMAKE_SOURCE_DIR})
endfunction()

# The program, at the top of the build folder. Left out while it has no main file.
function(halo_executable name main)
  cmake_parse_arguments(PARSE_ARGV 2 arg "" "" "DEPS")
  file(GLOB present CONFIGURE_DEPENDS ${CMAKE_SOURCE_DIR}/${main})
  if(NOT present)
    return()
  endif()
  halo_target_names(deps ${arg_DEPS})
  add_executable(${name} ${main})
  target_link_libraries(${name} PRIVATE ${deps})
  set_target_properties(${name} PROPERTIES RUNTIME_OUTPUT_DIRECTORY ${CMAKE_BINARY_DIR}
    HALO_STATIC_LLVM ON)
endfunction()
