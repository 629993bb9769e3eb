// One rule per operation; results of others are unknown.
#include "gpu/raise/intervals.h"

#include <algorithm>

#include "gpu/raise/raise.h"
#include "lang/base/match.h"
#include "lang/imp/walk.h"

namespace halo::gpu {

using namespace imp;
using prim::ConvertKind;
using prim::Op;

namespace {

using Maybe = std::optional<Interval>;

constexpr Interval kAnything = {-(Wide{1} << 63), (Wide{1} << 63) - 1};  // of i64
constexpr Wide kMaxInvocations = 1 << 16;  // of a workgroup, on any device

Wide magnitude(const Interval& a) { return std::max(-a.lo, a.hi); }

// Beyond 64 bits a value wraps, and an interval would mean nothing.
Maybe ifNoWrap(const Interval& r) {
  constexpr Wide kEnd = Wide{1} << 63;
  if (r.lo < -kEnd || r.hi >= kEnd) return std::nullopt;
  return r;
}

Maybe product(const Interval& a, const Interval& b) {
  if (magnitude(a) > (Wide{1} << 63) || magnitude(b) > (Wide{1} << 63)) return std::nullopt;
  Wide p[4] = {a.lo * b.lo, a.lo * b.hi, a.hi * b.lo, a.hi * b.hi};
  return ifNoWrap({*std::min_element(p, p + 4), *std::max_element(p, p + 4)});
}

// Truncating division by something that is not 0.
Interval quotient(const Interval& a, const Interval& b) {
  if (b.lo < 0) return {-magnitude(a), magnitude(a)};
  const Wide least = std::max<Wide>(b.lo, 1), most = std::max(b.hi, least);
  return {a.lo / (a.lo < 0 ? least : most), a.hi / (a.hi < 0 ? most : least)};
}

// The sign is that of the dividend.
Interval remainder(const Interval& a, const Interval& b) {
  Wide most = std::max<Wide>(magnitude(b) - 1, 0);
  return {a.lo < 0 ? -std::min(most, -a.lo) : Wide{0}, a.hi > 0 ? std::min(most, a.hi) : Wide{0}};
}

// Bits of both: a non-negative operand bounds the result.
Maybe conjunction(const Interval& a, const Maybe& b) {
  bool b_counts = b && b->lo >= 0;
  if (a.lo >= 0) return Interval{0, b_counts ? std::min(a.hi, b->hi) : a.hi};
  if (b_counts) return Interval{0, b->hi};
  return std::nullopt;
}

// Shifts by counts below 63; to the right, a non-negative number becomes no larger.
Maybe shifted(Op op, const Interval& a, const Interval& count) {
  if (op != Op::kMachineShl && a.lo >= 0 && count.lo != count.hi) return Interval{0, a.hi};
  if (count.lo < 0 || count.hi > 62) return std::nullopt;
  auto least = static_cast<int>(count.lo), most = static_cast<int>(count.hi);
  if (op == Op::kMachineShl) return product(a, {Wide{1} << least, Wide{1} << most});
  if (op == Op::kMachineLshr && a.lo < 0) return std::nullopt;
  return Interval{std::min(a.lo >> least, a.lo >> most), std::max(a.hi >> least, a.hi >> most)};
}

// Of one operation on values in these intervals.
Maybe arithmetic(Op op, const Interval& a, const Interval& b) {
  switch (op) {
    case Op::kAdd:
      return ifNoWrap({a.lo + b.lo, a.hi + b.hi});
    case Op::kSub:
      return ifNoWrap({a.lo - b.hi, a.hi - b.lo});
    case Op::kMul:
      return product(a, b);
    case Op::kNeg:
      return ifNoWrap({-a.hi, -a.lo});
    case Op::kMin:
      return Interval{std::min(a.lo, b.lo), std::min(a.hi, b.hi)};
    case Op::kMax:
      return Interval{std::max(a.lo, b.lo), std::max(a.hi, b.hi)};
    case Op::kMachineDiv:
      return ifNoWrap(quotient(a, b));
    case Op::kMachineRem:
      return remainder(a, b);
    case Op::kMachineShl:
    case Op::kMachineShr:
    case Op::kMachineLshr:
      return shifted(op, a, b);
    default:
      return std::nullopt;
  }
}

}  // namespace

bool fits32(const Interval& interval) {
  return interval.lo >= -(Wide{1} << 31) && interval.hi < (Wide{1} << 31);
}

Intervals::Intervals(const Program& program, const Function& kernel, int64_t limit)
    : program_(program), kernel_(kernel) {
  for (VarId scalar : kernel.scalars) {
    if (program.vars[scalar].type == ScalarType::kI64) known_[scalar] = {-limit, limit};
  }
  forEachStm(kernel.body, [&](const Stm& stm) { visit(stm); });
}

Maybe Intervals::of(const Operand& operand) const {
  if (operand.isConstant()) {
    if (!prim::isInteger(operand.constant.type)) return std::nullopt;
    Wide value = prim::isSigned(operand.constant.type) ? Wide{operand.constant.asSigned()}
                                                       : Wide{operand.constant.bits};
    return Interval{value, value};
  }
  auto found = known_.find(operand.var);
  if (found == known_.end()) return std::nullopt;
  return found->second;
}

bool Intervals::fits(const Operand& operand) const {
  Maybe known = of(operand);
  return known && fits32(*known);
}

void Intervals::visit(const Stm& stm) {
  if (auto* let = std::get_if<Let>(&stm.node)) {
    if (Maybe interval = of(let->expr)) known_[let->var] = *interval;
    const Prim* prim = std::get_if<Prim>(&let->expr);
    if (prim != nullptr && prim->op == Op::kLt) less_.emplace(let->var, *prim);
    if (prim != nullptr && prim->op == Op::kMachineDiv) quotients_.emplace(let->var, *prim);
    if (const Prim* quotient = prim == nullptr ? nullptr : wholeOf(*prim)) {
      wholes_.emplace(let->var, *quotient);
    }
  } else if (auto* loop = std::get_if<For>(&stm.node)) {
    Maybe lo = of(loop->lo);
    Maybe hi = of(loop->hi);
    if (lo && hi) known_[loop->var] = {lo->lo, std::max(lo->lo, hi->hi - 1)};
  }
}

Maybe Intervals::of(const Expr& expr) const {
  return base::match(
      expr, [&](const Prim& e) { return of(e); }, [&](const Convert& e) { return of(e); },
      [&](const Select& e) { return of(e); }, [](const Load&) -> Maybe { return std::nullopt; },
      [&](const BuiltInValue& e) -> Maybe { return of(e); },
      [](const Shuffle&) -> Maybe { return std::nullopt; },
      [](const Fma&) -> Maybe { return std::nullopt; });
}

// The division a / b of a product (a / b) * b, which is no larger than a.
const Prim* Intervals::wholeOf(const Prim& e) const {
  if (e.op != Op::kMul || e.args[0].isConstant()) return nullptr;
  const auto found = quotients_.find(e.args[0].var);
  const bool is_whole = found != quotients_.end() && found->second.type == e.type &&
                        found->second.args[1] == e.args[1];
  return is_whole ? &found->second : nullptr;
}

// a - (a / b) * b
Maybe Intervals::ofRest(const Prim& e) const {
  if (e.op != Op::kSub || e.args[1].isConstant()) return std::nullopt;
  const auto found = wholes_.find(e.args[1].var);
  if (found == wholes_.end() || found->second.args[0] != e.args[0]) return std::nullopt;
  const Maybe a = of(e.args[0]), b = of(found->second.args[1]);
  return a && b ? std::optional(remainder(*a, *b)) : std::nullopt;
}

// a < b ? a : b is no more than either, a < b ? b : a no less.
Maybe Intervals::of(const Select& e) const {
  Maybe a = of(e.on_true);
  Maybe b = of(e.on_false);
  auto less = e.condition.isConstant() ? less_.end() : less_.find(e.condition.var);
  if (less != less_.end() && less->second.type == ScalarType::kI64 && (a || b)) {
    a = a ? a : kAnything;
    b = b ? b : kAnything;
    const Operands& args = less->second.args;
    if (args == Operands{e.on_true, e.on_false}) {
      return Interval{std::min(a->lo, b->lo), std::min(a->hi, b->hi)};
    }
    if (args == Operands{e.on_false, e.on_true}) {
      return Interval{std::max(a->lo, b->lo), std::max(a->hi, b->hi)};
    }
  }
  if (!a || !b) return std::nullopt;
  return Interval{std::min(a->lo, b->lo), std::max(a->hi, b->hi)};
}

Interval Intervals::of(const BuiltInValue& value) const {
  Wide size = std::max(kernel_.workgroup[value.dimension], 1);
  switch (value.what) {
    case BuiltIn::kGlobalId:
      return {0, kNarrowCells - 1};
    case BuiltIn::kLocalId:
      return {0, size - 1};
    case BuiltIn::kGroupId:
      return {0, std::max<Wide>(kNarrowCells / size - 1, 0)};
    case BuiltIn::kGroupCount:
      return {0, kNarrowCells / size};
    case BuiltIn::kGroupSize:
      return {size, size};
    case BuiltIn::kLane:
    case BuiltIn::kSubgroup:
      return {0, kMaxInvocations};
    case BuiltIn::kThreads:
      HALO_UNREACHABLE("threads of the host in a kernel");
  }
  HALO_UNREACHABLE("built-in");
}

// To i64 from an integer type: that type's range at most.
Maybe Intervals::of(const Convert& e) const {
  if (e.kind != ConvertKind::kValue || e.to != ScalarType::kI64) return std::nullopt;
  if (e.from == ScalarType::kBool) return Interval{0, 1};
  if (!prim::isInteger(e.from)) return std::nullopt;
  if (Maybe known = of(e.arg)) return ifNoWrap(*known);
  int width = prim::bitWidth(e.from);
  if (width == 64) return std::nullopt;
  if (prim::isUnsigned(e.from)) return Interval{0, (Wide{1} << width) - 1};
  return Interval{-(Wide{1} << (width - 1)), (Wide{1} << (width - 1)) - 1};
}

// Of words: bits that are cut out of one.
Maybe Intervals::ofWord(const Prim& e) const {
  if (e.args.size() != 2 || !e.args[1].isConstant()) return std::nullopt;
  const auto bits = static_cast<Wide>(e.args[1].constant.bits);
  if (e.op == Op::kAnd) return Interval{0, bits};
  if (e.op != Op::kMachineLshr || bits > 31) return std::nullopt;
  return Interval{0, ((Wide{1} << 32) - 1) >> static_cast<int>(bits)};
}

Maybe Intervals::of(const Prim& e) const {
  if (e.type == ScalarType::kU32) return ofWord(e);
  if (e.type != ScalarType::kI64 || e.args.empty()) return std::nullopt;
  if (const Prim* quotient = wholeOf(e)) {
    const Maybe dividend = of(quotient->args[0]);
    if (dividend) return Interval{std::min<Wide>(dividend->lo, 0), std::max<Wide>(dividend->hi, 0)};
  }
  if (Maybe rest = ofRest(e)) return rest;
  Maybe a = of(e.args[0]);
  Maybe b = of(e.args.back());
  if (e.op == Op::kAnd) return a ? conjunction(*a, b) : b ? conjunction(*b, a) : std::nullopt;
  if (e.op == Op::kMin || e.op == Op::kMax) {  // one known bound is a bound of the result
    a = a ? a : kAnything;
    b = b ? b : kAnything;
  }
  return a && b ? arithmetic(e.op, *a, *b) : std::nullopt;
}

}  // namespace halo::gpu
