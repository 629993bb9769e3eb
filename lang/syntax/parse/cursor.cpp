// The cursor's moves over tokens, and the errors that begin a panic.
#include "lang/syntax/parse/cursor.h"

#include <fmt/format.h>

#include <algorithm>

#include "lang/syntax/parse/habits.h"

namespace halo::syntax {

using diag::Code;

Cursor::Cursor(const source::Files& files, Span part, diag::Sink& sink, bool* incomplete)
    : files_(files),
      file_(part.file),
      sink_(sink),
      incomplete_(incomplete),
      first_diagnostic_(sink.all().size()) {
  Tokens tokens = lexPart(files, part, sink);
  lexical_diagnostics_ = sink.all().size();
  comments_.ordinary = std::move(tokens.comments);
  made_ = std::move(tokens.made);
  numbers_ = std::move(tokens.numbers);
  // In place: a second copy of 16 million tokens would be felt.
  tokens_ = std::move(tokens.tokens);
  size_t kept = 0;
  for (size_t i = 0; i < tokens_.size(); ++i) {
    if (tokens_[i].kind == TokenKind::kDocComment) {
      comments_.docs.push_back({kept, tokens_[i].text, tokens_[i].span});
    } else {
      if (kept < i) tokens_[kept] = std::move(tokens_[i]);
      ++kept;
    }
  }
  tokens_.resize(kept);
}

bool Cursor::isAdjacent(std::string_view text, size_t ahead) const {
  return isPunctuation(text, ahead) && !peek(ahead).space_before;
}

const Token& Cursor::next() {
  const Token& token = peek();
  if (!panic_ && token.kind != TokenKind::kEnd) {
    ++position_;
    last_end_ = token.span.end;
  }
  return token;
}

bool Cursor::accept(std::string_view punctuation) {
  if (!isPunctuation(punctuation)) return false;
  next();
  return true;
}

bool Cursor::acceptKeyword(std::string_view keyword) {
  if (!isKeyword(keyword)) return false;
  next();
  return true;
}

bool Cursor::expect(std::string_view punctuation, std::string_view where, std::string help) {
  if (accept(punctuation)) return true;
  unexpected(fmt::format("`{}` {}", punctuation, where), {}, std::move(help));
  return false;
}

bool Cursor::expectKeyword(std::string_view keyword, std::string_view where) {
  if (acceptKeyword(keyword)) return true;
  unexpected(fmt::format("`{}` {}", keyword, where), {}, helpForKeyword(keyword, peek().text));
  return false;
}

Identifier Cursor::identifier(std::string_view what) {
  if (!isKind(TokenKind::kIdentifier)) {
    if (isKind(TokenKind::kKeyword)) {
      fail(Code::unexpected_token, peek().span,
           fmt::format("expected {}, found the keyword `{}`", what, peek().text));
    }
    unexpected(what);
    return {"_", peek().span};
  }
  const Token& token = next();
  return nameOf(token);
}

Span Cursor::spanFrom(uint32_t begin) const { return {file_, begin, std::max(begin, last_end_)}; }

void Cursor::skip(size_t tokens) {
  for (; tokens > 0; --tokens) next();
}

// ---- errors

void Cursor::fail(Code code, Span span, std::string message, Span opener, std::string help) {
  if (panic_) return;
  panic_ = true;
  diag::Diagnostic& error = sink_.error(code, span, std::move(message));
  if (files_.contains(opener.file)) error.labels.push_back({opener, "opened here"});
  if (!help.empty()) error.notes.push_back("help: " + std::move(help));
}

void Cursor::unexpected(std::string_view expected, Span opener, std::string help) {
  if (panic_) return;
  const Token& token = peek();
  if (lexicalErrorNear(token)) {
    panic_ = true;  // the missing part is the one that the lexer complained about
    return;
  }
  if (token.kind == TokenKind::kEnd) {
    bool first = sink_.all().size() == first_diagnostic_;
    if (incomplete_ != nullptr && first) *incomplete_ = true;
    fail(Code::unexpected_end, {file_, last_end_, last_end_},
         fmt::format("expected {}, found the end of the text", expected), opener, std::move(help));
    return;
  }
  // Long strings and numbers are shown by the excerpt, not by the message.
  constexpr size_t kShown = 40;
  std::string_view found = files_.text(token.span);
  if (help.empty()) help = helpForComment(found);
  std::string shown = found == "`"            ? "a backtick"
                      : found.size() > kShown ? "something else"
                                              : fmt::format("`{}`", found);
  fail(Code::unexpected_token, token.span, fmt::format("expected {}, found {}", expected, shown),
       opener, std::move(help));
}

bool Cursor::lexicalErrorNear(const Token& token) const {
  uint32_t from = position_ > 0 ? tokens_[position_ - 1].span.begin : 0;
  const auto& all = sink_.all();
  return std::any_of(all.begin() + static_cast<ptrdiff_t>(first_diagnostic_),
                     all.begin() + static_cast<ptrdiff_t>(lexical_diagnostics_),
                     [&](const diag::Diagnostic& d) {
                       return d.span.begin >= from && d.span.begin <= token.span.end;
                     });
}

diag::Diagnostic& Cursor::report(Code code, Span span, std::string message) {
  return sink_.error(code, span, std::move(message));
}

}  // namespace halo::syntax
