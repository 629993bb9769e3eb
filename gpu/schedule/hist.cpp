// Atomic operations where order cannot show. Else tables of teams for rows, tuples and several
// operations. Then the first of these: bins of each invocation; bins of a workgroup; ranges of
// bins; a sort. The more bins, the later one has room for them (bench/gpu/sweep, `counts` and
// `histograms`).
#include "gpu/schedule/hist.h"

#include <algorithm>

#include "gpu/plan/layout.h"
#include "gpu/plan/nests/element_code.h"
#include "gpu/plan/nests/nest.h"
#include "gpu/plan/nodes/atomic_hist.h"
#include "gpu/plan/nodes/hist_operations.h"
#include "gpu/plan/nodes/row_operator.h"
#include "gpu/schedule/sort.h"
#include "lang/core/rewrite.h"

namespace halo::gpu {
namespace {

using Bins = AtomicHistSchedule::Bins;
using Combine = OrderedHistSchedule::Combine;

constexpr int64_t kNumbers = int64_t{1} << 32;  // numbers of 32 bits
constexpr int64_t kReserved = 1024;             // bytes of shared memory for all else
constexpr size_t kShortMap = 8;                 // statements

// Atomic operations.
constexpr int64_t kAtomicWorkgroup = 512;
constexpr int64_t kKilobytes = 48;  // four workgroups have room on an H200
constexpr int64_t kAtomicReserved = 512;
constexpr int64_t kCapacityUnit = 256;  // bins
constexpr int64_t kElements = 16;       // of an invocation, in a short map ..
constexpr int64_t kElementsLong = 4;    // .. and in a long one
constexpr int64_t kMaxWorkgroups = 1024;
constexpr int64_t kWorkgroupsOfPart = 256;
constexpr int64_t kMaxParts = 8;      // of the bins, before all of memory is better
constexpr int64_t kFewBins = 8;       // of which neighbours would meet without copies
constexpr int64_t kUpdatesOfBin = 8;  // for which reading elements several times pays

// Others.
constexpr int64_t kTableWorkgroup = 256;
constexpr int64_t kTableWorkgroups = 512;  // some for each processor of a large device
constexpr int64_t kTableElements = 8;      // of a team, in a short map ..
constexpr int64_t kTableElementsLong = 4;  // .. and in a long one
// Parts of a histogram, each with bins of its own, depend on extents alone.
constexpr int64_t kMaxLaneParts = 1024, kMaxClaimParts = 4096, kMaxRangeParts = 4096;
constexpr int64_t kMaxClaimBins = int64_t{1} << 23;  // of all parts
constexpr int64_t kMaxWorkers = int64_t{1} << 15;
constexpr int64_t kMaxWorkerBins = int64_t{1} << 25;
constexpr int64_t kWorkerElements = 16;  // before another worker is worth it
constexpr int64_t kMinInvocations = 256;
constexpr size_t kMaxCode = 40;        // statements of a map or an operator that stand many times
constexpr size_t kMaxCodeTwice = 128;  // statements of a map whose values are computed twice
constexpr int64_t kMaxPairs = 64;      // elements: more of one bin take longer than elsewhere ..
constexpr int64_t kMaxSparsePairs = 512;  // .. but not than the launches of a sort or of workers
constexpr int64_t kMinOwnBins = 64;       // smaller workgroups lose to claims
constexpr int64_t kMaxClaiming = 1024;    // invocations
constexpr int64_t kFewToClaim = 256;      // bins
constexpr int64_t kMaxClaims = 1024;      // words of shared memory; a power of two
constexpr int64_t kRangeWorkgroup = 256;
constexpr int64_t kUsualRange = 10;                 // bits of a bin within its range ..
constexpr int64_t kLargeRange = 12;                 // .. where there are more bins
constexpr int64_t kManyUpdates = int64_t{1} << 16;  // for which a dozen launches pay

Condition updates() { return Quantity::kUpdates; }
Condition bins() { return Quantity::kBins; }
Condition isDense() { return Quantity::kIsDense; }

bool isStraight(const core::Body& body) {
  return body.stms.size() <= kMaxCode &&
         std::all_of(body.stms.begin(), body.stms.end(), [](const core::Stm& stm) {
           return std::holds_alternative<core::Literal>(stm.expr) ||
                  std::holds_alternative<core::PrimOp>(stm.expr) ||
                  std::holds_alternative<core::Convert>(stm.expr) ||
                  std::holds_alternative<core::Select>(stm.expr) ||
                  (std::holds_alternative<core::Index>(stm.expr) && !stm.checked);
         });
}

class HistVersions {
 public:
  HistVersions(const core::Program& program, const core::Function& node, const Limits& limits,
               const Request& request)
      : program_(program),
        node_(node),
        hist_(std::get<core::Hist>(node.body.stms.back().expr)),
        limits_(limits),
        request_(request) {
    for (core::ValueId result : node.body.stms.back().results) {
      bytes_ += std::max(prim::byteSize(program.type(result).scalar), 4);
    }
  }

