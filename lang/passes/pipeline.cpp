// The lists, and the loop that runs one. Constraints on the order are comments on the rows.
#include "lang/passes/pipeline.h"
#include "lang/passes/simplify/checks_first.h"

#include <algorithm>
#include <chrono>

#include "lang/base/check.h"
#include "lang/core/rules/verify.h"
#include "lang/passes/bounds/prove_bounds.h"
#include "lang/passes/calls/inline.h"
#include "lang/passes/calls/sort_networks.h"
#include "lang/passes/calls/sort_rows.h"
#include "lang/passes/fixed_points.h"
#include "lang/passes/fuse/fuse.h"
#include "lang/passes/fuse/fuse_scans.h"
#include "lang/passes/fuse/join_fronts.h"
#include "lang/passes/fuse/read_concats.h"
#include "lang/passes/fuse/share_rows.h"
#include "lang/passes/fuse/share_sums.h"
#include "lang/passes/fuse/split_maps.h"
#include "lang/passes/fuse/walk_scans.h"
#include "lang/passes/loops/carry_older.h"
#include "lang/passes/loops/drop_repeated.h"
#include "lang/passes/loops/scalar_loops.h"
#include "lang/passes/loops/share_iterations.h"
#include "lang/passes/memory/carry_elements.h"
#include "lang/passes/memory/own_loops.h"
#include "lang/passes/memory/read_originals.h"
#include "lang/passes/memory/remove_copies.h"
#include "lang/passes/memory/scattered_fills.h"
#include "lang/passes/memory/sink_updates.h"
#include "lang/passes/memory/widen_hists.h"
#include "lang/passes/nests/flat_nests.h"
#include "lang/passes/nests/interchange.h"
#include "lang/passes/nests/interchange_nests.h"
#include "lang/passes/nests/nested_reductions.h"
#include "lang/passes/nests/own_elements.h"
#include "lang/passes/nests/raise_nests.h"
#include "lang/passes/nests/reduce_columns.h"
#include "lang/passes/nests/reduce_rows.h"
#include "lang/passes/nests/scalar_rows.h"
#include "lang/passes/semantics/adjoin_identities.h"
#include "lang/passes/semantics/define_semantics.h"
#include "lang/passes/simplify/drop_fills.h"
#include "lang/passes/simplify/hoist.h"
#include "lang/passes/simplify/if_to_select.h"
#include "lang/passes/simplify/lift_views.h"
#include "lang/passes/simplify/merge_nodes.h"
#include "lang/passes/simplify/simplify.h"
#include "lang/passes/simplify/unroll.h"
#include "lang/passes/stencil/inline_gathers.h"
#include "lang/passes/stencil/recognise_gathers.h"
#include "lang/passes/stencil/recognise_windows.h"
#include "lang/passes/stencil/static_offsets.h"
#include "lang/passes/stencil/update_cells.h"

