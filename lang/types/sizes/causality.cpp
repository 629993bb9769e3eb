// Causality of sizes: a function that is specialised for a size is evaluated after the value that
// brings the size. Before the size scopes are settled, which reorder the tree.
//
// The order is the language's: the arguments of an application from the last to the first, then the
// function. The operands of an operator from left to right, so that in `f <| x` the function comes
// first; an operator section before its operand.
//     f <| filter p xs        rejected if the type of f names the new size; f (filter p xs) is fine
//     (filter p xs ++)        rejected: let ys = filter p xs in (ys ++)
// A use of a size is wrong only if something evaluated later brings it; size_scope.cpp reports
// sizes that nothing brings.
#include <fmt/format.h>

#include <unordered_map>
#include <utility>

#include "lang/base/containers/id_map.h"
#include "lang/base/match.h"
#include "lang/syntax/application.h"
#include "lang/syntax/visit.h"
#include "lang/types/sizes/causality.h"
#include "lang/types/sizes/sizes_of_types.h"

namespace halo::types {

using diag::Code;
using namespace syntax;

namespace {

class Causality {
 public:
  Causality(const Program& program, const SizeOrder& order, diag::Sink& sink)
      : program_(program), order_(order), sink_(sink), sizes_in_(program) {}

  void check(const Def& def) {
    for (BinderId size : def.size_parameters) know(size);
    for (PatternId parameter : def.parameters) knowPattern(parameter);
    for (const auto& [argument, size] : order_.named_arguments) know(size);  // an expression
    for (BinderId size : order_.expressions) know(size);
    walk(def.body);
  }

 private:
  struct Use {
    ExprId expr;
    TypeId type;
  };

  void know(BinderId binder) {
    if (isKnown(binder)) return;
    known_.set(binder, true);
    history_.push_back(binder);
  }
  void forgetSince(size_t mark) {
    for (; history_.size() > mark; history_.pop_back()) known_.set(history_.back(), false);
  }
  bool isKnown(BinderId binder) const {
    const bool* known = known_.find(binder);
    return known != nullptr && *known;
  }
  void knowPattern(PatternId pattern);

  void use(ExprId expr, TypeId type);
  void bring(ExprId expr);
  void report(BinderId size, const Use& use);

  ExprId firstPart(ExprId expr) const;
  void walk(ExprId expr);
  void walkRest(ExprId expr, ExprId first);
  void walkLets(ExprId expr);
  void walkApply(ExprId expr);
  void walkLoop(ExprId expr, const Loop& loop);
  bool walkApart(const ExprNode& node);

  const ExprNode& node(ExprId expr) const { return program_.tree.exprs[expr].node; }

