#include "cli/lsp/names/uses.h"

#include "cli/lsp/names/members.h"

namespace halo::lsp {

Uses usesAt(const Analysis& analysis, uint32_t offset) {
  if (const auto member = memberAt(analysis, offset)) {
    Uses uses{member->span, member->definition, {}, true};
    if (member->definition) uses.spans = memberUses(analysis, *member);
    return uses;
  }
  const auto found = findAt(analysis, offset);
  if (!found || !found->target) return {};
  const source::Span definition = definitionOf(types::program(*found->world), *found->target);
  Uses uses{found->span, definition, occurrences(analysis, definition)};
  for (const source::Span& span : uses.spans) {  // of a qualified name, the last part
    const bool is_at = span.file == analysis.file && span.begin <= offset && offset <= span.end;
    if (is_at) uses.at = span;
  }
  return uses;
}

}  // namespace halo::lsp
