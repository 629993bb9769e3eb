// Quick fixes: what a diagnostic of this server says to write.
#include <algorithm>

#include "cli/lsp/answers.h"

namespace halo::lsp {
namespace {

struct Fix {
  std::string title;
  Json range;
  std::string text;
};

// The text in backticks behind the words.
std::string quotedBehind(const std::string& message, std::string_view words) {
  const size_t begin = message.find(words);
  if (begin == std::string::npos) return "";
  const size_t from = begin + words.size();
  return message.substr(from, message.find('`', from) - from);
}

std::optional<Fix> proposed(const Json& diagnostic) {
  const Json data = diagnostic.value("data", Json());
  const Json text = data.is_object() ? data.value("suggestion", Json()) : Json();
  if (!text.is_string()) return std::nullopt;
  return Fix{"Change to `" + text.get<std::string>() + "`", diagnostic["range"],
             text.get<std::string>()};
}

// The second of two candidates: `did you mean `f64.sqrt` or `f32.sqrt`?`
std::optional<Fix> alternative(const Json& diagnostic, const std::string& message) {
  const size_t behind = message.find("did you mean `");
  if (behind == std::string::npos) return std::nullopt;
  const std::string name = quotedBehind(message.substr(behind), "` or `");
  if (name.empty()) return std::nullopt;
  return Fix{"Change to `" + name + "`", diagnostic["range"], name};
}

// A name that nothing uses may begin with `_`.
std::optional<Fix> unused(const Json& diagnostic, const std::string& message) {
  const std::string name = quotedBehind(message, "unused name `");
  if (name.empty()) return std::nullopt;
  return Fix{"Change to `_" + name + "`", diagnostic["range"], "_" + name};
}

// Behind the last case of a `match`, in its column, or on its line.
std::optional<Fix> missingCase(const Json& diagnostic, const std::string& message,
                               const Lines& lines) {
  const std::string pattern = quotedBehind(message, "no case of this `match` takes `");
  if (pattern.empty()) return std::nullopt;
  const Json& range = diagnostic["range"];
  const uint32_t begin = lines.offsetOf(range.value("start", Json()));
  const uint32_t end = lines.offsetOf(range.value("end", Json()));
  const std::string_view match = lines.text().substr(begin, std::max(begin, end) - begin);
  const size_t last = match.rfind("case ");
  const size_t line = match.rfind('\n', last);
  const bool begins_line =
      line != std::string_view::npos && match.find_first_not_of(' ', line + 1) == last;
  const std::string gap = begins_line ? "\n" + std::string(last - line - 1, ' ') : " ";
  return Fix{"Add `case " + pattern + "`",
             {{"start", range["end"]}, {"end", range["end"]}},
             gap + "case " + pattern + " -> ???"};
}

}  // namespace

Json codeActions(const Json& diagnostics, const Lines& lines, const std::string& uri) {
  Json all = Json::array();
  if (!diagnostics.is_array()) return all;
  for (const Json& diagnostic : diagnostics) {
    if (!diagnostic.is_object() || !diagnostic.contains("range")) continue;
    const Json told = diagnostic.value("message", Json());
    const std::string message = told.is_string() ? told.get<std::string>() : "";
    for (const auto& fix : {proposed(diagnostic), alternative(diagnostic, message),
                            unused(diagnostic, message), missingCase(diagnostic, message, lines)}) {
      if (!fix) continue;
      const Json edit = {{"range", fix->range}, {"newText", fix->text}};
      all.push_back({{"title", fix->title},
                     {"kind", "quickfix"},
                     {"diagnostics", {diagnostic}},
                     {"edit", {{"changes", {{uri, {edit}}}}}}});
    }
  }
  return all;
}

}  // namespace halo::lsp
