// Internal to the parser: comments `-- |`, each of which belongs to the declaration or spec behind
// it.
#pragma once

#include <string>
#include <vector>

#include "lang/syntax/parse/cursor.h"

namespace halo::syntax {

class DocComments {
 public:
  explicit DocComments(Cursor& cursor);

  // The comment right before the cursor. One more may come before it at the beginning of a file.
  void take(std::string& doc);
  // All comments that no declaration took, in the order of the text; no doc comment is left then.
  std::vector<Comment> takeComments();

 private:
  void leave(size_t end);
  void misplaced(Span span);

  Cursor& cursor_;
  CommentTokens comments_;
  size_t next_ = 0;  // in `docs`
};

}  // namespace halo::syntax
