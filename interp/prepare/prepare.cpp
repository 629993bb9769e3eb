#include "interp/prepare/prepare.h"

#include "interp/prepare/prepare_expr.h"
#include "lang/base/match.h"

namespace halo::interp {

const Function* Preparation::prepare(types::DefId def, State& state) {
  state_ = &state;
  const Function* function = functionOf(def);
  while (!todo_.empty()) {
    const Unfinished next = todo_.back();
    todo_.pop_back();
    prepareBody(next);
  }
  state_ = nullptr;
  return function;
}

void Preparation::runConstants(State& state) const {
  Frame frame{nullptr, nullptr, state};
  for (const auto& [def, node] : constants_) node->eval(frame);
}

const Function* Preparation::functionOf(types::DefId id) {
  const auto known = by_def_.find(id);
  if (known != by_def_.end()) return known->second;
  const types::Def& def = program_.defs[id];
  if (def.built_in) return by_def_[id] = builtIn(def);
  auto* function =
      keep(std::make_unique<UserFunction>(static_cast<int>(def.parameters.size()), def.is_prelude));
  todo_.push_back({id, function});
  is_recursive_ = is_recursive_ || def.is_recursive;
  by_def_[id] = function;
  if (def.is_prelude && !prelude_.empty()) function->setDerivative(derivativeOf(def));
  return function;
}

void Preparation::namePrelude() {
  for (size_t i = 0; i < program_.defs.size(); ++i) {
    const types::Def& def = program_.defs[types::DefId(i)];
    if (def.is_prelude) prelude_[def.name] = types::DefId(i);
  }
}

const Function* Preparation::preludeFunction(const std::string& name) {
  const auto found = prelude_.find(name);
  return found != prelude_.end() ? functionOf(found->second) : nullptr;
}

UserFunction::Derivative Preparation::derivativeOf(const types::Def& def) {
  return {preludeFunction(types::partialsName(def.name)),
          preludeFunction(types::insteadName(def.name))};
}

const Function* Preparation::primitive(const types::PrimMeaning& meaning) {
  const Function* library = libraryFunction(meaning);
  return library != nullptr ? library : keep(primFunction(meaning.op, meaning.type));
}

const Function* Preparation::libraryFunction(const types::PrimMeaning& meaning) {
  if (meaning.op != prim::Op::kPow || !prim::isFloat(meaning.type)) return nullptr;
  const std::string name = "pow_" + std::string(prim::name(meaning.type));
  for (size_t i = program_.defs.size(); i-- > 0;) {
    const types::Def& def = program_.defs[types::DefId(i)];
    if (def.is_prelude && def.name == name) return functionOf(types::DefId(i));
  }
  return nullptr;
}

const Function* Preparation::builtIn(const types::Def& def) {
  return base::match(
      *def.built_in,
      [&](types::Intrinsic kind) -> const Function* {
        const int arity = functionArity(program_, def.type);
        const bool has_sizes = !def.size_parameters.empty();
        return keep(intrinsicFunction({kind, arity, has_sizes, resultTypeOf(def, kind, arity)}));
      },
      [&](const types::PrimMeaning& meaning) { return primitive(meaning); },
      [&](const types::ConvertMeaning& meaning) -> const Function* {
        return keep(convertFunction(meaning.kind, meaning.to));
      });
}

namespace {

// Whether the arguments alone do not show the result's shape.
bool needsResultType(types::Intrinsic kind) {
  switch (kind) {
    case types::Intrinsic::kMap:
    case types::Intrinsic::kUnflatten:
    case types::Intrinsic::kStencil:
    case types::Intrinsic::kStencilWith:
    case types::Intrinsic::kFlatmap:
      return true;
    default:
      return false;
  }
}

}  // namespace

NodeRef Preparation::resultTypeOf(const types::Def& def, types::Intrinsic kind, int arity) {
  if (!needsResultType(kind)) return nullptr;
  Scope scope(nullptr, true, *this);
  for (auto parameter : def.type_parameters) scope.bindArgument(parameter);
  for (auto size : def.size_parameters) scope.bindArgument(size);
  const types::TypeId result = resultAfter(program_, def.type, arity);
  if (kind != types::Intrinsic::kFlatmap) return typeNode(program_, scope, result);
  // (shapes, flags, offsets, data, uniform): only the elements of the last two are not known, and
  // no argument has their number.
  const auto& parts = std::get<types::RecordType>(program_.types[result]).fields;
  Nodes elements;
  for (size_t i = 3; i < parts.size(); ++i) {
    const auto& array = std::get<types::ArrayType>(program_.types[parts[i]]);
    elements.push_back(typeNode(program_, scope, array.element));
  }
  return recordTypeNode(std::move(elements), nullptr);
}

NodeRef Preparation::sizeExpression(syntax::ExprId expr, Scope& scope) {
  return ExprPreparation(*this, scope).expr(expr);
}

void Preparation::prepareBody(const Unfinished& next) {
  const types::Def& def = program_.defs[next.def];
  findLastUses(program_, def.body, kept_, *state_, last_uses_);
  Scope scope(nullptr, def.is_prelude, *this);
  for (auto parameter : def.type_parameters) scope.bindArgument(parameter);
  for (auto size : def.size_parameters) scope.bindArgument(size);
  ExprPreparation body(*this, scope);
  next.function->fill(def.is_entry ? body.entry(def.parameters, def.body)
                                   : body.function(def.parameters, def.body));
}

}  // namespace halo::interp
