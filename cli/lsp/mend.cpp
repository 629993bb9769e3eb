#include "cli/lsp/mend.h"

#include <algorithm>
#include <array>
#include <cctype>
#include <map>

#include "lang/syntax/parse/parser.h"

namespace halo::lsp {
namespace {

constexpr std::array<std::string_view, 8> kDeclaring = {"def",  "entry", "type", "module",
                                                        "open", "local", "val",  "import"};

std::string_view wordAt(std::string_view text, size_t at) {
  size_t end = at;
  while (end < text.size() && std::isalpha(static_cast<unsigned char>(text[end])) != 0) ++end;
  return text.substr(at, end - at);
}

struct SourceLine {
  uint32_t begin, indent;
  bool begins_declaration, closes;
};

std::vector<SourceLine> sourceLines(std::string_view text) {
  std::vector<SourceLine> lines;
  for (size_t at = 0; at <= text.size();) {
    const size_t end = std::min(text.find('\n', at), text.size());
    const size_t first = std::min(text.find_first_not_of(" \t", at), end);
    const std::string_view word = wordAt(text, first);
    const bool is_keyword =
        std::find(kDeclaring.begin(), kDeclaring.end(), word) != kDeclaring.end();
    const bool is_top_let = first == at && word == "let";
    lines.push_back({static_cast<uint32_t>(at), static_cast<uint32_t>(first - at),
                     is_keyword || is_top_let, first < end && text[first] == '}'});
    at = end + 1;
  }
  return lines;
}

std::optional<Chunk> chunkAt(std::string_view text, uint32_t offset, uint32_t most_indent) {
  const std::vector<SourceLine> lines = sourceLines(text);
  std::optional<Chunk> found;
  for (const SourceLine& line : lines) {
    const bool is_boundary = line.begins_declaration || line.closes;
    if (found && found->end == 0 && is_boundary && line.indent <= found->indent) {
      if (line.begin > offset) {
        found->end = line.begin;
        return found;
      }
      if (line.closes) found.reset();
    }
    if (line.begin > offset || !line.begins_declaration || line.indent > most_indent) continue;
    found = Chunk{line.begin, 0, line.indent};
  }
  if (found) found->end = static_cast<uint32_t>(text.size());
  return found;
}

// Where the body of a definition begins: behind the first `=` that no bracket encloses.
size_t bodyIn(std::string_view text, const Chunk& chunk) {
  int depth = 0;
  for (size_t at = chunk.begin; at < chunk.end; ++at) {
    const char c = text[at];
    if (c == '-' && text.substr(at, 2) == "--") {
      at = std::min(text.find('\n', at), text.size());
      continue;
    }
    if (c == '(' || c == '[' || c == '{') depth++;
    if (c == ')' || c == ']' || c == '}') depth--;
    constexpr std::string_view kSigns = "=<>!|&+-*/%^";
    const bool is_alone =
        kSigns.find(text[at - 1]) == std::string_view::npos &&
        (at + 1 == text.size() || kSigns.find(text[at + 1]) == std::string_view::npos);
    if (c == '=' && depth == 0 && at > chunk.begin && is_alone) return at + 1;
  }
  return std::string_view::npos;
}

void blankOut(std::string& text, size_t begin, size_t end) {
  for (size_t at = begin; at < end; ++at) {
    if (text[at] != '\n') text[at] = ' ';
  }
}

}  // namespace

std::optional<Chunk> chunkAround(std::string_view text, uint32_t offset) {
  return chunkAt(text, offset, 0xffffffff);
}

std::optional<Chunk> topChunkAround(std::string_view text, uint32_t offset) {
  return chunkAt(text, offset, 0);
}

namespace {

// The first error at the end of a text, in the words of the parser.
std::string wantedAtEnd(const std::string& text, size_t end) {
  source::Files files;
  diag::Sink sink;
  syntax::Tree tree;
  syntax::parseFile(files, files.add("", text), {}, tree, sink);
  for (const diag::Diagnostic& diagnostic : sink.all()) {
    constexpr std::string_view kExpected = "expected ";
    if (diagnostic.span.begin + 1 < end) return "?";  // no end mends this
    if (diagnostic.message.starts_with(kExpected))
      return diagnostic.message.substr(kExpected.size());
    return "?";
  }
  return "";
}

// What follows, for the parser's words.
std::string continuation(const std::string& wanted) {
  static const std::map<std::string, std::string> kWords = {
      {"in", " in ???"}, {"then", " then ???"}, {"else", " else ???"},     {"do", " do ???"},
      {"=", " = ???"},   {"->", " -> ???"},     {"case", " case _ -> ???"}};
  if (wanted.starts_with('`') && wanted.find('`', 1) != std::string::npos) {
    const std::string sign = wanted.substr(1, wanted.find('`', 1) - 1);
    const auto found = kWords.find(sign);
    if (found != kWords.end()) return found->second;
    if (sign == ")" || sign == "]" || sign == "}") return sign;
    return wanted.starts_with("`...`") ? "...???" : "";
  }
  if (wanted.starts_with("an expression") || wanted.starts_with("an index")) return " ???";
  if (wanted.starts_with("a type") || wanted.starts_with("the type")) return " i32";
  return wanted.starts_with("a pattern") ? " _" : "";
}

}  // namespace

std::optional<Finished> finish(std::string_view text, Ending ending) {
  constexpr int kMost = 60;  // brackets, bindings and branches that are open
  struct Filler {
    std::string_view text;
    Wanted wanted;
  };
  std::vector<Filler> fillers = {Filler{" ???", Wanted::kExpression}, Filler{" i32", Wanted::kType},
                                 Filler{" _", Wanted::kPattern}};
  if (ending == Ending::kValue) fillers = {Filler{"", Wanted::kExpression}};
  for (const Filler& filler : fillers) {
    std::string whole = std::string(text) + std::string(filler.text);
    for (int step = 0; step < kMost; ++step) {
      const std::string wanted = wantedAtEnd(whole + "\n", text.size());
      if (wanted.empty()) return Finished{whole, filler.wanted};
      const std::string more = wanted == "?" ? "" : continuation(wanted);
      const bool is_at_filler = step == 0 && ending == Ending::kOpen &&
                                filler.wanted != Wanted::kType &&
                                (wanted.starts_with("a type") || wanted.starts_with("a pattern"));
      if (more.empty() || is_at_filler) break;
      whole += more;
    }
  }
  return std::nullopt;
}

namespace {

// Replaces broken declarations: first what stands behind the mistake, then the body, by holes, then
// the whole by nothing.
class Mender {
 public:
  explicit Mender(std::string text) : text_(std::move(text)) {}
  const std::string& text() const { return text_; }