  KernelChoice run() {
    const bool is_atomic = isAtomic(program_, hist_);
    if (is_atomic) offer("atomics");
    if (is_atomic && request_.allows("atomics")) {
      addAtomics();
    } else {
      addTables();
      if (!is_atomic && areRowsAtomic(program_, hist_) && allows("atomics")) {
        add(isDense(), AtomicHistSchedule{Bins::kRows}, "order of integers cannot show");
      }
      if (isSingleStraight()) {
        addSingle();
      } else {
        addWideAtomics();
      }
    }
    if (isSingle() && request_.allows("sorted")) {
      if (!is_atomic) offer("sorted");
      addSorted();
    }
    addWorkers();
    choice_.alternatives.push_back("plain");
    return std::move(choice_);
  }

 private:
  bool isSingle() const {
    return hist_.operations.size() == 1 && worksOnScalars(program_, hist_.operations[0].op);
  }
  // Straight code that may stand many times in a kernel, for workgroups that combine their bins.
  bool isSingleStraight() const {
    return isSingle() && isStraight(hist_.map.body) && isStraight(hist_.operations[0].op.body) &&
           limits_.most_invocations >= kMinInvocations;
  }
  void addAtomics() {
    AtomicHistSchedule s;
    const bool is_short = hist_.map.body.stms.size() <= kShortMap;
    s.elements = request_.number("atomics", 2, is_short ? kElements : kElementsLong);
    s.workgroup =
        std::min(request_.number("atomics", 3, kAtomicWorkgroup), limits_.most_invocations);
    const int64_t bytes =
        std::min(1024 * request_.number("atomics", 1, kKilobytes), limits_.shared_bytes);
    const int64_t room = std::max<int64_t>(bytes - kAtomicReserved, 0) / 4;
    const auto operations = static_cast<int64_t>(hist_.operations.size());
    s.capacity = room / operations / kCapacityUnit * kCapacityUnit;
    s.workgroups = request_.number("atomics", 4, kMaxWorkgroups);
    if (s.capacity > 0) addShared(s);
    add(isDense(), AtomicHistSchedule{}, "bins are many, or rarely met");
  }
  void addShared(AtomicHistSchedule s) {
    const Condition have_room = isDense() && bins() <= s.capacity && bins() <= updates();
    if (s.capacity >= kFewBins * kHistCopies) {
      s.bins = Bins::kCopies;
      add(have_room && bins() < kFewBins, s, "neighbours do not meet in copies");
    }
    s.bins = Bins::kShared;
    add(have_room, s, "a workgroup has room for all bins");
    const bool is_simple = request_.number("atomics", 0, 0) == 1;
    if (hist_.operations.size() > 1 || s.capacity < 2 * kHistSlots || is_simple) return;
    s.workgroups = request_.number("atomics", 4, kWorkgroupsOfPart);
    s.bins = Bins::kParts;
    add(isDense() && bins() * kUpdatesOfBin <= updates() && bins() <= s.capacity * kMaxParts, s,
        "elements are worth reading for each part of the bins");
    s.workgroups = kWorkgroupsOfPart;
    s.bins = Bins::kSlots;
    s.capacity = kHistSlots;
    const int64_t samples = s.workgroup * kHistSamples * s.workgroups;
    add(isDense() && updates() >= samples && bins() < kNumbers - 1, s,
        "some bins may come up often");
  }

