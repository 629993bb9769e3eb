// The prover: ranges of types, facts, extrema, quotients, arms.
#include "lang/passes/bounds/bounds_facts.h"

#include <algorithm>
#include <limits>

#include "lang/value/limits.h"

namespace halo::passes {
namespace {

using core::Operand;
using core::PrimOp;
using core::ScalarType;
using core::ValueId;
using prim::Op;

constexpr int kDepth = 6;         // facts used in one proof
constexpr int kSmallBudget = 24;  // in a frequent question
constexpr int kMaxSplits = 3;     // conditions whose arms are proven separately
constexpr size_t kMaxTerms = 12;

// Another polynomial of the same hash loses a proof, no more.
uint64_t hashOf(const Polynomial& p) {
  uint64_t hash = 0;
  auto mix = [&](uint64_t word) { hash = (hash ^ word) * 0x9e3779b97f4a7c15u + (hash >> 29); };
  for (const auto& [monomial, coefficient] : p.terms()) {
    for (const ValueId atom : monomial) mix(atom.index + 1);
    mix(static_cast<uint64_t>(coefficient) + (uint64_t{1} << 40));
  }
  return hash;
}

}  // namespace

bool BoundsFacts::isInRange(const Polynomial& p, ScalarType type) const {
  const int64_t highest = std::numeric_limits<int64_t>::max() >> (64 - prim::bitWidth(type));
  const int64_t lowest = -highest - 1;
  auto ends = rangeOf(p);
  const bool is_above = ends && ends->first >= lowest;
  const bool is_below = ends && ends->second <= highest;
  if (is_above && is_below) return true;
  // A product of all sizes of an array that exists counts its elements.
  bool is_product = p.size() == 1 && p.terms().begin()->second == 1;
  if (type == ScalarType::kI64 && is_product &&
      element_counts_.contains(p.terms().begin()->first)) {
    return true;
  }
  // Each end by itself: `highest - (i - 1)` has no constant that fits.
  auto proves = [&](const std::optional<Polynomial>& distance) {
    return distance && provesDirectly(*distance, kSmallBudget);
  };
  return (is_above || proves(p.plus(Polynomial::constant(lowest), -1))) &&
         (is_below || proves(Polynomial::constant(highest).plus(p, -1)));
}

// With every atom at either end of its type, a size between 0 and its limit.
std::optional<std::pair<__int128, __int128>> BoundsFacts::rangeOf(const Polynomial& p) const {
  __int128 least = 0, most = 0;
  for (const auto& [monomial, coefficient] : p.terms()) {
    if (monomial.size() > 1) return std::nullopt;
    __int128 low = 1, high = 1;
    if (!monomial.empty()) {
      ScalarType type = program_.type(monomial[0]).scalar;
      const bool is_size = sizes_.contains(monomial[0]);
      high = (__int128{1} << (prim::bitWidth(type) - (prim::isSigned(type) ? 1 : 0))) - 1;
      low = is_size || prim::isUnsigned(type) ? 0 : -high - 1;
      if (is_size) high = value::kMaxElements;
    }
    __int128 down = 0, up = 0;
    if (__builtin_mul_overflow(coefficient, coefficient > 0 ? low : high, &down) ||
        __builtin_mul_overflow(coefficient, coefficient > 0 ? high : low, &up) ||
        __builtin_add_overflow(least, down, &least) || __builtin_add_overflow(most, up, &most)) {
      return std::nullopt;
    }
  }
  return std::pair(least, most);
}

bool BoundsFacts::prove(const Polynomial& p, int depth, Search& search) const {
  if (auto ends = rangeOf(p); ends && ends->first >= 0) return true;
  if (depth == 0 || --search.budget < 0) return false;
  // The same facts in another order lead here again.
  const auto failed = search.failed.find(hashOf(p));
  if (failed != search.failed.end() && failed->second >= depth) return false;
  const bool is_proven = proveWithExtremum(p, depth, search) ||
                         proveWithQuotient(p, depth, search) || proveByFacts(p, depth, search);
  if (!is_proven && search.budget >= 0) search.failed[hashOf(p)] = depth;
  return is_proven;
}

// p >= 0 follows if p - f * m >= 0 does, f >= 0 being a fact and m a product of values >= 0; such
// that a term of p disappears.
bool BoundsFacts::proveByFacts(const Polynomial& p, int depth, Search& search) const {
  for (const auto& [monomial, coefficient] : p.terms()) {
    for (size_t i = 0; i < monomial.size(); ++i) {
      auto facts = facts_.find(monomial[i]);
      if (facts == facts_.end()) continue;
      Polynomial rest = Polynomial::constant(1);
      bool positive = true;
      for (size_t j = 0; j < monomial.size(); ++j) {
        if (j == i) continue;
        rest = *rest.times(Polynomial::value(monomial[j]));
        Search small{kSmallBudget};
        positive = positive && prove(Polynomial::value(monomial[j]), 2, small);
      }
      if (!positive) continue;
      for (const Polynomial& fact : facts->second) {
        const Polynomial::Coefficient own = fact.terms().at({monomial[i]});  // 1 or -1
        if ((own > 0) != (coefficient > 0)) continue;
        auto scaled = fact.times(rest);
        auto left = scaled ? p.plus(*scaled, -coefficient * own) : std::nullopt;
        if (left && left->size() <= kMaxTerms && prove(*left, depth - 1, search)) return true;
      }
    }
  }
  return false;
}

// A maximum that is subtracted, or a minimum that is added. With m = max(a, b), p >= 0 follows from
// both p[m := a] >= 0 and p[m := b] >= 0. The other way round the facts m >= a, m >= b do.
bool BoundsFacts::proveWithExtremum(const Polynomial& p, int depth, Search& search) const {
  for (const auto& [monomial, coefficient] : p.terms()) {
    if (monomial.size() != 1) continue;
    const auto& table = coefficient > 0 ? minima_ : maxima_;
    auto found = table.find(monomial[0]);
    if (found == table.end()) continue;
    auto a = exact(found->second.first), b = exact(found->second.second);
    auto proves = [&](const std::optional<Polynomial>& by) {
      auto left = by ? p.substitute({{monomial[0], *by}}) : std::nullopt;
      return left && left->size() <= kMaxTerms && prove(*left, depth - 1, search);
    };
    if (proves(a) && proves(b)) return true;
  }
  return false;
}

// With q = floor(x / d) and p = r + k q, by the sign of k: for k < 0 d p >= d r + k x, as q <= x /
// d. For k > 0 d p >= d r + k x - k (d - 1). The integer p is not negative if d p >= -(d - 1).
bool BoundsFacts::proveWithQuotient(const Polynomial& p, int depth, Search& search) const {
  for (const auto& [monomial, coefficient] : p.terms()) {
    if (monomial.size() != 1 || !quotients_.contains(monomial[0])) continue;
    const auto& [dividend, divisor] = quotients_.at(monomial[0]);
    const Polynomial::Coefficient roundings = coefficient > 0 ? 1 - coefficient : 1;  // of d - 1
    Polynomial::Coefficient slack = 0;
    if (__builtin_mul_overflow(roundings, divisor - 1, &slack)) continue;
    auto rest = p.plus(Polynomial::value(monomial[0]), -coefficient);
    auto scaled = rest ? Polynomial::constant(slack).plus(*rest, divisor) : std::nullopt;
    auto left = scaled ? scaled->plus(dividend, coefficient) : std::nullopt;
    if (left && left->size() <= kMaxTerms && prove(*left, depth - 1, search)) return true;
  }
  return false;
}

// Short proofs first: the search is exponential in the depth.
bool BoundsFacts::provesDirectly(const Polynomial& p, int budget) const {
  Search search;
  for (int depth = 1; depth <= kDepth; ++depth) {
    search.budget = budget;
    if (prove(p, depth, search)) return true;
    if (depth > 1 && search.failed.size() == 1) return false;  // no fact is of use
  }
  return false;
}

const BoundsFacts::Choice* BoundsFacts::choiceIn(const Polynomial& p) const {
  for (const auto& term : p.terms()) {
    if (term.first.size() != 1) continue;
    auto found = choices_.find(term.first[0]);
    if (found != choices_.end()) return &found->second;
  }
  return nullptr;
}

// All that the condition chooses, not one value only: `hi - lo` of a search that halves.
std::optional<Polynomial> BoundsFacts::inArm(const Polynomial& p, const Operand& condition,
                                             bool holds) const {
  std::map<ValueId, Polynomial> chosen;
  for (const auto& term : p.terms()) {
    for (const ValueId atom : term.first) {
      auto found = choices_.find(atom);
      if (found == choices_.end() || found->second.condition != condition) continue;
      auto value = exact(holds ? found->second.yes : found->second.no);
      if (value) chosen.insert_or_assign(atom, std::move(*value));
    }
  }
  return p.substitute(chosen);
}

bool BoundsFacts::provesByArms(const Polynomial& p, int splits, int budget) {
  const Choice* found = choiceIn(p);
  if (found == nullptr || splits == 0) return false;
  const Choice choice = *found;
  for (const bool holds : {true, false}) {
    const size_t before = mark();
    if (choice.arms != nullptr) {
      for (const Polynomial& fact : holds ? choice.arms->on_true : choice.arms->on_false) {
        knowNotNegative(fact);
      }
    } else {
      knowCondition(choice.condition, holds);
    }
    auto q = inArm(p, choice.condition, holds);
    const bool is_proven = q && q->size() <= kMaxTerms &&
                           (provesDirectly(*q, budget) || provesByArms(*q, splits - 1, budget));
    forgetTo(before);
    if (!is_proven) return false;
  }
  return true;
}

bool BoundsFacts::isNotNegative(const std::optional<Polynomial>& p, int budget) {
  return p && (provesDirectly(*p, budget) || provesByArms(*p, kMaxSplits, budget));
}

bool BoundsFacts::isAtMost(const Operand& a, const Operand& b, int64_t offset) {
  auto x = exact(a), y = exact(b);
  auto difference = x && y ? y->plus(*x, -1) : std::nullopt;
  return difference && isNotNegative(difference->plus(Polynomial::constant(offset)));
}

bool BoundsFacts::holds(const Operand& condition) {
  if (condition.isConstant()) return condition.constant.asBool();
  const core::Expr* expr = definition(condition);
  const auto* op = expr == nullptr ? nullptr : std::get_if<PrimOp>(expr);
  if (op == nullptr || op->args.size() != 2) return false;
  if (op->type == ScalarType::kBool) {
    if (op->op == Op::kAnd) return holds(op->args[0]) && holds(op->args[1]);
    return op->op == Op::kOr && (holds(op->args[0]) || holds(op->args[1]));
  }
  switch (op->op) {
    case Op::kLe:
      return isAtMost(op->args[0], op->args[1], 0);
    case Op::kLt:
      return isAtMost(op->args[0], op->args[1], -1);
    case Op::kGe:
      return isAtMost(op->args[1], op->args[0], 0);
    case Op::kGt:
      return isAtMost(op->args[1], op->args[0], -1);
    case Op::kEq:
      return isAtMost(op->args[0], op->args[1], 0) && isAtMost(op->args[1], op->args[0], 0);
    default:
      return false;
  }
}

}  // namespace halo::passes
