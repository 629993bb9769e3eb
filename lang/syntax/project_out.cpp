// The parts of a qualified name touch each other nearly always, so their spans follow from their
// lengths. With spaces around a dot they are inside of the name.
#include "lang/syntax/project_out.h"

namespace halo::syntax {

ExprId projectOut(Tree& tree, ExprId expr, size_t name_length) {
  QualifiedName whole = std::get<Variable>(tree.exprs[expr].node).name;
  std::vector<Identifier> parts;
  uint32_t begin = whole.span.begin;
  auto addPart = [&](std::string text) {
    auto end = begin + static_cast<uint32_t>(text.size());
    parts.push_back({std::move(text), {whole.span.file, begin, end}});
    begin = end + 1;
  };
  for (std::string& qualifier : whole.qualifiers) addPart(std::move(qualifier));
  addPart(std::move(whole.name));
  HALO_CHECK(name_length >= 1 && name_length < parts.size(), "projectOut: nothing to project");

  QualifiedName name{{}, parts[name_length - 1].name, {}};
  for (size_t i = 0; i + 1 < name_length; ++i) name.qualifiers.push_back(parts[i].name);
  name.span = source::join(parts.front().span, parts[name_length - 1].span);
  Span span = name.span;
  ExprId variable = tree.exprs.add({Variable{std::move(name)}, span});
  ExprId record = variable;
  for (size_t i = name_length; i + 1 < parts.size(); ++i) {
    record = tree.exprs.add({Project{record, parts[i]}, source::join(span, parts[i].span)});
  }
  tree.exprs[expr].node = Project{record, parts.back()};
  return variable;
}

}  // namespace halo::syntax
