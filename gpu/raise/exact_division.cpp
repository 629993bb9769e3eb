// f32 `/` and sqrt through f64, those of f16 through f32. Doubles are slow to convert to and from,
// so where `fma` rounds once, numbers of usual size are done in f32 (P. Markstein, IA-64 and
// Elementary Functions, 2000): a reciprocal y of b that is made better once, then a quotient that
// is made better twice by the exact rest that it leaves,
//
//   y = 1 / b;  y = y + y * (1 - b * y);  q = a * y;  q = q + y * (a - b * q), twice
//
// and likewise s = sqrt(x);  s = s + (x - s * s) / (2 * s), twice.
//
// Divisions that do not wait for each other are brought together, a few at a time, and share one
// test: between two tests nothing is overlapped, and each of them is a chain of ten operations.
//
//   if all operands are usual then q1 = ..; q2 = ..; q3 = .. else the same by f64
#include <functional>
#include <optional>
#include <unordered_set>

#include "gpu/raise/raise.h"
#include "lang/imp/builder.h"
#include "lang/imp/operands.h"
#include "lang/imp/walk.h"

namespace halo::gpu {

using namespace imp;
using prim::Op;

namespace {

const Prim* inexact(const Stm& stm, ScalarType type) {
  const Let* let = std::get_if<Let>(&stm.node);
  const Prim* prim = let == nullptr ? nullptr : std::get_if<Prim>(&let->expr);
  bool found =
      prim != nullptr && prim->type == type && (prim->op == Op::kDiv || prim->op == Op::kSqrt);
  return found ? prim : nullptr;
}

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

constexpr ScalarType kF32 = ScalarType::kF32;
constexpr ScalarType kU32 = ScalarType::kU32;
constexpr ScalarType kBool = ScalarType::kBool;

class FusedDivisions {
 public:
  FusedDivisions(Program& program, bool has_doubles)
      : program_(program), has_doubles_(has_doubles), code_(program) {}

  // Divisions and roots none of which waits for another one.
  Block replace(const Block& group) {
    std::vector<VarId> results;
    std::optional<Operand> usual;
    for (const Stm& stm : group) {
      results.push_back(program_.addVar(program_.vars[varOf(stm)].name, kF32, true));
      code_.append(Declare{results.back(), prim::zero(kF32)});
    }
    for (const Stm& stm : group) addUsual(usual, *inexact(stm, kF32));
    if (usual) {
      code_.ifThenElse(
          *usual, [&] { fast(group, results); }, [&] { slow(group, results); });
    } else {
      fast(group, results);
    }
    for (size_t k = 0; k < group.size(); k++) {
      code_.append(Let{varOf(group[k]), Convert{prim::ConvertKind::kBits, kF32, kF32, results[k]}});
    }
    return code_.take();
  }

  static VarId varOf(const Stm& stm) { return std::get<Let>(stm.node).var; }

 private:
  void fast(const Block& group, const std::vector<VarId>& results) {
    for (size_t k = 0; k < group.size(); k++) {
      const Prim& prim = *inexact(group[k], kF32);
      code_.assign(results[k], prim.op == Op::kSqrt ? root(prim.args[0])
                                                    : quotient(prim.args[0], prim.args[1]));
    }
  }

  void slow(const Block& group, const std::vector<VarId>& results) {
    for (size_t k = 0; k < group.size(); k++) {
      VarId own = program_.addVar(program_.vars[varOf(group[k])].name, kF32);
      Block plain = {{Let{own, *inexact(group[k], kF32)}}};
      if (has_doubles_) plain = divideIn(program_, plain, kF32, ScalarType::kF64);
      for (Stm& stm : plain) code_.append(std::move(stm.node));
      code_.assign(results[k], own);
    }
  }

  void addUsual(std::optional<Operand>& all, const Prim& prim) {
    auto also = [&](const Operand& one) {
      all = all ? code_.prim(Op::kAnd, kBool, {*all, one}) : one;
    };
    if (prim.op == Op::kSqrt) return also(isUsual(prim.args[0], kSignAndExponent));
    if (!isUsualConstant(prim.args[1])) also(isUsual(prim.args[1], kExponent));
    if (isUsualConstant(prim.args[0])) return;
    Operand usual = isUsual(prim.args[0], kExponent);
    Operand none = code_.prim(Op::kEq, kF32, {prim.args[0], number(0)});
    also(code_.prim(Op::kOr, kBool, {usual, none}));
  }

  static Operand number(float value) { return Scalar::ofFloat(kF32, value); }
  static Operand word(uint32_t value) { return Scalar::ofUnsigned(kU32, value); }
  Operand f32(Op op, Operands args) { return code_.prim(op, kF32, std::move(args)); }
  Operand fused(const Operand& a, const Operand& b, const Operand& c) {
    return code_.let("t", kF32, Fma{kF32, a, b, c});
  }

  static constexpr uint32_t kExponent = 0x7f800000U;
  static constexpr uint32_t kSignAndExponent = 0xff800000U;

  // Between 2^-60 and 2^60 in size: nothing on the way is too large or too small.
  Operand isUsual(const Operand& x, uint32_t looked_at) {
    Operand bits = code_.let("t", kU32, Convert{prim::ConvertKind::kBits, kF32, kU32, x});
    Operand exponent = code_.prim(Op::kAnd, kU32, {bits, word(looked_at)});
    Operand above = code_.prim(Op::kSub, kU32, {exponent, word(67U << 23)});
    return code_.prim(Op::kLe, kU32, {above, word(120U << 23)});
  }
  static bool isUsualConstant(const Operand& x) {
    if (!x.isConstant()) return false;
    uint32_t exponent = static_cast<uint32_t>(x.constant.bits) & kExponent;
    return exponent >= (67U << 23) && exponent <= (187U << 23);
  }

