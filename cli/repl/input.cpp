// The parser classifies an input; nothing here knows the grammar but the words that cannot begin
// one.
#include "cli/repl/input.h"

#include <algorithm>
#include <array>

#include "lang/syntax/lex/keywords.h"
#include "lang/syntax/lex/lexer.h"
#include "lang/syntax/parse/parser.h"

namespace halo::repl {

namespace {

constexpr std::array<std::string_view, 7> kContinuing = {"in",   "then", "else", "case",
                                                         "with", "do",   "of"};
constexpr std::string_view kPrompts[] = {"> ", "| "};

bool isBlank(char c) { return c == ' ' || c == '\t' || c == '\r'; }

bool isWordPart(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_';
}

// A parser's result for the text.
struct Attempt {
  diag::Sink sink;
  bool incomplete = false;
  bool accepts() const { return !sink.hasErrors(); }
};

Attempt asExpression(const source::Files& files, source::FileId file) {
  Attempt attempt;
  syntax::Tree tree;
  syntax::parseExpression(files, file, tree, attempt.sink, &attempt.incomplete);
  return attempt;
}

Attempt asDeclarations(const source::Files& files, source::FileId file) {
  Attempt attempt;
  syntax::Tree tree;
  syntax::parseFile(files, file, {}, tree, attempt.sink, &attempt.incomplete);
  return attempt;
}

bool beginsDeclaration(const syntax::Token& token) {
  if (token.kind == syntax::TokenKind::kPunctuation) return token.text == "#[";
  return token.kind == syntax::TokenKind::kKeyword && syntax::declares(token.text);
}

// The open brackets at the end of a text, and its last token.
struct Ending {
  int brackets = 0;  // of all kinds
  int braces = 0;
  std::string_view last;
};

Ending endingOf(const syntax::Tokens& tokens) {
  Ending ending;
  for (const syntax::Token& token : tokens.tokens) {
    const bool is_code =
        token.kind != syntax::TokenKind::kDocComment && token.kind != syntax::TokenKind::kEnd;
    if (!is_code) continue;
    ending.last = token.text;
    if (token.kind != syntax::TokenKind::kPunctuation) continue;
    const bool opens = token.text == "(" || token.text == "[" || token.text == "#[";
    const bool closes = token.text == ")" || token.text == "]";
    const int brace = static_cast<int>(token.text == "{") - static_cast<int>(token.text == "}");
    ending.brackets += static_cast<int>(opens) - static_cast<int>(closes) + brace;
    ending.braces += brace;
  }
  return ending;
}

std::string_view withoutPrompt(std::string_view line) {
  for (std::string_view prompt : kPrompts) {
    if (line.starts_with(prompt)) return line.substr(prompt.size());
  }
  return line;
}

// Lines behind a prompt were copied from a session of ours; those without one were its output.
bool isTranscript(std::string_view text) { return text.starts_with(kPrompts[0]); }

std::vector<std::string_view> linesOf(std::string_view text) {
  std::vector<std::string_view> lines;
  for (size_t at = 0; at < text.size();) {
    const size_t end = std::min(text.find('\n', at), text.size());
    lines.push_back(text.substr(at, end - at));
    at = end + 1;
  }
  return lines;
}

}  // namespace

InputKind classify(source::Files& files, source::FileId file, diag::Sink& sink) {
  const std::string& text = files[file].text;
  diag::Sink ignored;
  const syntax::Tokens tokens = syntax::lex(files, file, ignored);
  const auto is_code = [](const syntax::Token& token) {
    return token.kind != syntax::TokenKind::kDocComment;
  };
  const syntax::Token& first = *std::find_if(tokens.tokens.begin(), tokens.tokens.end(), is_code);
  if (first.kind == syntax::TokenKind::kEnd && !ignored.hasErrors()) return InputKind::kNothing;
  const size_t begin = text.find_first_not_of(" \t\r\n");
  if (begin != std::string::npos && text[begin] == ':') return InputKind::kCommand;
  const Attempt expression = asExpression(files, file);
  if (expression.accepts()) return InputKind::kExpression;
  const Attempt declarations = asDeclarations(files, file);
  if (declarations.accepts()) return InputKind::kDeclarations;
  const bool is_incomplete = expression.incomplete || declarations.incomplete;
  const bool is_let = first.text == "let" && first.kind == syntax::TokenKind::kKeyword;
  const bool is_definition = is_incomplete ? declarations.incomplete && !expression.incomplete
                                           : beginsDeclaration(first) || is_let;
  const Attempt& meant = is_definition ? declarations : expression;
  for (const diag::Diagnostic& diagnostic : meant.sink.all()) sink.add(diagnostic);
  return is_incomplete ? InputKind::kIncomplete : InputKind::kWrong;
}

bool isIncomplete(std::string_view text) {
  source::Files files;
  diag::Sink sink;
  const source::FileId file = files.add("input", std::string(text));
  const InputKind kind = classify(files, file, sink);
  const bool is_doc = text.find("-- |") != std::string_view::npos;  // waits for its definition
  return kind == InputKind::kIncomplete || (kind == InputKind::kNothing && is_doc);
}

bool beginsAnother(std::string_view open, std::string_view line) {
  if (continuesInput(line)) return false;
  source::Files files;
  diag::Sink ignored;
  const source::FileId open_file = files.add("input", std::string(open));
  const source::FileId line_file = files.add("line", std::string(line));
  const syntax::Tokens tokens = syntax::lex(files, open_file, ignored);
  const Ending ending = endingOf(tokens);
  const bool is_inside = ending.brackets > 0;
  if (ending.last.empty() || ending.braces > 0) return false;
  if (!is_inside && ending.last == "=") return true;
  const syntax::Tokens next = syntax::lex(files, line_file, ignored);
  const bool is_prefix = !is_inside && (ending.last == "local" || ending.last == "]");
  return !is_prefix && beginsDeclaration(next.tokens.front());
}

bool continuesInput(std::string_view line) {
  if (line.empty()) return true;
  if (isBlank(line[0])) return true;
  size_t length = 0;
  while (length < line.size() && isWordPart(line[length])) ++length;
  if (length > 0) {
    const std::string_view word = line.substr(0, length);
    return std::find(kContinuing.begin(), kContinuing.end(), word) != kContinuing.end();
  }
  if (line.starts_with("--")) return false;
  return std::string_view(")]}|+*/%&<>=^,`").find(line[0]) != std::string_view::npos;
}

std::vector<std::string> splitInputs(std::string_view text) {
  std::vector<std::string> inputs;
  std::string open;
  const bool is_transcript = isTranscript(text);
  const auto close = [&] {
    while (!open.empty() && open.back() == '\n') open.pop_back();
    if (open.find_first_not_of(" \t\r\n") != std::string::npos) inputs.push_back(open);
    open.clear();
  };
  for (std::string_view line : linesOf(text)) {
    if (is_transcript) {
      const std::string_view rest = withoutPrompt(line);
      if (rest.size() == line.size()) continue;
      if (line.starts_with(kPrompts[0])) close();
      line = rest;
    }
    const bool is_command = line.starts_with(":");
    if (!open.empty() && (is_command || (!continuesInput(line) && !isIncomplete(open)))) close();
    open += line;
    open += '\n';
    if (is_command) close();
  }
  close();
  return inputs;
}

}  // namespace halo::repl
