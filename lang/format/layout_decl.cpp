// Declarations and specs: functions, values and types. Modules are in layout_module.cpp.
#include "lang/base/match.h"
#include "lang/format/rules.h"

namespace halo::format {

using namespace syntax;

void DeclLayout::declaration(DeclId id) {
  const Decl& decl = tree_.decls[id];
  const Range words = behindAttributes(range(id), decl.attributes);
  base::match(
      decl.node, [&](const FunctionDecl& d) { function(d, words); },
      [&](const ValDecl& d) { value(d, words); },
      [&](const TypeDecl& d) {
        typeHead(d.name, d.parameters, d.lift);
        definedType(d.type, words);
      },
      [&](const ModuleDecl& d) { ModuleLayout(state_).moduleDecl(d, words); },
      [&](const ModuleTypeDecl& d) { ModuleLayout(state_).moduleTypeDecl(d, words); },
      [&](const OpenDecl& d) { space(add(d.module).first); }, [](const ImportDecl&) {});
}

void DeclLayout::spec(SpecId id) {
  const Spec& spec = tree_.specs[id];
  const Range words = behindAttributes(range(id), spec.attributes);
  base::match(
      spec.node, [&](const ValDecl& s) { value(s, words); },
      [&](const TypeSpec& s) {
        typeHead(s.name, s.parameters, s.lift);
        if (s.type.valid()) definedType(s.type, words);
      },
      [&](const ModuleSpec& s) {
        const Range type = add(s.type);
        none(type.first - 1);
        space(type.first);
      },
      [&](const IncludeSpec& s) { space(add(s.type).first); });
}

// ---- lists of them

void DeclLayout::paragraphs(const std::vector<DeclId>& list, bool is_broken) {
  std::vector<Part> parts;
  for (DeclId id : list) {
    const Decl& decl = tree_.decls[id];
    parts.push_back({add(id), !decl.attributes.empty()});
    if (is_broken) prefixes(decl, parts.back().words);
  }
  separate(parts, is_broken);
}

// Attributes stand on lines of their own; so does `local` before more than one line.
void DeclLayout::prefixes(const Decl& decl, Range words) {
  const bool is_long = spansLines(words) || !decl.attributes.empty();
  for (const Attribute& attribute : decl.attributes) {
    const WordIndex next = wordsOf(attribute.span).last + 1;
    if (!is(next, "#[")) line(next);
  }
  const WordIndex end = keyword(words.first, decl.attributes);
  for (WordIndex word = words.first; decl.is_local && word < end; ++word) {
    if (is(word, "local")) lineOrSpace(is_long, word + 1);
  }
}

void DeclLayout::paragraphs(const std::vector<SpecId>& list, bool is_broken) {
  std::vector<Part> parts;
  for (SpecId id : list) parts.push_back({add(id), false});
  separate(parts, is_broken);
}

// An empty line between two, unless both are on one line and follow each other.
void DeclLayout::separate(const std::vector<Part>& parts, bool is_broken) {
  auto isLong = [&](const Part& part) { return part.has_attributes || spansLines(part.words); };
  for (size_t i = 1; i < parts.size(); ++i) {
    const WordIndex first = parts[i].words.first, before = parts[i - 1].words.last;
    lineOrSpace(is_broken, first);
    const bool follows = words_.words[first].line == words_.words[before].line + 1;
    words_.words[first].gap.is_paragraph =
        !follows || isLong(parts[i]) || isLong(parts[i - 1]) || hasCommentAbove(first);
  }
}

bool DeclLayout::hasCommentAbove(WordIndex word) const {
  const Word& w = words_.words[word];
  for (uint32_t i = 0; i < w.comments; ++i) {
    if (!words_.comments[w.first_comment + i].is_trailing) return true;
  }
  return false;
}

// Lays the attributes out; the words that follow them and `local`.
Range DeclLayout::behindAttributes(Range words, const std::vector<Attribute>& attributes) {
  for (const Attribute& attached : attributes) attribute(attached);
  words.first = keyword(words.first, attributes);
  return words;
}

// The first word behind attributes and `local`.
WordIndex DeclLayout::keyword(WordIndex first, const std::vector<Attribute>& attributes) {
  size_t next = 0;
  while (true) {
    if (next < attributes.size() && wordsOf(attributes[next].span).first == first) {
      first = wordsOf(attributes[next++].span).last + 1;
    } else if (is(first, "local")) {
      ++first;
    } else {
      return first;
    }
  }
}

// ---- functions and values

Range DeclLayout::parameters(const std::vector<TypeParameter>& parameters) {
  std::vector<Range> parts;
  for (const TypeParameter& parameter : parameters) {
    const WordIndex word = words_.begins[parameter.name.span.begin];
    const bool is_size = parameter.kind == TypeParameter::Kind::kSize;
    parts.push_back(is_size ? Range{word - 1, word + 1} : Range{word, word});
  }
  const Range all{parts.front().first, parts.back().last};
  column(parts, spansLines(all));
  return all;
}

// `f [n] 't (x: t) : u =`, a local one `f (x: t): u =`.
void DeclLayout::functionHead(const FunctionParts& function, WordIndex name, bool is_local) {
  space(name);
  std::vector<Range> patterns;
  for (PatternId parameter : function.parameters) patterns.push_back(add(parameter));
  if (!patterns.empty()) {
    column(patterns, spansLines(patterns.front().first, patterns.back().last));
  }
  if (!function.type_parameters.empty()) {
    const Range types = parameters(function.type_parameters);
    if (!patterns.empty()) {
      const Range all{types.first, patterns.back().last};
      indented(spansLines(types.first, patterns.back().last), {patterns.front().first, all.last},
               0);
      align(all);
    }
  }
  if (function.result.valid()) {
    const Range result = add(function.result);
    is_local ? none(result.first - 1) : space(result.first - 1);
    space(result.first);
  }
}

// `` (a) +^ (b) ``, `` (a) `f` (b) ``
void DeclLayout::infixHead(const FunctionParts& function) {
  const Range lhs = range(function.parameters[0]), rhs = range(function.parameters[1]);
  space(lhs.first);
  space(lhs.last + 1);
  operatorWords(lhs.last + 1, rhs.first - 1);
  space(rhs.first);
}

// `let` of old programs becomes `def`.
void DeclLayout::function(const FunctionDecl& decl, Range words) {
  const FunctionParts& function = decl.function;
  if (is(words.first, "let")) words_.words[words.first].text = "def";
  functionHead(function, words.first + 1, false);
  const bool is_infix =
      function.parameters.size() == 2 && range(function.parameters[0]).first == words.first + 1;
  if (is_infix) infixHead(function);
  const Range body = add(function.body);
  space(body.first - 1);
  indented(spansLines(words), body);
}

// `val f 't : u`
void DeclLayout::value(const ValDecl& decl, Range words) {
  if (!decl.type_parameters.empty()) parameters(decl.type_parameters);
  const Range type = add(decl.type);
  space(type.first - 1);
  indented(spansLines(words), type);
}

// ---- types

void DeclLayout::typeHead(const Identifier& name, const std::vector<TypeParameter>& list,
                          Lift lift) {
  const WordIndex word = words_.begins[name.span.begin];
  if (lift != Lift::kNone) none(word - 1);
  space(word);
  if (!list.empty()) parameters(list);
}

void DeclLayout::definedType(TypeExprId id, Range words) {
  const Range type = add(id);
  space(type.first - 1);
  indented(spansLines(words), type);
}

}  // namespace halo::format