  const Program& program_;
  const SizeOrder& order_;
  diag::Sink& sink_;
  SizesOfTypes sizes_in_;
  base::IdMap<BinderId, bool> known_;  // false: not any more
  std::vector<BinderId> history_;
  std::vector<ExprId> chain_;  // of `walk`
  std::unordered_map<BinderId, Use> too_early_;
  bool is_reported_ = false;
};

void Causality::knowPattern(PatternId pattern) {
  if (TypeId type = program_.pattern_type.at(pattern)) {
    for (BinderId size : sizes_in_.of(type)) know(size);
  }
  auto all = [&](const std::vector<PatternId>& parts) {
    for (PatternId part : parts) knowPattern(part);
  };
  base::match(
      program_.tree.patterns[pattern].node,
      [&](const PatternName&) { know(program_.binder_of.at(pattern)); },
      [](const PatternWildcard&) {}, [&](const PatternTuple& tuple) { all(tuple.elements); },
      [&](const PatternRecord& record) {
        for (const auto& [name, field] : record.fields) knowPattern(field);
      },
      [&](const PatternConstructor& constructor) { all(constructor.payload); },
      [](const PatternLiteral&) {},
      [&](const PatternAttributed& attributed) { knowPattern(attributed.pattern); },
      [&](const PatternTyped& typed) { knowPattern(typed.pattern); });
}

// Evaluating `expr` needs all sizes of the type.
void Causality::use(ExprId expr, TypeId type) {
  if (!type) return;
  for (BinderId size : sizes_in_.of(type)) {
    if (!isKnown(size)) too_early_.try_emplace(size, Use{expr, type});
  }
}

// All sizes of the value of `expr` are known now. Those that only the result of a call knows are in
// the type of the called function as well.
void Causality::bring(ExprId expr) {
  TypeId type = program_.type_of.at(expr);
  if (!type) return;
  const ExprId called = appliedFunction(program_.tree, expr);
  for (BinderId size : sizes_in_.of(type)) {
    if (isKnown(size)) continue;
    auto found = too_early_.find(size);
    if (found != too_early_.end() && found->second.expr != called) report(size, found->second);
    know(size);
  }
}

void Causality::report(BinderId size, const Use& use) {
  const Binder& info = program_.binders[size];
  const Span span = program_.tree.exprs[use.expr].span;
  if (span == info.span || std::exchange(is_reported_, true)) return;
  auto& diagnostic = sink_.error(Code::size_not_determined, span,
                                 fmt::format("size `{}` of type `{}` is used before it is known",
                                             info.name, print(program_, use.type)));
  if (info.span.file) {
    diagnostic.labels.push_back({info.span, fmt::format("size `{}` comes from here", info.name)});
  }
  diagnostic.notes.push_back("bind the value that brings the size with `let` first");
}

// ---- the walk

// The part evaluated first, which may be a long chain: of `x |> f`, an application by now, `x`.
ExprId Causality::firstPart(ExprId expr) const {
  const ExprNode& node = this->node(expr);
  if (auto* apply = std::get_if<Apply>(&node)) {
    return order_.argument_first.count(expr) > 0 ? apply->argument : ExprId();
  }
  if (auto* binary = std::get_if<Binary>(&node)) return binary->lhs;
  if (auto* index = std::get_if<IndexExpr>(&node)) return index->array;
  if (auto* update = std::get_if<UpdateExpr>(&node)) return update->array;
  if (auto* update = std::get_if<RecordUpdate>(&node)) return update->record;
  if (auto* project = std::get_if<Project>(&node)) return project->record;
  return {};
}

void Causality::walk(ExprId expr) {
  const size_t mark = chain_.size();
  for (ExprId part = expr; part; part = firstPart(part)) chain_.push_back(part);
  ExprId first;
  while (chain_.size() > mark) {
    const ExprId next = chain_.back();
    walkRest(next, first);
    first = next;
    chain_.pop_back();
  }
}

void Causality::walkRest(ExprId expr, ExprId first) {
  const ExprNode& node = this->node(expr);
  const TypeId type = program_.type_of.at(expr);
  if (std::holds_alternative<Let>(node) || std::holds_alternative<LetFunction>(node)) {
    return walkLets(expr);
  }
  auto* array = std::get_if<ArrayExpr>(&node);
  auto* section = std::get_if<OperatorSection>(&node);
  const bool is_function = type && std::holds_alternative<FunctionType>(program_.types[type]);
  if ((std::holds_alternative<Variable>(node) && is_function) || section ||
      std::holds_alternative<ProjectSection>(node) || std::holds_alternative<Hole>(node) ||
      std::holds_alternative<Lambda>(node) || (array && array->elements.empty())) {
    use(expr, type);
  }
  if (section && (section->lhs || section->rhs)) {
    const ExprId operand = section->lhs ? section->lhs : section->rhs;
    use(operand, program_.type_of.at(operand));
  }
  if (std::holds_alternative<Apply>(node)) {
    if (first) walk(std::get<Apply>(node).function);
    if (!first) walkApply(expr);
  } else if (auto* loop = std::get_if<Loop>(&node)) {
    walkLoop(expr, *loop);
  } else if (!walkApart(node)) {
    forEachChild(node, [&](ExprId child) {
      if (child != first) walk(child);
    });
  }
  if (!is_function) bring(expr);
}

// Of these, one part knows no size that came up in another.
bool Causality::walkApart(const ExprNode& node) {
  const size_t mark = history_.size();
  if (auto* lambda = std::get_if<Lambda>(&node)) {
    for (PatternId parameter : lambda->parameters) knowPattern(parameter);
    walk(lambda->body);
    forgetSince(mark);
  } else if (auto* choice = std::get_if<If>(&node)) {
    walk(choice->condition);
    const size_t branches = history_.size();
    walk(choice->then_branch);
    forgetSince(branches);
    walk(choice->else_branch);
    forgetSince(branches);
  } else if (auto* choice = std::get_if<MatchExpr>(&node)) {
    walk(choice->scrutinee);
    const size_t cases = history_.size();
    for (const MatchCase& option : choice->cases) {
      knowPattern(option.pattern);
      walk(option.body);
      forgetSince(cases);
    }
  } else {
    return false;
  }
  return true;
}

void Causality::walkLets(ExprId expr) {
  for (;;) {
    const ExprNode& node = this->node(expr);
    if (auto* let = std::get_if<Let>(&node)) {
      walk(let->value);
      for (BinderId size : program_.size_names.at(expr)) know(size);
      knowPattern(let->pattern);
      expr = let->body;
    } else if (auto* local = std::get_if<LetFunction>(&node)) {
      const LocalFunction& function = *program_.local_function.at(expr);
      const size_t mark = history_.size();
      for (BinderId size : function.size_parameters) know(size);
      for (PatternId parameter : local->function.parameters) knowPattern(parameter);
      walk(local->function.body);
      forgetSince(mark);
      know(function.binder);
      expr = local->body;
    } else {
      return walk(expr);
    }
  }
}

void Causality::walkApply(ExprId expr) {
  ExprId head = expr;
  if (order_.function_first.count(expr) > 0) {
    walk(std::get<Apply>(node(expr)).function);
    return walk(std::get<Apply>(node(expr)).argument);
  }
  while (auto* apply = std::get_if<Apply>(&node(head))) {
    const bool is_pipe =
        order_.argument_first.count(head) > 0 || order_.function_first.count(head) > 0;
    if (is_pipe) break;
    walk(apply->argument);
    head = apply->function;
  }
  walk(head);
}

void Causality::walkLoop(ExprId expr, const Loop& loop) {
  walk(loop.initial);
  const size_t mark = history_.size();
  for (BinderId size : program_.loop_sizes.at(expr)) know(size);
  for (BinderId size : program_.size_names.at(expr)) know(size);
  base::match(
      loop.form,
      [&](const LoopFor& form) {
        walk(form.bound);
        know(program_.loop_variable.at(expr));
        knowPattern(loop.pattern);
      },
      [&](const LoopForIn& form) {
        walk(form.array);
        knowPattern(loop.pattern);
        knowPattern(form.pattern);
      },
      [&](const LoopWhile& form) {
        knowPattern(loop.pattern);
        walk(form.condition);
      });
  walk(loop.body);
  forgetSince(mark);
}

}  // namespace

void checkCausality(const Program& program, DefId def, const SizeOrder& order, diag::Sink& sink) {
  Causality(program, order, sink).check(program.defs[def]);
}

}  // namespace halo::types