namespace halo::passes {
namespace {

constexpr PassRow kInline = {"inline", "replace calls by bodies", inlineCalls};
constexpr PassRow kInlineAllButSorts = {"inline", "replace calls by bodies", inlineAllButSorts};
constexpr PassRow kInlineSorts = {"inline_sorts", "replace calls of sorts by bodies", inlineSorts};
constexpr PassRow kInlineSortsOfCells = {
    "inline_sorts", "replace calls of sorts in lambdas by bodies", inlineSortsOfCells};
constexpr PassRow kReduceColumns = {"reduce_columns", "columns of short rows side by side",
                                    reduceColumns};
constexpr PassRow kInlineGathers = {
    "inline_gathers", "maps that only gather, in the maps that read them", inlineGathers};
constexpr PassRow kSortRows = {"sort_rows", "sort all rows of a nest together", sortRows};
constexpr PassRow kSortNetworks = {"sort_networks", "write out sorts of few elements",
                                   sortNetworks};
constexpr PassRow kSimplify = {"simplify", "algebra, common subexpressions, dead code", simplify,
                               simplifyFunctions};
constexpr PassRow kUnroll = {"unroll", "write out scremas over few known elements", unroll};
constexpr PassRow kScalarLoops = {"scalar_loops", "elements that loops of cells carry, as scalars",
                                  scalarLoops};
constexpr PassRow kStaticOffsets = {"static_offsets", "windows with known offsets", staticOffsets};
constexpr PassRow kShareSums = {"share_sums", "sums over neighbourhoods by rows", shareSums};
constexpr PassRow kFactorSums = {"factor_sums", "the same, rows times a factor",
                                 shareAndFactorSums};
constexpr PassRow kHoist = {"hoist", "move invariant code out of lambdas and loops", hoist};
constexpr PassRow kHoistEarly = {
    "hoist_early", "the same, except conversions of arrays that a loop reads", hoistEarly};
constexpr PassRow kRecogniseWindows = {"recognise_windows", "maps over slides of pads as stencils",
                                       recogniseWindows};
constexpr PassRow kRecogniseGathers = {"recognise_gathers", "maps over neighbours as stencils",
                                       recogniseGathers};
constexpr PassRow kUpdateCells = {"update_cells", "updates at fixed places as choices of cells",
                                  updateCells};
constexpr PassRow kInterchange = {"interchange", "reductions and scans of rows as maps of them",
                                  interchangeRows};
constexpr PassRow kScalarRows = {"scalar_rows", "operators on short rows as operators on scalars",
                                 scalarRows};
constexpr PassRow kLiftViews = {"lift_views", "views of rows around scans as views of arrays",
                                liftViews};
constexpr PassRow kOwnElements = {"own_elements", "elements at the own place as inputs",
                                  ownElements};
constexpr PassRow kInterchangeNests = {
    "interchange_nests", "nests that are read by columns, with levels exchanged", interchangeNests};
constexpr PassRow kNestedReductions = {"nested_reductions", "reductions of reduced rows as one",
                                       nestedReductions};
constexpr PassRow kReduceRows = {"reduce_rows", "reductions of flattened planes by rows",
                                 reduceRows};
constexpr PassRow kFlatNests = {"flat_nests", "nests that flat nodes read as flat maps", flatNests};
constexpr PassRow kRaiseNests = {"raise_nests", "nests and flat reductions beside stencils",
                                 raiseNests};
constexpr PassRow kShareRows = {"share_rows", "common code of a nest's rows, once", shareRows};
constexpr PassRow kShareIterations = {
    "share_iterations", "what iterations of a loop repeat in nodes, once", shareIterations};
constexpr PassRow kCarryOlder = {"carry_older",
                                 "older values of arrays in place of their negatives", carryOlder};
constexpr PassRow kDropRepeated = {"drop_repeated", "maps whose loops a later node runs again",
                                   dropRepeated};
constexpr PassRow kFuse = {"fuse", "join parallel nodes that pass arrays to each other", fuse};
constexpr PassRow kOwnLoops = {"own_loops", "loops own arrays they change in place", ownLoops};
constexpr PassRow kFuseScans = {"fuse_scans", "scatters whose places come from a scan", fuseScans};
constexpr PassRow kWalkScans = {"walk_scans", "reductions behind a scan in its loop", walkScans};
constexpr PassRow kJoinFronts = {"join_fronts", "fronts of scattered arrays behind each other",
                                 joinFronts};
constexpr PassRow kReadConcats = {"read_concats", "maps over concatenations read their parts",
                                  readConcats};
constexpr PassRow kSplitMaps = {
    "split_maps", "maps with loops apart from scatters, histograms and sums", splitMaps};
constexpr PassRow kSplitScans = {"split_scans", "maps with loops or long code apart from scans",
                                 splitScans};
constexpr PassRow kWidenHists = {"widen_hists", "histograms of small integers in words",
                                 widenHists};
constexpr PassRow kMergeNodes = {"merge_nodes", "equal parallel nodes once", mergeNodes};
constexpr PassRow kRemoveCopies = {"remove_copies", "drop copies without a reason", removeCopies};
constexpr PassRow kProveBounds = {"prove_bounds", "checks that always hold", proveBounds};
constexpr PassRow kSinkUpdates = {"sink_updates", "one update behind branches that all write it",
                                  sinkUpdates};
constexpr PassRow kCarryElements = {"carry_elements", "elements of earlier iterations as scalars",
                                    carryElements};
constexpr PassRow kReadOriginals = {"read_originals", "elements not yet written, from the source",
                                    readOriginals};
constexpr PassRow kAdjoinIdentities = {"adjoin_identities", "operators that may fail meet elements",
                                       adjoinIdentities};
constexpr PassRow kDefineSemantics = {"define_semantics", "make every operation total",
                                      defineSemantics};
constexpr PassRow kIfToSelect = {"if_to_select", "compute both arms of small conditionals",
                                 ifToSelect};
constexpr PassRow kScatteredFills = {
    "scattered_fills", "values where a scatter writes all that is read", dropScatteredFills};
constexpr PassRow kDropFills = {"drop_fills", "values that a loop overwrites", dropFills};
constexpr PassRow kChecksFirst = {"checks_first", "checks before reads that they do not need",
                                  checksFirst};

// The passes of both engines. All that move statements are in here.
// clang-format off
const std::vector<PassRow> kShared = {
    kInlineAllButSorts,
    kSimplify,       // sizes of sorts are known
    kDropRepeated,   // before anything joins the two nodes
    kSortNetworks,
    kInlineSorts,
    kRecogniseWindows,  // before unroll: windows become arrays of known neighbours
    kOwnLoops,       // before remove_copies, which drops copies then owned
    kRemoveCopies,   // before hoist: consumed arrays are not invariant
    kUnroll,         // before static_offsets: offsets may be computed
    kSimplify,
    kStaticOffsets,
    kUnroll,         // sums over neighbourhoods
    kInlineGathers,
    kSimplify,       // the neighbourhoods' arrays dissolve
    kUpdateCells,    // before recognise_gathers: its nests are own elements of stencils
    kRecogniseGathers,  // before hoist_early: nests are whole
    kSimplify,
    kScatteredFills,    // before hoist_early: a fill outside of a loop is copied in it
    kCarryOlder,        // before hoist_early, as the negative in front of a loop may be invariant
    kHoistEarly,     // before fuse: an invariant node is no producer
    kRaiseNests,
    kFuse,
    kSimplify,
    kFuse,           // inputs and results that simplify dropped no longer stand in between
    kSimplify,
    kShareRows,  // after fuse, which would join the rows' arrays with their readers; before hoist
    kShareIterations,
    kHoist,
    kOwnLoops,
    kRemoveCopies,
    kSimplify,
};
// clang-format on

// Passes that rely on the order of statements: nothing may move them any more.
// clang-format off
const std::vector<PassRow> kLast = {
    kProveBounds,
    kSimplify,  // looks through views that are now proven
    kSinkUpdates,
    kCarryElements,
    kDefineSemantics,
    kIfToSelect,
    kSimplify,
};
// clang-format on

std::vector<PassRow> joined(std::vector<PassRow> first, const std::vector<PassRow>& second) {
  first.insert(first.end(), second.begin(), second.end());
  return first;
}

// Before fuse: only reductions and scans of arrays as they are change. Nests that they read turn in
// front of each fuse: rows of rows stand in cells that the first one has joined.
std::vector<PassRow> withInterchange(std::vector<PassRow> rows) {
  auto raise = std::find_if(rows.begin(), rows.end(),
                            [](const PassRow& row) { return row.run == raiseNests; });
  rows.insert(raise, {kInterchange, kSimplify, kNestedReductions, kSimplify});
  for (size_t i = 0; i < rows.size(); ++i) {
    if (rows[i].run == fuse)
      rows.insert(rows.begin() + static_cast<std::ptrdiff_t>(i++), kInterchangeNests);
  }
  return rows;
}

// When operators are whole, and before unroll: their rows become elements known one by one.
std::vector<PassRow> withScalarRows(std::vector<PassRow> rows) {
  auto unrolled =
      std::find_if(rows.begin(), rows.end(), [](const PassRow& row) { return row.run == unroll; });
  rows.insert(unrolled, {kScalarRows, kReduceColumns});
  return rows;
}

// Behind each unroll, which makes rows of known elements. The second one writes out nodes over rows
// of the loops that the first one has left.
std::vector<PassRow> withScalarLoops(std::vector<PassRow> rows) {
  for (size_t i = 0; i < rows.size(); ++i) {
    if (rows[i].run != unroll) continue;
    const auto behind = rows.begin() + static_cast<std::ptrdiff_t>(i) + 1;
    rows.insert(behind, {kSimplify, kScalarLoops});
    i += 2;
  }
  return rows;
}

// Behind the last fuse, which makes one scatter of a partition's two.
std::vector<PassRow> withJoinedFronts(std::vector<PassRow> rows) {
  auto last =
      std::find_if(rows.rbegin(), rows.rend(), [](const PassRow& row) { return row.run == fuse; });
  rows.insert(last.base() + 1, {kJoinFronts, kSimplify});
  return rows;
}

// Behind the first fuse, which joins nests by their rows.
std::vector<PassRow> withFlatNests(std::vector<PassRow> rows) {
  auto fused =
      std::find_if(rows.begin(), rows.end(), [](const PassRow& row) { return row.run == fuse; });
  rows.insert(fused + 2, {kFlatNests, kSimplify});
  return rows;
}

// Before recognise_gathers: rows beside copies of their edges are neighbours. Own elements behind
// it, which finds them with neighbours.
std::vector<PassRow> withReads(std::vector<PassRow> rows) {
  auto gathers = std::find_if(rows.begin(), rows.end(),
                              [](const PassRow& row) { return row.run == recogniseGathers; });
  gathers = rows.insert(gathers, kReadConcats);
  rows.insert(gathers + 2, kOwnElements);
  return rows;
}

// When everything is joined.
std::vector<PassRow> withLiftedViews(std::vector<PassRow> rows) {
  rows.push_back(kSplitScans);  // nothing fuses any more
  rows.push_back(kWidenHists);
  rows.push_back(kMergeNodes);
  rows.push_back(kLiftViews);
  rows.push_back(kSimplify);
  return rows;
}

// Arrays are sorted by a template.
std::vector<PassRow> withSorts(std::vector<PassRow> rows) {
  auto inlined = std::find_if(rows.begin(), rows.end(),
                              [](const PassRow& row) { return row.run == inlineSorts; });
  *inlined = kInlineSortsOfCells;
  rows.insert(inlined, kSortRows);
  return rows;
}

// After all other joining, in front of the last hoist; map splitting behind it all.
std::vector<PassRow> withRunningScatters(std::vector<PassRow> rows) {
  auto last =
      std::find_if(rows.rbegin(), rows.rend(), [](const PassRow& row) { return row.run == hoist; });
  rows.insert(last.base() - 1, {kWalkScans, kFuseScans, kSimplify});
  rows.push_back(kSplitMaps);
  return rows;
}

// Where checks are proven, and before define_semantics, whose tests it repeats.
std::vector<PassRow> withAdjoinedIdentities(std::vector<PassRow> rows) {
  const auto defined = std::find_if(rows.begin(), rows.end(),
                                    [](const PassRow& row) { return row.run == defineSemantics; });
  rows.insert(defined, kAdjoinIdentities);
  return rows;
}

}  // namespace

const std::vector<PassRow>& rows(Pipeline pipeline) {
  static const std::vector<PassRow> kCpuRows =
      joined(withRunningScatters(withScalarLoops(kShared)), kLast);
  static const std::vector<PassRow> kGpuRows = withLiftedViews(withSorts(withFlatNests(
      withInterchange(withScalarRows(withScalarLoops(withReads(withJoinedFronts(kShared))))))));
  static const std::vector<PassRow> kRankRows = withSorts(kShared);
  static const std::vector<PassRow> kPlainRows = {kInline, kDefineSemantics};
  switch (pipeline) {
    case Pipeline::kCpu:
      return kCpuRows;
    case Pipeline::kGpu:
      return kGpuRows;
    case Pipeline::kShared:
      return kRankRows;
    case Pipeline::kPlain:
      return kPlainRows;
  }
  HALO_UNREACHABLE("unknown pipeline");
}

const std::vector<PassRow>& sums(bool fast_floats) {
  static const std::vector<PassRow> kShared = {kReduceRows, kShareSums, kSimplify};
  static const std::vector<PassRow> kFactored = {kReduceRows, kFactorSums, kSimplify};
  return fast_floats ? kFactored : kShared;
}

const std::vector<PassRow>& afterPlan() {
  static const std::vector<PassRow> kRows =
      joined(withAdjoinedIdentities(kLast), {kReadOriginals, kDropFills, kChecksFirst});
  return kRows;
}

std::vector<PassRow> windows(const PassRow& known_offsets) {
  return {kSimplify,     kRecogniseWindows, kUnroll, kSimplify,
          known_offsets, kStaticOffsets,    kUnroll, kSimplify};
}

void mustVerify(const core::Program& program, const char* when) {
  auto verified = core::verify(program);
  if (verified) return;
  std::string report = std::string(when) + ": " + verified.error().message;
  for (const std::string& note : verified.error().notes) report += "\n" + note;
  base::checkFailed("lang/passes/pipeline.cpp", __LINE__, "verify", report.c_str());
}

core::Program run(const std::vector<PassRow>& rows, core::Program program,
                  const RunOptions& options) {
  if (options.verify) mustVerify(program, "before the first pass");
  FixedPoints known;
  for (const PassRow& row : rows) {
    base::StageScope stage(row.name);
    auto start = std::chrono::steady_clock::now();
    const bool is_left = known.leaves(row);
    program = known.run(row, std::move(program));
    std::chrono::duration<double, std::milli> time = std::chrono::steady_clock::now() - start;
    if (options.verify && !is_left) mustVerify(program, row.name);
    if (options.after) options.after(row, time.count(), program);
  }
  return program;
}

}  // namespace halo::passes
