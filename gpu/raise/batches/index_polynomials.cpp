// Sums and products alone are looked through; every other variable is an atom.
#include "gpu/raise/batches/index_polynomials.h"

#include <algorithm>

#include "lang/imp/operands.h"
#include "lang/imp/walk.h"

namespace halo::gpu {

using namespace imp;
using passes::Polynomial;
using prim::Op;

namespace {

constexpr int64_t kMaxIterations = 16;  // more are as good as none at all
constexpr size_t kMaxTerms = 16;

core::ValueId atomOf(VarId var) { return core::ValueId(var.index); }
VarId varOf(core::ValueId atom) { return VarId(atom.index); }

bool isSum(const Prim& prim) {
  return prim.type == ScalarType::kI64 &&
         (prim.op == Op::kAdd || prim.op == Op::kSub || prim.op == Op::kMul);
}

}  // namespace

IndexPolynomials::IndexPolynomials(const Program& program, const Function& kernel)
    : program_(program) {
  size_t number = 0;
  forEachStm(kernel.body, [&](const Stm& stm) {
    if (const auto* let = std::get_if<Let>(&stm.node)) bound_[let->var] = number;
    if (const auto* loop = std::get_if<For>(&stm.node)) {
      inside_[loop->var] = {number, number + countStms(loop->body)};
      bound_[loop->var] = number;
    }
    look(stm);
    ++number;
  });
}

void IndexPolynomials::look(const Stm& stm) {
  if (const auto* declare = std::get_if<Declare>(&stm.node)) varying_.insert(declare->var);
  const auto* let = std::get_if<Let>(&stm.node);
  if (let == nullptr) return;
  const auto isOneOf = [](const Operand& operand, const std::unordered_set<VarId>& vars) {
    return !operand.isConstant() && vars.contains(operand.var);
  };
  const Operands read = operandsOf(let->expr);
  const bool varies = std::any_of(
      read.begin(), read.end(), [&](const Operand& operand) { return isOneOf(operand, varying_); });
  if (varies) varying_.insert(let->var);
  if (const auto* built_in = std::get_if<BuiltInValue>(&let->expr)) {
    const bool counts = built_in->what == BuiltIn::kGlobalId || built_in->what == BuiltIn::kLocalId;
    if (counts && built_in->dimension == 0) lanes_.insert(let->var);
    if (counts || built_in->what == BuiltIn::kLane) varying_.insert(let->var);
  }
  const auto* convert = std::get_if<Convert>(&let->expr);
  const bool is_same = convert != nullptr && convert->kind == prim::ConvertKind::kValue &&
                       isOneOf(convert->arg, lanes_);
  if (is_same && program_.vars[let->var].type == ScalarType::kI64) lanes_.insert(let->var);
  const auto* prim = std::get_if<Prim>(&let->expr);
  if (prim != nullptr && isSum(*prim)) sums_.emplace(let->var, *prim);
}

std::optional<Polynomial> IndexPolynomials::of(const Operand& operand) const {
  if (operand.isConstant()) return Polynomial::constant(operand.constant.asSigned());
  const auto found = sums_.find(operand.var);
  if (found == sums_.end()) return Polynomial::value(atomOf(operand.var));
  const auto a = of(found->second.args[0]), b = of(found->second.args[1]);
  if (!a || !b) return std::nullopt;
  const Op op = found->second.op;
  auto made = op == Op::kMul ? a->times(*b) : a->plus(*b, op == Op::kAdd ? 1 : -1);
  return made && made->size() <= kMaxTerms ? made : std::nullopt;
}

// The place where `index` is one more, less the place.
std::optional<Polynomial> IndexPolynomials::movedBy(const Polynomial& place, VarId index) const {
  const auto next = Polynomial::value(atomOf(index)).plus(Polynomial::constant(1));
  const auto moved = next ? place.substitute({{atomOf(index), *next}}) : std::nullopt;
  return moved ? moved->plus(place, -1) : std::nullopt;
}

// Other than the loop's index: a number that is loaded there, for one.
bool IndexPolynomials::changesIn(const For& loop, VarId var) const {
  if (var == loop.var) return false;
  const Range& range = inside_.at(loop.var);
  const auto made = bound_.find(var);
  const bool is_inside =
      made != bound_.end() && made->second > range.begin && made->second <= range.end;
  return is_inside || program_.vars[var].is_mutable;
}

std::optional<Polynomial> IndexPolynomials::stepOf(const For& loop, const Operand& index) const {
  const auto place = of(index);
  if (!place) return std::nullopt;
  for (const auto& [monomial, factor] : place->terms()) {
    const bool is_fixed = std::none_of(monomial.begin(), monomial.end(), [&](core::ValueId atom) {
      return changesIn(loop, varOf(atom));
    });
    if (!is_fixed) return std::nullopt;
  }
  auto step = movedBy(*place, loop.var);
  const auto again = step ? movedBy(*step, loop.var) : std::nullopt;
  return again && again->size() == 0 ? step : std::nullopt;
}

std::optional<int64_t> IndexPolynomials::iterationsBetween(const For& loop, const Operand& a,
                                                           const Operand& b) const {
  const auto step = stepOf(loop, a);
  if (!step || step->size() == 0 || stepOf(loop, b) != step) return std::nullopt;
  const auto distance = of(a)->plus(*of(b), -1);
  for (int64_t n = -kMaxIterations; distance && n <= kMaxIterations; ++n) {
    const auto left = distance->plus(*step, -n);
    if (left && left->size() == 0) return n;
  }
  return std::nullopt;
}

std::optional<int64_t> IndexPolynomials::laneStep(const Operand& index) const {
  const auto place = of(index);
  if (!place) return std::nullopt;
  std::optional<VarId> lane;
  for (const auto& [monomial, factor] : place->terms()) {
    for (const core::ValueId atom : monomial) {
      const VarId var = varOf(atom);
      if (!varying_.contains(var)) continue;
      if (!lanes_.contains(var) || (lane && *lane != var)) return std::nullopt;
      lane = var;
    }
  }
  if (!lane) return 0;
  const auto step = movedBy(*place, *lane);
  const auto constant = step ? step->asConstant() : std::nullopt;
  return constant ? std::optional(static_cast<int64_t>(*constant)) : std::nullopt;
}

}  // namespace halo::gpu
