// Names that nothing declares, and the names that may have been meant.
#include <fmt/format.h>

#include <algorithm>

#include "lang/types/declare/former.h"
#include "lang/types/declare/names.h"
#include "lang/types/modules/on_demand.h"

namespace halo::types {

using diag::Code;
using namespace syntax;

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

// A word of another language, and its replacement; false if there is none.
bool reportForeign(diag::Sink& sink, Code code, const QualifiedName& name, std::string message,
                   std::string_view replacement, std::vector<std::string> own) {
  if (!name.qualifiers.empty() || replacement.empty()) return false;
  suggestOwn(message, name.name, std::move(own));
  sink.error(code, name.span, std::move(message)).notes.emplace_back(replacement);
  return true;
}

}  // namespace

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

// Whether the name goes through a module that had errors of its own. What uses it has no types to
// complain about.
bool Names::followsBroken(const QualifiedName& name) const {
  std::vector<std::string> path;
  for (const std::string& qualifier : name.qualifiers) {
    path.push_back(qualifier);
    const Module* module = findModule(path);
    if (!module || !module->isBroken()) continue;
    if (context_.current) context_.current->uses_broken = true;
    return true;
  }
  return false;
}

bool Names::hidesModule(const QualifiedName& name) const {
  if (!name.qualifiers.empty() || (!findLocal(name.name) && !findValue(name))) return false;
  const std::vector<std::string> modules = visibleModules();
  return std::find(modules.begin(), modules.end(), name.name) != modules.end();
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
  if (followsBroken(name)) return;
  CurrentDef* const current = context_.current ? &*context_.current : nullptr;
  if (current && !current->unknown_names.insert(spelled(name)).second) return;
  std::string message = fmt::format("unknown name `{}`", spelled(name));
  const bool is_foreign = !definedBelow(name);
  if (is_foreign && reportForeign(sink_, Code::unknown_name, name, message,
                                  replacementOf(name.name), ownValues())) {
    return;
  }
  if (name.qualifiers.empty()) {
    const bool is_module = findModule({name.name}) != nullptr;
    const std::string members = is_module ? "" : membersNamed(name.name);
    if (is_module) {
      message += ": it is a module, not a value";
    } else if (!members.empty()) {
      message += ", did you mean " + members + "?";
    } else {
      suggest(message, name.name, visible(), "");
    }
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
  helpForUnknown(sink_.error(Code::unknown_name, name.span, std::move(message)), name);
}

// The definition of that name in the same file that stands behind the use. A name of a module is
// another one.
std::optional<Span> Names::definedBelow(const QualifiedName& name) const {
  if (!name.qualifiers.empty()) return std::nullopt;
  std::optional<Span> below;
  for (const Decl& decl : program_.tree.decls) {
    const auto* node = std::get_if<FunctionDecl>(&decl.node);
    if (node == nullptr || node->function.name.name != name.name) continue;
    const Span& span = node->function.name.span;
    if (span.file == name.span.file && span.begin > name.span.begin) below = span;
  }
  if (!below) return std::nullopt;
  for (const ModuleExpr& module : program_.tree.modules) {
    const Span& around = module.span;
    const bool has_name = around.file == below->file && around.begin < below->begin &&
                          below->end <= around.end && around.begin > name.span.begin;
    if (has_name) return std::nullopt;
  }
  return below;
}

void Names::helpForUnknown(diag::Diagnostic& diagnostic, const QualifiedName& name) const {
  if (const auto below = definedBelow(name)) {
    diagnostic.labels.push_back({*below, "defined here"});
    diagnostic.notes.push_back(
        fmt::format("help: a definition stands above its uses: move `{}` up", name.name));
    return;
  }
  if (name.qualifiers.empty() && findModule({name.name})) {
    if (prim::scalarTypeFromName(name.name)) {  // `f32 n`, as elsewhere
      diagnostic.notes.push_back(fmt::format(
          "help: its members convert: `{0}.i64 n` is the `{0}` of an `i64`", name.name));
    }
    return;
  }
  const bool is_member = !name.qualifiers.empty() && findModule(name.qualifiers);
  const Module* floats = is_member ? nullptr : findModule({"f32"});
  if (floats && floats->scope &&
      on_demand_.declaresIn(*floats->scope, NameKind::kValue, name.name)) {
    diagnostic.notes.push_back(
        fmt::format("help: each type has its own: `f32.{0}` is that of `f32`", name.name));
  } else if (findType(name)) {
    diagnostic.notes.push_back(fmt::format(
        "help: `{0}` is a type: its values are written without it, and `e : {0}` states it",
        spelled(name)));
  }
}

void Names::reportUnknownType(const QualifiedName& name) {
  if (followsBroken(name)) return;
  std::string message = fmt::format("unknown type `{}`", spelled(name));
  if (reportForeign(sink_, Code::unknown_type, name, message, replacementOfType(name.name),
                    ownTypes())) {
    return;
  }
  std::vector<std::string> candidates = on_demand_.preludeNames(NameKind::kType);
  for (prim::ScalarType type : prim::kAllScalarTypes) candidates.emplace_back(prim::name(type));
  for (const std::string& candidate : ownTypes()) candidates.push_back(candidate);
  suggest(message, name.name, std::move(candidates), "");
  sink_.error(Code::unknown_type, name.span, std::move(message));
}

void Names::reportUnknownModule(const QualifiedName& name) {
  if (followsBroken(name)) return;
  std::string message = fmt::format("unknown module `{}`", spelled(name));
  if (hidesModule(name)) {
    message = fmt::format("`{0}` is a value here, which hides the module `{0}`", name.name);
    sink_.error(Code::unknown_module, name.span, std::move(message));
    return;
  }
  std::vector<std::string> candidates;
  if (name.qualifiers.empty()) candidates = visibleModules();
  suggest(message, name.name, std::move(candidates), "");
  sink_.error(Code::unknown_module, name.span, std::move(message));
}

void Names::reportUnknownModuleType(const QualifiedName& name) {
  if (followsBroken(name)) return;
  std::string message = fmt::format("unknown module type `{}`", spelled(name));
  std::vector<std::string> candidates;
  if (name.qualifiers.empty()) candidates = on_demand_.preludeNames(NameKind::kModuleType);
  for (size_t i = 0; i < scopes_.size() && name.qualifiers.empty(); ++i) {
    for (const auto& [candidate, type] : scopes_[i].module_types) candidates.push_back(candidate);
  }
  suggest(message, name.name, std::move(candidates), "");
  sink_.error(Code::unknown_module, name.span, std::move(message));
}

}  // namespace halo::types