  Operand quotient(const Operand& a, const Operand& b) {
    Operand minus_b = f32(Op::kNeg, {b});
    Operand first = f32(Op::kDiv, {number(1), b});
    Operand error = fused(minus_b, first, number(1));
    Operand inverse = fused(first, error, first);
    Operand rough = f32(Op::kMul, {a, inverse});
    Operand better = fused(fused(minus_b, rough, a), inverse, rough);
    Operand best = fused(fused(minus_b, better, a), inverse, better);
    if (isUsualConstant(a)) return best;
    Operand none = code_.prim(Op::kEq, kF32, {a, number(0)});
    return code_.let("t", kF32, Select{none, rough, best});  // keeps the sign of a zero
  }

  Operand root(const Operand& x) {
    Operand first = f32(Op::kSqrt, {x});
    Operand half = f32(Op::kDiv, {number(0.5F), first});
    Operand minus_first = f32(Op::kNeg, {first});
    Operand better = fused(fused(minus_first, first, x), half, first);
    Operand minus_better = f32(Op::kNeg, {better});
    return fused(fused(minus_better, better, x), half, better);
  }

  Program& program_;
  bool has_doubles_;
  Builder code_;
};

// 1 / x for a power of two x: multiplying by it is dividing by x.
std::optional<Operand> exactInverse(const Operand& x) {
  if (!x.isConstant()) return std::nullopt;
  auto bits = static_cast<uint32_t>(x.constant.bits);
  uint32_t exponent = (bits >> 23) & 0xffU;
  bool is_power = (bits & 0x7fffffU) == 0 && exponent >= 1 && exponent <= 253;
  if (!is_power) return std::nullopt;
  uint32_t inverse = (bits & 0x80000000U) | ((254 - exponent) << 23);
  return Operand(Scalar::fromBits(kF32, inverse));
}

constexpr size_t kTogether = 4;  // divisions of a group
constexpr size_t kFar = 200;     // statements from its first to its last one

bool dependsOn(const Stm& stm, const std::unordered_set<VarId>& vars) {
  bool found = false;
  forEachOperand(stm, [&](const Operand& operand) {
    found = found || (!operand.isConstant() && vars.contains(operand.var));
  });
  return found;
}

// Statements that only bind variables, in an order that has independent divisions side by side.
Block gathered(const Block& run) {
  Block out;
  std::vector<bool> done(run.size(), false);
  for (size_t i = 0; i < run.size(); i++) {
    if (done[i]) continue;
    if (inexact(run[i], kF32) == nullptr) {
      out.push_back(run[i]);
      continue;
    }
    std::vector<size_t> group = {i};
    std::unordered_set<VarId> waiting = {FusedDivisions::varOf(run[i])};
    for (size_t k = i + 1; k < run.size() && k < i + kFar && group.size() < kTogether; k++) {
      bool divides = inexact(run[k], kF32) != nullptr;
      bool waits = dependsOn(run[k], waiting);
      if (done[k] || !(divides || waits)) continue;
      if (!waits) group.push_back(k);
      waiting.insert(FusedDivisions::varOf(run[k]));
    }
    for (size_t k = i + 1; k < group.back(); k++) {
      if (done[k] || waiting.contains(FusedDivisions::varOf(run[k]))) continue;
      out.push_back(run[k]);
      done[k] = true;
    }
    for (size_t k : group) {
      out.push_back(run[k]);
      done[k] = true;
    }
  }
  return out;
}

// Every run of a block.
Block gatheredRuns(const Block& block) {
  Block out, run;
  auto end = [&] {
    for (Stm& stm : gathered(run)) out.push_back(std::move(stm));
    run.clear();
  };
  for (const Stm& stm : block) {
    if (std::holds_alternative<Let>(stm.node)) {
      run.push_back(stm);
      continue;
    }
    end();
    out.push_back(stm);
  }
  end();
  return out;
}

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

Block divideFused(Program& program, const Block& block, bool has_doubles) {
  Block out, group;
  std::unordered_set<VarId> results;
  auto end = [&] {
    if (group.empty()) return;
    for (Stm& stm : FusedDivisions(program, has_doubles).replace(group))
      out.push_back(std::move(stm));
    group.clear();
    results.clear();
  };
  for (Stm stm : gatheredRuns(block)) {
    bool divides = inexact(stm, kF32) != nullptr;
    if (!divides || group.size() == kTogether || dependsOn(stm, results)) end();
    if (divides) {
      results.insert(FusedDivisions::varOf(stm));
      group.push_back(std::move(stm));
      continue;
    }
    forEachBlock(stm, [&](Block& inner) { inner = divideFused(program, inner, has_doubles); });
    out.push_back(std::move(stm));
  }
  end();
  return out;
}

// Divisions by powers of two as products.
Block multiplyInstead(const Block& block) {
  return rewriteBlock(block, [](Stm stm, Block& out) {
    const Prim* prim = inexact(stm, kF32);
    auto inverse = prim != nullptr && prim->op == Op::kDiv ? exactInverse(prim->args[1])
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
    result.body = divideFused(program, multiplyInstead(result.body), target.float64);
  } else if (target.float64) {
    result.body = divideIn(program, result.body, ScalarType::kF32, ScalarType::kF64);
  }
  return result;
}

}  // namespace halo::gpu
