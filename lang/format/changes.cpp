#include "lang/format/changes.h"

#include <fmt/format.h>

#include <algorithm>
#include <unordered_map>
#include <vector>

namespace halo::format {

namespace {

constexpr size_t kContext = 3;  // equal lines around a change, as diff -u shows

using Lines = std::vector<std::string_view>;  // each with its line end, but perhaps the last

Lines linesOf(std::string_view text) {
  Lines lines;
  while (!text.empty()) {
    const size_t end = std::min(text.find('\n'), text.size() - 1) + 1;
    lines.push_back(text.substr(0, end));
    text.remove_prefix(end);
  }
  return lines;
}

struct LinePair {
  size_t before, after;
};
// Half-open ranges of lines of both texts.
struct LineRange {
  LinePair begin, end;
  bool isEmpty() const { return begin.before == end.before || begin.after == end.after; }
};

class Matcher {
 public:
  Matcher(const Lines& before, const Lines& after) : before_(before), after_(after) {}

  // Lines that stay, in rising order.
  std::vector<LinePair> run() {
    match({{0, 0}, {before_.size(), after_.size()}});
    return std::move(kept_);
  }

 private:
  bool isSame(LinePair at) const { return before_[at.before] == after_[at.after]; }

  void match(LineRange range) {
    for (; !range.isEmpty() && isSame(range.begin); ++range.begin.before, ++range.begin.after) {
      kept_.push_back(range.begin);
    }
    std::vector<LinePair> tail;
    while (!range.isEmpty() && isSame({range.end.before - 1, range.end.after - 1})) {
      tail.push_back({--range.end.before, --range.end.after});
    }
    if (!range.isEmpty()) matchInside(range);
    kept_.insert(kept_.end(), tail.rbegin(), tail.rend());
  }

  void matchInside(LineRange range) {
    const std::vector<LinePair> anchors = risingAnchors(range);
    if (anchors.empty()) return;
    LinePair begin = range.begin;
    for (const LinePair& anchor : anchors) {
      match({begin, anchor});
      kept_.push_back(anchor);
      begin = {anchor.before + 1, anchor.after + 1};
    }
    match({begin, range.end});
  }

  // Lines that occur once in each range.
  std::vector<LinePair> anchorsOf(const LineRange& range) const {
    struct Count {
      size_t before = 0, after = 0, at = 0;
    };
    std::unordered_map<std::string_view, Count> counts;
    for (size_t i = range.begin.before; i < range.end.before; ++i) ++counts[before_[i]].before;
    for (size_t i = range.begin.after; i < range.end.after; ++i) {
      Count& count = counts[after_[i]];
      ++count.after;
      count.at = i;
    }
    std::vector<LinePair> anchors;
    for (size_t i = range.begin.before; i < range.end.before; ++i) {
      const Count& count = counts[before_[i]];
      if (count.before == 1 && count.after == 1) anchors.push_back({i, count.at});
    }
    return anchors;
  }

  // The longest subsequence that rises in `after` too: patience sorting, each card remembers the
  // top of the pile to its left.
  std::vector<LinePair> risingAnchors(const LineRange& range) const {
    const std::vector<LinePair> cards = anchorsOf(range);
    constexpr size_t kNone = SIZE_MAX;
    std::vector<size_t> piles, left(cards.size(), kNone);
    for (size_t card = 0; card < cards.size(); ++card) {
      const auto pile =
          std::lower_bound(piles.begin(), piles.end(), cards[card].after,
                           [&](size_t top, size_t after) { return cards[top].after < after; });
      if (pile != piles.begin()) left[card] = *(pile - 1);
      if (pile == piles.end()) {
        piles.push_back(card);
      } else {
        *pile = card;
      }
    }
    std::vector<LinePair> rising;
    for (size_t card = piles.empty() ? kNone : piles.back(); card != kNone; card = left[card]) {
      rising.push_back(cards[card]);
    }
    std::reverse(rising.begin(), rising.end());
    return rising;
  }

  const Lines& before_;
  const Lines& after_;
  std::vector<LinePair> kept_;
};

// What stands between lines that stay; touching contexts make one hunk.
std::vector<LineRange> hunksOf(const std::vector<LinePair>& kept, LinePair end) {
  std::vector<LineRange> hunks;
  LinePair at{0, 0};
  const auto addChange = [&](LinePair next) {
    if (at.before == next.before && at.after == next.after) return;
    const bool joins = !hunks.empty() && at.before - hunks.back().end.before <= 2 * kContext;
    if (joins) {
      hunks.back().end = next;
    } else {
      hunks.push_back({at, next});
    }
  };
  for (const LinePair& line : kept) {
    addChange(line);
    at = {line.before + 1, line.after + 1};
  }
  addChange(end);
  return hunks;
}

void addLine(std::string& text, char mark, std::string_view line) {
  text += mark;
  text += line;
  if (!line.ends_with('\n')) text += "\n\\ No newline at end of file\n";
}

// `3,5` of a hunk's head. An empty range names the line in front of it.
std::string extentOf(size_t begin, size_t end) {
  const size_t count = end - begin;
  return count == 1 ? fmt::format("{}", begin + 1)
                    : fmt::format("{},{}", begin + (count == 0 ? 0 : 1), count);
}

}  // namespace

std::string changes(std::string_view name, std::string_view before, std::string_view after) {
  if (before == after) return "";
  const Lines old_lines = linesOf(before), new_lines = linesOf(after);
  const std::vector<LinePair> kept = Matcher(old_lines, new_lines).run();
  std::string text = fmt::format("--- {0}\n+++ {0}\n", name);
  auto next_kept = kept.begin();
  for (LineRange hunk : hunksOf(kept, {old_lines.size(), new_lines.size()})) {
    const size_t lead = std::min(kContext, hunk.begin.before);  // lines before a change are equal
    const size_t trail = std::min(kContext, old_lines.size() - hunk.end.before);
    LinePair at{hunk.begin.before - lead, hunk.begin.after - lead};
    const LinePair end{hunk.end.before + trail, hunk.end.after + trail};
    text += fmt::format("@@ -{} +{} @@\n", extentOf(at.before, end.before),
                        extentOf(at.after, end.after));
    while (next_kept != kept.end() && next_kept->before < at.before) ++next_kept;
    while (at.before < end.before || at.after < end.after) {
      const LinePair stop =
          next_kept != kept.end() && next_kept->before < end.before ? *next_kept++ : end;
      while (at.before < stop.before) addLine(text, '-', old_lines[at.before++]);
      while (at.after < stop.after) addLine(text, '+', new_lines[at.after++]);
      if (stop.before < end.before) {
        addLine(text, ' ', old_lines[at.before]);
        ++at.before;
        ++at.after;
      }
    }
  }
  return text;
}

}  // namespace halo::format
