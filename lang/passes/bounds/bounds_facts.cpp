// In this order: records, facts from statements and conditions, the prover.
#include "lang/passes/bounds/bounds_facts.h"

#include <algorithm>
#include <limits>

namespace halo::passes {
namespace {

using core::Operand;
using core::PrimOp;
using core::Scalar;
using core::ScalarType;
using core::ValueId;
using prim::Op;

constexpr int kDepth = 6;         // facts used in one proof
constexpr int kBudget = 60;       // polynomials looked at in one proof
constexpr int kSmallBudget = 24;  // in a frequent question
constexpr size_t kMaxTerms = 12, kMaxFactsPerAtom = 8;
constexpr int kMaxConditions = 30;  // looked at to learn from one of them

}  // namespace

void BoundsFacts::forgetTo(size_t mark) {
  for (; trail_.size() > mark; trail_.pop_back()) facts_[trail_.back()].pop_back();
}

const core::Expr* BoundsFacts::definition(const Operand& operand) const {
  if (operand.isConstant()) return nullptr;
  auto found = definitions_.find(operand.value);
  return found == definitions_.end() ? nullptr : &found->second;
}

std::optional<Polynomial> BoundsFacts::modular(const Operand& operand) const {
  core::Type type = program_.type(operand);
  if (!type.isScalar() || !prim::isInteger(type.scalar) || type.scalar == ScalarType::kU64) {
    return std::nullopt;
  }
  if (operand.isConstant()) {
    return Polynomial::constant(prim::isSigned(type.scalar)
                                    ? operand.constant.asSigned()
                                    : static_cast<int64_t>(operand.constant.bits));
  }
  auto found = values_.find(operand.value);
  return found == values_.end() ? Polynomial::value(operand.value) : found->second;
}

std::optional<Polynomial> BoundsFacts::exact(const Operand& operand) const {
  auto p = modular(operand);
  if (p && inexact_.contains(operand.value)) return Polynomial::value(operand.value);
  return p;
}

bool BoundsFacts::isInRange(const Polynomial& p) const {
  constexpr int64_t kHighest = std::numeric_limits<int64_t>::max();
  auto ends = rangeOf(p);
  const bool is_above = ends && ends->first >= -static_cast<__int128>(kHighest);
  const bool is_below = ends && ends->second <= kHighest;
  if (is_above && is_below) return true;
  // A product of all sizes of an array that exists counts its elements.
  bool is_product = p.size() == 1 && p.terms().begin()->second == 1;
  if (is_product && element_counts_.contains(p.terms().begin()->first)) return true;
  // Each end by itself: `kHighest - (i - 1)` has no constant that fits.
  auto proves = [&](const std::optional<Polynomial>& distance) {
    int small = kSmallBudget;
    return distance && prove(*distance, kDepth, small);
  };
  return (is_above || proves(p.plus(Polynomial::constant(kHighest)))) &&
         (is_below || proves(Polynomial::constant(kHighest).plus(p, -1)));
}

void BoundsFacts::knowNotNegative(const std::optional<Polynomial>& p) {
  if (!p) return;
  for (const auto& [monomial, coefficient] : p->terms()) {
    // Only facts that bound the atom itself: a single factor, once.
    if (monomial.size() != 1 || (coefficient != 1 && coefficient != -1)) continue;
    std::vector<Polynomial>& facts = facts_[monomial[0]];
    if (facts.size() >= kMaxFactsPerAtom) continue;
    facts.push_back(*p);
    trail_.push_back(monomial[0]);
  }
}

void BoundsFacts::knowSizes(ValueId binder) {
  Polynomial count = Polynomial::constant(1);
  for (const Operand& size : program_.type(binder).shape) {
    auto p = exact(size);
    auto product = p ? count.times(*p) : std::nullopt;
    if (product) count = std::move(*product);
  }
  if (count.size() == 1) element_counts_.insert(count.terms().begin()->first);
  for (const Operand& size : program_.type(binder).shape) {
    if (size.isConstant() || !sizes_.insert(size.value).second) continue;
    // Sizes are never negative wherever their array exists; kept for good, since it is true of
    // the value and not of the place.
    facts_[size.value].insert(facts_[size.value].begin(), Polynomial::value(size.value));
  }
}

void BoundsFacts::define(const core::Stm& stm) {
  if (stm.results.size() != 1) return;
  ValueId result = stm.results[0];
  if (const auto* convert = std::get_if<core::Convert>(&stm.expr)) {
    bool widens = convert->kind == prim::ConvertKind::kValue && convert->to == ScalarType::kI64 &&
                  prim::isInteger(convert->from) && prim::byteSize(convert->from) < 8;
    auto inner = widens ? exact(convert->arg) : std::nullopt;
    if (inner) values_[result] = *inner;
    if (inner && prim::isUnsigned(convert->from)) knowNotNegative(inner);
    return;
  }
  defineChoice(stm);
  const auto* op = std::get_if<PrimOp>(&stm.expr);
  if (op == nullptr) return;
  definitions_.insert_or_assign(result, stm.expr);
  if (op->type == ScalarType::kI64 && prim::resultType(op->op, op->type) == ScalarType::kI64) {
    defineSum(result, *op);
    defineBounded(result, *op);
  }
}

void BoundsFacts::defineChoice(const core::Stm& stm) {
  if (program_.type(stm.results[0]) != core::Type{ScalarType::kBool, {}}) return;
  if (const auto* select = std::get_if<core::Select>(&stm.expr)) {
    choices_[stm.results[0]] = {select->condition, select->on_true, select->on_false};
  } else if (const auto* match = std::get_if<core::Match>(&stm.expr)) {
    const bool is_if =
        match->cases.size() == 1 && program_.type(match->scrutinee).scalar == ScalarType::kBool;
    if (!is_if) return;
    const Operand &arm = match->cases[0].body.results[0], &other = match->otherwise.results[0];
    const bool holds = match->cases[0].value.asBool();
    choices_[stm.results[0]] = {match->scrutinee, holds ? arm : other, holds ? other : arm};
  }
}

void BoundsFacts::defineSum(ValueId result, const PrimOp& op) {
  std::optional<Polynomial> sum;
  auto a = modular(op.args[0]);
  auto b = op.args.size() > 1 ? modular(op.args[1]) : std::nullopt;
  if (op.op == Op::kNeg) sum = Polynomial().plus(*a, -1);
  if (op.op == Op::kAdd) sum = a->plus(*b);
  if (op.op == Op::kSub) sum = a->plus(*b, -1);
  if (op.op == Op::kMul) sum = a->times(*b);
  if (!sum || sum->size() > kMaxTerms) return;
  bool from_exact = true;
  for (const Operand& arg : op.args) from_exact = from_exact && !inexact_.contains(arg.value);
  if (!from_exact || !isInRange(*sum)) inexact_.insert(result);
  values_[result] = std::move(*sum);
}

void BoundsFacts::defineBounded(ValueId result, const PrimOp& op) {
  Polynomial self = Polynomial::value(result);
  switch (op.op) {
    case Op::kMin:
      minima_[result] = {op.args[0], op.args[1]};
      for (const Operand& arg : op.args) knowNotNegative(exact(arg)->plus(self, -1));
      break;
    case Op::kMax:
      maxima_[result] = {op.args[0], op.args[1]};
      for (const Operand& arg : op.args) knowNotNegative(self.plus(*exact(arg), -1));
      break;
    case Op::kRem:  // of non-negative values: the same
    case Op::kMod:
      if (op.op == Op::kRem && !isNotNegative(exact(op.args[0]))) break;
      // With a divisor d >= 0 (0 fails): 0 <= x % d <= d - 1.
      if (isNotNegative(exact(op.args[1]))) {
        knowNotNegative(self);
        auto below = exact(op.args[1])->plus(self, -1);
        if (below) knowNotNegative(below->plus(Polynomial::constant(-1)));
      }
      break;
    case Op::kDiv:
    case Op::kQuot:
      // 0 <= x / d <= x for x >= 0, d >= 0 (0 fails).
      if (isNotNegative(exact(op.args[0])) && isNotNegative(exact(op.args[1]))) {
        knowNotNegative(self);
        knowNotNegative(exact(op.args[0])->plus(self, -1));
      }
      break;
    case Op::kAnd:
      for (const Operand& mask : op.args) {
        if (!mask.isConstant() || mask.constant.asSigned() < 0) continue;
        knowNotNegative(self);
        knowNotNegative(exact(mask)->plus(self, -1));
      }
      break;
    default:
      break;
  }
}

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

// The latest parts only: each condition of a long `&&` contains all that come before it.
void BoundsFacts::knowCondition(const Operand& condition, bool holds) {
  std::vector<Known> comparisons, waiting = {{condition, holds}};
  for (int steps = 0; !waiting.empty() && steps < kMaxConditions; steps++) {
    const Known known = waiting.back();
    waiting.pop_back();
    if (known.condition.isConstant()) continue;
    const std::vector<Known> parts = partsOf(known);
    waiting.insert(waiting.end(), parts.begin(), parts.end());
    if (parts.empty()) comparisons.push_back(known);
  }
  for (; !comparisons.empty(); comparisons.pop_back()) knowComparison(comparisons.back());
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
      return holds ? atMost(*a, *b, 0) : atMost(*b, *a, -1);
    case Op::kLt:
      return holds ? atMost(*a, *b, -1) : atMost(*b, *a, 0);
    case Op::kGe:
      return holds ? atMost(*b, *a, 0) : atMost(*a, *b, -1);
    case Op::kGt:
      return holds ? atMost(*b, *a, -1) : atMost(*a, *b, 0);
    case Op::kEq:
    case Op::kNe:
      if (holds != (op->op == Op::kEq)) return knowDifferent(*a, *b);
      return atMost(*a, *b, 0), atMost(*b, *a, 0);
    default:
      return;
  }
}

