// Names given twice where each must be new: names of one pattern or parameter list, fields of a
// record, definitions of a file or module.
#include "lang/syntax/parse/duplicates.h"

#include <fmt/format.h>

#include <algorithm>
#include <set>
#include <unordered_map>

#include "lang/base/match.h"
#include "lang/syntax/parse/parser_state.h"
#include "lang/syntax/visit.h"

namespace halo::syntax {

using diag::Code;

void Checks::checkDistinct(const std::vector<Identifier>& names, std::string_view what) {
  constexpr size_t kFew = 8;  // compared with each other, which takes no memory
  auto isNew = [&](const Identifier& name) {
    return std::none_of(names.data(), &name,
                        [&](const Identifier& before) { return before.name == name.name; });
  };
  if (names.size() < 2 || cursor_.inPanic()) return;
  if (names.size() <= kFew && std::all_of(names.begin(), names.end(), isNew)) return;
  std::unordered_map<std::string_view, Span> seen;
  for (const Identifier& name : names) {
    auto [first, is_new] = seen.insert({name.name, name.span});
    if (is_new || cursor_.isFull()) continue;
    auto& error = cursor_.report(Code::duplicate_definition, name.span,
                                 fmt::format("a second {} with the name `{}`", what, name.name));
    error.labels.push_back({first->second, "the first is here"});
  }
}

// A size in brackets is a variable, too.
void Checks::checkPatterns(const std::vector<PatternId>& patterns, std::vector<Identifier> names) {
  for (PatternId id : patterns) collectNames(tree_, id, names);
  checkDistinct(names, "variable");
}

void Checks::checkParameters(const FunctionParts& function) {
  std::vector<Identifier> sizes;
  std::set<std::string> seen;  // two equal sizes have been reported
  for (const TypeParameter& parameter : function.type_parameters) {
    bool is_size = parameter.kind == TypeParameter::Kind::kSize;
    if (is_size && seen.insert(parameter.name.name).second) sizes.push_back(parameter.name);
  }
  checkPatterns(function.parameters, std::move(sizes));
}

// Modules and values share one name space, types and module types have their own. A `local`
// declaration hides earlier ones and may be hidden by later ones, as Futhark has it.
void Checks::checkDefinitions(const std::vector<DeclId>& decls) {
  std::vector<Identifier> values;
  std::vector<Identifier> types;
  std::vector<Identifier> module_types;
  for (DeclId id : decls) {
    if (tree_.decls[id].is_local) continue;
    base::match(
        tree_.decls[id].node,
        [&](const FunctionDecl& decl) { values.push_back(decl.function.name); },
        [&](const ValDecl& decl) { values.push_back(decl.name); },
        [&](const ModuleDecl& decl) { values.push_back(decl.name); },
        [&](const TypeDecl& decl) { types.push_back(decl.name); },
        [&](const ModuleTypeDecl& decl) { module_types.push_back(decl.name); },
        [](const OpenDecl&) {}, [](const ImportDecl&) {});
  }
  checkDistinct(values, "definition");
  checkDistinct(types, "type");
  checkDistinct(module_types, "module type");
}

void Checks::checkSpecs(const std::vector<SpecId>& specs) {
  std::vector<Identifier> values;
  std::vector<Identifier> types;
  for (SpecId id : specs) {
    base::match(
        tree_.specs[id].node, [&](const ValDecl& spec) { values.push_back(spec.name); },
        [&](const ModuleSpec& spec) { values.push_back(spec.name); },
        [&](const TypeSpec& spec) { types.push_back(spec.name); }, [](const IncludeSpec&) {});
  }
  checkDistinct(values, "value or module");
  checkDistinct(types, "type");
}

void Checks::checkFieldCount(size_t count, Span span) {
  if (count <= kMaxFields) return;
  cursor_.report(
      Code::too_many_fields, span,
      fmt::format("a tuple or record with {} fields, the limit is {}", count, kMaxFields));
}

// `(x,)`, whose `)` is behind the cursor.
void Checks::checkLoneElement() {
  if (cursor_.inPanic() || cursor_.position() < 2 ||
      cursor_.tokenAt(cursor_.position() - 2).text != ",")
    return;
  cursor_.report(Code::unexpected_token, cursor_.tokenAt(cursor_.position() - 2).span,
                 "a comma behind a single element, a tuple has at least two");
}

}  // namespace halo::syntax
