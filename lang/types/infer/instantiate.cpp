// Copies of types and sizes with parameters replaced.
#include "lang/types/infer/instantiate.h"

#include "lang/base/check.h"
#include "lang/base/match.h"

namespace halo::types {

// One substitution. Expressions within sizes share their parts and their types, and so do the
// copies.
class Instantiator::Instantiation {
 public:
  Instantiation(TypeTable& types, SizeTable& sizes, const Substitution& with)
      : types_(types), sizes_(sizes), with_(with) {
    inside_.size = [this](const Size& part) { return size(part); };
    inside_.variable = [this](BinderId name) { return valueOf(name); };
    inside_.type = [this](TypeRef part) { return sharedType(part); };
  }
  Instantiation(const Instantiation&) = delete;
  Instantiation& operator=(const Instantiation&) = delete;

  Size size(const Size& size) {
    const auto value = [this](SizeAtom atom) { return valueOf(atom); };
    return substitute(sizes_.resolve(size), std::ref(value));  // references take no memory
  }
  TypeRef type(TypeRef type);

 private:
  std::optional<Size> valueOf(SizeAtom atom);
  std::optional<SizeExprId> valueOf(BinderId name) const;
  TypeRef sharedType(TypeRef type);

  TypeTable& types_;
  SizeTable& sizes_;
  const Substitution& with_;
  SizeTable::Rebuild inside_;
  std::unordered_map<uint32_t, TypeRef> shared_;  // of parts of expressions
};

std::optional<Size> Instantiator::Instantiation::valueOf(SizeAtom atom) {
  if (atom.is_expression) {
    return sizes_.expressionSize(sizes_.rebuild(SizeExprId(atom.index), inside_));
  }
  if (atom.is_unknown) return std::nullopt;
  for (const auto& [binder, value] : with_.sizes) {
    if (binder.index == atom.index) return value;
  }
  return std::nullopt;
}

std::optional<SizeExprId> Instantiator::Instantiation::valueOf(BinderId binder) const {
  for (const auto& [name, value] : with_.values) {
    if (name == binder) return value;
  }
  return std::nullopt;
}

TypeRef Instantiator::Instantiation::sharedType(TypeRef type) {
  if (types_.isPlain(type)) return type;
  if (auto done = shared_.find(type.index); done != shared_.end()) return done->second;
  const TypeRef made = this->type(type);
  shared_.emplace(type.index, made);
  return made;
}

TypeRef Instantiator::Instantiation::type(TypeRef type) {
  if (types_.isPlain(type)) return type;
  type = types_.resolve(type);
  const InferNode node = types_.node(type);
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
        return types_.parameter(std::move(copy));
      },
      [&](const InferSum& old) {
        InferSum copy = old;
        for (auto& payload : copy.payloads) {
          for (TypeRef& part : payload) part = this->type(part);
        }
        return types_.sum(std::move(copy));
      },
      [&](const InferArray& old) { return types_.array(size(old.size), this->type(old.element)); },
      [&](const InferRecord& old) {
        InferRecord copy = old;
        for (TypeRef& field : copy.fields) field = this->type(field);
        return types_.record(std::move(copy));
      },
      [&](const InferFunction& old) {
        InferFunction copy = old;
        copy.parameter = this->type(old.parameter);
        copy.result = this->type(old.result);
        return types_.function(std::move(copy));
      });
}

Size Instantiator::instantiate(const Size& size, const Substitution& substitution) {
  return substitution.empty() ? size : Instantiation(types_, sizes_, substitution).size(size);
}

SizeExprId Instantiator::instantiate(SizeExprId expression, const Substitution& substitution) {
  const auto atom = asAtom(instantiate(sizes_.expressionSize(expression), substitution));
  HALO_CHECK(atom && atom->is_expression, "an expression stays one");
  return SizeExprId(atom->index);
}

TypeRef Instantiator::instantiate(TypeRef type, const Substitution& substitution) {
  if (substitution.empty() || types_.isPlain(type)) return type;
  return Instantiation(types_, sizes_, substitution).type(type);
}

}  // namespace halo::types
