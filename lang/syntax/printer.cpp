// Declarations, types and patterns as text. Brackets that the tree does not keep (around types and
// patterns) are put back where the grammar needs them.
#include "lang/syntax/printer.h"

#include "lang/base/match.h"
#include "lang/syntax/lexer_state.h"
#include "lang/syntax/printer_state.h"

namespace halo::syntax {

Pieces Printer::operator()(const Piece& piece) const {
  return base::match(
      piece, [&](const ExprId& id) { return expression(id); },
      [&](const PatternPiece& p) { return pattern(p); },
      [&](const TypePiece& t) { return type(t); },
      [&](const DeclId& id) { return declaration(id); },
      base::otherwise([](const auto&) -> Pieces { HALO_UNREACHABLE("not a node"); }));
}

// ---- names

std::string spelledName(const std::string& name) {
  return isOperatorStart(name.front()) ? "(" + name + ")" : name;
}

namespace {

std::string qualified(const QualifiedName& name) {
  std::string out;
  for (const std::string& qualifier : name.qualifiers) out += qualifier + ".";
  return out + name.name;
}

}  // namespace

std::string spelledName(const QualifiedName& name) {
  std::string all = qualified(name);
  return isOperatorStart(name.name.front()) ? "(" + all + ")" : all;
}

std::string spelledInfix(const QualifiedName& name) {
  std::string all = qualified(name);
  return isOperatorStart(name.name.front()) ? all : "`" + all + "`";
}

std::string spelledPath(const std::vector<Identifier>& path) {
  std::string out;
  for (const Identifier& field : path) out += (out.empty() ? "" : ".") + field.name;
  return out;
}

// Control characters as decimal escapes; `\&` keeps a digit behind one apart.
std::string spelledString(const std::string& bytes) {
  std::string out = "\"";
  bool after_escape = false;
  for (char c : bytes) {
    bool is_control = static_cast<unsigned char>(c) < 0x20 || c == 0x7f;
    if (after_escape && isDigit(c)) out += "\\&";
    if (c == '"' || c == '\\') out += '\\';
    if (is_control) {
      out += '\\' + std::to_string(static_cast<int>(c));
    } else {
      out += c;
    }
    after_escape = is_control;
  }
  return out + '"';
}

// ---- declarations

Pieces Printer::declarations(const std::vector<DeclId>& ids) const {
  Pieces out;
  for (DeclId id : ids) out.add(id, LineBreak{});
  return out;
}

Pieces Printer::declaration(DeclId id) const {
  const Decl& decl = tree_.decls[id];
  Pieces out = doc(decl.doc);
  for (const Attribute& attribute : decl.attributes) {
    out.add("#[" + attribute.text + "]", LineBreak{});
  }
  if (decl.is_local) out.add("local ");
  base::match(
      decl.node,
      [&](const FunctionDecl& node) {
        out.add(node.is_entry ? "entry " : "def ").append(functionHead(node.function));
        out.add(" =", Indent{2}, LineBreak{}, node.function.body, Indent{-2});
      },
      [&](const ValDecl& node) {
        out.add("val " + spelledName(node.name.name)).append(typeParameters(node.type_parameters));
        out.add(" : ", TypePiece{node.type});
      },
      [&](const TypeDecl& node) {
        out.add("type " + node.name.name).append(typeParameters(node.parameters));
        out.add(" = ", TypePiece{node.type});
      },
      [&](const ModuleDecl& node) {
        out.add("module " + node.name.name + " = {", Indent{2});
        for (DeclId inner : node.declarations) out.add(LineBreak{}, inner);
        out.add(Indent{-2}, LineBreak{}, "}");
      },
      [&](const OpenDecl& node) { out.add("open " + qualified(node.module)); },
      [&](const ImportDecl& node) {
        out.add((node.is_open ? "open import " : "import ") + spelledString(node.path));
      });
  return out;
}

Pieces Printer::doc(const std::string& text) const {
  Pieces out;
  std::string lead = "-- |";
  for (size_t begin = 0; begin < text.size();) {
    size_t end = std::min(text.find('\n', begin), text.size());
    std::string line = text.substr(begin, end - begin);
    // `-- ==` would begin a test block.
    bool tight = line.empty() || (begin > 0 && line.substr(0, 2) == "==");
    out.add(lead + (tight ? "" : " ") + line, LineBreak{});
    lead = "--";
    begin = end + 1;
  }
  return out;
}

// `f [n] 'a (x: t) y: r`
Pieces Printer::functionHead(const FunctionParts& function) const {
  Pieces out;
  out.add(spelledName(function.name.name)).append(typeParameters(function.type_parameters));
  for (PatternId parameter : function.parameters) out.add(" ", PatternPiece{parameter, true});
  if (function.result.valid()) out.add(": ", TypePiece{function.result});
  return out;
}

Pieces Printer::typeParameters(const std::vector<TypeParameter>& parameters) const {
  Pieces out;
  for (const TypeParameter& parameter : parameters) {
    const std::string& name = parameter.name.name;
    switch (parameter.kind) {
      case TypeParameter::Kind::kSize:
        out.add(" [" + name + "]");
        break;
      case TypeParameter::Kind::kType:
        out.add(" '" + name);
        break;
      case TypeParameter::Kind::kLifted:
        out.add(" '~" + name);
        break;
      case TypeParameter::Kind::kFullyLifted:
        out.add(" '^" + name);
        break;
    }
  }
  return out;
}

// ---- types and patterns

Pieces Printer::type(const TypePiece& piece) const {
  const TypeNode& node = tree_.types[piece.id].node;
  bool is_function = std::holds_alternative<TypeFunction>(node);
  bool is_applied = false;
  if (auto* name = std::get_if<TypeName>(&node)) {
    is_applied = !name->arguments.empty() || !name->size_arguments.empty();
  }
  bool is_prefixed =
      std::holds_alternative<TypeArray>(node) || std::holds_alternative<TypeUnique>(node);
  bool bracketed =
      (piece.place == TypePlace::kBeforeArrow && is_function) ||
      (piece.place == TypePlace::kArgument && (is_function || is_applied || is_prefixed));
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
      });
  return out;
}

Pieces Printer::application(const TypeName& node) const {
  Pieces out;
  out.add(qualified(node.name));
  for (ExprId size : node.size_arguments) {
    out.add(" [");
    if (size.valid()) out.add(size);
    out.add("]");
  }
  for (TypeExprId argument : node.arguments) {
    out.add(" ", TypePiece{argument, TypePlace::kArgument});
  }
  return out;
}

Pieces Printer::pattern(const PatternPiece& piece) const {
  Pieces out;
  base::match(
      tree_.patterns[piece.id].node,
      [&](const PatternName& p) { out.add(spelledName(p.name.name)); },
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
        out.add(piece.is_atom ? "(" : "", PatternPiece{p.pattern, true}, ": ", TypePiece{p.type});
        out.add(piece.is_atom ? ")" : "");
      });
  return out;
}

// ---- entry points

std::string print(const Tree& tree, const File& file) {
  Printer printer(tree);
  return spellOut(printer.declarations(file.declarations), printer);
}

std::string print(const Tree& tree, ExprId expr) {
  return spellOut(Pieces().add(expr), Printer(tree));
}

std::string print(const Tree& tree, TypeExprId type) {
  return spellOut(Pieces().add(TypePiece{type}), Printer(tree));
}

}  // namespace halo::syntax
