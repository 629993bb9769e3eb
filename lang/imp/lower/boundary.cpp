// One formula per kind. Only the side that a known offset can leave is tested.
#include "lang/imp/lower/boundary.h"

#include <algorithm>

#include "lang/base/check.h"
#include "lang/imp/lower/lowering.h"

namespace halo::imp {

using core::BoundaryKind;
using prim::Op;

namespace {

using enum prim::ScalarType;
constexpr int64_t kNear = int64_t{1} << 31;  // far from overflow, and most offsets

// Cut to a range larger than every array, so that sums cannot overflow.
Operand cut(Builder& b, Operand offset) {
  if (offset.isConstant()) {
    return Operand::ofI64(std::clamp(offset.constant.asSigned(), -kFarAway, kFarAway));
  }
  return b.max(b.min(offset, Operand::ofI64(kFarAway)), Operand::ofI64(-kFarAway));
}

bool mayBeNegative(const Operand& offset) {
  return !offset.isConstant() || offset.constant.asSigned() <= 0;
}
bool mayBePositive(const Operand& offset) {
  return !offset.isConstant() || offset.constant.asSigned() >= 0;
}

Operand clamped(Builder& b, Operand moved, const Operand& offset, const Operand& extent) {
  if (mayBePositive(offset)) moved = b.min(moved, b.sub(extent, kOne));
  return mayBeNegative(offset) ? b.max(moved, kZero) : moved;
}

// Floored, so within 0 .. period - 1.
Operand modulo(Builder& b, Operand value, Operand period) {
  Operand rest = b.prim(Op::kMachineRem, kI64, {value, period});
  Operand negative = b.prim(Op::kLt, kI64, {rest, kZero});
  return b.let("wrapped", kI64, Select{negative, b.add(rest, period), rest});
}

// Period `extent` for wrap and twice that for mirror. An empty axis has no cells; its period is
// not 0 because a code generator may compute it all the same.
Operand periodic(Builder& b, bool mirror, Operand position, Operand offset, Operand extent) {
  Operand period = b.max(mirror ? b.add(extent, extent) : extent, kOne);
  bool near = offset.isConstant() && offset.constant.asSigned() < kNear &&
              offset.constant.asSigned() > -kNear;
  if (!near) offset = b.prim(Op::kMachineRem, kI64, {offset, period});
  Operand at = modulo(b, b.add(position, offset), period);
  if (!mirror) return at;
  Operand back = b.sub(b.sub(period, kOne), at);
  Operand first = b.prim(Op::kLt, kI64, {at, extent});
  return b.let("mirrored", kI64, Select{first, at, back});
}

// One cell beside a cell of the axis: it has one at least, so that no remainder is needed.
std::optional<Operand> wrappedBeside(Builder& b, const Operand& position, const Operand& offset,
                                     const Operand& extent) {
  const bool is_before = offset == Operand::ofI64(-1);
  if (!is_before && !(offset == kOne)) return std::nullopt;
  const Operand moved = b.add(position, offset);
  const Operand inside =
      is_before ? b.prim(Op::kLe, kI64, {kZero, moved}) : b.prim(Op::kLt, kI64, {moved, extent});
  const Operand other = is_before ? b.sub(extent, kOne) : kZero;
  return b.let("wrapped", kI64, Select{inside, moved, other});
}

Neighbour orOutside(Builder& b, Operand position, Operand offset, Operand extent) {
  Operand moved = b.add(position, offset);
  Operand below = b.prim(Op::kLt, kI64, {moved, kZero});
  Operand above = b.prim(Op::kLe, kI64, {extent, moved});
  Operand outside = !mayBePositive(offset)   ? below
                    : !mayBeNegative(offset) ? above
                                             : b.prim(Op::kOr, ScalarType::kBool, {below, above});
  return {clamped(b, moved, offset, extent), outside};
}

}  // namespace

Neighbour neighbourAt(Builder& b, const core::Boundary& boundary, Operand position, Operand offset,
                      Operand extent) {
  switch (boundary.kind) {
    case BoundaryKind::kClamp:
      offset = cut(b, offset);
      return {clamped(b, b.add(position, offset), offset, extent), {}};
    case BoundaryKind::kMirror:
      return {periodic(b, true, position, offset, extent), {}};
    case BoundaryKind::kWrap:
      if (const auto beside = wrappedBeside(b, position, offset, extent)) return {*beside, {}};
      return {periodic(b, false, position, offset, extent), {}};
    case BoundaryKind::kConstant:
      return orOutside(b, position, cut(b, offset), extent);
  }
  HALO_UNREACHABLE("unknown boundary");
}

Operand orConstant(Builder& b, const Environment& environment,
                   const std::vector<core::Boundary>& boundary,
                   const std::vector<Neighbour>& neighbours, Operand value) {
  for (size_t axis = neighbours.size(); axis-- > 0;) {
    if (!neighbours[axis].outside) continue;
    Operand constant = operandOf(environment, boundary[axis].value);
    ScalarType type =
        constant.isConstant() ? constant.constant.type : b.program().vars[constant.var].type;
    value = b.let("inside", type, Select{*neighbours[axis].outside, constant, value});
  }
  return value;
}

// Nothing is loaded of a cell outside: the array may be empty.
Operand padElement(Builder& b, const core::Program& core, const Environment& environment,
                   const core::Pad& pad, const Operands& indices) {
  const ArrayRef& source = environment.arrays.at(pad.array);
  Operands at = indices;
  std::optional<Operand> outside, constant;
  Operands rest(indices.begin() + static_cast<ptrdiff_t>(pad.dims.size()), indices.end());
  for (size_t axis = pad.dims.size(); axis-- > 0;) {
    const core::PadDim& dim = pad.dims[axis];
    Operand position = b.sub(indices[axis], operandOf(environment, dim.before));
    Neighbour found = neighbourAt(b, dim.boundary, position, kZero, source.shape[axis]);
    at[axis] = found.index;
    if (!found.outside) continue;
    const core::Operand& given = dim.boundary.value;
    Operand value = core.type(given).isScalar()
                        ? operandOf(environment, given)
                        : loadElement(b, environment.arrays.at(given.value), rest);
    if (!outside) {
      outside = found.outside, constant = value;
    } else {
      constant = b.let("outer", source.type, Select{*found.outside, value, *constant});
      outside = b.prim(Op::kOr, ScalarType::kBool, {*outside, *found.outside});
    }
  }
  if (!outside) return loadElement(b, source, at);
  VarId element = b.declare("padded", source.type, *constant);
  Operand inside = b.prim(Op::kNot, ScalarType::kBool, {*outside});
  b.ifThenElse(inside, [&] { b.assign(element, loadElement(b, source, at)); });
  return element;
}

}  // namespace halo::imp
