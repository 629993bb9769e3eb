// Types and sizes of the checked program, evaluated where they are needed.
#include <algorithm>

#include "lang/base/match.h"
#include "lang/lower/lowering.h"
#include "lang/types/infer/accumulator.h"

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

MonoTypeRef accumulatorType(const MonoTypeRef& array) {
  const MonoArray* of = array->array();
  HALO_CHECK(of != nullptr, "lower: an accumulator of something that is no array");
  const MonoTypeRef number = scalarType(ScalarType::kI64);
  const MonoTypeRef shape = arrayType(of->size, recordType({}, {}));
  return recordType(types::accumulatorFields(), {number, number, shape, number, of->element});
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
      },
      [&](const types::SizeExpression& n) {
        return lowerScalar(n.value, newFrame(&frame, frame.prelude, frame.site));
      });
}

bool Lowering::mentions(types::SizeId size, const std::vector<BinderId>& binders) {
  const auto wanted = [&](BinderId binder) {
    return std::find(binders.begin(), binders.end(), binder) != binders.end();
  };
  return base::match(
      source.sizes[size], [](const types::SizeConst&) { return false; },
      [&](const types::SizeBinder& n) { return wanted(n.binder); },
      [&](const types::SizeArith& n) {
        return mentions(n.lhs, binders) || mentions(n.rhs, binders);
      },
      [&](const types::SizeExpression& n) {
        const std::vector<BinderId>& names = freeNames(n.value).binders;
        return std::any_of(names.begin(), names.end(), wanted);
      });
}

MonoTypeRef Lowering::evalType(types::TypeId type, const Frame& frame) {
  return evalType(type, frame, [&](types::SizeId size) { return evalSize(size, frame); });
}

MonoTypeRef Lowering::evalType(types::TypeId type, const Frame& frame, const SizeRule& sizes) {
  return base::match(
      source.types[type], [](const types::ScalarTypeNode& n) { return scalarType(n.scalar); },
      [&](const types::ArrayType& n) {
        const Operand size = sizes(n.size);
        return arrayType(size, evalType(n.element, frame, sizes));
      },
      [&](const types::RecordType& n) {
        std::vector<MonoTypeRef> fields;
        for (types::TypeId field : n.fields) fields.push_back(evalType(field, frame, sizes));
        return recordType(n.names, std::move(fields));
      },
      [&](const types::SumType& n) {
        std::vector<std::vector<MonoTypeRef>> payloads;
        for (const std::vector<types::TypeId>& payload : n.payloads) {
          payloads.emplace_back();
          for (types::TypeId part : payload) {
            payloads.back().push_back(evalType(part, frame, sizes));
          }
        }
        return sumType(n.constructors, std::move(payloads));
      },
      [](const types::FunctionType&) { return functionType(); },
      [&](const types::ParamType& n) {
        if (types::isAccumulator(n)) return accumulatorType(evalType(n.types[0], frame, sizes));
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
        if (!mentions(n.size, unknown)) evalSize(n.size, frame);
        evalKnownSizes(n.element, unknown, frame);
      },
      [&](const types::RecordType& n) {
        for (types::TypeId field : n.fields) evalKnownSizes(field, unknown, frame);
      },
      [&](const types::SumType& n) {
        for (const std::vector<types::TypeId>& payload : n.payloads) {
          for (types::TypeId part : payload) evalKnownSizes(part, unknown, frame);
        }
      },
      [](const types::FunctionType&) {}, [](const types::ParamType&) {});
}

MonoTypeRef ValueEmission::typeOf(const StaticValue& value) const {
  return base::match(
      value.node, [&](const Operand& scalar) { return scalarType(out.type(scalar).scalar); },
      [](const ArrayValue& array) { return array.type; },
      [&](const RecordValue& record) {
        std::vector<MonoTypeRef> fields;
        for (const StaticValue& field : record.fields) fields.push_back(typeOf(field));
        return recordType(record.names, std::move(fields));
      },
      [](const SumValue& sum) { return sum.type; },
      [](const ConstructedValue& sum) { return sum.type; },
      [](const ClosureRef&) { return functionType(); });
}

StaticValue ValueEmission::scratch(const MonoTypeRef& type) {
  Operands leaves;
  for (const core::Type& leaf : leafTypes(type)) {
    leaves.push_back(leaf.isScalar() ? Operand(prim::zero(leaf.scalar))
                                     : bind(leaf, core::Scratch{leaf.scalar, leaf.shape}));
  }
  return fromLeaves(type, leaves);
}

}  // namespace halo::lower
