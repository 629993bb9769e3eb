// f32 `/` and sqrt through f64, those of f16 through f32. Doubles are slow to convert to and from.
// Where `fma` rounds once, numbers of usual size are divided in f32 [Markstein 2000: IA-64 and
// Elementary Functions]. A reciprocal y of b is corrected once, then a quotient is corrected twice
// by its exact remainder,
//
//   y = 1 / b;  y = y + y * (1 - b * y);  q = a * y;  q = q + y * (a - b * q), twice
//
// Where b is known before (known_divisors.h), y = 1 / b is rounded correctly there. Then one
// correction of q suffices, whatever a and b are. [Brisebarre, Muller, Raina 2004: Accelerating
// Correctly Rounded Floating-Point Division when the Divisor Is Known in Advance].
// division_test.cpp covers the hard pairs. Where a is 1, y made better twice is the quotient, but
// where the digits of b are all ones. Roots begin with the inverse root (Goldschmidt's iteration as
// Markstein has it), and 1 / s with the rest of it:
//
//   y = x ** -0.5;  s = x * y;  h = y / 2;  r = 0.5 - s * h;  s = s + s * r;  h = h + h * r
//   s = s + (x - s * s) * h
//
// That is the root for all x of two octaves and every y that is off by 3 ulp at most. All were
// tried once, division_test.cpp tries some.
//
// Dividends that are zero or NaN need no test of their own. The signs of both operands go to the
// dividend, so that an exact remainder, +0, leaves the sign of a zero quotient:
//
//   c = if b > 0 then -a else a;  m = -1 / |b|;  q = c * m;  q = q + m * (c + |b| * q)
//
// Divisions that do not wait for each other are brought together, a few at a time
// (gather_divisions.h), and share one test. Between two tests nothing is overlapped, and each of
// them is a chain of ten operations.
//
//   if all operands are usual then q1 = ..; q2 = ..; q3 = .. else the same by f64
#include <functional>
#include <optional>
#include <unordered_map>
#include <unordered_set>

#include "gpu/raise/division/gather_divisions.h"
#include "gpu/raise/division/known_divisors.h"
#include "gpu/raise/raise.h"
#include "lang/imp/operands.h"
#include "lang/imp/walk.h"

namespace halo::gpu {

using namespace imp;
using prim::Op;

namespace {

// `/` and sqrt of `narrow` as those of `wide`.
Block divideIn(Program& program, const Block& block, ScalarType narrow, ScalarType wide) {
  return rewriteBlock(block, [&](Stm stm, Block& out) {
    const Prim* prim = inexact(stm, narrow);
    if (prim == nullptr) {
      out.push_back(std::move(stm));
      return;
    }
    Operands args;
    for (const Operand& arg : prim->args) {
      VarId var = program.addVar("wide", wide);
      out.push_back({Let{var, Convert{prim::ConvertKind::kValue, narrow, wide, arg}}});
      args.push_back(var);
    }
    VarId exact = program.addVar("exact", wide);
    out.push_back({Let{exact, Prim{prim->op, wide, std::move(args)}}});
    VarId var = std::get<Let>(stm.node).var;
    out.push_back({Let{var, Convert{prim::ConvertKind::kValue, wide, narrow, exact}}});
  });
}

using enum prim::ScalarType;

class FusedDivisions {
 public:
  FusedDivisions(Program& program, bool has_doubles, KnownDivisors& known)
      : program_(program), has_doubles_(has_doubles), known_(known), code_(program) {}

  // Divisions and roots none of which waits for another one.
  Block replace(const Block& group) {
    std::vector<VarId> results;
    for (const Stm& stm : group) {
      results.push_back(program_.addVar(program_.vars[varOf(stm)].name, kF32, true));
      code_.append(Declare{results.back(), prim::zero(kF32)});
      declareInverse(stm);
    }
    std::optional<Operand> usual;
    for (const Stm& stm : group) addUsualDivisor(usual, stm);
    for (const Stm& stm : group) addUsualDividend(usual, stm);
    if (usual) {
      code_.ifThenElse(
          *usual, [&] { fast(group, results); }, [&] { slow(group, results); });
    } else {
      fast(group, results);
    }
    for (size_t k = 0; k < group.size(); ++k) {
      code_.append(Let{varOf(group[k]), copied(results[k])});
    }
    for (const auto& [root, inverse] : inverses_) {
      known_.roots[root] = {code_.let("inverse", kF32, copied(inverse)).var, usual->var};
    }
    return code_.take();
  }

