// Versions for cells of few elements and for others. Each has as much shared memory as such cells
// usually need, so that many are under way. Where there are no runs, all versions combine elements
// in one order. A run of a lane is one element as long as there are lanes. Many cells with sums or
// scans keep the device busy by one block of lanes each. It combines runs in a third of the steps
// for single elements, and waits for no other block.
#include "gpu/schedule/cells/group.h"

#include <algorithm>

#include "gpu/plan/nests/nest.h"
#include "gpu/schedule/cells/per_element.h"
#include "lang/core/rewrite.h"
#include "lang/core/visit.h"

namespace halo::gpu {
namespace {

using Pool = GroupSchedule::Pool;

constexpr int64_t kPrinterBytes = 64;  // bytes that the printer adds
constexpr int64_t kBlock = 32;         // lanes that combine elements first
constexpr int64_t kPair = 64;
constexpr int64_t kGroupLanes = 256;
constexpr int64_t kBlockWords = 1536, kRunWords = 1792, kPairWords = 5 * 1024;
constexpr int64_t kGroupWords = 4 * 1024 + 512;
constexpr int64_t kMaxOfRuns = 9 * kBlock;  // elements
constexpr int64_t kCellsOfRuns = 1024;      // keep the device busy by one block each
// The only cell has a multiprocessor for itself. But each lane issues the uniform code and the
// steps of a fold as well. Up to four elements each are faster there than more lanes.
constexpr int64_t kOnlyCellLanes = 1024;
constexpr int64_t kMaxFolded = 4 * kGroupLanes;

// Whether a statement of the cell sums or scans.
bool hasFolds(const core::Body& body) {
  bool found = false;
  core::visitStms(body, [&](const core::Stm& stm) {
    const auto* node = std::get_if<core::Screma>(&stm.expr);
    found = found || (node != nullptr && !isMap(*node));
  });
  return found;
}

// Whether each statement that lanes share has at most so many elements, in every call.
bool haveAtMost(const core::Body& cell, int64_t elements) {
  bool have = true;
  visitShared(cell, [&](const core::Stm& stm) {
    core::Operands extents;
    if (const auto* node = std::get_if<core::Screma>(&stm.expr)) {
      extents = spaceOf(mapNest(*node, SIZE_MAX));
    } else if (const auto* node = std::get_if<core::Scatter>(&stm.expr)) {
      extents.push_back(node->width);
    }
    have = have && core::hasAtMost(extents, elements);
  });
  return have;
}

// Whether lanes sum or scan together: they combine values block by block.
bool foldTogether(const core::Body& cell) {
  bool folds = false;
  visitShared(cell, [&](const core::Stm& stm) {
    const auto* node = std::get_if<core::Screma>(&stm.expr);
    folds = folds || (node != nullptr && !isMap(*node));
  });
  return folds;
}

// As many as the widest statement has elements, if every call has as many.
int64_t onlyCellLanes(const core::Body& cell) {
  const bool are_few = foldTogether(cell) && haveAtMost(cell, kMaxFolded);
  const int64_t most = are_few ? kGroupLanes : kOnlyCellLanes;
  int64_t lanes = kBlock;
  while (lanes < most && !haveAtMost(cell, lanes)) lanes *= 2;
  return lanes;
}

class GroupVersions {
 public:
  GroupVersions(const core::Function& kernel, const Limits& limits)
      : limits_(limits), whole_((limits.shared_bytes - kPrinterBytes) / 4) {
    const core::Operands& space = kernel.kernel[0].space;
    const auto& outer = std::get<core::Screma>(kernel.body.stms.back().expr);
    const core::Body& cell = mapNest(outer, space.size()).back()->map.body;
    has_folds_ = hasFolds(cell);
    is_only_ = space == core::Operands{core::Operand::ofI64(1)};
    lanes_ = is_only_ ? onlyCellLanes(cell) : kGroupLanes;
    most_of_group_ = foldTogether(cell) ? kMaxFolded : kGroupLanes;
  }

