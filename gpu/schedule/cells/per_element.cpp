// Short straight cells go by several to an invocation, whose loads are all under way before the
// first result is needed (docs/gpu.md#rules). All numbers were measured by bench/gpu/sweep.
#include "gpu/schedule/cells/per_element.h"

#include <algorithm>
#include <bit>
#include <iterator>

#include "gpu/plan/layout.h"
#include "gpu/plan/nests/nest.h"
#include "gpu/schedule/cells/lanes.h"
#include "gpu/schedule/cells/rows.h"
#include "lang/core/rewrite.h"
#include "lang/core/scatter.h"
#include "lang/core/visit.h"

namespace halo::gpu {
namespace {

using Layout = MapSchedule::Layout;

constexpr size_t kMaxRank = 3;  // of a grid; more axes are folded
constexpr int64_t kWordBytes = 4;

// Several cells of an invocation.
constexpr int64_t kCells = 4;
constexpr int64_t kShortCode = 96;        // statements; longer code has enough to do
constexpr int64_t kShortVectorCode = 32;  // of cells with small elements
constexpr int64_t kAccessBytes = 16;

// Invocations along x read neighbouring elements; a few rows each reuse each other's lines in
// stencils.
constexpr int64_t kWorkgroup = 256, kLine = 32, kPlanes = 2;
// Cells with loops are often few. 2,048 of them are on 32 multiprocessors then, and not on 8; their
// rows wait for the load units. Measured on an H200, a recursive filter of 2,048 rows of 2,048: 653
// us with 256 invocations, 219 with 32. 65,536 rows took 82 us with both. Fewer than 64 would leave
// half of the warps of a multiprocessor unused.
constexpr int64_t kLoopWorkgroup = 64;

// Invocations with memory of their own: a few hundred on each multiprocessor hide the latency of
// their reads there.
constexpr int64_t kMaxSlots = int64_t{1} << 17;
constexpr int64_t kMinSlots = 1024;
constexpr int64_t kMinUnbounded = 64;  // where a cell may have most of the memory

// Squares of cells.
constexpr int64_t kMaxStagedReads = 4;    // each has a square in shared memory
constexpr int64_t kMinStagedExtent = 16;  // cells; fewer leave most lanes idle

constexpr size_t kShortScatter = 12;  // statements that each element of a moved row repeats

Condition isShort(int64_t statements) {
  return Condition(Quantity::kIsStraight) && Condition(Quantity::kCode) <= statements;
}

class PerElement {
 public:
  PerElement(ScheduleVersions& versions, const CellTraits& traits, const Limits& limits,
             const Request& request)
      : versions_(versions), traits_(traits), limits_(limits), request_(request) {}

  void run() {
    if (traits_.may_have_memory) addSlots();
    if (traits_.may_be_transposed && request_.allows("staged")) addStaged();
    if (traits_.may_be_straight) {
      const bool may_be_vectors = traits_.rank == 1 && traits_.may_be_small;
      if (may_be_vectors && request_.allows("vectors")) addVectors();
      MapSchedule several = shape();
      several.layout = traits_.rank == 1 ? Layout::kApart : Layout::kBelow;
      several.cells = kCells;
      const Condition guard = traits_.is_short ? Condition() : isShort(kShortCode);
      add(guard, several, "loads of short cells are under way together");
      if (traits_.is_short) return;
    }
    add({}, shape(), traits_.may_be_straight ? "cells are long" : "cells have loops");
  }

 private:
  MapSchedule shape() const {
    MapSchedule s;
    const auto most = static_cast<uint64_t>(limits_.most_invocations);
    const int64_t wanted = traits_.may_be_straight ? kWorkgroup : kLoopWorkgroup;
    s.workgroup = std::min(wanted, static_cast<int64_t>(std::bit_floor(most)));
    s.line = traits_.rank == 1 ? s.workgroup : kLine;
    s.planes = traits_.rank < kMaxRank ? 1 : kPlanes;
    return s;
  }

  void addSlots() {
    CellSlotsSchedule s;
    s.invocations = kMaxSlots;
    s.bytes = limits_.scratch_bytes;
    s.least_invocations = kMinUnbounded;
    const Condition has_memory = Quantity::kHasMemory;
    add(has_memory && Quantity::kIsUnbounded, s, "cells have memory of unknown size");
    s.least_invocations = kMinSlots;
    add(has_memory, s, "cells have memory of their own");
  }

