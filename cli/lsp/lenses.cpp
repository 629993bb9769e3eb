#include "cli/lsp/lenses.h"

#include <algorithm>

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

// The commands of a line.
Json commandsOf(const Line& line, uint32_t number, const std::string& uri) {
  const std::string path = pathOfUri(uri);
  if (line.text.starts_with(kRun)) {
    return {commandOf("run", "halo.run", {path}),
            commandOf("interp", "halo.run", {path, "--backend=interp"}),
            commandOf("cpu", "halo.run", {path, "--backend=cpu"}),
            commandOf("gpu", "halo.run", {path, "--backend=gpu"})};
  }
  if (line.text == "-- ==") return {commandOf("test", "halo.test", {path})};
  if (line.text.starts_with(kQuestion)) {
    return {commandOf("evaluate", "halo.evaluate", {uri, number})};
  }
  if (line.text.starts_with("entry ")) {
    return {commandOf("core", "halo.stage", {uri, number, "core"}),
            commandOf("glsl", "halo.stage", {uri, number, "glsl"})};
  }
  return Json::array();
}

}  // namespace

Json codeLenses(const Lines& lines, const std::string& uri) {
  Json all = Json::array();
  uint32_t number = 0;
  for (const Line& line : linesOf(lines.text())) {
    for (Json& command : commandsOf(line, number, uri)) {
      all.push_back(
          {{"range", lines.rangeOf(line.begin, line.end())}, {"command", std::move(command)}});
    }
    number++;
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
