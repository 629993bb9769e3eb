#include "interp/arrays/boundary.h"

#include "lang/base/match.h"
#include "lang/engine/regroup.h"

namespace halo::interp {

namespace {

using types::Program;
using types::TypeId;
using value::Value;
using Leaves = std::vector<Value>;

Datum fromArray(const value::Array& given) {
  auto host = value::toHost(given);
  if (!host) throw Failed{std::move(host.error())};
  auto* array = new Array;
  Datum datum(array);
  array->type = host->type();
  array->shape = Dims(host->layout.shape);
  array->strides = Dims(host->layout.strides);
  array->data = host->data();
  array->buffer = host->buffer;
  return datum;
}

// The leaves of one constructor.
Leaves ownLeaves(const value::Sum& sum, size_t constructor) {
  Leaves own;
  for (const size_t slot : sum.form->slot_of_leaf[constructor]) {
    own.push_back(sum.leaves[slot + (sum.form->has_tag ? 1 : 0)]);
  }
  return own;
}

// The type at run time, with the sizes that `value` shows; `dimensions` of arrays stand around it.
Datum typeOf(const Program& program, TypeId type, size_t dimensions, const Value& value);

Datum sumTypeOf(const Program& program, const types::SumType& sum, size_t dimensions,
                const value::Sum& value) {
  auto* made = new RuntimeType(RuntimeType::Form::kSum);
  Datum result(made);
  made->names = &sum.constructors;
  made->starts.push_back(0);
  for (size_t c = 0; c < sum.constructors.size(); ++c) {
    const Leaves own = ownLeaves(value, c);
    size_t next = 0;
    for (size_t i = 0; i < sum.payloads[c].size(); ++i) {
      const Value part = value::assemble(value.form->payloads[c][i], own, &next);
      made->parts.push_back(typeOf(program, sum.payloads[c][i], dimensions, part));
    }
    made->starts.push_back(made->parts.size());
  }
  return result;
}

// The extent of an axis that all leaves have; of units nothing is known.
int64_t extentOf(const Value& value, size_t axis) {
  if (const value::Array* array = value.array()) {
    return axis < array->shape().size() ? array->shape()[axis] : 0;
  }
  const Leaves leaves = value::flatten(value);
  return leaves.empty() || leaves.front().array() == nullptr ? 0 : extentOf(leaves.front(), axis);
}

Datum typeOf(const Program& program, TypeId type, size_t dimensions, const Value& value) {
  return base::match(
      program.types[type],
      [](const types::ScalarTypeNode& scalar) {
        auto* made = new RuntimeType(RuntimeType::Form::kScalar);
        made->scalar = scalar.scalar;
        return Datum(made);
      },
      [&](const types::ArrayType& array) {
        auto* made = new RuntimeType(RuntimeType::Form::kArray);
        Datum result(made);
        made->size = extentOf(value, dimensions);
        made->parts.push_back(typeOf(program, array.element, dimensions + 1, value));
        return result;
      },
      [&](const types::RecordType& record) {
        auto* made = new RuntimeType(RuntimeType::Form::kRecord);
        Datum result(made);
        made->names = &record.names;
        for (size_t i = 0; i < record.fields.size(); ++i) {
          made->parts.push_back(
              typeOf(program, record.fields[i], dimensions, value.record()->fields[i]));
        }
        return result;
      },
      [&](const types::SumType& sum) { return sumTypeOf(program, sum, dimensions, *value.sum()); },
      [](const types::FunctionType&) -> Datum { HALO_UNREACHABLE("a function as an argument"); },
      [](const types::ParamType&) -> Datum { HALO_UNREACHABLE("a polymorphic entry"); });
}

// `dimensions` of arrays stand around the value: it is leaves with that many dimensions more.
Datum fromLeaves(const Program& program, TypeId type, size_t dimensions, const Value& value);

Dims outerShape(const Value& value, size_t dimensions) {
  Dims shape;
  for (size_t axis = 0; axis < dimensions; ++axis) shape.push(extentOf(value, axis));
  return shape;
}

Datum noTags(const Dims& shape) {
  int64_t count = 1;
  for (int64_t extent : shape) count *= extent;
  auto zeros = value::makeArray(ScalarType::kU8, {shape.begin(), shape.end()});
  if (!zeros) throw Failed{std::move(zeros.error())};
  if (count > 0) std::memset(zeros->data(), 0, static_cast<size_t>(count));
  return fromArray(*zeros);
}

Datum fromSum(const Program& program, const types::SumType& sum, size_t dimensions,
              const value::Sum& value) {
  Datum sum_type = sumTypeOf(program, sum, dimensions, value);
  std::vector<Datum> parts;
  const auto add = [&](size_t constructor) {
    const Leaves own = ownLeaves(value, constructor);
    size_t next = 0;
    for (size_t i = 0; i < sum.payloads[constructor].size(); ++i) {
      const Value part = value::assemble(value.form->payloads[constructor][i], own, &next);
      parts.push_back(fromLeaves(program, sum.payloads[constructor][i], dimensions, part));
    }
  };
  if (dimensions == 0) {
    const size_t which = value.constructor();
    add(which);
    return makeSum(std::move(sum_type), which, std::move(parts));
  }
  const Dims shape = outerShape(Value(value), dimensions);
  parts.push_back(value.form->has_tag ? fromArray(*value.leaves.front().array()) : noTags(shape));
  for (size_t c = 0; c < sum.constructors.size(); ++c) add(c);
  return newRecordArray(shape, std::move(parts), std::move(sum_type));
}

Datum fromLeaves(const Program& program, TypeId type, size_t dimensions, const Value& value) {
  return base::match(
      program.types[type],
      [&](const types::ScalarTypeNode&) {
        return dimensions == 0 ? Datum::scalar(*value.scalar()) : fromArray(*value.array());
      },
      [&](const types::ArrayType& array) {
        return fromLeaves(program, array.element, dimensions + 1, value);
      },
      [&](const types::RecordType& record) {
        std::vector<Datum> fields;
        for (size_t i = 0; i < record.fields.size(); ++i) {
          fields.push_back(
              fromLeaves(program, record.fields[i], dimensions, value.record()->fields[i]));
        }
        if (dimensions == 0) return makeRecord(std::move(fields));
        return newRecordArray(outerShape(value, dimensions), std::move(fields));
      },
      [&](const types::SumType& sum) { return fromSum(program, sum, dimensions, *value.sum()); },
      [](const types::FunctionType&) -> Datum { HALO_UNREACHABLE("a function as an argument"); },
      [](const types::ParamType&) -> Datum { HALO_UNREACHABLE("a polymorphic entry"); });
}

// Values to leaves: one walk along the static type.
class Leafing {
 public:
  Leafing(State& state, const Program& program) : state_(state), program_(program) {}

