// doctest's main, compiled once and linked into every unit test program: it costs seconds.
#define DOCTEST_CONFIG_IMPLEMENT
#include <doctest/doctest.h>

#include <cstdio>
#include <cstdlib>
#include <iostream>

#include "lang/base/stack.h"

// On a stack like that of `halo`. Ends as `halo` does while it compiles in the background
// (cli/common.cpp): destructors of LLVM's statics would run under the compiler's feet.
int main(int argc, char** argv) {
  halo::base::onLargeStack([&] {
    const int status = doctest::Context(argc, argv).run();
    std::cout.flush();
    std::fflush(nullptr);
    std::_Exit(status);
  });
}
