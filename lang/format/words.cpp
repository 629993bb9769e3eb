// Tokens and comments, merged by their place in the file.
#include "lang/format/words.h"

#include <algorithm>
#include <utility>

namespace halo::format {

using syntax::TokenKind;

namespace {

std::string_view trimmed(std::string_view line) {
  const size_t begin = line.find_first_not_of(" \t\r\f\v");
  if (begin == std::string_view::npos) return {};
  return line.substr(begin, line.find_last_not_of(" \t\r\f\v") - begin + 1);
}

class Reader {
 public:
  Reader(const source::Files& files, source::FileId file, Words& out)
      : starts_(files[file].line_starts), out_(out) {
    out_.text = files[file].text;
    out_.begins.assign(out_.text.size() + 1, kNoWord);
    out_.ends = out_.begins;
  }

  void run(const syntax::Tokens& tokens) {
    out_.words.reserve(tokens.tokens.size());
    out_.comments.reserve(tokens.comments.size());
    auto comment = tokens.comments.begin();
    for (const syntax::Token& token : tokens.tokens) {
      for (; comment != tokens.comments.end() && comment->span.begin < token.span.begin;
           comment++) {
        addComment(comment->span);
      }
      token.kind == TokenKind::kDocComment ? addComment(token.span) : addWord(token);
    }
  }

 private:
  // From 0; spans come in order.
  uint32_t lineOf(uint32_t offset) {
    while (line_ + 1 < starts_.size() && starts_[line_ + 1] <= offset) ++line_;
    return line_;
  }

  void addComment(Span span) {
    std::string_view text = out_.text.substr(span.begin, span.end - span.begin);
    uint32_t line = lineOf(span.begin);
    while (true) {
      const size_t end = std::min(text.find('\n'), text.size());
      const bool trails = !out_.words.empty() && out_.words.back().line == line;
      out_.comments.push_back({trimmed(text.substr(0, end)), trails, line > last_line_ + 1});
      last_line_ = line++;
      ++pending_;
      if (end == text.size()) break;
      text.remove_prefix(end + 1);
    }
  }

  void addWord(const syntax::Token& token) {
    Word word{};
    word.kind = token.kind;
    word.begin = token.span.begin;
    word.text = out_.text.substr(token.span.begin, token.span.end - token.span.begin);
    word.line = lineOf(token.span.begin);
    word.space_before = token.space_before;
    word.after_empty_line = word.line > last_line_ + 1;
    word.comments = std::exchange(pending_, 0);
    word.first_comment = static_cast<uint32_t>(out_.comments.size()) - word.comments;
    last_line_ = word.line;
    const auto index = static_cast<WordIndex>(out_.words.size());
    if (token.kind != TokenKind::kEnd) {
      out_.begins[token.span.begin] = index;
      out_.ends[token.span.end] = index;
    }
    out_.words.push_back(word);
  }

  const std::vector<uint32_t>& starts_;
  Words& out_;
  uint32_t line_ = 0;
  uint32_t last_line_ = 0;
  uint32_t pending_ = 0;
};

}  // namespace

Words readWords(const source::Files& files, source::FileId file, diag::Sink& sink) {
  Words result;
  Reader(files, file, result).run(syntax::lex(files, file, sink));
  return result;
}

}  // namespace halo::format
