// Arrays at run time: structure of arrays. An array of scalars is a strided view of a shared
// buffer. An array of tuples is one array per field, all beginning with the shape of the whole (so
// that zip and unzip cost nothing). An array of sums is an array of records: the tag, then all
// payloads of all constructors. Payloads that the tag does not select are undefined. Views share
// buffers; values never change under a reader's eyes.
//
// While something is differentiated new arrays of scalars are *boxed*: the cells of their buffer
// are Datums, plain or active. Older arrays stay raw and are only read.
#pragma once

#include <cstring>
#include <optional>

#include "interp/arrays/datum.h"
#include "interp/arrays/dims.h"
#include "interp/state.h"
#include "lang/value/memory.h"

namespace halo::interp {

struct Array : Object {
  static constexpr Kind kKind = Kind::kArray;
  Array() : Object(kKind) {}

  Dims shape;  // of an array of records: the dimensions outside the record
  bool is_record = false;
  bool overlapping = false;  // elements share memory: read only
  bool is_boxed = false;     // the cells are Datums
  // an array of scalars
  ScalarType type = ScalarType::kI64;
  Dims strides;  // in elements
  value::BufferRef buffer;
  std::byte* data = nullptr;  // the first element
  // an array of records: each an Array whose shape begins with `shape`
  std::vector<Datum> fields;
  Datum sum_type;  // of an array of sums: a RuntimeType; else nothing

