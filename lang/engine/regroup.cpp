// Rebuilding typed values from leaves, and splitting them.
#include "lang/engine/regroup.h"

#include "lang/base/match.h"

namespace halo::engine {

using types::TypeId;
using value::Value;

std::vector<std::vector<size_t>> slotsOf(const types::Program& program, const types::SumType& sum) {
  std::vector<std::vector<types::SlotLeaf>> payloads;
  for (const std::vector<TypeId>& payload : sum.payloads) {
    auto& leaves = payloads.emplace_back();
    for (TypeId part : payload) {
      for (const types::Leaf& leaf : types::leaves(program, part)) {
        leaves.push_back({leaf.scalar, !leaf.shape.empty()});
      }
    }
  }
  return types::layoutOf(types::slotKeys(payloads)).slot_of_leaf;
}

namespace {

value::Form formAt(const types::Program& program, TypeId type, int rank);

value::Form sumForm(const types::Program& program, const types::SumType& sum, int rank) {
  auto form = std::make_shared<value::SumForm>();
  form->constructors = sum.constructors;
  for (const std::vector<TypeId>& payload : sum.payloads) {
    auto& forms = form->payloads.emplace_back();
    for (TypeId part : payload) forms.push_back(formAt(program, part, 0));
  }
  form->slot_of_leaf = slotsOf(program, sum);
  form->has_tag = types::tagType(sum.constructors.size()).has_value();
  value::Form whole;
  whole.sum = std::move(form);
  whole.rank = rank;
  return whole;
}

value::Form formAt(const types::Program& program, TypeId type, int rank) {
  return base::match(
      program.types[type], [](const types::ScalarTypeNode&) { return value::Form{}; },
      [&](const types::ArrayType& array) { return formAt(program, array.element, rank + 1); },
      [&](const types::RecordType& record) {
        value::Form form;
        form.is_record = true;
        form.names = record.names;
        for (TypeId field : record.fields) form.fields.push_back(formAt(program, field, rank));
        return form;
      },
      [&](const types::SumType& sum) { return sumForm(program, sum, rank); },
      [](const types::FunctionType&) -> value::Form { HALO_UNREACHABLE("function at an entry"); },
      [](const types::ParamType&) -> value::Form {
        HALO_UNREACHABLE("type parameter at an entry");
      });
}

}  // namespace

value::Form formOf(const types::Program& program, TypeId type) { return formAt(program, type, 0); }

Value regroup(const types::Program& program, TypeId type, const std::vector<Value>& leaves,
              size_t* next) {
  return value::assemble(formOf(program, type), leaves, next);
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
