// Families by kernel; requests that a device cannot carry out lose their numbers.
#include "gpu/schedule/choose.h"

#include "gpu/plan/layout.h"
#include "gpu/plan/nodes/scan_scatter.h"
#include "gpu/schedule/cells/group.h"
#include "gpu/schedule/cells/per_element.h"
#include "gpu/schedule/hist.h"
#include "gpu/schedule/legal.h"
#include "gpu/schedule/reduce/reduce.h"
#include "gpu/schedule/scan.h"
#include "gpu/schedule/sort.h"
#include "gpu/schedule/stencil/step.h"
#include "gpu/schedule/stencil/tile_reduce.h"
#include "gpu/schedule/stencil/time_tiles.h"
#include "gpu/schedule/transpose.h"
#include "lang/passes/calls/sorts.h"

namespace halo::gpu {
namespace {

bool isMap(const core::Function& kernel) {
  return kernel.kernel[0].kind == core::KernelKind::kMap && !kernel.kernel[0].space.empty();
}
bool isCopy(const core::Function& kernel) {
  return isMap(kernel) && std::holds_alternative<core::Copy>(kernel.body.stms.back().expr);
}
bool isGroupKernel(const core::Function& kernel) {  // without layout
  return isMap(kernel) && isGroup(kernel.body.stms.back());
}
bool isElementwise(const core::Program& program, const core::Function& kernel) {
  const core::Stm& stm = kernel.body.stms.back();
  if (kernel.kernel[0].kind == core::KernelKind::kScatter) return true;
  if (!isMap(kernel)) return false;
  const auto* update = std::get_if<core::Update>(&stm.expr);
  if (update != nullptr) return !program.type(update->value).isScalar();
  return std::holds_alternative<core::Screma>(stm.expr) ||
         std::holds_alternative<core::Iota>(stm.expr) ||
         std::holds_alternative<core::Replicate>(stm.expr) ||
         std::holds_alternative<core::Pad>(stm.expr) ||
         std::holds_alternative<core::Concat>(stm.expr);
}

bool isScan(const core::Function& kernel) {
  return kernel.kernel[0].kind == core::KernelKind::kScan;
}
bool isScanScatter(const core::Function& kernel) {
  return isScan(kernel) && std::holds_alternative<core::Scatter>(kernel.body.stms.back().expr);
}

bool isScanMap(const core::Function& kernel) { return isScan(kernel) && hasMapBehind(kernel.body); }

bool isReduce(const core::Function& kernel) {
  return kernel.kernel[0].kind == core::KernelKind::kReduce;
}
bool isHist(const core::Function& kernel) {
  return kernel.kernel[0].kind == core::KernelKind::kHist;
}

bool isStencil(const core::Function& kernel) {
  return kernel.kernel[0].kind == core::KernelKind::kStencil;
}

// Views and updates behind the node only say where its results lie.
KernelChoice chooseStencil(const Launches& launches, const core::Function& kernel,
                           const Limits& limits, const Request& request) {
  const core::Program& program = launches.program();
  if (isStencilLoop(kernel)) return chooseTimeTiles(program, kernel, limits, request);
  if (isStencilReduce(kernel)) return chooseTileReduce(program, kernel, limits, request);
  return chooseStep(launches, kernel, limits, request);
}

// Together with one invocation for each cell.
Family withCells(Family family) {
  for (const char* name : {MapSchedule::kName, CellSlotsSchedule::kName}) {
    family.schedules.emplace_back(name);
  }
  for (const Quantity quantity : {Quantity::kCode, Quantity::kIsStraight, Quantity::kAccessBytes,
                                  Quantity::kHasMemory, Quantity::kIsUnbounded}) {
    family.quantities.push_back(quantity);
  }
  return family;
}

Family stencilFamily(const core::Function& kernel) {
  if (isStencilLoop(kernel)) {
    return {
        {OverlappedTileSchedule::kName, PlaneStreamSchedule::kName, SpaceStreamSchedule::kName},
        {Quantity::kElements, Quantity::kFirstExtent, Quantity::kLastExtent, Quantity::kIsAligned}};
  }
  if (isStencilReduce(kernel)) return {{TileReduceSchedule::kName}, {}};
  return withCells({{RegisterTileSchedule::kName},
                    {Quantity::kElements, Quantity::kFirstExtent, Quantity::kMiddleExtent,
                     Quantity::kLastExtent, Quantity::kIsAligned, Quantity::kIsRowMajor,
                     Quantity::kIsBeginAligned, Quantity::kIsPlaneOdd}});
}

std::optional<KernelChoice> chooseFamily(const Launches& launches, const core::Function& kernel,
                                         const Limits& limits, const Request& request) {
  if (passes::isSort(kernel)) return chooseSort(launches.program(), kernel, limits, request);
  if (isCopy(kernel)) return chooseCopy(launches, kernel, limits, request);
  if (isScanScatter(kernel)) {
    return chooseScanScatter(launches.program(), kernel, limits, request);
  }
  if (isScanMap(kernel)) return chooseScanMap(launches.program(), kernel, limits, request);
  if (isScan(kernel)) return chooseScan(launches.program(), kernel, limits, request);
  if (isReduce(kernel)) return chooseReduce(launches.program(), kernel, limits, request);
  if (isHist(kernel)) return chooseHist(launches.program(), kernel, limits, request);
  const core::Function plain = withoutLayout(kernel);
  if (isGroupKernel(plain)) return chooseGroup(launches, plain, limits, request);
  if (isElementwise(launches.program(), plain)) {
    return chooseElements(launches, plain, limits, request);
  }
  if (isStencil(kernel)) return chooseStencil(launches, plain, limits, request);
  return std::nullopt;
}

std::string firstProblem(const std::optional<KernelChoice>& choice, const Limits& limits) {
  if (!choice) return "";
  for (const ScheduleVersion& version : choice->versions) {
    const std::string why = whyIllegal(version.schedule, limits);
    if (!why.empty()) return print(version.schedule) + ": " + why;
  }
  return "";
}

void explain(const Variants& variants, const std::string& kernel, const KernelChoice& choice) {
  if (!choice.refused.empty()) {
    variants.say(kernel + ": " + choice.refused + "; the numbers of the request are left out");
  }
  for (const ScheduleVersion& version : choice.versions) {
    const std::string when = version.guard.isAlways() ? "" : "when " + print(version.guard) + ": ";
    const std::string why = version.reason.empty() ? "" : ": " + version.reason;
    variants.say(kernel + ": " + when + print(version.schedule) + why);
  }
}

}  // namespace

std::optional<KernelChoice> choose(const Launches& launches, const core::Function& kernel,
                                   const Limits& limits, const Request& request) {
  auto choice = chooseFamily(launches, kernel, limits, request);
  const std::string why = firstProblem(choice, limits);
  if (why.empty()) return choice;
  choice = chooseFamily(launches, kernel, limits, {request.forced, {}});
  choice->refused = why;
  return choice;
}

ScheduledProgram scheduled(core::Program kernels, const Variants& variants) {
  ScheduledProgram result{variants, std::move(kernels), {}};
  const Launches launches(result.kernels);
  for (const core::Function& function : result.kernels.functions) {
    if (function.kernel.empty() || !launches.has(function.name)) continue;
    const core::Function kernel = withoutLayout(function);
    const Variants own = variants.of(result.kernels, kernel.body.stms.back());
    auto choice = choose(launches, function, own, own);
    if (!choice) continue;
    own.canBe(choice->alternatives);
    explain(own, function.name, *choice);
    result.schedules[function.name] = std::move(choice->versions);
  }
  return result;
}

Family familyOf(const core::Function& kernel) {
  if (passes::isSort(kernel)) {
    return {{SortSchedule::kName, CpuSchedule::kName}, {Quantity::kElements}};
  }
  if (isCopy(kernel)) {
    return withCells({{TransposeSchedule::kName},
                      {Quantity::kElements, Quantity::kDenseExtent, Quantity::kLastExtent,
                       Quantity::kIsTransposed, Quantity::kIsMergeable, Quantity::kIsAligned,
                       Quantity::kIsMergedAligned}});
  }
  if (isScanScatter(kernel)) {
    return {{ScanSchedule::kName, CompactionSchedule::kName}, {Quantity::kSegment}};
  }
  if (isScanMap(kernel)) return {{ScanSchedule::kName}, {Quantity::kSegment}};
  if (isScan(kernel)) {
    return {{ScanSchedule::kName, ColumnScanSchedule::kName, RowCellsSchedule::kName},
            {Quantity::kSegment, Quantity::kSegments, Quantity::kNeighbours,
             Quantity::kIsSegmentAligned, Quantity::kIsStrided, Quantity::kAreRowsDense,
             Quantity::kIsRowAligned, Quantity::kShortRow, Quantity::kOuterCells,
             Quantity::kInnerElements, Quantity::kIsBeginAligned}};
  }
  if (isReduce(kernel)) {
    return {{MatrixProductSchedule::kName, ProductSchedule::kName, SplitProductSchedule::kName,
             SubgroupReduceSchedule::kName, WorkgroupReduceSchedule::kName, ReduceSchedule::kName,
             ColumnReduceSchedule::kName, RowCellsSchedule::kName},
            {Quantity::kIsProduct, Quantity::kHasLines, Quantity::kRows, Quantity::kColumns,
             Quantity::kMatrices, Quantity::kChunkTiles, Quantity::kSegment, Quantity::kSegments,
             Quantity::kTiledSegments, Quantity::kIsFlat, Quantity::kIsSegmentAligned,
             Quantity::kIsInputStrided, Quantity::kShortRow, Quantity::kOuterCells,
             Quantity::kInnerElements, Quantity::kIsBeginAligned, Quantity::kAreRowsDense}};
  }
  if (isHist(kernel)) {
    return {{AtomicHistSchedule::kName, TableHistSchedule::kName, OrderedHistSchedule::kName},
            {Quantity::kUpdates, Quantity::kBins, Quantity::kTableWords, Quantity::kIsDense}};
  }
  if (isStencil(kernel)) return stencilFamily(withoutLayout(kernel));
  if (isGroupKernel(withoutLayout(kernel))) {
    return withCells(
        {{GroupSchedule::kName, StagedCellsSchedule::kName},
         {Quantity::kIsUniform, Quantity::kWidth, Quantity::kKnowsWidths, Quantity::kSegments,
          Quantity::kPoolWords, Quantity::kTransposedReads, Quantity::kTileExtent}});
  }
  if (isMap(kernel) || kernel.kernel[0].kind == core::KernelKind::kScatter) {
    return withCells(
        {{StagedCellsSchedule::kName, CellLanesSchedule::kName, RowCellsSchedule::kName},
         {Quantity::kSegments, Quantity::kRowElements, Quantity::kTransposedReads,
          Quantity::kTileExtent, Quantity::kShortRow, Quantity::kOuterCells,
          Quantity::kInnerElements, Quantity::kIsBeginAligned}});
  }
  return {};
}

const char* nameOf(const Schedule& schedule) {
  return std::visit([](const auto& one) { return one.kName; }, schedule);
}

}  // namespace halo::gpu
