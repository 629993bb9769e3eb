// A file as words: its tokens, each with the comments in front of it and the gap before it. Rules
// decide about gaps (layout.h), emit.cpp writes them.
#pragma once

#include <cstdint>
#include <string_view>
#include <vector>

#include "lang/diag/diagnostic.h"
#include "lang/syntax/lex/lexer.h"

namespace halo::format {

using source::Span;
using WordIndex = uint32_t;

// One line of a comment.
struct CommentLine {
  std::string_view text;  // without indentation and without spaces at its end
  bool is_trailing;       // behind a token, on its line
  bool after_empty_line;  // in the source
};

enum class GapKind : uint8_t { kDefault, kNone, kSpace, kLine };

// The space between a word and the one before it.
struct Gap {
  GapKind kind = GapKind::kDefault;
  uint8_t extra = 0;              // kLine: columns behind the indentation
  bool keeps_empty_line = false;  // kLine: one that the source has
  bool is_paragraph = false;      // kLine: an empty line in any case
};

struct Word {
  syntax::TokenKind kind;
  std::string_view text;  // as written
  uint32_t begin;         // offset in the file
  uint32_t line;
  Gap gap;
  uint8_t pad = 0;          // spaces in front, inside of the text aligned here
  bool is_dropped = false;  // `in` before `let`, the last comma
  bool leads = false;       // a comma or an operator that begins lines: comments go before it
  bool space_before = false;
  bool after_empty_line = false;
  uint32_t first_comment = 0, comments = 0;  // in Words::comments
};

struct Words {
  std::string_view text;
  std::vector<Word> words;  // ends with kEnd
  std::vector<CommentLine> comments;
  std::vector<WordIndex> begins, ends;  // by offset: the word that begins or ends there
};
inline constexpr WordIndex kNoWord = UINT32_MAX;

Words readWords(const source::Files& files, source::FileId file, diag::Sink& sink);

}  // namespace halo::format
