// Which definitions of the prelude a program can need.
//
// A *chunk* is a declaration with the comment before it: at top level it begins in column 0, in a
// module with two blanks; it ends where the next one begins. stdlib/README.md prescribes the
// layout.
#include "cli/session/prelude.h"

#include <algorithm>
#include <string>
#include <unordered_map>
#include <unordered_set>

#include "lang/prim/prim.h"
#include "lang/syntax/parser.h"
#include "stdlib/embedded.h"

namespace halo::session {

namespace {

constexpr std::string_view kModule = "module ";
constexpr std::string_view kModuleType = "module type ";

bool isWordPart(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_' ||
         c == '\'';
}

std::string_view firstWord(std::string_view text) {
  size_t size = 0;
  while (size < text.size() && isWordPart(text[size])) size++;
  return text.substr(0, size);
}

struct Chunk {
  size_t file;
  size_t begin;
  size_t end = 0;
  std::string_view name;    // empty: comes with its module
  std::string_view module;  // empty: at top level
  bool is_module_type = false;
  bool kept = false;
};

// The name that brings a declaration in: none for `open f32` and for operators, which programs can
// need without a word that says so.
std::string_view declaredName(std::string_view line) {
  for (std::string_view keyword : {std::string_view("def "), std::string_view("val "), kModuleType,
                                   kModule, std::string_view("type ")}) {
    if (line.starts_with(keyword)) return firstWord(line.substr(keyword.size()));
  }
  return {};
}

// The chunks of one file, found line by line.
class ChunkFinder {
 public:
  ChunkFinder(size_t file, std::vector<Chunk>& chunks) : file_(file), chunks_(chunks) {}

  void run() {
    const std::string_view text = stdlib::files()[file_].text;
    for (size_t at = 0; at < text.size();) {
      const size_t end = std::min(text.find('\n', at), text.size());
      line(text.substr(at, end - at), at);
      at = end + 1;
    }
    close(text.size());
  }

 private:
  void line(std::string_view line, size_t at) {
    const bool is_member = !module_.empty() && line.starts_with("  ");
    const std::string_view rest = is_member ? line.substr(2) : line;
    if (!module_.empty() && line == "}") {
      open({file_, at, 0, module_, {}}, at);
      module_ = {};
    } else if (rest.empty() || rest[0] == ' ' || rest[0] == '}' ||
               (!module_.empty() && !is_member)) {
      return;  // belongs to the chunk before
    } else if (rest.starts_with("--")) {
      if (!comment_) comment_ = at;
    } else {
      declaration(rest, at, is_member);
    }
  }

  void declaration(std::string_view rest, size_t at, bool is_member) {
    Chunk chunk{file_, comment_.value_or(at), 0, declaredName(rest), module_};
    if (is_member && rest.starts_with("type ")) chunk.name = {};
    chunk.is_module_type = rest.starts_with(kModuleType);
    const bool opens = !chunk.is_module_type && rest.starts_with(kModule) && rest.ends_with('{');
    if (opens) module_ = chunk.name;
    open(chunk, chunk.begin);
  }

  void open(const Chunk& chunk, size_t at) {
    close(at);
    chunks_.push_back(chunk);
    is_open_ = true;
    comment_.reset();
  }

  void close(size_t at) {
    if (is_open_) chunks_.back().end = at;
    is_open_ = false;
  }

  size_t file_;
  std::vector<Chunk>& chunks_;
  std::string_view module_;
  std::optional<size_t> comment_;  // where the one before the next declaration begins
  bool is_open_ = false;
};

// What the texts of a program need, and what that needs.
class Slice {
 public:
  explicit Slice(const std::vector<std::string_view>& texts) {
    for (size_t file = 0; file < stdlib::files().size(); ++file) ChunkFinder(file, chunks_).run();
    for (size_t i = 0; i < chunks_.size(); ++i) index(i);
    for (size_t i : always_) keep(chunks_[i]);
    for (std::string_view text : texts) addWords(text, false);
    for (size_t next = 0; next < found_.size(); ++next) meet(found_[next]);
  }

  // The text of a file with empty lines for what is left out.
  std::string text(size_t file) const {
    std::string text(stdlib::files()[file].text);
    for (const Chunk& chunk : chunks_) {
      if (chunk.file != file || chunk.kept) continue;
      for (size_t at = chunk.begin; at < chunk.end; ++at) {
        if (text[at] != '\n') text[at] = ' ';
      }
    }
    return text;
  }

