// Arrays made from nothing: literals, text, ranges.
#include "lang/lower/lowering.h"
#include "lang/lower/sizes/size_checks.h"
#include "lang/value/limits.h"

namespace halo::lower {

StaticValue ValueEmission::emptyArray(const MonoTypeRef& type) {
  Operands leaves;
  for (const core::Type& leaf : leafTypes(type)) leaves.push_back(zero(leaf));
  return fromLeaves(type, leaves);
}

StaticValue Lowering::lowerArray(ExprId id, const syntax::ArrayExpr& node, Frame& frame) {
  if (node.elements.empty()) {
    const MonoTypeRef type = evalType(source.type_of.at(id), frame);
    requireSizes(*this, {}, type, spanOf(id, frame));
    return emptyArray(type);
  }
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

StaticValue ValueEmission::lowerText(const std::string& bytes) {
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

// The step must not be 0, lead the way that the arrow says, and towards the end, which may lie at
// the start. Then there are |last - first| / |step| elements, rounded down plus one (inclusive) or
// rounded up. Differences may wrap, so the way is told by comparing, and both must be positive
// i64s.
struct RangeShape {
  Lowering& lowering;
  syntax::RangeEnd end;
  ScalarType type;  // of the elements
  bool has_second;
  Operand first, second, last;  // i64
  Operand step;                 // second - first

  bool inclusive() const { return end == syntax::RangeEnd::kInclusive; }

  Operand order(Op op, const Operand& a, const Operand& b) const {
    if (type != ScalarType::kU64) return lowering.compare(op, a, b);
    const auto back = [&](const Operand& x) {
      return lowering.builder().convert(prim::ConvertKind::kValue, type, x);
    };
    const Operand left = back(a), right = back(b);
    return lowering.prim(op, type, {left, right});
  }
  Operand up() const {
    if (step.isConstant()) return Operand(prim::Scalar::ofBool(step.constant.asSigned() > 0));
    return order(Op::kLt, first, second);
  }

  Operand valid() const {
    const Operand towards = lowering.choose(
        up(), [&] { return order(Op::kLe, first, last); },
        [&] { return order(Op::kLe, last, first); });
    return lowering.both(direction(), towards);
  }
  Operand direction() const {
    if (!has_second) return Operand(prim::Scalar::ofBool(true));
    switch (end) {
      case syntax::RangeEnd::kBelow:
        return order(Op::kLt, first, second);
      case syntax::RangeEnd::kAbove:
        return order(Op::kLt, second, first);
      case syntax::RangeEnd::kInclusive:
        return lowering.compare(Op::kNe, first, second);
    }
    HALO_UNREACHABLE("kind of range");
  }

  Operand distance() const {
    return lowering.choose(
        up(), [&] { return arithmetic(Op::kSub, last, first); },
        [&] { return arithmetic(Op::kSub, first, last); });
  }
  // Of the step. One that wrapped leads the other way, so it is negative then.
  Operand size() const {
    return lowering.choose(
        up(), [&] { return step; }, [&] { return arithmetic(Op::kSub, Operand::ofI64(0), step); });
  }
  Operand count(const Operand& distance, const Operand& magnitude) const {
    const Operand one = Operand::ofI64(1);
    if (magnitude == one) return inclusive() ? arithmetic(Op::kAdd, distance, one) : distance;
    // Rounded up is floor((distance - 1) / |step|) + 1; the divisor is at least 1, so proven.
    const Operand divisor = lowering.prim(Op::kMax, ScalarType::kI64, {magnitude, one});
    const Operand dividend = inclusive() ? distance : arithmetic(Op::kSub, distance, one);
    return arithmetic(Op::kAdd, lowering.prim(Op::kDiv, ScalarType::kI64, {dividend, divisor}),
                      one);
  }
  // Asserts that there is such a count.
  Operand checkedCount(Span span) const {
    const Operand zero = Operand::ofI64(0);
    const Operand magnitude = size();
    const Operand far = distance();
    const Operand number = count(far, magnitude);
    Operand exact = lowering.compare(Op::kGe, far, zero);
    exact = lowering.both(exact, lowering.compare(Op::kGe, magnitude, zero));
    if (inclusive()) exact = lowering.both(exact, lowering.compare(Op::kGe, number, zero));
    const Operand most = Operand::ofI64(value::kMaxElements);
    const Operand fits = lowering.both(exact, lowering.compare(Op::kLe, number, most));
    const Operand shown = lowering.choose(
        exact, [&] { return number; }, [] { return Operand::ofI64(INT64_MAX); });
    lowering.builder().assertThat(fits, Code::size_overflow, {shown}, span);
    return number;
  }
  Operand arithmetic(Op op, const Operand& a, const Operand& b) const {
    return lowering.sizeArithmetic(op, a, b);
  }
};

}  // namespace

StaticValue Lowering::lowerRange(ExprId id, const syntax::RangeExpr& node, Frame& frame) {
  const Operand start = lowerScalar(node.first, frame);
  const ScalarType type = out.type(start).scalar;
  RangeShape range{*this, node.end, type, node.second.valid(), toI64(start), {}, {}, {}};
  if (node.second.valid()) {
    range.second = lowerIndex(node.second, frame);
    range.step = sizeArithmetic(Op::kSub, range.second, range.first);
  } else {
    range.step = Operand::ofI64(node.end == syntax::RangeEnd::kAbove ? -1 : 1);
    range.second = sizeArithmetic(Op::kAdd, range.first, range.step);
  }
  range.last = lowerIndex(node.last, frame);
  const Span span = spanOf(id, frame);
  builder().assertThat(range.valid(), Code::malformed_range,
                       {range.first, range.second, range.last}, span);
  const Operand count = range.checkedCount(span);
  const Operand step = builder().convert(prim::ConvertKind::kValue, type, range.step);
  const ValueId array =
      bind({type, {count}}, core::Iota{type, count, start, step, isDifferentiating()});
  return fromLeaves(arrayType(count, scalarType(type)), {array});
}

}  // namespace halo::lower