 private:
  static Expr copied(VarId var) { return Convert{prim::ConvertKind::kBits, kF32, kF32, var}; }

  void declareInverse(const Stm& stm) {
    const Prim& prim = *inexact(stm, kF32);
    const bool is_wanted = prim.op == Op::kSqrt && known_.divisors.contains(varOf(stm));
    if (!is_wanted || prim.args[0].isConstant()) return;
    inverses_[varOf(stm)] = code_.declare("inverse", kF32, prim::zero(kF32));
  }

  void fast(const Block& group, const std::vector<VarId>& results) {
    for (size_t k = 0; k < group.size(); ++k) {
      const Prim& prim = *inexact(group[k], kF32);
      const VarId result = varOf(group[k]);
      code_.assign(results[k],
                   prim.op == Op::kSqrt ? root(prim.args[0], result) : quotient(prim, result));
    }
  }

  void slow(const Block& group, const std::vector<VarId>& results) {
    for (size_t k = 0; k < group.size(); ++k) {
      VarId own = program_.addVar(program_.vars[varOf(group[k])].name, kF32);
      Block plain = {{Let{own, *inexact(group[k], kF32)}}};
      if (has_doubles_) plain = divideIn(program_, plain, kF32, ScalarType::kF64);
      for (Stm& stm : plain) code_.append(std::move(stm.node));
      code_.assign(results[k], own);
    }
  }

  void also(std::optional<Operand>& all, const Operand& one) {
    all = all ? code_.prim(Op::kAnd, kBool, {*all, one}) : one;
  }

  void addUsualDivisor(std::optional<Operand>& all, const Stm& stm) {
    const Prim& prim = *inexact(stm, kF32);
    if (prim.op == Op::kSqrt) return also(all, isUsualRoot(prim.args[0]));
    if (isKnownInverse(prim, varOf(stm))) return;
    if (const KnownDivisor* known = knownDivisor(prim, varOf(stm))) {
      also(all, known->is_usual);
    } else if (const KnownDivisor* root = rootDivisor(prim)) {
      also(all, root->is_usual);
    } else if (!isUsualConstant(prim.args[1])) {
      also(all, isUsual(code_, prim.args[1]));
    }
    if (prim.args[0] == number(1) && !exactInverse(prim, varOf(stm))) {
      also(all, hasZeroDigit(code_, prim.args[1]));
    }
  }
  void addUsualDividend(std::optional<Operand>& all, const Stm& stm) {
    const Prim& prim = *inexact(stm, kF32);
    if (prim.op == Op::kSqrt || isUsualConstant(prim.args[0])) return;
    also(all, isUsualDividend(code_, prim.args[0]));
  }

  // Where the divisor is not usual, nothing reads it.
  bool isKnownInverse(const Prim& division, VarId result) const {
    const Operand& divisor = division.args[1];
    auto found = divisor.isConstant() ? known_.inverses.end() : known_.inverses.find(divisor.var);
    return found != known_.inverses.end() && found->second.inverse == result;
  }
  // Not of the division that makes the inverse.
  const KnownDivisor* knownDivisor(const Prim& division, VarId result) const {
    const Operand& divisor = division.args[1];
    auto found = divisor.isConstant() ? known_.inverses.end() : known_.inverses.find(divisor.var);
    const bool is_known = found != known_.inverses.end() && found->second.inverse != result;
    return is_known ? &found->second : nullptr;
  }
  const KnownDivisor* rootDivisor(const Prim& division) const {
    const Operand& divisor = division.args[1];
    auto found = divisor.isConstant() ? known_.roots.end() : known_.roots.find(divisor.var);
    return found == known_.roots.end() ? nullptr : &found->second;
  }

