// Shared by the tests of this folder: values from text, and failures without their spans.
#pragma once

#include <doctest/doctest.h>

#include <string>
#include <vector>

#include "lang/value/format.h"

namespace halo::value {

inline diag::Result<std::vector<Value>> tryValues(const std::string& text) {
  source::Files files;
  return parseValues(files, files.add("values", text));
}

inline Value valueOf(const std::string& text) {
  auto values = tryValues(text);
  REQUIRE_MESSAGE(values.has_value(), text);
  REQUIRE(values->size() == 1);
  return values->front();
}

// The message and the marked text: `message @ text`.
inline std::string failureOf(const std::string& text) {
  source::Files files;
  auto values = parseValues(files, files.add("values", text));
  if (values) return "no failure";
  CHECK(values.error().code == diag::Code::malformed_value);
  return values.error().message + " @ " + std::string(files.text(values.error().span));
}

}  // namespace halo::value
