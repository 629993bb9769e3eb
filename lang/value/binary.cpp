// Futhark's binary format, version 2: `b`, 2, rank, type in four characters, extents as u64,
// elements. Everything little-endian, as are the machines we run on.
#include <fmt/format.h>

#include <bit>
#include <cstring>

#include "lang/base/check.h"
#include "lang/value/readers.h"

namespace halo::value {

namespace {

static_assert(std::endian::native == std::endian::little);

constexpr size_t kHeader = 7;  // before the extents

std::string typeField(ScalarType type) { return fmt::format("{:>4}", prim::name(type)); }

std::optional<ScalarType> typeFromField(std::string_view field) {
  for (const ScalarType type : prim::kAllScalarTypes) {
    if (typeField(type) == field) return type;
  }
  return std::nullopt;
}

struct BinaryHeader {
  ScalarType type = ScalarType::kI32;
  std::vector<int64_t> shape;
};

std::string hexBytes(std::string_view bytes) {
  std::string text;
  for (const char c : bytes) {
    text += fmt::format("{}{:02x}", text.empty() ? "" : " ", static_cast<unsigned char>(c));
  }
  return text;
}

// The cursor is moved behind the header.
diag::Result<BinaryHeader> readHeader(Cursor& cursor) {
  const size_t begin = cursor.at;
  const std::string_view rest = cursor.text.substr(begin);
  const auto bad = [&](std::string message) {
    return cursor.fail(begin, begin + std::min(rest.size(), kHeader), std::move(message));
  };
  if (rest.size() < kHeader) {
    return bad(fmt::format("binary value ends after {} bytes of its header", rest.size()));
  }
  if (rest[1] != 2) {
    return bad(fmt::format("binary format version {}, this reader knows 2",
                           static_cast<unsigned char>(rest[1])));
  }
  const int rank = static_cast<unsigned char>(rest[2]);
  if (rank > kMaxRank)
    return bad(fmt::format("binary value of rank {}, at most {}", rank, kMaxRank));
  const auto type = typeFromField(rest.substr(3, 4));
  if (!type) return bad(fmt::format("unknown element type, bytes {}", hexBytes(rest.substr(3, 4))));
  if (rest.size() - kHeader < 8 * static_cast<size_t>(rank)) {
    return bad("binary value ends inside its sizes");
  }
  BinaryHeader header{*type, {}};
  for (int axis = 0; axis < rank; ++axis) {
    int64_t extent = 0;
    std::memcpy(&extent, rest.data() + kHeader + 8 * axis, 8);
    header.shape.push_back(extent);
  }
  cursor.at += kHeader + 8 * static_cast<size_t>(rank);
  return header;
}

void makeBoolsCanonical(std::byte* bytes, size_t count) {
  for (size_t i = 0; i < count; ++i) bytes[i] = static_cast<std::byte>(bytes[i] != std::byte{0});
}

void appendHeader(std::string& out, ScalarType type, const std::vector<int64_t>& shape) {
  out += {'b', 2, static_cast<char>(shape.size())};
  out += typeField(type);
  out.append(reinterpret_cast<const char*>(shape.data()), 8 * shape.size());
}

void appendScalar(std::string& out, const Scalar& scalar) {
  appendHeader(out, scalar.type, {});
  out.append(reinterpret_cast<const char*>(&scalar.bits),
             static_cast<size_t>(prim::byteSize(scalar.type)));
}

void appendArray(std::string& out, const Array& array) {
  const auto dense = toDense(array);
  HALO_CHECK(dense.has_value(), "array for binary output is not on the host");
  appendHeader(out, dense->type(), dense->shape());
  const auto count = static_cast<size_t>(dense->elements());
  out.append(reinterpret_cast<const char*>(dense->data()),
             count * static_cast<size_t>(prim::byteSize(dense->type())));
}

}  // namespace

diag::Result<Value> readBinary(Cursor& cursor) {
  const size_t begin = cursor.at;
  diag::Result<BinaryHeader> header = readHeader(cursor);
  if (!header) return diag::Failure(header.error());
  const auto bytes = byteSize(header->type, header->shape);
  if (!bytes) return cursor.fail(begin, cursor.at, bytes.error().message);
  const size_t present = cursor.text.size() - cursor.at;
  if (*bytes > present) {
    return cursor.fail(begin, cursor.at,
                       fmt::format("binary value of shape `{}` needs {} bytes, found {}",
                                   shapeText(header->shape), *bytes, present));
  }
  const char* data = cursor.text.data() + cursor.at;
  cursor.at += *bytes;
  if (header->shape.empty()) {
    uint64_t bits = 0;
    std::memcpy(&bits, data, *bytes);
    return Value(Scalar::fromBits(header->type, bits));
  }
  auto array = makeArray(header->type, std::move(header->shape));
  if (!array) return diag::Failure(array.error());
  if (*bytes != 0) std::memcpy(array->data(), data, *bytes);
  if (array->type() == ScalarType::kBool) makeBoolsCanonical(array->data(), *bytes);
  return Value(std::move(*array));
}

std::string toBinary(const Value& value) {
  std::string out;
  for (const Value& leaf : flatten(value)) {
    const Scalar* scalar = leaf.scalar();
    scalar != nullptr ? appendScalar(out, *scalar) : appendArray(out, *leaf.array());
  }
  return out;
}

}  // namespace halo::value
