// Sizes of operators and maps. Operators that may fail are not straight code.
#include "gpu/schedule/node_code.h"

#include <algorithm>
#include <functional>

#include "gpu/plan/nests/element_code.h"
#include "gpu/schedule/words.h"
#include "lang/core/rewrite.h"

namespace halo::gpu {
namespace {

constexpr size_t kMaxMap = 48;    // statements
constexpr size_t kMaxPosted = 8;  // words of a workgroup's values

void forEachValue(const core::Screma& screma,
                  const std::function<void(const core::Operand&)>& visit) {
  for (const core::Reduction& reduction : screma.reductions) {
    for (const core::Operand& value : reduction.neutral) visit(value);
  }
  for (const core::Scan& scan : screma.scans) {
    for (const core::Operand& value : scan.neutral) visit(value);
  }
}

// Statements of all operators of reductions and scans.
size_t operatorCode(const core::Screma& screma) {
  size_t code = 0;
  for (const core::Reduction& reduction : screma.reductions) code += codeSize(reduction.op.body);
  for (const core::Scan& scan : screma.scans) code += codeSize(scan.op.body);
  return code;
}

}  // namespace

size_t valueWords(const core::Program& core, const core::Screma& screma) {
  size_t words = 0;
  forEachValue(screma, [&](const core::Operand& v) { words += wordsOf(core.type(v).scalar); });
  return words;
}

int64_t valueBytes(const core::Program& core, const core::Screma& screma) {
  int64_t bytes = 0;
  forEachValue(screma,
               [&](const core::Operand& v) { bytes += prim::byteSize(core.type(v).scalar); });
  return bytes;
}

bool lastGroupCombines(const core::Program& core, const std::vector<core::Reduction>& reductions,
                       const Limits& limits) {
  core::Screma combined;
  combined.reductions = reductions;
  return limits.groups_talk && isStraight(core, combined, kMaxPosted);
}

bool isStraight(const core::Program& core, const core::Screma& screma, size_t most_words) {
  if (valueWords(core, screma) > most_words) return false;
  // Operators stand behind barriers and shuffles, so they fail nowhere.
  bool straight = true;
  auto look = [&](const core::Lambda& op) {
    straight = straight && isElementCode(core, op.body, false);
  };
  for (const core::Reduction& reduction : screma.reductions) look(reduction.op);
  for (const core::Scan& scan : screma.scans) look(scan.op);
  const core::Body& map = screma.map.body;
  return straight && operatorCode(screma) <= kMaxOperator && codeSize(map) <= kMaxMap &&
         isElementCode(core, map, true) &&
         std::all_of(map.results.begin(), map.results.end(),
                     [&](const core::Operand& result) { return core.type(result).isScalar(); });
}

std::unordered_set<core::ValueId> boundAround(const std::vector<const core::Screma*>& levels) {
  std::unordered_set<core::ValueId> bound;
  for (size_t k = 0; k + 1 < levels.size(); ++k) {
    const core::Lambda& map = levels[k]->map;
    bound.insert(map.params.begin(), map.params.end());
    for (const core::Stm& stm : map.body.stms) {
      bound.insert(stm.results.begin(), stm.results.end());
    }
  }
  return bound;
}

std::unordered_set<core::ValueId> changingWith(const core::Program& program,
                                               const std::vector<const core::Screma*>& levels,
                                               size_t which) {
  std::unordered_set<core::ValueId> changing;
  for (size_t k = which; k + 1 < levels.size(); ++k) {
    const core::Screma& level = *levels[k];
    for (size_t i = 0; i < level.inputs.size(); ++i) {
      if (k == which || changing.contains(level.inputs[i])) {
        changing.insert(level.map.params[i]);
      }
    }
    for (const core::Stm& stm : level.map.body.stms) {
      const std::unordered_set<core::ValueId> used = core::freeValues(program, stm);
      const bool changes = std::any_of(
          used.begin(), used.end(), [&](core::ValueId value) { return changing.contains(value); });
      if (changes) changing.insert(stm.results.begin(), stm.results.end());
    }
  }
  return changing;
}

bool mentionsLevels(const core::Program& core, const std::vector<const core::Screma*>& levels) {
  const std::unordered_set<core::ValueId> bound = boundAround(levels);
  auto isBound = [&](core::ValueId value) { return bound.contains(value); };
  const std::vector<core::Reduction>& all = levels.back()->reductions;
  return std::any_of(all.begin(), all.end(), [&](const core::Reduction& reduction) {
    std::unordered_set<core::ValueId> used = core::freeValues(core, reduction.op);
    for (const core::Operand& neutral : reduction.neutral) {
      if (!neutral.isConstant()) used.insert(neutral.value);
    }
    return std::any_of(used.begin(), used.end(), isBound);
  });
}

}  // namespace halo::gpu
