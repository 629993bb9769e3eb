#include "cli/lsp/mend.h"

#include <algorithm>
#include <map>

#include "cli/lsp/chunk.h"
#include "cli/lsp/holes.h"
#include "lang/syntax/parse/parser.h"

namespace halo::lsp {
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

// The missing text for the parser's words.
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
  constexpr int kMaxOpen = 60;  // brackets, bindings and branches that are open
  struct Filler {
    std::string_view text;
    Wanted wanted;
  };
  std::vector<Filler> fillers = {Filler{" ???", Wanted::kExpression}, Filler{" i32", Wanted::kType},
                                 Filler{" _", Wanted::kPattern}};
  if (ending == Ending::kValue) fillers = {Filler{"", Wanted::kExpression}};
  for (const Filler& filler : fillers) {
    std::string whole = std::string(text) + std::string(filler.text);
    for (int step = 0; step < kMaxOpen; ++step) {
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

// Whether the text parses: what stands at the mistake has a place in the program.
bool isOfMeaning(const diag::Diagnostic& diagnostic) {
  constexpr int kFirstOfTypes = 3000;
  return static_cast<int>(diagnostic.code) >= kFirstOfTypes;
}

// Replaces broken declarations: first expressions and values of `let`s, then the text behind the
// mistake, then the body, by holes, then the whole by nothing.
class Mender {
 public:
  explicit Mender(std::string text) : text_(std::move(text)) {}
  const std::string& text() const { return text_; }

  // False: nothing changed.
  bool mend(const Analysis& found) {
    bool is_changed = false;
    std::vector<uint32_t> done;
    std::vector<source::Span> holes;
    for (const diag::Diagnostic& diagnostic : found.sink.all()) {
      if (diagnostic.severity != diag::Severity::kError) continue;
      if (diagnostic.span.file != found.file) {
        is_changed |= dropImports();
        continue;
      }
      const auto chunk = chunkToMend(diagnostic.span.begin);
      if (!chunk || std::find(done.begin(), done.end(), chunk->begin) != done.end()) continue;
      is_changed = true;
      const bool is_hole = std::any_of(holes.begin(), holes.end(), [&](const source::Span& hole) {
        return source::isWithin(diagnostic.span, hole);
      });
      if (is_hole) continue;
      const bool is_patched = patch(*chunk, diagnostic);
      // Other mistakes of the grammar may follow from the first one.
      if (!is_patched || !isOfMeaning(diagnostic)) done.push_back(chunk->begin);
      if (is_patched) {
        holes.push_back(diagnostic.span);
      } else {
        replace(*chunk, unpatch(*chunk).value_or(diagnostic.span.begin));
      }
    }
    return is_changed;
  }

 private:
  static constexpr int kCut = 1, kStubbed = 2, kBlank = 3;
  static constexpr int kMaxHoles = 8;  // in a declaration

  struct Patched {
    std::string text;  // of the declaration, as it was
    uint32_t mistake;  // the first one
    int holes = 0;
  };

  // What stands around the expression keeps its meaning.
  bool patch(const Chunk& chunk, const diag::Diagnostic& diagnostic) {
    if (state_[chunk.begin] > kCut) return false;
    const auto [at, is_new] = patched_.try_emplace(chunk.begin);
    Patched& patched = at->second;
    if (is_new) {
      patched = {text_.substr(chunk.begin, chunk.end - chunk.begin), diagnostic.span.begin};
    }
    if (++patched.holes > kMaxHoles) return false;
    const source::Span& mistake = diagnostic.span;
    if (isOfMeaning(diagnostic)) return putHole(text_, chunk, {mistake.begin, mistake.end});
    const auto missing = missingValue(text_, chunk, mistake.begin);
    if (missing && putHole(text_, chunk, *missing)) return true;
    const auto value = brokenValue(text_, chunk, mistake.begin);
    return value && putHole(text_, chunk, *value);
  }

  // The declaration without holes, and its first mistake; nothing if it has none.
  std::optional<uint32_t> unpatch(const Chunk& chunk) {
    const auto found = patched_.find(chunk.begin);
    if (found == patched_.end()) return std::nullopt;
    const Patched patched = std::move(found->second);
    patched_.erase(found);
    text_.replace(chunk.begin, patched.text.size(), patched.text);
    return patched.mistake;
  }

  // A keyword or a `}` that was not expected ends the declaration in front of it.
  uint32_t lastOfBroken(uint32_t offset) const {
    const size_t line = offset == 0 ? std::string::npos : text_.rfind('\n', offset - 1);
    if (line == std::string::npos) return offset;
    const bool is_first = text_.find_first_not_of(" \t", line + 1) == offset;
    const auto here = chunkAround(text_, offset);
    const bool is_keyword = here && offset == here->begin + here->indent;
    const bool is_brace = offset < text_.size() && text_[offset] == '}';
    return is_first && (is_keyword || is_brace) ? static_cast<uint32_t>(line) : offset;
  }

  bool isBlank(const Chunk& chunk) { return state_[chunk.begin] == kBlank; }

  std::optional<Chunk> chunkToMend(uint32_t offset) {
    const uint32_t at = std::min<uint32_t>(offset, static_cast<uint32_t>(text_.size()));
    const uint32_t last = lastOfBroken(at);
    auto chunk = chunkAround(text_, last);
    if (chunk && isBlank(*chunk)) chunk = topChunkAround(text_, last);
    if (chunk && !isBlank(*chunk)) return chunk;
    if (at < text_.size() && text_[at] == '}') return Chunk{at, at + 1, 0};  // it closes nothing
    return std::nullopt;
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
    if (state == 0 && cutOff(chunk, std::min(mistake, chunk.end))) {
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
      if (line + kHole.size() >= chunk.end) {
        blankOut(text_, chunk.begin, chunk.end);
        state = kBlank;
        return;
      }
      text_.replace(line, kHole.size(), kHole);
    }
    state = kStubbed;
  }

  bool dropImports() {
    bool is_changed = false;
    for (size_t at = 0; at < text_.size();) {
      const size_t end = std::min(text_.find('\n', at), text_.size());
      const size_t first = std::min(text_.find_first_not_of(" \t", at), end);
      if (wordAt(text_, first) == "import") {
        blankOut(text_, at, end);
        is_changed = true;
      }
      at = end + 1;
    }
    return is_changed;
  }

  std::string text_;
  std::map<uint32_t, int> state_;  // by the begin of a chunk
  std::map<uint32_t, Patched> patched_;
};

}  // namespace

std::unique_ptr<Analysis> analysePartly(const std::string& path, const std::string& text,
                                        const Texts& texts, const Analysis& broken) {
  constexpr int kRounds = 10;
  Mender mender(text);
  std::unique_ptr<Analysis> now;
  const Analysis* last = &broken;
  for (int round = 0; round < kRounds && mender.mend(*last); ++round) {
    now = analyse(
        path, mender.text(), texts,
        {.imports = last->imports ? last->imports : broken.imports, .marks_entries = false});
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