  static Operand number(float value) { return Scalar::ofFloat(kF32, value); }
  Operand f32(Op op, Operands args) { return code_.prim(op, kF32, std::move(args)); }
  Operand fused(const Operand& a, const Operand& b, const Operand& c) {
    return code_.let("t", kF32, Fma{kF32, a, b, c});
  }

  Operand isUsualRoot(const Operand& x) {
    Operand is_large = code_.prim(Op::kLe, kF32, {number(0x1p-60F), x});
    Operand is_small = code_.prim(Op::kLe, kF32, {x, number(0x1p60F)});
    return code_.prim(Op::kAnd, kBool, {is_large, is_small});
  }

  // 1 / b as precise as a number can be.
  std::optional<Operand> exactInverse(const Prim& division, VarId result) const {
    const Operand& divisor = division.args[1];
    if (isUsualConstant(divisor)) {
      return number(1.0F / static_cast<float>(divisor.constant.asDouble()));
    }
    const KnownDivisor* known = knownDivisor(division, result);
    return known == nullptr ? std::nullopt : std::optional<Operand>(known->inverse);
  }

  Operand quotient(const Prim& division, VarId result) {
    if (division.args[0] == number(1)) return inverse(division, result);
    const Mirrored m = mirrored(division, result);
    Operand q = f32(Op::kMul, {m.dividend, m.inverse});
    for (int k = 0; k < (m.is_exact ? 1 : 2); ++k) {
      q = fused(fused(m.size, q, m.dividend), m.inverse, q);
    }
    return q;
  }
  Operand inverse(const Prim& division, VarId result) {
    if (const std::optional<Operand> exact = exactInverse(division, result)) return *exact;
    const Operand& b = division.args[1];
    const KnownDivisor* root = rootDivisor(division);
    const Operand y = better(b, root != nullptr ? Operand(root->inverse) : roughInverse(b));
    return better(b, y);
  }
  Operand roughInverse(const Operand& b) { return f32(Op::kDiv, {number(1), b}); }
  Operand better(const Operand& b, const Operand& y) {
    return fused(y, fused(f32(Op::kNeg, {b}), y, number(1)), y);
  }

  // -a * sign b, |b| and -1 / |b|, rounded once or near it.
  struct Mirrored {
    Operand dividend, size, inverse;
    bool is_exact = false;
  };
  Mirrored mirrored(const Prim& division, VarId result) {
    const Operand &a = division.args[0], &b = division.args[1];
    if (isUsualConstant(b)) {
      const auto size = static_cast<float>(std::abs(b.constant.asDouble()));
      const bool is_negative = b.constant.asDouble() < 0;
      return {is_negative ? a : f32(Op::kNeg, {a}), number(size), number(-1.0F / size), true};
    }
    if (const KnownDivisor* known = knownDivisor(division, result)) {
      return {f32(Op::kMul, {a, known->sign}), known->size, known->mirrored_inverse, true};
    }
    if (const KnownDivisor* root = rootDivisor(division)) {
      return {f32(Op::kNeg, {a}), b, f32(Op::kNeg, {better(b, root->inverse)})};
    }
    const Operand size = f32(Op::kAbs, {b});
    const Operand inverse = f32(Op::kNeg, {better(size, roughInverse(size))});
    const Operand changed = code_.prim(Op::kXor, kU32, {bitsOf(code_, a), signBit(code_, b)});
    const Operand by_sign =
        code_.let("t", kF32, Convert{prim::ConvertKind::kBits, kU32, kF32, changed});
    return {f32(Op::kNeg, {by_sign}), size, inverse};
  }

  Operand root(const Operand& x, VarId result) {
    Operand inverse = f32(Op::kPow, {x, number(-0.5F)});
    Operand rough = f32(Op::kMul, {x, inverse});
    Operand half = f32(Op::kMul, {number(0.5F), inverse});
    Operand error = fused(f32(Op::kNeg, {rough}), half, number(0.5F));
    Operand better = fused(rough, error, rough);
    Operand better_half = fused(half, error, half);
    if (auto wanted = inverses_.find(result); wanted != inverses_.end()) {
      code_.assign(wanted->second, f32(Op::kAdd, {better_half, better_half}));
    }
    Operand rest = fused(f32(Op::kNeg, {better}), better, x);
    return fused(rest, better_half, better);
  }

