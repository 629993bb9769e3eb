// Text to AST. Errors go to the sink, several per file. The parser recovers at declarations and
// closing brackets, so a File is returned in any case.
//
// language.md#precedence, loosest first: `: :>`, ranges, backtick, `->`, `with`, `|>`, `<|`
// (right), `||`, `&&`, comparisons, `& ^ |`, shifts, `+ -`, `* / % // %%`, `**`, application,
// indexing.
#pragma once

#include "lang/diag/diagnostic.h"
#include "lang/syntax/ast.h"

namespace halo::syntax {

struct ParseOptions {
  bool allow_intrinsics = false;  // `val` declarations: the prelude
};

// `incomplete`, if given, is set when the text ends where more is needed (the REPL asks for it).
File parseFile(const source::Files& files, source::FileId file, const ParseOptions& options,
               Tree& tree, diag::Sink& sink, bool* incomplete = nullptr);

// The declarations in a part of a file (headers.h finds such parts).
File parsePart(const source::Files& files, Span part, const ParseOptions& options, Tree& tree,
               diag::Sink& sink);

// One expression, as the REPL has it.
ExprId parseExpression(const source::Files& files, source::FileId file, Tree& tree,
                       diag::Sink& sink, bool* incomplete = nullptr);

}  // namespace halo::syntax
