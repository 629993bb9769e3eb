// Which schedules histograms get, by operator, bins and elements.
#include "gpu/schedule/hist.h"

#include <doctest/doctest.h>

#include <map>

#include "gpu/schedule/legal.h"
#include "gpu/schedule/test_support.h"

namespace halo::gpu {
namespace {

using Bins = AtomicHistSchedule::Bins;
using Combine = OrderedHistSchedule::Combine;
using Sizes = std::map<Quantity, int64_t>;

// `op` on elements of `type`.
core::Program histogram(const std::string& type, const std::string& op,
                        const std::string& neutral) {
  const std::string text =
      "entry main(n_0: i64, k_1: i64, is_2: [n_0]i64, xs_3: [n_0]" + type + ", d_4: *[k_1]" + type +
      ") -> ([k_1]" + type + ") {\n  h_5: [k_1]" + type +
      " = call main_1 (n_0, k_1, is_2, xs_3, d_4)\n  return h_5 }\n\n" +
      "kernel main_1 [n_10] hist (n_10: i64, k_11: i64, is_12: [n_10]i64, xs_13: [n_10]" + type +
      ", d_14: *[k_11]" + type + ") -> ([k_11]" + type + ") {\n  h_15: [k_11]" + type +
      " = hist [n_10] (is_12, xs_13) map (i_16: i64, x_17: " + type +
      ") { return i_16, x_17 } op (d_14) rank 1 " + op + " " + neutral + "\n  return h_15 }\n";
  return test::parsedCore(text);
}

KernelChoice chosen(const core::Program& program, const Limits& limits = {},
                    const Request& request = {}) {
  const Launches launches(program);
  auto choice = choose(launches, *program.find("main_1"), limits, request);
  REQUIRE(choice);
  return *choice;
}

// The first version whose guard holds.
const Schedule& scheduleFor(const KernelChoice& choice, Sizes sizes) {
  for (const ScheduleVersion& version : choice.versions) {
    if (evaluate(version.guard, [&](Quantity q) { return sizes[q]; }) != 0) {
      return version.schedule;
    }
  }
  return choice.versions.back().schedule;
}

Sizes sizes(int64_t updates, int64_t bins, bool is_dense = true) {
  return {{Quantity::kUpdates, updates},
          {Quantity::kBins, bins},
          {Quantity::kTableWords, bins},
          {Quantity::kIsDense, is_dense ? 1 : 0}};
}

Bins atomicBins(const KernelChoice& choice, int64_t updates, int64_t bins) {
  return std::get<AtomicHistSchedule>(scheduleFor(choice, sizes(updates, bins))).bins;
}
Combine combination(const KernelChoice& choice, int64_t updates, int64_t bins) {
  return std::get<OrderedHistSchedule>(scheduleFor(choice, sizes(updates, bins))).combine;
}

constexpr int64_t kMany = int64_t{1} << 24;

}  // namespace

TEST_CASE("integers of 8 bytes are combined in memory where workgroups have no room") {
  Limits limits;
  limits.groups_talk = true;
  const auto program = histogram("i64", "i64.max", "0i64");
  const KernelChoice choice = chosen(program, limits);
  CHECK(combination(choice, kMany, 256) == Combine::kClaims);
  CHECK(atomicBins(choice, kMany, int64_t{1} << 14) == Bins::kMemory);
  limits.groups_talk = false;
  CHECK(combination(chosen(program, limits), kMany, int64_t{1} << 14) == Combine::kRanges);
}

TEST_CASE("integers are counted by atomic operations") {
  Limits limits;
  limits.shared_bytes = 48 * 1024;
  const KernelChoice choice = chosen(histogram("i32", "i32.add", "0i32"), limits);
  CHECK(choice.alternatives == std::vector<std::string>{"atomics", "plain"});
  CHECK(atomicBins(choice, kMany, 4) == Bins::kCopies);
  CHECK(atomicBins(choice, kMany, 1000) == Bins::kShared);
  CHECK(atomicBins(choice, kMany, 50000) == Bins::kParts);
  CHECK(atomicBins(choice, kMany, kMany) == Bins::kSlots);
  CHECK(atomicBins(choice, 1000, 2000) == Bins::kMemory);
}

TEST_CASE("devices with little shared memory count in the destinations") {
  Limits limits;
  limits.shared_bytes = 1024;
  const KernelChoice choice = chosen(histogram("i32", "i32.add", "0i32"), limits);
  CHECK(atomicBins(choice, kMany, 4) == Bins::kMemory);
}

TEST_CASE("tables of a workgroup fit into its shared memory") {
  Request tables;
  tables.forced = "tables";
  for (const int64_t kilobytes : {1, 16, 32, 48}) {
    Limits limits;
    limits.shared_bytes = kilobytes * 1024;
    const KernelChoice choice = chosen(histogram("f32", "f32.add", "0f32"), limits, tables);
    const auto* found = std::get_if<TableHistSchedule>(&scheduleFor(choice, sizes(kMany, 16)));
    CHECK((found != nullptr) == (kilobytes > 1));
    if (found != nullptr) CHECK(found->words * 4 <= limits.shared_bytes);
  }
}

TEST_CASE("results that are views are no targets of atomic operations") {
  const KernelChoice choice = chosen(histogram("i32", "i32.add", "0i32"));
  CHECK(std::holds_alternative<OrderedHistSchedule>(scheduleFor(choice, sizes(kMany, 4, false))));
}

TEST_CASE("other operators have bins in shared memory, as long as there is room") {
  const KernelChoice choice = chosen(histogram("f32", "f32.add", "0f32"));
  CHECK(combination(choice, 64, kMany) == Combine::kPairs);
  CHECK(combination(choice, kMany, 16) == Combine::kLanes);
  CHECK(combination(choice, kMany, 4096) == Combine::kClaims);
  CHECK(combination(choice, kMany, 1 << 17) == Combine::kRanges);
  CHECK(combination(choice, kMany, kMany) == Combine::kSorted);
  CHECK(combination(choice, 1000, 60000) == Combine::kWorkers);
  CHECK(combination(choice, 513, 60000) == Combine::kWorkers);
  CHECK(combination(choice, 512, 60000) == Combine::kPairs);
  CHECK(combination(choice, 512, kMany) == Combine::kPairs);
}

TEST_CASE("the fewer bins, the more invocations have bins of their own") {
  const KernelChoice choice = chosen(histogram("f32", "f32.add", "0f32"));
  const auto few = std::get<OrderedHistSchedule>(scheduleFor(choice, sizes(kMany, 16)));
  const auto more = std::get<OrderedHistSchedule>(scheduleFor(choice, sizes(kMany, 100)));
  CHECK(few.workgroup == 256);
  CHECK(more.workgroup == 64);
  CHECK(few.workgroup * few.bins * 4 <= Limits{}.shared_bytes);
}

TEST_CASE("a requested schedule stands alone, where there is room for it") {
  const KernelChoice choice = chosen(histogram("i32", "i32.add", "0i32"), {}, {"claims", {128, 3}});
  const auto claims = std::get<OrderedHistSchedule>(scheduleFor(choice, sizes(kMany, 100)));
  CHECK(claims.combine == Combine::kClaims);
  CHECK(claims.workgroup == 128);
  CHECK(claims.elements == 3);
  CHECK(combination(choice, kMany, kMany) == Combine::kWorkers);
}

TEST_CASE("all schedules of histograms can be carried out, and broken ones are told") {
  for (const int64_t bytes : {int64_t{16} * 1024, int64_t{32} * 1024, int64_t{228} * 1024}) {
    Limits limits;
    limits.shared_bytes = bytes;
    for (const char* type : {"i32", "f64"}) {
      const std::string name = type;
      const KernelChoice choice = chosen(histogram(name, name + ".add", "0" + name), limits);
      for (const ScheduleVersion& version : choice.versions) {
        CHECK(whyIllegal(version.schedule, limits) == "");
      }
    }
  }
  CHECK(whyIllegal(AtomicHistSchedule{Bins::kShared, 512, 16, 1 << 20, 8}, {}) != "");
  CHECK(whyIllegal(AtomicHistSchedule{Bins::kSlots, 512, 16, 1024, 8}, {}) != "");
  CHECK(whyIllegal(AtomicHistSchedule{Bins::kShared, 2048, 16, 256, 8}, {}) != "");
  CHECK(whyIllegal(TableHistSchedule{256, 1 << 20}, {}) != "");
  CHECK(whyIllegal(OrderedHistSchedule{Combine::kLanes, 256, 1000, 0, 4}, {}) != "");
  CHECK(whyIllegal(OrderedHistSchedule{Combine::kClaims, 48, 100, 64, 1}, {}) != "");
  CHECK(whyIllegal(OrderedHistSchedule{Combine::kClaims, 64, 100, 100, 1}, {}) != "");
  CHECK(whyIllegal(OrderedHistSchedule{Combine::kClaims, 64, 100, 64, 9}, {}) != "");
  CHECK(whyIllegal(OrderedHistSchedule{Combine::kRanges, 256, 1000, 1024, 1}, {}) != "");
}

TEST_CASE("parts with bins of their own are bounded, and so is their memory") {
  const KernelChoice choice = chosen(histogram("f32", "f32.add", "0f32"));
  const auto of = [&](int64_t updates, int64_t bins) {
    return std::get<OrderedHistSchedule>(scheduleFor(choice, sizes(updates, bins)));
  };
  CHECK(of(kMany, 16).parts == 1024);
  CHECK(of(kMany, 4096).parts == 4096);
  CHECK(of(kMany, 4096).part_bins == int64_t{1} << 23);
  CHECK(of(1000, 60000).parts == int64_t{1} << 15);
  CHECK(of(1000, 60000).part_bins == int64_t{1} << 25);
}

TEST_CASE("the sort of a histogram is a part of its text") {
  const ScheduledProgram program = scheduled(histogram("f32", "f32.add", "0f32"), Variants());
  const std::string text = print(program);
  CHECK(text.find("combine=sorted") != std::string::npos);
  CHECK(text.find("sort=sort{placement=counted, digit_bits=8") != std::string::npos);
  CHECK(text.find("combine=workers, workgroup=0, bins=0, claims=0, elements=16, parts=32768, "
                  "part_bins=33554432} }") != std::string::npos);
  source::Files files;
  const auto again = parseScheduled(files, files.add("test.kernels", text));
  REQUIRE(again);
  CHECK(again->schedules == program.schedules);
}

TEST_CASE("values of several words are computed again where an element's number gives them") {
  const auto combinationOf = [](const std::string& type) {
    const core::Program program = test::parsedCore(
        "entry main(n_0: i64, k_1: i64, d_2: *[k_1]" + type + ") -> ([k_1]" + type + ") {\n" +
        "  h_3: [k_1]" + type + " = call main_1 (n_0, k_1, d_2)\n  return h_3 }\n\n" +
        "kernel main_1 [n_10] hist (n_10: i64, k_11: i64, d_12: *[k_11]" + type + ") -> ([k_11]" +
        type + ") {\n  is_13: [n_10]i64 = iota i64 [n_10] 0i64 1i64\n  h_14: [k_11]" + type +
        " = hist [n_10] (is_13) map (i_15: i64) {\n    x_16: " + type + " = " + type +
        ".of_i64 i_15\n    return i_15, x_16 } op (d_12) rank 1 " + type + ".add 0" + type +
        "\n  return h_14 }\n");
    return combination(chosen(program), kMany, kMany);
  };
  CHECK(combinationOf("f32") == Combine::kSorted);
  CHECK(combinationOf("f64") == Combine::kNumbers);
  CHECK(combination(chosen(histogram("f64", "f64.add", "0f64")), kMany, kMany) == Combine::kSorted);
}

TEST_CASE("a sort that the device cannot carry out is no part of a histogram") {
  OrderedHistSchedule s{Combine::kSorted};
  CHECK(whyIllegal(s, {}).empty());
  s.sort.keys = 100'000;
  CHECK(!whyIllegal(s, {}).empty());
}

}  // namespace halo::gpu
