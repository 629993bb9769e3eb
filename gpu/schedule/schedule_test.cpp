// Texts of schedules, what the verifier rejects, and choices by limits, requests and sizes.
#include <doctest/doctest.h>

#include "gpu/schedule/choose.h"
#include "gpu/schedule/legal.h"
#include "gpu/schedule/sort.h"
#include "gpu/schedule/test_support.h"

namespace halo::gpu {
namespace {

// A sort of 32-bit keys alone, and a copy of a transposed matrix.
constexpr char kKernels[] =
    "entry main(n_0: i64, m_1: i64, ks_2: [n_0]u32, xs_3: [n_0][m_1]f32) -> "
    "([n_0]u32, [m_1][n_0]f32) {\n"
    "  s_4: [n_0]u32 = call main_1 (n_0, ks_2)\n"
    "  t_5: [m_1][n_0]f32 = rearrange (1, 0) xs_3\n"
    "  y_6: [m_1][n_0]f32 = call main_2 (n_0, m_1, t_5)\n"
    "  return s_4, y_6 }\n"
    "\n"
    "kernel main_1 [n_7] sort (n_7: i64, ks_8: [n_7]u32) -> ([n_7]u32) {\n"
    "  s_9: [n_7]u32 = copy ks_8\n"
    "  return s_9 }\n"
    "\n"
    "kernel main_2 [m_11][n_10] map (n_10: i64, m_11: i64, t_12: [m_11][n_10]f32) -> "
    "([m_11][n_10]f32) {\n"
    "  y_13: [m_11][n_10]f32 = copy t_12\n"
    "  return y_13 }\n";

core::Program kernels() { return test::parsedCore(kKernels); }

Limits hardware() {
  Limits limits;
  limits.name = "device";
  limits.groups_finish = true;
  return limits;
}

ScheduledProgram scheduledFor(const Limits& limits, const std::string& forced = "") {
  Variants variants;
  static_cast<Limits&>(variants) = limits;
  setForced(variants, forced);
  return scheduled(kernels(), variants);
}

diag::Result<ScheduledProgram> parsed(const std::string& text) {
  source::Files files;
  return parseScheduled(files, files.add("test.kernels", text));
}

// The schedule of the version that runs for these sizes.
std::string chosen(const ScheduleVersions& versions, std::map<Quantity, int64_t> sizes) {
  for (const ScheduleVersion& version : versions) {
    if (evaluate(version.guard, [&](Quantity q) { return sizes[q]; }) != 0) {
      return print(version.schedule);
    }
  }
  return "";
}

std::string messageOf(const std::string& text) {
  auto program = parsed(text);
  if (!program) return program.error().message;
  auto verified = verify(*program);
  return verified ? "" : verified.error().message;
}

std::string replaced(std::string text, const std::string& from, const std::string& to) {
  const size_t at = text.find(from);
  REQUIRE(at != std::string::npos);
  return text.replace(at, from.size(), to);
}

}  // namespace

TEST_CASE("the text of a scheduled program reads back") {
  for (const Limits& limits : {Limits{}, hardware()}) {
    const ScheduledProgram program = scheduledFor(limits);
    CHECK(verify(program));
    auto again = parsed(print(program));
    REQUIRE(again);
    CHECK(again->limits == program.limits);
    CHECK(again->schedules == program.schedules);
    CHECK(print(*again) == print(program));
  }
}

TEST_CASE("guards read back, with parentheses where operators need them") {
  const Condition n = Quantity::kElements, m = Quantity::kLastExtent, f = Quantity::kIsAligned;
  const std::string text = print(scheduledFor({}));
  for (const Condition& guard :
       {n < 5, (n * m) * 2 >= 7, n * (m * 2) <= 7, minimum(n, 32) * m < 128, maximum(n, m) < 3,
        tiles(n, 64) * tiles(m, 128) >= 120, !f, !(f && n < 2), (f || n < 1) && !f,
        f || (n < 1 && f), f && (f && f), (f || f) || f}) {
    ScheduledProgram program = scheduledFor({});
    program.schedules["main_2"][0].guard = guard;
    auto again = parsed(print(program));
    REQUIRE(again);
    CHECK(again->schedules["main_2"][0].guard == guard);
  }
}

TEST_CASE("errors have their place in the whole text") {
  const std::string text = print(scheduledFor({}));
  source::Files files;
  const std::string wrong = replaced(text, "placement=counted", "placement=somewhere");
  auto file = files.add("test.kernels", wrong);
  auto program = parseScheduled(files, file);
  REQUIRE_FALSE(program);
  CHECK(program.error().span.file == file);
  CHECK(program.error().span.begin == wrong.find("somewhere"));
  CHECK(program.error().message == "found `somewhere`, expected one of the field's values");
  CHECK(messageOf(replaced(text, "elements < 4294967296", "elements")) ==
        "expected a condition: numbers are compared, facts are combined");
  CHECK(messageOf(replaced(text, "elements < 4294967296", "element < 4294967296")) ==
        "found `element`, expected a number or a quantity of the launch");
  CHECK(messageOf(replaced(text, "sort{", "sorts{")) ==
        "found `sorts`, expected the name of a schedule");
  CHECK(messageOf(replaced(text, "copy ks_8", "copied ks_8")) != "");
}

TEST_CASE("the verifier rejects impossible schedules") {
  const std::string text = print(scheduledFor(hardware()));
  CHECK(messageOf(text).empty());
  auto hasProblem = [&](const std::string& from, const std::string& to,
                        const std::string& problem) {
    const std::string message = messageOf(replaced(text, from, to));
    CHECK_MESSAGE(message.find(problem) != std::string::npos, message);
  };
  hasProblem("keys=22", "keys=2000", "bytes of shared memory, a workgroup has");
  hasProblem("workgroup=256", "workgroup=2048", "invocations, a workgroup has at most 1024");
  hasProblem("workgroup=256", "workgroup=128", "fewer than 256 bins");
  hasProblem("lanes=32", "lanes=16", "a subgroup has 32");
  hasProblem("lanes=32", "lanes=0", "tiles without lanes are counted");
  hasProblem("device_scope_atomics=true", "device_scope_atomics=false", "device-scope atomics");
  hasProblem("lookback_below=1073741824", "lookback_below=2147483648", "count less than");
  hasProblem("side=64", "side=48", "tiles of side 48");
  hasProblem("when elements < 4294967296", "otherwise", "is not the last");
  hasProblem("otherwise: cpu{}", "when elements < 9: cpu{}", "the last version has a guard");
  hasProblem("elements < 4294967296", "last_extent < 4294967296", "asks for a quantity");
  hasProblem("otherwise: cpu{}", "otherwise: " + print(Schedule(MapSchedule{})),
             "no schedule of such kernels");
  hasProblem("schedule main_1", "schedule main_9", "there is no such kernel");
}

TEST_CASE("sorts: one workgroup, Onesweep where tiles may wait, counts elsewhere") {
  auto versions = scheduledFor(hardware()).schedules["main_1"];
  auto of = [&](int64_t elements) { return chosen(versions, {{Quantity::kElements, elements}}); };
  CHECK(of(5632).find("sort{placement=one_workgroup") == 0);
  CHECK(of(5633).find("sort{placement=onesweep") == 0);
  CHECK(of((int64_t{1} << 32) - 1).find("sort{placement=onesweep") == 0);
  CHECK(of(int64_t{1} << 32) == "cpu{}");
  versions = scheduledFor({}).schedules["main_1"];
  CHECK(of(1 << 20).find("sort{placement=counted") == 0);
  Limits alone;
  alone.subgroup = 0;
  versions = scheduledFor(alone).schedules["main_1"];
  CHECK(of(1).find("sort{placement=counted, digit_bits=4, lanes=0") == 0);
}

TEST_CASE("requests: numbers of a variant are fields; impossible ones are left out") {
  auto versions = scheduledFor(hardware(), "one_pass:6,512,2").schedules["main_1"];
  const auto& sort = std::get<SortSchedule>(versions[0].schedule);
  CHECK(sort.keys == 6);
  CHECK(sort.workgroup == 512);
  CHECK(sort.lookback_tiles == 2);
  CHECK(sort.placement == SortSchedule::Placement::kOnesweep);
  std::vector<std::string> said;
  Variants variants;
  variants.explain = [&](const std::string& line) { said.push_back(line); };
  setForced(variants, "lanes:1000");
  auto program = scheduled(kernels(), variants);
  CHECK(std::get<SortSchedule>(program.schedules["main_1"][0].schedule).keys == 20);
  CHECK(said[0].find("the numbers of the request are left out") != std::string::npos);
}

TEST_CASE("copies: tiles where the axes are in another order in memory") {
  auto versions = scheduledFor({}).schedules["main_2"];
  std::map<Quantity, int64_t> sizes = {{Quantity::kElements, 1 << 20},
                                       {Quantity::kDenseExtent, 1 << 10},
                                       {Quantity::kLastExtent, 1 << 10},
                                       {Quantity::kIsTransposed, 1}};
  CHECK(chosen(versions, sizes).find("transpose{access=elements, side=32") == 0);
  sizes[Quantity::kIsAligned] = 1;
  CHECK(chosen(versions, sizes).find("transpose{access=vectors, side=64") == 0);
  sizes[Quantity::kElements] = 1 << 16;
  CHECK(chosen(versions, sizes).find("per_element{") == 0);
  sizes[Quantity::kElements] = 1 << 20, sizes[Quantity::kDenseExtent] = 3;
  CHECK(chosen(versions, sizes).find("per_element{") == 0);
  sizes[Quantity::kDenseExtent] = 1 << 16, sizes[Quantity::kLastExtent] = 4;
  sizes[Quantity::kIsMergeable] = 1;
  CHECK(chosen(versions, sizes).find("merges_axes=true") != std::string::npos);
  for (const ScheduleVersion& version : scheduledFor({}, "plain").schedules["main_2"]) {
    CHECK(std::holds_alternative<MapSchedule>(version.schedule));
  }
}

TEST_CASE("tiles that look back are larger; elements of more words leave fewer registers") {
  Limits large = hardware();
  large.shared_bytes = 48 * 1024;
  auto tile = [](const Limits& limits, const SortWords& words) {
    return sortSchedule(limits, {}, words).tile();
  };
  CHECK(tile(large, {1, 1}) == 24 * 256);
  CHECK(tile({}, {1, 1}) == 20 * 256);
  CHECK(tile(large, {1, 2}) == 20 * 256);
  CHECK(tile(large, {2, 2}) == 20 * 256);
  CHECK(tile(large, {1, 3}) == 18 * 256);
  CHECK(tile(large, {2, 3}) == 14 * 512);
}

TEST_CASE("a device without space for a usual tile gets a smaller one") {
  Limits small = hardware();
  small.shared_bytes = 16 * 1024;
  const ScheduledProgram program = scheduledFor(small);
  CHECK(verify(program));
  const SortSchedule s = sortSchedule(small, {}, {1, 1});
  CHECK(s.keys < 20);
  CHECK(sortSharedBytes(s) <= small.shared_bytes);
}

}  // namespace halo::gpu
