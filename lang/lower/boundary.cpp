// Positions outside of an axis. The offset is cut or reduced first, so that no sum overflows.
#include "lang/lower/boundary.h"

#include <algorithm>

namespace halo::lower {

namespace {

using core::BoundaryKind;

const std::pair<const char*, BoundaryKind> kKinds[] = {{"clamp", BoundaryKind::kClamp},
                                                       {"constant", BoundaryKind::kConstant},
                                                       {"mirror", BoundaryKind::kMirror},
                                                       {"wrap", BoundaryKind::kWrap}};

// The arithmetic of one position; nothing in it can fail.
struct Positions {
  Lowering& lowering;
  const Operand &base, &offset, &extent;

  Operand i64(Op op, const Operand& a, const Operand& b) const {
    return lowering.prim(op, ScalarType::kI64, {a, b});
  }
  // Outside stays outside: a base within the axis is at most `extent` away from both its ends.
  Operand near() const {
    if (base == kZero) return i64(Op::kAdd, base, offset);
    const Operand down = i64(Op::kSub, kZero, extent);
    return i64(Op::kAdd, base, i64(Op::kMax, down, i64(Op::kMin, extent, offset)));
  }
  Operand clamped() const {
    const Operand last = i64(Op::kSub, extent, kOne);
    return i64(Op::kMax, kZero, i64(Op::kMin, last, near()));
  }
  // An empty axis has no cells, but its period is computed all the same.
  Operand modulo(const Operand& length) const {
    const Operand period = i64(Op::kMax, length, kOne);
    const Operand sum = i64(Op::kAdd, base, i64(Op::kMod, offset, period));
    return i64(Op::kMod, sum, period);
  }
  Operand mirrored() const {
    const Operand twice = i64(Op::kAdd, extent, extent);
    const Operand at = modulo(twice);
    const Operand back = i64(Op::kSub, i64(Op::kSub, twice, kOne), at);
    return i64(Op::kMin, at, back);
  }
  Operand isOutside() const {
    const Operand at = near();
    const Operand is_before = lowering.prim(Op::kLt, ScalarType::kI64, {at, kZero});
    return lowering.either(is_before, lowering.prim(Op::kGe, ScalarType::kI64, {at, extent}));
  }
  Operand index(BoundaryKind kind) const {
    if (kind == BoundaryKind::kMirror) return mirrored();
    return kind == BoundaryKind::kWrap ? modulo(extent) : clamped();
  }
};

}  // namespace

// A constant that is a sum itself gets its leaves here: windows take them one by one.
AxisBoundary::AxisBoundary(Lowering& lowering, StaticValue boundary) : value_(std::move(boundary)) {
  const ConstructedValue* known = value_.constructed();
  kind_ = std::nullopt;
  if (known == nullptr) return;
  kind_ = kKinds[known->constructor].second;
  ConstructedValue laid_out = *known;
  for (StaticValue& part : laid_out.payload) part = lowering.dynamic(part);
  value_ = {std::move(laid_out)};
}

prim::Scalar AxisBoundary::tagOfKind(BoundaryKind kind) const {
  const MonoSum& type = *value_.sum()->type->sum();
  const auto* named = std::find_if(std::begin(kKinds), std::end(kKinds),
                                   [&](const auto& row) { return row.second == kind; });
  return tagOf(type, type.number(named->first));
}

AxisBoundary AxisBoundary::as(BoundaryKind kind) const {
  AxisBoundary known = *this;
  known.kind_ = kind;
  return known;
}

core::Boundary AxisBoundary::ofLeaf(size_t leaf) const {
  if (!isConstant()) return {*kind_, {}};
  Operands leaves;
  appendLeaves(constant(), leaves);
  return {*kind_, leaves[leaf]};
}

Operand AxisBoundary::isFromConstant(Lowering& lowering) const {
  if (kind_) return prim::Scalar::ofBool(isConstant());
  const SumValue& sum = *value_.sum();
  const MonoSum& type = *sum.type->sum();
  return lowering.prim(Op::kEq, type.tag(), {sum.leaves[0], tagOf(type, type.number("constant"))});
}

StaticValue AxisBoundary::constant() const { return payloadIn(value_, "constant")[0]; }

AxisBoundary::Place AxisBoundary::place(Lowering& lowering, const Operand& base,
                                        const Operand& offset, const Operand& extent) const {
  const Positions positions{lowering, base, offset, extent};
  const Operand never = prim::Scalar::ofBool(false);
  if (kind_) return {positions.index(*kind_), isConstant() ? positions.isOutside() : never};
  const SumValue& sum = *value_.sum();
  const MonoSum& type = *sum.type->sum();
  const auto is = [&](const char* name) {
    return lowering.prim(Op::kEq, type.tag(), {sum.leaves[0], tagOf(type, type.number(name))});
  };
  Operand index = positions.clamped();
  for (const auto& [name, kind] : kKinds) {
    if (kind != BoundaryKind::kMirror && kind != BoundaryKind::kWrap) continue;
    const Operand here = positions.index(kind);
    index = lowering.bind({}, core::Select{is(name), here, index});
  }
  const Operand is_outside = positions.isOutside();
  return {index, lowering.both(isFromConstant(lowering), is_outside)};
}

std::vector<AxisBoundary> boundariesOf(Lowering& lowering, const StaticValue& value, size_t axes) {
  std::vector<AxisBoundary> boundaries;
  for (size_t axis = 0; axis < axes; ++axis) {
    boundaries.emplace_back(lowering, axes == 1 ? value : field(value, std::to_string(axis)));
  }
  return boundaries;
}

namespace {

StaticValue cellFrom(Lowering& lowering, const StaticValue& cells,
                     const std::vector<AxisBoundary>& boundaries,
                     const std::vector<AxisBoundary::Place>& places, size_t axis) {
  const Operand never = prim::Scalar::ofBool(false);
  while (axis < places.size() && places[axis].outside == never) ++axis;
  if (axis == places.size()) {
    Operands at;
    for (const AxisBoundary::Place& place : places) at.push_back(place.index);
    return lowering.element(cells, at, false, {});
  }
  core::Match match{places[axis].outside, {}, {}};
  const StaticValue constant = boundaries[axis].constant();
  lowering.openBody();
  match.cases.push_back(
      {prim::Scalar::ofBool(true), lowering.closeBody(lowering.leavesOf(constant))});
  lowering.openBody();
  const StaticValue inside = cellFrom(lowering, cells, boundaries, places, axis + 1);
  match.otherwise = lowering.closeBody(lowering.leavesOf(inside));
  const MonoTypeRef type = elementBelow(cells.array()->type, places.size());
  const std::vector<ValueId> leaves = lowering.bindAll(leafTypes(type), std::move(match));
  return fromLeaves(type, Operands(leaves.begin(), leaves.end()));
}

Operands tabulateAlong(Lowering& lowering, const MonoTypeRef& type, const Operands& position,
                       size_t axes, const ElementAt& elementAt) {
  core::Screma node;
  node.width = type->array()->size;
  const core::Type indices{ScalarType::kI64, {node.width}};
  node.inputs = {lowering.bind(indices, core::Iota{ScalarType::kI64, node.width, kZero, kOne})};
  lowering.openBody();
  node.map.params = {lowering.out.add("i", {})};
  Operands deeper = position;
  deeper.push_back(node.map.params[0]);
  node.map.body =
      lowering.closeBody(deeper.size() == axes ? lowering.leavesOf(elementAt(deeper))
                                               : tabulateAlong(lowering, type->array()->element,
                                                               deeper, axes, elementAt));
  const std::vector<ValueId> values = lowering.bindAll(leafTypes(type), std::move(node));
  return {values.begin(), values.end()};
}

}  // namespace

StaticValue cellAt(Lowering& lowering, const StaticValue& cells,
                   const std::vector<AxisBoundary>& boundaries,
                   const std::vector<AxisBoundary::Place>& places) {
  return cellFrom(lowering, cells, boundaries, places, 0);
}

StaticValue tabulate(Lowering& lowering, const Operands& sizes, const MonoTypeRef& element,
                     const ElementAt& elementAt) {
  const MonoTypeRef type = arrayOf(sizes, element);
  return fromLeaves(type, tabulateAlong(lowering, type, {}, sizes.size(), elementAt));
}

}  // namespace halo::lower
