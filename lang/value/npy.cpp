// NumPy's .npy files: magic, version, a Python dictionary literal with descr, fortran_order and
// shape, then the elements. Versions 1 to 3 are read, 1 is written.
#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <cstring>
#include <map>

#include "lang/base/check.h"
#include "lang/value/mapped.h"
#include "lang/value/npy.h"
#include "lang/value/readers.h"

namespace halo::value {

namespace {

constexpr std::string_view kMagic = "\x93NUMPY";

struct NpyHeader {
  ScalarType type = ScalarType::kI32;
  bool big_endian = false;
  bool fortran_order = false;
  std::vector<int64_t> shape;
};

template <typename T>
using Outcome = base::Expected<T, std::string>;  // the failure is a message
using Wrong = tl::unexpected<std::string>;

struct TypeRow {
  std::string_view code;
  ScalarType type;
};
constexpr TypeRow kTypes[] = {
    {"i1", ScalarType::kI8},  {"i2", ScalarType::kI16}, {"i4", ScalarType::kI32},
    {"i8", ScalarType::kI64}, {"u1", ScalarType::kU8},  {"u2", ScalarType::kU16},
    {"u4", ScalarType::kU32}, {"u8", ScalarType::kU64}, {"f2", ScalarType::kF16},
    {"f4", ScalarType::kF32}, {"f8", ScalarType::kF64}, {"b1", ScalarType::kBool}};

// Splits `bytes` into the header's text and the data.
struct Parts {
  std::string_view header, data;
};
Outcome<Parts> split(std::string_view bytes) {
  if (!bytes.starts_with(kMagic) || bytes.size() < 10) return Wrong("not an npy file");
  const int version = static_cast<unsigned char>(bytes[6]);
  if (version < 1 || version > 3) return Wrong(fmt::format("npy version {}, at most 3", version));
  const size_t length_bytes = version == 1 ? 2 : 4;
  uint32_t length = 0;
  if (bytes.size() < 8 + length_bytes) return Wrong("npy file ends inside its header");
  std::memcpy(&length, bytes.data() + 8, length_bytes);
  const std::string_view rest = bytes.substr(8 + length_bytes);
  if (length > rest.size()) {
    return Wrong(fmt::format("npy header of {} bytes, found {}", length, rest.size()));
  }
  return Parts{rest.substr(0, length), rest.substr(length)};
}

// How long the Python literal at the front is: up to a comma or bracket that is not its own.
size_t literalBytes(std::string_view text) {
  int depth = 0;
  for (size_t at = 0; at < text.size(); ++at) {
    const char c = text[at];
    if (c == '\'' || c == '"') {
      at = std::min(text.find(c, at + 1), text.size());
    } else if (std::string_view("([{").find(c) != std::string_view::npos) {
      ++depth;
    } else if (std::string_view(")]}").find(c) != std::string_view::npos && --depth < 0) {
      return at;
    } else if (c == ',' && depth == 0) {
      return at;
    }
  }
  return text.size();
}

std::string_view withoutBlanks(std::string_view text) {
  constexpr const char* kBlanks = " \t\r\n";
  text.remove_prefix(std::min(text.find_first_not_of(kBlanks), text.size()));
  return text.substr(0, text.find_last_not_of(kBlanks) + 1);
}

// `'key': text, ..` in braces, each key once.
using Entries = std::map<std::string_view, std::string_view>;
Outcome<Entries> entriesOf(std::string_view header) {
  std::string_view rest = withoutBlanks(header);
  if (!rest.starts_with('{') || !rest.ends_with('}')) return Wrong("npy header is no dictionary");
  rest = withoutBlanks(rest.substr(1, rest.size() - 2));
  Entries entries;
  while (!rest.empty()) {
    const size_t end = rest.find(rest[0], 1);
    if ((rest[0] != '\'' && rest[0] != '"') || end == std::string_view::npos) {
      return Wrong("npy header is no dictionary");
    }
    const std::string_view key = rest.substr(1, end - 1);
    rest = withoutBlanks(rest.substr(end + 1));
    if (!rest.starts_with(':')) return Wrong(fmt::format("npy header has no value of `{}`", key));
    const size_t bytes = literalBytes(rest);
    const bool is_new = entries.emplace(key, withoutBlanks(rest.substr(1, bytes - 1))).second;
    if (!is_new) return Wrong(fmt::format("npy header has `{}` twice", key));
    rest = withoutBlanks(rest.substr(std::min(bytes + 1, rest.size())));
  }
  return entries;
}

Outcome<std::monostate> readType(std::string_view entry, NpyHeader* header) {
  const char quote = entry.empty() ? ' ' : entry[0];
  const size_t end = entry.find(quote, 1);
  if ((quote != '\'' && quote != '"') || end + 1 != entry.size()) {
    return Wrong("npy element type is not a plain one");
  }
  const std::string_view code = entry.substr(1, end - 1);
  const bool has_order =
      !code.empty() && std::string_view("<>|=").find(code[0]) != std::string_view::npos;
  for (const TypeRow& row : kTypes) {
    const bool is_plain_bool = row.type == ScalarType::kBool && code == "?";
    if (!is_plain_bool && code.substr(has_order ? 1 : 0) != row.code) continue;
    header->type = row.type;
    header->big_endian = code[0] == '>';
    return std::monostate{};
  }
  return Wrong(fmt::format("npy element type `{}` has no counterpart here", code));
}

Outcome<std::monostate> readShape(std::string_view entry, NpyHeader* header) {
  const size_t end = entry.find(')');
  if (!entry.starts_with('(') || end + 1 != entry.size()) return Wrong("npy shape is not a tuple");
  std::string_view rest = entry.substr(1, end - 1);
  for (;;) {
    rest.remove_prefix(std::min(rest.find_first_not_of(" ,\t"), rest.size()));
    if (rest.empty()) return std::monostate{};
    int64_t extent = 0;
    const auto [stop, error] = std::from_chars(rest.data(), rest.data() + rest.size(), extent);
    if (error != std::errc() || extent < 0) return Wrong("npy shape has an unreadable size");
    rest.remove_prefix(static_cast<size_t>(stop - rest.data()));
    if (rest.starts_with('L')) rest.remove_prefix(1);  // written by Python 2
    header->shape.push_back(extent);
    if (header->shape.size() > kMaxRank) {
      return Wrong(fmt::format("npy array has more than {} dimensions", kMaxRank));
    }
  }
}

Outcome<NpyHeader> readHeader(std::string_view text) {
  NpyHeader header;
  const Outcome<Entries> entries = entriesOf(text);
  if (!entries) return Wrong(entries.error());
  for (const auto& [key, value] : *entries) {
    if (key == "descr" || key == "fortran_order" || key == "shape") continue;
    return Wrong(fmt::format("npy header has an unknown entry `{}`", key));
  }
  if (entries->size() < 3) return Wrong("npy header needs `descr`, `fortran_order` and `shape`");
  const std::string_view order = entries->at("fortran_order");
  if (auto done = readType(entries->at("descr"), &header); !done) return Wrong(done.error());
  if (auto done = readShape(entries->at("shape"), &header); !done) return Wrong(done.error());
  if (order != "True" && order != "False") {
    return Wrong(fmt::format("npy `fortran_order` is True or False, not `{}`", order));
  }
  header.fortran_order = order == "True";
  return header;
}

void swapBytes(std::byte* data, size_t count, size_t size) {
  for (size_t i = 0; i < count; ++i) std::reverse(data + i * size, data + (i + 1) * size);
}

// Column-major data are the dense array of the reversed shape, seen through reversed axes.
diag::Result<Array> fromColumnMajor(Array reversed) {
  std::reverse(reversed.layout.shape.begin(), reversed.layout.shape.end());
  std::reverse(reversed.layout.strides.begin(), reversed.layout.strides.end());
  return toDense(reversed);
}

diag::Result<Value> build(const NpyHeader& header, std::string_view data, size_t bytes) {
  std::vector<int64_t> shape = header.shape;
  if (header.fortran_order) std::reverse(shape.begin(), shape.end());
  const bool is_scalar = shape.empty();
  if (is_scalar) shape.push_back(1);
  diag::Result<Array> array = makeArray(header.type, std::move(shape));
  if (!array) return diag::Failure(array.error());
  if (bytes != 0) std::memcpy(array->data(), data.data(), bytes);
  const auto size = static_cast<size_t>(prim::byteSize(header.type));
  if (header.big_endian) swapBytes(array->data(), bytes / size, size);
  for (size_t i = 0; header.type == ScalarType::kBool && i < bytes; ++i) {
    array->data()[i] = static_cast<std::byte>(array->data()[i] != std::byte{0});
  }
  if (is_scalar) return Value(array->at(0));
  if (header.fortran_order) array = fromColumnMajor(std::move(*array));
  if (!array) return diag::Failure(array.error());
  return Value(std::move(*array));
}

std::string_view codeOf(ScalarType type) {
  for (const TypeRow& row : kTypes) {
    if (row.type == type) return row.code;
  }
  return {};
}

std::string headerText(ScalarType type, const std::vector<int64_t>& shape) {
  std::string extents;
  for (const int64_t extent : shape) extents += fmt::format("{}, ", extent);
  std::string text = fmt::format("{{'descr': '{}{}', 'fortran_order': False, 'shape': ({}), }}",
                                 prim::byteSize(type) == 1 ? '|' : '<', codeOf(type), extents);
  while ((10 + text.size() + 1) % 64 != 0) text += ' ';  // data begin on a 64-byte border
  return text + '\n';
}

}  // namespace

diag::Result<Value> readNpy(std::string_view bytes, source::Span where) {
  const auto bad = [&](const std::string& message) {
    return diag::fail(diag::Code::malformed_value, where, message);
  };
  const Outcome<Parts> parts = split(bytes);
  if (!parts) return bad(parts.error());
  const Outcome<NpyHeader> header = readHeader(parts->header);
  if (!header) return bad(header.error());
  const diag::Result<size_t> needed = byteSize(header->type, header->shape);
  if (!needed) return bad(needed.error().message);
  if (*needed > parts->data.size()) {
    return bad(fmt::format("npy array of shape `{}` needs {} bytes, found {}",
                           shapeText(header->shape), *needed, parts->data.size()));
  }
  return build(*header, parts->data, *needed);
}

std::optional<Value> mappedNpy(const std::string& path) {
  constexpr size_t kAlignment = 64;  // of buffers, and of elements in files that NumPy writes
  std::shared_ptr<MappedFile> file = MappedFile::open(path);
  if (file == nullptr) return std::nullopt;
  const std::string_view bytes(reinterpret_cast<const char*>(file->data()), file->bytes());
  const Outcome<Parts> parts = split(bytes);
  const Outcome<NpyHeader> header = parts ? readHeader(parts->header) : Wrong(parts.error());
  if (!header || header->big_endian || header->fortran_order || header->shape.empty() ||
      header->type == ScalarType::kBool) {
    return std::nullopt;
  }
  const diag::Result<size_t> needed = byteSize(header->type, header->shape);
  const auto offset = static_cast<size_t>(parts->data.data() - bytes.data());
  if (!needed || *needed > parts->data.size() || offset % kAlignment != 0) return std::nullopt;
  const Descriptor layout{header->type, header->shape, denseStrides(header->shape), 0};
  return Value(Array{layout, bufferOf(std::move(file), offset)});
}

std::string npyHeader(ScalarType type, const std::vector<int64_t>& shape) {
  const std::string header = headerText(type, shape);
  std::string out(kMagic);
  out += {1, 0, static_cast<char>(header.size() & 0xff), static_cast<char>(header.size() >> 8)};
  return out + header;
}

std::string toNpy(const Value& value) {
  const Scalar* scalar = value.scalar();
  const ScalarType type = scalar != nullptr ? scalar->type : value.array()->type();
  std::string out =
      npyHeader(type, scalar != nullptr ? std::vector<int64_t>() : value.array()->shape());
  const auto size = static_cast<size_t>(prim::byteSize(type));
  if (scalar != nullptr) {
    out.append(reinterpret_cast<const char*>(&scalar->bits), size);
    return out;
  }
  const auto dense = toDense(*value.array());
  HALO_CHECK(dense.has_value(), "array for npy output is not on the host");
  out.append(reinterpret_cast<const char*>(dense->data()),
             static_cast<size_t>(dense->elements()) * size);
  return out;
}

}  // namespace halo::value
