// Proofs about sums and products hold, also with coefficients at the ends of 64 bits. An access
// marked `proven` that is out of range would be a difference (properties.h).
#include "lang/passes/bounds/bounds_facts.h"

#include <doctest/doctest.h>
#include <fmt/format.h>

#include "lang/core/text.h"
#include "lang/passes/properties.h"

namespace halo::passes {
namespace {

const char* const kEnds[] = {"-9223372036854775808",
                             "-9223372036854775807",
                             "9223372036854775807",
                             "4611686018427387904",
                             "-4611686018427387904",
                             "-1",
                             "0",
                             "2"};

// xs[factor * i + offset] for all i, where it is not negative if `guarded`.
std::string program(const char* factor, const char* offset, bool guarded) {
  const std::string access = "v_9: i64 = index xs_2[t_6] @1:1";
  return fmt::format(
      "entry main(n_0: i64, k_1: i64, xs_2: [n_0]i64) -> ([n_0]i64) {{\n"
      "  t_3: [n_0]i64 = iota i64 [n_0] 0i64 1i64\n"
      "  r_4: [n_0]i64 = screma [n_0] (t_3) map (i_5: i64) {{\n"
      "    p_7: i64 = i64.mul i_5 {}i64\n"
      "    q_8: i64 = i64.mul k_1 {}i64\n"
      "    s_10: i64 = i64.add p_7 {}i64\n"
      "    t_6: i64 = i64.sub s_10 q_8\n"
      "    c_11: bool = i64.ge t_6 0i64\n"
      "    {}\n"
      "    return w_12 }}\n"
      "  return r_4 }}\n",
      factor, factor, offset,
      guarded ? "w_12: i64 = match c_11 { true -> { " + access +
                    "; return v_9 } else -> { return 7i64 } }"
              : access + "\n    w_12: i64 = i64.add v_9 1i64");
}

}  // namespace

TEST_CASE("bounds with coefficients at the ends of 64 bits") {
  int compared = 0;
  for (const char* factor : kEnds) {
    for (const char* offset : kEnds) {
      for (bool guarded : {false, true}) {
        const std::string text = program(factor, offset, guarded);
        CAPTURE(text);
        source::Files files;
        auto parsed = core::parse(files, files.add("test.core", text));
        REQUIRE(parsed);
        CHECK(changedBy(*parsed, 4, &compared) == "");
      }
    }
  }
  CHECK(compared > 200);
}

TEST_CASE("ranges of sums of large products are not known") {
  core::Program program;
  BoundsFacts facts(program);
  constexpr int64_t kLowest = std::numeric_limits<int64_t>::min();
  Polynomial sum;
  for (int i = 0; i < 8; ++i) {  // 8 * 2^63 * 2^63 is more than 128 bits hold
    const core::ValueId atom = program.add("x", {core::ScalarType::kI64, {}});
    sum = *sum.plus(Polynomial::value(atom), kLowest);
  }
  CHECK(!facts.isNotNegative(sum));
  CHECK(!facts.isNotNegative(sum.plus(Polynomial::constant(1))));
}

TEST_CASE("sums that are not negative did not wrap, if one summand is not negative") {
  core::Program program;
  const core::Type i64{core::ScalarType::kI64, {}}, boolean{core::ScalarType::kBool, {}};
  const core::ValueId n = program.add("n", i64), m = program.add("m", i64);
  for (const bool is_bounded : {true, false}) {
    CAPTURE(is_bounded);
    BoundsFacts facts(program);
    const core::Operand other = is_bounded ? core::Operand::ofI64(1) : core::Operand(m);
    const core::ValueId sum = program.add("sum", i64), is_size = program.add("c", boolean);
    facts.define({{sum}, core::PrimOp{prim::Op::kAdd, core::ScalarType::kI64, {n, other}}});
    const core::Operand zero = core::Operand::ofI64(0);
    facts.define({{is_size}, core::PrimOp{prim::Op::kGe, core::ScalarType::kI64, {sum, zero}}});
    const auto above = Polynomial::value(sum).plus(*facts.modular(sum), -1);
    const auto below = facts.modular(sum)->plus(Polynomial::value(sum), -1);
    CHECK(!facts.isNotNegative(above));
    facts.knowCondition(is_size, true);
    CHECK(facts.isNotNegative(above) == is_bounded);
    CHECK(facts.isNotNegative(below) == is_bounded);
  }
}

}  // namespace halo::passes
