// Golden tests: tests/gpu/raise/PASS/NAME.imp goes through the pass, the result is NAME.exp.
// HALO_UPDATE=1 writes the results instead.
#include "gpu/raise/raise.h"

#include <doctest/doctest.h>

#include <map>

#include "gpu/raise/intervals.h"
#include "lang/imp/builder.h"
#include "lang/imp/text.h"
#include "lang/imp/walk.h"
#include "tests/golden.h"

namespace halo::gpu {
namespace {

namespace fs = std::filesystem;
using namespace imp;

using Pass = std::function<Function(Program&, const Function&)>;

const std::map<std::string, Pass>& passes() {
  static const std::map<std::string, Pass> all = {
      {"narrow_indices", narrowIndices},
      {"exact_division",
       [](Program& p, const Function& f) { return exactDivision(p, f, Target{}); }},
      {"fused_division",
       [](Program& p, const Function& f) { return exactDivision(p, f, {.fuses_f32 = true}); }},
      {"lone_division",
       [](Program& p, const Function& f) {
         return exactDivision(p, f, {.fuses_f32 = true, .long_code = 1});
       }},
      {"exact_halves", exactHalves},
      {"unroll_divisions", unrollDivisions},
      {"unswitch_loops", unswitchLoops},
      {"batch_loops", batchLoops},
      {"split_shifts", splitShifts},
      {"loose_bits", looseBits},
      {"round_halves",
       [](Program& p, const Function& f) { return roundHalves(p, f, {.drops_roundings = true}); }},
      {"native_extrema",
       [](Program&, const Function& f) { return nativeExtrema(f, {.extrema_f32 = true}); }},
      {"split_wide_products", splitWideProducts},
      {"try_short_division",
       [](Program& p, const Function& f) { return tryShortDivision(p, f, Target{}); }},
      {"try_short_division_f64",
       [](Program& p, const Function& f) {
         return tryShortDivision(p, f, {.divides_64_bits = false});
       }},
      {"split_wide_division",
       [](Program& p, const Function& f) {
         return splitWideDivision(p, f, {.divides_64_bits = false});
       }},
      {"widen_small_types",
       [](Program& p, const Function& f) {
         return widenSmallTypes(p, f, {.int8 = false, .int16 = false, .float16 = false});
       }},
      {"split_wide_integers",
       [](Program& p, const Function& f) { return splitWideIntegers(p, f, {.int64 = false}); }},
      {"fold_constants", foldConstants},
      {"hide_zeros",
       [](Program& p, const Function& f) { return hideZeros(p, f, {.folds_zeros = true}); }},
      {"hide_negations",
       [](Program& p, const Function& f) {
         return hideNegations(p, f, {.mixes_up_negations = true});
       }},
      {"separate_carried",
       [](Program& p, const Function& f) {
         return separateCarried(p, f, {.mixes_up_carried = true});
       }},
      {"check_trips",
       [](Program& p, const Function& f) { return checkTrips(p, f, {.counts_trips = true}); }},
      {"keep_barriers_uniform", keepBarriersUniform},
      {"plain_matrices",
       [](Program& p, const Function& f) { return plainMatrices(p, f, {.lanes = 8}); }},
  };
  return all;
}

void checkGolden(const fs::path& path, const Pass& pass) {
  CAPTURE(path.string());
  std::string text = test::readFile(path);
  source::Files files;
  auto parsed = parse(files, files.add("test.imp", text));
  if (!parsed) {
    FAIL_CHECK(parsed.error().message, " at: ", text.substr(parsed.error().span.begin, 30));
    return;
  }
  REQUIRE(test::verdict(verify(*parsed)) == "valid");
  Function result = pass(*parsed, parsed->functions[0]);
  parsed->functions[0] = result;
  CHECK(test::verdict(verify(*parsed)) == "valid");
  std::string printed = test::commentHead(text) + print(*parsed, result);
  test::checkGolden(fs::path(path).replace_extension(".exp"), printed);
}

}  // namespace

TEST_CASE("goldens of the raising passes") {
  for (const auto& [name, pass] : passes()) {
    CAPTURE(name);
    for (const fs::path& path : test::sorted("tests/gpu/raise/" + name)) {
      if (path.extension() == ".imp") checkGolden(path, pass);
      if (path.extension() == ".exp") CHECK(fs::exists(fs::path(path).replace_extension(".imp")));
    }
  }
  for (const fs::path& folder : test::sorted("tests/gpu/raise")) {
    CHECK(passes().contains(folder.filename().string()));
  }
}

TEST_CASE("passes leave alone what their target does not need") {
  Program program;
  Builder code(program);
  BufferId xs = code.buffer("xs", ScalarType::kF32, Space::kDevice);
  code.forLoop("i", Operand::ofI64(0), Operand::ofI64(9), [&](Operand i) {
    Operand x = code.load(xs, i);
    code.store(xs, i, code.prim(prim::Op::kDiv, ScalarType::kF32, {x, x}));
  });
  Function kernel;
  kernel.kind = FunctionKind::kKernel;
  kernel.buffers = {xs};
  kernel.body = code.take();
  CHECK(exactDivision(program, kernel, {.float64 = false}).body == kernel.body);
  CHECK(exactDivision(program, kernel, {.exact_division_f32 = true}).body == kernel.body);
  CHECK(checkTrips(program, kernel, {.counts_trips = false}).body == kernel.body);
  CHECK(program.sites.empty());
  Target software{.exact_division_f32 = true, .counts_trips = true};
  CHECK(raise(program, kernel, software).wide.body != kernel.body);
  (void)raise(program, kernel, software);
  CHECK(program.sites.size() == 1);  // one site for all loops of all kernels
  CHECK(program.sites[0].code == diag::Code::engine_unsupported);
}

TEST_CASE("nothing divides a zero that is known") {
  Program program;
  Builder code(program);
  Function kernel;
  kernel.kind = FunctionKind::kKernel;
  BufferId xs = code.buffer("xs", ScalarType::kF32, Space::kDevice);
  kernel.buffers = {xs};
  auto divides = [](const Function& function) {
    bool found = false;
    forEachStm(function.body, [&](const Stm& stm) {
      const auto* let = std::get_if<Let>(&stm.node);
      const auto* prim = let == nullptr ? nullptr : std::get_if<Prim>(&let->expr);
      found = found || (prim != nullptr && prim->op == prim::Op::kDiv);
    });
    return found;
  };
  for (const char* kind : {"zero", "one"}) {
    const float dividend = std::string(kind) == "zero" ? -0.0F : 1.0F;
    Operand x = code.load(xs, Operand::ofI64(0));
    Operand first(Scalar::ofFloat(ScalarType::kF32, dividend));
    code.store(xs, Operand::ofI64(0), code.prim(prim::Op::kDiv, ScalarType::kF32, {first, x}));
    kernel.body = code.take();
    REQUIRE(divides(kernel));
    CHECK(divides(divideZeros(program, kernel)) == (dividend == 1.0F));
  }
}

TEST_CASE("code that a long kernel repeats is called") {
  Program program;
  Builder code(program);
  Function kernel;
  kernel.kind = FunctionKind::kKernel;
  BufferId xs = code.buffer("xs", ScalarType::kF32, Space::kDevice);
  kernel.buffers = {xs};
  // A chain of operations on an element, in a loop and outside.
  auto chain = [&](const Operand& at, float constant) {
    Operand x = code.load(xs, at);
    const Operand factor(Scalar::ofFloat(ScalarType::kF32, constant));
    for (int k = 0; k < 20; ++k) {
      x = code.prim(prim::Op::kAdd, ScalarType::kF32, {x, factor});
      x = code.prim(prim::Op::kMul, ScalarType::kF32, {x, x});
    }
    code.store(xs, at, x);
  };
  for (int64_t k = 0; k < 3; ++k) chain(Operand::ofI64(k), 1.5F);
  code.forLoop("i", Operand::ofI64(3), Operand::ofI64(9), [&](Operand i) {
    chain(i, 1.5F);
    chain(code.add(i, Operand::ofI64(9)), 1.5F);
    chain(code.add(i, Operand::ofI64(20)), 2.5F);  // another constant
  });
  kernel.body = code.take();
  CHECK(outlineRepeats(program, kernel, 3000).functions.empty());
  const Repeats repeats = outlineRepeats(program, kernel, 1);
  REQUIRE(repeats.functions.size() == 1);
  CHECK(repeats.functions[0].body.size() == 40);
  CHECK(repeats.functions[0].scalars.size() == 1);
  CHECK(repeats.functions[0].result_vars.size() == 1);
  size_t calls = 0, operations = 0;
  forEachStm(repeats.kernel.body, [&](const Stm& stm) {
    calls += std::holds_alternative<imp::Call>(stm.node) ? 1 : 0;
    const auto* let = std::get_if<Let>(&stm.node);
    operations += let != nullptr && std::holds_alternative<Prim>(let->expr) &&
                          std::get<Prim>(let->expr).type == ScalarType::kF32
                      ? 1
                      : 0;
  });
  CHECK(calls == 5);
  CHECK(operations == 40);
  kernel.body.push_back({Barrier{}});
  CHECK(outlineRepeats(program, kernel, 1).functions.empty());
}

TEST_CASE("a kernel nested too deeply asks for another engine") {
  Program program;
  Builder code(program);
  Function kernel;
  kernel.kind = FunctionKind::kKernel;
  VarId c = program.addVar("c", ScalarType::kBool);
  kernel.scalars = {c};
  BufferId xs = code.buffer("xs", ScalarType::kI32, Space::kDevice);
  kernel.buffers = {xs};
  std::function<void(int)> nest = [&](int levels) {
    if (levels == 0) return code.store(xs, Operand::ofI64(0), prim::Scalar::ofI32(1));
    code.ifThenElse(
        c, [] {}, [&] { nest(levels - 1); });
  };
  nest(5);
  kernel.body = code.take();
  CHECK(limitNesting(program, kernel, {}).body == kernel.body);
  CHECK(limitNesting(program, kernel, {.deepest = 5}).body == kernel.body);
  Function refused = limitNesting(program, kernel, {.deepest = 4});
  REQUIRE(refused.body.size() == 1);
  CHECK(std::holds_alternative<Fail>(refused.body[0].node));
}

TEST_CASE("intervals end where a value may wrap") {
  Program program;
  Builder code(program);
  Function kernel;
  VarId n = program.addVar("n", ScalarType::kI64);
  kernel.scalars = {n};
  Operand square = code.mul(n, n);
  Operand cube = code.mul(square, n);
  Operand less = code.sub(square, n);
  Operand rest = code.prim(prim::Op::kMachineRem, ScalarType::kI64, {square, Operand::ofI64(10)});
  Operand masked = code.prim(prim::Op::kAnd, ScalarType::kI64, {cube, Operand::ofI64(255)});
  kernel.body = code.take();
  Intervals intervals(program, kernel, int64_t{1} << 30);
  CHECK(intervals.fits(n));
  CHECK(!intervals.fits(square));
  CHECK(intervals.of(square)->hi == Wide{1} << 60);
  CHECK(!intervals.of(cube));
  CHECK(intervals.of(less)->lo == -(Wide{1} << 60) - (Wide{1} << 30));
  CHECK(intervals.of(rest)->lo == -9);
  CHECK(intervals.of(rest)->hi == 9);
  CHECK(intervals.of(masked)->hi == 255);
  CHECK(intervals.fits(masked));
}

}  // namespace halo::gpu
