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

// A tile of one pass. On an H200 filters of 2^14, 2^20 and 2^22 numbers took 8.8, 10.7 and 17.4 us.
// By 512 invocations with half of the elements each these were 9.1, 11.3 and 20.7 us.
// One of 2^26 numbers took 187 us, 197 in two launches.
constexpr int64_t kMaxPassed = (int64_t{1} << 31) - 1;  // counts are posted in 32 bits
constexpr int64_t kPassElements = 32, kPassInvocations = 256;
// Partitions in three have two counts. One of 2^22 numbers took 36.8 us, 46.1 in two launches.
// One of 2^26 numbers took 399 us, 364 in two launches.
constexpr int64_t kMaxTwoPassed = int64_t{1} << 22;
constexpr int64_t kTwoElements = 16, kTwoInvocations = 512;

constexpr size_t kMaxPosted = 2;      // counts of a tile
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
  const bool has_two = node.scan.scans.size() > 1;
  s.elements = compactElements(node, request, has_two ? kTwoElements : kPassElements);
  const int64_t invocations = has_two ? kTwoInvocations : kPassInvocations;
  s.workgroup = std::min<int64_t>(
      {request.number("compact", 2, invocations), limits.most_invocations, lanes * kMaxGroups});
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
  const bool is_short = node.scan.scans.size() <= kMaxPosted;
  const bool is_free = request.forced.empty() && is_short && limits.groups_finish;
  if (may_pass && (is_free || request.number("compact", 2, 0) > 0)) {
    const bool has_two = is_free && node.scan.scans.size() > 1;
    versions.push_back({Condition(Quantity::kSegment) <= (has_two ? kMaxTwoPassed : kMaxPassed),
                        compactionPass(node, limits, request), "tiles look back and move"});
  }
  versions.push_back(
      {{}, countedCompaction(node, limits, request), "flags are counted, then elements are moved"});
}

}  // namespace halo::gpu
