// Value files by extension, and a picture's value for the parameter that it is read for.
#include <fmt/format.h>

#include <algorithm>
#include <filesystem>

#include "lang/base/files.h"
#include "lang/value/npy.h"
#include "lang/value/picture.h"
#include "lang/value/readers.h"

namespace halo::value {

namespace {

using Done = diag::Result<std::monostate>;

// Spans are 32 bits wide.
constexpr size_t kMaxText = 0xffffffff;

diag::Failure unreadable(const std::string& path, const std::string& why) {
  return diag::fail(diag::Code::unreadable_file, {},
                    fmt::format("file `{}` cannot be read: {}", path, why));
}

diag::Result<std::string> readBytes(const std::string& path) {
  base::ReadFile file = base::readFile(path, kMaxText);
  if (file.is_missing) {
    return diag::fail(diag::Code::missing_file, {}, fmt::format("no file `{}`", path));
  }
  if (!file.problem.empty()) return unreadable(path, file.problem);
  return std::move(file.bytes);
}

std::string extensionOf(const std::string& path) {
  std::string extension = std::filesystem::path(path).extension().string();
  for (char& c : extension) c = static_cast<char>(c >= 'A' && c <= 'Z' ? c - 'A' + 'a' : c);
  return extension;
}

// Mean of the colours, 0..255.
uint32_t levelOf(uint32_t argb) {
  const uint32_t sum = (argb >> 16 & 0xff) + (argb >> 8 & 0xff) + (argb & 0xff);
  return (sum + 1) / 3;
}

// A picture for a parameter of element type `type`. Floats get grey 0..1, u8 grey 0..255, bool
// whether it is lighter than half, i32 the ARGB word. Any other type gets [h][w]u32 as it is.
diag::Result<Value> pictureFor(Value picture, ScalarType type) {
  const Array& pixels = *picture.array();
  const bool is_grey = prim::isFloat(type) || type == ScalarType::kU8 || type == ScalarType::kBool;
  if (!is_grey && type != ScalarType::kI32) return picture;
  diag::Result<Array> result = makeArray(type, pixels.shape());
  if (!result) return diag::Failure(result.error());
  for (int64_t i = 0; i < pixels.elements(); ++i) {
    const auto argb = static_cast<uint32_t>(pixels.at(i).bits);
    const uint32_t level = levelOf(argb);
    Scalar element = Scalar::fromBits(type, is_grey ? level : argb);
    if (type == ScalarType::kBool) element = Scalar::ofBool(level > 127);
    if (type == ScalarType::kF32) element = Scalar::ofF32(static_cast<float>(level) / 255.0f);
    if (type == ScalarType::kF16 || type == ScalarType::kF64) {
      element = Scalar::ofFloat(type, static_cast<double>(level) / 255.0);
    }
    setAt(*result, i, element);
  }
  return Value(std::move(*result));
}

diag::Result<std::vector<Value>> readPicture(const std::string& path,
                                             const std::optional<Shape>& want) {
  diag::Result<Value> picture = readPng(path);
  if (picture && want && want->type) picture = pictureFor(std::move(*picture), *want->type);
  if (!picture) return diag::Failure(picture.error());
  return std::vector<Value>{std::move(*picture)};
}

}  // namespace

diag::Result<std::vector<Value>> readFile(source::Files& files, const std::string& path,
                                          const std::optional<Shape>& want) {
  std::string extension = extensionOf(path);
  if (extension == ".npy") {
    if (auto array = mappedNpy(path)) return std::vector<Value>{std::move(*array)};
  }
  diag::Result<std::string> bytes = readBytes(path);
  if (!bytes) return diag::Failure(bytes.error());
  if (extension == ".png") return readPicture(path, want);
  if (extension == ".gz" || isGzip(*bytes)) {
    auto text = inflated(*bytes, Compressed::kGzip);
    if (!text) return unreadable(path, text.error());
    *bytes = std::move(*text);
    if (extension == ".gz") extension = extensionOf(path.substr(0, path.size() - 3));
  }
  if (extension == ".npz") {
    auto values = readNpz(*bytes);
    if (!values) return unreadable(path, values.error());
    return std::move(*values);
  }
  if (extension != ".npy") return parseValues(files, files.add(path, std::move(*bytes)));
  const diag::Result<Value> value = readNpy(*bytes, {});
  if (value) return std::vector<Value>{*value};
  diag::Diagnostic why = value.error();
  why.message = fmt::format("file `{}`: {}", path, why.message);
  return diag::Failure(why);
}

Done writeBytes(const std::string& path, const std::string& bytes) {
  const std::string problem = base::writeFile(path, bytes);
  if (problem.empty()) return std::monostate{};
  return diag::fail(diag::Code::unwritable_file, {},
                    fmt::format("file `{}` cannot be written: {}", path, problem));
}

Done writeFile(const std::string& path, const Value& anywhere) {
  const diag::Result<Value> value = toHost(anywhere);
  if (!value) return diag::Failure(value.error());
  const std::string extension = extensionOf(path);
  if (extension == ".png") return writePng(path, *value);
  if (extension == ".npy" && (value->record() != nullptr || value->sum() != nullptr)) {
    return diag::fail(diag::Code::value_not_printable, {},
                      "an npy file holds one array, found a tuple, record or sum");
  }
  if (extension == ".npy") return writeBytes(path, toNpy(*value));
  return writeBytes(path, extension == ".bin" ? toBinary(*value) : toText(*value) + "\n");
}

}  // namespace halo::value
