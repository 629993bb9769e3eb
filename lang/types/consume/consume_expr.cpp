// Expressions: the aliases of each value.
#include <algorithm>

#include "lang/base/match.h"
#include "lang/syntax/visit.h"
#include "lang/types/consume/call_walk.h"
#include "lang/types/consume/walks.h"

namespace halo::types {

using namespace syntax;

// The part that is evaluated first and may be long.
ExprId ExprWalk::firstPart(ExprId expr) const {
  const ExprNode& n = node(expr);
  if (auto* binary = std::get_if<Binary>(&n)) return binary->lhs;
  if (auto* index = std::get_if<IndexExpr>(&n)) return index->array;
  if (auto* update = std::get_if<UpdateExpr>(&n)) return update->array;
  if (auto* update = std::get_if<RecordUpdate>(&n)) {
    return variableOf(update->record) ? ExprId() : update->record;
  }
  if (auto* project = std::get_if<Project>(&n)) {
    return variableOf(expr) ? ExprId() : project->record;
  }
  return {};
}

// Long chains lean to the left (`a + b + c ..`): they are walked from the inside.
Alias ExprWalk::eval(ExprId expr) {
  const size_t outer = state_.chain.size();
  for (ExprId e = expr; e; e = firstPart(e)) state_.chain.push_back(e);
  Alias alias;
  const size_t mark = consumed_order_.size();
  for (; state_.chain.size() > outer; state_.chain.pop_back()) {
    const ExprId next = state_.chain.back();
    alias = evalNode(next);
    state_.ready = ConsumptionState::Ready{next, alias, mark};
  }
  state_.ready.reset();
  return alias;
}

// `expr` is a result of firstPart: it may have been walked already.
Alias ExprWalk::evalFirst(ExprId expr) {
  if (!state_.ready || state_.ready->expr != expr) return eval(expr);
  Alias alias = std::move(state_.ready->value);
  state_.ready.reset();
  return alias;
}

Alias ConsumptionPart::eval(ExprId expr) { return ExprWalk(state_).eval(expr); }

Alias ExprWalk::evalNode(ExprId expr) {
  auto others = [&](const auto& n) {
    forEachChild(n, [&](ExprId child) { eval(child); });
    return Alias();
  };
  return base::match(
      node(expr), [&](const Variable&) { return useVariable(expr); },
      [&](const TupleExpr& n) { return composite(evalInOrder(n.elements)); },
      [&](const RecordExpr& n) { return evalRecord(expr, n); },
      [&](const Constructor& n) { return evalConstructor(expr, n); },
      [&](const Project&) { return evalProject(expr); },
      [&](const IndexExpr& n) { return evalIndex(expr, n); },
      [&](const UpdateExpr& n) { return UpdateWalk(state_).evalUpdate(expr, n); },
      [&](const RecordUpdate& n) { return UpdateWalk(state_).evalRecordUpdate(n); },
      [&](const Apply&) { return CallWalk(state_).evalApply(expr); },
      [&](const Binary& n) { return CallWalk(state_).evalBinary(expr, n); },
      [&](const OperatorSection& n) { return CallWalk(state_).evalSection(expr, n); },
      [&](const Lambda&) { return FunctionWalk(state_).evalLambda(expr); },
      [&](const Let&) { return evalLets(expr); },
      [&](const LetFunction&) { return evalLets(expr); },
      [&](const If& n) { return BranchWalk(state_).evalIf(n); },
      [&](const MatchExpr& n) { return BranchWalk(state_).evalMatch(n); },
      [&](const Loop& n) { return LoopWalk(state_).evalLoop(n); },
      [&](const Ascribe& n) { return evalAs(expr, n.value); },
      [&](const Coerce& n) { return evalAs(expr, n.value); },
      [&](const AssertExpr& n) {
        eval(n.condition);
        return eval(n.value);
      },
      [&](const Attributed& n) { return eval(n.value); },
      [&](const LocalOpen& n) { return eval(n.value); },
      [&](const Parenthesised& n) { return eval(n.value); }, [](const Hole&) { return Alias(); },
      [](const Number&) { return Alias(); }, [](const BoolLiteral&) { return Alias(); },
      [](const StringLiteral&) { return Alias(); }, [](const ProjectSection&) { return Alias(); },
      [&](const ArrayExpr& n) { return others(n); }, [&](const RangeExpr& n) { return others(n); },
      [&](const Unary& n) { return others(n); }, [&](const IndexSection& n) { return others(n); },
      [&](const PathUpdate& n) { return others(n); },
      [&](const PathSection& n) { return others(n); });
}

Alias ExprWalk::evalLets(ExprId expr) {
  for (;;) {
    if (auto* let = std::get_if<Let>(&node(expr))) {
      const Making making{consumed_order_.size(), roots_.size()};
      Alias value = eval(let->value);
      if (mayCall(typeOf(let->value))) rejectConsumed(making, span(let->value));
      TypeId type = program_.pattern_type.at(let->pattern);
      checkFunction(span(let->value), typeOf(let->value), type, value);
      bind(let->pattern, value);
      expr = let->body;
    } else if (auto* local = std::get_if<LetFunction>(&node(expr))) {
      BinderId binder = program_.local_function.at(expr)->binder;
      bindName(binder, FunctionWalk(state_).evalLocalFunction(expr, *local));
      expr = local->body;
    } else {
      return eval(expr);
    }
  }
}

Alias ExprWalk::evalAs(ExprId expr, ExprId value) {
  Alias alias = eval(value);
  checkFunction(span(value), typeOf(value), program_.coerced_to.at(expr), alias);
  return alias;
}

// ---- composite values

// None of them may be consumed by one that follows.
std::vector<Alias> ExprWalk::evalInOrder(const std::vector<ExprId>& exprs) {
  std::vector<Alias> values;
  std::vector<size_t> marks;
  for (ExprId expr : exprs) {
    values.push_back(eval(expr));
    marks.push_back(consumed_order_.size());
  }
  for (size_t i = 0; i < exprs.size(); ++i) {
    if (marks[i] < consumed_order_.size()) useRoots(rootsOf(values[i]), exprs[i], marks[i]);
  }
  return values;
}

Alias ExprWalk::evalRecord(ExprId expr, const RecordExpr& node) {
  std::vector<ExprId> exprs;
  for (const auto& [name, value] : node.fields) exprs.push_back(value);
  std::vector<Alias> values = evalInOrder(exprs);
  const RecordType* record = recordType(typeOf(expr));
  if (!record) return {};
  std::vector<Alias> parts(record->names.size());
  for (size_t i = 0; i < values.size(); ++i) {
    auto found = std::find(record->names.begin(), record->names.end(), node.fields[i].first.name);
    if (found == record->names.end()) continue;
    parts[static_cast<size_t>(found - record->names.begin())] = values[i];
  }
  return composite(std::move(parts));
}

Alias ExprWalk::evalConstructor(ExprId expr, const Constructor& node) {
  std::vector<Alias> values = evalInOrder(node.arguments), parts;
  if (!hasParts(program_, typeOf(expr))) return {};
  size_t next = 0;
  for (const Part& part : partsOf(program_, typeOf(expr))) {
    bool is_this = part.constructor == node.name.name && next < values.size();
    parts.push_back(is_this ? values[next++] : Alias());
  }
  return composite(std::move(parts));
}

// `x.f` uses that field of x only.
Alias ExprWalk::evalProject(ExprId expr) {
  auto variable = variableOf(expr);
  std::vector<ExprId> path;
  ExprId inner = expr;
  for (;;) {
    if (auto* parens = std::get_if<Parenthesised>(&node(inner))) {
      inner = parens->value;
    } else if (auto* project = std::get_if<Project>(&node(inner));
               project && (variable || path.empty())) {
      path.push_back(inner);
      inner = project->record;
    } else {
      break;
    }
  }
  if (!variable) inner = std::get<Project>(node(expr)).record;
  Alias alias = variable ? lookUp(*variable) : evalFirst(inner);
  for (size_t i = path.size(); alias && i-- > 0;) {
    const auto& project = std::get<Project>(node(path[i]));
    const RecordType* record = recordType(typeOf(project.record));
    if (!record) return {};
    auto found = std::find(record->names.begin(), record->names.end(), project.field.name);
    alias = partOf(alias, static_cast<size_t>(found - record->names.begin()));
  }
  if (!variable || !alias) return alias;
  const auto& used = program_.use_of.at(*variable);
  if (auto* local = std::get_if<LocalTarget>(&used->target)) note(*variable, local->binder, alias);
  use(alias, expr);
  return alias;
}

// ---- arrays

void ExprWalk::evalParts(const std::vector<IndexPart>& parts) {
  for (const IndexPart& part : parts) {
    for (ExprId index : {part.index, part.start, part.end, part.stride}) {
      if (index) eval(index);
    }
  }
}

// A row or a slice is a view; an element is a copy.
Alias ExprWalk::evalIndex(ExprId expr, const IndexExpr& node) {
  Alias array = evalFirst(node.array);
  size_t mark = consumed_order_.size();
  evalParts(node.parts);
  if (!array) return {};
  useRoots(rootsOf(array), node.array, mark);
  return sharing_.spread(typeOf(expr), rootsOf(array));
}

}  // namespace halo::types
