// Sizes that bind names, or make arrays with sizes of their own, of arrays: `[length (filter p
// xs)]t`. A closed function inside of the size would know the sizes of its arguments at the place
// where it is written, and nowhere else. So it becomes a definition, which is general in them, as
// if the program said
//     def size p xs : i64 = length (filter p xs)
#include <fmt/format.h>

#include <algorithm>
#include <cctype>

#include "lang/syntax/copy.h"
#include "lang/syntax/print/printer.h"
#include "lang/syntax/visit.h"
#include "lang/types/checker.h"
#include "lang/types/declare/declare.h"
#include "lang/types/declare/elaborate_type.h"
#include "lang/types/declare/names.h"
#include "lang/types/infer/infer_expr.h"
#include "lang/types/sizes/binding_sizes.h"
#include "lang/types/sizes/written_types.h"

namespace halo::types {

using namespace syntax;

namespace {

constexpr size_t kLongestName = 200;

// In messages: `(\p xs -> length (filter p xs))`.
std::string functionName(const Tree& tree, ExprId body, const std::vector<std::string>& names) {
  std::string text = fmt::format("(\\{} -> ", fmt::join(names, " "));
  for (char c : print(tree, body)) {
    const bool is_space = c == ' ' || c == '\n';
    if (!is_space || text.back() != ' ') text += is_space ? ' ' : c;
  }
  return text + ")";
}

bool isPartOfName(char c) {
  return std::isalnum(static_cast<unsigned char>(c)) || c == '_' || c == '\'';
}

// The text with the number of each of the names in its place. What follows a dot is a field.
std::string numbered(const std::string& text, const std::vector<std::string>& names) {
  std::string result;
  for (size_t i = 0; i < text.size();) {
    size_t end = i;
    while (end < text.size() && isPartOfName(text[end])) ++end;
    const std::string word = text.substr(i, std::max<size_t>(end - i, 1));
    const auto name = std::find(names.begin(), names.end(), word);
    const bool is_parameter = name != names.end() && (i == 0 || text[i - 1] != '.');
    result += is_parameter ? fmt::format("${}", name - names.begin()) : word;
    i += word.size();
  }
  return result;
}

// In the order in which the text has them.
void sortByPlace(std::vector<std::string>& names, const std::string& text) {
  auto placeOf = [&](const std::string& name) {
    for (size_t at = text.find(name); at != std::string::npos; at = text.find(name, at + 1)) {
      const size_t end = at + name.size();
      const bool begins = at == 0 || (!isPartOfName(text[at - 1]) && text[at - 1] != '.');
      if (begins && (end == text.size() || !isPartOfName(text[end]))) return at;
    }
    return text.size();
  };
  std::stable_sort(names.begin(), names.end(), [&](const std::string& a, const std::string& b) {
    return placeOf(a) < placeOf(b);
  });
}

}  // namespace

// What it says of its parameters, whatever their names are, and what its other names mean.
std::string TypeElaborator::meaningOf(ExprId body, const std::vector<std::string>& names) const {
  const std::string text = print(program_.tree, body);
  const bool has_values_alone = text.find_first_of("\":") == std::string::npos;  // no types, texts
  std::string key = has_values_alone
                        ? numbered(text, names)
                        : fmt::format("{} {}", text, fmt::join(context_.where.module_names, "."));
  std::vector<ExprId> open = {body};
  while (!open.empty()) {
    const ExprNode& node = program_.tree.exprs[open.back()].node;
    open.pop_back();
    const QualifiedName* name = nullptr;
    if (auto* variable = std::get_if<Variable>(&node)) name = &variable->name;
    if (auto* binary = std::get_if<Binary>(&node)) name = &binary->op;
    if (auto* section = std::get_if<OperatorSection>(&node)) name = &section->op;
    const auto def = name ? names_.findDef(*name) : std::nullopt;
    if (def) key += fmt::format(" {}", def->index);
    forEachChild(node, [&](ExprId child) { open.push_back(child); });
  }
  return key;
}

// The definition; none if it cannot stand alone.
std::optional<DefId> TypeElaborator::sizeFunction(ExprId body,
                                                  const std::vector<std::string>& names) {
  Tree& tree = program_.tree;
  const std::string name = functionName(tree, body, names);
  if (name.size() > kLongestName) return std::nullopt;
  const Span where = tree.exprs[body].span;
  FunctionParts parts{{name, where}, {}, {}, {}, copyExpr(tree, body, tree)};
  WrittenTypes types(inference_, tree, where);
  for (const std::string& parameter : names) {
    const PatternId pattern = tree.patterns.add({PatternName{{parameter, where}}, where});
    const TypeExprId type = types.write(names_.findLocal(parameter)->type);
    if (!type) return std::nullopt;
    parts.parameters.push_back(tree.patterns.add({PatternTyped{pattern, type}, where}));
  }
  parts.type_parameters = types.parameters();
  parts.result = tree.types.add({TypeName{{{}, "i64", where}, {}}, where});
  const std::string meaning = meaningOf(body, names);
  const std::string key = meaning + " " + types.key();
  const auto known = environment_.size_functions.find(key);
  if (known != environment_.size_functions.end()) return known->second;
  const DeclId decl = tree.decls.add({FunctionDecl{std::move(parts)}, where});
  const CheckOptions options{.is_prelude = options_.is_prelude, .mark_entries = false};
  diag::Sink sink;
  Checker checker(environment_, context_.world, options, sink);
  const auto scope = checker.declareAt({context_.where.prelude, context_.where.module_names},
                                       scopes_.capture(), decl);
  std::optional<DefId> def;
  if (!sink.hasErrors()) def = scope->values.at(name).def;
  if (def) environment_.size_meanings.emplace(*def, meaning);
  environment_.size_functions.emplace(key, def);
  return def;
}

// Puts a function of the free names of `body`, applied to them, in place of the expression.
void TypeElaborator::close(ExprId expr, ExprId body) {
  std::vector<std::string> names;
  bool has_arrays = false;
  for (const std::string& name : freeVariables(program_.tree, body)) {
    const LocalValue* local = names_.findLocal(name);
    if (local == nullptr) continue;
    names.push_back(name);
    has_arrays = has_arrays || !inference_.isPlain(local->type);
  }
  sortByPlace(names, print(program_.tree, body));
  const auto function = has_arrays ? sizeFunction(body, names) : std::nullopt;
  if (!function) {
    declarations_.rewrite(expr, closedOver(program_.tree, body, names));
    return;
  }
  const Span where = span(expr);
  const std::string& name = program_.defs[*function].name;
  const ExprId head = program_.tree.exprs.add({Variable{{{}, name, where}}, where});
  const TypeRef type = names_.useDef(head, *function);
  inferred_[head] = type;
  pending_.types.emplace_back(head, type);
  declarations_.rewrite(expr, appliedTo(program_.tree, head, names, where));
}

}  // namespace halo::types