  // False: nothing changed.
  bool mend(const Analysis& found) {
    bool is_changed = false;
    std::vector<uint32_t> done;
    for (const diag::Diagnostic& diagnostic : found.sink.all()) {
      if (diagnostic.severity != diag::Severity::kError) continue;
      if (diagnostic.span.file != found.file) {
        is_changed |= dropImports();
        continue;
      }
      const auto chunk = chunkToMend(diagnostic.span.begin);
      if (!chunk || std::find(done.begin(), done.end(), chunk->begin) != done.end()) continue;
      done.push_back(chunk->begin);
      replace(*chunk, diagnostic.span.begin);
      is_changed = true;
    }
    return is_changed;
  }

 private:
  static constexpr int kCut = 1, kStubbed = 2, kBlank = 3;

  std::optional<Chunk> chunkToMend(uint32_t offset) {
    uint32_t last = std::min<uint32_t>(offset, static_cast<uint32_t>(text_.size()));
    const auto here = chunkAround(text_, last);
    if (here && last == here->begin + here->indent && here->begin > 0) {
      last = here->begin - 1;  // the keyword that was not expected ends the one before
    }
    auto chunk = chunkAround(text_, last);
    if (chunk && state_[chunk->begin] == kBlank) chunk = topChunkAround(text_, last);
    if (!chunk || state_[chunk->begin] == kBlank) return std::nullopt;
    return chunk;
  }

  bool cutOff(const Chunk& chunk, uint32_t end) {
    const auto whole = finish(text_.substr(chunk.begin, end - chunk.begin), Ending::kOpen);
    if (!whole || whole->text.size() > chunk.end - chunk.begin) return false;
    blankOut(text_, end, chunk.end);
    text_.replace(chunk.begin, whole->text.size(), whole->text);
    return true;
  }

  void replace(const Chunk& chunk, uint32_t mistake) {
    int& state = state_[chunk.begin];
    if (state == 0 && cutOff(chunk, mistake)) {
      state = kCut;
      return;
    }
    const std::string_view word = wordAt(text_, chunk.begin + chunk.indent);
    const bool has_body = word == "def" || word == "entry" || word == "let";
    const size_t body = state < kStubbed && has_body ? bodyIn(text_, chunk) : std::string::npos;
    constexpr std::string_view kHole = " ???";
    if (body == std::string::npos || chunk.end < body + kHole.size()) {
      blankOut(text_, chunk.begin, chunk.end);
      state = kBlank;
      return;
    }
    blankOut(text_, body, chunk.end);
    if (text_.substr(body, kHole.size()).find('\n') == std::string::npos) {
      text_.replace(body, kHole.size(), kHole);
    } else {  // the hole is on a line of its own
      const size_t line = text_.find('\n', body) + 1;
      if (line + kHole.size() >= chunk.end) return blankOut(text_, chunk.begin, chunk.end);
      text_.replace(line, kHole.size(), kHole);
    }
    state = kStubbed;
  }

  bool dropImports() {
    bool is_changed = false;
    for (const SourceLine& line : sourceLines(text_)) {
      if (wordAt(text_, line.begin + line.indent) != "import") continue;
      blankOut(text_, line.begin, std::min(text_.find('\n', line.begin), text_.size()));
      is_changed = true;
    }
    return is_changed;
  }

  std::string text_;
  std::map<uint32_t, int> state_;  // by the begin of a chunk
};

}  // namespace

std::unique_ptr<Analysis> analysePartly(const std::string& path, const std::string& text,
                                        const Texts& texts, const Analysis& broken) {
  constexpr int kRounds = 6;
  Mender mender(text);
  std::unique_ptr<Analysis> now;
  const Analysis* last = &broken;
  for (int round = 0; round < kRounds && mender.mend(*last); ++round) {
    now = analyse(path, mender.text(), texts, last->imports ? last->imports : broken.imports);
    if (now->environment) {
      now->text = text;  // as long as the mended one
      now->is_partial = true;
      return now;
    }
    last = now.get();
  }
  return nullptr;
}

}  // namespace halo::lsp
