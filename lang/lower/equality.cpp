// `==` on anything: scalars by the primitive, records field by field, sums by tag and slots. Arrays
// take a shape test and, if that holds, a reduction over all elements.
#include "lang/base/match.h"
#include "lang/lower/value_emission.h"

namespace halo::lower {

namespace {

// All extents of one type against those of the other.
Operand sameShape(ValueEmission& emission, const MonoTypeRef& a, const MonoTypeRef& b) {
  if (const MonoArray* array = a->array()) {
    const Operand here = emission.sizes().equal(array->size, b->array()->size)
                             ? Operand(prim::Scalar::ofBool(true))
                             : emission.compare(Op::kEq, array->size, b->array()->size);
    return emission.both(here, sameShape(emission, array->element, b->array()->element));
  }
  Operand same = prim::Scalar::ofBool(true);
  if (const MonoRecord* record = a->record()) {
    for (size_t i = 0; i < record->fields.size(); ++i) {
      same = emission.both(same, sameShape(emission, record->fields[i], b->record()->fields[i]));
    }
  }
  if (const MonoSum* sum = a->sum()) {
    for (size_t i = 0; i < sum->slots.size(); ++i) {
      const Operands &ours = sum->slots[i].shape, &theirs = b->sum()->slots[i].shape;
      for (size_t d = 0; d < ours.size(); ++d) {
        if (emission.sizes().equal(ours[d], theirs[d])) continue;
        same = emission.both(same, emission.compare(Op::kEq, ours[d], theirs[d]));
      }
    }
  }
  return same;
}

core::Lambda binary(ValueEmission& emission, Op op, ScalarType type) {
  const MonoTypeRef scalar = scalarType(type);
  return emission.lambda({scalar, scalar}, [&](const std::vector<StaticValue>& args) {
    return StaticValue{emission.prim(op, type, {*args[0].scalar(), *args[1].scalar()})};
  });
}

// Two leaves with equal extents, `a` having those that the comparison runs over.
Operand sameElements(ValueEmission& emission, ValueId a, ValueId b) {
  const core::Type type = emission.out.type(a);
  const Operand width = emission.product(type.shape);
  const auto flat = [&](ValueId leaf) {
    const core::Type wanted{type.scalar, {width}};
    if (emission.out.type(leaf) == wanted) return leaf;
    return emission.bind(wanted, core::Reshape{leaf, wanted.shape});
  };
  core::Screma node{width, {flat(a), flat(b)}, binary(emission, Op::kEq, type.scalar), {}, {}};
  node.reductions.push_back(
      {binary(emission, Op::kAnd, ScalarType::kBool), {prim::Scalar::ofBool(true)}, true});
  return emission.bind({ScalarType::kBool, {}}, std::move(node));
}

Operand sameLeaf(ValueEmission& emission, const Operand& a, const Operand& b) {
  const core::Type type = emission.out.type(a);
  return type.isScalar() ? emission.prim(Op::kEq, type.scalar, {a, b})
                         : sameElements(emission, a.value, b.value);
}

// Arrays and sums, by their leaves: those of equal shapes are compared all.
Operand sameLeaves(ValueEmission& emission, const Operand& shape, const Operands& a,
                   const Operands& b) {
  const auto elements = [&] {
    Operand same = prim::Scalar::ofBool(true);
    for (size_t i = 0; i < a.size(); ++i) {
      same = emission.both(same, sameLeaf(emission, a[i], b[i]));
    }
    return same;
  };
  if (shape.isConstant()) return shape.constant.asBool() ? elements() : shape;
  if (a.empty()) return shape;
  emission.openBody();
  const Operand same = elements();
  core::Match match{shape, {}, {}};
  match.cases.push_back({prim::Scalar::ofBool(true), emission.closeBody({same})});
  match.otherwise.results = {prim::Scalar::ofBool(false)};
  return emission.bind({ScalarType::kBool, {}}, std::move(match));
}

}  // namespace

Operand ValueEmission::equal(const StaticValue& lhs, const StaticValue& rhs) {
  const bool is_sum = lhs.sum() != nullptr || lhs.constructed() != nullptr;
  if (const ConstructedValue* a = lhs.constructed(), *b = rhs.constructed(); a && b) {
    if (a->constructor != b->constructor) return prim::Scalar::ofBool(false);
    Operand same = prim::Scalar::ofBool(true);
    for (size_t i = 0; i < a->payload.size(); ++i) {
      same = both(same, equal(a->payload[i], b->payload[i]));
    }
    return same;
  }
  if (is_sum || lhs.array() != nullptr) {
    const Operand shape = sameShape(*this, typeOf(lhs), typeOf(rhs));
    const Operands leaves = leavesOf(lhs);
    return sameLeaves(*this, shape, leaves, leavesOf(rhs));
  }
  if (const RecordValue* record = lhs.record()) {
    Operand same = prim::Scalar::ofBool(true);
    for (size_t i = 0; i < record->fields.size(); ++i) {
      same = both(same, equal(record->fields[i], rhs.record()->fields[i]));
    }
    return same;
  }
  HALO_CHECK(lhs.scalar() != nullptr, "lower: functions do not compare");
  return prim(Op::kEq, out.type(*lhs.scalar()).scalar, {*lhs.scalar(), *rhs.scalar()});
}

}  // namespace halo::lower
