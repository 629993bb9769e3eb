// Sizes that are expressions, written down as expressions of the tree again.
#include "lang/base/match.h"
#include "lang/types/infer/finished_types.h"

namespace halo::types {

using namespace syntax;
using prim::ScalarType;

namespace {

// The node with other children, in the order of forEachChild.
ExprNode withChildren(ExprNode node, const std::vector<ExprId>& children) {
  size_t next = 0;
  auto set = [&](ExprId& child) {
    if (child) child = children[next++];
  };
  if (auto* e = std::get_if<Apply>(&node)) {
    set(e->function);
    set(e->argument);
  } else if (auto* e = std::get_if<Binary>(&node)) {
    set(e->lhs);
    set(e->rhs);
  } else if (auto* e = std::get_if<Unary>(&node)) {
    set(e->operand);
  } else if (auto* e = std::get_if<Project>(&node)) {
    set(e->record);
  } else if (auto* e = std::get_if<OperatorSection>(&node)) {
    set(e->lhs);
    set(e->rhs);
  } else if (auto* e = std::get_if<If>(&node)) {
    set(e->condition);
    set(e->then_branch);
    set(e->else_branch);
  } else if (auto* e = std::get_if<RecordUpdate>(&node)) {
    set(e->record);
    set(e->value);
  } else if (auto* e = std::get_if<IndexExpr>(&node)) {
    set(e->array);
    for (IndexPart& part : e->parts) {
      for (ExprId* bound : {&part.index, &part.start, &part.end, &part.stride}) set(*bound);
    }
  } else if (auto* e = std::get_if<RangeExpr>(&node)) {
    for (ExprId* part : {&e->first, &e->second, &e->last}) set(*part);
  } else if (auto* e = std::get_if<TupleExpr>(&node)) {
    for (ExprId& element : e->elements) set(element);
  } else if (auto* e = std::get_if<ArrayExpr>(&node)) {
    for (ExprId& element : e->elements) set(element);
  } else if (auto* e = std::get_if<RecordExpr>(&node)) {
    for (auto& [name, value] : e->fields) set(value);
  }
  return node;
}

}  // namespace

ExprId FinishedTypes::addExpr(ExprNode node, Span span, TypeId type, std::optional<Use> use) {
  ExprId id = program_.tree.exprs.add({std::move(node), span});
  program_.type_of[id] = type;
  program_.use_of[id] = std::move(use);
  return id;
}

ExprId FinishedTypes::writeVariable(BinderId binder, TypeId type) {
  const std::string name = program_.binders[binder].name;
  const Span span = program_.binders[binder].span;
  return addExpr(Variable{{{}, name, span}}, span, type, Use{LocalTarget{binder}, {}, {}});
}

ExprId FinishedTypes::writeSize(SizeId id) {
  const TypeId type = scalarTypeId(ScalarType::kI64);
  const SizeNode node = program_.sizes[id];
  return base::match(
      node,
      [&](const SizeConst& constant) {
        Number number;
        number.integer = static_cast<uint64_t>(constant.value);
        ExprId expr = addExpr(number, {}, type, std::nullopt);
        program_.literal_of[expr] = prim::Scalar::ofI64(constant.value);
        return expr;
      },
      [&](const SizeBinder& binder) { return writeVariable(binder.binder, type); },
      [&](const SizeArith& arith) {
        ExprId lhs = writeSize(arith.lhs), rhs = writeSize(arith.rhs);
        prim::Op op = arith.op == SizeOp::kAdd   ? prim::Op::kAdd
                      : arith.op == SizeOp::kSub ? prim::Op::kSub
                                                 : prim::Op::kMul;
        const char* name = arith.op == SizeOp::kAdd ? "+" : arith.op == SizeOp::kSub ? "-" : "*";
        return addExpr(Binary{{{}, name, {}}, lhs, rhs}, {}, type,
                       Use{PrimMeaning{op, ScalarType::kI64}, {}, {}});
      },
      [](const SizeExpression& expression) { return expression.value; });
}

ExprId FinishedTypes::writeExpression(SizeExprId id) {
  if (auto found = written_.find(id); found != written_.end()) return found->second;
  const SizeExpr node = sizes_.expression(id);
  ExprId written = node.prototype;
  if (node.variable) {
    written = writeVariable(*node.variable, finish(node.type));
  } else if (!node.is_written) {
    std::vector<ExprId> children;
    for (const SizeOperand& part : node.parts) {
      auto* size = std::get_if<Size>(&part);
      children.push_back(size ? writeSize(finish(*size))
                              : writeExpression(std::get<SizeExprId>(part)));
    }
    ExprNode copy = program_.tree.exprs[node.prototype].node;
    written = addExpr(withChildren(std::move(copy), children),
                      program_.tree.exprs[node.prototype].span, finish(node.type), std::nullopt);
    copies_.push_back({written, id});
    writeCopies();
  }
  written_[id] = written;
  return written;
}

// The meaning of names in copies, once that is known of the expressions they are copies of.
void FinishedTypes::writeCopies() {
  std::vector<std::pair<ExprId, SizeExprId>> waiting;
  for (const auto& [copy, id] : std::exchange(copies_, {})) {
    const SizeExpr node = sizes_.expression(id);
    std::optional<Use> use = program_.use_of.at(node.prototype);
    bool has_use = std::holds_alternative<Binary>(program_.tree.exprs[copy].node) ||
                   std::holds_alternative<Variable>(program_.tree.exprs[copy].node) ||
                   std::holds_alternative<Unary>(program_.tree.exprs[copy].node) ||
                   std::holds_alternative<OperatorSection>(program_.tree.exprs[copy].node);
    if (!has_use) continue;
    if (!use) {
      waiting.emplace_back(copy, id);
      continue;
    }
    use->type_arguments.clear();
    use->size_arguments.clear();
    for (TypeRef type : node.type_arguments) use->type_arguments.push_back(finish(type));
    for (const Size& size : node.size_arguments) use->size_arguments.push_back(finish(size));
    program_.use_of[copy] = std::move(use);
  }
  copies_.insert(copies_.end(), waiting.begin(), waiting.end());
}

}  // namespace halo::types
