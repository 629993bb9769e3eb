#include "cli/lsp/cut.h"

#include "cli/lsp/chunk.h"
#include "cli/session/imports.h"
#include "lang/syntax/parse/parser.h"

namespace halo::lsp {

namespace {

// A declaration's new text, on top of the last program without errors.
void check(const Cuttable& place, const Chunk& chunk, std::string text, Cut& cut) {
  cut.begin = chunk.begin;
  std::string imports;  // they bring names into this file alone
  for (const syntax::Decl& decl : place.known.program().tree.decls) {
    const bool is_own = decl.span.file == place.known.file;
    const auto* node = std::get_if<syntax::ImportDecl>(&decl.node);
    if (is_own && node != nullptr) imports += "import \"" + node->path + "\"\n";
  }
  cut.shift = static_cast<uint32_t>(imports.size());
  cut.text = std::move(text);
  source::Files& files = place.known.session.files();
  cut.file = files.add(files[place.known.file].name, imports + cut.text + "\n");
  diag::Sink unheard;
  // A hole may leave the type of an entry open.
  cut.environment = session::extendByProgram(files, place.known.environment, cut.file, unheard,
                                             {.marks_entries = false, .texts = place.texts});
}

// Binds the text to a name that no program has.
constexpr std::string_view kBind = "(let halo_field = ", kRest = " in ?\?\?)";
constexpr std::string_view kDeclare = "def halo_field = ";

}  // namespace

Cut cutAt(const Cuttable& place, uint32_t end, Ending ending) {
  Cut cut;
  const auto chunk = topChunkAround(place.text, end);
  if (!chunk) return cut;
  const auto finished = finish(place.text.substr(chunk->begin, end - chunk->begin), ending);
  if (!finished) return cut;
  cut.wanted = finished->wanted;
  check(place, *chunk, finished->text, cut);
  return cut;
}

Cut wholeAt(const Cuttable& place, uint32_t name, uint32_t dot, uint32_t end) {
  Cut cut;
  const auto chunk = topChunkAround(place.text, end);
  if (!chunk || name < chunk->begin || end > chunk->end) return cut;
  const std::string_view before = place.text.substr(chunk->begin, name - chunk->begin);
  const std::string_view spelled = place.text.substr(name, dot - name);
  const std::string_view behind = place.text.substr(end, chunk->end - end);
  std::string text(before);
  text.append(kBind).append(spelled).append(kRest).append(behind);
  check(place, *chunk, std::move(text), cut);
  return cut;
}

NameCut nameAt(const Cuttable& place, uint32_t begin, uint32_t end) {
  const auto chunk = topChunkAround(place.text, end);
  if (!chunk || begin < chunk->begin) return {};
  std::string text(place.text.substr(chunk->begin, begin - chunk->begin));
  text.append(kBind).append(place.text.substr(begin, end - begin)).append(kRest);
  const auto finished = finish(text, Ending::kValue);
  if (!finished) return {};
  NameCut found;
  check(place, *chunk, finished->text, found.cut);
  if (!found.cut.environment) {
    // Sizes of `reduce` alone are open in an expression, but parameters of a declaration.
    const std::string declared(kDeclare);
    check(place, *chunk, declared + std::string(place.text.substr(begin, end - begin)), found.cut);
    found.end = end - begin + static_cast<uint32_t>(kDeclare.size()) + found.cut.shift;
    return found;
  }
  found.end = end - chunk->begin + static_cast<uint32_t>(kBind.size()) + found.cut.shift;
  return found;
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
