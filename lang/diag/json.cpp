#include "lang/diag/json.h"

#include <fmt/format.h>

#include <algorithm>

#include "lang/diag/order.h"
#include "lang/diag/utf8.h"

namespace halo::diag {
namespace {

struct Place {
  uint32_t line, column;
};

Place placeOf(const source::Files& files, source::FileId file, uint32_t offset) {
  const auto size = static_cast<uint32_t>(files[file].text.size());
  const source::LineColumn at = files.locate(file, std::min(offset, size));
  const size_t before = codePoints(files.line(file, at.line).substr(0, at.column - 1));
  return {at.line, static_cast<uint32_t>(before) + 1};
}

// `"file": .., "line": .., ..`, or nothing for a span without a file.
std::string rangeText(const source::Files& files, Span span) {
  const std::optional<Range> range = rangeOf(span, files);
  if (!range) return "";
  return fmt::format(R"("file": {}, "line": {}, "column": {}, "end_line": {}, "end_column": {})",
                     jsonString(files[span.file].name), range->line, range->column, range->end_line,
                     range->end_column);
}

std::string labelOf(const source::Files& files, const Label& label) {
  const std::string range = rangeText(files, label.span);
  return fmt::format("{{{}{}\"text\": {}}}", range, range.empty() ? "" : ", ",
                     jsonString(label.text));
}

// The message's proposal for the marked text: the candidate in "did you mean `X`?".
std::string suggestionOf(const Diagnostic& diagnostic, const source::Files& files) {
  constexpr std::string_view kLead = "did you mean `";
  const std::string& message = diagnostic.message;
  const size_t lead = message.find(kLead);
  if (lead == std::string::npos || !files.contains(diagnostic.span.file)) return "";
  const size_t begin = lead + kLead.size();
  const size_t end = message.find('`', begin);
  if (end == std::string::npos) return "";
  return fmt::format(R"(, "suggestion": {{"from": {}, "to": {}}})",
                     jsonString(files.text(diagnostic.span)),
                     jsonString(std::string_view(message).substr(begin, end - begin)));
}

}  // namespace

std::optional<Range> rangeOf(Span span, const source::Files& files) {
  if (!files.contains(span.file)) return std::nullopt;
  const Place begin = placeOf(files, span.file, span.begin);
  const Place end = placeOf(files, span.file, std::max(span.begin, span.end));
  return Range{begin.line, begin.column, end.line, end.column};
}

std::string jsonString(std::string_view text) {
  std::string out = "\"";
  for (size_t at = 0; at < text.size();) {
    const char c = text[at];
    const size_t length = decode(text.substr(at)).length;
    if (length == 0) {
      out += "\xef\xbf\xbd";
    } else if (c == '"' || c == '\\') {
      out += {'\\', c};
    } else if (c == '\n') {
      out += "\\n";
    } else if (static_cast<unsigned char>(c) < 0x20) {
      out += fmt::format("\\u{:04x}", c);
    } else {
      out += text.substr(at, length);
    }
    at += std::max<size_t>(length, 1);
  }
  return out + '"';
}

std::string toJson(const Diagnostic& diagnostic, const source::Files& files) {
  const char* severity = diagnostic.severity == Severity::kError ? "error" : "warning";
  std::string out =
      fmt::format(R"({{"code": "{}", "severity": "{}", "message": {})", codeLabel(diagnostic.code),
                  severity, jsonString(diagnostic.message));
  const std::string range = rangeText(files, diagnostic.span);
  if (!range.empty()) out += ", " + range;
  out += ", \"labels\": [";
  for (size_t i = 0; i < diagnostic.labels.size(); i++) {
    out += (i == 0 ? "" : ", ") + labelOf(files, diagnostic.labels[i]);
  }
  out += "], \"notes\": [";
  for (size_t i = 0; i < diagnostic.notes.size(); i++) {
    out += (i == 0 ? "" : ", ") + jsonString(diagnostic.notes[i]);
  }
  return out + "]" + suggestionOf(diagnostic, files) + "}";
}

std::string toJsonLines(const Sink& sink, const source::Files& files) {
  std::string out;
  for (const Diagnostic* diagnostic : inOrder(sink)) out += toJson(*diagnostic, files) + '\n';
  return out;
}

}  // namespace halo::diag
