#include "cli/lsp/answers.h"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>

#include "cli/lsp/names/declaration.h"
#include "cli/lsp/names/members.h"
#include "cli/lsp/names/uses.h"
#include "cli/session/documentation.h"
#include "cli/session/prelude.h"
#include "cli/session/stages.h"
#include "lang/base/cache_folder.h"
#include "lang/base/files.h"
#include "lang/diag/json.h"
#include "lang/format/format.h"
#include "lang/types/sizes/given.h"
#include "stdlib/embedded.h"

namespace halo::lsp {
namespace {

std::string fenced(const std::string& text) { return "```futhark\n" + text + "\n```"; }

// A type, a module or a module type: its declaration, of a module the first line, and comments
// in front of it.
Json hoverNamed(const Place& place, const Named& named) {
  const source::Files& files = place.analysis.files();
  const Declaration found = declarationOf(place.analysis, named);
  std::string text = fenced(std::string(files.text(found.span)));
  if (!found.documentation.empty()) text += "\n" + found.documentation;
  return {{"contents", {{"kind", "markdown"}, {"value", text}}}};
}

// Files of the prelude are in the binary: the editor gets a copy.
std::string pathOf(const source::File& file) {
  constexpr std::string_view kPrelude = "stdlib/";
  if (!file.name.starts_with(kPrelude)) return std::filesystem::absolute(file.name).string();
  const std::string folder = base::cacheFolder("prelude");
  if (folder.empty()) return "";
  const std::string path = folder + "/" + file.name.substr(kPrelude.size());
  if (base::readFile(path, file.text.size() + 1).bytes != file.text) {
    base::writeFile(path, file.text, base::NewFile::kPrivate);
  }
  return path;
}

// The page that `halo explain` shows, as a file for the editor.
std::string explanationOf(diag::Code code) {
  const std::string label = diag::codeLabel(code);
  const std::string_view pages = stdlib::codesText();
  const size_t begin = pages.find("\n## " + label.substr(1));
  const std::string folder = base::cacheFolder("explain");
  if (begin == std::string_view::npos || folder.empty()) return "";
  const size_t end = pages.find("\n## ", begin + 1);
  const std::string path = folder + "/" + label + ".md";
  const std::string page(pages.substr(begin + 1, end - begin - 1));
  if (base::readFile(path, page.size() + 1).bytes != page) {
    base::writeFile(path, page, base::NewFile::kPrivate);
  }
  return uriOfPath(path);
}

Json locationOf(const Place& place, const source::Span& span) {
  const source::Files& files = place.analysis.files();
  if (!files.contains(span.file)) return nullptr;
  if (span.file == place.analysis.file) {
    const uint32_t begin = place.from(span.begin);
    const uint32_t end = begin + span.end - span.begin;
    if (end > place.text().size()) return nullptr;
    return {{"uri", place.uri}, {"range", place.lines.rangeOf(begin, end)}};
  }
  const std::string path = pathOf(files[span.file]);
  if (path.empty()) return nullptr;
  return {{"uri", uriOfPath(path)},
          {"range", Lines(files[span.file].text, place.encoding).rangeOf(span.begin, span.end)}};
}

// The file that an `import ".."` around the place names.
std::string importAt(const Place& place) {
  const uint32_t offset = place.to(place.offset);
  const auto isHere = [&](const source::Span& span) {
    return span.file == place.analysis.file && span.begin <= offset && offset <= span.end;
  };
  const std::filesystem::path folder = std::filesystem::path(pathOfUri(place.uri)).parent_path();
  const auto fileOf = [&](const std::string& path) {
    return std::filesystem::absolute(folder / (path + ".fut")).lexically_normal().string();
  };
  const syntax::Tree& tree = place.analysis.program().tree;
  for (const syntax::Decl& decl : tree.decls) {
    const auto* node = std::get_if<syntax::ImportDecl>(&decl.node);
    if (node != nullptr && isHere(node->path_span)) return fileOf(node->path);
  }
  for (const syntax::ModuleExpr& module : tree.modules) {
    const auto* node = std::get_if<syntax::ModuleImport>(&module.node);
    if (node != nullptr && isHere(node->path_span)) return fileOf(node->path);
  }
  return "";
}

std::optional<Member> memberIn(const Place& place) {
  const uint32_t offset = place.to(place.offset);
  if (offset > place.analysis.text.size()) return std::nullopt;
  return memberAt(place.analysis, offset);
}

}  // namespace

std::optional<Found> foundAt(const Place& place) {
  const uint32_t offset = place.to(place.offset);
  if (offset > place.analysis.text.size()) return std::nullopt;
  return findAt(place.analysis, offset);
}

Json diagnosticsOf(const Findings& found, const Lines& lines, const std::string& uri) {
  const source::Files& files = found.files;
  Json all = Json::array();
  for (const diag::Diagnostic& diagnostic : found.sink.all()) {
    const bool is_here = diagnostic.span.file == found.file;
    const uint32_t begin = is_here ? diagnostic.span.begin : 0;
    std::string message = diagnostic.message;
    if (!is_here && files.contains(diagnostic.span.file)) {
      message = fmt::format("{}: {}", files[diagnostic.span.file].name, message);
    }
    for (const std::string& note : diagnostic.notes) message += "\n" + note;
    Json entry = {{"range", lines.rangeOf(begin, is_here ? diagnostic.span.end : 0)},
                  {"severity", diagnostic.severity == diag::Severity::kError ? 1 : 2},
                  {"code", diag::codeLabel(diagnostic.code)},
                  {"source", "halo"},
                  {"message", message}};
    if (const std::string page = explanationOf(diagnostic.code); !page.empty()) {
      entry["codeDescription"] = {{"href", page}};
    }
    Json related = Json::array();
    for (const diag::Label& label : diagnostic.labels) {
      if (label.span.file != found.file) continue;
      related.push_back(
          {{"location", {{"uri", uri}, {"range", lines.rangeOf(label.span.begin, label.span.end)}}},
           {"message", label.text}});
    }
    if (!related.empty()) entry["relatedInformation"] = related;
    const Json whole = Json::parse(diag::toJson(diagnostic, files), nullptr, false);
    if (is_here && whole.is_object() && whole.contains("suggestion")) {
      entry["data"] = {{"suggestion", whole["suggestion"]["to"]}};
    }
    all.push_back(std::move(entry));
  }
  return all;
}

namespace {

// `let q = ???`: nothing decides the type, and the one that the checker takes is no answer.
bool isOpenHole(const Analysis& analysis, const source::Span& hole) {
  const auto& found = analysis.sink.all();
  return std::any_of(found.begin(), found.end(), [&](const diag::Diagnostic& diagnostic) {
    return diagnostic.code == diag::Code::hole_reached && diagnostic.span == hole &&
           diagnostic.message.find("`_`") != std::string::npos;
  });
}

bool isOfOpenHole(const Analysis& analysis, const Found& found) {
  if (!found.target) return isOpenHole(analysis, found.span);
  const types::Program& program = types::program(*found.world);
  const source::Span definition = definitionOf(program, *found.target);
  const syntax::Tree& tree = program.tree;
  return std::any_of(tree.exprs.begin(), tree.exprs.end(), [&](const syntax::Expr& expr) {
    const auto* let = std::get_if<syntax::Let>(&expr.node);
    return let != nullptr && tree.patterns[let->pattern].span == definition &&
           std::holds_alternative<syntax::Hole>(tree.exprs[let->value].node) &&
           isOpenHole(analysis, tree.exprs[let->value].span);
  });
}

}  // namespace

Json hover(const Place& place) {
  if (const auto member = memberIn(place)) {
    return {{"contents", {{"kind", "markdown"}, {"value", fenced(member->shown)}}}};
  }
  const auto found = foundAt(place);
  if (!found) return nullptr;
  const auto* named = found->target ? std::get_if<Named>(&*found->target) : nullptr;
  if (named != nullptr) return hoverNamed(place, *named);
  const types::Program& program = types::program(*found->world);
  const bool is_open = isOfOpenHole(place.analysis, *found);
  const std::string type = found->type && !is_open ? types::print(program, found->type) : "_";
  std::string text = fenced((found->name.empty() ? "" : found->name + " : ") + type);
  if (found->target) {
    const std::string general = typeOf(program, *found->target);
    if (general != type && !is_open) text += "\n" + fenced(found->name + " : " + general);
    std::string documentation = documentationOf(program, *found->target);
    if (documentation.empty()) {  // a module type may have one
      const Named name{definitionOf(program, *found->target)};
      documentation = declarationOf(place.analysis, name).documentation;
    }
    if (!documentation.empty()) text += "\n" + documentation;
  }
  return {{"contents", {{"kind", "markdown"}, {"value", text}}}};
}

Json definition(const Place& place) {
  if (const std::string path = importAt(place); !path.empty()) {
    return {{"uri", uriOfPath(path)}, {"range", Lines("", place.encoding).rangeOf(0, 0)}};
  }
  if (const auto member = memberIn(place)) {
    return member->definition ? locationOf(place, *member->definition) : Json();
  }
  const auto found = foundAt(place);
  if (!found || !found->target) return nullptr;
  return locationOf(place, definitionOf(types::program(*found->world), *found->target));
}

namespace {

Json locationsOf(const Place& place, const Spans& spans) {
  Json all = Json::array();
  for (const source::Span& span : spans) {
    if (!place.analysis.isPrelude(span.file)) all.push_back(locationOf(place, span));
  }
  return all;
}

// Two texts may be open under different spellings of one path.
std::string placeOf(const Json& location) {
  return location.is_object() ? canonical(pathOfUri(location["uri"])) + location["range"].dump()
                              : "";
}

}  // namespace

Json references(const Place& place, const OpenTexts& others) {
  const uint32_t offset = place.to(place.offset);
  if (offset > place.analysis.text.size()) return Json::array();
  const Uses uses = usesAt(place.analysis, offset);
  Json all = locationsOf(place, uses.spans);
  if (!uses.definition) return all;
  std::set<std::string> known;
  for (const Json& location : all) known.insert(placeOf(location));
  const source::Files& files = place.analysis.files();
  for (const OpenText& other : others) {
    if (!other.analysis.environment || !files.contains(uses.definition->file)) continue;
    const auto file = fileOf(other.analysis, canonical(files[uses.definition->file].name));
    if (!file) continue;
    const Lines lines(other.analysis.text, place.encoding);
    const source::Span definition{*file, uses.definition->begin, uses.definition->end};
    const std::string name(files.text(uses.at));
    for (const Json& location :
         locationsOf({other.analysis, lines, other.uri, place.encoding, 0},
                     usesOf(other.analysis, definition, name, uses.is_member))) {
      if (known.insert(placeOf(location)).second) all.push_back(location);
    }
  }
  return all;
}

Json highlights(const Place& place) {
  Json all = Json::array();
  for (const Json& found : references(place, {})) {
    if (found.is_object() && found["uri"] == place.uri) all.push_back({{"range", found["range"]}});
  }
  return all;
}

Json resolved(const Analysis& analysis, Json item, const std::string& name) {
  auto text = session::documentation(analysis.program(), name);
  if (!text) {  // members of the prelude's modules that no text has used are not there yet
    const auto with = analyse("", "def documented_ = " + name + "\n");
    if (with->environment) text = session::documentation(with->program(), name);
  }
  if (text) item["documentation"] = {{"kind", "markdown"}, {"value", *text}};
  return item;
}

StageText stageAt(const Place& place, const std::string& stage) {
  const types::Program& program = place.analysis.program();
  const uint32_t offset = place.to(place.offset);
  for (const syntax::Decl& decl : program.tree.decls) {
    const auto* function = std::get_if<syntax::FunctionDecl>(&decl.node);
    const bool is_here = decl.span.file == place.analysis.file && decl.span.begin <= offset &&
                         offset <= decl.span.end;
    if (function == nullptr || !is_here) continue;
    for (size_t i = 0; i < program.defs.size(); ++i) {
      const types::Def& def = program.defs[types::DefId(i)];
      if (def.span != function->function.name.span) continue;
      if (!def.type_parameters.empty()) {
        return {"", "`" + def.name + "` has any type, compiled code has one"};
      }
      auto& session = const_cast<Analysis&>(place.analysis).session;
      const auto text = session::stageText(session, program, types::DefId(i), stage);
      return text ? StageText{*text, ""} : StageText{"", text.error().message};
    }
  }
  return {"", "no function is here"};
}

Json formatting(const Lines& lines) {
  const std::string_view text = lines.text();
  source::Files files;
  diag::Sink sink;
  const std::optional<std::string> laid_out =
      format::format(files, files.add("", std::string(text)), sink);
  if (!laid_out) return nullptr;
  if (*laid_out == text) return Json::array();
  // Equal lines at both ends stay: the cursor does, too.
  const size_t shorter = std::min(text.size(), laid_out->size());
  size_t begin = 0, end = 0;
  while (begin < shorter && text[begin] == (*laid_out)[begin]) begin++;
  while (begin > 0 && text[begin - 1] != '\n') begin--;
  while (end < shorter - begin &&
         text[text.size() - 1 - end] == (*laid_out)[laid_out->size() - 1 - end])
    ++end;
  while (end > 0 && text[text.size() - end] != '\n') end--;
  const auto last = static_cast<uint32_t>(text.size() - end);
  return {{{"range", lines.rangeOf(static_cast<uint32_t>(begin), last)},
           {"newText", laid_out->substr(begin, laid_out->size() - end - begin)}}};
}

}  // namespace halo::lsp
