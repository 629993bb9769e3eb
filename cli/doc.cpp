// halo doc NAME: type and doc comment of a prelude definition; with other words, the definitions
// that have them. halo doc FILE: of a program. halo explain CODE: the meaning of a diagnostic, from
// codes.md.
#include "cli/commands.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cstdio>
#include <iterator>
#include <sstream>

#include "cli/session/documentation.h"
#include "cli/session/imports.h"
#include "cli/session/prelude.h"
#include "cli/session/search.h"
#include "lang/base/check.h"
#include "stdlib/embedded.h"

namespace halo::cli {

namespace {

// Of a name of a file that `import "/prelude/.."` finds.
std::optional<std::string> importedDoc(session::Session& session, const std::string& name) {
  for (const stdlib::EmbeddedFile& embedded : stdlib::imports()) {
    diag::Sink sink;
    const source::FileId file = session.files().add("stdlib/import/" + std::string(embedded.name),
                                                    std::string(embedded.text));
    const types::EnvironmentRef environment =
        session::extendByProgram(session.files(), session.prelude(), file, sink);
    HALO_CHECK(environment != nullptr, "an embedded file has errors");
    if (auto text = session::documentation(types::program(*environment), name)) return text;
  }
  return std::nullopt;
}

constexpr size_t kMaxHits = 20;

bool printHits(const types::Program& program, const std::vector<std::string>& words) {
  const std::vector<session::Hit> hits = session::search(program, words);
  for (size_t i = 0; i < std::min(hits.size(), kMaxHits); ++i) {
    const session::Hit& hit = hits[i];
    std::printf("%s : %s\n  %s\n", hit.name.c_str(), hit.type.c_str(), hit.summary.c_str());
    if (hit.other_modules.empty()) continue;
    std::printf("  also in %s\n", fmt::format("{}", fmt::join(hit.other_modules, ", ")).c_str());
  }
  if (hits.size() > kMaxHits) {
    std::printf("%zu more: another word narrows it down\n", hits.size() - kMaxHits);
  }
  return !hits.empty();
}

// `owner` is the prelude or a file.
int unknownName(const Common& common, session::Session& session, const types::Program& program,
                const std::string& owner, const std::string& name) {
  std::vector<std::string> names;
  for (const types::Def& def : program.defs) {
    names.push_back(def.name);
    names.push_back(def.name.substr(def.name.rfind('.') + 1));  // as `documentation` finds it
  }
  std::vector<std::string> notes;
  if (auto near = diag::didYouMean(name, names)) notes.push_back("did you mean `" + *near + "`?");
  return report(
      common, session.files(),
      diag::fail(diag::Code::unknown_name, {}, owner + " has no `" + name + "`", std::move(notes))
          .value());
}

// `halo doc FILE`, and of a name there `halo doc FILE NAME`.
int docOfFile(const Common& common, session::Session& session,
              const std::vector<std::string>& words) {
  diag::Sink sink;
  const auto loaded = session.load(words[0], sink);
  const int status = report(common, session.files(), sink);
  if (!loaded) return status;
  const types::Program& program = *loaded->program();
  if (words.size() == 1) {
    std::fputs(session::documentationOfFile(program, loaded->file).c_str(), stdout);
    return status;
  }
  for (size_t i = 1; i < words.size(); ++i) {
    const auto text = session::documentation(program, session::bareName(words[i]));
    if (!text) return unknownName(common, session, program, "the program", words[i]);
    std::fputs(text->c_str(), stdout);
  }
  return status;
}

}  // namespace

int doc(const Common& common, const std::vector<std::string>& arguments) {
  std::vector<std::string> words;  // an argument in quotes may hold several
  for (const std::string& argument : arguments) {
    std::istringstream blanks(argument);
    words.insert(words.end(), std::istream_iterator<std::string>(blanks), {});
  }
  session::Session session(sessionOptions(common));
  if (words.empty()) {
    return report(common, session.files(),
                  diag::fail(diag::Code::wrong_argument_count, {}, "a name or a word is missing",
                             {"help: `halo doc map` describes `map`"})
                      .value());
  }
  if (words[0].ends_with(".fut")) return docOfFile(common, session, words);
  diag::Sink sink;
  types::EnvironmentRef prelude = session::wholePrelude(session.files(), sink);
  if (prelude == nullptr) return report(common, session.files(), sink);
  const types::Program& program = types::program(*prelude);
  if (words.size() == 1) {
    const std::string name = session::bareName(words[0]);
    auto text = session::documentation(program, name);
    if (!text) text = importedDoc(session, name);
    if (text) {
      std::fputs(text->c_str(), stdout);
      return kOk;
    }
  }
  if (printHits(program, words)) return kOk;
  return unknownName(common, session, program, "the prelude",
                     fmt::format("{}", fmt::join(words, " ")));
}

namespace {

// The heading `## 7001 index_out_of_range`: of a number, with or without its letter, or of a name.
size_t headingOf(std::string_view text, const std::string& code) {
  const bool has_letter = code.starts_with("H") || code.starts_with("h");
  const size_t by_number = text.find("\n## " + code.substr(has_letter ? 1 : 0) + " ");
  if (by_number != std::string_view::npos) return by_number;
  size_t at = text.find("\n## ");
  for (; at != std::string_view::npos; at = text.find("\n## ", at + 1)) {
    const size_t name = text.find(' ', at + 4) + 1;
    if (text.substr(name, text.find('\n', name) - name) == code) return at;
  }
  return at;
}

// Its examples indented, under words for the two kinds of them.
std::string asText(const std::string& markdown) {
  std::istringstream lines(markdown);
  std::string text, line;
  bool is_example = false;
  while (std::getline(lines, line)) {
    if (line.starts_with("```")) {
      is_example = !is_example;
      if (is_example) text += line.ends_with("mended") ? "Mended:\n\n" : "For example:\n\n";
    } else {
      text += (is_example && !line.empty() ? "  " : "") + line + "\n";
    }
  }
  return text;
}

}  // namespace

int explain(const Common& common, const std::string& code) {
  const std::string_view text = stdlib::codesText();
  const size_t begin = headingOf(text, code);
  source::Files none;
  if (begin == std::string_view::npos) {
    return report(common, none,
                  diag::fail(diag::Code::unknown_name, {}, "there is no diagnostic `" + code + "`",
                             {"codes look like `H3001`"})
                      .value());
  }
  size_t end = text.find("\n## ", begin + 1);
  std::string section(
      text.substr(begin + 1, end == std::string_view::npos ? end : end - begin - 1));
  section.replace(0, 3, "H");  // the heading: `## 7001 index_out_of_range`
  std::printf("%s\n", asText(section).c_str());
  return kOk;
}

}  // namespace halo::cli
