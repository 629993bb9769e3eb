#include "cli/lsp/cut.h"

#include "cli/lsp/chunk.h"
#include "cli/session/imports.h"
#include "lang/syntax/parse/parser.h"

namespace halo::lsp {

Cut cutAt(const Cuttable& place, uint32_t end, Ending ending) {
  Cut cut;
  const auto chunk = topChunkAround(place.text, end);
  if (!chunk) return cut;
  const auto finished = finish(place.text.substr(chunk->begin, end - chunk->begin), ending);
  if (!finished) return cut;
  cut.wanted = finished->wanted;
  cut.begin = chunk->begin;
  std::string imports;  // they bring names into this file alone
  for (const syntax::Decl& decl : place.known.program().tree.decls) {
    const bool is_own = decl.span.file == place.known.file;
    const auto* node = std::get_if<syntax::ImportDecl>(&decl.node);
    if (is_own && node != nullptr) imports += "import \"" + node->path + "\"\n";
  }
  cut.shift = static_cast<uint32_t>(imports.size());
  cut.text = finished->text;
  source::Files& files = place.known.session.files();
  cut.file = files.add(files[place.known.file].name, imports + finished->text + "\n");
  diag::Sink unheard;
  // A hole may leave the type of an entry open.
  cut.environment = session::extendByProgram(files, place.known.environment, cut.file, unheard,
                                             {.marks_entries = false, .texts = place.texts});
  return cut;
}

std::optional<Range> updatedAt(std::string_view text, uint32_t end) {
  const auto chunk = topChunkAround(text, end);
  if (!chunk) return std::nullopt;
  const std::string begun = std::string(text.substr(chunk->begin, end - chunk->begin)) + " ";
  const auto finished = finish(begun + "a =", Ending::kOpen);
  if (!finished) return std::nullopt;
  source::Files files;
  diag::Sink unheard;
  syntax::Tree tree;
  syntax::parseFile(files, files.add("", finished->text + "\n"), {}, tree, unheard);
  for (const syntax::Expr& expr : tree.exprs) {
    const auto* update = std::get_if<syntax::RecordUpdate>(&expr.node);
    if (update == nullptr || update->path.front().span.begin != begun.size()) continue;
    const source::Span record = tree.exprs[update->record].span;
    return Range{record.begin + chunk->begin, record.end + chunk->begin};
  }
  return std::nullopt;
}

}  // namespace halo::lsp