  void append(TypeId type, const Datum& datum, Leaves& leaves) const {
    while (const auto* array = std::get_if<types::ArrayType>(&program_.types[type])) {
      type = array->element;
    }
    if (const auto* sum = std::get_if<types::SumType>(&program_.types[type])) {
      return appendSum(*sum, datum, leaves);
    }
    const auto* array = datum.asIf<Array>();
    if (datum.isScalar()) {
      leaves.emplace_back(datum.asScalar());
    } else if (array != nullptr && !array->is_record) {
      leaves.emplace_back(toArray(*array));
    } else {
      const auto& record = std::get<types::RecordType>(program_.types[type]);
      const auto& fields = array != nullptr ? array->fields : datum.as<Record>().fields;
      for (size_t i = 0; i < fields.size(); ++i) append(record.fields[i], fields[i], leaves);
    }
  }

 private:
  Value zeros(ScalarType type, const Dims& shape) const {
    const Datum made = newArray(state_, type, shape);
    const value::BufferRef& buffer = arrayOf(made).buffer;
    std::memset(buffer->host(), 0, buffer->bytes());
    return toArray(arrayOf(made));
  }

  // A constructor that a sum is not: zeros of its type.
  void appendZeros(const RuntimeType& type, Dims shape, Leaves& leaves) const {
    switch (type.form) {
      case RuntimeType::Form::kScalar: {
        if (shape.empty()) return leaves.emplace_back(Scalar{type.scalar, 0}), void();
        leaves.push_back(zeros(type.scalar, shape));
        return;
      }
      case RuntimeType::Form::kArray:
        shape.push(std::max<int64_t>(type.size, 0));
        return appendZeros(type.parts[0].as<RuntimeType>(), shape, leaves);
      case RuntimeType::Form::kRecord:
        for (const Datum& part : type.parts) appendZeros(part.as<RuntimeType>(), shape, leaves);
        return;
      case RuntimeType::Form::kSum:
        return appendZeroSum(type, shape, leaves);
      case RuntimeType::Form::kFunction:
        HALO_UNREACHABLE("a function as a result");
    }
  }
  void appendZeroSum(const RuntimeType& type, const Dims& shape, Leaves& leaves) const {
    std::vector<Leaves> payloads(type.constructors());
    for (size_t c = 0; c < payloads.size(); ++c) {
      for (size_t i = type.starts[c]; i < type.starts[c + 1]; ++i) {
        appendZeros(type.parts[i].as<RuntimeType>(), shape, payloads[c]);
      }
    }
    if (const auto tag = types::tagType(payloads.size())) {
      auto* scalar = new RuntimeType(RuntimeType::Form::kScalar);
      const Datum tag_type(scalar);
      scalar->scalar = *tag;
      appendZeros(*scalar, shape, leaves);
    }
    std::vector<std::vector<types::SlotLeaf>> kinds;
    for (const Leaves& payload : payloads) {
      auto& kind = kinds.emplace_back();
      for (const Value& leaf : payload) {
        const auto* array = leaf.array();
        const size_t rank = array != nullptr ? array->shape().size() : 0;
        kind.push_back(
            {array != nullptr ? array->type() : leaf.scalar()->type, rank > shape.size()});
      }
    }
    const auto slots = types::layoutOf(types::slotKeys(kinds)).slot_of_leaf;
    Leaves all;
    for (size_t c = 0; c < payloads.size(); ++c) {
      for (size_t i = 0; i < payloads[c].size(); ++i) {
        if (slots[c][i] == all.size()) all.push_back(payloads[c][i]);
      }
    }
    leaves.insert(leaves.end(), all.begin(), all.end());
  }

