// Making, resolving and walking types under inference.
#include "lang/types/infer/type_table.h"

#include <algorithm>

#include "lang/types/infer/accumulator.h"

namespace halo::types {

using prim::ScalarType;

Allowed allowedWhere(bool (*predicate)(ScalarType)) {
  Allowed allowed = 0;
  for (ScalarType type : prim::kAllScalarTypes) {
    if (predicate(type)) allowed |= allow(type);
  }
  return allowed;
}

Allowed allowedAt(prim::Operands operands) {
  switch (operands) {
    case prim::Operands::kInt:
      return allowedWhere(prim::isInteger);
    case prim::Operands::kFloat:
      return allowedWhere(prim::isFloat);
    case prim::Operands::kWideFloat:
      return allow(ScalarType::kF32) | allow(ScalarType::kF64);
    case prim::Operands::kNum:
      return allowedWhere(prim::isNumber);
    case prim::Operands::kBool:
      return allow(ScalarType::kBool);
    case prim::Operands::kIntBool:
      return allowedWhere(prim::isInteger) | allow(ScalarType::kBool);
    case prim::Operands::kAny:
      return kAnyType;
  }
  HALO_UNREACHABLE("unknown operand class");
}

bool isFieldBefore(const std::string& a, const std::string& b) {
  auto isNumber = [](const std::string& name) { return name[0] >= '0' && name[0] <= '9'; };
  if (!isNumber(a) || !isNumber(b)) return a < b;  // digits come before letters
  return a.size() != b.size() ? a.size() < b.size() : a < b;
}

std::optional<size_t> InferSum::find(const std::string& constructor) const {
  auto place = std::lower_bound(constructors.begin(), constructors.end(), constructor);
  if (place == constructors.end() || *place != constructor) return std::nullopt;
  return static_cast<size_t>(place - constructors.begin());
}

TypeRef TypeTable::add(InferNode node) {
  bool is_plain = std::holds_alternative<ScalarTypeNode>(node) ||
                  std::holds_alternative<InferRecord>(node) ||
                  std::holds_alternative<InferSum>(node);
  if (is_plain) forEachPart(node, [&](TypeRef part) { is_plain = is_plain && isPlain(part); });
  is_plain_.push_back(is_plain);
  nodes_.push_back(std::move(node));
  return TypeRef(nodes_.size() - 1);
}

TypeRef TypeTable::unknown(Span origin, Allowed allowed) {
  return add(UnknownType{{}, allowed, origin, syntax::Lift::kFull, {}});
}

TypeRef TypeTable::unknown(Span origin, syntax::Lift lift) {
  return add(UnknownType{{}, kAnyType, origin, lift, {}});
}

TypeRef TypeTable::unknownSum(const std::string& constructor, std::vector<TypeRef> payload,
                              Span origin) {
  rows_.push_back({{{constructor, std::move(payload)}}});
  return add(UnknownType{{}, kAnyType, origin, syntax::Lift::kFull, RowId(rows_.size() - 1)});
}

const Row* TypeTable::rowOf(TypeRef type) {
  auto* unknown = as<UnknownType>(type);
  return unknown && unknown->row ? &rows_[unknown->row.index] : nullptr;
}

TypeRef TypeTable::scalar(ScalarType type) {
  TypeRef& made = scalars_[static_cast<size_t>(type)];
  if (!made) made = add(ScalarTypeNode{type});
  return made;
}

TypeRef TypeTable::recordOf(std::vector<std::pair<std::string, TypeRef>> fields) {
  std::sort(fields.begin(), fields.end(),
            [](const auto& a, const auto& b) { return isFieldBefore(a.first, b.first); });
  InferRecord made;
  for (auto& [name, field] : fields) {
    made.names.push_back(std::move(name));
    made.fields.push_back(field);
  }
  return record(std::move(made));
}

TypeRef TypeTable::tuple(std::vector<TypeRef> fields) {
  InferRecord record;
  for (size_t i = 0; i < fields.size(); ++i) record.names.push_back(std::to_string(i));
  record.fields = std::move(fields);
  return add(std::move(record));
}

TypeRef TypeTable::parameter(InferParam param) {
  const bool is_accumulator = param.parameter == accumulatorParam() && param.types.size() == 1;
  return is_accumulator ? accumulator(param.types[0]) : add(std::move(param));
}

// A record, once its array type is known.
TypeRef TypeTable::accumulator(TypeRef array) {
  auto* known = as<InferArray>(array);
  if (!known) return add(InferParam{accumulatorParam(), {array}, {}});
  const InferArray of = *known;
  const TypeRef number = scalar(ScalarType::kI64);
  const TypeRef shape = this->array(of.size, tuple({}));
  return record({accumulatorFields(), {number, number, shape, number, of.element}});
}

TypeRef TypeTable::resolve(TypeRef type) {
  TypeRef root = type;
  while (auto* unknown = std::get_if<UnknownType>(&nodes_[root.index])) {
    if (!unknown->solution) break;
    root = unknown->solution;
  }
  while (type != root) {  // path compression
    auto& unknown = std::get<UnknownType>(nodes_[type.index]);
    type = std::exchange(unknown.solution, root);
  }
  return root;
}

std::optional<ScalarType> TypeTable::asScalar(TypeRef type) {
  auto* scalar = as<ScalarTypeNode>(type);
  return scalar ? std::optional(scalar->scalar) : std::nullopt;
}

// ---- walking over a type

std::vector<TypeRef> TypeTable::unknowns(TypeRef type) {
  std::vector<TypeRef> found;
  auto visit = [&](auto& self, TypeRef ref) -> void {
    ref = resolve(ref);
    if (isPlain(ref)) return;
    if (std::holds_alternative<UnknownType>(nodes_[ref.index])) {
      if (std::find(found.begin(), found.end(), ref) == found.end()) found.push_back(ref);
      return;
    }
    forEachPart(nodes_[ref.index], [&](TypeRef part) { self(self, part); });
  };
  visit(visit, type);
  return found;
}

std::optional<TypeRef> TypeTable::limitLift(TypeRef type, syntax::Lift lift) {
  if (lift == syntax::Lift::kFull || isPlain(type)) return std::nullopt;
  type = resolve(type);
  InferNode& node = nodes_[type.index];
  if (auto* unknown = std::get_if<UnknownType>(&node)) {
    unknown->lift = std::min(unknown->lift, lift);
    return std::nullopt;
  }
  if (std::holds_alternative<InferFunction>(node)) return type;
  if (auto* param = std::get_if<InferParam>(&node)) {
    bool is_more = program_.type_params[param->parameter].lift > lift;
    return is_more ? std::optional(type) : std::nullopt;
  }
  std::optional<TypeRef> failed;
  const InferNode copy = node;
  forEachPart(copy, [&](TypeRef part) {
    if (!failed) failed = limitLift(part, lift);
  });
  return failed;
}

bool TypeTable::isHuge(TypeRef type) {
  int budget = 20000;
  auto visit = [&](auto& self, TypeRef ref) -> void {
    if (--budget <= 0) return;
    forEachPart(nodes_[resolve(ref).index], [&](TypeRef part) { self(self, part); });
  };
  visit(visit, type);
  return budget <= 0;
}

bool TypeTable::occurs(TypeRef unknown, TypeRef type) {
  type = resolve(type);
  if (type == unknown) return true;
  if (isPlain(type)) return false;
  const InferNode& node = nodes_[type.index];
  auto anyOf = [&](const std::vector<TypeRef>& types) {
    return std::any_of(types.begin(), types.end(),
                       [&](TypeRef part) { return occurs(unknown, part); });
  };
  if (const Row* row = rowOf(type)) {
    return std::any_of(row->constructors.begin(), row->constructors.end(),
                       [&](const auto& constructor) { return anyOf(constructor.second); });
  }
  if (auto* array = std::get_if<InferArray>(&node)) return occurs(unknown, array->element);
  if (auto* record = std::get_if<InferRecord>(&node)) {
    return anyOf(record->fields);
  }
  if (auto* sum = std::get_if<InferSum>(&node)) {
    return std::any_of(sum->payloads.begin(), sum->payloads.end(), anyOf);
  }
  if (auto* param = std::get_if<InferParam>(&node)) return anyOf(param->types);
  if (auto* function = std::get_if<InferFunction>(&node)) {
    return occurs(unknown, function->parameter) || occurs(unknown, function->result);
  }
  return false;
}

void TypeTable::solveType(TypeRef unknown, TypeRef value) {
  std::get<UnknownType>(nodes_[unknown.index]).solution = value;
}

// The same for the same type, however it came about.
std::string TypeTable::keyOf(TypeRef type) const {
  while (auto* unknown = std::get_if<UnknownType>(&nodes_[type.index])) {
    if (!unknown->solution) return "?" + std::to_string(type.index);
    type = unknown->solution;
  }
  const InferNode& node = nodes_[type.index];
  if (auto* scalar = std::get_if<ScalarTypeNode>(&node)) {
    return std::string(prim::name(scalar->scalar));
  }
  if (auto* array = std::get_if<InferArray>(&node)) return "[]" + keyOf(array->element);
  if (auto* param = std::get_if<InferParam>(&node)) {
    return "p" + std::to_string(param->parameter.index);
  }
  return "#" + std::to_string(type.index);
}

void TypeTable::reset() {
  nodes_.clear();
  is_plain_.clear();
  rows_.clear();
  scalars_ = {};
}

}  // namespace halo::types
