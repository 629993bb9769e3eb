// Modules, module types and specs as text.
#include "lang/base/match.h"
#include "lang/syntax/print/printer_state.h"

namespace halo::syntax {

Pieces Printer::moduleParameter(const ModuleParameter& parameter) const {
  return std::move(
      Pieces().add("(" + parameter.name.name + ": ", ModuleTypePiece{parameter.type}, ")"));
}

Pieces Printer::module(const ModulePiece& piece) const {
  const ModuleNode& node = tree_.modules[piece.id].node;
  bool is_lambda = std::holds_alternative<ModuleLambda>(node);
  bool is_simple =
      std::holds_alternative<ModuleName>(node) || std::holds_alternative<ModuleBody>(node);
  Pieces out;
  if ((piece.place == ModulePlace::kOperand && is_lambda) ||
      (piece.place == ModulePlace::kAtom && !is_simple)) {
    return std::move(out.add("(", ModulePiece{piece.id}, ")"));
  }
  base::match(
      node, [&](const ModuleName& m) { out.add(spelledQualified(m.name)); },
      [&](const ModuleBody& m) {
        out.add("{", Indent{2});
        for (DeclId id : m.declarations) out.add(LineBreak{}, id);
        out.add(Indent{-2}, LineBreak{}, "}");
      },
      [&](const ModuleApply& m) {
        bool chain = std::holds_alternative<ModuleApply>(tree_.modules[m.function].node);
        out.add(ModulePiece{m.function, chain ? ModulePlace::kOperand : ModulePlace::kAtom}, " ",
                ModulePiece{m.argument, ModulePlace::kAtom});
      },
      [&](const ModuleAscribe& m) {
        out.add(ModulePiece{m.module, ModulePlace::kOperand}, " : ", ModuleTypePiece{m.type});
      },
      [&](const ModuleLambda& m) {
        out.add("\\").append(moduleParameter(m.parameter));
        if (m.result.valid()) out.add(" : ", ModuleTypePiece{m.result, ModulePlace::kAtom});
        out.add(" -> ", ModulePiece{m.body});
      },
      [&](const ModuleImport& m) { out.add("import " + spelledString(m.path)); });
  return out;
}

Pieces Printer::moduleType(const ModuleTypePiece& piece) const {
  const ModuleTypeNode& node = tree_.module_types[piece.id].node;
  bool is_arrow = std::holds_alternative<ModuleTypeArrow>(node);
  bool is_with = std::holds_alternative<ModuleTypeWith>(node);
  Pieces out;
  if ((piece.place == ModulePlace::kOperand && is_arrow) ||
      (piece.place == ModulePlace::kAtom && (is_arrow || is_with))) {
    return std::move(out.add("(", ModuleTypePiece{piece.id}, ")"));
  }
  base::match(
      node, [&](const ModuleTypeName& m) { out.add(spelledQualified(m.name)); },
      [&](const ModuleTypeBody& m) {
        out.add("{", Indent{2});
        for (SpecId id : m.specs) out.add(LineBreak{}, id);
        out.add(Indent{-2}, LineBreak{}, "}");
      },
      [&](const ModuleTypeWith& m) {
        out.add(ModuleTypePiece{m.type, ModulePlace::kOperand});
        out.add(" with " + spelledQualified(m.name)).append(typeParameters(m.parameters));
        out.add(" = ", TypePiece{m.definition, TypePlace::kBeforeArrow});
      },
      [&](const ModuleTypeArrow& m) {
        if (m.parameter.name.name.empty()) {
          out.add(ModuleTypePiece{m.parameter.type, ModulePlace::kOperand});
        } else {
          out.append(moduleParameter(m.parameter));
        }
        out.add(" -> ", ModuleTypePiece{m.result});
      });
  return out;
}

Pieces Printer::spec(SpecId id) const {
  const Spec& spec = tree_.specs[id];
  Pieces out = doc(spec.doc);
  out.append(attributes(spec.attributes));
  base::match(
      spec.node, [&](const ValDecl& node) { out.append(val(node)); },
      [&](const TypeSpec& node) { out.append(typeBinding(node)); },
      [&](const ModuleSpec& node) {
        out.add("module " + node.name.name + " : ", ModuleTypePiece{node.type});
      },
      [&](const IncludeSpec& node) { out.add("include ", ModuleTypePiece{node.type}); });
  return out;
}

}  // namespace halo::syntax