  ScheduleVersions run() {
    is_only_ ? addOfFew() : addUsual();
    add({}, shared(Pool::kWhole, lanes_, whole_), "a cell has a workgroup");
    GroupSchedule s = shared(Pool::kDevice, lanes_, 0);
    versions_.push_back({{}, s, "arrays of a cell are too large for shared memory"});
    return std::move(versions_);
  }

 private:
  void addUsual() {
    const Condition width = Quantity::kWidth, cells = Quantity::kSegments;
    add(width <= kBlock, oneTurn(shared(Pool::kUsual, kBlock, kBlockWords)), "rows are short");
    if (has_folds_) {
      GroupSchedule runs = shared(Pool::kUsual, kBlock, kRunWords);
      runs.has_runs = true;
      add(width >= kBlock + 1 && width <= kMaxOfRuns && cells >= kCellsOfRuns, runs,
          "many cells have one block of lanes each");
    }
    add(width <= kPair, oneTurn(shared(Pool::kUsual, kPair, kPairWords)), "rows are short");
    for (const int64_t lanes : {kGroupLanes / 2, kGroupLanes}) {
      if (lanes > limits_.most_invocations) break;
      add(width <= lanes, oneTurn(shared(Pool::kUsual, lanes, kGroupWords)),
          "a lane has one element");
    }
    add({}, shared(Pool::kUsual, kGroupLanes, kGroupWords), "a cell has a workgroup");
    add(width <= kPair, oneTurn(shared(Pool::kWhole, kPair, whole_)), "rows are short");
  }

  // Of few elements, where the call decides how many.
  void addOfFew() {
    const Condition knows = Quantity::kKnowsWidths, width = Quantity::kWidth;
    if (lanes_ > kPair) {
      add(knows && width <= kPair, oneTurn(shared(Pool::kWhole, kPair, whole_)), "rows are short");
    }
    if (lanes_ > kGroupLanes) {
      add(knows && width <= most_of_group_, shared(Pool::kWhole, kGroupLanes, whole_),
          "lanes have few elements each");
    }
  }

  GroupSchedule shared(Pool pool, int64_t lanes, int64_t words) const {
    GroupSchedule s;
    s.pool = pool;
    s.lanes = std::min(lanes, limits_.most_invocations);
    s.words = std::min(words, whole_);
    return s;
  }
  static GroupSchedule oneTurn(GroupSchedule s) {
    s.one_turn = true;
    return s;
  }

  void add(const Condition& guard, const GroupSchedule& s, const char* reason) {
    const Condition fits = Condition(Quantity::kPoolWords) <= s.words;
    versions_.push_back({guard && fits, s, reason});
  }

  const Limits& limits_;
  int64_t whole_;  // words of shared memory
  bool has_folds_, is_only_;
  int64_t lanes_;
  int64_t most_of_group_;  // elements that kGroupLanes lanes share faster than more lanes
  ScheduleVersions versions_;
};

}  // namespace

bool isGroup(const core::Stm& stm) {
  const auto* nest = std::get_if<core::Screma>(&stm.expr);
  return nest != nullptr && nest->flattening.has(core::Flattening::kOnlyIntra) && isMap(*nest);
}

// Where a workgroup cannot share a cell, an invocation does it.
KernelChoice chooseGroup(const Launches& launches, const core::Function& kernel,
                         const Limits& limits, const Request& request) {
  const Condition is_uniform = Quantity::kIsUniform;
  KernelChoice choice;
  for (ScheduleVersion version : perElement(cellTraits(launches, kernel), limits, request)) {
    version.guard = !is_uniform && version.guard;
    choice.versions.push_back(std::move(version));
  }
  for (ScheduleVersion& version : GroupVersions(kernel, limits).run()) {
    choice.versions.push_back(std::move(version));
  }
  return choice;
}

}  // namespace halo::gpu
