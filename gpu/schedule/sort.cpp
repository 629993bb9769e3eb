// One workgroup where a tile holds all keys, else Onesweep where tiles may wait for each other,
// else counts of digits. Keys of 32 bits and their elements set the size of a tile.
#include "gpu/schedule/sort.h"

#include <algorithm>

#include "gpu/plan/nodes/sort_maps.h"
#include "gpu/schedule/words.h"

namespace halo::gpu {
namespace {

using Placement = SortSchedule::Placement;

constexpr int64_t kSortReserved = 2048;         // bytes of shared memory for all that is small
constexpr size_t kMaxWordsAlone = 4;            // of an element in one workgroup, its key included
constexpr int64_t kMaxKeys = int64_t{1} << 32;  // places are numbers of 32 bits
constexpr int64_t kUsualWorkgroup = 256;        // larger ones have all shared memory to themselves

bool ranksByLanes(const Limits& limits, const Request& request) {
  return hasLanes(limits) &&
         (request.allows("lanes") || request.forced == "one_pass" || request.forced == "carried");
}

bool looksBack(const Limits& limits, const Request& request) {
  const bool is_free = request.forced.empty() || request.forced == "carried";
  const bool is_wanted = request.forced == "one_pass" || (is_free && limits.groups_finish);
  return ranksByLanes(limits, request) && limits.groups_talk && is_wanted;
}

int64_t counterBytes(const SortSchedule& s) {
  return (s.lanes > 0 ? s.subgroups() : s.workgroup) * s.bins() * 4;
}

// Keys of an invocation that shared memory has room for. Tiles that look back are the better the
// larger they are, so that they and large workgroups may have all of it.
int64_t mostKeys(const SortSchedule& s, const Limits& limits, bool looks_back) {
  const bool has_all = s.workgroup > kUsualWorkgroup || looks_back;
  const int64_t bytes = has_all ? limits.shared_bytes : usualSharedBytes(limits);
  return (bytes - kSortReserved - counterBytes(s)) / (s.workgroup * 4);
}

// Keys of an invocation. The larger tiles are, the fewer look back. From some size on an invocation
// has too few registers, which loses a third of the speed (measured).
int64_t usualKeys(const SortWords& words, bool looks_back) {
  if (words.of_element == 1) return looks_back ? 24 : 20;
  if (words.of_element == 2 && looks_back) return 20;
  return words.of_key == 1 ? 18 : 12;
}

// Words of all that moves together.
size_t wordsOfElement(const core::Program& program, const SortParts& parts) {
  size_t words = parts.keeps_keys ? wordsOf(program.type(parts.keys).scalar) : 0;
  for (core::ValueId array : parts.beside) words += wordsOf(program.type(array).scalar);
  return words;
}

}  // namespace

int64_t sortSharedBytes(const SortSchedule& schedule) {
  return kSortReserved + counterBytes(schedule) + schedule.tile() * 4;
}

SortSchedule sortSchedule(const Limits& limits, const Request& request, const SortWords& words) {
  SortSchedule s;
  s.sum_workgroup = std::min(s.sum_workgroup, limits.most_invocations);
  if (!ranksByLanes(limits, request)) return s;
  const bool looks_back = looksBack(limits, request);
  const bool is_named = request.forced == "carried" || request.forced == "one_pass";
  const std::string name = is_named ? request.forced : "lanes";
  s.lanes = limits.subgroup;
  // Counters of each subgroup: the fewer lanes, the more subgroups. Small tiles leave room for
  // several workgroups; of long elements, fewer tiles look back (measured).
  s.digit_bits = s.lanes >= 32 ? 8 : 4;
  s.workgroup = kUsualWorkgroup;
  s.keys = usualKeys(words, looks_back);
  if (words.of_key > 1 && words.of_element > 2 && looks_back) s.workgroup = 512, s.keys = 14;
  s.workgroup = request.number(name, 1, s.workgroup);
  const int64_t least = request.number(name, 1, 0) > 0 ? 1 : s.keys;
  const bool is_wide = s.workgroup > kUsualWorkgroup;
  if (is_wide &&
      (mostKeys(s, limits, looks_back) < least || s.workgroup > limits.most_invocations)) {
    s.workgroup = kUsualWorkgroup;
  }
  const int64_t keys = std::max<int64_t>(1, std::min(s.keys, mostKeys(s, limits, looks_back)));
  s.keys = request.number(name, 0, keys);
  s.prefetches = request.number(name, 3, 1) == 1;
  if (!looks_back) return s;
  s.placement = Placement::kOnesweep;
  s.lookback_tiles = request.number(name, 2, 4);
  s.lookback_below = kSortMostLookingBack;
  return s;
}

KernelChoice chooseSort(const core::Program& program, const core::Function& kernel,
                        const Limits& limits, const Request& request) {
  KernelChoice choice;
  if (hasLanes(limits)) choice.alternatives = {"lanes", "plain"};
  if (hasLanes(limits) && limits.groups_talk && limits.groups_finish) {
    choice.alternatives.push_back("one_pass");
  }
  const SortParts parts = partsOfSort(program, kernel);
  const SortWords words = {wordsOf(program.type(parts.keys).scalar),
                           wordsOfElement(program, parts)};
  const SortSchedule many = sortSchedule(limits, request, words);
  const bool is_small = words.of_element <= kMaxWordsAlone;
  if (request.forced.empty() && many.lanes > 0 && is_small) {
    SortSchedule one = many;
    one.placement = Placement::kOneWorkgroup;
    one.lookback_tiles = one.lookback_below = 0;
    choice.versions.push_back({Condition(Quantity::kElements) <= one.tile(), one,
                               "the registers of one workgroup hold all keys"});
  }
  const bool looks_back = many.placement == Placement::kOnesweep;
  choice.versions.push_back({Condition(Quantity::kElements) < kMaxKeys, many,
                             looks_back ? "tiles look back at earlier ones"
                                        : "workgroups may not wait for each other, so tiles are "
                                          "counted first"});
  choice.versions.push_back({{}, CpuSchedule{}, "places of keys have 32 bits"});
  return choice;
}

}  // namespace halo::gpu
