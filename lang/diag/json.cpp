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

// The text between `lead` and the next backtick; empty without it.
std::string_view quotedBehind(std::string_view message, std::string_view lead) {
  const size_t at = message.find(lead);
  if (at == std::string_view::npos) return {};
  const std::string_view rest = message.substr(at + lead.size());
  const size_t end = rest.find('`');
  return end == std::string_view::npos ? std::string_view() : rest.substr(0, end);
}

bool isWord(std::string_view text) {
  return text.find_first_not_of(
             "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_'.") ==
         std::string_view::npos;
}

// `(a)`, but not `(a) + (b)`.
bool isInParentheses(std::string_view text) {
  if (!text.starts_with('(')) return false;
  int depth = 0;
  for (size_t i = 0; i < text.size(); ++i) {
    depth += (text[i] == '(') - (text[i] == ')');
    if (depth == 0) return i + 1 == text.size();
  }
  return false;
}

// As an argument.
std::string asArgument(std::string_view text) {
  if (isInParentheses(text) && isWord(text.substr(1, text.size() - 2))) {
    text = text.substr(1, text.size() - 2);
  }
  if (isWord(text) || isInParentheses(text)) return std::string(text);
  return fmt::format("({})", text);
}

// The proposal for the marked text: the candidate in "did you mean `X`?", or its conversion by a
// note such as "help: `i64.i32 x` converts an `i32` to `i64`".
std::string proposalOf(const Diagnostic& diagnostic, std::string_view marked) {
  const std::string_view name = quotedBehind(diagnostic.message, "did you mean `");
  if (!name.empty()) return std::string(name);
  for (const std::string& note : diagnostic.notes) {
    if (note.find("` converts a") == std::string::npos) continue;
    std::string_view call = quotedBehind(note, "help: `");
    if (!call.ends_with(" x")) continue;
    call.remove_suffix(1);
    return fmt::format("({}{})", call, asArgument(marked));
  }
  return "";
}

std::string suggestionOf(const Diagnostic& diagnostic, const source::Files& files) {
  if (!files.contains(diagnostic.span.file)) return "";
  const std::string_view marked = files.text(diagnostic.span);
  const std::string proposal = proposalOf(diagnostic, marked);
  if (proposal.empty()) return "";
  return fmt::format(R"(, "suggestion": {{"from": {}, "to": {}}})", jsonString(marked),
                     jsonString(proposal));
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
  for (size_t i = 0; i < diagnostic.labels.size(); ++i) {
    out += (i == 0 ? "" : ", ") + labelOf(files, diagnostic.labels[i]);
  }
  out += "], \"notes\": [";
  for (size_t i = 0; i < diagnostic.notes.size(); ++i) {
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
