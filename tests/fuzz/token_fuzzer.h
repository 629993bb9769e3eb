// libFuzzer's mutations and cross-overs on tokens, and the end of a run that breaks a law.
#pragma once

#include <cstdint>
#include <cstdio>

#include "tests/fuzz/token_mutations.h"

extern "C" size_t LLVMFuzzerMutate(uint8_t* data, size_t size, size_t limit);

namespace halo::test {

inline std::string textOf(const uint8_t* data, size_t size) {
  return {reinterpret_cast<const char*>(data), size};
}

inline size_t store(const std::string& text, uint8_t* data, size_t limit) {
  const size_t size = std::min(text.size(), limit);
  std::copy_n(text.begin(), size, data);
  return size;
}

// Ends the process with the law that is broken, if one is.
inline void mustKeep(const std::string& broken) {
  if (broken.empty()) return;
  fprintf(stderr, "%s\n", broken.c_str());
  __builtin_trap();
}

}  // namespace halo::test

// One change in eight is of bytes.
#define HALO_FUZZ_TOKENS(words)                                                                    \
  extern "C" size_t LLVMFuzzerCustomMutator(uint8_t* data, size_t size, size_t limit,              \
                                            unsigned int seed) {                                   \
    std::mt19937 random(seed);                                                                     \
    if (random() % 8 == 0) return LLVMFuzzerMutate(data, size, limit);                             \
    return halo::test::store(halo::test::changed(halo::test::textOf(data, size), words, random),   \
                             data, limit);                                                         \
  }                                                                                                \
  extern "C" size_t LLVMFuzzerCustomCrossOver(const uint8_t* first, size_t first_size,             \
                                              const uint8_t* second, size_t second_size,           \
                                              uint8_t* out, size_t limit, unsigned int seed) {     \
    std::mt19937 random(seed);                                                                     \
    return halo::test::store(halo::test::crossed(halo::test::textOf(first, first_size),            \
                                                 halo::test::textOf(second, second_size), random), \
                             out, limit);                                                          \
  }
