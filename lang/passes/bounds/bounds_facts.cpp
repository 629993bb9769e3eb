// Values and facts of statements.
#include "lang/passes/bounds/bounds_facts.h"

#include <algorithm>

namespace halo::passes {
namespace {

using core::Operand;
using core::PrimOp;
using core::ScalarType;
using core::ValueId;
using prim::Op;

constexpr size_t kMaxTermsOfSum = 12, kMaxFactsPerAtom = 12;

bool isSignedInteger(ScalarType type) { return prim::isInteger(type) && prim::isSigned(type); }

}  // namespace

void BoundsFacts::forgetTo(size_t mark) {
  while (trail_.size() > mark) forgetLast();
}

BoundsFacts::Facts BoundsFacts::takeTo(size_t mark) {
  Facts taken;
  while (trail_.size() > mark) {
    auto fact = forgetLast();
    // A fact stands behind each of its atoms, one after the other.
    if (fact && (taken.empty() || taken.back() != *fact)) taken.push_back(std::move(*fact));
  }
  std::reverse(taken.begin(), taken.end());
  return taken;
}

std::optional<Polynomial> BoundsFacts::forgetLast() {
  const Learned last = std::move(trail_.back());
  trail_.pop_back();
  if (last.kind == Learned::kCount) {
    element_counts_.erase(last.about);
    return std::nullopt;
  }
  Facts& facts = facts_[last.about[0]];
  if (last.kind == Learned::kSize) {
    sizes_.erase(last.about[0]);
    facts.erase(facts.begin());
    return std::nullopt;
  }
  Polynomial fact = std::move(facts.back());
  facts.pop_back();
  return fact;
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

std::optional<Polynomial> BoundsFacts::elementsOf(const core::Operands& shape) const {
  std::optional<Polynomial> count = Polynomial::constant(1);
  for (const Operand& size : shape) {
    const auto factor = modular(size);
    count = count && factor ? count->times(*factor) : std::nullopt;
  }
  return count;
}

void BoundsFacts::knowNotNegative(const std::optional<Polynomial>& p) {
  if (!p) return;
  for (const auto& [monomial, coefficient] : p->terms()) {
    // Only facts that bound the atom itself: a single factor, once.
    if (monomial.size() != 1 || (coefficient != 1 && coefficient != -1)) continue;
    std::vector<Polynomial>& facts = facts_[monomial[0]];
    const bool is_known = std::find(facts.begin(), facts.end(), *p) != facts.end();
    if (is_known || facts.size() >= kMaxFactsPerAtom) continue;
    facts.push_back(*p);
    trail_.push_back({Learned::kFact, monomial});
  }
}

void BoundsFacts::knowSizes(ValueId binder) {
  Polynomial count = Polynomial::constant(1);
  for (const Operand& size : program_.type(binder).shape) {
    auto p = exact(size);
    auto product = p ? count.times(*p) : std::nullopt;
    if (product) count = std::move(*product);
  }
  if (count.size() == 1 && element_counts_.insert(count.terms().begin()->first).second) {
    trail_.push_back({Learned::kCount, count.terms().begin()->first});
  }
  for (const Operand& size : program_.type(binder).shape) {
    if (size.isConstant()) continue;
    const auto p = exact(size);
    const bool is_term = p->size() == 1 && p->terms().begin()->second == 1;
    const Monomial factors = is_term ? p->terms().begin()->first : Monomial{};
    knowSize(factors.size() == 1 ? factors[0] : size.value);
  }
}

// In front of the atom's other facts, of which there may be too many.
void BoundsFacts::knowSize(ValueId atom) {
  if (!sizes_.insert(atom).second) return;
  facts_[atom].insert(facts_[atom].begin(), Polynomial::value(atom));
  trail_.push_back({Learned::kSize, {atom}});
  knowSum(atom);
}

// Of a value >= 0: a sum of two i64, one of them >= 0, that wraps is negative.
void BoundsFacts::knowSum(ValueId value) {
  const core::Expr* expr = definition(Operand(value));
  const auto* op = expr == nullptr ? nullptr : std::get_if<PrimOp>(expr);
  if (!inexact_.contains(value) || op == nullptr || op->op != Op::kAdd) return;
  bool has_lower_bound = false;
  for (const Operand& arg : op->args) {
    if (inexact_.contains(arg.value)) return;
    has_lower_bound = has_lower_bound || isNotNegative(exact(arg));
  }
  if (!has_lower_bound) return;
  const Polynomial self = Polynomial::value(value);
  knowNotNegative(self.plus(values_.at(value), -1));
  knowNotNegative(values_.at(value).plus(self, -1));
}

// The body of a loop is looked at several times, with other facts. Entries that stay come from the
// statement alone, so that the next look writes the same again. Facts of arms are replaced before
// code behind the `if` asks for them.
void BoundsFacts::redefine(ValueId result) {
  values_.erase(result);
  inexact_.erase(result);
  quotients_.erase(result);
}

void BoundsFacts::define(const core::Stm& stm, bool is_checked) {
  if (stm.results.size() != 1) return;
  const ValueId result = stm.results[0];
  redefine(result);
  if (const auto* convert = std::get_if<core::Convert>(&stm.expr)) {
    defineConversion(result, *convert);
  } else if (const auto* select = std::get_if<core::Select>(&stm.expr)) {
    choices_[result] = {select->condition, select->on_true, select->on_false};
  } else if (const auto* op = std::get_if<PrimOp>(&stm.expr)) {
    definitions_.insert_or_assign(result, stm.expr);
    defineOperation(result, *op, is_checked);
  }
}

void BoundsFacts::defineArms(const core::Stm& stm, Facts on_true, Facts on_false) {
  const auto& match = std::get<core::Match>(stm.expr);
  const auto arms = std::make_shared<const Arms>(Arms{std::move(on_true), std::move(on_false)});
  const bool holds = match.cases[0].value.asBool();
  for (size_t k = 0; k < stm.results.size(); ++k) {
    const core::Type type = program_.type(stm.results[k]);
    if (!type.isScalar() || prim::isFloat(type.scalar)) continue;
    const Operand &arm = match.cases[0].body.results[k], &other = match.otherwise.results[k];
    choices_[stm.results[k]] = {match.scrutinee, holds ? arm : other, holds ? other : arm, arms};
  }
}

void BoundsFacts::defineParam(ValueId param, const Operand& argument) {
  if (auto p = exact(argument)) values_[param] = std::move(*p);
  if (const core::Expr* expr = definition(argument)) definitions_.insert_or_assign(param, *expr);
  auto choice = choices_.find(argument.value);
  if (choice != choices_.end()) choices_[param] = Choice(choice->second);
}

void BoundsFacts::defineConversion(ValueId result, const core::Convert& convert) {
  const bool is_between_integers = convert.kind == prim::ConvertKind::kValue &&
                                   prim::isInteger(convert.from) && isSignedInteger(convert.to);
  auto inner = is_between_integers ? exact(convert.arg) : std::nullopt;
  if (!inner) return;
  if (prim::isUnsigned(convert.from)) knowNotNegative(inner);
  const bool is_wider = prim::byteSize(convert.to) > prim::byteSize(convert.from);
  if (is_wider || convert.to == convert.from || isInRange(*inner, convert.to)) {
    values_[result] = std::move(*inner);
    return;
  }
  // The number modulo a power of 2, at most as large as a number that is not below the range.
  const int64_t lowest = -(int64_t{1} << (prim::bitWidth(convert.to) - 1));
  auto above = inner->plus(Polynomial::constant(lowest), -1);
  if (isNotNegative(above)) knowNotNegative(inner->plus(Polynomial::value(result), -1));
}

void BoundsFacts::defineOperation(ValueId result, const PrimOp& op, bool is_checked) {
  if (!isSignedInteger(op.type) || prim::resultType(op.op, op.type) != op.type) return;
  defineSum(result, op);
  defineBounded(result, op, is_checked);
  defineQuotient(result, op);
}

void BoundsFacts::defineSum(ValueId result, const PrimOp& op) {
  std::optional<Polynomial> sum;
  auto a = modular(op.args[0]);
  auto b = op.args.size() > 1 ? modular(op.args[1]) : std::nullopt;
  if (op.op == Op::kNeg) sum = Polynomial().plus(*a, -1);
  if (op.op == Op::kAdd) sum = a->plus(*b);
  if (op.op == Op::kSub) sum = a->plus(*b, -1);
  if (op.op == Op::kMul) sum = a->times(*b);
  if (!sum || sum->size() > kMaxTermsOfSum) return;
  bool is_exact = true;
  for (const Operand& arg : op.args) is_exact = is_exact && !inexact_.contains(arg.value);
  is_exact = is_exact && isInRange(*sum, op.type);
  if (!is_exact && op.type != ScalarType::kI64) return;
  if (!is_exact) inexact_.insert(result);
  values_[result] = std::move(*sum);
}

// A division or a shift by a constant.
void BoundsFacts::defineQuotient(ValueId result, const PrimOp& op) {
  if (op.args.size() != 2 || !op.args[1].isConstant()) return;
  const int64_t by = op.args[1].constant.asSigned();
  auto dividend = exact(op.args[0]);
  if (op.op == Op::kShr) {
    if (by >= 0 && by < 32) quotients_[result] = {std::move(*dividend), int64_t{1} << by};
    return;
  }
  const bool is_quotient = op.op == Op::kDiv || op.op == Op::kQuot;
  if (!is_quotient || by <= 0 || (op.op == Op::kQuot && !isNotNegative(dividend))) return;
  quotients_[result] = {std::move(*dividend), by};
}

void BoundsFacts::defineBounded(ValueId result, const PrimOp& op, bool is_checked) {
  Polynomial self = Polynomial::value(result);
  const auto isDivisor = [&](const Operand& d) {  // above 0
    return isNotNegative(exact(d)->plus(Polynomial::constant(is_checked ? 0 : -1)));
  };
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
      if (isDivisor(op.args[1])) {
        knowNotNegative(self);
        auto below = exact(op.args[1])->plus(self, -1);
        if (below) knowNotNegative(below->plus(Polynomial::constant(-1)));
      }
      break;
    case Op::kDiv:
    case Op::kQuot:
      // 0 <= x / d <= x for x >= 0, d >= 0 (0 fails).
      if (isNotNegative(exact(op.args[0])) && isDivisor(op.args[1])) {
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

}  // namespace halo::passes
