// Making arrays; views are in view.cpp, contents in contents.cpp.
#include "interp/arrays/array.h"

#include <algorithm>
#include <memory>

#include "lang/value/limits.h"

namespace halo::interp {

namespace {

Dims denseStrides(const Dims& shape) {
  Dims strides = shape;
  int64_t stride = 1;
  for (size_t axis = shape.size(); axis-- > 0;) {
    strides[axis] = stride;
    stride *= std::max<int64_t>(shape[axis], 1);
  }
  return strides;
}

int64_t checkedCount(const State& state, const Dims& shape) {
  for (int64_t extent : shape) {
    if (extent < 0) state.fail(Code::negative_size, {extent});
  }
  const std::optional<int64_t> elements = value::elementCount(shape);
  if (!elements) state.fail(Code::size_overflow, state.user_span, shape);
  return *elements;
}

size_t checkedBytes(const State& state, size_t cell, const Dims& shape) {
  const int64_t elements = checkedCount(state, shape);
  const std::optional<size_t> bytes = value::byteCount(elements, cell);
  if (!bytes) {
    const uint64_t needed = static_cast<uint64_t>(elements) * cell;
    state.fail(Code::out_of_memory, {static_cast<int64_t>(needed)});
  }
  return *bytes;
}

Dims joined(const Dims& outer, std::span<const int64_t> inner) {
  Dims all = outer;
  all.append(inner);
  return all;
}

// The buffer as one of Datums, which end with it.
[[gnu::noinline]] value::BufferRef boxesIn(value::BufferRef memory, ScalarType type, size_t count) {
  auto* cells = reinterpret_cast<Datum*>(memory->host());
  std::uninitialized_fill_n(cells, count, Datum::scalar(type, 0));
  value::Buffer* buffer = memory.get();
  return {buffer, [memory = std::move(memory), cells, count](value::Buffer*) {
            std::destroy_n(cells, count);
          }};
}

}  // namespace

Datum newArray(State& state, ScalarType type, Dims shape) {
  const bool is_boxed = state.differentiating > 0;
  const auto cell = is_boxed ? sizeof(Datum) : static_cast<size_t>(sizeOf(type));
  const size_t bytes = checkedBytes(state, cell, shape);
  auto buffer = value::allocateHost(bytes);
  if (!buffer) state.fail(Code::out_of_memory, {static_cast<int64_t>(bytes)});
  if (is_boxed) [[unlikely]]
    *buffer = boxesIn(std::move(*buffer), type, bytes / cell);
  auto* array = new Array;
  Datum datum(array);
  array->type = type;
  array->is_boxed = is_boxed;
  array->strides = denseStrides(shape);
  array->shape = std::move(shape);
  array->data = (*buffer)->host();
  array->buffer = std::move(*buffer);
  return datum;
}

Datum newRecordArray(Dims shape, std::vector<Datum> fields, Datum sum_type) {
  auto* array = new Array;
  array->shape = std::move(shape);
  array->is_record = true;
  array->fields = std::move(fields);
  array->sum_type = std::move(sum_type);
  return Datum(array);
}

namespace {

ScalarType tagOf(const RuntimeType& sum) {
  return sum.constructors() <= 256 ? ScalarType::kU8 : ScalarType::kU16;
}

// `known`: the constructor whose payload shows its shape, and that payload.
Datum newSumArray(State& state, const Dims& outer, const Datum& sum_type, const Sum* known) {
  const auto& type = sum_type.as<RuntimeType>();
  std::vector<Datum> fields{newArray(state, tagOf(type), outer)};
  const size_t first = known != nullptr ? type.starts[known->constructor] : 0;
  const size_t end = known != nullptr ? first + known->payload.size() : 0;
  for (size_t i = 0; i < type.parts.size(); ++i) {
    fields.push_back(i >= first && i < end
                         ? newArrayLike(state, outer, known->payload[i - first])
                         : newArrayOf(state, outer, type.parts[i].as<RuntimeType>()));
  }
  return newRecordArray(outer, std::move(fields), sum_type);
}

}  // namespace

Datum newArrayLike(State& state, const Dims& outer, const Datum& sample) {
  if (sample.isScalar()) return newArray(state, sample.type(), outer);
  if (const auto* sum = sample.asIf<Sum>()) return newSumArray(state, outer, sum->type, sum);
  const auto* record = sample.asIf<Record>();
  if (record == nullptr) {
    const Array& array = arrayOf(sample);
    if (!array.is_record) return newArray(state, array.type, joined(outer, array.shape));
    checkedCount(state, outer);  // for records without fields
    std::vector<Datum> fields;
    for (const Datum& field : array.fields) fields.push_back(newArrayLike(state, outer, field));
    return newRecordArray(joined(outer, array.shape), std::move(fields), array.sum_type);
  }
  checkedCount(state, outer);  // for records without fields
  std::vector<Datum> fields;
  for (const Datum& field : record->fields) fields.push_back(newArrayLike(state, outer, field));
  return newRecordArray(outer, std::move(fields));
}

Datum newArrayOf(State& state, const Dims& outer, const RuntimeType& element) {
  switch (element.form) {
    case RuntimeType::Form::kScalar:
      return newArray(state, element.scalar, outer);
    case RuntimeType::Form::kArray:
      return newArrayOf(state, joined(outer, std::array{element.size}),
                        element.parts[0].as<RuntimeType>());
    case RuntimeType::Form::kRecord: {
      checkedCount(state, outer);
      std::vector<Datum> fields;
      for (const Datum& part : element.parts) {
        fields.push_back(newArrayOf(state, outer, part.as<RuntimeType>()));
      }
      return newRecordArray(outer, std::move(fields));
    }
    case RuntimeType::Form::kSum: {
      std::vector<Datum> fields{newArray(state, tagOf(element), outer)};
      for (const Datum& part : element.parts) {
        fields.push_back(newArrayOf(state, outer, part.as<RuntimeType>()));
      }
      return newRecordArray(outer, std::move(fields), Datum(const_cast<RuntimeType*>(&element)));
    }
    case RuntimeType::Form::kFunction:
      break;
  }
  HALO_UNREACHABLE("an array of functions");
}

void requireSizes(State& state, const Dims& outer, const RuntimeType& element) {
  if (element.form == RuntimeType::Form::kFunction) return;
  if (element.form == RuntimeType::Form::kArray) {
    return requireSizes(state, joined(outer, std::array{element.size}),
                        element.parts[0].as<RuntimeType>());
  }
  checkedCount(state, outer);
  for (const Datum& part : element.parts) requireSizes(state, outer, part.as<RuntimeType>());
}

Datum newArrayOfElements(State& state, const Dims& outer, const Array& array) {
  if (!array.is_record) return newArray(state, array.type, joined(outer, array.shape.from(1)));
  std::vector<Datum> fields;
  for (const Datum& field : array.fields) {
    fields.push_back(newArrayOfElements(state, outer, arrayOf(field)));
  }
  return newRecordArray(joined(outer, array.shape.from(1)), std::move(fields), array.sum_type);
}

bool isDense(const Array& array) {
  int64_t stride = 1;
  for (size_t axis = array.rank(); axis-- > 0;) {
    if (array.shape[axis] != 1 && array.strides[axis] != stride) return false;
    stride *= std::max<int64_t>(array.shape[axis], 1);
  }
  return true;
}

}  // namespace halo::interp
