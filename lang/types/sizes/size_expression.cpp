// Sizes that are no polynomials: `f x` in `[f x]t`. They are trees of the source, shared when
// equal, so that two are the same when they call the same with the same parts. Substitution goes
// into them, and the result is written down as an expression again.
#include <fmt/format.h>

#include <algorithm>

#include "lang/base/match.h"
#include "lang/syntax/print/printer.h"
#include "lang/types/infer/inference.h"

namespace halo::types {

using namespace syntax;
using prim::ScalarType;

namespace {

std::string keyOf(const Size& size) {
  std::vector<std::string> terms;
  for (const SizeTerm& term : size.terms) {
    base::Few<SizeAtom> atoms = term.atoms;
    std::sort(atoms.begin(), atoms.end());
    std::string text = std::to_string(term.factor);
    for (SizeAtom atom : atoms) {
      text += (atom.is_unknown ? "?" : atom.is_expression ? "e" : "b") + std::to_string(atom.index);
    }
    terms.push_back(std::move(text));
  }
  std::sort(terms.begin(), terms.end());
  std::string key;
  for (const std::string& term : terms) key += term + "+";
  return key;
}

bool anyAtom(const Size& size, const std::function<bool(SizeAtom)>& holds) {
  return std::any_of(size.terms.begin(), size.terms.end(), [&](const SizeTerm& term) {
    return std::any_of(term.atoms.begin(), term.atoms.end(), holds);
  });
}

// Sums of weights stay in their type.
constexpr size_t kMaxSummedWeight = size_t{1} << 32;

}  // namespace

// The same for the same type, however it came about.
std::string Inference::typeKey(TypeRef type) const {
  while (auto* unknown = std::get_if<UnknownType>(&nodes_[type.index])) {
    if (!unknown->solution) return "?" + std::to_string(type.index);
    type = unknown->solution;
  }
  const InferNode& node = nodes_[type.index];
  if (auto* scalar = std::get_if<ScalarTypeNode>(&node)) {
    return std::string(prim::name(scalar->scalar));
  }
  if (auto* array = std::get_if<InferArray>(&node)) return "[]" + typeKey(array->element);
  if (auto* param = std::get_if<InferParam>(&node)) {
    return "p" + std::to_string(param->parameter.index);
  }
  return "#" + std::to_string(type.index);
}

SizeExprId Inference::internExpression(SizeExpr node) const {
  std::string key = node.head;
  if (node.variable) key += "$" + std::to_string(node.variable->index);
  for (TypeRef type : node.type_arguments) key += "'" + typeKey(type);
  for (Size& size : node.size_arguments) {
    size = resolve(size);
    key += "[" + keyOf(size) + "]";
  }
  node.weight = 1;
  for (const SizeOperand& part : node.parts) {
    key += '\0';
    if (auto* size = std::get_if<Size>(&part)) {
      key += keyOf(*size);
      node.is_open = node.is_open || hasUnknown(*size);
      for (const SizeTerm& term : size->terms) {
        node.weight += 1 + term.atoms.size();
        for (SizeAtom atom : term.atoms) {
          if (!atom.is_expression) continue;
          node.is_cheap = node.is_cheap && size_exprs_[atom.index].is_cheap;
          node.weight += size_exprs_[atom.index].weight;
        }
      }
    } else {
      SizeExprId inner = std::get<SizeExprId>(part);
      key += "e" + std::to_string(inner.index);
      node.is_open = node.is_open || size_exprs_[inner.index].is_open;
      node.is_cheap = node.is_cheap && size_exprs_[inner.index].is_cheap;
      node.weight += size_exprs_[inner.index].weight;
    }
  }
  node.weight = std::min(node.weight, kMaxSummedWeight);
  auto [place, is_new] = size_expr_ids_.try_emplace(std::move(key));
  if (is_new) {
    place->second = SizeExprId(size_exprs_.size());
    size_exprs_.push_back(std::move(node));
  }
  return place->second;
}

SizeExprId Inference::sizeVariable(BinderId binder, TypeRef type) {
  SizeExpr node;
  node.head = "variable";
  node.variable = binder;
  node.type = type;
  return internExpression(std::move(node));
}

Size Inference::expressionSize(SizeExprId id) const {
  SizeAtom atom{false, id.index};
  atom.is_expression = true;
  atom.is_open = size_exprs_[id.index].is_open;
  return atomSize(atom);
}

bool Inference::isCheap(const Size& size) const {
  return !anyAtom(
      size, [&](SizeAtom atom) { return atom.is_expression && !size_exprs_[atom.index].is_cheap; });
}

bool Inference::isHeavy(const Size& size, size_t most) const {
  return anyAtom(size, [&](SizeAtom atom) {
    return atom.is_expression && isHeavy(SizeExprId(atom.index), most);
  });
}

bool Inference::hasExpression(const Size& size) const {
  return anyAtom(size, [](SizeAtom atom) { return atom.is_expression; });
}

void Inference::forEachLeaf(const Size& size, const std::function<void(SizeAtom)>& visit) const {
  SeenExprs seen;
  forEachLeaf(size, visit, seen);
}

void Inference::forEachLeaf(const Size& size, const std::function<void(SizeAtom)>& visit,
                            SeenExprs& seen) const {
  const auto within = [&](auto& self, SizeExprId id) -> void {
    if (!seen.insert(id.index).second) return;
    const SizeExpr node = size_exprs_[id.index];
    if (node.variable) visit({false, node.variable->index});
    for (const Size& argument : node.size_arguments) forEachLeaf(resolve(argument), visit, seen);
    for (const SizeOperand& part : node.parts) {
      if (auto* operand = std::get_if<Size>(&part)) {
        forEachLeaf(resolve(*operand), visit, seen);
      } else {
        self(self, std::get<SizeExprId>(part));
      }
    }
  };
  for (const SizeTerm& term : size.terms) {
    for (SizeAtom atom : term.atoms) {
      if (atom.is_expression) {
        within(within, SizeExprId(atom.index));
      } else {
        visit(atom);
      }
    }
  }
}

// The same expression with its parts replaced.
SizeExprId Inference::rebuild(SizeExprId id, SizeRebuild& with) const {
  if (auto done = with.done.find(id.index); done != with.done.end()) return done->second;
  const SizeExprId made = rebuildOnce(id, with);
  with.done.emplace(id.index, made);
  return made;
}

SizeExprId Inference::rebuildOnce(SizeExprId id, SizeRebuild& with) const {
  SizeExpr copy = size_exprs_[id.index];
  if (copy.variable && with.variable) {
    if (auto value = with.variable(*copy.variable)) return *value;
  }
  bool changed = false;
  for (SizeOperand& part : copy.parts) {
    if (auto* size = std::get_if<Size>(&part)) {
      Size replaced = with.size(*size);
      changed = changed || !equal(replaced, *size);
      *size = std::move(replaced);
    } else {
      SizeExprId& inner = std::get<SizeExprId>(part);
      SizeExprId replaced = rebuild(inner, with);
      changed = changed || replaced != inner;
      inner = replaced;
    }
  }
  for (Size& size : copy.size_arguments) {
    Size replaced = with.size(size);
    changed = changed || !equal(replaced, size);
    size = std::move(replaced);
  }
  if (with.type) {
    for (TypeRef& type : copy.type_arguments) {
      TypeRef replaced = with.type(type);
      changed = changed || replaced != type;
      type = replaced;
    }
    if (changed) copy.type = with.type(copy.type);
  }
  if (!changed) return id;
  copy.is_written = copy.is_open = false;
  return internExpression(std::move(copy));
}

// `f n` against `f m`: part by part, which may solve unknowns.
bool Inference::matchExpressions(SizeExprId found, SizeExprId needed) {
  if (found == needed) return true;
  const SizeExpr a = size_exprs_[found.index], b = size_exprs_[needed.index];
  if (a.head != b.head || a.variable != b.variable || a.parts.size() != b.parts.size()) {
    return false;
  }
  for (size_t i = 0; i < a.parts.size(); ++i) {
    auto* size_a = std::get_if<Size>(&a.parts[i]);
    auto* size_b = std::get_if<Size>(&b.parts[i]);
    if ((size_a == nullptr) != (size_b == nullptr)) return false;
    if (size_a) {
      if (decide(*size_a, *size_b) != Decision::kHolds) return false;
    } else if (!matchExpressions(std::get<SizeExprId>(a.parts[i]),
                                 std::get<SizeExprId>(b.parts[i]))) {
      return false;
    }
  }
  return true;
}

// ---- back to the tree

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

ExprId Inference::addExpr(ExprNode node, Span span, TypeId type, std::optional<Use> use) {
  ExprId id = program_.tree.exprs.add({std::move(node), span});
  program_.type_of[id] = type;
  program_.use_of[id] = std::move(use);
  return id;
}

ExprId Inference::writeVariable(BinderId binder, TypeId type) {
  const std::string name = program_.binders[binder].name;
  const Span span = program_.binders[binder].span;
  return addExpr(Variable{{{}, name, span}}, span, type, Use{LocalTarget{binder}, {}, {}});
}

ExprId Inference::writeSize(SizeId id) {
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

ExprId Inference::writeExpression(SizeExprId id) {
  if (auto found = written_.find(id); found != written_.end()) return found->second;
  const SizeExpr node = size_exprs_[id.index];
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
void Inference::writeCopies() {
  std::vector<std::pair<ExprId, SizeExprId>> waiting;
  for (const auto& [copy, id] : std::exchange(copies_, {})) {
    const SizeExpr node = size_exprs_[id.index];
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

namespace {

std::string onOneLine(const std::string& text) {
  std::string line;
  for (char c : text) {
    const bool is_space = c == ' ' || c == '\n';
    if (!is_space || line.empty() || line.back() != ' ') line += is_space ? ' ' : c;
  }
  return line;
}

}  // namespace

std::string Inference::print(SizeExprId id) {
  const SizeExpr node = size_exprs_[id.index];
  if (node.variable) return program_.binders[*node.variable].name;
  auto text = [&](size_t i) {
    auto* size = std::get_if<Size>(&node.parts[i]);
    std::string part = size ? print(*size) : print(std::get<SizeExprId>(node.parts[i]));
    return part.find_first_of(" +-*/") == std::string::npos ? part : "(" + part + ")";
  };
  const ExprNode& expr = program_.tree.exprs[node.prototype].node;
  if (std::holds_alternative<Lambda>(expr)) {
    return "(" + onOneLine(syntax::print(program_.tree, node.prototype)) + ")";
  }
  if (std::holds_alternative<Apply>(expr)) {
    auto* size = std::get_if<Size>(&node.parts[0]);
    std::string function = size ? print(*size) : print(std::get<SizeExprId>(node.parts[0]));
    return function + " " + text(1);
  }
  if (auto* binary = std::get_if<Binary>(&expr)) return text(0) + binary->op.name + text(1);
  if (auto* unary = std::get_if<Unary>(&expr)) return unary->op + text(0);
  if (auto* project = std::get_if<Project>(&expr)) return text(0) + "." + project->field.name;
  return syntax::print(program_.tree, node.prototype);
}

}  // namespace halo::types
