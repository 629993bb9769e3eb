// Arrays made from nothing: literals, text, ranges.
#include "lang/lower/lowering.h"

namespace halo::lower {

namespace {

std::optional<std::vector<prim::Scalar>> constants(const Operands& operands) {
  std::vector<prim::Scalar> result;
  for (const Operand& operand : operands) {
    if (!operand.isConstant()) return std::nullopt;
    result.push_back(operand.constant);
  }
  return result;
}

}  // namespace

StaticValue Lowering::emptyArray(const MonoTypeRef& type) {
  Operands leaves;
  for (const core::Type& leaf : leafTypes(type)) leaves.push_back(zero(leaf));
  return fromLeaves(type, leaves);
}

StaticValue Lowering::lowerArray(ExprId id, const syntax::ArrayExpr& node, Frame& frame) {
  if (node.elements.empty()) return emptyArray(evalType(source.type_of.at(id), frame));
  MonoTypeRef element_type;       // that of the first element
  std::vector<Operands> columns;  // by leaf
  for (ExprId element : node.elements) {
    StaticValue value = lower(element, frame);
    if (!element_type) {
      element_type = typeOf(value);
      columns.resize(leavesOf(value).size());
    } else {
      value = coerce(value, element_type, Code::irregular_array, spanOf(id, frame));
    }
    const Operands leaves = leavesOf(value);
    for (size_t i = 0; i < columns.size(); ++i) columns[i].push_back(leaves[i]);
  }
  const Operand size = Operand::ofI64(static_cast<int64_t>(node.elements.size()));
  ArrayValue result{arrayType(size, element_type), {}};
  std::vector<core::Type> leaf_types = leafTypes(result.type);
  for (size_t i = 0; i < columns.size(); ++i) {
    result.leaves.push_back(arrayLiteral(std::move(leaf_types[i]), std::move(columns[i])));
  }
  return {result};
}

ValueId Lowering::arrayLiteral(core::Type type, Operands elements) {
  const std::optional<std::vector<prim::Scalar>> known = constants(elements);
  const ScalarType scalar = type.scalar;
  const ValueId array = bind(std::move(type), core::ArrayLiteral{scalar, std::move(elements)});
  if (known) constant_arrays[array] = *known;
  return array;
}

StaticValue Lowering::lowerText(const std::string& bytes) {
  const Operand size = Operand::ofI64(static_cast<int64_t>(bytes.size()));
  const MonoTypeRef type = arrayType(size, scalarType(ScalarType::kU8));
  if (bytes.empty()) return emptyArray(type);
  Operands elements;
  for (const char byte : bytes) {
    elements.push_back(prim::Scalar::ofUnsigned(ScalarType::kU8, static_cast<uint8_t>(byte)));
  }
  return fromLeaves(type, {arrayLiteral({ScalarType::kU8, {size}}, std::move(elements))});
}

namespace {

// With step = second - first: the step must not be 0, lead the way that the arrow says, and towards
// the end, which may lie at the start. Then there are |last - first| / |step| elements, rounded
// down plus one (inclusive) or rounded up.
struct RangeShape {
  Lowering& lowering;
  syntax::RangeEnd end;
  Operand first, step, last;  // i64

  Operand up() const { return lowering.compare(Op::kGt, step, Operand::ofI64(0)); }

  Operand valid() const {
    const Operand towards = lowering.choose(
        up(), [&] { return lowering.compare(Op::kLe, first, last); },
        [&] { return lowering.compare(Op::kGe, first, last); });
    return lowering.both(direction(), towards);
  }
  Operand direction() const {
    switch (end) {
      case syntax::RangeEnd::kBelow:
        return up();
      case syntax::RangeEnd::kAbove:
        return lowering.compare(Op::kLt, step, Operand::ofI64(0));
      case syntax::RangeEnd::kInclusive:
        return lowering.compare(Op::kNe, step, Operand::ofI64(0));
    }
    HALO_UNREACHABLE("kind of range");
  }

  Operand count() const {
    const Operand distance = lowering.choose(
        up(), [&] { return arithmetic(Op::kSub, last, first); },
        [&] { return arithmetic(Op::kSub, first, last); });
    const bool inclusive = end == syntax::RangeEnd::kInclusive;
    const Operand one = Operand::ofI64(1);
    if (step == one || step == Operand::ofI64(-1)) {
      return inclusive ? arithmetic(Op::kAdd, distance, one) : distance;
    }
    // Rounded up is floor((distance - 1) / |step|) + 1; the divisor is at least 1, so proven.
    const Operand magnitude = lowering.prim(Op::kAbs, ScalarType::kI64, {step});
    const Operand divisor = lowering.prim(Op::kMax, ScalarType::kI64, {magnitude, one});
    const Operand dividend = inclusive ? distance : arithmetic(Op::kSub, distance, one);
    return arithmetic(Op::kAdd, lowering.prim(Op::kDiv, ScalarType::kI64, {dividend, divisor}),
                      one);
  }
  Operand arithmetic(Op op, const Operand& a, const Operand& b) const {
    return lowering.sizeArithmetic(op, a, b);
  }
};

}  // namespace

StaticValue Lowering::lowerRange(ExprId id, const syntax::RangeExpr& node, Frame& frame) {
  const Operand start = lowerScalar(node.first, frame);
  const ScalarType type = out.type(start).scalar;
  RangeShape range{*this, node.end, toI64(start), {}, {}};
  Operand second;
  if (node.second.valid()) {
    second = lowerIndex(node.second, frame);
    range.step = sizeArithmetic(Op::kSub, second, range.first);
  } else {
    range.step = Operand::ofI64(node.end == syntax::RangeEnd::kAbove ? -1 : 1);
    second = sizeArithmetic(Op::kAdd, range.first, range.step);
  }
  range.last = lowerIndex(node.last, frame);
  builder().assertThat(range.valid(), Code::malformed_range, {range.first, second, range.last},
                       spanOf(id, frame));
  const Operand count = range.count();
  const Operand step = builder().convert(prim::ConvertKind::kValue, type, range.step);
  const ValueId array = bind({type, {count}}, core::Iota{type, count, start, step});
  return fromLeaves(arrayType(count, scalarType(type)), {array});
}

}  // namespace halo::lower
