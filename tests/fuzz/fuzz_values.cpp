// libFuzzer target for the readers of values: the first byte chooses text or binary, .npy, PNG or
// gzip, the rest is the input. Whatever is read must print, and read back from text and binary to
// the same bits.
//
// Inputs that broke something are kept in tests/regress/values; the test of lang/value reads them.
#include <unistd.h>

#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <string>

#include "lang/value/format.h"
#include "lang/value/readers.h"

namespace {

using namespace halo;  // NOLINT: a program of one file

void require(bool holds) {
  if (!holds) std::abort();
}

void checkRoundTrip(const value::Value& value) {
  source::Files files;
  const std::string text = value::toText(value);
  auto back = value::parseValues(files, files.add("text", text));
  require(back.has_value() && back->size() == 1);
  require(!value::firstDifference(value, back->front(), {}));
  auto binary = value::parseValues(files, files.add("binary", value::toBinary(value)));
  require(binary.has_value() && binary->size() == 1);
  require(!value::firstDifference(value, binary->front(), {}));
}

void readPngBytes(const std::string& bytes) {
  std::string path = std::filesystem::temp_directory_path() / "halo-fuzz-XXXXXX";
  const int file = mkstemp(path.data());
  if (file < 0) return;
  if (write(file, bytes.data(), bytes.size()) == static_cast<ssize_t>(bytes.size())) {
    (void)value::readPng(path);
  }
  close(file);
  unlink(path.c_str());
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  if (size == 0) return 0;
  value::setHostBudget(size_t{256} << 20);
  const std::string bytes(reinterpret_cast<const char*>(data) + 1, size - 1);
  switch (data[0] % 4) {
    case 0: {
      source::Files files;
      auto values = value::parseValues(files, files.add("input", bytes));
      if (!values) break;
      for (const value::Value& value : *values) checkRoundTrip(value);
      break;
    }
    case 1: {
      auto value = value::readNpy(bytes, {});
      if (value) checkRoundTrip(*value);
      break;
    }
    case 2:
      readPngBytes(bytes);
      break;
    default:
      if (size < 4096) (void)value::gunzip(bytes);
      break;
  }
  return 0;
}