  void appendSum(const types::SumType& sum, const Datum& datum, Leaves& leaves) const {
    const auto slots = engine::slotsOf(program_, sum);
    if (const auto* single = datum.asIf<Sum>()) return appendSingle(sum, slots, *single, leaves);
    const Array& array = arrayOf(datum);
    const value::Array tags = toArray(arrayOf(array.fields[0]));
    if (sum.constructors.size() > 1) leaves.emplace_back(tags);
    Leaves merged;
    size_t field = 1;
    for (size_t c = 0; c < sum.constructors.size(); ++c) {
      Leaves own;
      for (TypeId part : sum.payloads[c]) append(part, array.fields[field++], own);
      for (size_t i = 0; i < own.size(); ++i) {
        if (sum.constructors.size() == 1) {
          merged.push_back(own[i]);
          continue;
        }
        const value::Array& from = *own[i].array();
        if (slots[c][i] == merged.size()) {
          merged.push_back(zeros(from.type(), Dims(from.shape())));
        }
        mergeSlot(tags, c, from, std::get<value::Array>(merged[slots[c][i]].data));
      }
    }
    leaves.insert(leaves.end(), merged.begin(), merged.end());
  }
  // Elements of constructor `which` go into its slot: several for each tag if the payload is an
  // array. The others of `from` were never written.
  static void mergeSlot(const value::Array& tags, size_t which, const value::Array& from,
                        value::Array& to) {
    const int64_t block = tags.elements() > 0 ? from.elements() / tags.elements() : 0;
    for (int64_t i = 0; i < tags.elements(); ++i) {
      if (tags.at(i).bits != which) continue;
      for (int64_t k = i * block; k < (i + 1) * block; ++k) value::setAt(to, k, from.at(k));
    }
  }
  void appendSingle(const types::SumType& sum, const std::vector<std::vector<size_t>>& slots,
                    const Sum& datum, Leaves& leaves) const {
    if (const auto tag = types::tagType(sum.constructors.size())) {
      leaves.emplace_back(Scalar{*tag, datum.constructor});
    }
    const auto& type = datum.type.as<RuntimeType>();
    Leaves all;
    for (size_t c = 0; c < sum.constructors.size(); ++c) {
      Leaves own;
      for (size_t i = 0; i < sum.payloads[c].size(); ++i) {
        if (c == datum.constructor) {
          append(sum.payloads[c][i], datum.payload[i], own);
        } else {
          appendZeros(type.parts[type.starts[c] + i].as<RuntimeType>(), {}, own);
        }
      }
      for (size_t i = 0; i < own.size(); ++i) {
        if (slots[c][i] == all.size()) {
          all.push_back(own[i]);
        } else if (c == datum.constructor) {
          all[slots[c][i]] = own[i];
        }
      }
    }
    leaves.insert(leaves.end(), all.begin(), all.end());
  }

  State& state_;
  const Program& program_;
};

}  // namespace

namespace {

value::Array rawCopy(const Array& array) {
  auto raw = value::makeArray(array.type, {array.shape.begin(), array.shape.end()});
  if (!raw) throw Failed{std::move(raw.error())};
  std::byte* to = raw->data();
  forEachCell(array, [&](const std::byte* at) {
    storeBits(array.type, to, loadCellBits(array, at));
    to += sizeOf(array.type);
  });
  return std::move(*raw);
}

}  // namespace

value::Array toArray(const Array& array) {
  if (array.is_boxed) return rawCopy(array);  // traced while something is differentiated
  value::Array result;
  result.layout.type = array.type;
  result.layout.shape.assign(array.shape.begin(), array.shape.end());
  result.layout.strides.assign(array.strides.begin(), array.strides.end());
  result.layout.offset = (array.data - array.buffer->host()) / sizeOf(array.type);
  result.buffer = array.buffer;
  return result;
}

Datum fromValue(const Program& program, TypeId type, const Value& value) {
  return fromLeaves(program, type, 0, value);
}

void appendLeaves(State& state, const Program& program, TypeId type, const Datum& datum,
                  std::vector<Value>& leaves) {
  Leafing(state, program).append(type, datum, leaves);
}

}  // namespace halo::interp
