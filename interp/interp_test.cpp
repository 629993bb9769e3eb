// Programs as text through parser, checker and interpreter, with the prelude of stdlib/. The
// meaning of constructs is tested in tests/exec on all engines. Here are in-place updates, failures
// with their places, limits, and the fast operations.
#include "interp/interpreter.h"

#include <doctest/doctest.h>

#include "interp/fast_ops.h"
#include "lang/prim/fold.h"
#include "lang/syntax/parse/parser.h"
#include "lang/types/check.h"
#include "lang/value/format.h"
#include "stdlib/embedded.h"

namespace {

using namespace halo;  // NOLINT: a test
using value::Value;

class Fixture {
 public:
  Fixture() : prelude_(types::emptyEnvironment()) {
    for (const stdlib::EmbeddedFile& file : stdlib::files()) {
      prelude_ = extended(prelude_, std::string(file.name), std::string(file.text), true);
      if (prelude_ == nullptr) break;
    }
  }

  // Calls `main` with arguments written as values; the results as text, or the failure with the
  // text of its span: `H7001 a[i]`.
  std::string run(const std::string& program, const std::string& arguments = "",
                  const base::CancelFlag* cancel = nullptr) {
    return runTimes(1, program, arguments, cancel);
  }
  // Twice with the same argument values.
  std::string runTwice(const std::string& program, const std::string& arguments) {
    return runTimes(2, program, arguments, nullptr);
  }

 private:
  std::string runTimes(int times, const std::string& program, const std::string& arguments,
                       const base::CancelFlag* cancel) {
    REQUIRE(prelude_ != nullptr);
    const auto environment = extended(prelude_, "test", program, false);
    REQUIRE_MESSAGE(environment != nullptr, messages_);
    const std::shared_ptr<const types::Program> checked(environment, &types::program(*environment));
    const auto entry = checked->findEntry("main");
    REQUIRE(entry.has_value());
    auto prepared = interp::makeInterpreter()->prepare(checked, *entry, {});
    if (!prepared) return describe(prepared.error());
    const auto values = value::parseValues(files_, files_.add("arguments", arguments));
    REQUIRE(values.has_value());
    std::string text;
    for (int i = 0; i < times; ++i) {
      if (i > 0) text += ", then ";
      const auto results = (*prepared)->call(*values, {cancel});
      text += results ? toText(*results) : describe(results.error());
    }
    return text;
  }

  static std::string toText(const std::vector<Value>& results) {
    std::string text;
    for (const Value& result : results) text += (text.empty() ? "" : " ") + value::toText(result);
    return text;
  }

  types::EnvironmentRef extended(const types::EnvironmentRef& base, const std::string& name,
                                 std::string text, bool is_prelude) {
    diag::Sink sink;
    const auto file = files_.add(name, std::move(text));
    syntax::Tree tree = types::treeOf(*base);
    const auto parsed =
        syntax::parseFile(files_, file, {.allow_intrinsics = is_prelude}, tree, sink);
    types::EnvironmentRef result;
    if (!sink.hasErrors()) {
      result = types::extend(base, std::move(tree), parsed,
                             {.is_prelude = is_prelude, .mark_entries = !is_prelude}, sink);
    }
    messages_ = diag::render(sink, files_);
    return result;
  }

  std::string describe(const diag::Diagnostic& diagnostic) const {
    return diag::codeLabel(diagnostic.code) + " " + std::string(files_.text(diagnostic.span));
  }