  // Facts of the code stand first: versions that they exclude make no kernel.
  void addStaged() {
    const Condition reads = Quantity::kTransposedReads;
    Condition guard = reads >= 1 && reads <= kMaxStagedReads;
    if (request_.forced.empty()) {
      guard = std::move(guard) && Condition(Quantity::kTileExtent) >= kMinStagedExtent;
    }
    StagedCellsSchedule s;
    if (traits_.may_be_straight) {
      s.is_unrolled = true;
      add(isShort(kShortCode) && guard, s, "reads along columns; cells are short");
      s.is_unrolled = false;
      guard = !isShort(kShortCode) && guard;
    }
    add(std::move(guard), s, "reads along columns");
  }

  void addVectors() {
    for (const int64_t bytes : {1, 2}) {
      MapSchedule s = shape();
      s.layout = Layout::kVectors;
      s.cells = kAccessBytes / bytes;
      add(isShort(kShortVectorCode) && Condition(Quantity::kAccessBytes) <= bytes, s,
          "small elements move together");
    }
  }

  void add(Condition guard, Schedule schedule, const char* reason) {
    versions_.push_back({std::move(guard), std::move(schedule), reason});
  }

  ScheduleVersions& versions_;
  const CellTraits& traits_;
  const Limits& limits_;
  const Request& request_;
};

// ---- traits of cells on Core

// Views, and arrays whose elements are computed where they are read. A reshaped array may be a
// copy.
bool isWithoutMemory(const core::Expr& expr) {
  return std::holds_alternative<core::Index>(expr) || std::holds_alternative<core::Slice>(expr) ||
         std::holds_alternative<core::Rearrange>(expr) ||
         std::holds_alternative<core::Slide>(expr) || std::holds_alternative<core::Iota>(expr) ||
         std::holds_alternative<core::Replicate>(expr);
}

bool isElement(const core::Expr& expr) {
  return std::holds_alternative<core::Copy>(expr) || std::holds_alternative<core::Iota>(expr) ||
         std::holds_alternative<core::Replicate>(expr);
}

bool isLoop(const core::Expr& expr) {
  return std::holds_alternative<core::Loop>(expr) || std::holds_alternative<core::Screma>(expr) ||
         std::holds_alternative<core::Hist>(expr) || std::holds_alternative<core::Call>(expr);
}

void look(const core::Program& program, const core::Body& body, CellTraits& traits) {
  core::visitStms(body, [&](const core::Stm& stm) {
    if (isLoop(stm.expr)) traits.may_be_straight = false;
    if (std::holds_alternative<core::Call>(stm.expr)) traits.may_have_memory = true;
    const auto* index = std::get_if<core::Index>(&stm.expr);
    const bool is_read = index != nullptr && program.type(stm.results[0]).isScalar();
    traits.may_be_transposed |= is_read || std::holds_alternative<core::Rearrange>(stm.expr);
    if (isWithoutMemory(stm.expr)) return;
    for (const core::ValueId result : stm.results) {
      traits.may_have_memory |= !core::hasAtMost(program.type(result).shape, kMaxPrivateElements);
    }
  });
}

bool hasSmallElements(const core::Program& program, const core::Function& kernel) {
  const auto isSmall = [&](core::ValueId value) {
    const core::Type& type = program.type(value);
    return !type.isScalar() && prim::byteSize(type.scalar) < kWordBytes;
  };
  return std::any_of(kernel.params.begin(), kernel.params.end(), isSmall) ||
         std::any_of(kernel.results.begin(), kernel.results.end(), isSmall);
}

size_t rankOf(const core::Program& program, const core::Function& kernel) {
  const core::Stm& stm = kernel.body.stms.back();
  if (const auto* scatter = std::get_if<core::Scatter>(&stm.expr)) {
    return movesRows(program, *scatter) ? 2 : 1;
  }
  if (const auto* update = std::get_if<core::Update>(&stm.expr)) {
    return program.type(update->value).shape.size();
  }
  if (std::holds_alternative<core::Screma>(stm.expr)) return kernel.kernel[0].space.size();
  if (const auto* stencil = std::get_if<core::Stencil>(&stm.expr)) return stencil->space.size();
  return program.type(stm.results[0]).shape.size();
}

// The code of a cell: of a nest, the innermost body.
void lookAtCells(const core::Program& program, const core::Function& kernel, CellTraits& traits) {
  const std::vector<core::Stm>& stms = kernel.body.stms;
  for (auto stm = stms.begin(); stm + 1 != stms.end(); ++stm) {
    look(program, core::Body{{*stm}, {}}, traits);
  }
  const core::Expr& expr = stms.back().expr;
  if (const auto* outer = std::get_if<core::Screma>(&expr)) {
    const auto levels = mapNest(*outer, kernel.kernel[0].space.size());
    for (const core::Screma* level : levels) {
      core::Body body = level->map.body;
      if (level != levels.back()) body.stms.pop_back();
      look(program, body, traits);
    }
  } else {
    core::visitBodies(expr, [&](const core::Body& body) { look(program, body, traits); });
  }
}

bool writesRows(const core::Function& kernel, const core::Program& program, size_t levels) {
  RowCellsSchedule by_vectors;
  by_vectors.is_vector = true;
  const std::vector<core::ValueId>& results = kernel.body.stms.back().results;
  return std::any_of(results.begin(), results.end(), [&](core::ValueId result) {
    return mayBeShortRows(program, result, levels, by_vectors);
  });
}

// The levels around cells that have short rows. Elements of a row may share code of the level
// around them, which would run for each: the row is one cell then.
size_t levelsOfCells(const core::Function& kernel, const core::Program& program, size_t rank) {
  const core::Stm& nest = kernel.body.stms.back();
  const auto* outer = std::get_if<core::Screma>(&nest.expr);
  if (outer == nullptr || rank < 2 || !hasKnownRows(program, nest, rank - 1)) return rank;
  const auto levels = mapNest(*outer, rank);
  return levels[rank - 2]->map.body.stms.size() > 1 ? rank - 1 : rank;
}

}  // namespace

bool movesRows(const core::Program& program, const core::Scatter& scatter) {
  const core::Body& body = scatter.map.body;
  const bool is_one = scatter.destinations.size() == 1 && core::writesOf(scatter) == 1;
  if (!is_one || body.stms.size() > kShortScatter) return false;
  const core::Operand& row = body.results.back();
  const std::vector<core::ValueId>& params = scatter.map.params;
  return !program.type(row).isScalar() &&
         std::find(params.begin(), params.end(), row.value) != params.end();
}

CellTraits cellTraits(const Launches& launches, const core::Function& kernel) {
  const core::Program& program = launches.program();
  CellTraits traits;
  traits.rank = rankOf(program, kernel);
  traits.may_be_small = hasSmallElements(program, kernel);
  traits.may_have_memory = false;
  lookAtCells(program, kernel, traits);
  traits.is_short = kernel.body.stms.size() == 1 && isElement(kernel.body.stms.back().expr);
  const bool is_map = std::holds_alternative<core::Screma>(kernel.body.stms.back().expr);
  traits.may_be_transposed |=
      std::any_of(kernel.params.begin(), kernel.params.end(), [&](core::ValueId param) {
        return !program.type(param).isScalar() && launches.isRearranged(kernel, param);
      });
  traits.may_be_transposed &= is_map && (traits.rank == 2 || traits.rank == kMaxRank);
  return traits;
}

void addPerElement(ScheduleVersions& versions, const CellTraits& traits, const Limits& limits,
                   const Request& request) {
  PerElement(versions, traits, limits, request).run();
}

ScheduleVersions perElement(const CellTraits& traits, const Limits& limits,
                            const Request& request) {
  ScheduleVersions versions;
  addPerElement(versions, traits, limits, request);
  return versions;
}

ScheduleVersions perElement(size_t rank, const Limits& limits, const Request& request) {
  return perElement(CellTraits{.rank = std::min(rank, kMaxRank)}, limits, request);
}

KernelChoice chooseElements(const Launches& launches, const core::Function& kernel,
                            const Limits& limits, const Request& request) {
  const CellTraits traits = cellTraits(launches, kernel);
  const std::optional<LaneCells> shared = cellsOfLanes(launches.program(), kernel, limits);
  KernelChoice choice;
  if (shared) choice.alternatives.push_back("lanes");
  if (traits.may_be_transposed) choice.alternatives.push_back("staged");
  if (traits.rank == 1 && traits.may_be_small) choice.alternatives.push_back("vectors");
  if (kernel.kernel[0].kind == core::KernelKind::kMap && !shared) {
    const size_t levels = levelsOfCells(kernel, launches.program(), traits.rank);
    addRowCells(choice, launches.program(), kernel.body.stms.back(), levels, limits, request);
    // Lanes that only read rows, by straight code, have several cells. The cache holds a line's
    // other elements. (Lengths of 2^24 vectors of [3]f32 on an H200: 73 us, 93 through shared
    // memory.)
    if (request.forced.empty() && !writesRows(kernel, launches.program(), levels)) {
      limitRowCells(choice, [](Condition guard) {
        return !Condition(Quantity::kIsStraight) && std::move(guard);
      });
    }
    if (traits.may_have_memory) {
      limitRowCells(choice, [](Condition guard) {
        return !Condition(Quantity::kHasMemory) && std::move(guard);
      });
    }
  }
  if (!choice.alternatives.empty()) choice.alternatives.push_back("plain");
  if (shared) addCellLanes(choice.versions, *shared, limits, request);
  const bool is_done = !choice.versions.empty() && choice.versions.back().guard.isAlways();
  if (!is_done) addPerElement(choice.versions, traits, limits, request);
  return choice;
}

}  // namespace halo::gpu
