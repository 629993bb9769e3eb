// Schedules of histograms, as schedule.h has those of all families, with their fields.
#pragma once

#include <cstdint>
#include <span>

namespace halo::gpu {

// A histogram by atomic operations on 4-byte integers (docs/gpu.md#histograms).
struct AtomicHistSchedule {
  static constexpr const char* kName = "atomic_hist";
  enum class Bins : uint8_t {
    kMemory,  // of the destinations
    kRows,    // of the destinations, an invocation for each element of a row
    kShared,  // of each workgroup, which adds them to the destinations in the end
    kCopies,  // the same, several copies of each
    kParts,   // the same; neighbouring workgroups read the same elements for other bins each
    kSlots    // of the destinations, but frequent ones in slots of each workgroup
  };
  Bins bins = Bins::kMemory;
  int64_t workgroup = 0;   // invocations; 0: one for each element
  int64_t elements = 0;    // of an invocation, whose loads are under way together
  int64_t capacity = 0;    // bins, or slots, of an operation in shared memory
  int64_t workgroups = 0;  // at most; of a part
  bool operator==(const AtomicHistSchedule&) const = default;
};

// A histogram of few bins by any operators, also on rows: tables of teams in shared memory.
struct TableHistSchedule {
  static constexpr const char* kName = "table_hist";
  int64_t workgroup = 256;
  int64_t words = 0;  // of 32 bits in all tables of a workgroup
  bool operator==(const TableHistSchedule&) const = default;
};

// A histogram by any operator on scalars, in an order that extents and bins decide.
struct OrderedHistSchedule {
  static constexpr const char* kName = "ordered_hist";
  enum class Combine : uint8_t {
    kPairs,   // one workgroup compares the bins of its elements in pairs
    kLanes,   // each invocation has bins of its own in shared memory
    kClaims,  // a workgroup has bins in shared memory, which elements claim in rounds
    kRanges,  // the same, after elements are brought together by ranges of bins
    kSorted,  // elements are sorted by their bins, neighbours combined
    kWorkers  // each worker has bins of its own in device memory
  };
  Combine combine = Combine::kWorkers;
  int64_t workgroup = 0;
  int64_t bins = 0;    // in shared memory: of an invocation, of a workgroup, or of a range
  int64_t claims = 0;  // words in which elements claim bins; a power of two
  // Of an invocation: under way together, where invocations have bins of their own; else those
  // that claim bins in one round.
  int64_t elements = 0;
  bool operator==(const OrderedHistSchedule&) const = default;
};

inline std::span<const char* const> namesOf(AtomicHistSchedule::Bins) {
  static constexpr const char* kNames[] = {"memory", "rows", "shared", "copies", "parts", "slots"};
  return kNames;
}
inline std::span<const char* const> namesOf(OrderedHistSchedule::Combine) {
  static constexpr const char* kNames[] = {"pairs",  "lanes",  "claims",
                                           "ranges", "sorted", "workers"};
  return kNames;
}

template <typename Visit>
void visitFields(AtomicHistSchedule& s, Visit&& visit) {
  visit("bins", s.bins);
  visit("workgroup", s.workgroup);
  visit("elements", s.elements);
  visit("capacity", s.capacity);
  visit("workgroups", s.workgroups);
}
template <typename Visit>
void visitFields(TableHistSchedule& s, Visit&& visit) {
  visit("workgroup", s.workgroup);
  visit("words", s.words);
}
template <typename Visit>
void visitFields(OrderedHistSchedule& s, Visit&& visit) {
  visit("combine", s.combine);
  visit("workgroup", s.workgroup);
  visit("bins", s.bins);
  visit("claims", s.claims);
  visit("elements", s.elements);
}

}  // namespace halo::gpu
