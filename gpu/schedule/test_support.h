// Programs of Core text for the tests of this folder.
#pragma once

#include <doctest/doctest.h>

#include <string>

#include "lang/core/text.h"

namespace halo::gpu::test {

inline core::Program parsedCore(const std::string& text) {
  source::Files files;
  auto program = core::parse(files, files.add("test.core", text));
  REQUIRE_MESSAGE(program, text);
  return *program;
}

}  // namespace halo::gpu::test
