// Copies of types and sizes with parameters replaced, and of finished types for another
// declaration.
#include "lang/base/check.h"
#include "lang/base/match.h"
#include "lang/types/infer/inference.h"

namespace halo::types {

// One substitution. Expressions within sizes share their parts and their types, and so do the
// copies.
class Inference::Instantiation {
 public:
  Instantiation(Inference& inference, const Substitution& with)
      : inference_(inference), with_(with) {
    inside_.size = [this](const Size& part) { return size(part); };
    inside_.variable = [this](BinderId name) { return valueOf(name); };
    inside_.type = [this](TypeRef part) { return sharedType(part); };
  }
  Instantiation(const Instantiation&) = delete;
  Instantiation& operator=(const Instantiation&) = delete;

  Size size(const Size& size) {
    const auto value = [this](SizeAtom atom) { return valueOf(atom); };
    return substitute(inference_.resolve(size), std::ref(value));  // references take no memory
  }
  TypeRef type(TypeRef type);

 private:
  std::optional<Size> valueOf(SizeAtom atom);
  std::optional<SizeExprId> valueOf(BinderId name) const;
  TypeRef sharedType(TypeRef type);

  Inference& inference_;
  const Substitution& with_;
  SizeRebuild inside_;
  std::unordered_map<uint32_t, TypeRef> types_;  // of parts of expressions
};

std::optional<Size> Inference::Instantiation::valueOf(SizeAtom atom) {
  if (atom.is_expression) {
    return inference_.expressionSize(inference_.rebuild(SizeExprId(atom.index), inside_));
  }
  if (atom.is_unknown) return std::nullopt;
  for (const auto& [binder, value] : with_.sizes) {
    if (binder.index == atom.index) return value;
  }
  return std::nullopt;
}

std::optional<SizeExprId> Inference::Instantiation::valueOf(BinderId binder) const {
  for (const auto& [name, value] : with_.values) {
    if (name == binder) return value;
  }
  return std::nullopt;
}

TypeRef Inference::Instantiation::sharedType(TypeRef type) {
  if (inference_.isPlain(type)) return type;
  if (auto done = types_.find(type.index); done != types_.end()) return done->second;
  const TypeRef made = this->type(type);
  types_.emplace(type.index, made);
  return made;
}

TypeRef Inference::Instantiation::type(TypeRef type) {
  if (inference_.isPlain(type)) return type;
  type = inference_.resolve(type);
  const InferNode node = inference_.nodes_[type.index];
  return base::match(
      node, [&](const UnknownType&) { return type; }, [&](const ScalarTypeNode&) { return type; },
      [&](const Poison&) { return type; },
      [&](const InferParam& old) {
        for (const auto& [id, value] : with_.types) {
          if (id == old.parameter) return value;
        }
        if (old.types.empty() && old.sizes.empty()) return type;
        InferParam copy = old;
        for (TypeRef& argument : copy.types) argument = this->type(argument);
        for (Size& size : copy.sizes) size = this->size(size);
        return inference_.parameter(std::move(copy));
      },
      [&](const InferSum& old) {
        InferSum copy = old;
        for (auto& payload : copy.payloads) {
          for (TypeRef& part : payload) part = this->type(part);
        }
        return inference_.sum(std::move(copy));
      },
      [&](const InferArray& old) {
        return inference_.array(size(old.size), this->type(old.element));
      },
      [&](const InferRecord& old) {
        InferRecord copy = old;
        for (TypeRef& field : copy.fields) field = this->type(field);
        return inference_.record(std::move(copy));
      },
      [&](const InferFunction& old) {
        InferFunction copy = old;
        copy.parameter = this->type(old.parameter);
        copy.result = this->type(old.result);
        return inference_.function(std::move(copy));
      });
}

Size Inference::instantiate(const Size& size, const Substitution& substitution) {
  return substitution.empty() ? size : Instantiation(*this, substitution).size(size);
}

SizeExprId Inference::instantiate(SizeExprId expression, const Substitution& substitution) {
  const auto atom = asAtom(instantiate(expressionSize(expression), substitution));
  HALO_CHECK(atom && atom->is_expression, "an expression stays one");
  return SizeExprId(atom->index);
}

TypeRef Inference::instantiate(TypeRef type, const Substitution& substitution) {
  if (substitution.empty() || isPlain(type)) return type;
  return Instantiation(*this, substitution).type(type);
}

// ---- finished types

Size Inference::import(SizeId size, const Substitution& arguments) {
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
        return instantiate(import_expression(expression.value), arguments);
      });
}

TypeRef Inference::import(TypeId type, const Substitution& arguments) {
  const bool is_shared =
      arguments.empty() || std::holds_alternative<ScalarTypeNode>(program_.types[type]);
  if (const TypeRef* found = is_shared ? imported_.find(type) : nullptr) return *found;
  auto part = [&](TypeId id) { return import(id, arguments); };
  const TypeRef ref = base::match(
      program_.types[type], [&](const ScalarTypeNode& scalar) { return add(scalar); },
      [&](const ParamType& old) {
        for (const auto& [id, value] : arguments.types) {
          if (id == old.parameter) return value;
        }
        InferParam copy{old.parameter, {}, {}};
        for (TypeId argument : old.types) copy.types.push_back(part(argument));
        for (SizeId size : old.sizes) copy.sizes.push_back(import(size, arguments));
        return arguments.empty() ? add(std::move(copy)) : parameter(std::move(copy));
      },
      [&](const SumType& old) {
        InferSum copy{old.constructors, {}};
        for (const auto& payload : old.payloads) {
          copy.payloads.emplace_back();
          for (TypeId inner : payload) copy.payloads.back().push_back(part(inner));
        }
        return sum(std::move(copy));
      },
      [&](const ArrayType& old) {
        Size size = import(old.size, arguments);
        return array(std::move(size), part(old.element));
      },
      [&](const RecordType& old) {
        InferRecord copy{old.names, {}};
        for (TypeId field : old.fields) copy.fields.push_back(part(field));
        return record(std::move(copy));
      },
      [&](const FunctionType& old) {
        TypeRef parameter = part(old.parameter);
        TypeRef result = part(old.result);
        return function({parameter, old.consumes, old.parameter_name, result, old.existentials,
                         old.unique_parameter, old.unique_result});
      });
  if (is_shared) imported_.set(type, ref);
  return ref;
}

}  // namespace halo::types
