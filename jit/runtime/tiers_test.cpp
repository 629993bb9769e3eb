// Which programs begin quick, and the exchange of code between calls and in the middle of one.
#include "jit/runtime/tiers.h"

#include <doctest/doctest.h>

#include <thread>

#include "jit/nests.h"
#include "lang/core/text.h"
#include "lang/imp/from_core.h"

namespace halo::jit {
namespace {

imp::Program program(const std::string& text) {
  source::Files files;
  auto parsed = core::parse(files, files.add("test.core", text));
  if (!parsed) FAIL(diag::render(parsed.error(), files));
  imp::FromCoreOptions options;
  options.parallel = true;
  return imp::fromCore(*parsed, options);
}

bool beginsQuick(const std::string& text) { return canBeginQuick(program(text), "main"); }

const char* const kLoopOfMaps = R"(
entry main(n_1: i64, steps_2: i64, xs_3: [n_1]i64) -> ([n_1]i64) {
  l_4: [n_1]i64 = loop (a_5: [n_1]i64 = xs_3) for t_6 < steps_2 do {
    b_7: [n_1]i64 = screma [n_1] (a_5) map (x_8: i64) {
      y_9: i64 = i64.mul x_8 6364136223846793005
      z_10: i64 = i64.add y_9 t_6
      return z_10 }
    return b_7 }
  return l_4 }
)";

struct Call {
  explicit Call(int64_t steps) : scalars{static_cast<int64_t>(input.size()), steps} {
    for (size_t i = 0; i < input.size(); ++i) input[i] = static_cast<int64_t>(i);
  }
  int32_t on(Code& code, const std::atomic<uint32_t>& cancel) {
    RunContext context;
    context.cancel = &cancel;
    context.stack_limit = stackLimit();
    uint64_t arguments[] = {reinterpret_cast<uint64_t>(input.data()),
                            static_cast<uint64_t>(scalars[0]), static_cast<uint64_t>(scalars[1])};
    uint64_t results[3] = {};
    const int32_t status = code.call(context, arguments, results);
    const auto* first = reinterpret_cast<const int64_t*>(results[0]) + results[1];
    if (status == kRunOk) output.assign(first, first + input.size());
    return status;
  }
  std::vector<int64_t> input = std::vector<int64_t>(1000);
  int64_t scalars[2];
  std::vector<int64_t> output;
};

// A loop without a nest in front of the rest.
std::string loopThen(const std::string& rest) {
  return R"(
entry main(n_1: i64, steps_2: i64, xs_3: [n_1]i64) -> ([n_1]i64) {
  l_4: i64 = loop (a_5: i64 = 1i64) for t_6 < steps_2 do {
    b_7: i64 = i64.mul a_5 3i64
    return b_7 }
)" + rest;
}
const char* const kMap = R"(
  m_8: [n_1]i64 = screma [n_1] (xs_3) map (x_9: i64) { y_10: i64 = i64.mul x_9 l_4 return y_10 }
  return m_8 }
)";
const char* const kNoMap = "  return xs_3 }";

std::unique_ptr<Code> codeOf(engine::Tier tier, const std::string& text = kLoopOfMaps) {
  CompileOptions options;
  options.use_disk_cache = false;
  options.tier = tier;
  auto code = compileCode(program(text), "main", options);
  REQUIRE(code.has_value());
  return std::move(*code);
}

}  // namespace

TEST_CASE("what spends its time in nests begins quick") {
  CHECK(beginsQuick(kLoopOfMaps));
  CHECK(beginsQuick(R"(
entry main(n_1: i64, xs_2: [n_1]f32) -> (f32) {
  s_3: f32 = screma [n_1] (xs_2) reduce f32.add 0f32
  return s_3 }
)"));
  CHECK(beginsQuick("entry main(x_1: f32) -> (f32) { y_2: f32 = f32.add x_1 1f32 return y_2 }"));
}

TEST_CASE("a loop without a nest is optimised at once, also beside nests") {
  const std::string loop = R"(
  l_4: f32 = loop (a_5: f32 = x_3) for t_6 < n_1 do {
    b_7: f32 = f32.add a_5 1f32
    return b_7 }
)";
  CHECK_FALSE(beginsQuick("entry main(n_1: i64, x_3: f32) -> (f32) {" + loop + "return l_4 }"));
  CHECK_FALSE(beginsQuick("entry main(n_1: i64, x_3: f32) -> ([n_1]f32) {" + loop +
                          "  r_8: [n_1]f32 = replicate [n_1] l_4\n  return r_8 }"));
}

TEST_CASE("code changes between two steps of a loop, and every call has the same result") {
  const std::atomic<uint32_t> never{0};
  Call expected(1000);
  REQUIRE(expected.on(*codeOf(engine::Tier::kOptimised), never) == kRunOk);
  Call quick(1000);
  REQUIRE(quick.on(*codeOf(engine::Tier::kQuick), never) == kRunOk);
  CHECK(quick.output == expected.output);

  const std::unique_ptr<Code> code = codeOf(engine::Tier::kAuto);
  CHECK_FALSE(code->isFinal());
  std::atomic<uint32_t> cancel{0};
  Call endless(int64_t{1} << 60);
  int32_t status = kRunOk;
  std::thread caller([&] { status = endless.on(*code, cancel); });
  for (int i = 0; i < 6000 && !code->isFinal(); ++i) {
    std::this_thread::sleep_for(std::chrono::milliseconds(10));
  }
  CHECK(code->isFinal());  // while the call still runs
  cancel = 1;
  caller.join();
  CHECK(status == kRunInterrupted);
  Call later(1000);
  REQUIRE(later.on(*code, never) == kRunOk);
  CHECK(later.output == expected.output);
}

TEST_CASE("beside a loop without a nest, nests begin quick, and every call has the same result") {
  const std::atomic<uint32_t> never{0};
  Call expected(1000), first(1000);
  REQUIRE(expected.on(*codeOf(engine::Tier::kOptimised, loopThen(kMap)), never) == kRunOk);
  const std::unique_ptr<Code> code = codeOf(engine::Tier::kAuto, loopThen(kMap));
  CHECK_FALSE(code->isFinal());
  REQUIRE(first.on(*code, never) == kRunOk);
  CHECK(first.output == expected.output);
  CHECK(codeOf(engine::Tier::kAuto, loopThen(kNoMap))->isFinal());
}

TEST_CASE("code may go away while better code is made") {
  const std::atomic<uint32_t> never{0};
  for (int steps : {1, 100, 10000, 100000}) {
    Call call(steps);
    CHECK(call.on(*codeOf(engine::Tier::kAuto), never) == kRunOk);
  }
}

}  // namespace halo::jit