  void addTables() {
    const int64_t words = maxTableWords(limits_);
    const bool is_possible =
        limits_.most_invocations >= kTableWorkgroup && words > 0 && canHaveTables(program_, hist_);
    // Other schedules are faster where a node has one operation on scalars.
    if (!is_possible || (isSingleStraight() && request_.forced != "tables")) return;
    if (!allows("tables")) return;
    TableHistSchedule s{kTableWorkgroup, words};
    s.workgroups = kTableWorkgroups;
    s.elements = codeSize(hist_.map.body) <= kShortMap ? kTableElements : kTableElementsLong;
    add(Condition(Quantity::kTableWords) <= words, s, "a workgroup has room for all bins");
  }

  void addSingle() {
    if (request_.forced.empty()) {
      add(updates() <= kMaxPairs, OrderedHistSchedule{Combine::kPairs, kMaxPairs},
          "one launch of one workgroup");
    }
    if (allows("lanes")) addLanes();
    if (allows("claims")) addClaims();
    addWideAtomics();
    addSparsePairs();
    if (hasLanes(limits_) && rangeRoom() > 0 && allows("ranges")) addRanges();
  }
  void addSparsePairs() {
    const int64_t most = std::min(kMaxSparsePairs, limits_.most_invocations);
    const bool has_room = most * (8 + bytes_) <= usualSharedBytes(limits_) - kReserved;
    if (!request_.forced.empty() || !has_room) return;
    add(updates() <= most, OrderedHistSchedule{Combine::kPairs, most},
        "bins are many: one launch of one workgroup");
  }
  // Integers of 8 bytes: devices whose workgroups talk have atomic operations on them.
  void addWideAtomics() {
    const bool is_possible =
        std::all_of(hist_.operations.begin(), hist_.operations.end(), [&](const core::HistOp& op) {
          if (!memoryAtomicOperator(program_, op)) return false;
          const bool is_wide = prim::byteSize(program_.type(op.destinations[0]).scalar) == 8;
          return !is_wide || limits_.groups_talk;
        });
    if (!is_possible || !allows("atomics")) return;
    add(isDense(), AtomicHistSchedule{}, "order of integers cannot show");
  }
  // Fewer bins let more invocations work at a time.
  void addLanes() {
    const int64_t cells = (usualSharedBytes(limits_) - kReserved) / bytes_;
    bool is_any = false;
    for (int64_t workgroup : {256, 64, 32, 16, 8, 4, 1}) {
      const bool is_wanted = workgroup >= kMinOwnBins || request_.forced == "lanes" || !is_any;
      if (cells < workgroup || !is_wanted) continue;
      is_any = true;
      OrderedHistSchedule s{Combine::kLanes, workgroup, cells / workgroup};
      s.elements = hist_.map.body.stms.size() <= kShortMap ? kElements : kElementsLong;
      s.parts = kMaxLaneParts;
      add(bins() <= s.bins, s, "an invocation has room for all bins");
    }
  }
  OrderedHistSchedule claiming(int64_t most_bins) const {
    const bool are_few = most_bins <= kFewToClaim;
    int64_t workgroup = request_.number("claims", 0, are_few ? 64 : 256);
    workgroup = std::min({workgroup, limits_.most_invocations, kMaxClaiming});
    while ((workgroup & (workgroup - 1)) != 0) workgroup &= workgroup - 1;
    int64_t claims = kMaxClaims;
    while (claims / 2 >= most_bins) claims /= 2;
    const int64_t elements = request_.number("claims", 1, are_few ? 2 : 1);
    return {Combine::kClaims, workgroup,    most_bins, claims, std::min(elements, kClaimTogether),
            kMaxClaimParts,   kMaxClaimBins};
  }
  // Fewer bins let more workgroups run concurrently.
  void addClaims() {
    const int64_t beside = kReserved + kMaxClaims * 4;
    const int64_t room = (limits_.shared_bytes - beside) / bytes_ - claiming(kNumbers).workgroup;
    for (int64_t count : {256, 1024, 4096}) {
      if (count < room) addClaim(claiming(count));
    }
    addClaim(claiming(std::max<int64_t>(room, 1)));
  }
  void addClaim(const OrderedHistSchedule& s) {
    add(bins() <= s.bins, s, "a workgroup has room for all bins");
  }
  // Bins that fit a workgroup, each with a word of its owner, and an element of each invocation.
  int64_t rangeRoom() const {
    return (limits_.shared_bytes - kReserved - kRangeWorkgroup * bytes_) / (bytes_ + 4);
  }
  // Values of several words that straight code makes of an element's number take longer to move at
  // each digit than to be computed twice. What that code reads of arrays lies anywhere.
  bool areValuesMadeAgain() const {
    const auto isNumber = [this](core::ValueId input) {
      const auto maker = core::makerOf(node_.body.stms, input);
      return maker && std::holds_alternative<core::Iota>(node_.body.stms[*maker].expr);
    };
    return bytes_ > 4 && codeSize(hist_.map.body) <= kMaxCodeTwice &&
           isElementCode(program_, hist_.map.body, false) &&
           std::all_of(hist_.inputs.begin(), hist_.inputs.end(), isNumber);
  }
  // A bin and its values.
  SortWords moved() const { return {1, 1 + static_cast<size_t>(bytes_) / 4}; }
  void addRanges() {
    const SortSchedule sort = sortSchedule(limits_, {}, moved());
    const int64_t asked = request_.number("ranges", 0, 0);
    const int64_t least = request_.forced.empty() ? kManyUpdates : 1;
    int64_t before = -1;
    for (int64_t bits : {asked > 0 ? asked : kUsualRange, asked > 0 ? asked : kLargeRange}) {
      while (bits > 0 && (int64_t{1} << bits) > rangeRoom()) bits--;
      if (bits == before) continue;
      before = bits;
      const int64_t range = int64_t{1} << bits;
      OrderedHistSchedule s{Combine::kRanges, kRangeWorkgroup, range, range, 1, kMaxRangeParts};
      s.sort = sort;
      add(bins() <= s.bins << sort.digit_bits && updates() >= least && updates() < kNumbers, s,
          "a workgroup has room for a range of bins");
    }
  }
  void addSorted() {
    const Condition have_numbers = updates() < kNumbers && bins() < kNumbers;
    const Condition are_many = updates() >= kManyUpdates || bins() >= kManyUpdates;
    OrderedHistSchedule s{Combine::kSorted};
    s.sort = sortSchedule(limits_, request_, moved());
    if (areValuesMadeAgain()) {
      s.combine = Combine::kNumbers;
      s.sort = sortSchedule(limits_, request_, {1, 2});
    }
    add(request_.forced.empty() ? have_numbers && are_many : have_numbers, s,
        "bins are more than memory of workers holds");
  }

  void addWorkers() {
    OrderedHistSchedule s;
    s.elements = kWorkerElements;
    s.parts = kMaxWorkers;
    s.part_bins = kMaxWorkerBins;
    add({}, s, "bins of each worker in memory");
  }

  bool allows(const char* name) {
    const bool is_allowed = request_.allows(name);
    if (is_allowed) offer(name);
    return is_allowed;
  }
  void offer(const char* name) { choice_.alternatives.emplace_back(name); }
  void add(Condition guard, Schedule schedule, const char* reason) {
    choice_.versions.push_back({std::move(guard), std::move(schedule), reason});
  }

  const core::Program& program_;
  const core::Function& node_;  // the kernel without its layout
  const core::Hist& hist_;
  const Limits& limits_;
  const Request& request_;
  int64_t bytes_ = 0;  // of a bin
  KernelChoice choice_;
};

}  // namespace

KernelChoice chooseHist(const core::Program& program, const core::Function& kernel,
                        const Limits& limits, const Request& request) {
  const core::Function node = withoutLayout(kernel);
  return HistVersions(program, node, limits, request).run();
}

}  // namespace halo::gpu
