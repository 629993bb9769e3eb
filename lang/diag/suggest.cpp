// Did-you-mean: the nearest candidate by Damerau-Levenshtein distance (Damerau 1964; optimal string
// alignment, that is, no substring is edited twice).
#include <algorithm>
#include <array>

#include "lang/diag/diagnostic.h"

namespace halo::diag {
namespace {

constexpr size_t kMaxDistance = 2;
constexpr size_t kMaxLength = 64;  // longer names are not typing errors of anything

size_t editDistance(const std::string& a, const std::string& b) {
  // Three rows of the usual table: a transposition reads two rows before.
  std::array<std::array<size_t, kMaxLength + 1>, 3> rows{};
  for (size_t j = 0; j <= b.size(); ++j) rows[0][j] = j;
  for (size_t i = 1; i <= a.size(); ++i) {
    auto& row = rows[i % 3];
    const auto& above = rows[(i + 2) % 3];
    const auto& two_above = rows[(i + 1) % 3];
    row[0] = i;
    for (size_t j = 1; j <= b.size(); ++j) {
      size_t replace = above[j - 1] + (a[i - 1] == b[j - 1] ? 0 : 1);
      row[j] = std::min({above[j] + 1, row[j - 1] + 1, replace});
      bool swapped = i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1];
      if (swapped) row[j] = std::min(row[j], two_above[j - 2] + 1);
    }
  }
  return rows[a.size() % 3][b.size()];
}

}  // namespace

std::optional<std::string> didYouMean(const std::string& name,
                                      const std::vector<std::string>& candidates) {
  // Two edits of a short name make any other: `sort` is no misspelt `not`.
  size_t allowed = name.size() < 6 ? 1 : kMaxDistance;
  if (name.size() > kMaxLength) return std::nullopt;
  const std::string* best = nullptr;
  size_t best_distance = allowed + 1;
  for (const std::string& candidate : candidates) {
    if (candidate.empty() || candidate.size() > name.size() + allowed ||
        candidate.size() + allowed < name.size() || candidate.size() > kMaxLength) {
      continue;
    }
    size_t distance = editDistance(name, candidate);
    // An edit of every letter is not a likeness: `x` is not a misspelt `y`.
    if (distance == 0 || distance >= std::max(name.size(), candidate.size())) continue;
    if (distance < best_distance) {
      best_distance = distance;
      best = &candidate;
    }
  }
  if (best == nullptr) return std::nullopt;
  return *best;
}

}  // namespace halo::diag
