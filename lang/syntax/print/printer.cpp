// Names and declarations as text. Modules are in print_module.cpp, types and patterns in
// print_type.cpp, expressions in print_expr.cpp.
#include "lang/syntax/print/printer.h"

#include "lang/base/match.h"
#include "lang/syntax/lex/lexer_state.h"
#include "lang/syntax/print/printer_state.h"

namespace halo::syntax {

Pieces Printer::operator()(const Piece& piece) const {
  return base::match(
      piece, [&](const ExprId& id) { return expression(id); },
      [&](const PatternPiece& p) { return pattern(p); },
      [&](const TypePiece& t) { return type(t); },
      [&](const DeclId& id) { return declaration(id); },
      [&](const ModulePiece& m) { return module(m); },
      [&](const ModuleTypePiece& m) { return moduleType(m); },
      [&](const SpecId& id) { return spec(id); },
      base::otherwise([](const auto&) -> Pieces { HALO_UNREACHABLE("not a node"); }));
}

// ---- names

std::string spelledName(const std::string& name) {
  return isOperatorStart(name.front()) ? "(" + name + ")" : name;
}

std::string spelledQualified(const QualifiedName& name) {
  std::string out;
  for (const std::string& qualifier : name.qualifiers) out += qualifier + ".";
  return out + name.name;
}

std::string spelledName(const QualifiedName& name) {
  std::string all = spelledQualified(name);
  return isOperatorStart(name.name.front()) ? "(" + all + ")" : all;
}

std::string spelledInfix(const QualifiedName& name) {
  std::string all = spelledQualified(name);
  return isOperatorStart(name.name.front()) ? all : "`" + all + "`";
}

std::string spelledPath(const std::vector<Identifier>& path) {
  std::string out;
  for (const Identifier& field : path) out += (out.empty() ? "" : ".") + field.name;
  return out;
}

// Control characters as decimal escapes; `\&` separates a digit behind one.
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
  out.append(attributes(decl.attributes));
  if (decl.is_local) out.add("local ");
  base::match(
      decl.node,
      [&](const FunctionDecl& node) {
        out.add(node.is_entry ? "entry " : "def ").append(functionHead(node.function));
        out.add(" =", Indent{2}, LineBreak{}, node.function.body, Indent{-2});
      },
      [&](const ValDecl& node) { out.append(val(node)); },
      [&](const TypeDecl& node) { out.append(typeBinding(node)); },
      [&](const ModuleDecl& node) {
        out.append(moduleHead(node)).add(" = ", ModulePiece{node.body});
      },
      [&](const ModuleTypeDecl& node) {
        out.add("module type " + node.name.name + " = ", ModuleTypePiece{node.type});
      },
      [&](const OpenDecl& node) { out.add("open ", ModulePiece{node.module}); },
      [&](const ImportDecl& node) { out.add("import " + spelledString(node.path)); });
  return out;
}

Pieces Printer::moduleHead(const ModuleDecl& node) const {
  Pieces out;
  out.add("module " + node.name.name);
  for (const ModuleParameter& p : node.parameters) out.add(" ").append(moduleParameter(p));
  if (node.type.valid()) out.add(" : ", ModuleTypePiece{node.type});
  return out;
}

// `m` or `f m`.
static bool isOfNames(const Tree& tree, ModuleExprId id) {
  const auto* applied = std::get_if<ModuleApply>(&tree.modules[id].node);
  if (applied == nullptr) return std::holds_alternative<ModuleName>(tree.modules[id].node);
  return isOfNames(tree, applied->function) && isOfNames(tree, applied->argument);
}

Pieces Printer::head(const Decl& decl) const {
  Pieces out;
  base::match(
      decl.node,
      [&](const ModuleDecl& node) {
        out.append(moduleHead(node));
        if (isOfNames(tree_, node.body)) out.add(" = ", ModulePiece{node.body});
      },
      [&](const ModuleTypeDecl& node) {
        const ModuleTypeNode& type = tree_.module_types[node.type].node;
        out.add("module type " + node.name.name);
        const bool is_short = !std::holds_alternative<ModuleTypeBody>(type);
        if (is_short) out.add(" = ", ModuleTypePiece{node.type});
      },
      [&](const TypeDecl& node) { out.append(typeBinding(node)); },
      base::otherwise([](const auto&) { HALO_UNREACHABLE("has no head"); }));
  return out;
}

Pieces Printer::val(const ValDecl& node) const {
  Pieces out;
  out.add("val " + spelledName(node.name.name)).append(typeParameters(node.type_parameters));
  return std::move(out.add(" : ", TypePiece{node.type}));
}

Pieces Printer::attributes(const std::vector<Attribute>& attributes) const {
  Pieces out;
  for (const Attribute& attribute : attributes) out.add("#[" + attribute.text + "]", LineBreak{});
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
  for (PatternId parameter : function.parameters) {
    out.add(" ", PatternPiece{parameter, PatternPlace::kParameter});
  }
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

std::string print(const Tree& tree, SpecId spec) {
  return spellOut(Pieces().add(spec), Printer(tree));
}

std::string printHead(const Tree& tree, const Decl& decl) {
  const Printer printer(tree);
  return spellOut(printer.head(decl), printer);
}

}  // namespace halo::syntax
