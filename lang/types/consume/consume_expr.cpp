// Expressions: the aliases of each value.
#include <fmt/format.h>

#include <algorithm>

#include "lang/base/match.h"
#include "lang/syntax/visit.h"
#include "lang/types/consume/consume_walk.h"
#include "lang/types/infer/path_target.h"

namespace halo::types {

using diag::Code;
using namespace syntax;

namespace {

// `x`, `x.a.0`: of a variable only the field is used.
std::optional<ExprId> variableOf(const Tree& tree, ExprId expr) {
  for (;;) {
    const ExprNode& node = tree.exprs[expr].node;
    if (auto* inner = std::get_if<Parenthesised>(&node)) {
      expr = inner->value;
    } else if (auto* project = std::get_if<Project>(&node)) {
      expr = project->record;
    } else {
      return std::holds_alternative<Variable>(node) ? std::optional(expr) : std::nullopt;
    }
  }
}

}  // namespace

// The part that is evaluated first and may be long.
ExprId ConsumptionWalk::firstPart(ExprId expr) const {
  const ExprNode& n = node(expr);
  if (auto* binary = std::get_if<Binary>(&n)) return binary->lhs;
  if (auto* index = std::get_if<IndexExpr>(&n)) return index->array;
  if (auto* update = std::get_if<UpdateExpr>(&n)) return update->array;
  if (auto* update = std::get_if<RecordUpdate>(&n)) {
    return variableOf(program_.tree, update->record) ? ExprId() : update->record;
  }
  if (auto* project = std::get_if<Project>(&n)) {
    return variableOf(program_.tree, expr) ? ExprId() : project->record;
  }
  return {};
}

// Long chains lean to the left (`a + b + c ..`): they are walked from the inside.
Alias ConsumptionWalk::eval(ExprId expr) {
  const size_t outer = chain_.size();
  for (ExprId e = expr; e; e = firstPart(e)) chain_.push_back(e);
  Alias alias;
  const size_t mark = consumed_order_.size();
  for (; chain_.size() > outer; chain_.pop_back()) {
    const ExprId next = chain_.back();
    alias = evalNode(next);
    ready_ = Ready{next, alias, mark};
  }
  ready_.reset();
  return alias;
}

// `expr` is a result of firstPart: it may have been walked already.
Alias ConsumptionWalk::evalFirst(ExprId expr) {
  if (!ready_ || ready_->expr != expr) return eval(expr);
  Alias alias = std::move(ready_->value);
  ready_.reset();
  return alias;
}

Alias ConsumptionWalk::evalNode(ExprId expr) {
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
      [&](const UpdateExpr& n) { return evalUpdate(expr, n); },
      [&](const RecordUpdate& n) { return evalRecordUpdate(n); },
      [&](const Apply&) { return evalApply(expr); },
      [&](const Binary& n) { return evalBinary(expr, n); },
      [&](const OperatorSection& n) { return evalSection(expr, n); },
      [&](const Lambda&) { return evalLambda(expr); }, [&](const Let&) { return evalLets(expr); },
      [&](const LetFunction&) { return evalLets(expr); }, [&](const If& n) { return evalIf(n); },
      [&](const MatchExpr& n) { return evalMatch(n); }, [&](const Loop& n) { return evalLoop(n); },
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

Alias ConsumptionWalk::evalLets(ExprId expr) {
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
      bindName(binder, evalLocalFunction(expr, *local));
      expr = local->body;
    } else {
      return eval(expr);
    }
  }
}

Alias ConsumptionWalk::evalAs(ExprId expr, ExprId value) {
  Alias alias = eval(value);
  checkFunction(span(value), typeOf(value), program_.coerced_to.at(expr), alias);
  return alias;
}

// ---- composite values

