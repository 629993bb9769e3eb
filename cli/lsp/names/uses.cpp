#include "cli/lsp/names/uses.h"

#include "cli/lsp/names/members.h"

namespace halo::lsp {

Uses usesAt(const Analysis& analysis, uint32_t offset) {
  if (const auto member = memberAt(analysis, offset)) {
    Uses uses{member->span, member->definition, {}, true, false};
    if (member->definition) uses.spans = memberUses(analysis, *member);
    return uses;
  }
  const auto found = findAt(analysis, offset);
  if (!found || !found->target) return {};
  const source::Span definition = definitionOf(types::program(*found->world), *found->target);
  Uses uses{found->span, definition, occurrences(analysis, definition)};
  const std::string_view text = analysis.files().text(definition);
  const bool is_type_parameter = text.starts_with('\'');  // `'a`, `'~a`, `'^a`
  uses.is_local = std::holds_alternative<types::BinderId>(*found->target) || is_type_parameter;
  for (const source::Span& span : uses.spans) {  // of a qualified name, the last part
    const bool is_at = span.file == analysis.file && span.begin <= offset && offset <= span.end;
    if (is_at) uses.at = span;
  }
  return uses;
}

std::optional<source::FileId> fileOf(const Analysis& analysis, const std::string& canonical_path) {
  if (!analysis.reads(canonical_path)) return std::nullopt;
  if (canonical(analysis.files()[analysis.file].name) == canonical_path) return analysis.file;
  for (const source::FileId id : analysis.imported) {
    if (canonical(analysis.files()[id].name) == canonical_path) return id;
  }
  return std::nullopt;
}

Spans usesOf(const Analysis& analysis, const source::Span& definition, const std::string& name,
             bool is_member) {
  if (!is_member) return occurrences(analysis, definition);
  return memberUses(analysis,
                    {.span = definition, .name = name, .shown = "", .definition = definition});
}

}  // namespace halo::lsp
