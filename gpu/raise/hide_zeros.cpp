// Zeros of each float type as variables that a compiler knows nothing about.
#include <map>

#include "gpu/raise/raise.h"
#include "lang/imp/builder.h"
#include "lang/imp/walk.h"

namespace halo::gpu {

using namespace imp;
using prim::ConvertKind;
using prim::Op;

namespace {

bool isFloatZero(const Operand& operand) {
  return operand.isConstant() && prim::isFloat(operand.constant.type) &&
         operand.constant.asDouble() == 0;
}

ScalarType bitsType(ScalarType type) {
  if (type == ScalarType::kF16) return ScalarType::kU16;
  return type == ScalarType::kF32 ? ScalarType::kU32 : ScalarType::kU64;
}

// The bits are chosen as integers: a choice between floats is rewritten without regard to signs.
Operand hidden(Builder& code, Scalar zero) {
  ScalarType bits = bitsType(zero.type);
  // There is no launch without groups, so `none` is false.
  Operand groups = code.let("groups", ScalarType::kU32, BuiltInValue{BuiltIn::kGroupCount, 0});
  Operand none =
      code.prim(Op::kEq, ScalarType::kU32, {groups, Scalar::ofUnsigned(ScalarType::kU32, 0)});
  Operand chosen = code.let(
      "bits", bits, Select{none, Scalar::ofUnsigned(bits, 1), Scalar::ofUnsigned(bits, zero.bits)});
  return code.let("zero", zero.type, Convert{ConvertKind::kBits, bits, zero.type, chosen});
}

}  // namespace

Function hideZeros(Program& program, const Function& kernel, const Target& target) {
  Function result = kernel;
  if (!target.folds_zeros) return result;
  Builder code(program);
  std::map<std::pair<ScalarType, uint64_t>, Operand> made;
  auto replace = [&](const Operand& operand) {
    if (!isFloatZero(operand)) return operand;
    auto [it, is_new] = made.try_emplace({operand.constant.type, operand.constant.bits});
    if (is_new) it->second = hidden(code, operand.constant);
    return it->second;
  };
  Block body = rewriteBlock(kernel.body, [&](Stm stm, Block& out) {
    mapOperands(stm, replace);
    out.push_back(std::move(stm));
  });
  result.body = code.take();
  result.body.insert(result.body.end(), body.begin(), body.end());
  return result;
}

}  // namespace halo::gpu
