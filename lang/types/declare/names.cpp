// Looking names up, and the use of one: a new copy of its type with its own type and size
// arguments.
#include <fmt/format.h>

#include <algorithm>

#include "lang/types/declare/names.h"
#include "lang/types/infer/infer_expr.h"
#include "lang/types/modules/on_demand.h"
#include "lang/types/sizes/size_of.h"

namespace halo::types {

using diag::Code;
using namespace syntax;

// The innermost scope that has the name as a module or as a value: they share a name space.
const Module* Names::findModule(const std::vector<std::string>& path) const {
  const Module* module = nullptr;
  for (size_t i = scopes_.size(); i-- > 0 && module == nullptr;) {
    module = on_demand_.moduleIn(scopes_[i], path[0]);
    if (!module && on_demand_.declaresIn(scopes_[i], NameKind::kValue, path[0])) return nullptr;
  }
  if (!module) module = on_demand_.preludeModule(path[0]);
  for (size_t step = 1; step < path.size() && module != nullptr; ++step) {
    module = module->scope ? on_demand_.moduleIn(*module->scope, path[step]) : nullptr;
  }
  return module;
}

const ModuleScope* Names::findMembers(const std::vector<std::string>& path) const {
  const Module* module = findModule(path);
  return module ? module->scope.get() : nullptr;
}

const Value* Names::findValue(const QualifiedName& name) const {
  if (!name.qualifiers.empty()) {
    const ModuleScope* module = findMembers(name.qualifiers);
    return module ? on_demand_.valueIn(*module, name.name) : nullptr;
  }
  for (size_t i = scopes_.size(); i-- > 0;) {
    if (const Value* value = on_demand_.valueIn(scopes_[i], name.name)) return value;
    if (on_demand_.declaresIn(scopes_[i], NameKind::kModule, name.name)) return nullptr;
  }
  return on_demand_.preludeValue(name.name);
}

std::optional<DefId> Names::findDef(const QualifiedName& name) const {
  const Value* value = findValue(name);
  return value ? std::optional(value->def) : std::nullopt;
}

const TypeAbbreviation* Names::findType(const QualifiedName& name) const {
  if (!name.qualifiers.empty()) {
    const ModuleScope* module = findMembers(name.qualifiers);
    return module ? on_demand_.typeIn(*module, name.name) : nullptr;
  }
  for (size_t i = scopes_.size(); i-- > 0;) {
    if (const TypeAbbreviation* type = on_demand_.typeIn(scopes_[i], name.name)) return type;
  }
  return on_demand_.preludeType(name.name);
}

const ModuleType* Names::findModuleType(const QualifiedName& name) const {
  if (!name.qualifiers.empty()) {
    const ModuleScope* module = findMembers(name.qualifiers);
    return module ? on_demand_.moduleTypeIn(*module, name.name) : nullptr;
  }
  for (size_t i = scopes_.size(); i-- > 0;) {
    if (const ModuleType* type = on_demand_.moduleTypeIn(scopes_[i], name.name)) return type;
  }
  return on_demand_.preludeModuleType(name.name);
}

// Parts of a qualified name follow each other with a point between them.
void Names::noteQualifiers(const QualifiedName& name) {
  if (!options_.notes_names) return;
  std::vector<std::string> path;
  Span span = name.span;
  for (const std::string& qualifier : name.qualifiers) {
    path.push_back(qualifier);
    const Module* module = findModule(path);
    if (module == nullptr) return;
    span.end = span.begin + static_cast<uint32_t>(qualifier.size());
    if (module->span.end > 0) environment_.name_uses.push_back({span, module->span});
    span.begin = span.end + 1;
  }
}

void Names::note(const QualifiedName& name, const Span& definition) {
  if (!options_.notes_names || definition.end == 0) return;
  noteQualifiers(name);
  Span span = name.span;
  const auto length = static_cast<uint32_t>(name.name.size());
  if (span.end - span.begin > length) span.begin = span.end - length;
  environment_.name_uses.push_back({span, definition});
}

// A local variable, unless a module opened by `m.(e)` inside its scope has that name.
const LocalValue* Names::findLocal(const std::string& name) const {
  const LocalValue* local = locals_.find(name);
  if (!local) return nullptr;
  for (size_t i = opened_.size(); i-- > 0;) {
    if (!locals_.isBefore(*local, opened_[i])) return local;
    const ModuleScope& module = scopes_[scopes_.size() - opened_.size() + i];
    if (on_demand_.declaresIn(module, NameKind::kValue, name)) return nullptr;
    if (on_demand_.declaresIn(module, NameKind::kModule, name)) return nullptr;
  }
  return local;
}

bool Names::openModule(const QualifiedName& name) {
  std::vector<std::string> path = name.qualifiers;
  path.push_back(name.name);
  const Module* module = findLocal(path[0]) ? nullptr : findModule(path);
  if (!module || !module->scope) {
    if (!module) reportUnknownModule(name);
    if (module && !module->isBroken()) {
      sink_.error(Code::module_mismatch, name.span,
                  fmt::format("`{}` is a parametric module, only its results have names to open",
                              name.name));
    }
    return false;
  }
  note(name, module->span);
  scopes_.push(module->scope);
  opened_.push_back(locals_.mark());
  return true;
}

void Names::closeModule() {
  scopes_.pop();
  opened_.pop_back();
}

TypeRef Names::inferLocalOpen(const syntax::LocalOpen& node, TypeRef hint) {
  const syntax::LocalOpen open = node;  // inference adds nodes
  if (!openModule(open.module)) return poison();
  TypeRef type = exprs_.infer(open.value, hint);
  closeModule();
  return type;
}

BinderId Names::newBinder(const std::string& name, Span span, TypeRef type) {
  BinderId binder = program_.binders.add({name, span, {}});
  pending_.binder_types.emplace_back(binder, type);
  return binder;
}

BinderId Names::newSizeBinder(const std::string& name, Span span) {
  return program_.binders.add({name, span, scalarTypeId(prim::ScalarType::kI64)});
}

TypeRef Names::useDef(ExprId expr, DefId id) {
  if (context_.broken.count(id) > 0) {
    if (context_.current) context_.current->uses_broken = true;
    return poison();
  }
  const Def& def = program_.defs[id];
  PendingUse use{expr, DefTarget{id}, {}, {}};
  Substitution arguments;
  for (TypeParamId param : def.type_parameters) {
    use.types.push_back(inference_.unknown(span(expr), program_.type_params[param].lift));
    arguments.types.emplace_back(param, use.types.back());
  }
  for (BinderId size : def.size_parameters) {
    use.sizes.push_back(inference_.unknownSize(span(expr)));
    arguments.sizes.emplace_back(size, use.sizes.back());
  }
  pending_.uses.push_back(std::move(use));
  if (def.parameters.empty() && !def.built_in) {  // a constant brings sizes that it alone knows
    for (SizeAtom atom : inference_.sizeAtoms(inference_.import(def.type))) {
      const BinderId size(atom.index);
      const auto& own = def.size_parameters;
      if (std::find(own.begin(), own.end(), size) != own.end()) continue;
      arguments.sizes.emplace_back(size, sizes_.sizeInUse(id, size, span(expr)));
    }
  }
  return inference_.import(def.type, arguments);
}

TypeRef Names::instantiate(const Scheme& scheme, Span span) {
  Substitution arguments;
  for (TypeParamId param : scheme.type_parameters) {
    arguments.types.emplace_back(param, inference_.unknown(span, program_.type_params[param].lift));
  }
  for (const auto* sizes : {&scheme.size_parameters, &scheme.hidden_sizes}) {
    for (BinderId size : *sizes) arguments.sizes.emplace_back(size, inference_.unknownSize(span));
  }
  return inference_.import(scheme.type, arguments);
}

// A value seen through a signature has the type given there; the definition's type and size
// arguments follow from it.
TypeRef Names::useValue(ExprId expr, const Value& value) {
  std::shared_ptr<const Scheme> view = value.view;  // looking up may move the value
  TypeRef own = useDef(expr, value.def);
  if (!view || inference_.as<Poison>(own)) return own;
  TypeRef seen = instantiate(*view, span(expr));
  inference_.current_span = span(expr);
  return inference_.unify(own, seen) ? own : seen;
}

// A recursive function is monomorphic in types; in sizes only as far as its parameters are written.
TypeRef Names::useCurrent(ExprId expr) {
  current_->is_recursive = true;
  inference_.fasten(current_->info.size_parameters);
  PendingUse use{expr, DefTarget{current_->id}, {}, {}};
  for (TypeParamId param : current_->info.type_parameters) {
    use.types.push_back(inference_.param(param));
  }
  Substitution arguments;
  // Only sizes with a name may be others in the call.
  for (size_t i = 0; const BinderId size : current_->info.size_parameters) {
    const bool is_named = i++ < current_->info.named_sizes;
    use.sizes.push_back(is_named ? inference_.unknownSize(span(expr)) : binderSize(size));
    if (is_named) arguments.sizes.emplace_back(size, use.sizes.back());
  }
  pending_.uses.push_back(std::move(use));
  return inference_.instantiate(current_->type, arguments);
}

TypeRef Names::useLocal(ExprId expr, const LocalValue& local) {
  PendingUse use{expr, LocalTarget{local.binder}, {}, {}};
  Substitution arguments;
  for (TypeParamId param : local.scheme.type_parameters) {
    use.types.push_back(inference_.unknown(span(expr), program_.type_params[param].lift));
    arguments.types.emplace_back(param, use.types.back());
  }
  for (BinderId size : local.scheme.size_parameters) {
    use.sizes.push_back(inference_.unknownSize(span(expr)));
    arguments.sizes.emplace_back(size, use.sizes.back());
  }
  pending_.uses.push_back(std::move(use));
  return inference_.instantiate(local.type, arguments);
}

std::optional<TypeRef> Names::useName(ExprId expr, const QualifiedName& name) {
  if (name.name[0] == '_' && !options_.is_prelude) {
    sink_.error(Code::unknown_name, name.span,
                fmt::format("`{0}` begins with `_`, so it is not for use: call it `{1}`", name.name,
                            name.name.size() > 1 ? name.name.substr(1) : "x"));
    return poison();
  }
  if (name.qualifiers.empty()) {
    if (const LocalValue* local = findLocal(name.name)) return useLocal(expr, *local);
    bool is_self =
        current_ && current_->type && name.name == current_->name && current_->has_parameters;
    for (size_t i = scopes_.size() - opened_.size(); i < scopes_.size(); ++i) {
      is_self = is_self && !on_demand_.declaresIn(scopes_[i], NameKind::kValue, name.name);
    }
    if (is_self) return useCurrent(expr);
  }
  if (const Value* value = findValue(name)) {
    noteQualifiers(name);
    return useValue(expr, *value);
  }
  return std::nullopt;
}

// Modules nest no deeper (language.md#limits); trying every prefix of a longer name takes too long.
constexpr size_t kDeepestName = 256 + 1;

// `r.f` reads like a qualified name; it is a projection when `r` is a value.
size_t Names::valueLength(const QualifiedName& name) const {
  if (name.qualifiers.empty() || findLocal(name.qualifiers[0])) return 1;
  std::vector<std::string> parts = name.qualifiers;
  parts.push_back(name.name);
  for (size_t length = std::min(parts.size(), kDeepestName); length > 0; --length) {
    std::vector<std::string> path(parts.begin(),
                                  parts.begin() + static_cast<std::ptrdiff_t>(length) - 1);
    if (findValue({path, parts[length - 1], name.span})) return length;
  }
  return 0;
}

}  // namespace halo::types
