// doctest's main, compiled once and linked into every unit test program: it costs seconds.
#define DOCTEST_CONFIG_IMPLEMENT
#include <doctest/doctest.h>

#include <cstdio>
#include <cstdlib>
#include <iostream>

#include "lang/base/stack.h"

#ifdef HALO_COVERAGE
extern "C" int __llvm_profile_write_file();  // what clang's runtime calls at an ordinary exit
#endif

// On a stack like that of `halo`. Ends as `halo` does while it compiles in the background
// (cli/common.cpp): destructors of LLVM's statics would run under the compiler's feet.
int main(int argc, char** argv) {
  halo::base::onLargeStack([&] {
    const int status = doctest::Context(argc, argv).run();
    std::cout.flush();
    std::fflush(nullptr);
#ifdef HALO_COVERAGE
    __llvm_profile_write_file();
#endif
    std::_Exit(status);
  });
}
