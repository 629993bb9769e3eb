// The way to finished types, which all declarations share, and back.
#include "lang/types/infer/finished_types.h"

#include <algorithm>

#include "lang/base/match.h"
#include "lang/types/infer/accumulator.h"

namespace halo::types {

using prim::ScalarType;

TypeId scalarTypeId(ScalarType type) { return TypeId(static_cast<size_t>(type)); }

// ---- import

Size FinishedTypes::import(SizeId size, const Substitution& arguments) {
  return base::match(
      program_.sizes[size], [](const SizeConst& constant) { return constantSize(constant.value); },
      [&](const SizeBinder& binder) {
        for (const auto& [name, value] : arguments.sizes) {
          if (name == binder.binder) return value;
        }
        return binderSize(binder.binder);
      },
      [&](const SizeArith& arith) {
        Size lhs = import(arith.lhs, arguments), rhs = import(arith.rhs, arguments);
        switch (arith.op) {
          case SizeOp::kAdd:
            return lhs + rhs;
          case SizeOp::kSub:
            return lhs - rhs;
          case SizeOp::kMul:
            return lhs * rhs;
        }
        HALO_UNREACHABLE("unknown size operator");
      },
      [&](const SizeExpression& expression) {
        return instantiator_.instantiate(import_expression(expression.value), arguments);
      });
}

TypeRef FinishedTypes::import(TypeId type, const Substitution& arguments) {
  const bool is_shared =
      arguments.empty() || std::holds_alternative<ScalarTypeNode>(program_.types[type]);
  if (const TypeRef* found = is_shared ? imported_.find(type) : nullptr) return *found;
  auto part = [&](TypeId id) { return import(id, arguments); };
  const TypeRef ref = base::match(
      program_.types[type],
      [&](const ScalarTypeNode& scalar) { return types_.scalar(scalar.scalar); },
      [&](const ParamType& old) {
        for (const auto& [id, value] : arguments.types) {
          if (id == old.parameter) return value;
        }
        InferParam copy{old.parameter, {}, {}};
        for (TypeId argument : old.types) copy.types.push_back(part(argument));
        for (SizeId size : old.sizes) copy.sizes.push_back(import(size, arguments));
        return arguments.empty() ? types_.add(std::move(copy)) : types_.parameter(std::move(copy));
      },
      [&](const SumType& old) {
        InferSum copy{old.constructors, {}};
        for (const auto& payload : old.payloads) {
          copy.payloads.emplace_back();
          for (TypeId inner : payload) copy.payloads.back().push_back(part(inner));
        }
        return types_.sum(std::move(copy));
      },
      [&](const ArrayType& old) {
        Size size = import(old.size, arguments);
        return types_.array(std::move(size), part(old.element));
      },
      [&](const RecordType& old) {
        InferRecord copy{old.names, {}};
        for (TypeId field : old.fields) copy.fields.push_back(part(field));
        return types_.record(std::move(copy));
      },
      [&](const FunctionType& old) {
        TypeRef parameter = part(old.parameter);
        TypeRef result = part(old.result);
        return types_.function({parameter, old.consumes, old.parameter_name, result,
                                old.existentials, old.unique_parameter, old.unique_result});
      });
  if (is_shared) imported_.set(type, ref);
  return ref;
}

// ---- finish

TypeId FinishedTypes::intern(TypeNode node) {
  if (auto* scalar = std::get_if<ScalarTypeNode>(&node)) return scalarTypeId(scalar->scalar);
  return interned_types_.findOrMake(
      hashOf(node), [&](TypeId id) { return types::isSame(program_.types[id], node); },
      [&] { return program_.types.add(std::move(node)); });
}

SizeId FinishedTypes::intern(SizeNode node) {
  return interned_sizes_.findOrMake(
      hashOf(node), [&](SizeId id) { return types::isSame(program_.sizes[id], node); },
      [&] { return program_.sizes.add(node); });
}

TypeId FinishedTypes::finishAsWritten(TypeRef type) {
  writes_forms_ = true;
  std::swap(finished_, finished_as_written_);
  const TypeId id = finish(type);
  std::swap(finished_, finished_as_written_);
  writes_forms_ = false;
  return id;
}

SizeId FinishedTypes::finish(const Size& unresolved) {
  const Size size = sizes_.resolve(unresolved);
  auto form = writes_forms_ ? finishForm(size) : std::nullopt;
  return form ? *form : finishPolynomial(size);
}

// None: no form, or one that unknowns are left in.
std::optional<SizeId> FinishedTypes::finishForm(const Size& size) {
  if (!size.written) {
    if (hasUnknown(size)) return std::nullopt;
    return finishPolynomial(size);
  }
  if (!size.written->op) return finishPolynomial(size);
  const auto lhs = finishForm(size.written->lhs), rhs = finishForm(size.written->rhs);
  if (!lhs || !rhs) return std::nullopt;
  return intern(SizeArith{*size.written->op, *lhs, *rhs});
}

SizeId FinishedTypes::finishPolynomial(Size size) {
  // A positive term first, so that `n - 1` is not spelled `-1 + n`.
  std::stable_sort(size.terms.begin(), size.terms.end(), [](const SizeTerm& a, const SizeTerm& b) {
    return (a.factor > 0 && !a.atoms.empty()) > (b.factor > 0 && !b.atoms.empty());
  });
  SizeId sum;
  for (const SizeTerm& term : size.terms) {
    bool subtract = sum && term.factor < 0 && term.factor != INT64_MIN;
    int64_t factor = subtract ? -term.factor : term.factor;
    SizeId product;
    for (SizeAtom atom : term.atoms) {
      SizeId next = atom.is_unknown ? intern(SizeConst{0})
                    : atom.is_expression
                        ? intern(SizeExpression{writeExpression(SizeExprId(atom.index))})
                        : intern(SizeBinder{BinderId(atom.index)});
      product = product ? intern(SizeArith{SizeOp::kMul, product, next}) : next;
    }
    if (!product) {
      product = intern(SizeConst{factor});
    } else if (factor != 1) {
      product = intern(SizeArith{SizeOp::kMul, intern(SizeConst{factor}), product});
    }
    sum = sum ? intern(SizeArith{subtract ? SizeOp::kSub : SizeOp::kAdd, sum, product}) : product;
  }
  return sum ? sum : intern(SizeConst{0});
}

TypeId FinishedTypes::finishFunction(const InferFunction& function) {
  TypeId parameter = finish(function.parameter);
  TypeId result = finish(function.result);
  return intern(FunctionType{parameter, function.consumes, function.parameter_name, result,
                             function.existentials, function.unique_parameter,
                             function.unique_result});
}

TypeId FinishedTypes::finish(TypeRef type) {
  type = types_.resolve(type);
  if (auto* scalar = std::get_if<ScalarTypeNode>(&types_.node(type))) {
    return scalarTypeId(scalar->scalar);
  }
  if (type.index < finished_.size() && finished_[type.index]) return finished_[type.index];
  const InferNode node = types_.node(type);
  TypeId id = base::match(
      node, [&](const UnknownType&) { return scalarTypeId(ScalarType::kI32); },
      [&](const Poison&) { return scalarTypeId(ScalarType::kI32); },
      [&](const ScalarTypeNode& scalar) { return scalarTypeId(scalar.scalar); },
      [&](const InferParam& old) {
        const bool is_accumulator = old.parameter == accumulatorParam();
        if (is_accumulator && types_.as<InferArray>(old.types[0])) {
          return finish(types_.accumulator(old.types[0]));
        }
        ParamType param{old.parameter, {}, {}};
        for (TypeRef argument : old.types) param.types.push_back(finish(argument));
        for (const Size& size : old.sizes) param.sizes.push_back(finish(size));
        return intern(std::move(param));
      },
      [&](const InferSum& old) {
        SumType sum{old.constructors, {}};
        for (const auto& payload : old.payloads) {
          sum.payloads.emplace_back();
          for (TypeRef part : payload) sum.payloads.back().push_back(finish(part));
        }
        return intern(std::move(sum));
      },
      [&](const InferArray& old) {
        SizeId size = finish(old.size);
        return intern(ArrayType{size, finish(old.element)});
      },
      [&](const InferRecord& old) {
        RecordType record{old.names, {}};
        for (TypeRef field : old.fields) record.fields.push_back(finish(field));
        return intern(std::move(record));
      },
      [&](const InferFunction& old) { return finishFunction(old); });
  if (type.index >= finished_.size()) finished_.resize(types_.count());
  return finished_[type.index] = id;
}

void FinishedTypes::reset() {
  imported_.clear();
  finished_.clear();
  finished_as_written_.clear();
  written_.clear();
  copies_.clear();
}

}  // namespace halo::types
