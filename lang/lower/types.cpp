// Types and sizes of the checked program, evaluated where they are needed; and making shapes agree
// where only a run-time check can tell that they do.
#include <algorithm>

#include "lang/base/match.h"
#include "lang/lower/lowering.h"

namespace halo::lower {

namespace {

Op opOf(types::SizeOp op) {
  switch (op) {
    case types::SizeOp::kAdd:
      return Op::kAdd;
    case types::SizeOp::kSub:
      return Op::kSub;
    case types::SizeOp::kMul:
      return Op::kMul;
  }
  HALO_UNREACHABLE("size operation");
}

bool mentions(const types::Program& program, types::SizeId size,
              const std::vector<BinderId>& binders) {
  return base::match(
      program.sizes[size], [](const types::SizeConst&) { return false; },
      [&](const types::SizeBinder& n) {
        return std::find(binders.begin(), binders.end(), n.binder) != binders.end();
      },
      [&](const types::SizeArith& n) {
        return mentions(program, n.lhs, binders) || mentions(program, n.rhs, binders);
      });
}

}  // namespace

Operand Lowering::evalSize(types::SizeId size, const Frame& frame) {
  return base::match(
      source.sizes[size], [](const types::SizeConst& n) { return Operand::ofI64(n.value); },
      [&](const types::SizeBinder& n) {
        const StaticValue* value = frame.find(n.binder);
        HALO_CHECK(
            value != nullptr && value->scalar() != nullptr,
            ("lower: the size `" + source.binders[n.binder].name + "` is not known").c_str());
        return *value->scalar();
      },
      [&](const types::SizeArith& n) {
        const Operand lhs = evalSize(n.lhs, frame);
        return sizeArithmetic(opOf(n.op), lhs, evalSize(n.rhs, frame));
      });
}

MonoTypeRef Lowering::evalType(types::TypeId type, const Frame& frame) {
  return base::match(
      source.types[type], [](const types::ScalarTypeNode& n) { return scalarType(n.scalar); },
      [&](const types::ArrayType& n) {
        const Operand size = evalSize(n.size, frame);
        return arrayType(size, evalType(n.element, frame));
      },
      [&](const types::RecordType& n) {
        std::vector<MonoTypeRef> fields;
        for (types::TypeId field : n.fields) fields.push_back(evalType(field, frame));
        return recordType(n.names, std::move(fields));
      },
      [](const types::FunctionType&) { return functionType(); },
      [&](const types::ParamType& n) {
        const MonoTypeRef* found = frame.find(n.parameter);
        HALO_CHECK(found != nullptr, "lower: a type parameter without an argument");
        return *found;
      });
}

void Lowering::evalKnownSizes(types::TypeId type, const std::vector<BinderId>& unknown,
                              const Frame& frame) {
  base::match(
      source.types[type], [](const types::ScalarTypeNode&) {},
      [&](const types::ArrayType& n) {
        if (!mentions(source, n.size, unknown)) evalSize(n.size, frame);
        evalKnownSizes(n.element, unknown, frame);
      },
      [&](const types::RecordType& n) {
        for (types::TypeId field : n.fields) evalKnownSizes(field, unknown, frame);
      },
      [](const types::FunctionType&) {}, [](const types::ParamType&) {});
}

MonoTypeRef Lowering::typeOf(const StaticValue& value) const {
  return base::match(
      value.node, [&](const Operand& scalar) { return scalarType(out.type(scalar).scalar); },
      [](const ArrayValue& array) { return array.type; },
      [&](const RecordValue& record) {
        std::vector<MonoTypeRef> fields;
        for (const StaticValue& field : record.fields) fields.push_back(typeOf(field));
        return recordType(record.names, std::move(fields));
      },
      [](const ClosureRef&) { return functionType(); });
}

Operand Lowering::sizeArithmetic(Op op, const Operand& lhs, const Operand& rhs) {
  const std::optional<Polynomial> polynomial = combine(op, sizes().of(lhs), sizes().of(rhs));
  if (polynomial) {
    if (std::optional<Operand> known = sizes().find(*polynomial)) return *known;
  }
  const Operand result = prim(op, ScalarType::kI64, {lhs, rhs});
  if (polynomial && !result.isConstant()) sizes().define(result.value, *polynomial);
  return result;
}

Operand Lowering::product(const Operands& factors) {
  Operand result = Operand::ofI64(1);
  for (const Operand& factor : factors) result = sizeArithmetic(Op::kMul, result, factor);
  return result;
}

namespace {

// One assert for each nest of dimensions (those of one array, then those of arrays in its
// elements).
class ShapeCheck {
 public:
  ShapeCheck(Lowering& lowering, Code code, Span span)
      : lowering_(lowering), code_(code), span_(span) {}

  bool differs() const { return differs_; }

  void run(const MonoTypeRef& found, const MonoTypeRef& wanted) {
    const Operands found_sizes = dimensions(found);
    const Operands wanted_sizes = dimensions(wanted);
    HALO_CHECK(found_sizes.size() == wanted_sizes.size(), "lower: arrays of different rank");
    checkNest(found_sizes, wanted_sizes);
    const MonoTypeRef inner = elementBelow(found, found_sizes.size());
    const MonoTypeRef inner_wanted = elementBelow(wanted, found_sizes.size());
    if (inner->record() == nullptr) return;
    for (size_t i = 0; i < inner->record()->fields.size(); ++i) {
      run(inner->record()->fields[i], inner_wanted->record()->fields[i]);
    }
  }

 private:
  void checkNest(const Operands& found, const Operands& wanted) {
    std::optional<Operand> condition;
    for (size_t i = 0; i < found.size(); ++i) {
      if (found[i] == wanted[i]) continue;
      differs_ = true;
      if (lowering_.sizes().equal(found[i], wanted[i])) continue;
      const Operand same = lowering_.compare(Op::kEq, found[i], wanted[i]);
      condition = condition ? lowering_.both(*condition, same) : same;
    }
    if (!condition) return;
    // An irregular array names the first element's shape first, and that is what was wanted.
    const bool wanted_first = code_ == Code::irregular_array;
    Operands operands = wanted_first ? wanted : found;
    const Operands& others = wanted_first ? found : wanted;
    operands.insert(operands.end(), others.begin(), others.end());
    lowering_.builder().assertThat(*condition, code_, std::move(operands), span_);
  }

  Lowering& lowering_;
  Code code_;
  Span span_;
  bool differs_ = false;
};

}  // namespace

StaticValue Lowering::coerce(const StaticValue& value, const MonoTypeRef& type, Code code,
                             Span span) {
  if (const RecordValue* record = value.record()) {
    RecordValue result{record->names, {}};
    for (size_t i = 0; i < record->fields.size(); ++i) {
      result.fields.push_back(coerce(record->fields[i], type->record()->fields[i], code, span));
    }
    return {result};
  }
  const ArrayValue* array = value.array();
  if (array == nullptr || array->type == type) return value;
  ShapeCheck check(*this, code, span);
  check.run(array->type, type);
  if (!check.differs()) return value;
  ArrayValue result{type, {}};
  const std::vector<core::Type> leaf_types = leafTypes(type);
  for (size_t i = 0; i < leaf_types.size(); ++i) {
    const bool same = out.type(array->leaves[i]) == leaf_types[i];
    result.leaves.push_back(
        same ? array->leaves[i]
             : bind(leaf_types[i], core::Reshape{array->leaves[i], leaf_types[i].shape}));
  }
  return {result};
}

}  // namespace halo::lower
