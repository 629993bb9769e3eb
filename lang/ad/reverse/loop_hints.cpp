#include "lang/ad/reverse/loop_hints.h"

#include "lang/core/visit.h"
#include "lang/types/declare/attributes.h"

namespace halo::ad {

namespace {

using syntax::Attributed;

// Down to the loop, adding up the attributes on the way.
void collect(const types::Program& program, syntax::ExprId id, LoopHint hint, LoopHints& hints) {
  const syntax::Expr& expr = program.tree.exprs[id];
  if (const auto* inner = std::get_if<syntax::Parenthesised>(&expr.node)) {
    return collect(program, inner->value, hint, hints);
  }
  if (const auto* attributed = std::get_if<Attributed>(&expr.node)) {
    const std::string& text = attributed->attribute.text;
    if (const auto levels = types::attributeNumber("stripmine", text)) hint.levels = *levels;
    if (const auto states = types::attributeNumber("checkpoint", text)) hint.states = *states;
    return collect(program, attributed->value, hint, hints);
  }
  if (!std::holds_alternative<syntax::Loop>(expr.node)) return;
  if (hint.levels > 1 || hint.states > 0) hints.add(expr.span, hint);
}

}  // namespace

// Each attribute of several sees those behind it.
LoopHints::LoopHints(const types::Program& program) {
  for (size_t i = 0; i < program.tree.exprs.size(); ++i) {
    const syntax::ExprId id(i);
    if (std::holds_alternative<Attributed>(program.tree.exprs[id].node)) {
      collect(program, id, {}, *this);
    }
  }
}

void LoopHints::add(source::Span loop, LoopHint hint) {
  LoopHint& known = by_place_[key(loop)];
  known.levels = std::max(known.levels, hint.levels);
  known.states = std::max(known.states, hint.states);
  if (hint.bound) known.bound = std::max(known.bound.value_or(0), *hint.bound);
}

std::optional<core::Operand> checkedBound(const core::Loop& loop) {
  for (const core::Stm& stm : loop.body.stms) {
    const auto* check = std::get_if<core::Assert>(&stm.expr);
    if (check != nullptr && check->code == diag::Code::bound_exceeded) return check->operands[0];
  }
  return std::nullopt;
}

void LoopHints::addBounds(const core::Body& body) {
  core::visitStms(body, [&](const core::Stm& stm) {
    const auto* loop = std::get_if<core::Loop>(&stm.expr);
    const auto bound = loop == nullptr ? std::nullopt : checkedBound(*loop);
    if (bound && bound->isConstant()) add(stm.span, {1, 0, bound->constant.asSigned()});
  });
}

LoopHint LoopHints::of(const core::Stm& loop) const {
  if (by_place_.empty() || !std::holds_alternative<core::Loop>(loop.expr)) return {};
  const auto found = by_place_.find(key(loop.span));
  return found == by_place_.end() ? LoopHint{} : found->second;
}

}  // namespace halo::ad
