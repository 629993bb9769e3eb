// libFuzzer over the text of Imp: every text must keep the laws of text_laws.h.
#include "tests/fuzz/text_laws.h"
#include "tests/fuzz/token_fuzzer.h"

HALO_FUZZ_TOKENS(halo::test::kImpWords)

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  halo::test::mustKeep(halo::test::brokenImpLaw(halo::test::textOf(data, size)));
  return 0;
}
