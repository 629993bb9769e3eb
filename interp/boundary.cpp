#include "interp/boundary.h"

#include "lang/base/match.h"

namespace halo::interp {

namespace {

using types::Program;
using types::TypeId;

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

// `dimensions` of arrays stand around the value: it is leaves with that many dimensions more.
Datum fromLeaves(const Program& program, TypeId type, size_t dimensions,
                 const value::Value& value) {
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
        Dims shape;  // of units nothing is known
        for (size_t axis = 0; axis < dimensions; ++axis) {
          shape.push(fields.empty() ? 0 : arrayOf(fields[0]).shape[axis]);
        }
        return newRecordArray(std::move(shape), std::move(fields));
      },
      [](const types::FunctionType&) -> Datum { HALO_UNREACHABLE("a function as an argument"); },
      [](const types::ParamType&) -> Datum { HALO_UNREACHABLE("a polymorphic entry"); });
}

value::Array toArray(const Array& array) {
  value::Array result;
  result.layout.type = array.type;
  result.layout.shape.assign(array.shape.begin(), array.shape.end());
  result.layout.strides.assign(array.strides.begin(), array.strides.end());
  result.layout.offset = (array.data - array.buffer->host()) / sizeOf(array.type);
  result.buffer = array.buffer;
  return result;
}

}  // namespace

Datum fromValue(const Program& program, TypeId type, const value::Value& value) {
  return fromLeaves(program, type, 0, value);
}

void appendLeaves(const Datum& datum, std::vector<value::Value>& leaves) {
  if (datum.isScalar()) {
    leaves.emplace_back(datum.asScalar());
    return;
  }
  const auto* array = datum.asIf<Array>();
  if (array != nullptr && !array->is_record) {
    leaves.emplace_back(toArray(*array));
    return;
  }
  const auto& fields = array != nullptr ? array->fields : datum.as<Record>().fields;
  for (const Datum& field : fields) appendLeaves(field, leaves);
}

}  // namespace halo::interp