// None of them may be consumed by one that follows.
std::vector<Alias> ConsumptionWalk::evalInOrder(const std::vector<ExprId>& exprs) {
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

Alias ConsumptionWalk::evalRecord(ExprId expr, const RecordExpr& node) {
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

Alias ConsumptionWalk::evalConstructor(ExprId expr, const Constructor& node) {
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
Alias ConsumptionWalk::evalProject(ExprId expr) {
  auto variable = variableOf(program_.tree, expr);
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

void ConsumptionWalk::evalParts(const std::vector<IndexPart>& parts) {
  for (const IndexPart& part : parts) {
    for (ExprId index : {part.index, part.start, part.end, part.stride}) {
      if (index) eval(index);
    }
  }
}

// A row or a slice is a view; an element is a copy.
Alias ConsumptionWalk::evalIndex(ExprId expr, const IndexExpr& node) {
  Alias array = evalFirst(node.array);
  size_t mark = consumed_order_.size();
  evalParts(node.parts);
  if (!array) return {};
  useRoots(rootsOf(array), node.array, mark);
  return sharing_.spread(typeOf(expr), rootsOf(array));
}

// `t[i].a` in the rewritten form of a path `[i].a[j] = v`: the update goes back into `t`.
bool ConsumptionWalk::isPartOfPath(ExprId expr) const {
  bool has_index = false;
  for (;;) {
    if (auto* index = std::get_if<IndexExpr>(&node(expr))) {
      has_index = true;
      expr = index->array;
    } else if (auto* project = std::get_if<Project>(&node(expr))) {
      expr = project->record;
    } else {
      auto* variable = std::get_if<Variable>(&node(expr));
      return has_index && variable && variable->name.name == kPathTarget;
    }
  }
}

// Of the record that goes back into `t[i]` only the field that a path replaces is new: the others
// are where they were.
Alias ConsumptionWalk::replacedPart(ExprId value, Alias alias) const {
  const auto* update = std::get_if<RecordUpdate>(&node(value));
  if (!update || !isPartOfPath(update->record)) return alias;
  TypeId type = typeOf(update->record);
  for (const Identifier& field : update->path) {
    const std::vector<Part> parts = partsOf(program_, type);
    const auto found = std::find_if(parts.begin(), parts.end(),
                                    [&](const Part& part) { return part.name == field.name; });
    if (!alias || found == parts.end()) return alias;
    alias = partOf(alias, static_cast<size_t>(found - parts.begin()));
    type = found->type;
  }
  return replacedPart(update->value, alias);
}

// The indices and the new value come first: they may use values that the array consumes, as in `(xs
// with [1] = xs[0]) with [2] = xs[1]`. The array must not use values that they consume.
Alias ConsumptionWalk::evalUpdate(ExprId expr, const UpdateExpr& node) {
  const bool is_ready = ready_ && ready_->expr == node.array;
  const size_t before = is_ready ? ready_->mark : consumed_order_.size();
  Roots array = rootsOf(evalFirst(node.array));
  const ConsumedRoots for_array = takeSince(before);
  evalParts(node.parts);
  Roots value = rootsOf(replacedPart(node.value, eval(node.value)));
  for (const auto& [root, what] : for_array) {
    auto also = consumed_.find(root);
    if (also != consumed_.end()) reportUse(root, also->second, node.array);
  }
  useRoots(array, node.array, before);
  putBack(for_array);
  if (isPartOfPath(node.array)) return {};
  if (auto root = common(array, value); root && reported_.insert(*root).second) {
    diag::Diagnostic& diagnostic =
        error(Code::uniqueness, span(node.value),
              fmt::format("the new elements may share memory with {}, the array that they go into",
                          describe(*root)));
    labelOrigin(diagnostic, *root);
    diagnostic.notes.push_back("use a `copy` of them");
  }
  consume(array, span(expr), nameOf(node.array));
  return {};
}

// ---- record updates

// The record with a new field; `kept` gets the parts beside it.
Alias ConsumptionWalk::replaceField(TypeId type, const Alias& record,
                                    const std::vector<Identifier>& path, size_t step,
                                    const Alias& value, std::vector<Alias>& kept) {
  if (step == path.size()) return value;
  std::vector<Alias> parts;
  for (const Part& part : partsOf(program_, type)) {
    Alias old = partOf(record, parts.size());
    bool is_path = part.name == path[step].name;
    if (!is_path) kept.push_back(old);
    parts.push_back(is_path ? replaceField(part.type, old, path, step + 1, value, kept) : old);
  }
  return composite(std::move(parts));
}

// Only the fields that stay are used: `r with f = (r.f with [i] = v)`.
Alias ConsumptionWalk::evalRecordUpdate(const RecordUpdate& node) {
  auto variable = variableOf(program_.tree, node.record);
  bool is_name = variable && std::holds_alternative<Variable>(this->node(node.record));
  Alias record = is_name ? lookUp(*variable) : evalFirst(node.record);
  Alias value = eval(node.value);
  std::vector<Alias> kept;
  Alias updated = replaceField(typeOf(node.record), record, node.path, 0, value, kept);
  for (const Alias& part : kept) {
    if (is_name && part) {
      const auto& used = program_.use_of.at(*variable);
      auto* local = std::get_if<LocalTarget>(&used->target);
      if (local) note(*variable, local->binder, part);
    }
    use(part, node.record);
  }
  return updated;
}

// ---- branches

// One branch may return a value that the other consumes: `if c then xs with [i] = v else xs`. The
// old name is gone for good, so the result is the only way to the memory. It gets a root of its
// own, which all parts of the result have that shared the old one.
Alias ConsumptionWalk::joinBranches(std::vector<Alias> values,
                                    std::vector<ConsumedRoots> consumed) {
  std::unordered_set<int> gone;
  for (const ConsumedRoots& branch : consumed) {
    for (const auto& [root, what] : branch) gone.insert(root);
    putBack(branch);
  }
  Alias result;
  for (const Alias& value : values) result = join(result, value);
  if (gone.empty() || !result) return result;
  std::unordered_map<int, int> successors;
  auto replaceGone = [&](auto& self, const Alias& alias) -> Alias {
    if (!alias) return {};
    AliasNode left{{}, {}, alias->closure};
    std::vector<int> roots;
    for (int root : alias->roots) {
      if (gone.count(root) == 0) {
        roots.push_back(root);
        continue;
      }
      auto [place, is_new] = successors.try_emplace(root);
      const Root old = roots_[static_cast<size_t>(root)];
      if (is_new) place->second = newRoot(old.name, old.span);
      roots.push_back(place->second);
    }
    left.roots = Roots(std::move(roots));
    for (const Alias& part : alias->parts) left.parts.push_back(self(self, part));
    return std::make_shared<const AliasNode>(std::move(left));
  };
  return replaceGone(replaceGone, result);
}

Alias ConsumptionWalk::evalIf(const If& node) {
  eval(node.condition);
  std::vector<Alias> values;
  std::vector<ConsumedRoots> consumed;
  for (ExprId branch : {node.then_branch, node.else_branch}) {
    size_t mark = consumed_order_.size();
    values.push_back(eval(branch));
    consumed.push_back(takeSince(mark));
  }
  return joinBranches(std::move(values), std::move(consumed));
}

Alias ConsumptionWalk::evalMatch(const MatchExpr& node) {
  Alias scrutinee = eval(node.scrutinee);
  std::vector<Alias> values;
  std::vector<ConsumedRoots> consumed;
  for (const MatchCase& branch : node.cases) {
    size_t mark = consumed_order_.size();
    bind(branch.pattern, scrutinee);
    values.push_back(eval(branch.body));
    consumed.push_back(takeSince(mark));
  }
  return joinBranches(std::move(values), std::move(consumed));
}

}  // namespace halo::types
