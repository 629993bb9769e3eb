// Tiles that wait for the one before are large, as only so many can be looked at together. Tiles of
// whole segments are small, so that some read while others compute.
#include "gpu/schedule/scan.h"

#include <algorithm>
#include <bit>

#include "gpu/plan/layout.h"
#include "gpu/plan/nests/element_code.h"
#include "gpu/plan/nests/nest.h"
#include "gpu/plan/nodes/scan_scatter.h"
#include "gpu/schedule/cells/rows.h"
#include "gpu/schedule/node_code.h"

namespace halo::gpu {
namespace {

using Carry = ScanSchedule::Carry;
using Sink = ScanSchedule::Sink;

constexpr size_t kMaxTileWords = 32;     // of the values of one element, in registers of a tile
constexpr int64_t kScanTiles = 4096;     // before a tile gets more rounds
constexpr size_t kMaxUnrolledWords = 8;  // of an element, of which several are under way
constexpr size_t kMaxPostedWords = 4;    // of a column's value that tiles post
constexpr int64_t kFour = 4;             // elements of a vector
constexpr int64_t kMaxVectors = 16;
constexpr int64_t kMaxLookbackTiles = 16;
constexpr int64_t kMaxSubgroups = 32;  // every invocation walks over the subgroups' sums
// Statements for four elements in a kernel: beyond, machine code is more than caches of
// instructions hold.
constexpr int64_t kMaxScanCode = 2304 / kFour;

// So many elements are too few tiles of the usual size for the multiprocessors. In small tiles, of
// which the lanes of a subgroup look at one each, 2^17 elements of 8 bytes took 7.8 us on an H200
// and 13.9 in usual ones; 2^20 14.2 and 15.9, 2^22 38.7 and 37.8. Of 4 bytes both took the same.
constexpr int64_t kFewElements = int64_t{1} << 20;
constexpr int64_t kFewLanes = 256;
constexpr size_t kMinFewWords = 2, kMaxFewWords = 8;

// Reduce-then-scan: elements of an invocation in one round, and shared memory for them.
constexpr int64_t kMaxElements = 8;
constexpr int64_t kStageBytes = 32;

struct ScanNode {
  const core::Program& program;
  const core::Screma& screma;
  bool is_segmented;
  bool is_scattered;
  int64_t behind = 0;  // statements of a map behind the scan
};

// Statements of a kernel for each element without the operators.
int64_t elementCode(const ScanNode& node) {
  const auto map = static_cast<int64_t>(codeSize(node.screma.map.body));
  // Once more for the scatter, whose map is as short.
  return node.is_scattered ? 3 * map : map + node.behind;
}

// Drivers find room for more of them in registers.
bool isFloat(const ScanNode& node) {
  return node.program.type(node.screma.scans.at(0).neutral.at(0)).scalar == prim::ScalarType::kF32;
}

// Invocations and vectors of a tile that looks back at all tiles before it, or none.
ScanSchedule withUsualTile(const ScanNode& node, ScanSchedule s) {
  const auto words = static_cast<int64_t>(valueWords(node.program, node.screma));
  int64_t vectors = words == 1 ? 8 : words == 2 ? 4 : words <= 4 ? 2 : 1;
  s.workgroup = words == 1 ? 512 : words <= 4 ? 1024 : words <= 16 ? 512 : 256;
  s.lookback_tiles = 1;
  if (s.carry == Carry::kNone) {
    s.workgroup = 256;
    vectors = std::min<int64_t>(vectors, 4);
  } else if (node.is_segmented) {  // a segment may begin behind a vector's beginning
    s.workgroup = 256;
    s.lookback_tiles = 2;
    if (!s.is_aligned) ++vectors;
  } else if (node.is_scattered) {
    if (words <= 4) s.workgroup = 1024;
  } else if (words == 1 && isFloat(node)) {
    vectors = 10;
  } else if (words > 2 && words <= int64_t{kMaxUnrolledWords} && s.sink == Sink::kArray) {
    // Tiles of 8192 elements: a tile takes a time of its own, whatever its size. On an H200 2^26
    // elements of 4 words took 708 us in groups of 1024, and 548 so; of 6 words 1757 in small
    // tiles, and 723 so.
    s.workgroup = 512;
    vectors = 4;
  }
  const int64_t room = kMaxScanCode / std::max<int64_t>(elementCode(node), 1);
  s.elements = kFour * std::max<int64_t>(std::min(vectors, room), 1);
  return s;
}

ScanSchedule tileSchedule(const ScanNode& node, const Limits& limits, const Request& request,
                          ScanSchedule s) {
  const int64_t lanes = limits.subgroup;
  s = withUsualTile(node, s);
  if (s.carry == Carry::kLookback) {
    s.workgroup = request.number("one_pass", 0, s.workgroup);
    s.elements = kFour * std::min(request.number("one_pass", 1, s.elements / kFour), kMaxVectors);
    s.lookback_tiles = request.number("one_pass", 2, s.lookback_tiles);
    s.lookback_tiles = static_cast<int64_t>(
        std::bit_floor(static_cast<uint64_t>(std::min(s.lookback_tiles, kMaxLookbackTiles))));
  } else {
    s.lookback_tiles = 0;
  }
  s.workgroup = std::min<int64_t>({s.workgroup, limits.most_invocations, lanes * kMaxSubgroups});
  s.workgroup = std::max<int64_t>(s.workgroup / lanes, 1) * lanes;
  s.lanes = lanes;
  const bool may_be_tree = s.carry == Carry::kLookback && s.workgroup <= lanes * lanes;
  if (may_be_tree && request.number("one_pass", 3, 2) == 1) {
    s.sums = ScanSchedule::Sums::kTree;
    s.lookback_tiles = lanes;
  }
  return s;
}

ScanSchedule reduceThenScan(const ScanNode& node) {
  ScanSchedule s;
  int64_t bytes = valueBytes(node.program, node.screma);
  if (node.is_segmented) bytes += 4 * static_cast<int64_t>(node.screma.scans.size());  // flags
  s.tiles = kScanTiles;
  s.elements = kMaxElements;
  while (s.elements > 1 && s.elements * bytes > kStageBytes) s.elements /= 2;
  return s;
}

// Whether the results of a kernel are stored along another axis than the scanned one.
bool isLaidOut(const core::Function& function) {
  return std::holds_alternative<core::Rearrange>(function.body.stms.back().expr);
}

ColumnScanTraits traitsOf(const ScanNode& node, const Limits& limits) {
  ColumnScanTraits traits;
  traits.words = valueWords(node.program, node.screma);
  traits.bytes = valueBytes(node.program, node.screma);
  for (const core::Scan& scan : node.screma.scans) {
    for (const core::Operand& neutral : scan.neutral) {
      const bool is_word = prim::byteSize(node.program.type(neutral).scalar) == 4;
      traits.are_words = traits.are_words && is_word;
    }
  }
  traits.is_straight = isStraight(node.program, node.screma, kMaxUnrolledWords);
  traits.may_look_back =
      limits.groups_talk && isStraight(node.program, node.screma, kMaxPostedWords);
  return traits;
}

// Tiles that hold whole segments, by the segments' length: half of a tile's elements at least are
// in use then. Other segments than whole vectors come by fours.
void addWholeSegments(ScheduleVersions& versions, const ScanNode& node, const Limits& limits,
                      const Request& request) {
  ScanSchedule s;
  s.carry = Carry::kNone;
  s.is_aligned = true;
  s = tileSchedule(node, limits, request, s);
  const Condition segment = Quantity::kSegment, is_aligned = Quantity::kIsSegmentAligned;
  versions.push_back(
      {is_aligned && segment >= 1 && segment <= s.tile(), s, "a tile holds whole segments"});
  s.is_aligned = false;
  versions.push_back(
      {segment >= 1 && segment <= s.tile() / kFour, s, "a tile holds whole segments"});
}

// `usual`: what the scan has otherwise.
void addFew(ScheduleVersions& versions, const ScanNode& node, const Limits& limits,
            const Request& request, const ScanSchedule& usual) {
  const size_t words = valueWords(node.program, node.screma);
  const bool has_words = words >= kMinFewWords && words <= kMaxFewWords;
  if (!request.forced.empty() || node.is_segmented || !has_words) return;
  const int64_t lanes = std::min<int64_t>(kFewLanes, int64_t{limits.subgroup} * limits.subgroup);
  const int64_t vectors = words <= kMaxPostedWords ? 2 : 1;
  const ScanSchedule s = tileSchedule(node, limits, {"one_pass", {lanes, vectors, 1, 1}}, usual);
  if (s.sums != ScanSchedule::Sums::kTree) return;
  versions.push_back(
      {Condition(Quantity::kSegment) <= kFewElements, s, "few elements have small tiles"});
}

void addLookback(ScheduleVersions& versions, const ScanNode& node, const Limits& limits,
                 const Request& request) {
  ScanSchedule s;
  s.carry = Carry::kLookback;
  if (node.is_segmented) {
    s.is_aligned = true;
    versions.push_back({Quantity::kIsSegmentAligned, tileSchedule(node, limits, request, s),
                        "tiles look back; segments are whole vectors"});
    s.is_aligned = false;
  }
  addFew(versions, node, limits, request, s);
  versions.push_back({{}, tileSchedule(node, limits, request, s), "tiles look back"});
}

}  // namespace

KernelChoice chooseScan(const core::Program& program, const core::Function& function,
                        const Limits& limits, const Request& request) {
  const core::Function kernel = withoutLayout(function);
  const auto levels = scanNest(program, std::get<core::Screma>(kernel.body.stms.back().expr));
  const ScanNode node{program, *levels.back(), levels.size() > 1, false};
  const bool is_tiled = hasLanes(limits) && isStraight(program, node.screma, kMaxTileWords);
  const bool is_free = request.forced.empty();
  const bool may_wait = is_free ? limits.groups_finish : request.forced == "one_pass";
  const bool looks_back = is_tiled && limits.groups_talk && may_wait;
  const bool has_segments = is_tiled && node.is_segmented && request.allows("whole_rows");
  KernelChoice choice;
  if (looks_back) choice.alternatives.push_back("one_pass");
  if (has_segments) choice.alternatives.push_back("whole_rows");
  if (node.is_segmented && isLaidOut(function)) {
    choice.versions = columnScanVersions(traitsOf(node, limits), limits, request);
    if (!choice.versions.empty()) {
      for (const char* name : {"columns", "column_tiles", "column_vectors"}) {
        choice.alternatives.push_back(name);
      }
    }
  }
  // 2^26 numbers in rows of 3, 4 and 7, which types know, took 142, 133 and 144 us by tiles on an
  // H200, so 129, 162 and 129. Loops over rows that only the launch knows took 232 us for 171.
  const core::Stm& nest = kernel.body.stms.back();
  if (node.is_segmented && !isLaidOut(function) && hasOddRows(program, nest, levels.size() - 1)) {
    addRowCells(choice, program, nest, levels.size() - 1, limits, request);
  }
  choice.alternatives.push_back("plain");
  if (has_segments) addWholeSegments(choice.versions, node, limits, request);
  if (looks_back) {
    addLookback(choice.versions, node, limits, request);
  } else {
    choice.versions.push_back({{}, reduceThenScan(node), "no tile waits for another"});
  }
  return choice;
}

KernelChoice chooseScanMap(const core::Program& program, const core::Function& kernel,
                           const Limits& limits, const Request& request) {
  const std::vector<core::Stm>& stms = kernel.body.stms;
  const core::Screma scan = withoutReductions(std::get<core::Screma>(stms[stms.size() - 2].expr));
  const core::Body& consumer = std::get<core::Screma>(stms.back().expr).map.body;
  ScanSchedule s;
  s.carry = Carry::kLookback;
  s.sink = Sink::kMap;
  const ScanNode node{program, scan, false, false, static_cast<int64_t>(codeSize(consumer))};
  KernelChoice choice;
  addFew(choice.versions, node, limits, request, s);
  choice.versions.push_back(
      {{}, tileSchedule(node, limits, request, s), "tiles look back and map"});
  return choice;
}

KernelChoice chooseScanScatter(const core::Program& program, const core::Function& kernel,
                               const Limits& limits, const Request& request) {
  const std::vector<core::Stm>& stms = kernel.body.stms;
  const core::Stm& scanned = stms[stms.size() - 2];
  const auto& scan = std::get<core::Screma>(scanned.expr);
  const auto& scatter = std::get<core::Scatter>(stms.back().expr);
  KernelChoice choice;
  const bool tiles_do = !takesTotals(program, scanned, stms.back());
  if (tiles_do && hasTwoWays(scan, limits)) choice.alternatives = {"compact", "one_pass"};
  if (!isCompaction(scan, request)) {
    const core::Screma scans = withoutReductions(scan);
    ScanSchedule s;
    s.carry = Carry::kLookback;
    s.sink = Sink::kScatter;
    const ScanNode node{program, scans, false, true};
    addFew(choice.versions, node, limits, request, s);
    choice.versions.push_back(
        {{}, tileSchedule(node, limits, request, s), "tiles look back and scatter at once"});
    return choice;
  }
  addCompactions(choice.versions, {program, scan, scatter, !tiles_do}, limits, request);
  return choice;
}

}  // namespace halo::gpu
