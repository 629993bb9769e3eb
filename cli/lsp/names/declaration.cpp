#include "cli/lsp/names/declaration.h"

#include <algorithm>

namespace halo::lsp {
namespace {

// What a specification of a module type gives a name to.
const syntax::Identifier* nameOf(const syntax::SpecNode& node) {
  if (const auto* value = std::get_if<syntax::ValDecl>(&node)) return &value->name;
  if (const auto* type = std::get_if<syntax::TypeSpec>(&node)) return &type->name;
  if (const auto* module = std::get_if<syntax::ModuleSpec>(&node)) return &module->name;
  return nullptr;
}

}  // namespace

const syntax::Identifier* declaredName(const syntax::DeclNode& node) {
  if (const auto* function = std::get_if<syntax::FunctionDecl>(&node)) {
    return &function->function.name;
  }
  if (const auto* type = std::get_if<syntax::TypeDecl>(&node)) return &type->name;
  if (const auto* module = std::get_if<syntax::ModuleDecl>(&node)) return &module->name;
  if (const auto* type = std::get_if<syntax::ModuleTypeDecl>(&node)) return &type->name;
  return nullptr;
}

namespace {

std::string withoutMarks(std::string_view line) {
  line.remove_prefix(std::min(line.find_first_not_of("-| "), line.size()));
  return std::string(line) + "\n";
}

// Moves the begin of `span` behind its first lines of comments, and returns them without marks.
std::string takeComment(std::string_view text, source::Span& span) {
  std::string comment;
  while (text.substr(span.begin).starts_with("--")) {
    const size_t line_end = std::min(text.find('\n', span.begin), text.size());
    comment += withoutMarks(text.substr(span.begin, line_end - span.begin));
    span.begin =
        static_cast<uint32_t>(std::min(text.find_first_not_of(" \n", line_end), text.size()));
  }
  return comment;
}

// Lines of comments directly above, without their marks.
std::string commentAbove(std::string_view text, size_t begin) {
  std::string comment;
  size_t line_end = text.substr(0, begin).rfind('\n');
  while (line_end != std::string_view::npos && line_end > 0) {
    const size_t before = text.substr(0, line_end).rfind('\n');
    const size_t start = before == std::string_view::npos ? 0 : before + 1;
    std::string_view line = text.substr(start, line_end - start);
    line.remove_prefix(std::min(line.find_first_not_of(' '), line.size()));
    if (!line.starts_with("--")) break;
    comment = withoutMarks(line) + comment;
    line_end = before;
  }
  return comment;
}

// With the comments above it and at its begin.
Declaration documented(std::string_view text, source::Span span) {
  Declaration made{span, commentAbove(text, span.begin)};
  made.documentation += takeComment(text, made.span);
  return made;
}

void cutToFirstLine(std::string_view text, source::Span& span) {
  const size_t line_end = std::min(text.find('\n', span.begin), text.size());
  span.end = std::min(span.end, static_cast<uint32_t>(line_end));
}

}  // namespace

Declaration declarationOf(const Analysis& analysis, const Named& named) {
  const source::Files& files = analysis.files();
  if (!files.contains(named.definition.file)) return {named.definition, ""};
  const std::string_view text = files[named.definition.file].text;
  for (const syntax::Decl& decl : analysis.program().tree.decls) {
    const syntax::Identifier* name = declaredName(decl.node);
    // Modules of the prelude are known by their declarations.
    const bool is_it =
        name != nullptr && (name->span == named.definition || decl.span == named.definition);
    if (!is_it) continue;
    Declaration found = documented(text, decl.span);
    if (!std::holds_alternative<syntax::TypeDecl>(decl.node)) cutToFirstLine(text, found.span);
    return found;
  }
  for (const syntax::Spec& spec : analysis.program().tree.specs) {
    const syntax::Identifier* name = nameOf(spec.node);
    if (name != nullptr && name->span == named.definition) return documented(text, spec.span);
  }
  Declaration found{named.definition, ""};
  found.documentation = takeComment(text, found.span);
  cutToFirstLine(text, found.span);
  return found;
}

}  // namespace halo::lsp
