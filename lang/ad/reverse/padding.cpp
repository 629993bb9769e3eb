#include "lang/ad/reverse/padding.h"

#include "lang/base/check.h"

namespace halo::ad {

namespace {

// The array with this axis outermost, or back.
ValueId turned(Emitter& e, ValueId array, size_t axis) {
  if (axis == 0) return array;
  Type type = e.type(array);
  std::vector<int> swap;
  for (int i = 0; i < type.rank(); ++i) swap.push_back(i);
  std::swap(swap[0], swap[axis]);
  std::swap(type.shape[0], type.shape[axis]);
  return e.bind("t", std::move(type), core::Rearrange{array, swap});
}

// The values beyond the outermost axis on both sides.
ValueId borderOf(Emitter& e, ValueId padded, const core::PadDim& dim, const Operand& size) {
  return e.concat(
      {e.rows(padded, kZero, dim.before), e.rows(padded, e.add(dim.before, size), dim.after)});
}

}  // namespace

Operand paddingSource(Emitter& e, core::BoundaryKind kind, const Operand& t, const Operand& size) {
  const auto op = [&](Op op, const Operand& a, const Operand& b) {
    return e.op(op, ScalarType::kI64, a, b);
  };
  const Operand n = op(Op::kMax, size, kOne);
  switch (kind) {
    case core::BoundaryKind::kClamp:
      return op(Op::kMax, kZero, op(Op::kMin, t, op(Op::kSub, n, kOne)));
    case core::BoundaryKind::kWrap:
      return op(Op::kMod, t, n);
    case core::BoundaryKind::kMirror: {
      const Operand twice = op(Op::kAdd, n, n);
      const Operand at = op(Op::kMod, t, twice);
      return op(Op::kMin, at, op(Op::kSub, op(Op::kSub, twice, kOne), at));
    }
    case core::BoundaryKind::kConstant:
      return Operand::ofI64(-1);
  }
  HALO_UNREACHABLE("unknown boundary");
}

ValueId paddingBorder(Emitter& e, ValueId padded, const core::PadDim& dim, size_t axis,
                      const Operand& size) {
  return borderOf(e, turned(e, padded, axis), dim, size);
}

Operand foldedPadding(Emitter& e, const Operand& c, const core::PadDim& dim, size_t axis,
                      const Operand& size) {
  const ValueId padded = turned(e, c.value, axis);
  const ValueId inner = e.rows(padded, dim.before, size);
  if (dim.boundary.kind == core::BoundaryKind::kConstant) return turned(e, inner, axis);
  const ValueId border = borderOf(e, padded, dim, size);
  const Operand width = e.add(dim.before, dim.after);
  const ValueId sources =
      e.map(width, {e.iota(width)}, [&](Emitter& at, const Operands& i) -> Operands {
        const Operand left = at.sub(i[0], dim.before);
        const Operand is_left = at.compare(Op::kLt, left, kZero);
        const Operand t = at.select(is_left, left, at.add(left, size));
        return {paddingSource(at, dim.boundary.kind, t, size)};
      })[0];
  return turned(e, e.addedAt(inner, width, {sources}, border), axis);
}

}  // namespace halo::ad
