// libFuzzer over lexer, parser, printer and copies: every text must keep the laws of
// lang/syntax/laws.h. See README.md for how to build and run it.
#include <cstdint>
#include <cstdio>

#include "lang/syntax/laws.h"

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  std::string text(reinterpret_cast<const char*>(data), size);
  std::string broken = halo::syntax::test::brokenLaw(text);
  if (!broken.empty()) {
    fprintf(stderr, "%s\n", broken.c_str());
    __builtin_trap();
  }
  return 0;
}
