#include "cli/lsp/lenses.h"

#include <algorithm>

#include "cli/session/testing/example.h"
#include "cli/session/values/arguments.h"

namespace halo::lsp {

namespace {

constexpr std::string_view kRun = "-- run:", kQuestion = "-- >>> ", kAnswer = "-- => ";

struct Line {
  std::string_view text;
  uint32_t begin;
  uint32_t end() const { return begin + static_cast<uint32_t>(text.size()); }
};

std::vector<Line> linesOf(std::string_view text) {
  std::vector<Line> lines;
  for (size_t at = 0; at < text.size();) {
    const size_t end = std::min(text.find('\n', at), text.size());
    lines.push_back({text.substr(at, end - at), static_cast<uint32_t>(at)});
    at = end + 1;
  }
  return lines;
}

Json commandOf(const std::string& title, const std::string& name, Json arguments) {
  return {{"title", title}, {"command", name}, {"arguments", std::move(arguments)}};
}

// On the engine that halo takes, and on each one. `words` follow the program.
Json runsOf(const std::string& path, const std::vector<std::string>& words) {
  Json all = Json::array();
  for (const char* engine : {"", "interp", "cpu", "gpu"}) {
    const std::string name = engine;
    Json arguments = {path};
    if (!name.empty()) arguments.push_back("--backend=" + name);
    for (const std::string& word : words) arguments.push_back(word);
    all.push_back(commandOf(name.empty() ? "run" : name, "halo.run", std::move(arguments)));
  }
  return all;
}

// The name behind `entry` or of `def main`; empty: this line begins no entry.
std::string entryOf(std::string_view line) {
  for (const std::string_view start : {std::string_view("entry "), std::string_view("def ")}) {
    if (!line.starts_with(start)) continue;
    const size_t begin = line.find_first_not_of(' ', start.size());
    if (begin == std::string_view::npos) return "";
    const size_t end = std::min(line.find_first_of(" ([=:\t", begin), line.size());
    const std::string_view name = line.substr(begin, end - begin);
    if (start == "entry " || name == "main") return std::string(name);
  }
  return "";
}

// How to call an entry: by its `-- run:` line, else with the values of its first test case. Without
// values `halo run` says which it needs.
class Calls {
 public:
  Calls(std::string_view text, const std::string& path) {
    source::Files files;
    auto program = session::parseTestProgram(files, files.add(path, std::string(text)));
    if (program) program_ = std::move(*program);
    folder_ = path.substr(0, path.rfind('/') + 1);
    if (!program_.run_line) return;
    entry_of_line_ = "main";
    for (const std::string& word : session::splitWords(*program_.run_line)) {
      if (word.starts_with("--entry=")) entry_of_line_ = word.substr(8);
    }
  }

  std::vector<std::string> wordsFor(const std::string& entry) const {
    if (entry == entry_of_line_) return {};
    std::vector<std::string> words = {"--entry=" + entry};
    const auto values = session::exampleWords(program_, entry, folder_);
    if (values) words.insert(words.end(), values->begin(), values->end());
    return words;
  }

 private:
  session::TestProgram program_;
  std::string folder_;
  std::string entry_of_line_;  // what its `-- run:` line calls
};

// The commands of a line.
Json commandsOf(const Line& line, uint32_t number, const std::string& uri, const Calls& calls) {
  const std::string path = pathOfUri(uri);
  if (line.text.starts_with(kRun)) return runsOf(path, {});
  if (line.text == "-- ==") return {commandOf("test", "halo.test", {path})};
  if (line.text.starts_with(kQuestion)) {
    return {commandOf("evaluate", "halo.evaluate", {uri, number})};
  }
  const std::string entry = entryOf(line.text);
  if (entry.empty()) return Json::array();
  Json all = runsOf(path, calls.wordsFor(entry));
  for (const char* stage : {"core", "glsl"}) {
    all.push_back(commandOf(stage, "halo.stage", {uri, number, stage}));
  }
  return all;
}

}  // namespace

Json codeLenses(const Lines& lines, const std::string& uri) {
  Json all = Json::array();
  const Calls calls(lines.text(), pathOfUri(uri));
  uint32_t number = 0;
  for (const Line& line : linesOf(lines.text())) {
    for (Json& command : commandsOf(line, number, uri, calls)) {
      all.push_back(
          {{"range", lines.rangeOf(line.begin, line.end())}, {"command", std::move(command)}});
    }
    ++number;
  }
  return all;
}

Answered answeredAt(std::string_view text, uint32_t line) {
  const std::vector<Line> lines = linesOf(text);
  if (line >= lines.size() || !lines[line].text.starts_with(kQuestion)) return {};
  Answered found{std::string(lines[line].text.substr(kQuestion.size())), lines[line].end(),
                 lines[line].end()};
  if (line + 1 < lines.size() && lines[line + 1].text.starts_with(kAnswer)) {
    found.end = lines[line + 1].end();
  }
  return found;
}

std::string answerLine(const std::string& value) { return "\n" + std::string(kAnswer) + value; }

}  // namespace halo::lsp
