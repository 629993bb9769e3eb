// libFuzzer over the lexer alone: tokens do not overlap and lie in the text, whatever the bytes.
#include <cstdint>
#include <cstdio>

#include "lang/syntax/laws.h"

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  const std::string broken =
      halo::syntax::test::brokenTokens(std::string(reinterpret_cast<const char*>(data), size));
  if (!broken.empty()) {
    fprintf(stderr, "%s\n", broken.c_str());
    __builtin_trap();
  }
  return 0;
}
