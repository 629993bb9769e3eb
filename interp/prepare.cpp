#include "interp/prepare.h"

#include "interp/prepare_expr.h"
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

const Function* Preparation::functionOf(types::DefId id) {
  const auto known = by_def_.find(id);
  if (known != by_def_.end()) return known->second;
  const types::Def& def = program_.defs[id];
  if (def.built_in) return by_def_[id] = builtIn(def);
  auto* function =
      keep(std::make_unique<UserFunction>(static_cast<int>(def.parameters.size()), def.is_prelude));
  todo_.push_back({id, function});
  return by_def_[id] = function;
}

const Function* Preparation::builtIn(const types::Def& def) {
  return base::match(
      *def.built_in,
      [&](types::Intrinsic kind) -> const Function* {
        const bool needs_type = kind == types::Intrinsic::kMap ||
                                kind == types::Intrinsic::kUnflatten ||
                                kind == types::Intrinsic::kStencil;
        const int arity = functionArity(program_, def.type);
        IntrinsicUse use{kind, arity, nullptr};
        if (needs_type) {
          Scope scope(nullptr, true);
          for (auto parameter : def.type_parameters) scope.bindArgument(parameter);
          for (auto size : def.size_parameters) scope.bindArgument(size);
          use.result_type = typeNode(program_, scope, resultAfter(program_, def.type, arity));
        }
        return keep(intrinsicFunction(std::move(use)));
      },
      [&](const types::PrimMeaning& meaning) -> const Function* {
        return keep(primFunction(meaning.op, meaning.type));
      },
      [&](const types::ConvertMeaning& meaning) -> const Function* {
        return keep(convertFunction(meaning.kind, meaning.to));
      });
}

void Preparation::prepareBody(const Unfinished& next) {
  const types::Def& def = program_.defs[next.def];
  findLastUses(program_, def.body, *state_, last_uses_);
  Scope scope(nullptr, def.is_prelude);
  for (auto parameter : def.type_parameters) scope.bindArgument(parameter);
  for (auto size : def.size_parameters) scope.bindArgument(size);
  next.function->fill(ExprPreparation(*this, scope).function(def.parameters, def.body));
}

}  // namespace halo::interp
