// Words, gaps and comments to text.
#include <algorithm>

#include "lang/format/layout.h"

namespace halo::format {

using syntax::TokenKind;

namespace {

class Emitter {
 public:
  Emitter(const Words& words, std::vector<Scope> scopes)
      : words_(words), scopes_(std::move(scopes)) {
    // Outer ones first. Equal ones have one column, in either order.
    std::stable_sort(scopes_.begin(), scopes_.end(), [](const Scope& a, const Scope& b) {
      return a.words.first != b.words.first ? a.words.first < b.words.first
                                            : a.words.last > b.words.last;
    });
  }

  std::string run() {
    head();
    for (WordIndex i = 0; words_.words[i].kind != TokenKind::kEnd; ++i) {
      const Word& word = words_.words[i];
      while (!open_.empty() && open_.back().last < i) open_.pop_back();
      comments(word);
      if (word.is_dropped) {
        drops_empty_line_ |= word.after_empty_line;
        continue;
      }
      // `a + -- why`, with `+` on the next line: the comment stays with `a`.
      if (word.leads) comments(words_.words[i + 1]);
      gap(word);
      openScopes(i);
      out_.append(word.pad, ' ');
      out_ += word.text;
    }
    end();
    return std::move(out_);
  }

 private:
  struct Open {
    WordIndex last;
    size_t indentation;
  };

  // A byte order mark and a first line `#!..` are no tokens.
  void head() {
    constexpr std::string_view kMark = "\xef\xbb\xbf";
    if (words_.text.starts_with(kMark)) out_ += kMark;
    line_start_ = out_.size();
    const std::string_view text = words_.text.substr(out_.size());
    if (!text.starts_with("#!")) return;
    out_ += text.substr(0, std::min(text.find_first_of("\r\n"), text.size()));
    newLine(0);
  }

  size_t indentation() const { return open_.empty() ? 0 : open_.back().indentation; }
  bool atStart() const { return out_.size() == line_start_; }
  void newLine(size_t columns) {
    out_ += '\n';
    line_start_ = out_.size();
    columns_ = columns;
  }
  void indent() { out_.append(std::exchange(columns_, 0), ' '); }

  // Those at the end of a line are written at once, the others when the gap is known.
  void comments(const Word& word) {
    const uint32_t end = word.first_comment + word.comments;
    for (; next_comment_ < end; ++next_comment_) {
      const CommentLine& comment = words_.comments[next_comment_];
      if (!comment.is_trailing || ends_line_ || !above_.empty()) {  // in their order
        above_.push_back(&comment);
        continue;
      }
      out_ += ' ';
      out_ += comment.text;
      ends_line_ = true;
    }
  }

  void gap(const Word& word) {
    const bool is_rule = word.gap.kind == GapKind::kLine;
    const bool after_empty_line = std::exchange(drops_empty_line_, false) | word.after_empty_line;
    if (!is_rule && !ends_line_ && above_.empty() && !atStart()) {
      if (word.gap.kind == GapKind::kSpace) out_ += ' ';
      return;
    }
    const bool closes = word.text == ")" || word.text == "]" || word.text == "}";
    size_t columns = indentation() + (is_rule ? word.gap.extra : closes ? 0 : 2);
    if (atStart()) columns = 0;
    if (!atStart()) newLine(columns);
    bool has_empty_line = word.gap.keeps_empty_line && after_empty_line;
    if (!above_.empty()) has_empty_line = above_.front()->after_empty_line;
    commentsAbove(columns, (has_empty_line || word.gap.is_paragraph) && !out_.empty(),
                  after_empty_line);
    indent();
    ends_line_ = false;
  }

  // With an empty line before the first of them, and before the next word.
  void commentsAbove(size_t columns, bool is_first_apart, bool is_next_apart) {
    bool is_apart = is_first_apart;
    for (size_t i = 0; i < above_.size(); ++i) {
      if (is_apart) newLine(columns);
      indent();
      out_ += above_[i]->text;
      newLine(columns);
      is_apart = i + 1 < above_.size() ? above_[i + 1]->after_empty_line : is_next_apart;
    }
    if (is_apart) newLine(columns);
    above_.clear();
  }

  void end() {
    comments(words_.words.back());
    const bool has_code = !atStart();
    if (has_code) newLine(0);
    if (!above_.empty()) {
      const bool is_apart = has_code || above_.front()->after_empty_line;
      commentsAbove(0, is_apart && !out_.empty(), false);
    }
  }

  void openScopes(WordIndex word) {
    for (; next_ < scopes_.size() && scopes_[next_].words.first == word; ++next_) {
      const Scope& scope = scopes_[next_];
      const size_t column = out_.size() - line_start_;
      open_.push_back({scope.words.last, scope.is_aligned ? column : indentation() + scope.nest});
    }
  }

  const Words& words_;
  std::vector<Scope> scopes_;
  size_t next_ = 0;
  std::vector<Open> open_;
  std::string out_;
  size_t line_start_ = 0;
  size_t columns_ = 0;                     // of the line begun
  std::vector<const CommentLine*> above_;  // the next word
  bool ends_line_ = false;                 // a comment has
  bool drops_empty_line_ = false;
  uint32_t next_comment_ = 0;
};

}  // namespace

std::string emit(const Words& words, std::vector<Scope> scopes) {
  return Emitter(words, std::move(scopes)).run();
}

}  // namespace halo::format
