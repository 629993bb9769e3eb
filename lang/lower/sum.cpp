// Sums: their constructors, and their leaves once the constructor is no longer static.
#include "lang/lower/lowering.h"
#include "lang/lower/sizes/size_checks.h"

namespace halo::lower {

prim::Scalar tagOf(const MonoSum& sum, size_t constructor) {
  return prim::Scalar::ofUnsigned(sum.tag(), constructor);
}

StaticValue Lowering::construct(ExprId id, const syntax::Constructor& node, Frame& frame) {
  ConstructedValue value{nullptr, 0, {}};
  for (ExprId argument : node.arguments) value.payload.push_back(lower(argument, frame));
  value.type = evalType(source.type_of.at(id), frame);
  value.constructor = value.type->sum()->number(node.name.name);
  const std::vector<MonoTypeRef>& types = value.type->sum()->payloads[value.constructor];
  for (size_t i = 0; i < types.size(); ++i) {
    value.payload[i] = coerce(value.payload[i], types[i], Code::shape_mismatch, spanOf(id, frame));
  }
  requireSizes(*this, {}, value.type, spanOf(id, frame));
  return {std::move(value)};
}

StaticValue ValueEmission::dynamic(const StaticValue& value) {
  if (!hasConstructed(value)) return value;
  if (const RecordValue* record = value.record()) {
    RecordValue result{record->names, {}};
    for (const StaticValue& field : record->fields) result.fields.push_back(dynamic(field));
    return {std::move(result)};
  }
  const ConstructedValue& known = *value.constructed();
  if (hasFunction(known.type)) return value;  // its constructor is known wherever it goes
  const MonoSum& type = *known.type->sum();
  Operands payload;
  for (const StaticValue& part : known.payload) appendLeaves(dynamic(part), payload);
  std::vector<std::optional<Operand>> slots(type.slots.size());
  for (size_t i = 0; i < payload.size(); ++i) {
    slots[type.slot_of_leaf[known.constructor][i]] = payload[i];
  }
  SumValue result{known.type, {}};
  if (type.hasTag()) result.leaves.emplace_back(tagOf(type, known.constructor));
  for (size_t i = 0; i < slots.size(); ++i) {
    result.leaves.push_back(slots[i] ? *slots[i] : zero(type.slots[i]));
  }
  return {std::move(result)};
}

Operands ValueEmission::leavesOf(const StaticValue& value) {
  Operands leaves;
  appendLeaves(dynamic(value), leaves);
  return leaves;
}

}  // namespace halo::lower
