// Run-time values as they cross entries, files and the REPL: scalars, arrays of scalars, and
// tuples, records or sums of these. An array of tuples is one Array per scalar leaf (structure of
// arrays), the same flattening as Core's. A sum is a tag and slots, alone as well as in arrays.
#pragma once

#include <functional>
#include <memory>
#include <string>
#include <variant>
#include <vector>

#include "lang/prim/prim.h"
#include "lang/value/memory.h"

namespace halo::value {

using prim::Scalar;
using prim::ScalarType;

// An array as compiled code sees it. Strides and offset count elements.
struct Descriptor {
  ScalarType type = ScalarType::kI64;
  std::vector<int64_t> shape;
  std::vector<int64_t> strides;
  int64_t offset = 0;
};

// A strided view of a buffer. Rank >= 1. Copying shares the buffer.
struct Array {
  Descriptor layout;
  BufferRef buffer;

  ScalarType type() const { return layout.type; }
  const std::vector<int64_t>& shape() const { return layout.shape; }
  int rank() const { return static_cast<int>(layout.shape.size()); }
  int64_t elements() const;  // product of the shape
  bool isDense() const;      // row-major without gaps
  bool onHost() const { return buffer == nullptr || buffer->memory().isHost(); }
  // Element at a linear row-major index; host arrays only.
  Scalar at(int64_t linear) const;
  // First element, host arrays only; valid as a dense block if isDense().
  std::byte* data() const;
};

// Texts that diagnostics share: `[3][4]`, and the message of each size failure.
std::string shapeText(const std::vector<int64_t>& shape);
std::string negativeSizeText(int64_t size);
std::string sizeOverflowText(const std::vector<int64_t>& shape);

// Row-major strides of a shape.
std::vector<int64_t> denseStrides(const std::vector<int64_t>& shape);
// Product of the extents times the element size; failure: negative_size, size_overflow.
diag::Result<size_t> byteSize(ScalarType type, const std::vector<int64_t>& shape);

diag::Result<Array> makeArray(ScalarType type,
                              std::vector<int64_t> shape);  // host, dense, undefined
diag::Result<Array> toHost(const Array& array);             // itself if it is there already
diag::Result<Array> toDense(const Array& array);         // host and dense; itself if it is already
void setAt(Array& array, int64_t linear, Scalar value);  // host arrays

struct Value;

// A tuple has fields "0", "1" ..; a record its names, in alphabetical order.
struct Record {
  std::vector<std::string> names;
  std::vector<Value> fields;
  bool isTuple() const;
};

// How leaves make up a value: its type without scalars and sizes.
struct SumForm;
struct Form {
  std::vector<std::string> names;  // of a record's fields
  std::vector<Form> fields;
  std::shared_ptr<const SumForm> sum;
  bool is_record = false;  // neither record nor sum: one leaf
  int rank = 0;            // of a sum: dimensions around it, within the value or payload it is in
};
struct SumForm {
  std::vector<std::string> constructors;  // in alphabetical order; the tag counts them
  std::vector<std::vector<Form>> payloads;
  std::vector<std::vector<size_t>> slot_of_leaf;  // by constructor, by leaf of its payload
  bool has_tag = false;                           // false: there is one constructor
};

// A sum, or an array of sums of this rank. Leaves: the tag if there is one, then the slots.
struct Sum {
  std::shared_ptr<const SumForm> form;
  int rank = 0;
  std::vector<Value> leaves;

  // Of a single sum on the host. A tag that no constructor has counts as the last one.
  size_t constructor() const;
  std::vector<Value> payload() const;
};

// An array whose element type is a tuple or record: its leaves' arrays, all with the same outer
// shape, arranged like the element type.
struct Value {
  std::variant<Scalar, Array, Record, Sum> data;

  Value() = default;
  Value(Scalar s) : data(s) {}             // NOLINT: values are built from literals everywhere
  Value(Array a) : data(std::move(a)) {}   // NOLINT
  Value(Record r) : data(std::move(r)) {}  // NOLINT
  Value(Sum s) : data(std::move(s)) {}     // NOLINT

  const Scalar* scalar() const { return std::get_if<Scalar>(&data); }
  const Array* array() const { return std::get_if<Array>(&data); }
  const Record* record() const { return std::get_if<Record>(&data); }
  const Sum* sum() const { return std::get_if<Sum>(&data); }
};

Value makeTuple(std::vector<Value> fields);

// The same value with every array on the host and dense.
diag::Result<Value> toHost(const Value& value);
diag::Result<std::vector<Value>> toHost(std::vector<Value> values);
// The same value with each of its arrays replaced.
diag::Result<Value> withArrays(const Value& value,
                               const std::function<diag::Result<Array>(const Array&)>& replace);

// The slots of a sum: its leaves without the tag.
size_t slotCount(const SumForm& form);

// Whether the value is one leaf: a scalar, or an array of this rank.
bool isLeaf(const Value& value, ScalarType type, size_t rank);

// The leaves from left to right: Core passes and returns these.
std::vector<Value> flatten(const Value& value);
// The reverse: takes the leaves from *next on.
Value assemble(const Form& form, const std::vector<Value>& leaves, size_t* next);

// Of an array (of anything): its length, and one element as a view. Nothing says how long an array
// of units is: 0.
int64_t lengthOf(const Value& array);
Value elementOf(const Value& array, int64_t index);

// First difference of two values of one type, compared bit for bit after NaN canonicalisation, or
// within a tolerance.
struct Tolerance {
  enum class Kind { kExact, kFuthark, kRelative } kind = Kind::kExact;
  double relative = 0;  // kRelative: |got - want| <= relative * |want| for each element
};
// Text such as `result[3][5]: expected 1.5f32, got 1.25f32 (2097152 ulp)`; nothing if they agree.
std::optional<std::string> firstDifference(const Value& want, const Value& got,
                                           const Tolerance& tolerance);

}  // namespace halo::value
