// One walk counts divisions by where their divisors are bound, another one binds.
#include "gpu/raise/division/known_divisors.h"

#include <cmath>

#include "lang/imp/walk.h"

namespace halo::gpu {

using namespace imp;
using prim::Op;

namespace {

using enum prim::ScalarType;

// Divisors of two divisions or more: 1 / d and its test take as long as a division, and save half
// of each.
class Finder {
 public:
  explicit Finder(const Program& program) : program_(program) {}

  std::unordered_map<VarId, int> run(const Function& kernel) {
    for (VarId scalar : kernel.scalars) loops_[scalar] = 0;
    visit(kernel.body, 0);
    return uses_;
  }

 private:
  void visit(const Block& block, int loops) {
    for (const Stm& stm : block) {
      if (const auto* let = std::get_if<Let>(&stm.node)) loops_[let->var] = loops;
      if (const Prim* division = divisionF32(stm)) count(division->args[1], loops);
      if (const auto* loop = std::get_if<For>(&stm.node)) {
        visit(loop->body, loops + 1);
      } else if (const auto* loop = std::get_if<While>(&stm.node)) {
        visit(loop->before, loops + 1);
        visit(loop->body, loops + 1);
      } else if (const auto* branch = std::get_if<If>(&stm.node)) {
        visit(branch->then_block, loops);
        visit(branch->else_block, loops);
      }
    }
  }

  void count(const Operand& divisor, int loops) {
    if (divisor.isConstant() || program_.vars[divisor.var].is_mutable) return;
    auto bound = loops_.find(divisor.var);
    if (bound != loops_.end()) uses_[divisor.var] += loops > bound->second ? 2 : 1;
  }

  const Program& program_;
  std::unordered_map<VarId, int> loops_;  // around the bindings
  std::unordered_map<VarId, int> uses_;
};

Operand number(float value) { return Scalar::ofFloat(kF32, value); }

}  // namespace

const Prim* inexact(const Stm& stm, ScalarType type) {
  const Prim* prim = boundAs<Prim>(stm);
  const bool found =
      prim != nullptr && prim->type == type && (prim->op == Op::kDiv || prim->op == Op::kSqrt);
  return found ? prim : nullptr;
}

const Prim* divisionF32(const Stm& stm) {
  const Prim* prim = boundAs<Prim>(stm);
  return prim != nullptr && prim->type == kF32 && prim->op == Op::kDiv ? prim : nullptr;
}

Operand isUsual(Builder& code, const Operand& x) {
  Operand size = code.prim(Op::kAbs, kF32, {x});
  Operand is_large = code.prim(Op::kLe, kF32, {number(0x1p-60F), size});
  Operand is_small = code.prim(Op::kLe, kF32, {size, number(0x1p60F)});
  return code.prim(Op::kAnd, kBool, {is_large, is_small});
}

Operand isUsualDividend(Builder& code, const Operand& x) {
  const auto negated = [&](const Operand& a) { return code.prim(Op::kNot, kBool, {a}); };
  const Operand size = code.prim(Op::kAbs, kF32, {x});
  const Operand is_large = code.prim(Op::kLt, kF32, {number(0x1p60F), size});
  const Operand is_small = code.prim(Op::kLt, kF32, {size, number(0x1p-60F)});
  const Operand is_zero = code.prim(Op::kEq, kF32, {x, number(0)});
  return code.prim(Op::kAnd, kBool,
                   {negated(is_large), code.prim(Op::kOr, kBool, {negated(is_small), is_zero})});
}

Operand bitsOf(Builder& code, const Operand& x) {
  return code.let("t", kU32, Convert{prim::ConvertKind::kBits, kF32, kU32, x});
}

Operand signBit(Builder& code, const Operand& x) {
  return code.prim(Op::kAnd, kU32, {bitsOf(code, x), Scalar::ofUnsigned(kU32, 0x80000000U)});
}

Operand hasZeroDigit(Builder& code, const Operand& x) {
  const Operand all = Scalar::ofUnsigned(kU32, 0x7fffffU);
  return code.prim(Op::kNe, kU32, {code.prim(Op::kAnd, kU32, {bitsOf(code, x), all}), all});
}

bool isUsualConstant(const Operand& x) {
  if (!x.isConstant()) return false;
  const double size = std::abs(x.constant.asDouble());
  return size >= 0x1p-60 && size <= 0x1p60;
}

Block bindKnownDivisors(Program& program, const Function& kernel, KnownDivisors& known) {
  const std::unordered_map<VarId, int> uses = Finder(program).run(kernel);
  for (const auto& [divisor, count] : uses) known.divisors.insert(divisor);
  auto bind = [&](VarId divisor, Block& out) {
    auto found = uses.find(divisor);
    if (found == uses.end() || found->second < 2) return;
    Builder code(program);
    const Operand inverse = code.let("inverse", kF32, Prim{Op::kDiv, kF32, {number(1), divisor}});
    const Operand is_usual =
        code.prim(Op::kAnd, kBool, {isUsual(code, divisor), hasZeroDigit(code, divisor)});
    const Operand size = code.prim(Op::kAbs, kF32, {divisor});
    const Operand mirrored = code.prim(Op::kNeg, kF32, {code.prim(Op::kAbs, kF32, {inverse})});
    const Operand is_negative = code.prim(Op::kLt, kF32, {divisor, number(0)});
    const Operand sign = code.let("t", kF32, Select{is_negative, number(1), number(-1)});
    known.inverses[divisor] = {inverse.var, is_usual.var, size.var, mirrored.var, sign.var};
    for (Stm& stm : code.take()) out.push_back(std::move(stm));
  };
  Block out;
  for (VarId scalar : kernel.scalars) bind(scalar, out);
  Block body = rewriteBlock(kernel.body, [&](Stm stm, Block& to) {
    const auto* let = std::get_if<Let>(&stm.node);
    const VarId bound = let == nullptr ? VarId() : let->var;
    to.push_back(std::move(stm));
    if (bound.valid()) bind(bound, to);
  });
  for (Stm& stm : body) out.push_back(std::move(stm));
  return out;
}

}  // namespace halo::gpu
