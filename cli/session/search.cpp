#include "cli/session/search.h"

#include <algorithm>
#include <cctype>
#include <map>
#include <optional>
#include <tuple>

namespace halo::session {
namespace {

std::string lower(std::string text) {
  std::transform(text.begin(), text.end(), text.begin(),
                 [](unsigned char c) { return static_cast<char>(std::tolower(c)); });
  return text;
}

std::string shortName(const std::string& name) { return name.substr(name.rfind('.') + 1); }

std::string summaryOf(const types::Def& def) { return def.doc.substr(0, def.doc.find('\n')); }

// How many words the name lacks; none: the comment lacks one of these.
std::optional<size_t> distance(const types::Def& def, const std::vector<std::string>& words) {
  const std::string name = lower(def.name), comment = lower(def.doc);
  size_t missing = 0;
  for (const std::string& word : words) {
    if (name.find(lower(word)) != std::string::npos) continue;
    if (comment.find(lower(word)) == std::string::npos) return std::nullopt;
    ++missing;
  }
  return missing;
}

}  // namespace

std::vector<Hit> search(const types::Program& program, const std::vector<std::string>& words) {
  using Rank = std::tuple<size_t, size_t, std::string>;  // words missing, length, name
  std::map<Rank, Hit> hits;
  std::map<std::pair<std::string, std::string>, Rank> alike;  // by short name and summary
  for (const types::Def& def : program.defs) {
    const auto missing = distance(def, words);
    const bool is_internal = def.name.starts_with("intrinsics.");
    if (def.doc.empty() || !missing || is_internal) continue;
    const std::string name = shortName(def.name);
    const auto [same, is_first] =
        alike.try_emplace({name, summaryOf(def)}, Rank{*missing, name.size(), def.name});
    if (is_first) {
      hits[same->second] = {def.name, types::print(program, def.type), summaryOf(def), {}};
      continue;
    }
    Hit& first = hits[same->second];
    const std::string module = def.name.substr(0, def.name.size() - name.size());
    if (!module.empty() && def.name != first.name) {
      first.other_modules.push_back(module.substr(0, module.size() - 1));
    }
  }
  std::vector<Hit> all;
  for (auto& [rank, hit] : hits) all.push_back(std::move(hit));
  return all;
}

}  // namespace halo::session
