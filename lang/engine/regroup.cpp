// Rebuilding typed values from leaves, and taking them apart.
#include "lang/engine/regroup.h"

#include "lang/base/match.h"

namespace halo::engine {
namespace {

using types::TypeId;
using value::Value;

}  // namespace

Value regroup(const types::Program& program, TypeId type, const std::vector<Value>& leaves,
              size_t* next) {
  return base::match(
      program.types[type], [&](const types::ScalarTypeNode&) { return leaves.at((*next)++); },
      [&](const types::ArrayType& array) {
        // Dimensions do not change the arrangement, only the element type does.
        return regroup(program, array.element, leaves, next);
      },
      [&](const types::RecordType& record) {
        value::Record fields{record.names, {}};
        for (TypeId field : record.fields) {
          fields.fields.push_back(regroup(program, field, leaves, next));
        }
        return Value(std::move(fields));
      },
      [&](const types::FunctionType&) -> Value { HALO_UNREACHABLE("function at an entry"); },
      [&](const types::ParamType&) -> Value { HALO_UNREACHABLE("type parameter at an entry"); });
}

std::vector<Value> regroupResults(const types::Program& program, types::DefId entry,
                                  const std::vector<Value>& leaves) {
  size_t next = 0;
  Value whole = regroup(program, program.defs[entry].result, leaves, &next);
  const value::Record* record = whole.record();
  bool is_tuple_type =
      std::holds_alternative<types::RecordType>(program.types[program.defs[entry].result]);
  if (record != nullptr && is_tuple_type && record->isTuple()) return record->fields;
  return {std::move(whole)};
}

std::vector<Value> flattenArguments(const std::vector<Value>& arguments) {
  std::vector<Value> leaves;
  for (const Value& argument : arguments) {
    for (Value& leaf : value::flatten(argument)) leaves.push_back(std::move(leaf));
  }
  return leaves;
}

}  // namespace halo::engine
