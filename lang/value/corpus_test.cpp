// Inputs that the fuzzer found (tests/fuzz/fuzz_values.cpp) are read without harm. The values read
// print and read back to the same bits.
#include <filesystem>
#include <fstream>

#include "lang/value/readers.h"
#include "lang/value/test_values.h"

namespace halo::value {

namespace {

void checkRoundTrip(const Value& value) {
  for (const std::string& spelling : {toText(value), toBinary(value)}) {
    const auto back = tryValues(spelling);
    REQUIRE(back.has_value());
    REQUIRE(back->size() == 1);
    CHECK(!firstDifference(value, back->front(), {}));
  }
}

void readInput(const std::string& input) {
  const std::string bytes = input.substr(1);
  if (input[0] == 0) {
    const auto values = tryValues(bytes);
    if (!values) return;
    for (const Value& value : *values) checkRoundTrip(value);
  } else if (input[0] == 1) {
    if (const auto value = readNpy(bytes, {})) checkRoundTrip(*value);
  } else if (input[0] == 3) {
    (void)inflated(bytes, Compressed::kGzip);
    (void)readNpz(bytes);
  }
}

}  // namespace

TEST_CASE("inputs of the fuzzer") {
  int count = 0;
  for (const auto& entry : std::filesystem::directory_iterator("tests/regress/values")) {
    CAPTURE(entry.path().string());
    std::ifstream in(entry.path(), std::ios::binary);
    readInput({std::istreambuf_iterator<char>(in), {}});
    ++count;
  }
  CHECK(count > 0);
}

}  // namespace halo::value
