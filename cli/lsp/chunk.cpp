#include "cli/lsp/chunk.h"

#include <algorithm>
#include <array>
#include <cctype>
#include <vector>

#include "lang/syntax/lex/keywords.h"

namespace halo::lsp {
namespace {

// An expression follows them.
constexpr std::array<std::string_view, 6> kOpenWords = {"in", "then", "else", "do", "if", "match"};
constexpr std::string_view kOpenSigns = "=+-*/%<>|&^!,(";  // `>`: of `->` as well

template <typename Words>
bool isOneOf(const Words& words, std::string_view word) {
  return std::find(words.begin(), words.end(), word) != words.end();
}

bool isLetter(char c) { return std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '_'; }

// The constructs that the lines of a declaration leave open. A `let` at the left margin is a
// declaration where they leave none.
class OpenParts {
 public:
  void begin() {
    const int braces = braces_;
    *this = {};
    braces_ = braces;
  }
  int braces() const { return braces_; }  // of the whole text so far
  bool isExpressionOpen() const {
    return is_open_ || std::find(lets_.begin(), lets_.end(), true) != lets_.end();
  }

  void read(std::string_view line) {
    for (size_t at = 0; at < line.size();) {
      const char c = line[at];
      if (line.substr(at, 2) == "--") return;
      const size_t end = endOfPart(line, at);
      if (isLetter(c)) {
        addWord(line.substr(at, end - at));
      } else if (c != ' ' && c != '\t') {
        addSign(c);
      }
      at = end;
    }
  }

 private:
  static size_t endOfPart(std::string_view line, size_t at) {
    size_t end = at + 1;
    if (line[at] == '"') {
      while (end < line.size() && line[end] != '"') end += line[end] == '\\' ? 2 : 1;
      return std::min(end + 1, line.size());
    }
    if (line[at] == '\'' && at + 2 < line.size() && line[at + 2] == '\'') return at + 3;
    if (!isLetter(line[at])) return end;
    while (end < line.size() && (isLetter(line[end]) || line[end] == '\'')) ++end;
    return end;
  }

  void addWord(std::string_view word) {
    is_open_ = isOneOf(kOpenWords, word);
    if (word == "let" && has_words_) lets_.back() = true;
    if (word == "in" && !is_in_for_) lets_.back() = false;
    if (word == "in" || word == "do") is_in_for_ = false;  // `for x in xs do`
    if (word == "for") is_in_for_ = true;
    if (word != "local") has_words_ = true;
  }

  void addSign(char c) {
    is_open_ = kOpenSigns.find(c) != std::string_view::npos;
    if (c == '{') braces_++;
    if (c == '}') braces_--;
    if (c == '(' || c == '[' || c == '{') lets_.push_back(false);
    if ((c == ')' || c == ']' || c == '}') && lets_.size() > 1) lets_.pop_back();
  }

  int braces_ = 0;
  std::vector<bool> lets_ = {false};  // by open bracket: a `let` without its `in`
  bool has_words_ = false;            // the first `let` is the declaration's own
  bool is_in_for_ = false;
  bool is_open_ = false;
};

struct SourceLine {
  uint32_t begin, indent;
  bool begins_declaration, closes, is_continued;
  int braces;  // open in front of it
};

std::vector<SourceLine> sourceLines(std::string_view text) {
  std::vector<SourceLine> lines;
  OpenParts parts;
  for (size_t at = 0; at <= text.size();) {
    const size_t end = std::min(text.find('\n', at), text.size());
    const size_t first = std::min(text.find_first_not_of(" \t", at), end);
    const std::string_view word = wordAt(text, first);
    const bool is_continued = parts.isExpressionOpen();
    const bool is_top_let = first == at && word == "let" && !is_continued;
    const bool begins_declaration = syntax::declares(word) || is_top_let;
    lines.push_back({static_cast<uint32_t>(at), static_cast<uint32_t>(first - at),
                     begins_declaration, first < end && text[first] == '}', is_continued,
                     parts.braces()});
    if (begins_declaration) parts.begin();
    parts.read(text.substr(at, end - at));
    at = end + 1;
  }
  return lines;
}

// Whether the declaration that begins with one line ends in front of another.
bool isEnd(const SourceLine& line, const SourceLine& begin) {
  if (line.begins_declaration) return line.indent <= begin.indent;
  const bool is_own = line.indent == begin.indent && line.braces > begin.braces;
  return line.closes && line.indent <= begin.indent && !is_own;
}

std::optional<Chunk> chunkAt(std::string_view text, uint32_t offset, uint32_t most_indent) {
  std::vector<SourceLine> around;  // lines that begin chunks, outermost first
  for (const SourceLine& line : sourceLines(text)) {
    if (line.begin > offset) {
      if (around.empty()) return std::nullopt;
      const SourceLine& begin = around.back();
      if (isEnd(line, begin)) return Chunk{begin.begin, line.begin, begin.indent};
      continue;
    }
    while (!around.empty() && isEnd(line, around.back())) around.pop_back();
    if (line.begins_declaration && line.indent <= most_indent) around.push_back(line);
  }
  if (around.empty()) return std::nullopt;
  return Chunk{around.back().begin, static_cast<uint32_t>(text.size()), around.back().indent};
}

}  // namespace

std::string_view wordAt(std::string_view text, size_t at) {
  size_t end = at;
  while (end < text.size() && std::isalpha(static_cast<unsigned char>(text[end])) != 0) ++end;
  return text.substr(at, end - at);
}

std::optional<Chunk> chunkAround(std::string_view text, uint32_t offset) {
  return chunkAt(text, offset, 0xffffffff);
}

std::optional<Chunk> topChunkAround(std::string_view text, uint32_t offset) {
  return chunkAt(text, offset, 0);
}

bool isContinued(std::string_view text, uint32_t offset) {
  bool is_continued = false;
  for (const SourceLine& line : sourceLines(text)) {
    if (line.begin <= offset) is_continued = line.is_continued;
  }
  return is_continued;
}

size_t bodyIn(std::string_view text, const Chunk& chunk) {
  constexpr std::string_view kSigns = "=<>!|&+-*/%^";
  const auto isSign = [&](size_t at) {
    return at < text.size() && kSigns.find(text[at]) != std::string_view::npos;
  };
  int depth = 0;
  for (size_t at = chunk.begin; at < chunk.end; ++at) {
    const char c = text[at];
    if (c == '-' && text.substr(at, 2) == "--") {
      at = std::min(text.find('\n', at), text.size());
      continue;
    }
    if (c == '(' || c == '[' || c == '{') depth++;
    if (c == ')' || c == ']' || c == '}') depth--;
    if (c != '=' || depth != 0 || at == chunk.begin) continue;
    if (!isSign(at - 1) && !isSign(at + 1)) return at + 1;
  }
  return std::string_view::npos;
}

}  // namespace halo::lsp
