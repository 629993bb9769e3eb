# Language, flags and tools that every target shares.
set(CMAKE_CXX_STANDARD 20)
set(CMAKE_CXX_STANDARD_REQUIRED ON)
set(CMAKE_CXX_EXTENSIONS OFF)
set(CMAKE_EXPORT_COMPILE_COMMANDS ON)
# The same objects make the command and a shared library, which exports its C API alone.
set(CMAKE_POSITION_INDEPENDENT_CODE ON)
set(CMAKE_CXX_VISIBILITY_PRESET hidden)
set(CMAKE_VISIBILITY_INLINES_HIDDEN ON)

if(NOT CMAKE_BUILD_TYPE)
  set(CMAKE_BUILD_TYPE Release CACHE STRING "" FORCE)
endif()
set(HALO_OPTIMISATION "-O2" CACHE STRING "how much the compiler optimises Halo in release builds")
# -O1 takes 0.7 of the time of -O2 to compile. Empty: as the rest.
set(HALO_COLD_OPTIMISATION "")
if(HALO_OPTIMISATION STREQUAL "-O2")
  set(HALO_COLD_OPTIMISATION "-O1")
endif()
set(CMAKE_CXX_FLAGS_RELEASE "${HALO_OPTIMISATION} -DNDEBUG")  # no -g: it doubles build time and disk
set(CMAKE_CXX_FLAGS_DEBUG "-O0 -g")

option(HALO_VERIFY "run the IR verifiers before and after every pass" OFF)
if(HALO_VERIFY)
  add_compile_definitions(HALO_VERIFY=1)
endif()

add_compile_options(
  -ffp-contract=off  # a*b+c must round twice on every engine
  -Wall -Wextra -Wno-missing-field-initializers -Werror=switch -Werror=return-type
  -Wno-missing-field-initializers  # designated initialisers leave defaults out on purpose
  "-fmacro-prefix-map=${CMAKE_SOURCE_DIR}/=")  # failed checks name lang/x.cpp, not the machine
if(CMAKE_CXX_COMPILER_ID STREQUAL "GNU")
  # False alarms inside of the standard library, once it is precompiled: gcc bugs 105651, 105329.
  foreach(alarm restrict array-bounds stringop-overread stringop-overflow maybe-uninitialized)
    add_compile_options($<$<COMPILE_LANGUAGE:CXX>:-Wno-${alarm}>)
  endforeach()
endif()

set(HALO_SANITIZE "" CACHE STRING "sanitizers, as -fsanitize takes them")
# -O1 runs an order faster than -O0 under sanitizers, and is still readable in a debugger. -O0 compiles
# in two fifths of the time: for a build that runs little (tests/tools/sanitized.py).
set(HALO_SANITIZE_OPTIMISATION "-O1" CACHE STRING "how much sanitized code is optimised")
if(HALO_SANITIZE)
  # Code of the JIT has no type marks in front of its functions, so calls of it cannot be checked.
  set(sanitize ${HALO_SANITIZE_OPTIMISATION} -fsanitize=${HALO_SANITIZE} -fno-sanitize=function -fno-sanitize-recover=all
      -fno-omit-frame-pointer)
  add_compile_options(${sanitize})
  add_link_options(${sanitize})
  # ThreadSanitizer does not see how libtbb orders tasks: lang/base/hand_over.h tells it.
  if(HALO_SANITIZE MATCHES thread)
    add_compile_definitions(HALO_SANITIZE_THREADS)
    set_source_files_properties(${CMAKE_SOURCE_DIR}/jit/runtime/parallel.cpp PROPERTIES
      COMPILE_OPTIONS -fno-sanitize=thread SKIP_PRECOMPILE_HEADERS ON)
  endif()
endif()

# Half of a file's time is headers: eight files of a folder are one unit. Off, an edit is compiled
# sooner (preset dev).
option(HALO_UNITY "compile files of a folder together" ON)

option(HALO_FUZZ "build tests/fuzz; needs clang" OFF)
if(HALO_FUZZ)
  add_compile_options(-fsanitize=fuzzer-no-link)
endif()

option(HALO_COVERAGE "count the lines and branches that tests run (tests/coverage.py); needs clang" OFF)
if(HALO_COVERAGE)
  add_compile_options(-fprofile-instr-generate -fcoverage-mapping)
  add_link_options(-fprofile-instr-generate)
endif()

find_program(HALO_MOLD mold)
if(HALO_MOLD)
  add_link_options(-fuse-ld=mold)
endif()

# The settings travel in the command, so that no ccache configuration is needed.
# Precompiled headers need the two sloppiness flags. The other two let build folders of one checkout
# share objects: without -g none depends on its folder's name, and paths below it count as relative.
find_program(HALO_CCACHE ccache)
if(HALO_CCACHE AND NOT CMAKE_CXX_COMPILER_LAUNCHER)
  # A build folder inside of the checkout shares objects with other checkouts too.
  set(base ${CMAKE_BINARY_DIR})
  cmake_path(IS_PREFIX CMAKE_SOURCE_DIR "${CMAKE_BINARY_DIR}" inside)
  if(inside)
    set(base ${CMAKE_SOURCE_DIR})
  endif()
  set(launcher ${CMAKE_COMMAND} -E env CCACHE_SLOPPINESS=pch_defines,time_macros
      CCACHE_NOHASHDIR=1 CCACHE_PCH_EXTSUM=1 CCACHE_BASEDIR=${base} ${HALO_CCACHE})
  set(CMAKE_C_COMPILER_LAUNCHER ${launcher})
  set(CMAKE_CXX_COMPILER_LAUNCHER ${launcher})
endif()