std::optional<Polynomial> BoundsFacts::replace(const Polynomial& p, ValueId atom,
                                               const Polynomial& by) const {
  Polynomial result;
  for (const auto& [monomial, coefficient] : p.terms()) {
    auto position = std::find(monomial.begin(), monomial.end(), atom);
    Polynomial rest = Polynomial::constant(1);
    bool replaced = position != monomial.end();
    for (auto factor = monomial.begin(); factor != monomial.end(); ++factor) {
      if (factor != position) rest = *rest.times(Polynomial::value(*factor));
    }
    std::optional<Polynomial> term = replaced ? rest.times(by) : rest;
    auto sum = term ? result.plus(*term, coefficient) : std::nullopt;
    if (!sum || sum->size() > kMaxTerms) return std::nullopt;
    result = std::move(*sum);
  }
  return result;
}

// With every atom at either end of its type, a size not below 0.
std::optional<std::pair<__int128, __int128>> BoundsFacts::rangeOf(const Polynomial& p) const {
  __int128 least = 0, most = 0;
  for (const auto& [monomial, coefficient] : p.terms()) {
    if (monomial.size() > 1) return std::nullopt;
    __int128 low = 1, high = 1;
    if (!monomial.empty()) {
      ScalarType type = program_.type(monomial[0]).scalar;
      high = (__int128{1} << (prim::bitWidth(type) - (prim::isSigned(type) ? 1 : 0))) - 1;
      low = sizes_.contains(monomial[0]) || prim::isUnsigned(type) ? 0 : -high - 1;
    }
    const __int128 down = coefficient * (coefficient > 0 ? low : high);
    const __int128 up = coefficient * (coefficient > 0 ? high : low);
    if (__builtin_add_overflow(least, down, &least) || __builtin_add_overflow(most, up, &most)) {
      return std::nullopt;
    }
  }
  return std::pair(least, most);
}

