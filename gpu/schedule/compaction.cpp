// A tile is read once where tiles may wait for each other, else twice.
#include "gpu/schedule/scan.h"

#include <algorithm>
#include <bit>

#include "gpu/plan/nests/element_code.h"
#include "gpu/plan/nodes/scan_scatter.h"
#include "gpu/schedule/node_code.h"
#include "lang/core/rewrite.h"

namespace halo::gpu {
namespace {

// Compaction, measured with elements of 4 bytes.
constexpr int64_t kCompactElements = 8;
constexpr int64_t kCompactBytes = 4;  // of a word, each counts the flags of one step
constexpr int64_t kCompactMost = 32;  // elements of a lane: bits of a word
constexpr size_t kMuchCode = 72;      // statements: two maps of 24 and the first one again
constexpr int64_t kCompactWorkgroups = 4096;
constexpr int64_t kCompactUnit = 256;  // workgroups whose counts one invocation each adds up

// A tile of one pass. On an H200 a filter of 2^14 numbers took 8.2 us in one pass and 11.3 in two
// launches, of 2^20 10.1 and 13.7, of 2^22 19.5 and 26.3. One of 2^26 numbers, which no cache
// holds, took 236 and 200.
constexpr int64_t kMaxPassed = int64_t{1} << 22;
constexpr int64_t kPassElements = 16, kPassInvocations = 512;

constexpr size_t kMaxPosted = 2;      // words of the counts of a tile
constexpr int64_t kMaxGroups = 32;    // subgroups: an invocation adds up the counts of all
constexpr int64_t kMaxLookback = 16;  // tiles that a lane reads

// Statements of an element: the map of the scan twice, and that of the scatter.
size_t compactCode(const CompactionNode& node) {
  return 2 * codeSize(node.scan.map.body) + codeSize(node.scatter.map.body);
}

int64_t compactElements(const CompactionNode& node, const Request& request, int64_t usual) {
  if (compactCode(node) > kMuchCode) usual /= 2;
  const int64_t elements = std::min(request.number("compact", 0, usual), kCompactMost);
  return std::max(elements / kCompactBytes * kCompactBytes, kCompactBytes);
}

CompactionSchedule countedCompaction(const CompactionNode& node, const Limits& limits,
                                     const Request& request) {
  const int64_t groups =
      std::min(request.number("compact", 1, kCompactWorkgroups), 2 * kCompactWorkgroups);
  CompactionSchedule s;
  s.lanes = limits.subgroup;
  s.elements = compactElements(node, request, kCompactElements);
  s.workgroups = std::max(groups / kCompactUnit * kCompactUnit, kCompactUnit);
  return s;
}

CompactionSchedule compactionPass(const CompactionNode& node, const Limits& limits,
                                  const Request& request) {
  const int64_t lanes = limits.subgroup;
  CompactionSchedule s;
  s.carry = CompactionSchedule::Carry::kLookback;
  s.lanes = lanes;
  s.elements = compactElements(node, request, kPassElements);
  s.workgroup = std::min<int64_t>({request.number("compact", 2, kPassInvocations),
                                   limits.most_invocations, lanes * kMaxGroups});
  s.workgroup = std::max<int64_t>(s.workgroup / lanes, 1) * lanes;
  const int64_t tiles = request.number("compact", 3, lanes);
  s.lookback_tiles = tiles > kMaxLookback
                         ? lanes
                         : static_cast<int64_t>(std::bit_floor(static_cast<uint64_t>(tiles)));
  return s;
}

// A tile whose element fails posts nothing. A tile knows the counts of those in front of it alone,
// which narrow integers do not hold.
bool mayPass(const CompactionNode& node, const Limits& limits) {
  const bool holds_counts =
      std::all_of(node.scan.scans.begin(), node.scan.scans.end(), [&](const core::Scan& scan) {
        return prim::byteSize(node.program.type(scan.neutral[0]).scalar) >= 4;
      });
  return limits.groups_talk && holds_counts && !node.takes_totals &&
         !core::mayFail(node.scan.map) && !core::mayFail(node.scatter.map);
}

}  // namespace

void addCompactions(ScheduleVersions& versions, const CompactionNode& node, const Limits& limits,
                    const Request& request) {
  const bool may_pass = mayPass(node, limits);
  const char* reason = "tiles look back and move";
  if (may_pass && request.number("compact", 2, 0) > 0) {
    versions.push_back({{}, compactionPass(node, limits, request), reason});
    return;
  }
  const bool is_short = valueWords(node.program, withoutReductions(node.scan)) <= kMaxPosted;
  if (may_pass && is_short && limits.groups_finish && request.forced.empty()) {
    versions.push_back({Condition(Quantity::kSegment) <= kMaxPassed,
                        compactionPass(node, limits, request), reason});
  }
  versions.push_back(
      {{}, countedCompaction(node, limits, request), "flags are counted, then elements are moved"});
}

}  // namespace halo::gpu
