// Modules and module types.
#include "lang/base/match.h"
#include "lang/format/rules.h"

namespace halo::format {

using namespace syntax;

void ModuleLayout::module(ModuleExprId id) {
  const Range words = wordsOf(tree_.modules[id].span);
  const bool is_broken = spansLines(words);
  base::match(
      tree_.modules[id].node, [](const ModuleName&) {}, [](const ModuleImport&) {},
      [&](const ModuleBody& m) {
        body(words, m.declarations.empty());
        DeclLayout(state_).paragraphs(m.declarations, is_broken);
      },
      [&](const ModuleApply& m) {
        add(m.function);
        space(add(m.argument).first);
      },
      [&](const ModuleAscribe& m) {
        none(add(m.module).last + 1);
        lineOrSpace(is_broken, add(m.type).first);
        align(words);
      },
      [&](const ModuleLambda& m) {
        moduleParameter(m.parameter);
        if (m.result.valid()) space(add(m.result).first);
        const Range result = add(m.body);
        space(result.first - 1);
        indented(is_broken, result);
      });
}

void ModuleLayout::moduleType(ModuleTypeId id) {
  const Range words = wordsOf(tree_.module_types[id].span);
  base::match(
      tree_.module_types[id].node, [](const ModuleTypeName&) {},
      [&](const ModuleTypeBody& m) {
        body(words, m.specs.empty());
        DeclLayout(state_).paragraphs(m.specs, spansLines(words));
      },
      [&](const ModuleTypeWith&) { withs(id); },
      [&](const ModuleTypeArrow& m) { arrow(m, spansLines(words)); });
}

// `{`, lines, `}`
void ModuleLayout::body(Range words, bool is_empty) {
  const bool is_broken = !is_empty && spansLines(words);
  lineOrNone(is_broken, words.first + 1, 2);
  if (!is_empty) {
    lineOrNone(is_broken, words.last);
    align({words.first + 1, words.last - 1});
  }
}

// `{ .. }` of more than one line, or such an argument.
bool ModuleLayout::endsInLines(ModuleExprId id) const {
  while (const auto* apply = std::get_if<ModuleApply>(&tree_.modules[id].node)) {
    id = apply->argument;
  }
  const auto* body = std::get_if<ModuleBody>(&tree_.modules[id].node);
  return body != nullptr && !body->declarations.empty() && spansLines(range(id));
}

// `module m (P: mt) : mt = e`
void ModuleLayout::moduleDecl(const ModuleDecl& decl, Range words) {
  Range head{words.first, words_.begins[decl.name.span.begin]};
  std::vector<Range> parameters;
  for (const ModuleParameter& parameter : decl.parameters) {
    parameters.push_back(moduleParameter(parameter));
  }
  if (!parameters.empty()) {
    const Range all{parameters.front().first, parameters.back().last};
    head.last = all.last;
    column(parameters, spansLines(all));
    indented(spansLines(head), all);
  }
  if (decl.type.valid()) {
    const Range type = add(decl.type);
    indented(spansLines(head.last, type.last), {type.first - 1, type.last});
    space(type.first);
    align(type);
  }
  const Range value = add(decl.body);
  space(value.first - 1);
  if (endsInLines(decl.body)) return space(value.first);
  indented(spansLines(words), value);
}

void ModuleLayout::moduleTypeDecl(const ModuleTypeDecl& decl, Range words) {
  const Range type = add(decl.type);
  space(type.first - 1);
  if (std::holds_alternative<ModuleTypeBody>(tree_.module_types[decl.type].node)) {
    return space(type.first);
  }
  indented(spansLines(words), type);
}

// With its parentheses.
Range ModuleLayout::moduleParameter(const ModuleParameter& parameter) {
  const Range type = add(parameter.type);
  none(type.first - 1);
  space(type.first);
  none(type.last + 1);
  return {words_.begins[parameter.name.span.begin] - 1, type.last + 1};
}

// `mt with t = u with v = w`: the `with`s below each other.
void ModuleLayout::withs(ModuleTypeId id) {
  const bool is_broken = spansLines(wordsOf(tree_.module_types[id].span));
  const auto* with = std::get_if<ModuleTypeWith>(&tree_.module_types[id].node);
  for (; with != nullptr; with = std::get_if<ModuleTypeWith>(&tree_.module_types[id].node)) {
    id = with->type;
    lineOrSpace(is_broken, range(id).last + 1);
    if (!with->parameters.empty()) DeclLayout(state_).parameters(with->parameters);
    const Range definition = add(with->definition);
    space(definition.first - 1);
    space(definition.first);
  }
  add(id);
}

void ModuleLayout::arrow(const ModuleTypeArrow& arrow, bool is_broken) {
  const Range result = add(arrow.result);
  const bool is_named = !arrow.parameter.name.name.empty();
  is_named ? moduleParameter(arrow.parameter) : add(arrow.parameter.type);
  lineOrSpace(is_named && is_broken, result.first - 1);
  space(result.first);
  const ModuleTypeNode& node = tree_.module_types[arrow.result].node;
  if (!std::holds_alternative<ModuleTypeArrow>(node) &&
      !std::holds_alternative<ModuleTypeBody>(node)) {
    align(result);
  }
}

}  // namespace halo::format
