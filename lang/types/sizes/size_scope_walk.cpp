// The walk of size scopes in the order of evaluation: branches, loops and functions are regions.
#include <algorithm>
#include <utility>

#include "lang/base/match.h"
#include "lang/syntax/visit.h"
#include "lang/types/sizes/size_scopes.h"

namespace halo::types {

using namespace syntax;

namespace {

// The part that is evaluated first and may be long.
ExprId leftPart(const ExprNode& node) {
  if (auto* binary = std::get_if<Binary>(&node)) return binary->lhs;
  if (auto* index = std::get_if<IndexExpr>(&node)) return index->array;
  if (auto* update = std::get_if<UpdateExpr>(&node)) return update->array;
  if (auto* update = std::get_if<RecordUpdate>(&node)) return update->record;
  if (auto* project = std::get_if<Project>(&node)) return project->record;
  return {};
}

}  // namespace

// Of `x |> f`, which is an application by now, `x`.
ExprId SizeScopes::firstPart(ExprId expr) const {
  const ExprNode& node = program_.tree.exprs[expr].node;
  auto* apply = std::get_if<Apply>(&node);
  if (!apply) return leftPart(node);
  return argument_first_.count(expr) > 0 ? apply->argument : ExprId();
}

void SizeScopes::walk(ExprId expr) {
  if (isWalked(expr)) return;
  const size_t mark = chain_.size();
  for (ExprId part = expr; part; part = firstPart(part)) chain_.push_back(part);
  size_t entered = order_.size();
  for (; chain_.size() > mark; chain_.pop_back()) {
    const ExprId next = chain_.back();
    if (!markWalked(next)) continue;
    const ExprNode& node = program_.tree.exprs[next].node;
    if (std::holds_alternative<Let>(node) || std::holds_alternative<LetFunction>(node)) {
      walkLets(next);
    } else {
      walkNode(next);
      leave(next, entered);
    }
  }
}

void SizeScopes::walkNode(ExprId expr) {
  const ExprNode node = program_.tree.exprs[expr].node;  // a copy: the tree may grow
  if (std::holds_alternative<Apply>(node)) return walkApply(expr);
  if (auto* binary = std::get_if<Binary>(&node)) {
    const auto& use = program_.use_of.at(expr);
    if (use && std::holds_alternative<LogicTarget>(use->target)) {
      walk(binary->lhs);
      Region region(*this);
      return walk(binary->rhs);
    }
    bool is_call = use && (std::holds_alternative<DefTarget>(use->target) ||
                           std::holds_alternative<LocalTarget>(use->target));
    auto rebuild = [&](std::vector<ExprId> replaced) {
      ExprId inner = copyOf(expr, Binary{binary->op, replaced[0], replaced[1]});
      std::optional<Use> use_of_expr = program_.use_of.at(expr);  // first: the table may move
      program_.use_of[inner] = std::move(use_of_expr);
      program_.use_of[expr] = std::nullopt;
      return inner;
    };
    if (is_call && walkOperands(expr, {binary->lhs, binary->rhs}, 0, rebuild)) return;
    walk(binary->lhs);
    return walk(binary->rhs);
  }
  if (auto* lambda = std::get_if<Lambda>(&node)) {
    Region region(*this);
    for (PatternId parameter : lambda->parameters) bindPattern(parameter);
    return walk(lambda->body);
  }
  if (auto* choice = std::get_if<If>(&node)) {
    walk(choice->condition);
    for (ExprId branch : {choice->then_branch, choice->else_branch}) {
      Region region(*this);
      walk(branch);
    }
    return;
  }
  if (auto* choice = std::get_if<MatchExpr>(&node)) {
    walk(choice->scrutinee);
    for (const MatchCase& option : choice->cases) {
      Region region(*this);
      bindPattern(option.pattern);
      walk(option.body);
    }
    return;
  }
  if (auto* loop = std::get_if<Loop>(&node)) return walkLoop(expr, *loop);
  forEachChild(node, [&](ExprId child) { walk(child); });
}

void SizeScopes::walkLets(ExprId expr) {
  size_t entered = order_.size();
  std::vector<ExprId> lets;
  for (;;) {
    const ExprNode node = program_.tree.exprs[expr].node;
    if (auto* let = std::get_if<Let>(&node)) {
      walk(let->value);
      for (BinderId size : program_.size_names.at(expr)) know(size);
      bindPattern(let->pattern);
      lets.push_back(expr);
      expr = let->body;
    } else if (auto* local = std::get_if<LetFunction>(&node)) {
      const LocalFunction function = *program_.local_function.at(expr);
      {
        Region region(*this);
        for (BinderId size : function.size_parameters) know(size);
        for (PatternId parameter : local->function.parameters) bindPattern(parameter);
        walk(local->function.body);
      }
      know(function.binder);
      lets.push_back(expr);
      expr = local->body;
    } else {
      break;
    }
    markWalked(expr);
  }
  walked_.set(expr, false);
  walk(expr);
  while (!lets.empty()) {
    leave(lets.back(), entered);
    lets.pop_back();
  }
}

void SizeScopes::walkLoop(ExprId expr, const Loop& loop) {
  walk(loop.initial);
  Region region(*this);
  for (BinderId size : program_.loop_sizes.at(expr)) know(size);
  for (BinderId size : program_.size_names.at(expr)) know(size);
  base::match(
      loop.form,
      [&](const LoopFor& form) {
        walk(form.bound);
        bindPattern(loop.pattern);
        know(program_.loop_variable.at(expr));
      },
      [&](const LoopForIn& form) {
        walk(form.array);
        bindPattern(loop.pattern);
        bindPattern(form.pattern);
      },
      [&](const LoopWhile& form) {
        bindPattern(loop.pattern);
        Region condition(*this);
        walk(form.condition);
      });
  walk(loop.body);
}

}  // namespace halo::types
