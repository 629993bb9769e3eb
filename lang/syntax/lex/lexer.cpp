// Tokens from bytes: trivia, names, operators, punctuation. Numbers are in lex_number.cpp, strings
// and quotes in lex_text.cpp. An operator is the longest run of operator characters, as in Futhark.
#include "lang/syntax/lex/lexer.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>

#include "lang/syntax/lex/keywords.h"
#include "lang/syntax/lex/lexer_state.h"
#include "lang/syntax/lex/utf8.h"

namespace halo::syntax {

using diag::Code;

namespace {

bool isSpace(char c) {
  return c == ' ' || c == '\t' || c == '\n' || c == '\r' || c == '\f' || c == '\v';
}

}  // namespace

Tokens Lexer::run() {
  constexpr size_t kBytesOfToken = 2;  // with the space around, in dense programs: no copy later
  tokens_.tokens.reserve((text_.size() - position_) / kBytesOfToken + 1);
  if (checkFile()) {
    skipStart();
    while (!sink_.full() && skipTrivia()) token();
  }
  // The end is where the text ends, not where an early stop left the cursor.
  position_ = text_.size();
  emit(TokenKind::kEnd, position_);
  return std::move(tokens_);
}

bool Lexer::checkFile() {
  if (text_.size() > kMaxFileSize) {
    sink_.error(Code::file_too_large, {file_, 0, 0},
                fmt::format("the file has {} bytes, the limit is {}", text_.size(), kMaxFileSize));
    return false;
  }
  for (size_t i = position_; i < text_.size() && !sink_.full();) {
    if (static_cast<unsigned char>(text_[i]) < 0x80) {
      ++i;
      continue;
    }
    size_t length = decodeUtf8(text_.substr(i)).length;
    size_t begin = i;
    while (length == 0 && ++i < text_.size()) length = decodeUtf8(text_.substr(i)).length;
    if (i > begin) {
      sink_.error(Code::invalid_utf8,
                  {file_, static_cast<uint32_t>(begin), static_cast<uint32_t>(i)},
                  fmt::format("found {} not UTF-8, a program is UTF-8 text",
                              i - begin == 1 ? "a byte that is" : "bytes that are"));
    }
    i += length;
  }
  return true;
}

void Lexer::skipStart() {
  if (position_ > 0) return;
  if (startsWith("\xef\xbb\xbf")) position_ += 3;  // byte order mark
  if (startsWith("#!")) position_ = std::min(text_.find('\n', position_), text_.size());
}

// False at the end of the text.
bool Lexer::skipTrivia() {
  while (!atEnd()) {
    if (isSpace(at())) {
      ++position_;
    } else if (!startsWith("--")) {
      return true;
    } else if (startsWith("-- |")) {
      space_before_ = true;
      docComment();
    } else {
      comment();
    }
    space_before_ = true;
  }
  return false;
}

void Lexer::comment() {
  size_t begin = position_;
  position_ = std::min(text_.find('\n', position_), text_.size());
  tokens_.comments.push_back({spanFrom(begin)});
}

// `-- |` and the comment lines right below it, up to a test block.
void Lexer::docComment() {
  size_t begin = position_;
  std::string text;
  position_ += 4;
  while (true) {
    size_t end = std::min(text_.find('\n', position_), text_.size());
    std::string_view line = text_.substr(position_, end - position_);
    if (!line.empty() && line.back() == '\r') line.remove_suffix(1);
    if (!line.empty() && line.front() == ' ') line.remove_prefix(1);
    if (!text.empty()) text += '\n';
    text += line;
    position_ = end;
    size_t next = end + 1;
    while (next < text_.size() && (text_[next] == ' ' || text_[next] == '\t')) ++next;
    std::string_view below = next < text_.size() ? text_.substr(next) : std::string_view();
    if (below.substr(0, 2) != "--" || below.substr(0, 5) == "-- ==") break;
    position_ = next + 2;
  }
  emitMade(TokenKind::kDocComment, begin, std::move(text));
}

void Lexer::token() {
  char c = at();
  if (isDigit(c)) {
    number();
  } else if (isNameStart(c)) {
    name();
  } else if (c == '"') {
    string();
  } else if (c == '\'') {
    quote();
  } else if (isOperatorStart(c)) {
    operatorSymbol();
  } else {
    punctuation();
  }
}

void Lexer::name() {
  size_t begin = position_;
  while (!atEnd() && isNamePart(at())) ++position_;
  const std::string_view text = textFrom(begin);
  TokenKind kind = keywordOf(text) != nullptr ? TokenKind::kKeyword : TokenKind::kIdentifier;
  if (text == "_") kind = TokenKind::kPunctuation;
  emit(kind, begin);
}

void Lexer::operatorSymbol() {
  size_t begin = position_;
  while (!atEnd() && isOperatorPart(at())) ++position_;
  const std::string_view text = textFrom(begin);
  const bool reserved = text == "=" || text == "->";
  emit(reserved ? TokenKind::kPunctuation : TokenKind::kOperator, begin);
}

void Lexer::punctuation() {
  // Longer ones first.
  static constexpr std::array<std::string_view, 23> kPunctuation = {
      "???", "...", "..<", "..>", "..", ":>", "#[", "(", ")", "[", "]", "{",
      "}",   ",",   ";",   ":",   "\\", ".",  "`",  "#", "?", "~", "$"};
  for (std::string_view symbol : kPunctuation) {
    if (!startsWith(symbol)) continue;
    size_t begin = position_;
    position_ += symbol.size();
    emit(TokenKind::kPunctuation, begin);
    return;
  }
  unexpected();
}

// One complaint for a run of bytes that start no token. Bytes that are not UTF-8 had theirs.
void Lexer::unexpected() {
  size_t begin = position_;
  std::optional<uint32_t> first;
  auto startsToken = [&](char c) {
    return isSpace(c) || isNamePart(c) || isOperatorStart(c) ||
           std::string_view("()[]{},;:\\.`#?~$\"").find(c) != std::string_view::npos;
  };
  while (!atEnd() && (at() == '\0' || !startsToken(at()))) {
    CodePoint c = decodeUtf8(rest());
    if (c.length > 0 && !first) first = c.value;
    position_ += std::max<size_t>(c.length, 1);
  }
  space_before_ = true;
  if (!first) return;
  std::string shown = fmt::format("U+{:04X}", *first);
  if (*first >= 0x20 && *first < 0x7f) shown = fmt::format("`{}`", static_cast<char>(*first));
  sink_.error(Code::unexpected_character, spanFrom(begin),
              fmt::format("unexpected character {}, which starts no token", shown));
}

Tokens lex(const source::Files& files, source::FileId file, diag::Sink& sink) {
  const size_t size = std::min<size_t>(files[file].text.size(), UINT32_MAX);
  return lexPart(files, {file, 0, static_cast<uint32_t>(size)}, sink);
}

Tokens lexPart(const source::Files& files, Span part, diag::Sink& sink) {
  return Lexer(files, part, sink).run();
}

namespace {

std::string_view kindName(TokenKind kind) {
  switch (kind) {
    case TokenKind::kIdentifier:
      return "identifier";
    case TokenKind::kKeyword:
      return "keyword";
    case TokenKind::kNumber:
      return "number";
    case TokenKind::kString:
      return "string";
    case TokenKind::kChar:
      return "char";
    case TokenKind::kOperator:
      return "operator";
    case TokenKind::kPunctuation:
      return "punctuation";
    case TokenKind::kTypeVariable:
      return "type variable";
    case TokenKind::kDocComment:
      return "doc comment";
    case TokenKind::kEnd:
      return "end";
  }
  HALO_UNREACHABLE("token kind out of range");
}

}  // namespace

std::string print(const Tokens& tokens, const source::Files& files) {
  std::string out;
  for (const Token& token : tokens.tokens) {
    source::LineColumn at = files.locate(token.span.file, token.span.begin);
    out += fmt::format("{}:{} {}", at.line, at.column, kindName(token.kind));
    std::string_view text = files.text(token.span);
    text = text.substr(0, text.find('\n'));
    if (!text.empty()) out += fmt::format(" {}", text);
    out += '\n';
  }
  return out;
}

}  // namespace halo::syntax