// p >= 0 follows if p - f * m >= 0 does, f >= 0 being a fact and m a product of values >= 0; such
// that a term of p disappears.
bool BoundsFacts::prove(const Polynomial& p, int depth, int& budget) const {
  if (auto ends = rangeOf(p); ends && ends->first >= 0) return true;
  if (depth == 0 || --budget < 0) return false;
  if (proveWithExtremum(p, depth, budget)) return true;
  for (const auto& [monomial, coefficient] : p.terms()) {
    for (size_t i = 0; i < monomial.size(); i++) {
      auto facts = facts_.find(monomial[i]);
      if (facts == facts_.end()) continue;
      Polynomial rest = Polynomial::constant(1);
      bool positive = true;
      for (size_t j = 0; j < monomial.size(); j++) {
        if (j == i) continue;
        rest = *rest.times(Polynomial::value(monomial[j]));
        int small = kSmallBudget;
        positive = positive && prove(Polynomial::value(monomial[j]), 2, small);
      }
      if (!positive) continue;
      for (const Polynomial& fact : facts->second) {
        const int64_t own = fact.terms().at({monomial[i]});  // 1 or -1
        int64_t factor = 0;
        if (__builtin_mul_overflow(coefficient, own, &factor) || factor < 0) continue;
        auto scaled = fact.times(rest);
        auto left = scaled ? p.plus(*scaled, -factor) : std::nullopt;
        if (left && left->size() <= kMaxTerms && prove(*left, depth - 1, budget)) return true;
      }
    }
  }
  return false;
}

// A maximum that is subtracted, or a minimum that is added. With m = max(a, b), p >= 0 follows from
// both p[m := a] >= 0 and p[m := b] >= 0. The other way round the facts m >= a, m >= b do.
bool BoundsFacts::proveWithExtremum(const Polynomial& p, int depth, int& budget) const {
  for (const auto& [monomial, coefficient] : p.terms()) {
    if (monomial.size() != 1) continue;
    const auto& table = coefficient > 0 ? minima_ : maxima_;
    auto found = table.find(monomial[0]);
    if (found == table.end()) continue;
    auto a = exact(found->second.first), b = exact(found->second.second);
    auto with_a = a ? replace(p, monomial[0], *a) : std::nullopt;
    auto with_b = b ? replace(p, monomial[0], *b) : std::nullopt;
    if (with_a && with_b && prove(*with_a, depth - 1, budget) &&
        prove(*with_b, depth - 1, budget)) {
      return true;
    }
  }
  return false;
}

// Short proofs first: the search is exponential in the depth.
bool BoundsFacts::isNotNegative(const std::optional<Polynomial>& p) const {
  for (int depth = 1; p && depth <= kDepth; depth++) {
    int budget = kBudget;
    if (prove(*p, depth, budget)) return true;
  }
  return false;
}

bool BoundsFacts::isAtMost(const Operand& a, const Operand& b, int64_t offset) const {
  auto x = exact(a), y = exact(b);
  auto difference = x && y ? y->plus(*x, -1) : std::nullopt;
  return difference && isNotNegative(difference->plus(Polynomial::constant(offset)));
}

bool BoundsFacts::holds(const Operand& condition) const {
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
