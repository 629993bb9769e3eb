// Rules by family, then those of all schedules of a program.
#include "gpu/schedule/legal.h"

#include <fmt/format.h>

#include <algorithm>

#include "gpu/schedule/cells/cells_legal.h"
#include "gpu/schedule/choose.h"
#include "gpu/schedule/hist.h"
#include "gpu/schedule/legal_reduce.h"
#include "gpu/schedule/legal_rules.h"
#include "gpu/schedule/sort.h"
#include "gpu/schedule/stencil/stencil_legal.h"
#include "gpu/schedule/transpose.h"
#include "lang/base/check.h"
#include "lang/base/match.h"

namespace halo::gpu {
namespace {

std::string sortProblem(const SortSchedule& s, const Limits& limits) {
  using Placement = SortSchedule::Placement;
  const bool has_lanes = s.lanes > 0;
  if (s.digit_bits < 1 || s.digit_bits > 8) return "digits have 1 to 8 bits";
  if (s.keys < 1 || s.workgroup < 1) return "a workgroup has at least one key";
  if (s.workgroup < s.bins()) {
    return fmt::format("{} invocations are fewer than {} bins", s.workgroup, s.bins());
  }
  if (has_lanes && s.lanes != limits.subgroup) {
    return fmt::format("{} lanes rank keys, a subgroup has {}", s.lanes, limits.subgroup);
  }
  if (has_lanes && s.workgroup % s.lanes != 0) return "a workgroup is not whole subgroups";
  if (!has_lanes && s.placement != Placement::kCounted) return "tiles without lanes are counted";
  if (s.placement == Placement::kOnesweep && !limits.groups_talk) {
    return "Onesweep needs device-scope atomics";
  }
  if (s.placement == Placement::kOnesweep && (s.lookback_tiles < 1 || s.lookback_below < 1)) {
    return "Onesweep looks back at no tile";
  }
  if (s.lookback_below > kSortMostLookingBack) {
    return fmt::format("states of tiles count less than {} keys", kSortMostLookingBack);
  }
  const int64_t bytes = sortSharedBytes(s);
  if (bytes > limits.shared_bytes) {
    return fmt::format("{} bytes of shared memory, a workgroup has {}", bytes, limits.shared_bytes);
  }
  return "";
}

std::string transposeProblem(const TransposeSchedule& s) {
  const bool is_known =
      s.access != TransposeSchedule::Access::kWords
          ? s.side == transposeSide(s.access, 4)
          : s.side == transposeSide(s.access, 1) || s.side == transposeSide(s.access, 2);
  if (!is_known) return fmt::format("tiles of side {} are not made of such accesses", s.side);
  if (s.merges_axes && s.order != TransposeSchedule::Order::kOfResult) {
    return "tiles of merged axes go in the order of the result";
  }
  return "";
}

std::string scanProblem(const ScanSchedule& s, const Limits& limits) {
  using Carry = ScanSchedule::Carry;
  if (s.carry == Carry::kReduceThenScan) {
    if (s.workgroup != 256) return "reduce-then-scan has workgroups of 256";
    if (s.sink != ScanSchedule::Sink::kArray) return "reduce-then-scan stores its values";
    return isPower(s.elements) && s.elements <= 8 ? "" : "a round has 1, 2, 4 or 8 elements";
  }
  if (s.elements < 4 || s.elements % 4 != 0) return "elements come by vectors of four";
  if (s.elements > 64) return "registers have no room for more than 64 elements";
  if (s.carry == Carry::kLookback) {
    if (!limits.groups_talk) return "look-back needs device-scope atomics";
    if (s.sums == ScanSchedule::Sums::kTree) {
      if (s.lookback_tiles != s.lanes) return "a lane has a tile of a block";
      if (s.workgroup > s.lanes * s.lanes) return "more subgroups than lanes that add their sums";
    } else if (!isPower(s.lookback_tiles) || s.lookback_tiles > 16) {
      return "a lane looks back at 1, 2, 4, 8 or 16 tiles";
    }
  } else if (s.sums == ScanSchedule::Sums::kTree) {
    return "only tiles that look back have a tree of sums";
  }
  return lanesProblem(s.lanes, s.workgroup, limits);
}

std::string columnsProblem(const ColumnScanSchedule& s, const Limits& limits) {
  using Tile = ColumnScanSchedule::Tile;
  constexpr int64_t kMaxRows = 64;
  if (s.tile == Tile::kChunks) return s.workgroup == 256 ? "" : "chunks have workgroups of 256";
  if (!limits.groups_talk) return "look-back needs device-scope atomics";
  if (s.rows < 1 || s.rows > kMaxRows) {
    return fmt::format("registers have room for 1 to {} rows", kMaxRows);
  }
  if (s.tile == Tile::kStaged) {
    if (s.lookback_tiles != 32) return "staged tiles look back at blocks of 32";
    return s.rows % 2 == 1 ? "" : "staged parts have an odd number of rows";
  }
  if (s.tile == Tile::kColumns || s.tile == Tile::kWideColumns) {
    if (s.lookback_tiles != 8) return "tiles of columns look back at blocks of 8";
    return s.workgroup == 32 * s.parts ? "" : "a part has an invocation for each of 32 columns";
  }
  const int64_t columns = s.tile == Tile::kNarrow ? s.columns : 4 * s.vectors;
  if (s.tile == Tile::kNarrow && s.rows % 2 == 0) return "narrow parts have an odd number of rows";
  if (s.columns > s.lanes) return "lanes of a subgroup have a row of a narrow tile";
  if (columns < 1 || s.workgroup < columns * s.lookback_lanes) {
    return "fewer invocations than columns that look back";
  }
  if (!isPower(s.lookback_lanes) || !isPower(s.lookback_tiles)) {
    return "lanes and tiles of a look-back are powers of two";
  }
  return lanesProblem(s.lanes, s.workgroup, limits);
}

std::string compactionProblem(const CompactionSchedule& s, const Limits& limits) {
  if (s.elements < 4 || s.elements > 32 || s.elements % 4 != 0) {
    return "a word counts the flags of 4, 8, .. or 32 elements";
  }
  if (s.carry == CompactionSchedule::Carry::kLookback) {
    if (!limits.groups_talk) return "look-back needs device-scope atomics";
    if (!s.hasBlocks() && (!isPower(s.lookback_tiles) || s.lookback_tiles > 16)) {
      return "a lane looks back at 1, 2, 4, 8 or 16 tiles";
    }
    return lanesProblem(s.lanes, s.workgroup, limits);
  }
  if (s.workgroup != 256) return "workgroups that count have 256 invocations";
  if (s.workgroups < 256 || s.workgroups % 256 != 0) return "counts are added by 256 invocations";
  return lanesProblem(s.lanes, s.workgroup, limits);
}

std::string atomicHistProblem(const AtomicHistSchedule& s, const Limits& limits) {
  using Bins = AtomicHistSchedule::Bins;
  if (s.bins == Bins::kMemory || s.bins == Bins::kRows) return "";
  if (s.workgroup < 1 || s.elements < 1 || s.workgroups < 1) return "a workgroup has no elements";
  const int64_t words = s.bins == Bins::kSlots ? 2 * s.capacity : s.capacity;  // tags beside
  if (s.capacity < 1 || words * 4 > limits.shared_bytes) {
    return fmt::format("{} bytes of shared memory, a workgroup has {}", words * 4,
                       limits.shared_bytes);
  }
  if (s.bins == Bins::kSlots && s.capacity != kHistSlots) {
    return fmt::format("bins are spread over {} slots", kHistSlots);
  }
  return "";
}

std::string tableHistProblem(const TableHistSchedule& s, const Limits& limits) {
  if (s.workgroup < 1) return "a workgroup has at least one invocation";
  if (s.words * 4 <= limits.shared_bytes) return "";
  return fmt::format("{} bytes of shared memory, a workgroup has {}", s.words * 4,
                     limits.shared_bytes);
}

std::string orderedHistProblem(const OrderedHistSchedule& s, const Limits& limits) {
  using Combine = OrderedHistSchedule::Combine;
  if (s.combine == Combine::kWorkers) return "";
  if (s.combine == Combine::kSorted || s.combine == Combine::kNumbers) {
    return sortProblem(s.sort, limits);
  }
  if (!isPower(s.workgroup)) return "invocations are a power of two";
  if (s.combine == Combine::kPairs) return "";
  const int64_t cells = s.combine == Combine::kLanes ? s.workgroup * s.bins : s.bins + s.claims;
  if (s.bins < 1 || cells * 4 > limits.shared_bytes) {
    return fmt::format("no room for {} bins in {} bytes of shared memory", s.bins,
                       limits.shared_bytes);
  }
  if (s.combine == Combine::kLanes) return "";
  if (!isPower(s.claims)) return "words for claims are a power of two";
  if (s.elements < 1 || s.elements > kClaimTogether) {
    return fmt::format("an invocation has {} elements under way", kClaimTogether);
  }
  if (s.combine != Combine::kRanges) return "";
  return isPower(s.bins) ? sortProblem(s.sort, limits) : "ranges are whole bits of a bin";
}

int64_t invocationsOf(const Schedule& schedule) {
  if (const auto* cells = std::get_if<MapSchedule>(&schedule)) return cells->workgroup;
  if (const auto* cells = std::get_if<CellSlotsSchedule>(&schedule)) return cells->workgroup;
  if (const auto* cells = std::get_if<StagedCellsSchedule>(&schedule)) {
    return cells->side * cells->rows;
  }
  if (const auto* cells = std::get_if<RowCellsSchedule>(&schedule)) return cells->workgroup;
  if (const auto* cells = std::get_if<GroupSchedule>(&schedule)) return cells->lanes;
  if (const auto* cells = std::get_if<CellLanesSchedule>(&schedule)) return cells->workgroup;
  if (const auto* sort = std::get_if<SortSchedule>(&schedule)) return sort->workgroup;
  if (const auto* scan = std::get_if<ScanSchedule>(&schedule)) return scan->workgroup;
  if (const auto* scan = std::get_if<ColumnScanSchedule>(&schedule)) return scan->workgroup;
  if (const auto* hist = std::get_if<AtomicHistSchedule>(&schedule)) return hist->workgroup;
  if (const auto* hist = std::get_if<TableHistSchedule>(&schedule)) return hist->workgroup;
  if (const auto* hist = std::get_if<OrderedHistSchedule>(&schedule)) return hist->workgroup;
  if (const auto* reduce = std::get_if<ReduceSchedule>(&schedule)) return reduce->workgroup;
  if (const auto* reduce = std::get_if<SubgroupReduceSchedule>(&schedule)) return reduce->workgroup;
  if (const auto* reduce = std::get_if<WorkgroupReduceSchedule>(&schedule)) {
    return reduce->workgroup;
  }
  if (const auto* reduce = std::get_if<ColumnReduceSchedule>(&schedule)) return reduce->workgroup;
  if (const auto* product = std::get_if<MatrixProductSchedule>(&schedule)) {
    return product->own_rows > 0 && product->own_columns > 0 ? product->threads() : 1;
  }
  if (const auto* tiles = std::get_if<OverlappedTileSchedule>(&schedule)) return tiles->workgroup;
  if (const auto* stream = std::get_if<PlaneStreamSchedule>(&schedule)) {
    return stream->lanes * stream->subgroups;
  }
  if (const auto* stream = std::get_if<SpaceStreamSchedule>(&schedule)) {
    return stream->lanes * stream->subgroups;
  }
  if (const auto* tile = std::get_if<TileReduceSchedule>(&schedule)) return tile->workgroup;
  if (std::holds_alternative<TransposeSchedule>(schedule)) return kTransposeThreads;
  return 1;
}

diag::Failure broken(const std::string& kernel, const std::string& message) {
  return diag::fail(diag::Code::invalid_core, {}, "schedule " + kernel + ": " + message);
}

bool asksForOthers(const Condition& condition, const std::vector<Quantity>& known) {
  const bool is_known = condition.kind != Condition::Kind::kQuantity ||
                        std::find(known.begin(), known.end(), condition.quantity) != known.end();
  return !is_known || std::any_of(condition.args.begin(), condition.args.end(),
                                  [&](const Condition& arg) { return asksForOthers(arg, known); });
}

std::string guardProblem(const Condition& guard, const Family& family, bool is_last) {
  if (!isWellFormed(guard) || isNumber(guard)) return "`" + print(guard) + "` is no condition";
  if (asksForOthers(guard, family.quantities)) {
    return "`" + print(guard) + "` asks for a quantity that such kernels do not have";
  }
  if (guard.isAlways() == is_last) return "";
  return is_last ? "the last version has a guard" : "a version without a guard is not the last";
}

std::string scheduleProblem(const Schedule& schedule, const core::Function& kernel,
                            const Limits& limits) {
  const std::vector<std::string> names = familyOf(kernel).schedules;
  if (std::find(names.begin(), names.end(), nameOf(schedule)) == names.end()) {
    return "no schedule of such kernels";
  }
  const auto* reduce = std::get_if<ReduceSchedule>(&schedule);
  std::string why = whyIllegal(schedule, limits);
  if (why.empty() && reduce != nullptr) return whyIllegal(*reduce, kernel);
  const auto* rows = std::get_if<RowCellsSchedule>(&schedule);
  if (why.empty() && rows != nullptr) return whyIllegal(*rows, kernel);
  const auto* groups = std::get_if<WorkgroupReduceSchedule>(&schedule);
  return why.empty() && groups != nullptr ? whyIllegal(*groups, kernel) : why;
}

}  // namespace

std::string whyIllegal(const Schedule& schedule, const Limits& limits) {
  if (invocationsOf(schedule) > limits.most_invocations) {
    return fmt::format("{} invocations, a workgroup has at most {}", invocationsOf(schedule),
                       limits.most_invocations);
  }
  return base::match(
      schedule, [&](const CpuSchedule&) { return std::string(); },
      [&](const MapSchedule& s) { return whyIllegal(s); },
      [&](const CellSlotsSchedule& s) { return whyIllegal(s); },
      [&](const StagedCellsSchedule& s) { return whyIllegal(s, limits); },
      [&](const RowCellsSchedule& s) { return whyIllegal(s, limits); },
      [&](const GroupSchedule& s) { return whyIllegal(s, limits); },
      [&](const CellLanesSchedule& s) { return whyIllegal(s, limits); },
      [&](const TransposeSchedule& s) { return transposeProblem(s); },
      [&](const SortSchedule& s) { return sortProblem(s, limits); },
      [&](const ScanSchedule& s) { return scanProblem(s, limits); },
      [&](const ColumnScanSchedule& s) { return columnsProblem(s, limits); },
      [&](const CompactionSchedule& s) { return compactionProblem(s, limits); },
      [&](const AtomicHistSchedule& s) { return atomicHistProblem(s, limits); },
      [&](const TableHistSchedule& s) { return tableHistProblem(s, limits); },
      [&](const OrderedHistSchedule& s) { return orderedHistProblem(s, limits); },
      [&](const ReduceSchedule& s) { return whyIllegal(s, limits); },
      [&](const SubgroupReduceSchedule& s) { return whyIllegal(s, limits); },
      [&](const WorkgroupReduceSchedule& s) { return whyIllegal(s, limits); },
      [&](const ColumnReduceSchedule& s) { return whyIllegal(s); },
      [&](const ProductSchedule& s) { return whyIllegal(s); },
      [&](const SplitProductSchedule& s) { return whyIllegal(s); },
      [&](const MatrixProductSchedule& s) { return whyIllegal(s, limits); },
      [&](const RegisterTileSchedule& s) { return whyIllegal(s, limits); },
      [&](const OverlappedTileSchedule& s) { return whyIllegal(s); },
      [&](const PlaneStreamSchedule& s) { return whyIllegal(s, limits); },
      [&](const SpaceStreamSchedule& s) { return whyIllegal(s, limits); },
      [&](const TileReduceSchedule& s) { return whyIllegal(s, limits); });
}

diag::Result<std::monostate> verify(const ScheduledProgram& program) {
  for (const auto& [name, versions] : program.schedules) {
    const core::Function* kernel = program.kernels.find(name);
    if (kernel == nullptr || kernel->kernel.empty()) return broken(name, "there is no such kernel");
    if (versions.empty()) return broken(name, "no version");
    const Family family = familyOf(*kernel);
    for (const ScheduleVersion& version : versions) {
      std::string why = guardProblem(version.guard, family, &version == &versions.back());
      if (!why.empty()) return broken(name, why);
      why = scheduleProblem(version.schedule, *kernel, program.limits);
      if (!why.empty()) return broken(name, print(version.schedule) + ": " + why);
    }
  }
  return std::monostate{};
}

void mustVerify(const ScheduledProgram& program) {
  auto verified = verify(program);
  if (verified) return;
  base::checkFailed("gpu/schedule/legal.cpp", __LINE__, "verify", verified.error().message.c_str());
}

}  // namespace halo::gpu