  bool isSum() const { return !sum_type.isScalar(); }
  int64_t extent(size_t axis = 0) const { return shape[axis]; }
  size_t rank() const { return shape.size(); }
};

inline Array& arrayOf(const Datum& datum) { return datum.as<Array>(); }

// ---- making

// Dense, contents undefined. Fails with negative_size, size_overflow, out_of_memory.
Datum newArray(State& state, ScalarType type, Dims shape);
Datum newRecordArray(Dims shape, std::vector<Datum> fields, Datum sum_type = {});
// Room for elements like `sample`, `outer` of them.
Datum newArrayLike(State& state, const Dims& outer, const Datum& sample);
// Room for elements of a type whose sizes are known: the stock of an empty array.
Datum newArrayOf(State& state, const Dims& outer, const RuntimeType& element);
// Fails where there could be no room for them.
void requireSizes(State& state, const Dims& outer, const RuntimeType& element);
// Room for `outer` elements such as those of `array`.
Datum newArrayOfElements(State& state, const Dims& outer, const Array& array);

// ---- views

// `a[i]`: a scalar, a record, or an array of rank one less. The index is in range.
Datum element(const Array& array, int64_t index);
// Like element, but a scalar stays an array of rank 0, something to write into.
Datum subarray(const Array& array, int64_t index);
// The element of a rank-0 array; others are returned unchanged.
Datum settle(const Datum& view);
// The record or sum at one place of an array of such; `field(i)` gives its part in field
// i.
template <typename Field>
Datum joinFields(const Array& array, const Field& field);
Datum slice(const Array& array, size_t axis, int64_t start, int64_t count, int64_t stride);
Datum fixAxis(const Array& array, size_t axis, int64_t index);  // may leave rank 0
Datum transposed(const Array& array);
Datum unflattened(const Array& array, int64_t rows, int64_t columns);
// Windows: `counts` of `sizes` cells, at strides of `steps`, in the first axes. They overlap.
Datum windows(const Array& array, const Dims& counts, const Dims& sizes, const Dims& steps);
Datum flattened(State& state, const Array& array);  // copies if the strides do not allow a view

// ---- contents

inline int64_t sizeOf(ScalarType type) {
  constexpr std::array<int8_t, 12> kSizes = {1, 2, 4, 8, 1, 2, 4, 8, 2, 4, 8, 1};
  return kSizes[static_cast<size_t>(type)];
}
template <typename Word>
uint64_t loadWord(const std::byte* at) {
  Word word;
  std::memcpy(&word, at, sizeof word);
  return word;
}
inline uint64_t loadBits(ScalarType type, const std::byte* at) {
  const int64_t size = sizeOf(type);
  if (size == 8) return loadWord<uint64_t>(at);
  if (size == 4) return loadWord<uint32_t>(at);
  return size == 2 ? loadWord<uint16_t>(at) : loadWord<uint8_t>(at);
}
template <typename Word>
void storeWord(std::byte* at, uint64_t bits) {
  const auto word = static_cast<Word>(bits);
  std::memcpy(at, &word, sizeof word);
}
inline void storeBits(ScalarType type, std::byte* at, uint64_t bits) {
  switch (sizeOf(type)) {
    case 1:
      return storeWord<uint8_t>(at, bits);
    case 2:
      return storeWord<uint16_t>(at, bits);
    case 4:
      return storeWord<uint32_t>(at, bits);
    default:
      return storeWord<uint64_t>(at, bits);
  }
}

// The cells of an array of scalars, raw or boxed.
inline int64_t cellSize(const Array& array) {
  return array.is_boxed ? static_cast<int64_t>(sizeof(Datum)) : sizeOf(array.type);
}
inline Datum loadCell(const Array& array, const std::byte* at) {
  if (array.is_boxed) [[unlikely]]
    return *reinterpret_cast<const Datum*>(at);
  return Datum::scalar(array.type, loadBits(array.type, at));
}
inline uint64_t loadCellBits(const Array& array, const std::byte* at) {
  if (array.is_boxed) return reinterpret_cast<const Datum*>(at)->bits();
  return loadBits(array.type, at);
}
inline void storeCell(const Array& array, std::byte* at, const Datum& value) {
  if (array.is_boxed) [[unlikely]] {
    *reinterpret_cast<Datum*>(at) = value;
  } else {
    storeBits(array.type, at, value.bits());
  }
}
// Calls visit(address) for every cell of a view, row by row.
template <typename Visit>
void forEachCell(const Array& array, const Visit& visit, size_t axis, std::byte* at) {
  if (axis == array.rank()) return visit(at);
  for (int64_t i = 0; i < array.shape[axis]; ++i) {
    forEachCell(array, visit, axis + 1, at + i * array.strides[axis] * cellSize(array));
  }
}
template <typename Visit>
void forEachCell(const Array& array, const Visit& visit) {
  forEachCell(array, visit, 0, array.data);
}

bool isDense(const Array& array);                // of scalars, row-major without gaps
Datum copied(State& state, const Array& array);  // dense
bool isUnique(const Datum& array);               // nothing else refers to it or its buffers
// Whether an update may happen in place: unique, without raw cells that an active value would not
// fit into.
bool isWritable(const State& state, const Datum& array);
// The same array in buffers that may be written: itself if that is so already.
Datum makeUnique(State& state, Datum array);
// Writes a value into a view, or writes nothing and says which shapes differ.
struct ShapeDifference {
  Dims wanted, found;
};
using Difference = std::optional<ShapeDifference>;
Difference assign(const Datum& view, const Datum& value);
// May have written a part of a record before it finds that shapes differ.
Difference store(const Array& array, int64_t index, const Datum& value);
// Every element of a fresh array becomes `value`, whose shape fits.
void fill(State& state, const Array& array, const Datum& value);

bool equal(const Datum& a, const Datum& b);

template <typename Field>
Datum joinFields(const Array& array, const Field& field) {
  std::vector<Datum> items;
  if (!array.isSum()) {
    items.reserve(array.fields.size());
    for (const Datum& part : array.fields) items.push_back(field(part));
    return makeRecord(std::move(items));
  }
  const auto& starts = array.sum_type.as<RuntimeType>().starts;
  // Where another constructor holds this sum the tag is undefined.
  const size_t tag = std::min<size_t>(field(array.fields[0]).bits(), starts.size() - 2);
  for (size_t i = starts[tag]; i < starts[tag + 1]; ++i) {
    items.push_back(field(array.fields[i + 1]));
  }
  return makeSum(array.sum_type, tag, std::move(items));
}

// Collects the results of a map, in order: the first one shows the shape of the rest.
class ArrayBuilder {
 public:
  ArrayBuilder(State& state, int64_t count) : state_(state), count_(count) {}
  void add(const Datum& item);
  bool holdsScalars() const { return scalars_; }  // raw ones; known after the first
  // Of records (no sums): the number of fields; else 0.
  size_t fieldCount() const { return fields_; }
  void addFields(const Datum* items);
  void addBits(uint64_t bits) {
    storeBits(type_, next_, bits);
    next_ += sizeOf(type_);
    ++added_;
  }
  // `element` is called only when nothing was added.
  template <typename ElementType>
  Datum finish(const ElementType& element) {
    if (added_ == 0) result_ = newArrayOf(state_, {count_}, element().template as<RuntimeType>());
    return std::move(result_);
  }

 private:
  void start(const Datum& item);
  void put(const Array& array, const Datum& item);

  State& state_;
  int64_t count_;
  int64_t added_ = 0;
  Datum result_;
  bool scalars_ = false;
  size_t fields_ = 0;
  ScalarType type_ = ScalarType::kI64;
  std::byte* next_ = nullptr;
};

}  // namespace halo::interp
