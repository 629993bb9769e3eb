// The contents of arrays: copies, assignments, comparisons. Elements of records and sums are
// written field by field.
#include <algorithm>

#include "interp/arrays/array.h"
#include "lang/prim/fold.h"

namespace halo::interp {

namespace {

// Calls visit(to, from) for each pair of elements of two views of one shape, in linear order.
template <typename Visit>
void forEachPair(const Array& to, const Array& from, size_t axis, std::byte* to_at,
                 const std::byte* from_at, const Visit& visit) {
  if (axis == to.rank()) return visit(to_at, from_at);
  const int64_t to_size = cellSize(to), from_size = cellSize(from);
  for (int64_t i = 0; i < to.shape[axis]; ++i) {
    forEachPair(to, from, axis + 1, to_at + i * to.strides[axis] * to_size,
                from_at + i * from.strides[axis] * from_size, visit);
  }
}

void copyScalars(const Array& to, const Array& from) {
  if (to.is_boxed || from.is_boxed) {
    return forEachPair(to, from, 0, to.data, from.data, [&](std::byte* t, const std::byte* f) {
      storeCell(to, t, loadCell(from, f));
    });
  }
  const size_t size = static_cast<size_t>(sizeOf(to.type));
  if (isDense(to) && isDense(from)) {
    size_t bytes = size;
    for (int64_t extent : to.shape) bytes *= static_cast<size_t>(extent);
    if (bytes > 0) std::memcpy(to.data, from.data, bytes);
    return;
  }
  forEachPair(to, from, 0, to.data, from.data,
              [&](std::byte* t, const std::byte* f) { std::memcpy(t, f, size); });
}

bool equalScalars(const Array& a, const Array& b) {
  bool same = true;
  forEachPair(a, b, 0, a.data, b.data, [&](const std::byte* x, const std::byte* y) {
    if (same) same = equal(loadCell(a, x), loadCell(b, y));
  });
  return same;
}

}  // namespace

Datum copied(State& state, const Array& array) {
  if (!array.is_record) {
    Datum copy = newArray(state, array.type, array.shape);
    copyScalars(arrayOf(copy), array);
    return copy;
  }
  std::vector<Datum> fields;
  for (const Datum& field : array.fields) fields.push_back(copied(state, arrayOf(field)));
  return newRecordArray(array.shape, std::move(fields), array.sum_type);
}

bool isUnique(const Datum& datum) {
  if (!datum.isOnlyReference()) return false;
  const Array& array = arrayOf(datum);
  if (array.overlapping) return false;
  if (!array.is_record) return array.buffer.use_count() == 1;
  return std::all_of(array.fields.begin(), array.fields.end(), isUnique);
}

namespace {

bool isBoxed(const Datum& datum) {
  const Array& array = arrayOf(datum);
  if (!array.is_record) return array.is_boxed;
  return std::all_of(array.fields.begin(), array.fields.end(), isBoxed);
}

}  // namespace

bool isWritable(const State& state, const Datum& array) {
  return isUnique(array) && (state.differentiating == 0 || isBoxed(array));
}

Datum makeUnique(State& state, Datum array) {
  if (isWritable(state, array)) return array;
  return copied(state, arrayOf(array));
}

namespace {

// Calls visit(field of the view, part of the value) for all parts that the value has. Stops at a
// true answer.
template <typename Visit>
bool visitParts(const Array& to, const Datum& value, const Visit& visit) {
  if (const auto* sum = value.asIf<Sum>()) {
    const size_t first = 1 + to.sum_type.as<RuntimeType>().starts[sum->constructor];
    if (visit(to.fields[0], Datum::scalar(arrayOf(to.fields[0]).type, sum->constructor))) {
      return true;
    }
    for (size_t i = 0; i < sum->payload.size(); ++i) {
      if (visit(to.fields[first + i], sum->payload[i])) return true;
    }
    return false;
  }
  const auto* array = value.asIf<Array>();
  const auto& fields = array != nullptr ? array->fields : value.as<Record>().fields;
  for (size_t i = 0; i < to.fields.size(); ++i) {
    if (visit(to.fields[i], fields[i])) return true;
  }
  return false;
}

Difference shapeDifference(const Datum& view, const Datum& value) {
  const Array& to = arrayOf(view);
  const auto* from = value.asIf<Array>();
  if (from != nullptr && !(to.shape == from->shape)) return ShapeDifference{to.shape, from->shape};
  Difference difference;
  if (!to.is_record) return difference;
  visitParts(to, value, [&](const Datum& field, const Datum& part) {
    difference = shapeDifference(field, part);
    return difference.has_value();
  });
  return difference;
}

void write(const Datum& view, const Datum& value) {
  const Array& to = arrayOf(view);
  if (value.isScalar()) return storeCell(to, to.data, value);
  const auto* from = value.asIf<Array>();
  if (from != nullptr && !from->is_record) return copyScalars(to, *from);
  visitParts(to, value, [](const Datum& field, const Datum& part) {
    write(field, part);
    return false;
  });
}

}  // namespace

Difference assign(const Datum& view, const Datum& value) {
  auto difference = shapeDifference(view, value);
  if (!difference) write(view, value);
  return difference;
}

Difference store(const Array& array, int64_t index, const Datum& value) {
  if (value.isScalar() && array.rank() == 1) {
    storeCell(array, array.data + index * array.strides[0] * cellSize(array), value);
    return std::nullopt;
  }
  if (array.is_record && array.rank() == 1 && value.asIf<Array>() == nullptr) {
    Difference difference;
    visitParts(array, value, [&](const Datum& field, const Datum& part) {
      difference = store(arrayOf(field), index, part);
      return difference.has_value();
    });
    return difference;
  }
  return assign(subarray(array, index), value);
}

void fill(State& state, const Array& array, const Datum& value) {
  const int64_t count = array.extent();
  if (count == 0) return;
  if (array.is_record) {
    visitParts(array, value, [&](const Datum& field, const Datum& part) {
      fill(state, arrayOf(field), part);
      return false;
    });
    return;
  }
  if (array.is_boxed) {
    for (int64_t i = 0; i < count; ++i) {
      state.poll();
      write(subarray(array, i), value);
    }
    return;
  }
  int64_t bytes = sizeOf(array.type);
  for (int64_t extent : array.shape.from(1)) bytes *= extent;
  write(subarray(array, 0), value);
  // The elements so far once more, until a piece is worth a question whether to go on.
  constexpr int64_t kPiece = int64_t{1} << 22;
  for (int64_t done = 1; done < count && bytes > 0;) {
    state.poll();
    const int64_t more = std::min({done, count - done, std::max<int64_t>(kPiece / bytes, 1)});
    std::memcpy(array.data + done * bytes, array.data, static_cast<size_t>(more * bytes));
    done += more;
  }
}

namespace {

bool equalParts(const std::vector<Datum>& a, const std::vector<Datum>& b) {
  return std::equal(a.begin(), a.end(), b.begin(), b.end(), equal);
}

// Element by element: only the tags select the fields to compare.
bool equalSums(const Array& a, const Array& b) {
  if (!(a.shape == b.shape)) return false;
  for (int64_t i = 0; i < a.extent(); ++i) {
    if (!equal(element(a, i), element(b, i))) return false;
  }
  return true;
}

}  // namespace

bool equal(const Datum& a, const Datum& b) {
  if (a.isScalar()) {
    const std::array args{a.asScalar(), b.asScalar()};
    return std::get<Scalar>(prim::fold(prim::Op::kEq, a.type(), args)).asBool();
  }
  const auto* x = a.asIf<Array>();
  if (x != nullptr && !x->is_record) {
    return x->shape == arrayOf(b).shape && equalScalars(*x, arrayOf(b));
  }
  if (x != nullptr && x->isSum()) return equalSums(*x, arrayOf(b));
  if (x != nullptr) {
    return x->shape == arrayOf(b).shape && equalParts(x->fields, arrayOf(b).fields);
  }
  if (const auto* sum = a.asIf<Sum>()) {
    const Sum& other = b.as<Sum>();
    return sum->constructor == other.constructor && equalParts(sum->payload, other.payload);
  }
  return equalParts(a.as<Record>().fields, b.as<Record>().fields);
}

void ArrayBuilder::put(const Array& array, const Datum& item) {
  if (const auto difference = store(array, added_, item)) {
    Dims extents = difference->wanted;
    extents.append(difference->found);
    state_.fail(Code::irregular_array, state_.user_span, extents);
  }
}

void ArrayBuilder::add(const Datum& item) {
  if (added_ == 0) start(item);
  if (scalars_) return addBits(item.bits());
  put(arrayOf(result_), item);
  ++added_;
}

void ArrayBuilder::addFields(const Datum* items) {
  const Array& array = arrayOf(result_);
  for (size_t i = 0; i < fields_; ++i) put(arrayOf(array.fields[i]), items[i]);
  ++added_;
}

void ArrayBuilder::start(const Datum& item) {
  result_ = newArrayLike(state_, {count_}, item);
  scalars_ = item.isScalar() && !arrayOf(result_).is_boxed;
  if (const auto* record = item.asIf<Record>()) fields_ = record->fields.size();
  if (!scalars_) return;
  type_ = item.type();
  next_ = arrayOf(result_).data;
}

}  // namespace halo::interp
