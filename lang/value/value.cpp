// Arrays and value trees: layout arithmetic, element access, densifying, flattening.
#include "lang/value/value.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstring>

#include "lang/base/check.h"
#include "lang/value/limits.h"

namespace halo::value {

namespace {

size_t elementSize(const Array& array) { return static_cast<size_t>(prim::byteSize(array.type())); }

// Position in the buffer, in elements, of a row-major linear index.
int64_t position(const Descriptor& layout, int64_t linear) {
  int64_t at = layout.offset;
  for (size_t axis = layout.shape.size(); axis-- > 0;) {
    const int64_t extent = layout.shape[axis];
    at += linear % extent * layout.strides[axis];
    linear /= extent;
  }
  return at;
}

template <typename Element>
std::byte* copyRow(const std::byte* from, int64_t stride, int64_t count, std::byte* to) {
  const std::byte* source = from;
  for (int64_t i = 0; i < count; ++i) {
    std::memcpy(to, source, sizeof(Element));
    to += sizeof(Element);
    source += stride;
  }
  return to;
}

// Copies the innermost axis of a view; strides in bytes.
std::byte* copyInnermost(const std::byte* from, int64_t stride, int64_t count, size_t size,
                         std::byte* to) {
  if (stride == static_cast<int64_t>(size)) {
    std::memcpy(to, from, static_cast<size_t>(count) * size);
    return to + static_cast<size_t>(count) * size;
  }
  switch (size) {
    case 1:
      return copyRow<uint8_t>(from, stride, count, to);
    case 2:
      return copyRow<uint16_t>(from, stride, count, to);
    case 4:
      return copyRow<uint32_t>(from, stride, count, to);
    case 8:
      return copyRow<uint64_t>(from, stride, count, to);
    default:
      HALO_UNREACHABLE("element size");
  }
}

std::byte* copyView(const Array& array, const std::byte* from, size_t axis, std::byte* to) {
  const auto size = static_cast<int64_t>(elementSize(array));
  const int64_t extent = array.shape()[axis];
  const int64_t stride = array.layout.strides[axis] * size;
  if (axis + 1 == array.shape().size()) {
    return copyInnermost(from, stride, extent, static_cast<size_t>(size), to);
  }
  for (int64_t i = 0; i < extent; ++i) to = copyView(array, from + i * stride, axis + 1, to);
  return to;
}

// First and last element of the buffer that a view touches; the view is not empty.
struct Reach {
  int64_t first, last;
};
Reach reach(const Descriptor& layout) {
  Reach reach{layout.offset, layout.offset};
  for (size_t axis = 0; axis < layout.shape.size(); ++axis) {
    const int64_t span = (layout.shape[axis] - 1) * layout.strides[axis];
    (span < 0 ? reach.first : reach.last) += span;
  }
  return reach;
}

void flattenInto(const Value& value, std::vector<Value>& leaves) {
  if (const Sum* sum = value.sum()) {
    leaves.insert(leaves.end(), sum->leaves.begin(), sum->leaves.end());
    return;
  }
  const Record* record = value.record();
  if (record == nullptr) {
    leaves.push_back(value);
    return;
  }
  for (const Value& field : record->fields) flattenInto(field, leaves);
}

}  // namespace

int64_t Array::elements() const {
  int64_t product = 1;
  // Extents next to a zero may be so large that their product means nothing.
  if (std::find(shape().begin(), shape().end(), 0) != shape().end()) return 0;
  for (const int64_t extent : shape()) product *= extent;
  return product;
}

bool Array::isDense() const {
  if (elements() == 0) return true;
  int64_t expected = 1;
  for (size_t axis = shape().size(); axis-- > 0;) {
    if (shape()[axis] != 1 && layout.strides[axis] != expected) return false;
    expected *= shape()[axis];
  }
  return true;
}

Scalar Array::at(int64_t linear) const {
  HALO_CHECK(linear >= 0 && linear < elements(), "element out of range");
  HALO_CHECK(onHost(), "element of a device array");
  uint64_t bits = 0;
  const size_t size = elementSize(*this);
  std::memcpy(&bits, buffer->host() + position(layout, linear) * static_cast<int64_t>(size), size);
  return Scalar::fromBits(type(), bits);
}

void setAt(Array& array, int64_t linear, Scalar value) {
  HALO_CHECK(linear >= 0 && linear < array.elements(), "element out of range");
  HALO_CHECK(array.onHost(), "element of a device array");
  HALO_CHECK(value.type == array.type(), "element of another type");
  const size_t size = elementSize(array);
  const int64_t at = position(array.layout, linear) * static_cast<int64_t>(size);
  std::memcpy(array.buffer->host() + at, &value.bits, size);
}

std::byte* Array::data() const {
  if (buffer == nullptr) return nullptr;
  HALO_CHECK(onHost(), "data of a device array");
  return buffer->host() + layout.offset * static_cast<int64_t>(elementSize(*this));
}

std::string shapeText(const std::vector<int64_t>& shape) {
  std::string text;
  for (const int64_t extent : shape) text += fmt::format("[{}]", extent);
  return text;
}

std::string negativeSizeText(int64_t size) {
  return fmt::format("array size `{}` is negative", size);
}

std::string sizeOverflowText(const std::vector<int64_t>& shape) {
  return fmt::format("array of shape `{}` has more elements than memory can address",
                     shapeText(shape));
}

std::vector<int64_t> denseStrides(const std::vector<int64_t>& shape) {
  std::vector<int64_t> strides(shape.size());
  uint64_t stride = 1;  // wraps where an extent is 0 and the others are absurd
  for (size_t axis = shape.size(); axis-- > 0;) {
    strides[axis] = static_cast<int64_t>(stride);
    stride *= static_cast<uint64_t>(shape[axis]);
  }
  return strides;
}

std::optional<size_t> byteCount(int64_t elements, size_t element_bytes) {
  const auto bytes = static_cast<uint64_t>(elements) * element_bytes;  // fits: kMaxElements
  return bytes <= SIZE_MAX ? std::optional(static_cast<size_t>(bytes)) : std::nullopt;
}

std::optional<int64_t> elementCount(std::span<const int64_t> shape) {
  bool has_none = false, fits = true;
  int64_t count = 1;
  for (const int64_t extent : shape) {
    if (extent > kMaxElements) return std::nullopt;
    has_none = has_none || extent == 0;
    fits = fits && !__builtin_mul_overflow(count, extent, &count) && count <= kMaxElements;
  }
  if (has_none) return 0;
  return fits ? std::optional(count) : std::nullopt;
}

diag::Result<size_t> byteSize(ScalarType type, const std::vector<int64_t>& shape) {
  for (const int64_t extent : shape) {
    if (extent < 0) return diag::fail(diag::Code::negative_size, {}, negativeSizeText(extent));
  }
  // Of an array without elements the other extents count as well: a size computed from them later
  // is not checked again.
  std::vector<int64_t> extents = shape;
  std::erase(extents, 0);
  const std::optional<int64_t> elements = elementCount(extents);
  if (!elements) return diag::fail(diag::Code::size_overflow, {}, sizeOverflowText(shape));
  if (extents.size() < shape.size()) return size_t{0};
  const auto element_bytes = static_cast<size_t>(prim::byteSize(type));
  const std::optional<size_t> bytes = byteCount(*elements, element_bytes);
  if (!bytes) {
    const auto needed = static_cast<uint64_t>(*elements) * element_bytes;
    return diag::fail(diag::Code::out_of_memory, {}, needsText(needed));
  }
  return *bytes;
}

diag::Result<Array> makeArray(ScalarType type, std::vector<int64_t> shape) {
  const diag::Result<size_t> bytes = byteSize(type, shape);
  if (!bytes) return diag::Failure(bytes.error());
  diag::Result<BufferRef> buffer = allocateHost(*bytes);
  if (!buffer) return diag::Failure(buffer.error());
  std::vector<int64_t> strides = denseStrides(shape);
  return Array{{type, std::move(shape), std::move(strides), 0}, std::move(*buffer)};
}

diag::Result<Array> toHost(const Array& array) {
  if (array.onHost()) return array;
  if (array.elements() == 0) return makeArray(array.type(), array.shape());
  const auto size = static_cast<int64_t>(elementSize(array));
  const Reach touched = reach(array.layout);
  const auto bytes = static_cast<size_t>((touched.last - touched.first + 1) * size);
  diag::Result<BufferRef> buffer = allocateHost(bytes);
  if (!buffer) return diag::Failure(buffer.error());
  auto done = array.buffer->memory().read(*array.buffer, static_cast<size_t>(touched.first * size),
                                          (*buffer)->host(), bytes);
  if (!done) return diag::Failure(done.error());
  Array copy{array.layout, std::move(*buffer)};
  copy.layout.offset -= touched.first;
  return copy;
}

diag::Result<Array> toDense(const Array& array) {
  diag::Result<Array> host = toHost(array);
  if (!host || host->isDense()) return host;
  diag::Result<Array> dense = makeArray(array.type(), array.shape());
  if (dense) copyView(*host, host->data(), 0, dense->data());
  return dense;
}

bool Record::isTuple() const {
  for (size_t i = 0; i < names.size(); ++i) {
    if (names[i] != std::to_string(i)) return false;
  }
  return names.size() != 1;  // no 1-tuples
}

Value makeTuple(std::vector<Value> fields) {
  Record record;
  for (size_t i = 0; i < fields.size(); ++i) record.names.push_back(std::to_string(i));
  record.fields = std::move(fields);
  return record;
}

diag::Result<Value> withArrays(const Value& value,
                               const std::function<diag::Result<Array>(const Array&)>& replace) {
  if (const Array* array = value.array()) {
    diag::Result<Array> other = replace(*array);
    if (!other) return diag::Failure(other.error());
    return Value(std::move(*other));
  }
  if (value.scalar() != nullptr) return value;
  Value copy = value;
  auto& parts =
      copy.sum() != nullptr ? std::get<Sum>(copy.data).leaves : std::get<Record>(copy.data).fields;
  for (Value& part : parts) {
    diag::Result<Value> replaced = withArrays(part, replace);
    if (!replaced) return replaced;
    part = std::move(*replaced);
  }
  return copy;
}

diag::Result<Value> toHost(const Value& value) { return withArrays(value, toDense); }

diag::Result<std::vector<Value>> toHost(std::vector<Value> values) {
  for (Value& value : values) {
    diag::Result<Value> host = toHost(value);
    if (!host) return tl::unexpected(host.error());
    value = std::move(*host);
  }
  return values;
}

bool isLeaf(const Value& value, ScalarType type, size_t rank) {
  if (const Scalar* scalar = value.scalar()) return rank == 0 && scalar->type == type;
  const Array* array = value.array();
  return array != nullptr && array->type() == type && array->shape().size() == rank;
}

std::vector<Value> flatten(const Value& value) {
  std::vector<Value> leaves;
  flattenInto(value, leaves);
  return leaves;
}

}  // namespace halo::value
