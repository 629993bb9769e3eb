// By kind of statement.
#include "lang/passes/bounds/bounds_checks.h"

#include <algorithm>
#include <bit>

namespace halo::passes {
namespace {

using core::Operand;
using core::ValueId;
using prim::Op;

}  // namespace

bool BoundsChecks::holds(const core::Stm& stm, bool learns) {
  if (const auto* index = std::get_if<core::Index>(&stm.expr)) {
    return areInside(index->array, index->indices, learns);
  }
  if (const auto* update = std::get_if<core::Update>(&stm.expr)) {
    return update->dims.empty() ? areInside(update->array, update->indices, learns)
                                : areSlicesInside(update->array, update->dims);
  }
  if (const auto* slice = std::get_if<core::Slice>(&stm.expr)) {
    return areSlicesInside(slice->array, slice->dims);
  }
  const auto* op = std::get_if<core::PrimOp>(&stm.expr);
  return op != nullptr && isDefined(*op);
}

prim::Op BoundsChecks::truncated(const core::PrimOp& op) {
  bool is_floored = (op.op == Op::kMod || op.op == Op::kDiv) && prim::isSigned(op.type);
  // A shift or a mask.
  is_floored =
      is_floored && !(op.args[1].isConstant() && std::has_single_bit(op.args[1].constant.bits));
  const bool is_natural = is_floored && std::all_of(op.args.begin(), op.args.end(), [&](auto& arg) {
                            return facts_.isNotNegative(facts_.exact(arg));
                          });
  if (!is_natural) return op.op;
  return op.op == Op::kMod ? Op::kRem : Op::kQuot;
}

std::optional<int> BoundsChecks::shortQuotient(const core::PrimOp& op) {
  const bool divides = op.op == Op::kRem || op.op == Op::kQuot;
  // The compiler of a device has short code for divisors that it knows.
  if (!divides || !prim::isSigned(op.type) || op.args[1].isConstant()) return std::nullopt;
  const auto x = facts_.exact(op.args[0]), divisor = facts_.exact(op.args[1]);
  if (!x || !divisor || !facts_.isNotNegative(x)) return std::nullopt;
  std::optional<Polynomial> left = divisor->plus(*x, -1);
  for (int largest : {0, 1}) {
    if (!left) return std::nullopt;
    if (facts_.isNotNegative(left->plus(Polynomial::constant(-1)))) return largest;
    left = left->plus(*divisor);
  }
  return std::nullopt;
}

void BoundsChecks::knowAtLeast(const Operand& o, int64_t least) {
  auto p = facts_.exact(o);
  if (p) facts_.knowNotNegative(p->plus(Polynomial::constant(-least)));
}

void BoundsChecks::knowBelow(const Operand& o, const Operand& bound) {
  auto p = facts_.exact(o), n = facts_.exact(bound);
  auto difference = p && n ? n->plus(*p, -1) : std::nullopt;
  if (difference) facts_.knowNotNegative(difference->plus(Polynomial::constant(-1)));
}

bool BoundsChecks::areInside(ValueId array, const core::Operands& list, bool learns) {
  const core::Operands& shape = program_.type(array).shape;
  bool proven = true;
  for (size_t i = 0; i < list.size(); ++i) {
    proven = proven && (isInside(facts_.modular(list[i]), shape[i]) ||
                        isInside(facts_.exact(list[i]), shape[i]));
  }
  for (size_t i = 0; learns && i < list.size() && !proven; ++i) {
    knowAtLeast(list[i], 0);
    knowBelow(list[i], shape[i]);
  }
  return proven;
}

bool BoundsChecks::isInside(const std::optional<Polynomial>& p, const Operand& extent) {
  return facts_.isNotNegative(p) && isBelow(p, extent);
}

bool BoundsChecks::isBelow(const std::optional<Polynomial>& p, const Operand& extent) {
  auto size = facts_.exact(extent);
  auto rest = p && size ? size->plus(*p, -1) : std::nullopt;
  return rest && facts_.isNotNegative(rest->plus(Polynomial::constant(-1)));
}

// Empty, or both ends in range. With a known stride the ends are start and the last element.
bool BoundsChecks::areSlicesInside(ValueId array, const std::vector<core::SliceDim>& dims) {
  const core::Operands& shape = program_.type(array).shape;
  for (size_t i = 0; i < dims.size(); ++i) {
    const core::SliceDim& d = dims[i];
    bool whole =
        d.start == Operand::ofI64(0) && d.stride == Operand::ofI64(1) && d.length == shape[i];
    if (!whole && !isSliceInside(d, shape[i])) return false;
  }
  return true;
}

bool BoundsChecks::isSliceInside(const core::SliceDim& d, const Operand& extent) {
  if (!d.stride.isConstant()) return false;
  int64_t stride = d.stride.constant.asSigned();
  auto start = facts_.modular(d.start), length = facts_.exact(d.length);
  auto steps = length->plus(Polynomial::constant(-1));
  auto last = steps ? start->plus(*steps, stride) : std::nullopt;
  if (!last) return false;
  // The assert of the length stands in front; the proof does not rest on its being there.
  if (!facts_.isNotNegative(length)) return false;
  // An empty slice is in range anywhere, so its length may be taken to be positive: with a
  // positive stride, start <= last.
  if (stride > 0) return facts_.isNotNegative(start) && isBelow(last, extent);
  if (stride < 0) return facts_.isNotNegative(last) && isBelow(start, extent);
  return facts_.isNotNegative(start) && isBelow(start, extent);
}

bool BoundsChecks::isDefined(const core::PrimOp& op) {
  auto second = facts_.exact(op.args[1]);
  if (!second) return false;
  if (op.op == Op::kPow) return facts_.isNotNegative(second);
  return facts_.isNotNegative(second->plus(Polynomial::constant(-1)));
}

}  // namespace halo::passes
