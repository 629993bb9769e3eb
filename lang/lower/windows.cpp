// Padding, and cutting into windows. The conditions on their sizes are checked before their
// result's type is looked at: that divides by the step.
#include "lang/lower/boundary.h"
#include "lang/value/limits.h"

namespace halo::lower {

namespace {

const Operand kTooMany = Operand::ofI64(2);

Operand scalarAt(const std::vector<StaticValue>& args, size_t i) { return *args[i].scalar(); }

Operand atLeast(ValueEmission& emission, const Operand& value, const Operand& least) {
  return emission.compare(Op::kGe, value, least);
}

}  // namespace

void ValueEmission::checkPad(const std::vector<StaticValue>& args, Span span) {
  const size_t axes = (args.size() - 2) / 2;
  const std::vector<AxisBoundary> boundaries = boundariesOf(*this, args[2 * axes], axes);
  const Operands extents = dimensions(args.back().array()->type);
  for (size_t axis = 0; axis < axes; ++axis) {
    const Operand before = scalarAt(args, 2 * axis), after = scalarAt(args, 2 * axis + 1);
    const Operand& extent = extents[axis];
    const Operand before_right = atLeast(*this, before, kZero);
    const Operand right = both(before_right, atLeast(*this, after, kZero));
    const Operand adds_before = compare(Op::kNe, before, kZero);
    const Operand adds = either(adds_before, compare(Op::kNe, after, kZero));
    const Operand from_constant = boundaries[axis].isFromConstant(*this);
    const Operand has_source = either(from_constant, compare(Op::kNe, extent, kZero));
    const Operand no_need = prim(Op::kNot, ScalarType::kBool, {adds});
    builder().assertThat(both(right, either(has_source, no_need)), Code::bad_window,
                         {kOne, before, after, extent}, span);
    sizes().addExtent(before);
    sizes().addExtent(after);
    const Operand part = sizeArithmetic(Op::kAdd, before, extent);
    const Operand whole = sizeArithmetic(Op::kAdd, part, after);
    const Operand most = Operand::ofI64(value::kMaxElements);
    const Operand no_wrap = prim(Op::kGe, ScalarType::kI64, {part, kZero});
    const Operand positive = both(no_wrap, prim(Op::kGe, ScalarType::kI64, {whole, kZero}));
    const Operand fits = both(positive, prim(Op::kLe, ScalarType::kI64, {whole, most}));
    builder().assertThat(fits, Code::bad_window, {kTooMany, before, after, extent}, span);
  }
}

StaticValue ValueEmission::pad(const std::vector<StaticValue>& args, const MonoTypeRef& result) {
  const size_t axes = (args.size() - 2) / 2;
  const std::vector<AxisBoundary> boundaries = boundariesOf(*this, args[2 * axes], axes);
  const ArrayValue& cells = *args.back().array();
  Operands shape = dimensions(result);
  shape.resize(axes);
  bool is_static = true;
  for (const AxisBoundary& boundary : boundaries) is_static = is_static && boundary.isStatic();
  if (!is_static) {
    const Operands extents = dimensions(cells.type);
    const MonoTypeRef element = elementBelow(result, axes);
    return tabulate(*this, shape, element, [&](const Operands& position) {
      std::vector<AxisBoundary::Place> places;
      for (size_t axis = 0; axis < axes; ++axis) {
        const Operand at =
            prim(Op::kSub, ScalarType::kI64, {position[axis], scalarAt(args, 2 * axis)});
        places.push_back(boundaries[axis].place(*this, kZero, at, extents[axis]));
      }
      return cellAt(*this, args.back(), boundaries, places);
    });
  }
  Operands leaves;
  const std::vector<core::Type> leaf_types = leafTypes(result);
  for (size_t i = 0; i < leaf_types.size(); ++i) {
    core::Pad node{cells.leaves[i], {}, shape};
    for (size_t axis = 0; axis < axes; ++axis) {
      node.dims.push_back(
          {scalarAt(args, 2 * axis), scalarAt(args, 2 * axis + 1), boundaries[axis].ofLeaf(i)});
    }
    leaves.push_back(bind(leaf_types[i], std::move(node)));
  }
  return fromLeaves(result, leaves);
}

void ValueEmission::checkSlide(const std::vector<StaticValue>& args, Span span) {
  const Operands extents = dimensions(args.back().array()->type);
  for (size_t axis = 0; axis < (args.size() - 1) / 2; ++axis) {
    const Operand size = scalarAt(args, 2 * axis), step = scalarAt(args, 2 * axis + 1);
    const Operand& extent = extents[axis];
    const Operand moves = atLeast(*this, step, kOne);
    const Operand positive = both(moves, atLeast(*this, size, kOne));
    const Operand room = sizeArithmetic(Op::kSub, extent, size);
    const Operand divisor = prim(Op::kMax, ScalarType::kI64, {step, kOne});
    const Operand rest =
        divisor == kOne ? kZero : prim(Op::kMod, ScalarType::kI64, {room, divisor});
    const Operand is_inside = compare(Op::kLe, size, extent);
    const Operand fits = both(is_inside, compare(Op::kEq, rest, kZero));
    builder().assertThat(both(positive, fits), Code::bad_window, {kZero, size, step, extent}, span);
    // The number of windows, as the type of the result computes it, which now cannot fail.
    sizes().addExtent(size);
    if (step.isConstant() && step == kOne) continue;
    const Operand count = sizeArithmetic(Op::kAdd, room, step);
    once(sizes().key(std::string(prim::info(Op::kDiv).name), {count, step}), [&] {
      return prim(Op::kDiv, ScalarType::kI64, {count, step});
    });
  }
}

StaticValue ValueEmission::slide(const std::vector<StaticValue>& args, const MonoTypeRef& result) {
  const size_t axes = (args.size() - 1) / 2;
  const Operands shape = dimensions(result);  // counts, then sizes
  Operands leaves;
  const std::vector<core::Type> leaf_types = leafTypes(result);
  for (size_t i = 0; i < leaf_types.size(); ++i) {
    core::Slide node{args.back().array()->leaves[i], {}};
    for (size_t axis = 0; axis < axes; ++axis) {
      node.dims.push_back({shape[axes + axis], scalarAt(args, 2 * axis + 1), shape[axis]});
    }
    leaves.push_back(bind(leaf_types[i], std::move(node)));
  }
  return fromLeaves(result, leaves);
}

}  // namespace halo::lower