 private:
  void index(size_t i) {
    const Chunk& chunk = chunks_[i];
    if (!chunk.name.empty()) by_word_[chunk.name].push_back(i);
    if (!chunk.module.empty()) by_word_[chunk.module].push_back(i);
    if (chunk.name.empty() && chunk.module.empty()) always_.push_back(i);
  }

  // `in_prelude`: the name of a scalar type means a module or a member only beside a point.
  void addWords(std::string_view text, bool in_prelude) {
    for (size_t at = 0; at < text.size();) {
      if (text.substr(at, 2) == "--") {
        at = std::min(text.find('\n', at), text.size());
      } else if (!isWordPart(text[at])) {
        addSymbol(text.substr(at, 2));
        at++;
      } else {
        const std::string_view word = firstWord(text.substr(at));
        const bool is_member = at > 0 && text[at - 1] == '.';
        at += word.size();
        const bool is_type = in_prelude && !is_member && (at == text.size() || text[at] != '.') &&
                             prim::scalarTypeFromName(word);
        if (!is_type) addWord(word);
      }
    }
  }

  // Operators that compiled code and the interpreter leave to a definition of the prelude.
  void addSymbol(std::string_view symbol) {
    if (symbol.starts_with('%')) addWord("fmod_f32"), addWord("fmod_f64");
    if (symbol == "**") addWord("pow_f16"), addWord("pow_f32"), addWord("pow_f64");
  }

  void addWord(std::string_view word) {
    if (words_.insert(word).second) found_.push_back(word);
  }

  void meet(std::string_view word) {
    auto named = by_word_.find(word);
    if (named == by_word_.end()) return;
    for (size_t i : named->second) {
      if (isNeeded(chunks_[i])) keep(chunks_[i]);
    }
  }

  bool isNeeded(const Chunk& chunk) const {
    if (chunk.module.empty()) return words_.contains(chunk.name);
    return words_.contains(chunk.module) &&
           (chunk.name.empty() || has_module_type_ || words_.contains(chunk.name));
  }

  void keep(Chunk& chunk) {
    if (chunk.kept) return;
    chunk.kept = true;
    const std::string_view text = stdlib::files()[chunk.file].text;
    const bool is_operator = !chunk.module.empty() && chunk.name.empty();
    if (!is_operator) addWords(text.substr(chunk.begin, chunk.end - chunk.begin), true);
    if (chunk.is_module_type && !has_module_type_) keepMembers();
  }

  // A module that is matched with a module type of the prelude needs all its members.
  void keepMembers() {
    has_module_type_ = true;
    for (Chunk& chunk : chunks_) {
      if (!chunk.module.empty() && isNeeded(chunk)) keep(chunk);
    }
  }

  std::vector<Chunk> chunks_;
  std::unordered_map<std::string_view, std::vector<size_t>> by_word_;  // by name and by module
  std::vector<size_t> always_;
  std::unordered_set<std::string_view> words_;
  std::vector<std::string_view> found_;  // in the order in which they were met
  bool has_module_type_ = false;
};

// Checks the files as one: every extension of an environment copies it.
template <class TextOf>
types::EnvironmentRef check(source::Files& files, diag::Sink& sink, TextOf textOf) {
  const types::EnvironmentRef nothing = types::emptyEnvironment();
  syntax::Tree tree = types::treeOf(*nothing);
  syntax::File whole;
  for (size_t i = 0; i < stdlib::files().size(); ++i) {
    whole.file = files.add("stdlib/" + std::string(stdlib::files()[i].name), textOf(i));
    const syntax::File file =
        syntax::parseFile(files, whole.file, {.allow_intrinsics = true}, tree, sink);
    whole.declarations.insert(whole.declarations.end(), file.declarations.begin(),
                              file.declarations.end());
  }
  if (sink.hasErrors()) return nullptr;
  types::CheckOptions options;
  options.is_prelude = true;
  options.mark_entries = false;
  return types::extend(nothing, std::move(tree), whole, options, sink);
}

}  // namespace

types::EnvironmentRef wholePrelude(source::Files& files, diag::Sink& sink) {
  return check(files, sink, [](size_t i) { return std::string(stdlib::files()[i].text); });
}

types::EnvironmentRef preludeFor(const std::vector<std::string_view>& texts, source::Files& files,
                                 diag::Sink& sink) {
  const Slice slice(texts);
  return check(files, sink, [&](size_t i) { return slice.text(i); });
}

}  // namespace halo::session
