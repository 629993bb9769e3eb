// One line per node kind: its name, then its parts in source order.
#include "lang/syntax/outline.h"

#include "lang/base/match.h"
#include "lang/syntax/lex/number_range.h"
#include "lang/syntax/parse/pieces.h"
#include "lang/syntax/print/printer_state.h"

namespace halo::syntax {
namespace {

class Outliner {
 public:
  explicit Outliner(const Tree& tree) : tree_(tree) {}

  Pieces operator()(const Piece& piece) const {
    return base::match(
        piece, [&](const ExprId& id) { return expression(id); },
        [&](const PatternPiece& p) { return pattern(p.id); },
        [&](const TypePiece& t) { return type(t.id); },
        [&](const DeclId& id) { return declaration(id); },
        [&](const ModulePiece& m) { return module(m.id); },
        [&](const ModuleTypePiece& m) { return moduleType(m.id); },
        [&](const SpecId& id) { return spec(id); },
        base::otherwise([](const auto&) -> Pieces { HALO_UNREACHABLE("not a node"); }));
  }

 private:
  // Parts of a node, each with a space in front.
  static void put(Pieces& out, ExprId id) { id.valid() ? out.add(" ", id) : out.add(" _"); }
  static void put(Pieces& out, TypeExprId id) {
    id.valid() ? out.add(" ", TypePiece{id}) : out.add(" _");
  }
  static void put(Pieces& out, PatternId id) { out.add(" ", PatternPiece{id}); }
  static void put(Pieces& out, DeclId id) { out.add(" ", id); }
  static void put(Pieces& out, SpecId id) { out.add(" ", id); }
  static void put(Pieces& out, ModuleExprId id) { out.add(" ", ModulePiece{id}); }
  static void put(Pieces& out, ModuleTypeId id) {
    id.valid() ? out.add(" ", ModuleTypePiece{id}) : out.add(" _");
  }
  static void put(Pieces& out, const Identifier& name) { out.add(" ", name.name); }
  static void put(Pieces& out, const std::string& text) { out.add(" ", text); }
  static void put(Pieces& out, bool value) { out.add(value ? " true" : " false"); }
  static void put(Pieces& out, const QualifiedName& name) {
    out.add(" ");
    for (const std::string& qualifier : name.qualifiers) out.add(qualifier, ".");
    out.add(name.name);
  }
  static void put(Pieces& out, const TypeParameter& parameter) {
    static constexpr const char* kMarks[] = {"[]", "'", "'~", "'^"};
    out.add(" ", kMarks[static_cast<int>(parameter.kind)], parameter.name.name);
  }
  static void put(Pieces& out, const IndexPart& part) {
    if (!part.is_slice) return put(out, part.index);
    out.append(node("Slice", part.start, part.end, part.stride));
  }
  static void put(Pieces& out, const PathStep& step) {
    base::match(step, [&](const auto& part) { put(out, part); });
  }
  static void put(Pieces& out, const TypeArgument& argument) {
    if (argument.type.valid()) return put(out, argument.type);
    out.append(node("Size", argument.size));
  }
  static void put(Pieces& out, const MatchCase& branch) {
    out.append(node("Case", branch.pattern, branch.body));
  }
  static void put(Pieces& out, const ModuleParameter& parameter) {
    out.append(node("Parameter", parameter.name, parameter.type));
  }
  static void put(Pieces& out, const FunctionParts& f) {
    out.append(node("Function", f.name, f.type_parameters, f.parameters, f.result, f.body));
  }
  template <typename T>
  static void put(Pieces& out, const std::pair<Identifier, T>& field) {
    out.add(" ", field.first.name, "=");
    put(out, field.second);
  }
  template <typename T>
  static void put(Pieces& out, const std::vector<T>& list) {
    out.add(" [");
    for (const T& element : list) put(out, element);
    out.add("]");
  }

  template <typename... Parts>
  static Pieces node(const char* name, const Parts&... parts) {
    Pieces out;
    out.add("(", name);
    (put(out, parts), ...);
    return std::move(out.add(")"));
  }

  static Pieces number(const Number& e) {
    std::string value = e.is_decimal || exceeds64Bits(e) ? e.text : std::to_string(e.integer);
    return node("Number", value + (e.suffix ? std::string(prim::name(*e.suffix)) : ""));
  }