  source::Files files_;
  types::EnvironmentRef prelude_;
  std::string messages_;
};

Fixture& fixture() {
  static Fixture instance;
  return instance;
}

std::string run(const std::string& program, const std::string& arguments = "") {
  return fixture().run(program, arguments);
}

TEST_CASE("scalars, tuples and loops") {
  CHECK(run("def main (x: i32) (y: i32) = (x + y * 2, x < y)", "1 2") == "5i32 true");
  CHECK(run("def main (n: i64) = loop (a, b) = (0i64, 1i64) for _i < n do (b, a + b)", "10i64") ==
        "55i64 89i64");
  CHECK(run("def main (n: i64) = loop x = n while x > 10 do x / 2", "1000i64") == "7i64");
}

TEST_CASE("an update leaves the array alone for those who still look at it") {
  CHECK(run("def main (n: i64) = let a = iota n let b = copy a with [0] = 9 in (a, b)", "2i64") ==
        "[0i64, 1i64] [9i64, 1i64]");
  CHECK(run("def main (n: i64) = let f = (let a = iota n in \\(i: i64) -> copy a with [i] = 7) "
            "in (f 0, f 1)",
            "2i64") == "[7i64, 1i64] [0i64, 7i64]");
  CHECK(run("def main (n: i64) = let m = replicate 2 (iota n) let r = copy m[0] "
            "in (m with [0, 0] = 5, r)",
            "2i64") == "[[5i64, 1i64], [0i64, 1i64]] [0i64, 1i64]");
}

TEST_CASE("arguments are never overwritten, not even unique ones") {
  CHECK(fixture().runTwice("def main (a: *[2]i32): [2]i32 = a with [0] = a[0] + 5", "[1, 2]") ==
        "[6i32, 2i32], then [6i32, 2i32]");
}

TEST_CASE("failures are reported where the user's code is") {
  CHECK(run("def main (a: []i32) (i: i64) = a[0] + a[i]", "[1, 2] 2i64") == "H7001 a[i]");
  CHECK(run("def main (a: [2]i32) (i: i64) = copy a with [i] = 0", "[1, 2] 2i64") ==
        "H7001 copy a with [i] = 0");
  CHECK(run("def main (x: i32) = 1 + 10 / x", "0") == "H7003 10 / x");
  CHECK(run("def main (xs: []i32) = map (10 /) xs", "[1, 0]") == "H7003 (10 /)");
  CHECK(run("def main (xs: []i32) = map2 (/) xs xs", "[1, 0]") == "H7003 (/)");
  CHECK(run("def main (n: i64) = length (replicate n 0i32)", "-1i64") == "H7005 replicate n 0i32");
  CHECK(run("def main (n: i64) = tabulate n (\\i -> i)", "-1i64") == "H7005 tabulate n (\\i -> i)");
  CHECK(run("def main (a: []i64) (n: i64) = tabulate n (\\i -> a[i])", "[1i64] 2i64") ==
        "H7001 a[i]");
  CHECK(run("def main (a: []i64) (i: i64) = a[i:]", "[1i64] 2i64") == "H7002 a[i:]");
  CHECK(run("def main (n: i64) = length (5...n)", "1i64") == "H7008 5...n");
  CHECK(run("def main [n] (a: [n]i32) (m: i64) = a :> [m]i32", "[1, 2] 3i64") ==
        "H7006 a :> [m]i32");
  CHECK(run("def main (x: i32) = assert (x > 0) x", "0") == "H7007 assert (x > 0) x");
}

TEST_CASE("a failure inside the prelude is shown at the user's innermost application") {
  CHECK(run("def main (xs: []i32) = map (\\x -> 1 + i32.sum (map (10 /) [x])) xs", "[1, 0]") ==
        "H7003 (10 /)");
  CHECK(run("def main (n: i64) = n |> replicate 2 |> map (\\k -> length (tabulate k (+ 1)))",
            "-1i64") == "H7005 tabulate k (+ 1)");
  CHECK(run("def main (n: i64) = let f = replicate n in length (f 0i32)", "-1i64") ==
        "H7005 f 0i32");
}

TEST_CASE("the first failure counts") {
  CHECK(run("def main (a: [1]i32) (x: i32) = (a[7], 1 / x)", "[1] 0") == "H7001 a[7]");
  CHECK(run("def main (a: [1]i32) (x: i32) = let b = copy a with [1 / x] = a[7] in b", "[1] 0") ==
        "H7003 1 / x");
  CHECK(run("def main (xs: []i32) = map (10 /) (map (\\x -> assert (x < 2) x) xs)", "[0, 2]") ==
        "H7007 assert (x < 2) x");
}

TEST_CASE("deep recursion and long expressions end in a diagnostic, not in a crash") {
  const std::string factorial = "def main (n: i64): i64 = if n == 0 then 1 else n * main (n - 1)";
  CHECK(run(factorial, "10i64") == "3628800i64");
  CHECK(run(factorial, "1000000000i64").starts_with("H7010"));
  std::string sum = "def main (x: i64): i64 = x";
  for (int i = 1; i < 100000; ++i) sum += "+x";
  CHECK(run(sum, "1i64") == "100000i64");
}

TEST_CASE("endless loops can be interrupted") {
  base::CancelFlag cancel;
  cancel.set();
  CHECK(fixture()
            .run("def main (x: i32) = loop y = x while true do y + 1", "1", &cancel)
            .starts_with("H7011"));
}

TEST_CASE("absurd sizes are diagnostics") {
  CHECK(run("def main (n: i64) = length (iota n)", "2305843009213693952i64").starts_with("H7012"));
  CHECK(run("def main (n: i64) = length (iota n)", "1152921504606846975i64").starts_with("H7009"));
}

TEST_CASE("fast operations agree with fold") {
  const std::array<uint64_t, 14> samples = {0,
                                            1,
                                            2,
                                            0x7f,
                                            0x80,
                                            0xff,
                                            0x7fffffff,
                                            0x80000000,
                                            0xffffffff,
                                            0x3f800000,
                                            0x7fc00000,
                                            0x7f800000,
                                            0x3ff0000000000000,
                                            0xffffffffffffffff};
  for (const prim::ScalarType type : prim::kAllScalarTypes) {
    for (int index = 0; index <= static_cast<int>(prim::Op::kMulHi); ++index) {
      const auto op = static_cast<prim::Op>(index);
      if (!prim::existsAt(op, type) || prim::info(op).arity != 2) continue;
      const interp::FastOp division = interp::fastDivision(op, type);
      const interp::FastOp fast = division != nullptr ? division : interp::fastOp(op, type);
      if (fast == nullptr) continue;
      CHECK(prim::canFail(op, type) == (division != nullptr));
      for (const uint64_t lhs : samples) {
        for (const uint64_t rhs : samples) {
          const std::array args{prim::Scalar::fromBits(type, lhs),
                                prim::Scalar::fromBits(type, rhs)};
          if (division != nullptr && args[1].bits == 0) continue;
          const auto want = std::get<prim::Scalar>(prim::fold(op, type, args));
          CHECK(fast(args[0].bits, args[1].bits) == want.bits);
        }
      }
    }
  }
}

TEST_CASE("fast conversions agree with fold") {
  const std::array<uint64_t, 16> samples = {0,
                                            1,
                                            0x7f,
                                            0x80,
                                            0xff,
                                            0x8000,
                                            0x7fffffff,
                                            0x80000000,
                                            0x3f800000,
                                            0x7fc00000,
                                            0xff800000,
                                            0x4f000000,
                                            0xc0200000,
                                            0x43e0000000000000,
                                            0xc3e0000000000001,
                                            0xffffffffffffffff};
  for (const prim::ScalarType from : prim::kAllScalarTypes) {
    for (const prim::ScalarType to : prim::kAllScalarTypes) {
      const auto kind = prim::ConvertKind::kValue;
      const interp::FastConvert fast = interp::fastConvert(kind, from, to);
      if (fast == nullptr) continue;
      for (const uint64_t sample : samples) {
        const auto value = prim::Scalar::fromBits(from, sample);
        CHECK(fast(value.bits) == prim::convert(kind, to, value).bits);
      }
    }
  }
}

}  // namespace
