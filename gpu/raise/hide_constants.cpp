// Constants as variables that a compiler knows nothing about, where it would do wrong knowing them.
#include <map>

#include "gpu/raise/raise.h"
#include "gpu/raise/walk.h"
#include "lang/imp/builder.h"

namespace halo::gpu {

using namespace imp;
using prim::ConvertKind;
using prim::Op;

namespace {

ScalarType bitsType(ScalarType type) {
  if (type == ScalarType::kF16) return ScalarType::kU16;
  if (type == ScalarType::kF32) return ScalarType::kU32;
  return type == ScalarType::kF64 ? ScalarType::kU64 : type;
}

// Hidden constants of one kernel, each made once, at its top.
class Hidden {
 public:
  explicit Hidden(Program& program) : code_(program) {}

  Operand operand(Scalar constant) {
    auto [it, is_new] = made_.try_emplace({constant.type, constant.bits});
    if (is_new) it->second = make(constant);
    return it->second;
  }

  Block before(const Block& body) {
    Block block = code_.take();
    block.insert(block.end(), body.begin(), body.end());
    return block;
  }

 private:
  // The bits are chosen as integers: a choice between floats is rewritten without regard to signs.
  Operand make(Scalar constant) {
    ScalarType bits = bitsType(constant.type);
    // There is no launch without groups, so `none` is false.
    constexpr ScalarType kU32 = ScalarType::kU32;
    Operand groups = code_.let("groups", kU32, BuiltInValue{BuiltIn::kGroupCount, 0});
    Operand none = code_.prim(Op::kEq, kU32, {groups, Scalar::ofUnsigned(kU32, 0)});
    Select choice{none, Scalar::ofUnsigned(bits, 1), Scalar::ofUnsigned(bits, constant.bits)};
    Operand chosen = code_.let("hidden", bits, choice);
    if (bits == constant.type) return chosen;
    return code_.let("hidden", constant.type,
                     Convert{ConvertKind::kBits, bits, constant.type, chosen});
  }

  Builder code_;
  std::map<std::pair<ScalarType, uint64_t>, Operand> made_;
};

bool isFloatZero(const Operand& operand) {
  return operand.isConstant() && prim::isFloat(operand.constant.type) &&
         operand.constant.asDouble() == 0;
}

Prim* wideDivision(Stm& stm) {
  Let* let = std::get_if<Let>(&stm.node);
  Prim* prim = let == nullptr ? nullptr : std::get_if<Prim>(&let->expr);
  bool divides = prim != nullptr && (prim->op == Op::kMachineDiv || prim->op == Op::kMachineRem);
  return divides && prim::bitWidth(prim->type) == 64 ? prim : nullptr;
}

}  // namespace

Function hideZeros(Program& program, const Function& kernel, const Target& target) {
  Function result = kernel;
  if (!target.folds_zeros) return result;
  Hidden hidden(program);
  Block body = rewriteBlock(kernel.body, [&](Stm stm, Block& out) {
    mapOperands(stm, [&](const Operand& operand) {
      return isFloatZero(operand) ? hidden.operand(operand.constant) : operand;
    });
    out.push_back(std::move(stm));
  });
  result.body = hidden.before(body);
  return result;
}

Function hideDivisors(Program& program, const Function& kernel) {
  Function result = kernel;
  Hidden hidden(program);
  Block body = rewriteBlock(kernel.body, [&](Stm stm, Block& out) {
    if (Prim* division = wideDivision(stm); division != nullptr && division->args[1].isConstant()) {
      division->args[1] = hidden.operand(division->args[1].constant);
    }
    out.push_back(std::move(stm));
  });
  result.body = hidden.before(body);
  return result;
}

}  // namespace halo::gpu