  Pieces expression(ExprId id) const {
    return base::match(
        tree_.exprs[id].node, [](const Number& e) { return number(e); },
        [](const BoolLiteral& e) { return node("Bool", e.value); },
        [](const StringLiteral& e) { return node("String", spelledString(e.bytes)); },
        [](const Variable& e) { return node("Variable", e.name); },
        [](const TupleExpr& e) { return node("Tuple", e.elements); },
        [](const RecordExpr& e) { return node("Record", e.fields); },
        [](const ArrayExpr& e) { return node("Array", e.elements); },
        [](const RangeExpr& e) {
          static constexpr const char* kNames[] = {"Range...", "Range..<", "Range..>"};
          return node(kNames[static_cast<int>(e.end)], e.first, e.second, e.last);
        },
        [](const Project& e) { return node("Project", e.record, e.field); },
        [](const IndexExpr& e) { return node("Index", e.array, e.parts); },
        [](const UpdateExpr& e) { return node("Update", e.array, e.parts, e.value); },
        [](const RecordUpdate& e) { return node("RecordUpdate", e.record, e.path, e.value); },
        [](const Apply& e) { return node("Apply", e.function, e.argument); },
        [](const Unary& e) { return node("Unary", e.op, e.operand); },
        [](const Binary& e) { return node("Binary", e.op, e.lhs, e.rhs); },
        [](const OperatorSection& e) { return node("Section", e.op, e.lhs, e.rhs); },
        [](const ProjectSection& e) { return node("ProjectSection", e.path); },
        [](const IndexSection& e) { return node("IndexSection", e.parts); },
        [](const Lambda& e) { return node("Lambda", e.parameters, e.result, e.body); },
        [](const Let& e) { return node("Let", e.sizes, e.pattern, e.value, e.body); },
        [](const LetFunction& e) { return node("LetFunction", e.function, e.body); },
        [](const If& e) { return node("If", e.condition, e.then_branch, e.else_branch); },
        [](const Loop& e) { return loop(e); },
        [](const Ascribe& e) { return node("Ascribe", e.value, e.type); },
        [](const Coerce& e) { return node("Coerce", e.value, e.type); },
        [](const AssertExpr& e) { return node("Assert", e.condition, e.value); },
        [](const Attributed& e) { return node("Attributed", e.attribute.text, e.value); },
        [](const Parenthesised& e) { return node("Paren", e.value); },
        [](const PathUpdate& e) { return node("PathUpdate", e.target, e.path, e.value); },
        [](const Constructor& e) { return node("Constructor", e.name, e.arguments); },
        [](const PathSection& e) { return node("PathSection", e.path); },
        [](const MatchExpr& e) { return node("Match", e.scrutinee, e.cases); },
        [](const Hole&) { return node("Hole"); },
        [](const LocalOpen& e) { return node("LocalOpen", e.module, e.value); });
  }

  static Pieces loop(const Loop& e) {
    Pieces form;
    form.add(" ");
    form.append(base::match(
        e.form, [](const LoopFor& f) { return node("For", f.variable, f.bound); },
        [](const LoopForIn& f) { return node("ForIn", f.pattern, f.array); },
        [](const LoopWhile& f) { return node("While", f.condition); }));
    Pieces out;
    out.add(e.initial_implicit ? "(LoopImplicit" : "(Loop");
    put(out, e.sizes);
    put(out, e.pattern);
    put(out, e.initial);
    out.append(std::move(form));
    put(out, e.body);
    return std::move(out.add(")"));
  }

  Pieces pattern(PatternId id) const {
    return base::match(
        tree_.patterns[id].node, [](const PatternName& p) { return node("Name", p.name); },
        [](const PatternWildcard&) { return node("Wildcard"); },
        [](const PatternTuple& p) { return node("TuplePattern", p.elements); },
        [](const PatternRecord& p) { return node("RecordPattern", p.fields); },
        [](const PatternTyped& p) { return node("Typed", p.pattern, p.type); },
        [](const PatternConstructor& p) { return node("ConstructorPattern", p.name, p.payload); },
        [](const PatternLiteral& p) { return node("LiteralPattern", p.value); },
        [](const PatternAttributed& p) {
          return node("AttributedPattern", p.attribute.text, p.pattern);
        });
  }

