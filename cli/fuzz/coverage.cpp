// Words are looked at, not meanings: a name of the prelude that a program hides counts as used.
#include "cli/fuzz/coverage.h"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>

#include "lang/diag/diagnostic.h"
#include "lang/syntax/headers.h"
#include "lang/syntax/lex/lexer.h"
#include "stdlib/embedded.h"

namespace halo::fuzz {
namespace {

const char* const kConstructs[] = {"if",     "match", "loop",   "for",     "while", "let", "with",
                                   "assert", "type",  "module", "open",    "\\",    "#",   "|>",
                                   "<|",     ">->",   "[::]",   "..",      "...",   "..<", "..>",
                                   ":>",     "?",     "true",   "`",       "**",    "//",  "%%",
                                   ">>>",    "entry", "lowest", "highest", "nan",   "inf"};

// The definitions documented at the top level of the files of arrays, functions and stencils.
std::vector<std::string> preludeNames() {
  std::vector<std::string> names;
  source::Files files;
  for (const stdlib::EmbeddedFile& file : stdlib::files()) {
    const bool has_arrays = file.name.starts_with("basis_") || file.name == "basis.fut" ||
                            file.name == "functional.fut" || file.name == "stencil.fut";
    if (!has_arrays || file.name.starts_with("basis_number")) continue;
    const source::FileId id = files.add(std::string(file.name), std::string(file.text));
    const source::Span whole{id, 0, static_cast<uint32_t>(file.text.size())};
    for (const syntax::Header& header : syntax::headers(files, whole, 0)) {
      const bool is_documented =
          file.text.substr(header.span.begin, header.span.end - header.span.begin).find("-- |") !=
          std::string_view::npos;
      // Two do nothing but print.
      const bool prints = header.name == "trace" || header.name == "break";
      const bool is_name = !prints && !header.name.empty() && std::isalpha(header.name[0]) != 0;
      if (header.kind == syntax::HeaderKind::kValue && is_documented && is_name) {
        names.push_back(header.name);
      }
    }
  }
  return names;
}

bool isName(const syntax::Token& token) { return token.kind == syntax::TokenKind::kIdentifier; }

// `main_4_narrow: histogram, 4608 keys a tile` without the parts that differ each time.
std::string scheduleOf(const std::string& line) {
  const size_t colon = line.find(": ");
  std::string text;
  for (const char c : line.substr(colon == std::string::npos ? 0 : colon + 2)) {
    if (std::isdigit(static_cast<unsigned char>(c)) == 0) {
      text += c;
    } else if (text.empty() || text.back() != 'N') {
      text += 'N';
    }
  }
  return text.substr(0, text.find(';'));
}

}  // namespace

Coverage::Coverage() {
  for (const char* construct : kConstructs) constructs_[construct] = 0;
  for (const std::string& name : preludeNames()) prelude_[name] = 0;
}

void Coverage::add(const std::string& program) {
  source::Files files;
  diag::Sink sink;
  const syntax::Tokens lexed = syntax::lex(files, files.add("program", program), sink);
  std::set<std::string> words;
  for (size_t i = 0; i < lexed.tokens.size(); ++i) {
    const syntax::Token& token = lexed.tokens[i];
    words.emplace(token.text);
    const bool is_member = isName(token) && i + 2 < lexed.tokens.size() &&
                           lexed.tokens[i + 1].text == "." && isName(lexed.tokens[i + 2]);
    if (is_member) members_.insert(fmt::format("{}.{}", token.text, lexed.tokens[i + 2].text));
  }
  if (program.find("::") != std::string::npos) words.insert("[::]");
  for (auto* known : {&constructs_, &prelude_}) {
    for (auto& [name, count] : *known) count += words.contains(name) ? 1 : 0;
  }
}

void Coverage::addSchedules(const std::vector<std::string>& schedules) {
  std::set<std::string> seen;
  for (const std::string& line : schedules) seen.insert(scheduleOf(line));
  for (const std::string& schedule : seen) ++schedules_[schedule];
}

std::string Coverage::text() const {
  std::string out;
  const auto tell = [&](const char* what, const std::map<std::string, int>& all) {
    const auto covered =
        std::count_if(all.begin(), all.end(), [](const auto& one) { return one.second > 0; });
    out += std::string(what) + ": " + std::to_string(covered) + " of " + std::to_string(all.size());
    std::string missing;
    for (const auto& [name, count] : all) {
      if (count == 0) missing += " " + name;
    }
    out += missing.empty() ? "\n" : "; in no program:" + missing + "\n";
  };
  tell("constructs", constructs_);
  tell("prelude", prelude_);
  out += "functions of modules: " + std::to_string(members_.size()) + "\n";
  if (!schedules_.empty()) out += "schedules: " + std::to_string(schedules_.size()) + "\n";
  for (const auto& [schedule, count] : schedules_) {
    out += "  " + std::to_string(count) + "  " + schedule + "\n";
  }
  return out;
}

std::string Coverage::counts(const std::map<std::string, int>& all) const {
  std::string out;
  for (const auto& [name, count] : all) {
    std::string escaped;
    for (const char c : name)
      escaped += c == '\\' || c == '"' ? std::string{'\\', c} : std::string{c};
    out += (out.empty() ? "\"" : ", \"") + escaped + "\": " + std::to_string(count);
  }
  return "{" + out + "}";
}

std::string Coverage::json() const {
  return "{\"constructs\": " + counts(constructs_) + ", \"prelude\": " + counts(prelude_) +
         ", \"schedules\": " + counts(schedules_) + "}";
}

}  // namespace halo::fuzz
