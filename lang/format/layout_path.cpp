// Indices, slices and fields behind a value.
#include "lang/format/rules.h"

namespace halo::format {

using namespace syntax;

void PathLayout::indices(const std::vector<IndexPart>& parts) {
  std::vector<Range> elements;
  for (const IndexPart& part : parts) {
    elements.push_back(wordsOf(part.span));
    if (part.is_slice) slice(part, elements.back());
    if (part.index.valid()) add(part.index);
  }
  none(elements.front().first);
  const bool is_broken = spansLines(elements.front().first - 1, elements.back().last);
  for (size_t i = 1; i < elements.size(); ++i) {
    lineOrNone(is_broken, elements[i].first - 1);
    space(elements[i].first);
  }
  none(elements.back().last + 1);
  align({elements.front().first - 1, elements.back().last + 1});
}

void PathLayout::slice(const IndexPart& part, Range words) {
  WordIndex colon = words.first;
  if (part.start.valid()) none(colon = add(part.start).last + 1);
  if (part.end.valid()) {
    const Range end = add(part.end);
    none(end.first);
    colon = end.last;
  }
  if (colon < words.last) none(colon + 1);
  if (part.stride.valid()) none(add(part.stride).first);
}

void PathLayout::path(const std::vector<PathStep>& path) {
  for (const PathStep& step : path) {
    if (const auto* parts = std::get_if<std::vector<IndexPart>>(&step)) indices(*parts);
  }
}

}  // namespace halo::format
