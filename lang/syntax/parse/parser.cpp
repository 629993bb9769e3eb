// Entry points: a file, a part of one, an expression.
#include "lang/syntax/parse/parser.h"

#include <algorithm>

#include "lang/syntax/parse/habits.h"
#include "lang/syntax/parse/parser_state.h"

namespace halo::syntax {

Parser::Parser(const source::Files& files, Span part, const ParseOptions& parse_options,
               Tree& whole, diag::Sink& sink, bool* incomplete)
    : options(parse_options),
      tree(whole),
      cursor(files, part, sink, incomplete),
      build(whole, cursor),
      docs(cursor),
      checks(*this),
      names(*this),
      types(*this),
      patterns(*this),
      exprs(*this),
      operators(*this),
      atoms(*this),
      paths(*this),
      modules(*this),
      decls(*this) {}

File Parser::wholeFile() {
  File file{cursor.file(), decls.declarations(false), {}};
  file.comments = docs.takeComments();
  return file;
}

ExprId Parser::wholeExpression() {
  ExprId result = exprs.expression();
  if (!cursor.inPanic() && !cursor.isKind(TokenKind::kEnd)) {
    const bool is_definition = cursor.isPunctuation("=");  // the session says how one is written
    const bool is_arrow = cursor.peek().text == "->";
    cursor.unexpected("the end of the expression", {},
                      is_definition ? ""
                      : is_arrow    ? cursor.helpAtArrow()
                                    : helpBehindValue(cursor.peek().text));
  }
  return result;
}

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
