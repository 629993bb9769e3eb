// Looking names up, and what using one means: a new copy of its type with its own type and size
// arguments.
#include <fmt/format.h>

#include <algorithm>

#include "lang/types/checker.h"

namespace halo::types {

using diag::Code;

std::shared_ptr<const ModuleScope> Checker::findModule(const std::vector<std::string>& path) const {
  for (size_t i = modules_.size(); i-- > 0;) {
    auto found = modules_[i].modules.find(path[0]);
    if (found == modules_[i].modules.end()) continue;
    auto module = found->second;
    for (size_t step = 1; step < path.size(); ++step) {
      auto next = module->modules.find(path[step]);
      if (next == module->modules.end()) return nullptr;
      module = next->second;
    }
    return module;
  }
  return nullptr;
}

std::optional<DefId> Checker::findDef(const QualifiedName& name) const {
  if (!name.qualifiers.empty()) {
    auto module = findModule(name.qualifiers);
    if (!module) return std::nullopt;
    auto found = module->values.find(name.name);
    return found == module->values.end() ? std::nullopt : std::optional(found->second);
  }
  for (size_t i = modules_.size(); i-- > 0;) {
    auto found = modules_[i].values.find(name.name);
    if (found != modules_[i].values.end()) return found->second;
  }
  return std::nullopt;
}

const TypeAbbreviation* Checker::findType(const QualifiedName& name) const {
  if (!name.qualifiers.empty()) {
    auto module = findModule(name.qualifiers);  // stays alive: some scope holds it
    if (!module) return nullptr;
    auto found = module->types.find(name.name);
    return found == module->types.end() ? nullptr : &found->second;
  }
  for (size_t i = modules_.size(); i-- > 0;) {
    auto found = modules_[i].types.find(name.name);
    if (found != modules_[i].types.end()) return &found->second;
  }
  return nullptr;
}

std::vector<std::string> Checker::visible() const {
  std::vector<std::string> names = locals_.names();
  for (const ModuleScope& module : modules_) {
    for (const auto& [name, def] : module.values) names.push_back(name);
  }
  return names;
}

namespace {

std::string spelled(const QualifiedName& name) {
  std::string text;
  for (const std::string& qualifier : name.qualifiers) text += qualifier + ".";
  return text + name.name;
}

void suggest(std::string& message, const std::string& name, std::vector<std::string> candidates,
             const std::string& prefix) {
  std::sort(candidates.begin(), candidates.end());
  if (auto near = diag::didYouMean(name, candidates)) {
    message += fmt::format(", did you mean `{}{}`?", prefix, *near);
  }
}

}  // namespace

void Checker::reportUnknownName(const QualifiedName& name) {
  std::string message = fmt::format("unknown name `{}`", spelled(name));
  if (name.qualifiers.empty()) {
    suggest(message, name.name, visible(), "");
  } else if (auto module = findModule(name.qualifiers)) {
    std::vector<std::string> candidates;
    for (const auto& [candidate, def] : module->values) candidates.push_back(candidate);
    std::string prefix = spelled(name);
    prefix.resize(prefix.size() - name.name.size());
    suggest(message, name.name, std::move(candidates), prefix);
  } else {
    std::vector<std::string> candidates;
    for (const ModuleScope& scope : modules_) {
      for (const auto& [candidate, value] : scope.modules) candidates.push_back(candidate);
    }
    message += fmt::format(": there is no module `{}`", name.qualifiers[0]);
    suggest(message, name.qualifiers[0], std::move(candidates), "");
  }
  sink_.error(Code::unknown_name, name.span, std::move(message));
}

void Checker::reportUnknownType(const QualifiedName& name) {
  std::string message = fmt::format("unknown type `{}`", spelled(name));
  std::vector<std::string> candidates;
  for (prim::ScalarType type : prim::kAllScalarTypes) candidates.emplace_back(prim::name(type));
  for (const auto& [candidate, id] : locals_.type_params) candidates.push_back(candidate);
  for (const ModuleScope& scope : modules_) {
    for (const auto& [candidate, type] : scope.types) candidates.push_back(candidate);
  }
  suggest(message, name.name, std::move(candidates), "");
  sink_.error(Code::unknown_type, name.span, std::move(message));
}

BinderId Checker::newBinder(const std::string& name, Span span, TypeRef type) {
  BinderId binder = program_.binders.add({name, span, {}});
  pending_.binder_types.emplace_back(binder, type);
  return binder;
}

BinderId Checker::newSizeBinder(const std::string& name, Span span) {
  return program_.binders.add({name, span, scalarTypeId(prim::ScalarType::kI64)});
}

TypeRef Checker::useDef(ExprId expr, DefId id) {
  if (broken_.count(id) > 0) return poison();
  const Def& def = program_.defs[id];
  PendingUse use{expr, DefTarget{id}, {}, {}};
  Substitution arguments;
  for (TypeParamId param : def.type_parameters) {
    use.types.push_back(inference_.unknown(span(expr)));
    arguments.types.emplace_back(param, use.types.back());
  }
  for (BinderId size : def.size_parameters) {
    use.sizes.push_back(inference_.unknownSize(span(expr)));
    arguments.sizes.emplace_back(size, use.sizes.back());
  }
  pending_.uses.push_back(std::move(use));
  TypeRef type = inference_.import(def.type);
  if (def.parameters.empty() && !def.built_in) {  // a constant brings sizes that it alone knows
    for (SizeAtom atom : inference_.sizeAtoms(type)) {
      const std::string name = program_.binders[BinderId(atom.index)].name;
      arguments.sizes.emplace_back(BinderId(atom.index),
                                   binderSize(newSizeBinder(name, span(expr))));
    }
  }
  return inference_.instantiate(type, arguments);
}

// A recursive function is monomorphic in types; in sizes only as far as its parameters are written.
TypeRef Checker::useCurrent(ExprId expr) {
  current_->is_recursive = true;
  PendingUse use{expr, DefTarget{current_->id}, {}, {}};
  for (TypeParamId param : current_->info.type_parameters) {
    use.types.push_back(inference_.param(param));
  }
  Substitution arguments;
  for (BinderId size : current_->info.size_parameters) {
    use.sizes.push_back(inference_.unknownSize(span(expr)));
    arguments.sizes.emplace_back(size, use.sizes.back());
  }
  pending_.uses.push_back(std::move(use));
  return inference_.instantiate(current_->type, arguments);
}

TypeRef Checker::useLocal(ExprId expr, const LocalValue& local) {
  PendingUse use{expr, LocalTarget{local.binder}, {}, {}};
  Substitution arguments;
  for (TypeParamId param : local.scheme.type_parameters) {
    use.types.push_back(inference_.unknown(span(expr)));
    arguments.types.emplace_back(param, use.types.back());
  }
  for (BinderId size : local.scheme.size_parameters) {
    use.sizes.push_back(inference_.unknownSize(span(expr)));
    arguments.sizes.emplace_back(size, use.sizes.back());
  }
  pending_.uses.push_back(std::move(use));
  return inference_.instantiate(local.type, arguments);
}

std::optional<TypeRef> Checker::useName(ExprId expr, const QualifiedName& name) {
  if (name.qualifiers.empty()) {
    if (const LocalValue* local = locals_.find(name.name)) return useLocal(expr, *local);
    bool is_self =
        current_ && current_->type && name.name == current_->name && current_->has_parameters;
    if (is_self) return useCurrent(expr);
  }
  if (auto def = findDef(name)) return useDef(expr, *def);
  return std::nullopt;
}

// Modules nest no deeper (LANGUAGE.md B.4); trying every prefix of a longer name takes too long.
constexpr size_t kDeepestName = 256 + 1;

// `r.f` reads like a qualified name; it is a projection when `r` is a value.
size_t Checker::valueLength(const QualifiedName& name) const {
  if (name.qualifiers.empty() || locals_.find(name.qualifiers[0])) return 1;
  std::vector<std::string> parts = name.qualifiers;
  parts.push_back(name.name);
  for (size_t length = std::min(parts.size(), kDeepestName); length > 0; --length) {
    std::vector<std::string> path(parts.begin(),
                                  parts.begin() + static_cast<std::ptrdiff_t>(length) - 1);
    if (findDef({path, parts[length - 1], name.span})) return length;
  }
  return 0;
}

}  // namespace halo::types
