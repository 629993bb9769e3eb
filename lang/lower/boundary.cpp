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
  ValueEmission& emission;
  const Operand &base, &offset, &extent;

  Operand i64(Op op, const Operand& a, const Operand& b) const {
    return emission.prim(op, ScalarType::kI64, {a, b});
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
    const Operand is_before = emission.prim(Op::kLt, ScalarType::kI64, {at, kZero});
    return emission.either(is_before, emission.prim(Op::kGe, ScalarType::kI64, {at, extent}));
  }
  Operand index(BoundaryKind kind) const {
    if (kind == BoundaryKind::kMirror) return mirrored();
    return kind == BoundaryKind::kWrap ? modulo(extent) : clamped();
  }
};

}  // namespace

// A constant that is a sum itself gets its leaves here: windows take them one by one.
AxisBoundary::AxisBoundary(ValueEmission& emission, StaticValue boundary)
    : value_(std::move(boundary)) {
  const ConstructedValue* known = value_.constructed();
  kind_ = std::nullopt;
  if (known == nullptr) return;
  kind_ = kKinds[known->constructor].second;
  ConstructedValue laid_out = *known;
  for (StaticValue& part : laid_out.payload) part = emission.dynamic(part);
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

Operand AxisBoundary::isFromConstant(ValueEmission& emission) const {
  if (kind_) return prim::Scalar::ofBool(isConstant());
  const SumValue& sum = *value_.sum();
  const MonoSum& type = *sum.type->sum();
  return emission.prim(Op::kEq, type.tag(), {sum.leaves[0], tagOf(type, type.number("constant"))});
}

StaticValue AxisBoundary::constant() const { return payloadIn(value_, "constant")[0]; }

AxisBoundary::Place AxisBoundary::place(ValueEmission& emission, const Operand& base,
                                        const Operand& offset, const Operand& extent) const {
  const Positions positions{emission, base, offset, extent};
  const Operand never = prim::Scalar::ofBool(false);
  if (kind_) return {positions.index(*kind_), isConstant() ? positions.isOutside() : never};
  const SumValue& sum = *value_.sum();
  const MonoSum& type = *sum.type->sum();
  const auto is = [&](const char* name) {
    return emission.prim(Op::kEq, type.tag(), {sum.leaves[0], tagOf(type, type.number(name))});
  };
  Operand index = positions.clamped();
  for (const auto& [name, kind] : kKinds) {
    if (kind != BoundaryKind::kMirror && kind != BoundaryKind::kWrap) continue;
    const Operand here = positions.index(kind);
    index = emission.bind({}, core::Select{is(name), here, index});
  }
  const Operand is_outside = positions.isOutside();
  return {index, emission.both(isFromConstant(emission), is_outside)};
}

std::vector<AxisBoundary> boundariesOf(ValueEmission& emission, const StaticValue& value,
                                       size_t axes) {
  std::vector<AxisBoundary> boundaries;
  for (size_t axis = 0; axis < axes; ++axis) {
    boundaries.emplace_back(emission, axes == 1 ? value : field(value, std::to_string(axis)));
  }
  return boundaries;
}

namespace {

StaticValue cellFrom(ValueEmission& emission, const StaticValue& cells,
                     const std::vector<AxisBoundary>& boundaries,
                     const std::vector<AxisBoundary::Place>& places, size_t axis) {
  const Operand never = prim::Scalar::ofBool(false);
  while (axis < places.size() && places[axis].outside == never) ++axis;
  if (axis == places.size()) {
    Operands at;
    for (const AxisBoundary::Place& place : places) at.push_back(place.index);
    return emission.element(cells, at, false, {});
  }
  core::Match match{places[axis].outside, {}, {}};
  const StaticValue constant = boundaries[axis].constant();
  emission.openBody();
  match.cases.push_back(
      {prim::Scalar::ofBool(true), emission.closeBody(emission.leavesOf(constant))});
  emission.openBody();
  const StaticValue inside = cellFrom(emission, cells, boundaries, places, axis + 1);
  match.otherwise = emission.closeBody(emission.leavesOf(inside));
  const MonoTypeRef type = elementBelow(cells.array()->type, places.size());
  const std::vector<ValueId> leaves = emission.bindAll(leafTypes(type), std::move(match));
  return fromLeaves(type, Operands(leaves.begin(), leaves.end()));
}

Operands tabulateAlong(ValueEmission& emission, const MonoTypeRef& type, const Operands& position,
                       size_t axes, const ElementAt& elementAt) {
  core::Screma node;
  node.width = type->array()->size;
  const core::Type indices{ScalarType::kI64, {node.width}};
  node.inputs = {emission.bind(indices, core::Iota{ScalarType::kI64, node.width, kZero, kOne})};
  emission.openBody();
  node.map.params = {emission.out.add("i", {})};
  Operands deeper = position;
  deeper.push_back(node.map.params[0]);
  node.map.body =
      emission.closeBody(deeper.size() == axes ? emission.leavesOf(elementAt(deeper))
                                               : tabulateAlong(emission, type->array()->element,
                                                               deeper, axes, elementAt));
  const std::vector<ValueId> values = emission.bindAll(leafTypes(type), std::move(node));
  return {values.begin(), values.end()};
}

}  // namespace

StaticValue cellAt(ValueEmission& emission, const StaticValue& cells,
                   const std::vector<AxisBoundary>& boundaries,
                   const std::vector<AxisBoundary::Place>& places) {
  return cellFrom(emission, cells, boundaries, places, 0);
}

StaticValue tabulate(ValueEmission& emission, const Operands& sizes, const MonoTypeRef& element,
                     const ElementAt& elementAt) {
  const MonoTypeRef type = arrayOf(sizes, element);
  return fromLeaves(type, tabulateAlong(emission, type, {}, sizes.size(), elementAt));
}

}  // namespace halo::lower
