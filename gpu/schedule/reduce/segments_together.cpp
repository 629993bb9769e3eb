// Four segments, or two where their code is long.
#include "gpu/schedule/reduce/segments_together.h"

#include <algorithm>
#include <unordered_set>

#include "gpu/plan/nests/element_code.h"
#include "gpu/schedule/node_code.h"

namespace halo::gpu {

namespace {

constexpr int64_t kSegments = 4;
constexpr size_t kTogetherMostWords = 8;    // of a segment's sums
constexpr size_t kTogetherMostCode = 1024;  // statements of all segments together (gpu.md#rules)

bool mayBeRepeated(const core::Program& core, const core::Screma& screma) {
  auto isElement = [&](const core::Body& body) { return isElementCode(core, body, false); };
  return isElement(screma.map.body) &&
         std::all_of(screma.reductions.begin(), screma.reductions.end(),
                     [&](const core::Reduction& each) { return isElement(each.op.body); });
}

// Inputs that the levels around bind differ from segment to segment.
bool readsTheSame(const std::vector<const core::Screma*>& levels) {
  const std::unordered_set<core::ValueId> bound = boundAround(levels);
  const std::vector<core::ValueId>& inputs = levels.back()->inputs;
  return std::none_of(inputs.begin(), inputs.end(),
                      [&](core::ValueId input) { return bound.contains(input); });
}

}  // namespace

int64_t segmentsTogether(const core::Program& program,
                         const std::vector<const core::Screma*>& levels) {
  const core::Screma& screma = *levels.back();
  size_t reduced = 0, code = codeSize(screma.map.body);
  for (const core::Reduction& reduction : screma.reductions) {
    reduced += reduction.neutral.size();
    code += codeSize(reduction.op.body);
  }
  const bool fits = levels.size() > 1 && screma.map.body.results.size() == reduced &&
                    valueWords(program, screma) <= kTogetherMostWords && readsTheSame(levels) &&
                    mayBeRepeated(program, screma);
  if (!fits) return 1;
  int64_t together = kSegments;
  while (together > 1 && code * static_cast<size_t>(together) > kTogetherMostCode) together /= 2;
  return together;
}

}  // namespace halo::gpu
