#include "lang/syntax/parse/doc_comments.h"

#include <algorithm>

namespace halo::syntax {

using diag::Code;

DocComments::DocComments(Cursor& cursor) : cursor_(cursor), comments_(cursor.takeComments()) {}

void DocComments::take(std::string& doc) {
  leave(cursor_.position());
  size_t count = 0;
  while (next_ < comments_.docs.size() && comments_.docs[next_].next_token == cursor_.position()) {
    if (++count > (cursor_.position() == 0 ? 2 : 1)) misplaced(comments_.docs[next_ - 1].span);
    doc = std::move(comments_.docs[next_].text);
    ++next_;
  }
}

std::vector<Comment> DocComments::takeComments() {
  leave(SIZE_MAX);
  std::sort(comments_.ordinary.begin(), comments_.ordinary.end(),
            [](const Comment& a, const Comment& b) { return a.span.begin < b.span.begin; });
  return std::move(comments_.ordinary);
}

// Doc comments before a token that begins no declaration.
void DocComments::leave(size_t end) {
  for (; next_ < comments_.docs.size() && comments_.docs[next_].next_token < end; ++next_) {
    const Span span = comments_.docs[next_].span;
    misplaced(span);
    comments_.ordinary.push_back({span});
  }
}

// Recovery skips declarations with their comments: these are not reported.
void DocComments::misplaced(Span span) {
  if (cursor_.inPanic() || cursor_.hasErrors()) return;
  cursor_
      .report(Code::unexpected_token, {span.file, span.begin, span.begin + 4},
              "a doc comment stands right before a declaration, this one does not")
      .notes.push_back("`--` without `|` begins an ordinary comment");
}

}  // namespace halo::syntax
