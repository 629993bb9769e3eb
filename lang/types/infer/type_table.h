// The types of one declaration while it is inferred: made, looked at and walked over. Unification
// (unify.h) solves the unknown ones.
#pragma once

#include <array>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "lang/types/infer/infer_type.h"

namespace halo::types {

class TypeTable {
 public:
  explicit TypeTable(const Program& program) : program_(program) {}

  // ---- making
  TypeRef add(InferNode node);
  TypeRef unknown(Span origin, Allowed allowed = kAnyType);
  TypeRef unknown(Span origin, syntax::Lift lift);
  TypeRef scalar(prim::ScalarType type);
  // An unknown sum with this constructor.
  TypeRef unknownSum(const std::string& constructor, std::vector<TypeRef> payload, Span origin);
  TypeRef array(Size size, TypeRef element) { return add(InferArray{std::move(size), element}); }
  TypeRef record(InferRecord record) { return add(std::move(record)); }
  // In any order: a record has its own (isFieldBefore).
  TypeRef recordOf(std::vector<std::pair<std::string, TypeRef>> fields);
  TypeRef tuple(std::vector<TypeRef> fields);
  TypeRef function(InferFunction function) { return add(std::move(function)); }
  TypeRef param(TypeParamId id) { return add(InferParam{id, {}, {}}); }
  TypeRef parameter(InferParam param);
  TypeRef accumulator(TypeRef array);  // accumulator.h
  TypeRef sum(InferSum sum) { return add(std::move(sum)); }
  TypeRef poison() { return add(Poison{}); }

  // ---- looking
  TypeRef resolve(TypeRef type);
  const InferNode& node(TypeRef type) { return nodes_[resolve(type).index]; }
  template <typename Node>
  const Node* as(TypeRef type) {
    return std::get_if<Node>(&node(type));
  }
  std::optional<prim::ScalarType> asScalar(TypeRef type);
  const Row* rowOf(TypeRef type);
  // Made of scalars, records and sums only, so that nothing about it can change. Most sums with
  // many constructors are, and are not walked through at each use.
  bool isPlain(TypeRef type) { return is_plain_[resolve(type).index]; }
  bool isUnknown(TypeRef type) { return as<UnknownType>(type) != nullptr; }
  bool occurs(TypeRef unknown, TypeRef type);  // `unknown` is resolved
  std::vector<TypeRef> unknowns(TypeRef type);
  // Types can double with every definition (`\x -> (x, x)`); beyond this they have no use.
  bool isHuge(TypeRef type);
  // The same text for the same type, however it came about.
  std::string keyOf(TypeRef type) const;
  size_t count() const { return nodes_.size(); }

  // ---- solving
  void solveType(TypeRef unknown, TypeRef value);
  // From now on no function may become part of it. Gives the part that is one.
  std::optional<TypeRef> limitLift(TypeRef type, syntax::Lift lift);
  UnknownType& unknownAt(TypeRef type) { return std::get<UnknownType>(nodes_[type.index]); }
  Row& row(RowId id) { return rows_[id.index]; }

  void reset();

 private:
  const Program& program_;
  std::vector<InferNode> nodes_;
  std::vector<bool> is_plain_;  // by node
  std::vector<Row> rows_;
  std::array<TypeRef, std::size(prim::kAllScalarTypes)> scalars_ = {};
};

// The types that a type is made of directly.
template <typename Visit>
void forEachPart(const InferNode& node, Visit&& visit) {
  if (auto* array = std::get_if<InferArray>(&node)) {
    visit(array->element);
  } else if (auto* record = std::get_if<InferRecord>(&node)) {
    for (TypeRef field : record->fields) visit(field);
  } else if (auto* sum = std::get_if<InferSum>(&node)) {
    for (const auto& payload : sum->payloads) {
      for (TypeRef part : payload) visit(part);
    }
  } else if (auto* param = std::get_if<InferParam>(&node)) {
    for (TypeRef argument : param->types) visit(argument);
  } else if (auto* function = std::get_if<InferFunction>(&node)) {
    visit(function->parameter);
    visit(function->result);
  }
}

}  // namespace halo::types
