// define-semantics against prim/fold. Simplify evaluates the definition of every primitive and
// conversion, with unknown operands and with constant ones, on interesting values. Where
// fold fails, the definition must have a false assert.
#include <doctest/doctest.h>

#include <cmath>
#include <limits>

#include "lang/core/builder.h"
#include "lang/core/rewrite.h"
#include "lang/core/rules/verify.h"
#include "lang/core/text.h"
#include "lang/passes/semantics/define_semantics.h"
#include "lang/passes/simplify/simplify.h"
#include "lang/prim/fold.h"

namespace halo::passes {
namespace {

using core::Operand;
using prim::Scalar;
using prim::ScalarType;

std::vector<Scalar> valuesOf(ScalarType type) {
  if (type == ScalarType::kBool) return {Scalar::ofBool(false), Scalar::ofBool(true)};
  std::vector<Scalar> values;
  if (prim::isFloat(type)) {
    constexpr double kInf = std::numeric_limits<double>::infinity();
    for (double v : {0.0, -0.0, 1.5, -2.5, 300.0, 3e9, -1e30, kInf, -kInf, std::nan("")}) {
      values.push_back(Scalar::ofFloat(type, v));
    }
    return values;
  }
  int width = prim::bitWidth(type);
  for (int64_t v : {0, 1, -1, 2, 7, -8, 31, width}) values.push_back(Scalar::ofSigned(type, v));
  values.push_back(Scalar::ofUnsigned(type, uint64_t{1} << (width - 1)));
  values.push_back(Scalar::ofUnsigned(type, (uint64_t{1} << (width - 1)) - 1));
  return values;
}

// The program of one operation; which operands are constants from the start.
struct Case {
  core::Program program;
  std::vector<core::ValueId> params;
};

Case caseOf(const core::Expr& expr, ScalarType operand, ScalarType result, size_t arity,
            const std::vector<std::optional<Scalar>>& fixed, bool checked) {
  Case c;
  core::Operands args;
  for (size_t i = 0; i < arity; ++i) {
    c.params.push_back(c.program.add("x", {operand, {}}));
    args.push_back(fixed[i] ? Operand(*fixed[i]) : Operand(c.params[i]));
  }
  core::Stm stm{{c.program.add("y", {result, {}})}, expr, checked, {}};
  if (auto* op = std::get_if<core::PrimOp>(&stm.expr)) op->args = args;
  if (auto* convert = std::get_if<core::Convert>(&stm.expr)) convert->arg = args[0];
  core::Function f;
  f.name = "main";
  f.is_entry = true;
  f.params = c.params;
  f.consumed.assign(arity, false);
  f.results = {c.program.add("r", {result, {}})};
  f.body.results = {stm.results[0]};
  f.body.stms.push_back(std::move(stm));
  c.program.functions.push_back(std::move(f));
  c.program = defineSemantics(c.program);
  return c;
}

// "3i32", or "fails".
std::string evaluate(const Case& c, const std::vector<Scalar>& values) {
  core::Program program = c.program;
  core::Substitution known;
  for (size_t i = 0; i < values.size(); ++i) known[c.params[i]] = values[i];
  core::Function& f = program.functions[0];
  for (Operand& result : f.body.results) {
    auto found = known.find(result.value);
    if (!result.isConstant() && found != known.end()) result = found->second;
  }
  core::substitute(program, f.body, known);
  program = simplify(program);
  const core::Body& body = program.functions[0].body;
  for (const core::Stm& stm : body.stms) {
    const auto* assertion = std::get_if<core::Assert>(&stm.expr);
    if (assertion && assertion->condition == Operand(Scalar::ofBool(false))) return "fails";
  }
  if (!body.results[0].isConstant()) return "not evaluated:\n" + core::print(program);
  return core::print(program);
}

std::string expected(const Case& c, const prim::Folded& folded) {
  if (std::holds_alternative<prim::FoldFailure>(folded)) return "fails";
  core::Program program = c.program;
  program.functions[0].body = {{}, {std::get<Scalar>(folded)}};
  return core::print(program);
}

void checkPrimitive(prim::Op op, ScalarType type) {
  const size_t arity = static_cast<size_t>(prim::info(op).arity);
  const std::vector<Scalar> values = valuesOf(type);
  const bool checked = prim::canFail(op, type);
  auto caseWith = [&](const std::vector<std::optional<Scalar>>& fixed) {
    return caseOf(core::PrimOp{op, type, {}}, type, prim::resultType(op, type), arity, fixed,
                  checked);
  };
  const Case general = caseWith({std::nullopt, std::nullopt, std::nullopt});
  REQUIRE(core::verify(general.program));
  for (const Scalar& b : values) {
    std::vector<Case> cases;
    cases.push_back(general);
    if (arity == 2) cases.push_back(caseWith({std::nullopt, b}));
    for (const Scalar& a : values) {
      std::vector<Scalar> args{a, b, a};
      args.resize(arity);
      for (const Case& c : cases) {
        std::string result = evaluate(c, args);
        // The loop of an integer power is not evaluated here.
        if (op == prim::Op::kPow && result.rfind("not", 0) == 0) continue;
        std::string wanted = expected(c, prim::fold(op, type, args));
        if (result == wanted) continue;
        CAPTURE(prim::info(op).name);
        CAPTURE(core::print(c.program));
        CHECK(result == wanted);
        return;
      }
    }
    if (arity == 1) break;
  }
}

}  // namespace

TEST_CASE("primitives mean what fold says") {
  for (int i = 0; i <= static_cast<int>(prim::Op::kMulHi); ++i) {
    auto op = static_cast<prim::Op>(i);
    for (ScalarType type : prim::kAllScalarTypes) {
      bool library = prim::isFloat(type) && (op == prim::Op::kPow || op == prim::Op::kMod);
      if (prim::existsAt(op, type) && !library) checkPrimitive(op, type);
    }
  }
}

TEST_CASE("conversions mean what fold says") {
  for (ScalarType from : prim::kAllScalarTypes) {
    for (ScalarType to : prim::kAllScalarTypes) {
      for (auto kind : {prim::ConvertKind::kValue, prim::ConvertKind::kBits}) {
        bool same_size = prim::byteSize(from) == prim::byteSize(to);
        bool to_bits = prim::isFloat(from) != prim::isFloat(to) && from != ScalarType::kBool &&
                       to != ScalarType::kBool;
        if (kind == prim::ConvertKind::kBits && !(same_size && to_bits)) continue;
        Case c = caseOf(core::Convert{kind, from, to, {}}, from, to, 1, {std::nullopt}, false);
        for (const Scalar& value : valuesOf(from)) {
          CAPTURE(core::print(c.program));
          CHECK(evaluate(c, {value}) == expected(c, prim::convert(kind, to, value)));
        }
      }
    }
  }
}

}  // namespace halo::passes