  Program& program_;
  bool has_doubles_;
  KnownDivisors& known_;
  std::unordered_map<VarId, VarId> inverses_;  // near ones, of roots that something is divided by
  Builder code_;
};

// 1 / x for a power of two x: multiplying by it is dividing by x.
std::optional<Operand> inverseOfPower(const Operand& x) {
  if (!x.isConstant()) return std::nullopt;
  auto bits = static_cast<uint32_t>(x.constant.bits);
  uint32_t exponent = (bits >> 23) & 0xffU;
  bool is_power = (bits & 0x7fffffU) == 0 && exponent >= 1 && exponent <= 253;
  if (!is_power) return std::nullopt;
  uint32_t inverse = (bits & 0x80000000U) | ((254 - exponent) << 23);
  return Operand(Scalar::fromBits(kF32, inverse));
}

constexpr size_t kTogether = 4;  // divisions of a group; in long code each is one (raise.h)

void forEachBlock(Stm& stm, const std::function<void(Block&)>& visit) {
  if (auto* loop = std::get_if<For>(&stm.node)) {
    visit(loop->body);
  } else if (auto* loop = std::get_if<While>(&stm.node)) {
    visit(loop->before);
    visit(loop->body);
  } else if (auto* branch = std::get_if<If>(&stm.node)) {
    visit(branch->then_block);
    visit(branch->else_block);
  }
}

// A dividend that is known as a variable: so all divisions are the same code, which can be called.
void hideDividend(Program& program, Stm& stm, Block& out) {
  const Prim* division = divisionF32(stm);
  if (division == nullptr || !division->args[0].isConstant()) return;
  const VarId dividend = program.addVar("dividend", kF32, true);
  out.push_back({Declare{dividend, division->args[0]}});
  std::get<Prim>(std::get<Let>(stm.node).expr).args[0] = dividend;
}

Block divideFused(Program& program, const Block& block, bool has_doubles, KnownDivisors& known,
                  size_t together) {
  Block out, group;
  std::unordered_set<VarId> results;
  auto end = [&] {
    if (group.empty()) return;
    for (Stm& stm : FusedDivisions(program, has_doubles, known).replace(group))
      out.push_back(std::move(stm));
    group.clear();
    results.clear();
  };
  for (Stm stm : gatherDivisions(block, known, together)) {
    bool divides = inexact(stm, kF32) != nullptr;
    if (!divides || group.size() == together || dependsOn(stm, results, known)) end();
    if (divides) {
      if (together == 1) hideDividend(program, stm, out);
      results.insert(varOf(stm));
      group.push_back(std::move(stm));
      continue;
    }
    forEachBlock(stm, [&](Block& inner) {
      inner = divideFused(program, inner, has_doubles, known, together);
    });
    out.push_back(std::move(stm));
  }
  end();
  return out;
}

// Divisions by powers of two as products.
Block multiplyInstead(const Block& block) {
  return rewriteBlock(block, [](Stm stm, Block& out) {
    const Prim* prim = inexact(stm, kF32);
    auto inverse = prim != nullptr && prim->op == Op::kDiv ? inverseOfPower(prim->args[1])
                                                           : std::optional<Operand>();
    if (inverse) {
      Operand dividend = prim->args[0];
      std::get<Let>(stm.node).expr = Prim{Op::kMul, kF32, {dividend, *inverse}};
    }
    out.push_back(std::move(stm));
  });
}

}  // namespace

Function exactDivision(Program& program, const Function& kernel, const Target& target) {
  Function result = kernel;
  if (target.exact_division_f32) return result;
  result.body = divideIn(program, result.body, ScalarType::kF16, ScalarType::kF32);
  if (target.fuses_f32) {
    KnownDivisors known;
    result.body = multiplyInstead(result.body);
    result.body = bindKnownDivisors(program, result, known);
    const size_t together = isLongCode(result, target.long_code) ? 1 : kTogether;
    result.body = divideFused(program, result.body, target.float64, known, together);
  } else if (target.float64) {
    result.body = divideIn(program, result.body, ScalarType::kF32, ScalarType::kF64);
  }
  return result;
}

}  // namespace halo::gpu
