#include "cli/lsp/module_names.h"

#include <algorithm>

#include "cli/lsp/chunk.h"

namespace halo::lsp {
namespace {

constexpr ModuleNames kModules{.modules = true, .parametric = true};
constexpr ModuleNames kModuleTypes{.modules = true, .module_types = true};

// Without white space at its end.
std::string_view trimmed(std::string_view text) {
  return text.substr(0, text.find_last_not_of(" \t\n") + 1);
}

bool endsWithWord(std::string_view text, std::string_view word) {
  if (!text.ends_with(word)) return false;
  const std::string_view before = text.substr(0, text.size() - word.size());
  return before.empty() || std::string_view(" \n\t{").find(before.back()) != std::string_view::npos;
}

// Brackets of this kind that are open at the end.
long openAtEnd(std::string_view text, char open, char close) {
  return std::count(text.begin(), text.end(), open) - std::count(text.begin(), text.end(), close);
}

}  // namespace

std::optional<ModuleNames> moduleNamesAt(std::string_view text, uint32_t begin) {
  const auto chunk = chunkAround(text, begin == 0 ? 0 : begin - 1);
  if (!chunk) return std::nullopt;
  std::string_view before = text.substr(chunk->begin, begin - chunk->begin);
  before.remove_prefix(std::min(before.find_first_not_of(" \t"), before.size()));
  const bool has_space = !before.empty() && trimmed(before).size() < before.size();
  const std::string_view words = trimmed(before);
  if (endsWithWord(words, "include") && has_space) return kModuleTypes;
  if (words.starts_with("local ")) {
    return moduleNamesAt(text.substr(chunk->begin + 6), begin - chunk->begin - 6);
  }
  if (before.starts_with("open "))
    return openAtEnd(words, '{', '}') == 0 ? std::optional(kModules) : std::nullopt;
  if (!before.starts_with("module ") || openAtEnd(words, '{', '}') > 0) return std::nullopt;
  const bool is_type = before.starts_with("module type ");
  const bool has_body = words.find('=') != std::string_view::npos;
  const bool is_behind_colon = words.ends_with(':') || words.ends_with("->");
  if (is_type) return has_body ? std::optional(kModuleTypes) : std::nullopt;
  if (is_behind_colon) return kModuleTypes;
  return has_body ? std::optional(kModules) : std::nullopt;
}

}  // namespace halo::lsp
