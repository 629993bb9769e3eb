// Types and patterns as text. Brackets that the tree does not keep are put back where the grammar
// needs them.
#include "lang/base/match.h"
#include "lang/syntax/print/printer_state.h"

namespace halo::syntax {

namespace {

bool needsBrackets(const TypeNode& node, TypePlace place) {
  bool is_function =
      std::holds_alternative<TypeFunction>(node) || std::holds_alternative<TypeExistential>(node);
  bool is_sum = std::holds_alternative<TypeSum>(node);
  if (place == TypePlace::kAnywhere) return false;
  if (place == TypePlace::kBeforeArrow) return is_function || is_sum;
  const auto* name = std::get_if<TypeName>(&node);
  bool is_applied = name != nullptr && !name->arguments.empty();
  bool is_prefixed =
      std::holds_alternative<TypeArray>(node) || std::holds_alternative<TypeUnique>(node);
  return is_function || is_sum || is_applied || is_prefixed;
}

bool needsBrackets(const PatternNode& node, PatternPlace place) {
  if (place == PatternPlace::kAnywhere) return false;
  const auto* constructor = std::get_if<PatternConstructor>(&node);
  bool is_literal = std::holds_alternative<PatternLiteral>(node);
  return std::holds_alternative<PatternTyped>(node) ||
         std::holds_alternative<PatternAttributed>(node) ||
         (constructor != nullptr && !constructor->payload.empty() &&
          place != PatternPlace::kBeforeArrow) ||
         (is_literal && place == PatternPlace::kParameter);
}

}  // namespace

Pieces Printer::type(const TypePiece& piece) const {
  const TypeNode& node = tree_.types[piece.id].node;
  bool bracketed = needsBrackets(node, piece.place);
  Pieces out;
  if (bracketed) return out.add("(", TypePiece{piece.id}, ")");
  base::match(
      node, [&](const TypeName& t) { out.append(application(t)); },
      [&](const TypeArray& t) {
        out.add("[");
        if (t.size.valid()) out.add(t.size);
        out.add("]", TypePiece{t.element, TypePlace::kBeforeArrow});
      },
      [&](const TypeTuple& t) {
        auto element = [](Pieces& p, TypeExprId id) { p.add(TypePiece{id}); };
        out.add("(").join(t.elements, ", ", element).add(")");
      },
      [&](const TypeRecord& t) {
        auto field = [](Pieces& p, const std::pair<Identifier, TypeExprId>& f) {
          p.add(f.first.name + ": ", TypePiece{f.second});
        };
        out.add("{").join(t.fields, ", ", field).add("}");
      },
      [&](const TypeFunction& t) {
        if (t.parameter_name) {
          out.add("(" + t.parameter_name->name + ": ", TypePiece{t.parameter}, ")");
        } else {
          out.add(TypePiece{t.parameter, TypePlace::kBeforeArrow});
        }
        out.add(" -> ", TypePiece{t.result});
      },
      [&](const TypeUnique& t) {
        out.add("*", TypePiece{t.type, TypePlace::kBeforeArrow});
      },
      [&](const TypeSum& t) { out.append(sum(t)); },
      [&](const TypeExistential& t) {
        out.add("?");
        for (const Identifier& size : t.sizes) out.add("[" + size.name + "]");
        out.add(".", TypePiece{t.type});
      });
  return out;
}

Pieces Printer::sum(const TypeSum& node) const {
  auto clause = [](Pieces& p, const std::pair<Identifier, std::vector<TypeExprId>>& c) {
    p.add("#" + c.first.name);
    for (TypeExprId id : c.second) p.add(" ", TypePiece{id, TypePlace::kArgument});
  };
  return Pieces().join(node.constructors, " | ", clause);
}

Pieces Printer::application(const TypeName& node) const {
  Pieces out;
  out.add(spelledQualified(node.name));
  for (const auto& [type, size] : node.arguments) {
    if (type.valid()) {
      out.add(" ", TypePiece{type, TypePlace::kArgument});
      continue;
    }
    out.add(" [");
    if (size.valid()) out.add(size);
    out.add("]");
  }
  return out;
}

Pieces Printer::pattern(const PatternPiece& piece) const {
  Pieces out;
  const PatternNode& node = tree_.patterns[piece.id].node;
  if (needsBrackets(node, piece.place)) return out.add("(", PatternPiece{piece.id}, ")");
  base::match(
      node, [&](const PatternName& p) { out.add(spelledName(p.name.name)); },
      [&](const PatternWildcard&) { out.add("_"); },
      [&](const PatternTuple& p) {
        auto element = [](Pieces& list, PatternId id) { list.add(PatternPiece{id}); };
        out.add("(").join(p.elements, ", ", element).add(")");
      },
      [&](const PatternRecord& p) {
        auto field = [](Pieces& list, const std::pair<Identifier, PatternId>& f) {
          list.add(f.first.name + " = ", PatternPiece{f.second});
        };
        out.add("{").join(p.fields, ", ", field).add("}");
      },
      [&](const PatternTyped& p) {
        out.add(PatternPiece{p.pattern, PatternPlace::kAtom}, ": ", TypePiece{p.type});
      },
      [&](const PatternConstructor& p) {
        out.add("#" + p.name.name);
        for (PatternId id : p.payload) out.add(" ", PatternPiece{id, PatternPlace::kAtom});
      },
      [&](const PatternLiteral& p) { out.add(p.value); },
      [&](const PatternAttributed& p) {
        out.add("#[" + p.attribute.text + "] ", PatternPiece{p.pattern});
      });
  return out;
}

}  // namespace halo::syntax
