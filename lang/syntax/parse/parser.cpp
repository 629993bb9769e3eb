// The parser's cursor, its errors and how it recovers from them; see parser_state.h.
#include "lang/syntax/parse/parser.h"

#include <fmt/format.h>

#include <algorithm>

#include "lang/base/stack.h"
#include "lang/syntax/lex/keywords.h"
#include "lang/syntax/parse/habits.h"
#include "lang/syntax/parse/parser_state.h"
#include "lang/syntax/visit.h"

namespace halo::syntax {

using diag::Code;

Parser::Parser(const source::Files& files, Span part, const ParseOptions& options, Tree& tree,
               diag::Sink& sink, bool* incomplete)
    : files_(files),
      file_(part.file),
      options_(options),
      tree_(tree),
      sink_(sink),
      incomplete_(incomplete),
      first_diagnostic_(sink.all().size()),
      first_expr_(tree.exprs.size()) {
  Tokens tokens = lexPart(files, part, sink);
  lexical_diagnostics_ = sink.all().size();
  comments_ = std::move(tokens.comments);
  made_ = std::move(tokens.made);
  numbers_ = std::move(tokens.numbers);
  // In place: a second copy of 16 million tokens would be felt.
  tokens_ = std::move(tokens.tokens);
  size_t kept = 0;
  for (size_t i = 0; i < tokens_.size(); ++i) {
    if (tokens_[i].kind == TokenKind::kDocComment) {
      docs_.push_back({kept, std::move(tokens_[i])});
    } else {
      if (kept < i) tokens_[kept] = std::move(tokens_[i]);
      ++kept;
    }
  }
  tokens_.resize(kept);
}

File Parser::wholeFile() {
  File file{file_, declarations(false), {}};
  leaveDocs(tokens_.size());
  std::sort(comments_.begin(), comments_.end(),
            [](const Comment& a, const Comment& b) { return a.span.begin < b.span.begin; });
  file.comments = std::move(comments_);
  return file;
}

ExprId Parser::wholeExpression() {
  ExprId result = expression();
  if (!panic_ && !isKind(TokenKind::kEnd)) {
    const bool is_definition = isPunctuation("=");  // the session says how one is written
    const bool is_arrow = peek().text == "->";
    unexpected("the end of the expression", {},
               is_definition ? ""
               : is_arrow    ? helpAtArrow()
                             : helpBehindValue(peek().text));
  }
  return result;
}

// ---- cursor

bool Parser::isAdjacent(std::string_view text, size_t ahead) const {
  return isPunctuation(text, ahead) && !peek(ahead).space_before;
}

const Token& Parser::next() {
  const Token& token = peek();
  if (!panic_ && token.kind != TokenKind::kEnd) {
    ++position_;
    last_end_ = token.span.end;
  }
  return token;
}

bool Parser::accept(std::string_view punctuation) {
  if (!isPunctuation(punctuation)) return false;
  next();
  return true;
}

bool Parser::acceptKeyword(std::string_view keyword) {
  if (!isKeyword(keyword)) return false;
  next();
  return true;
}

bool Parser::expect(std::string_view punctuation, std::string_view where, std::string help) {
  if (accept(punctuation)) return true;
  unexpected(fmt::format("`{}` {}", punctuation, where), {}, std::move(help));
  return false;
}

bool Parser::expectKeyword(std::string_view keyword, std::string_view where) {
  if (acceptKeyword(keyword)) return true;
  unexpected(fmt::format("`{}` {}", keyword, where));
  return false;
}

Identifier Parser::identifier(std::string_view what) {
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

Span Parser::spanFrom(uint32_t begin) const { return {file_, begin, std::max(begin, last_end_)}; }

// ---- errors

void Parser::fail(Code code, Span span, std::string message, Span opener, std::string help) {
  if (panic_) return;
  panic_ = true;
  diag::Diagnostic& error = sink_.error(code, span, std::move(message));
  if (files_.contains(opener.file)) error.labels.push_back({opener, "opened here"});
  if (!help.empty()) error.notes.push_back("help: " + std::move(help));
}

void Parser::unexpected(std::string_view expected, Span opener, std::string help) {
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

bool Parser::lexicalErrorNear(const Token& token) const {
  uint32_t from = position_ > 0 ? tokens_[position_ - 1].span.begin : 0;
  const auto& all = sink_.all();
  return std::any_of(all.begin() + static_cast<ptrdiff_t>(first_diagnostic_),
                     all.begin() + static_cast<ptrdiff_t>(lexical_diagnostics_),
                     [&](const diag::Diagnostic& d) {
                       return d.span.begin >= from && d.span.begin <= token.span.end;
                     });
}

void Parser::tooDeep() {
  fail(Code::nesting_too_deep, peek().span,
       fmt::format("more than {} constructs are nested here", kMaxNesting));
}

void Parser::checkFieldCount(size_t count, Span span) {
  if (count <= kMaxFields) return;
  sink_.error(Code::too_many_fields, span,
              fmt::format("a tuple or record with {} fields, the limit is {}", count, kMaxFields));
}

// `(x,)`, whose `)` is behind the cursor.
void Parser::checkLoneElement() {
  if (panic_ || position_ < 2 || tokens_[position_ - 2].text != ",") return;
  sink_.error(Code::unexpected_token, tokens_[position_ - 2].span,
              "a comma behind a single element, a tuple has at least two");
}

// Long chains, `x |> f |> g ..`, are no nesting to read; all later phases walk down to their ends.
// A chain that is too long is cut off, without a panic: callers are in the middle of something.
ExprId Parser::add(ExprNode node, Span span) {
  levels_.push_back(levelsOf(node));
  if (levels_.back() > base::stackLevels()) {
    if (!std::exchange(reported_levels_, true)) {
      sink_.error(Code::nesting_too_deep, span,
                  fmt::format("more than {} operations follow one another in this expression",
                              base::stackLevels()));
    }
    levels_.back() = 0;
    node = Hole{};
  }
  return tree_.exprs.add({std::move(node), span});
}

// Chains of `let` are walked by loops.
uint32_t Parser::levelsOf(const ExprNode& node) const {
  const auto* let = std::get_if<Let>(&node);
  uint32_t levels = 0;
  const auto visit = [&](ExprId child) {
    const bool is_chain = let != nullptr && child == let->body;
    const uint32_t own = child.index < first_expr_ ? 0 : levels_[child.index - first_expr_];
    levels = std::max(levels, own + (is_chain ? 0 : 1));
  };
  forEachChild(node, std::ref(visit));  // a reference takes no memory
  return levels;
}

PatternId Parser::addPattern(PatternNode node, Span span) {
  return tree_.patterns.add({std::move(node), span});
}
TypeExprId Parser::addType(TypeNode node, Span span) {
  return tree_.types.add({std::move(node), span});
}

ExprId Parser::errorExpr() { return add(TupleExpr{}, spanFrom(last_end_)); }
TypeExprId Parser::errorType() { return addType(TypeTuple{}, spanFrom(last_end_)); }
PatternId Parser::errorPattern() { return addPattern(PatternWildcard{}, spanFrom(last_end_)); }

// ---- recovery; these look at the tokens themselves, because in a panic peek() shows the end

// No expression contains these words. A `let` counts at the start of a line only, words of module
// types do where these are: elsewhere they are taken for names.
bool Parser::startsDeclaration(size_t index) const {
  const Token& token = tokens_[index];
  if (token.kind != TokenKind::kKeyword) return false;
  if (token.text == "let") return files_.locate(file_, token.span.begin).column == 1;
  const KeywordUse use = keywordOf(token.text)->use;
  return use == KeywordUse::kDeclaration || (in_specs_ && use == KeywordUse::kSpecification);
}

namespace {

bool isOpener(const Token& token) {
  return token.kind == TokenKind::kPunctuation &&
         (token.text == "(" || token.text == "[" || token.text == "{" || token.text == "#[");
}

bool isCloser(const Token& token) {
  return token.kind == TokenKind::kPunctuation &&
         (token.text == ")" || token.text == "]" || token.text == "}");
}

}  // namespace

// A `->` that no construct takes belongs to a case or to a function: to a case if one is open in
// the same brackets. A pattern in brackets that are not closed says nothing about either.
std::string Parser::helpAtArrow() const {
  size_t closed = 0;
  for (size_t i = position_; i-- > 0 && !startsDeclaration(i);) {
    if (isCloser(tokens_[i])) ++closed;
    if (isOpener(tokens_[i]) && closed-- == 0) {
      const bool is_pattern =
          i > 0 && (tokens_[i - 1].text == "case" || tokens_[i - 1].text == "\\");
      return is_pattern ? "" : helpBehindValue("->");
    }
    if (closed == 0 && tokens_[i].text == "case") return helpForCase();
  }
  return helpBehindValue("->");
}

bool Parser::close(std::string_view closer, std::string_view what, Span opener) {
  if (accept(closer)) return true;
  if (!panic_) {
    const bool is_arrow = closer == ")" && peek().text == "->";
    unexpected(fmt::format("`{}` {}", closer, what), opener,
               is_arrow ? helpAtArrow() : helpBeforeCloser(closer, peek().text));
  }
  // The position only moves forward, so an outer bracket continues where this one gave up.
  size_t open = 0;
  for (; tokens_[position_].kind != TokenKind::kEnd && !startsDeclaration(position_); ++position_) {
    const Token& token = tokens_[position_];
    if (isOpener(token)) ++open;
    if (!isCloser(token)) continue;
    if (open == 0) break;
    open--;
  }
  const Token& token = tokens_[position_];
  if (token.kind != TokenKind::kPunctuation || token.text != closer) return false;
  ++position_;
  last_end_ = token.span.end;
  panic_ = sink_.full();
  return false;
}

// Ends a panic at the next declaration, or at the brace that closes the module around.
void Parser::skipToDeclaration(bool in_module, bool skips_bodies) {
  size_t open = 0;
  for (; tokens_[position_].kind != TokenKind::kEnd; ++position_) {
    if (startsDeclaration(position_) && !(skips_bodies && open > 0)) break;
    const Token& token = tokens_[position_];
    if (token.kind != TokenKind::kPunctuation) continue;
    if (token.text == "{") ++open;
    if (token.text != "}") continue;
    if (open == 0 && in_module) break;
    if (open > 0) open--;
  }
  panic_ = sink_.full();
}

void Parser::recover(size_t start, bool in_module) {
  // A token that starts no declaration would otherwise stop us for ever.
  if (position_ == start && tokens_[position_].kind != TokenKind::kEnd) ++position_;
  const auto first = tokens_.begin() + static_cast<std::ptrdiff_t>(start);
  const auto failed = tokens_.begin() + static_cast<std::ptrdiff_t>(position_);
  const bool is_module = std::any_of(first, failed, [](const Token& token) {
    return token.kind == TokenKind::kKeyword && token.text == "module";
  });
  // `module type m type {`: the second word is what failed.
  if (is_module && failed->kind == TokenKind::kKeyword && !startsLine(position_)) ++position_;
  skipToDeclaration(in_module, is_module);
}

bool Parser::startsLine(size_t index) const {
  if (index == 0) return true;
  const Span between{file_, tokens_[index - 1].span.end, tokens_[index].span.begin};
  return files_.text(between).find('\n') != std::string_view::npos;
}

// ---- entry points

namespace {

Span wholeOf(const source::Files& files, source::FileId file) {
  const size_t size = std::min<size_t>(files[file].text.size(), UINT32_MAX);
  return {file, 0, static_cast<uint32_t>(size)};
}

}  // namespace

File parseFile(const source::Files& files, source::FileId file, const ParseOptions& options,
               Tree& tree, diag::Sink& sink, bool* incomplete) {
  if (incomplete != nullptr) *incomplete = false;
  return Parser(files, wholeOf(files, file), options, tree, sink, incomplete).wholeFile();
}

ExprId parseExpression(const source::Files& files, source::FileId file, Tree& tree,
                       diag::Sink& sink, bool* incomplete) {
  if (incomplete != nullptr) *incomplete = false;
  ParseOptions options;
  return Parser(files, wholeOf(files, file), options, tree, sink, incomplete).wholeExpression();
}

File parsePart(const source::Files& files, Span part, const ParseOptions& options, Tree& tree,
               diag::Sink& sink) {
  return Parser(files, part, options, tree, sink, nullptr).wholeFile();
}

}  // namespace halo::syntax