  Pieces type(TypeExprId id) const {
    return base::match(
        tree_.types[id].node, [](const TypeName& t) { return node("Type", t.name, t.arguments); },
        [](const TypeArray& t) { return node("ArrayType", t.size, t.element); },
        [](const TypeTuple& t) { return node("TupleType", t.elements); },
        [](const TypeRecord& t) { return node("RecordType", t.fields); },
        [](const TypeFunction& t) {
          Identifier name = t.parameter_name.value_or(Identifier{"_", {}});
          return node("FunctionType", name, t.parameter, t.result);
        },
        [](const TypeUnique& t) { return node("Unique", t.type); },
        [](const TypeSum& t) { return node("Sum", t.constructors); },
        [](const TypeExistential& t) { return node("Existential", t.sizes, t.type); });
  }

  Pieces declaration(DeclId id) const {
    const Decl& decl = tree_.decls[id];
    Pieces out;
    putNotes(out, decl.doc, decl.attributes);
    if (decl.is_local) out.add("Local ");
    out.append(base::match(
        decl.node,
        [](const FunctionDecl& d) { return node(d.is_entry ? "Entry" : "Def", d.function); },
        [](const ValDecl& d) { return node("Val", d.name, d.type_parameters, d.type); },
        [](const TypeDecl& d) { return node(kTypes[at(d)], d.name, d.parameters, d.type); },
        [](const ModuleDecl& d) { return node("Module", d.name, d.parameters, d.type, d.body); },
        [](const ModuleTypeDecl& d) { return node("ModuleType", d.name, d.type); },
        [](const OpenDecl& d) { return node("Open", d.module); },
        [](const ImportDecl& d) { return node("Import", spelledString(d.path)); }));
    return out;
  }

  static void putNotes(Pieces& out, const std::string& doc, const std::vector<Attribute>& list) {
    if (!doc.empty()) out.append(node("Doc", spelledString(doc)));
    for (const Attribute& a : list) out.append(node("Attribute", a.text));
  }

  static constexpr const char* kTypes[] = {"TypeDecl", "TypeDecl~", "TypeDecl^"};
  template <typename Declaration>
  static size_t at(const Declaration& d) {
    return static_cast<size_t>(d.lift);
  }

  Pieces spec(SpecId id) const {
    const Spec& spec = tree_.specs[id];
    Pieces out;
    putNotes(out, spec.doc, spec.attributes);
    return std::move(out.append(base::match(
        spec.node, [](const ValDecl& s) { return node("Val", s.name, s.type_parameters, s.type); },
        [](const TypeSpec& s) { return node(kTypes[at(s)], s.name, s.parameters, s.type); },
        [](const ModuleSpec& s) { return node("ModuleSpec", s.name, s.type); },
        [](const IncludeSpec& s) { return node("Include", s.type); })));
  }

  Pieces module(ModuleExprId id) const {
    return base::match(
        tree_.modules[id].node, [](const ModuleName& m) { return node("ModuleName", m.name); },
        [](const ModuleBody& m) { return node("Body", m.declarations); },
        [](const ModuleApply& m) { return node("ModuleApply", m.function, m.argument); },
        [](const ModuleAscribe& m) { return node("ModuleAscribe", m.module, m.type); },
        [](const ModuleLambda& m) { return node("ModuleLambda", m.parameter, m.result, m.body); },
        [](const ModuleImport& m) { return node("ModuleImport", spelledString(m.path)); });
  }

  Pieces moduleType(ModuleTypeId id) const {
    return base::match(
        tree_.module_types[id].node,
        [](const ModuleTypeName& m) { return node("ModuleTypeName", m.name); },
        [](const ModuleTypeBody& m) { return node("Specs", m.specs); },
        [](const ModuleTypeWith& m) {
          return node("With", m.type, m.name, m.parameters, m.definition);
        },
        [](const ModuleTypeArrow& m) { return node("Arrow", m.parameter, m.result); });
  }

  const Tree& tree_;
};

}  // namespace

std::string outline(const Tree& tree, const File& file) {
  Pieces all;
  for (DeclId id : file.declarations) all.add(id, LineBreak{});
  return spellOut(std::move(all), Outliner(tree));
}

std::string outline(const Tree& tree, ExprId expr) {
  return spellOut(Pieces().add(expr), Outliner(tree));
}

std::string outline(const Tree& tree, TypeExprId type) {
  return spellOut(Pieces().add(TypePiece{type}), Outliner(tree));
}

}  // namespace halo::syntax
