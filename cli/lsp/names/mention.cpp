#include "cli/lsp/names/mention.h"

#include <algorithm>
#include <cctype>
#include <filesystem>
#include <string_view>
#include <vector>

#include "cli/session/imports.h"

namespace halo::lsp {
namespace {

bool isOfWord(char c) {
  return std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '_' || c == '\'';
}

// The next place of a word, which is no part of a longer one; `npos`: none. Operators have no
// letters around them that could make them longer.
size_t findWord(std::string_view text, std::string_view word, size_t from) {
  const bool is_letters = !word.empty() && isOfWord(word[0]);
  for (size_t at = text.find(word, from); at < text.size(); at = text.find(word, at + 1)) {
    const size_t end = at + word.size();
    const bool is_inner = (at > 0 && isOfWord(text[at - 1]) && text[at - 1] != '\'') ||
                          (end < text.size() && isOfWord(text[end]));
    if (!is_letters || !is_inner) return at;
  }
  return std::string_view::npos;
}

// What stands between the quotes behind each `import`.
std::vector<std::string> importsIn(std::string_view text) {
  constexpr std::string_view kImport = "import";
  std::vector<std::string> imports;
  for (size_t at = findWord(text, kImport, 0); at < text.size();
       at = findWord(text, kImport, at + 1)) {
    const size_t quote = text.find_first_not_of(" \t\n", at + kImport.size());
    if (quote >= text.size() || text[quote] != '"') continue;
    const size_t end = std::min(text.find_first_of("\"\n", quote + 1), text.size());
    imports.emplace_back(text.substr(quote + 1, end - quote - 1));
  }
  return imports;
}

// A walk over the files of one program.
class Walk {
 public:
  Walk(const std::string& root, const Sought& sought, const Texts& texts)
      : folder_(std::filesystem::path(root).parent_path()), sought_(sought), texts_(texts) {}

  bool finds(const std::string& root) {
    std::vector<std::string> waiting = {root};
    while (!waiting.empty()) {
      const std::string path = waiting.back();
      waiting.pop_back();
      if (!seen_.insert(path).second) continue;
      const std::string text = textOf(path);
      const bool is_open = path != sought_.home && !sought_.known.contains(path);
      is_named_ |= is_open && findWord(text, sought_.name, 0) < text.size();
      for (const std::string& import : importsIn(text)) waiting.push_back(fileOf(path, import));
    }
    return is_named_ && seen_.contains(sought_.home);
  }

 private:
  std::string textOf(const std::string& path) const {
    const auto given = texts_.find(path);
    return given != texts_.end() ? given->second : session::readText(path).value_or("");
  }

  // As programs find it: `/x` is in the folder of the program.
  std::string fileOf(const std::string& path, const std::string& import) const {
    const bool is_from_root = import.starts_with('/');
    const auto target = is_from_root ? folder_ / import.substr(1)
                                     : std::filesystem::path(path).parent_path() / import;
    return canonical(target.string() + ".fut");
  }

  std::filesystem::path folder_;
  const Sought& sought_;
  const Texts& texts_;
  std::set<std::string> seen_;
  bool is_named_ = false;
};

}  // namespace

bool mayUse(const std::string& path, const Sought& sought, const Texts& texts) {
  return Walk(path, sought, texts).finds(path);
}

}  // namespace halo::lsp
