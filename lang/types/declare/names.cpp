// Looking names up, and the use of one: a new copy of its type with its own type and size
// arguments.
#include <fmt/format.h>

#include <algorithm>

#include "lang/types/declare/former.h"
#include "lang/types/declare/names.h"
#include "lang/types/infer/infer_expr.h"
#include "lang/types/modules/on_demand.h"
#include "lang/types/sizes/size_of.h"

namespace halo::types {

using diag::Code;

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

std::vector<std::string> Names::visible() const {
  std::vector<std::string> names = ownValues();
  const std::vector<std::string> more = on_demand_.preludeNames(NameKind::kValue);
  names.insert(names.end(), more.begin(), more.end());
  return names;
}

// Those that do not come from the prelude.
std::vector<std::string> Names::ownValues() const {
  std::vector<std::string> names = locals_.names();
  for (size_t i = 0; i < scopes_.size(); ++i) {
    const std::vector<std::string> more = on_demand_.valuesIn(scopes_[i]);
    names.insert(names.end(), more.begin(), more.end());
  }
  return names;
}

std::vector<std::string> Names::ownTypes() const {
  std::vector<std::string> names;
  for (const auto& [name, id] : locals_.type_params) names.push_back(name);
  for (size_t i = 0; i < scopes_.size(); ++i) {
    for (const auto& [name, type] : scopes_[i].types) names.push_back(name);
  }
  return names;
}

std::vector<std::string> Names::visibleModules() const {
  std::vector<std::string> names = on_demand_.preludeNames(NameKind::kModule);
  for (size_t i = 0; i < scopes_.size(); ++i) {
    for (const auto& [name, module] : scopes_[i].modules) names.push_back(name);
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

// For a word of another language: the program may still mean a name of its own. Two letters are
// near too many: `fn` is no misspelt `f`.
void suggestOwn(std::string& message, const std::string& word, std::vector<std::string> own) {
  if (word.size() > 2) suggest(message, word, std::move(own), "");
}

}  // namespace

// Whether the name goes through a module that had errors of its own.
bool Names::isBehindBroken(const QualifiedName& name) const {
  std::vector<std::string> path;
  for (const std::string& qualifier : name.qualifiers) {
    path.push_back(qualifier);
    const Module* module = findModule(path);
    if (module && module->isBroken()) return true;
  }
  return false;
}

// For `sum`: "`i32.sum` or `f64.sum`". At most two members of modules with that name, those of the
// most usual types first.
std::string Names::membersNamed(const std::string& name) const {
  std::vector<std::string> modules = visibleModules();
  auto rank = [](const std::string& module) {
    return module == "i32" ? 0 : module == "f64" ? 1 : module == "f32" ? 2 : 3;
  };
  std::sort(modules.begin(), modules.end());
  modules.erase(std::unique(modules.begin(), modules.end()), modules.end());
  std::stable_sort(modules.begin(), modules.end(),
                   [&](const auto& a, const auto& b) { return rank(a) < rank(b); });
  std::string members;
  for (int count = 0; const std::string& candidate : modules) {
    const Module* module = findModule({candidate});
    if (!module || !module->scope) continue;
    if (!on_demand_.declaresIn(*module->scope, NameKind::kValue, name)) continue;
    members += fmt::format("{}`{}.{}`", count == 0 ? "" : " or ", candidate, name);
    if (++count == 2) break;
  }
  return members;
}

void Names::reportUnknownName(const QualifiedName& name) {
  if (isBehindBroken(name)) return;
  CurrentDef* const current = context_.current ? &*context_.current : nullptr;
  if (current && !current->unknown_names.insert(spelled(name)).second) return;
  std::string message = fmt::format("unknown name `{}`", spelled(name));
  const std::string_view replacement =
      name.qualifiers.empty() ? replacementOf(name.name) : std::string_view();
  if (!replacement.empty()) {
    suggestOwn(message, name.name, ownValues());
    sink_.error(Code::unknown_name, name.span, std::move(message)).notes.emplace_back(replacement);
    return;
  }
  if (name.qualifiers.empty()) {
    const std::string members = membersNamed(name.name);
    if (!members.empty()) {
      message += ", did you mean " + members + "?";
    } else {
      suggest(message, name.name, visible(), "");
    }
    if (findModule({name.name})) message += ": it is a module, not a value";
  } else if (const Module* module = findModule(name.qualifiers)) {
    std::vector<std::string> candidates;
    if (module->scope) {
      candidates = on_demand_.valuesIn(*module->scope);
    } else {
      message += fmt::format(": `{}` is a parametric module", name.qualifiers.back());
    }
    std::string prefix = spelled(name);
    prefix.resize(prefix.size() - name.name.size());
    suggest(message, name.name, std::move(candidates), prefix);
  } else {
    message += fmt::format(": there is no module `{}`", name.qualifiers[0]);
    suggest(message, name.qualifiers[0], visibleModules(), "");
  }
  auto& diagnostic = sink_.error(Code::unknown_name, name.span, std::move(message));
  const Module* floats = name.qualifiers.empty() ? findModule({"f32"}) : nullptr;
  if (floats && floats->scope &&
      on_demand_.declaresIn(*floats->scope, NameKind::kValue, name.name)) {
    diagnostic.notes.push_back(
        fmt::format("help: each type has its own: `f32.{0}` is that of `f32`", name.name));
  }
}

void Names::reportUnknownType(const QualifiedName& name) {
  if (isBehindBroken(name)) return;
  std::string message = fmt::format("unknown type `{}`", spelled(name));
  const std::string_view replacement =
      name.qualifiers.empty() ? replacementOfType(name.name) : std::string_view();
  if (!replacement.empty()) {
    suggestOwn(message, name.name, ownTypes());
    sink_.error(Code::unknown_type, name.span, std::move(message)).notes.emplace_back(replacement);
    return;
  }
  std::vector<std::string> candidates = on_demand_.preludeNames(NameKind::kType);
  for (prim::ScalarType type : prim::kAllScalarTypes) candidates.emplace_back(prim::name(type));
  for (const std::string& candidate : ownTypes()) candidates.push_back(candidate);
  suggest(message, name.name, std::move(candidates), "");
  sink_.error(Code::unknown_type, name.span, std::move(message));
}

void Names::reportUnknownModule(const QualifiedName& name) {
  if (isBehindBroken(name)) return;
  std::string message = fmt::format("unknown module `{}`", spelled(name));
  std::vector<std::string> candidates;
  if (name.qualifiers.empty()) candidates = visibleModules();
  suggest(message, name.name, std::move(candidates), "");
  sink_.error(Code::unknown_module, name.span, std::move(message));
}

void Names::reportUnknownModuleType(const QualifiedName& name) {
  if (isBehindBroken(name)) return;
  std::string message = fmt::format("unknown module type `{}`", spelled(name));
  std::vector<std::string> candidates;
  if (name.qualifiers.empty()) candidates = on_demand_.preludeNames(NameKind::kModuleType);
  for (size_t i = 0; i < scopes_.size() && name.qualifiers.empty(); ++i) {
    for (const auto& [candidate, type] : scopes_[i].module_types) candidates.push_back(candidate);
  }
  suggest(message, name.name, std::move(candidates), "");
  sink_.error(Code::unknown_module, name.span, std::move(message));
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
