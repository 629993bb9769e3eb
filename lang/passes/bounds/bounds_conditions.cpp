// Facts that follow from a condition about the numbers in it.
#include "lang/passes/bounds/bounds_facts.h"

namespace halo::passes {
namespace {

using core::Operand;
using core::PrimOp;
using core::Scalar;
using core::ScalarType;
using prim::Op;

constexpr int kMaxConditions = 30;  // looked at to learn from one of them
constexpr int kBudgetOfOther = 12;  // of a fact that the other side may say as well

}  // namespace

// Of two that are not equal one is larger: it helps if we know which.
void BoundsFacts::knowDifferent(const Polynomial& a, const Polynomial& b) {
  for (const auto& difference : {a.plus(b, -1), b.plus(a, -1)}) {
    if (!isNotNegative(difference)) continue;
    knowNotNegative(difference->plus(Polynomial::constant(-1)));
    return;
  }
}

// The conditions that must hold as well, the last computed one at the end. The side of a choice
// that is the opposite constant was not taken.
std::vector<BoundsFacts::Known> BoundsFacts::partsOf(const Known& known) const {
  const auto& [condition, holds] = known;
  if (auto found = choices_.find(condition.value); found != choices_.end()) {
    const Choice& choice = found->second;
    const Operand opposite(Scalar::ofBool(!holds));
    std::vector<Known> parts;
    if (choice.yes == opposite) parts = {{choice.condition, false}, {choice.no, holds}};
    if (choice.no == opposite) {
      parts.insert(parts.end(), {{choice.condition, true}, {choice.yes, holds}});
    }
    return parts;
  }
  const core::Expr* expr = definition(condition);
  const auto* op = expr == nullptr ? nullptr : std::get_if<PrimOp>(expr);
  if (op == nullptr || op->type != ScalarType::kBool) return {};
  if (op->op == Op::kNot) return {{op->args[0], !holds}};
  const bool both = (op->op == Op::kAnd && holds) || (op->op == Op::kOr && !holds);
  if (!both) return {};
  return {{op->args[0], holds}, {op->args[1], holds}};
}

// Of `a || b` that holds, or `a && b` that does not, one side at least.
std::optional<BoundsFacts::Alternatives> BoundsFacts::alternativesOf(const Known& known) const {
  const auto& [condition, holds] = known;
  if (auto found = choices_.find(condition.value); found != choices_.end()) {
    const Choice& choice = found->second;
    const Operand same(Scalar::ofBool(holds));
    if (choice.yes == same) return Alternatives{{choice.condition, true}, {choice.no, holds}};
    if (choice.no == same) return Alternatives{{choice.condition, false}, {choice.yes, holds}};
    return std::nullopt;
  }
  const core::Expr* expr = definition(condition);
  const auto* op = expr == nullptr ? nullptr : std::get_if<PrimOp>(expr);
  if (op == nullptr || op->type != ScalarType::kBool) return std::nullopt;
  const bool either = (op->op == Op::kAnd && !holds) || (op->op == Op::kOr && holds);
  if (!either) return std::nullopt;
  return Alternatives{{op->args[0], holds}, {op->args[1], holds}};
}

// The latest parts only: each condition of a long `&&` contains all that come before it.
std::vector<BoundsFacts::Known> BoundsFacts::withAllParts(const Known& known) const {
  std::vector<Known> last, waiting = {known};
  for (int steps = 0; !waiting.empty() && steps < kMaxConditions; ++steps) {
    const Known next = waiting.back();
    waiting.pop_back();
    if (next.condition.isConstant()) continue;
    const std::vector<Known> parts = partsOf(next);
    waiting.insert(waiting.end(), parts.begin(), parts.end());
    if (parts.empty()) last.push_back(next);
  }
  return last;
}

void BoundsFacts::knowCondition(const Operand& condition, bool holds) {
  std::vector<Known> parts = withAllParts({condition, holds});
  std::vector<Alternatives> alternatives;
  for (; !parts.empty(); parts.pop_back()) {
    knowComparison(parts.back());
    auto either = alternativesOf(parts.back());
    if (either) alternatives.push_back(*either);
  }
  for (const Alternatives& either : alternatives) knowEither(either);
}

// The facts of either side that follow from the other side as well.
void BoundsFacts::knowEither(const Alternatives& either) {
  for (const auto& [known, other] : {either, Alternatives{either.second, either.first}}) {
    for (const Polynomial& fact : factsOf(known)) {
      const size_t before = mark();
      for (const Polynomial& assumed : factsOf(other)) knowNotNegative(assumed);
      const bool follows = provesDirectly(fact, kBudgetOfOther);
      forgetTo(before);
      if (follows) knowNotNegative(fact);
    }
  }
}

BoundsFacts::Facts BoundsFacts::factsOf(const Known& known) {
  const size_t before = mark();
  std::vector<Known> parts = withAllParts(known);
  for (; !parts.empty(); parts.pop_back()) knowComparison(parts.back());
  return takeTo(before);
}

void BoundsFacts::knowComparison(const Known& known) {
  const core::Expr* expr = definition(known.condition);
  const auto* op = expr == nullptr ? nullptr : std::get_if<PrimOp>(expr);
  if (op == nullptr || op->type == ScalarType::kBool) return;
  const bool holds = known.holds;
  if (op->args.size() != 2) return;
  auto a = exact(op->args[0]), b = exact(op->args[1]);
  if (!a || !b) return;
  auto atMost = [&](const Polynomial& x, const Polynomial& y, int64_t offset) {
    auto difference = y.plus(x, -1);
    if (difference) knowNotNegative(difference->plus(Polynomial::constant(offset)));
  };
  switch (op->op) {
    case Op::kLe:
      holds ? atMost(*a, *b, 0) : atMost(*b, *a, -1);
      break;
    case Op::kLt:
      holds ? atMost(*a, *b, -1) : atMost(*b, *a, 0);
      break;
    case Op::kGe:
      holds ? atMost(*b, *a, 0) : atMost(*a, *b, -1);
      break;
    case Op::kGt:
      holds ? atMost(*b, *a, -1) : atMost(*a, *b, 0);
      break;
    case Op::kEq:
    case Op::kNe:
      if (holds != (op->op == Op::kEq)) return knowDifferent(*a, *b);
      atMost(*a, *b, 0), atMost(*b, *a, 0);
      break;
    default:
      return;
  }
  for (const Operand& arg : op->args) {
    if (inexact_.contains(arg.value) && isNotNegative(exact(arg))) knowSum(arg.value);
  }
}

}  // namespace halo::passes
