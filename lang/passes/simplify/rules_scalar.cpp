// Scalar rules: folding of constants, the table of algebra.cpp, and rules that look at how an
// operand was computed.
#include <algorithm>

#include "lang/passes/simplify/simplify_parts.h"
#include "lang/prim/fold.h"

namespace halo::passes {
namespace {

using core::Convert;
using core::Operand;
using core::PrimOp;
using core::Scalar;
using core::Select;
using core::Stm;
using prim::Op;

// Integer sums: (x + c) + d = x + (c + d), (x + y) - y = x and the like; both wrap alike.
std::optional<Operand> simplifySum(RuleContext& context, PrimOp& op, bool& changed) {
  if (!prim::isInteger(op.type) || (op.op != Op::kAdd && op.op != Op::kSub)) return std::nullopt;
  const Operand a = op.args[0], b = op.args[1];
  const auto* left = context.definition<PrimOp>(a);
  if (left != nullptr && op.op == Op::kSub && left->op == Op::kAdd) {
    if (left->args[1] == b) return left->args[0];
    if (left->args[0] == b) return left->args[1];
  }
  if (left != nullptr && op.op == Op::kAdd && left->op == Op::kSub && left->args[1] == b) {
    return left->args[0];
  }
  const auto* right = context.definition<PrimOp>(b);
  if (right != nullptr && op.op == Op::kAdd && right->op == Op::kSub && right->args[1] == a) {
    return right->args[0];
  }
  // The constant comes second, and subtracting one is adding its negative.
  auto constantTerm = [&](const PrimOp& sum, Operand* x) -> std::optional<Scalar> {
    if (sum.op != Op::kAdd && sum.op != Op::kSub) return std::nullopt;
    *x = sum.args[0];
    if (sum.args[1].isConstant()) {
      if (sum.op == Op::kAdd) return sum.args[1].constant;
      return Scalar::ofUnsigned(op.type, 0 - sum.args[1].constant.bits);
    }
    *x = sum.args[1];
    if (sum.op == Op::kAdd && sum.args[0].isConstant()) return sum.args[0].constant;
    return std::nullopt;
  };
  Operand x, y;
  auto outer = constantTerm(op, &x);
  const auto* inner = outer ? context.definition<PrimOp>(x) : nullptr;
  auto nested = inner != nullptr ? constantTerm(*inner, &y) : std::nullopt;
  if (!nested) return std::nullopt;
  Scalar sum = Scalar::ofUnsigned(op.type, outer->bits + nested->bits);
  if (sum.bits == 0) return y;
  op = {Op::kAdd, op.type, {y, sum}};
  changed = true;
  return std::nullopt;
}

Op negated(Op compare) {
  switch (compare) {
    case Op::kEq:
      return Op::kNe;
    case Op::kNe:
      return Op::kEq;
    case Op::kLt:
      return Op::kGe;
    case Op::kGe:
      return Op::kLt;
    case Op::kGt:
      return Op::kLe;
    case Op::kLe:
      return Op::kGt;
    default:
      return compare;
  }
}

std::optional<Operand> simplifyNot(RuleContext& context, PrimOp& op, bool& changed) {
  const auto* inner = context.definition<PrimOp>(op.args[0]);
  if (inner == nullptr) return std::nullopt;
  if (op.op == inner->op && op.type == inner->type && (op.op == Op::kNot || op.op == Op::kNeg)) {
    return inner->args[0];
  }
  // Of floats only == and != have an opposite: NaN is neither less nor not less.
  bool has_opposite = negated(inner->op) != inner->op &&
                      (!prim::isFloat(inner->type) || inner->op == Op::kEq || inner->op == Op::kNe);
  if (op.op == Op::kNot && has_opposite) {
    op = {negated(inner->op), inner->type, inner->args};
    changed = true;
  }
  return std::nullopt;
}

// Whether rules that keep no derivatives may change an operation on this operand. A comparison has
// none, nor has logic of comparisons, of so many levels: operands may have common parts.
bool mayLoseDerivative(const RuleContext& context, const Operand& operand, int levels = 4) {
  if (!context.keeps_derivatives || operand.isConstant()) return true;
  const auto* op = context.definition<PrimOp>(operand);
  if (op == nullptr || levels == 0 || prim::resultType(op->op, op->type) != prim::ScalarType::kBool)
    return false;
  if (op->op != Op::kAnd && op->op != Op::kOr && op->op != Op::kNot) return op->op != Op::kXor;
  return std::all_of(op->args.begin(), op->args.end(), [&](const Operand& arg) {
    return mayLoseDerivative(context, arg, levels - 1);
  });
}

// x ^ (x & c) = x & ~c: a number without its sign, as both ways of writing it.
bool clearBits(RuleContext& context, PrimOp& op) {
  if (op.op != Op::kXor || !prim::isInteger(op.type)) return false;
  if (context.keeps_derivatives) return false;
  for (size_t k = 0; k < 2; ++k) {
    const auto* part = context.definition<PrimOp>(op.args[k]);
    const Operand whole = op.args[1 - k];
    if (part == nullptr || part->op != Op::kAnd || part->args[0] != whole) continue;
    if (!part->args[1].isConstant()) continue;
    const Operand rest = Scalar::ofUnsigned(op.type, ~part->args[1].constant.bits);
    op = {Op::kAnd, op.type, {whole, rest}};
    return true;
  }
  return false;
}

// A check that a constant operand settles.
bool cannotFail(const PrimOp& op) {
  const Operand& second = op.args[1];
  if (!second.isConstant()) return false;
  return op.op == Op::kPow ? second.constant.asSigned() >= 0 : second.constant.bits != 0;
}

// 0 / x and 0 % x in all roundings: 0, once x has been looked at. Some compilers of kernels end
// with an error there.
std::optional<Operand> divideZero(RuleContext& context, const Stm& stm, const PrimOp& op) {
  bool divides = op.op == Op::kDiv || op.op == Op::kQuot || op.op == Op::kMachineDiv ||
                 op.op == Op::kMod || op.op == Op::kRem || op.op == Op::kMachineRem;
  const Operand zero = prim::zero(op.type);
  if (!divides || !prim::isInteger(op.type) || op.args[0] != zero) return std::nullopt;
  if (stm.checked) {
    const Operand divides_by = context.builder.prim(Op::kNe, op.type, {op.args[1], zero});
    context.builder.assertThat(divides_by, diag::Code::division_by_zero, {}, stm.span);
  }
  return zero;
}

std::optional<Operand> simplifyPrim(RuleContext& context, Stm& stm, PrimOp& op, bool& changed) {
  if (auto folded = core::foldConstants(op.op, op.type, op.args)) return *folded;
  if (auto zero = divideZero(context, stm, op)) return zero;
  const bool keeps = !std::all_of(op.args.begin(), op.args.end(), [&](const Operand& arg) {
    return mayLoseDerivative(context, arg);
  });
  if (auto known = algebra(op, keeps)) return known;
  if (stm.checked && cannotFail(op)) {
    stm.checked = false;
    changed = true;
  }
  if (op.op == Op::kNot || op.op == Op::kNeg) return simplifyNot(context, op, changed);
  if (op.op == Op::kEq && op.type == prim::ScalarType::kBool && !keeps &&
      op.args[1] == Operand(Scalar::ofBool(false))) {
    op = {Op::kNot, op.type, {op.args[0]}};
    changed = true;
    return std::nullopt;
  }
  changed = clearBits(context, op) || changed;
  return simplifySum(context, op, changed);
}

std::optional<Operand> simplifyConvert(RuleContext& context, const Convert& convert) {
  if (convert.from == convert.to) return convert.arg;
  if (convert.arg.isConstant()) {
    return Operand(prim::convert(convert.kind, convert.to, convert.arg.constant));
  }
  // There and back, through an integer type that holds every value of the first.
  const auto* inner = context.definition<Convert>(convert.arg);
  bool lossless = inner != nullptr && inner->from == convert.to && prim::isInteger(inner->from) &&
                  prim::isInteger(inner->to) &&
                  prim::byteSize(inner->to) >= prim::byteSize(inner->from) &&
                  convert.kind == prim::ConvertKind::kValue && inner->kind == convert.kind;
  if (lossless) return inner->arg;
  return std::nullopt;
}

std::optional<Operand> simplifySelect(const RuleContext& context, Stm& stm, const Select& select,
                                      bool& changed) {
  const Operand yes(Scalar::ofBool(true)), no(Scalar::ofBool(false));
  if (select.condition == yes || select.on_true == select.on_false) return select.on_true;
  if (select.condition == no) return select.on_false;
  if (!mayLoseDerivative(context, select.condition)) return std::nullopt;
  if (select.on_true == yes && select.on_false == no) return select.condition;
  constexpr prim::ScalarType kBool = prim::ScalarType::kBool;
  std::optional<PrimOp> logical;
  if (select.on_true == no && select.on_false == yes) {
    logical = PrimOp{Op::kNot, kBool, {select.condition}};
  } else if (select.on_true == yes) {
    logical = PrimOp{Op::kOr, kBool, {select.condition, select.on_false}};
  } else if (select.on_false == no) {
    logical = PrimOp{Op::kAnd, kBool, {select.condition, select.on_true}};
  }
  if (logical) stm.expr = *logical;
  changed = changed || logical.has_value();
  return std::nullopt;
}

}  // namespace

std::optional<Operand> simplifyScalar(RuleContext& context, Stm& stm, bool& changed) {
  if (auto* n = std::get_if<core::Literal>(&stm.expr)) return Operand(n->value);
  if (auto* n = std::get_if<PrimOp>(&stm.expr)) return simplifyPrim(context, stm, *n, changed);
  if (auto* n = std::get_if<Convert>(&stm.expr)) return simplifyConvert(context, *n);
  if (auto* n = std::get_if<Select>(&stm.expr))
    return simplifySelect(context, stm, Select(*n), changed);
  return std::nullopt;
}

}  // namespace halo::passes
