// Negations of integers become subtractions from a zero that no compiler knows.
#include <map>

#include "gpu/raise/raise.h"
#include "lang/imp/builder.h"
#include "lang/imp/walk.h"

namespace halo::gpu {

using namespace imp;
using prim::Op;

namespace {

bool hasLoop(const Block& block) {
  bool has_loop = false;
  forEachStm(block, [&](const Stm& stm) {
    has_loop = has_loop || std::holds_alternative<For>(stm.node) ||
               std::holds_alternative<While>(stm.node);
  });
  return has_loop;
}

bool isConstant(const Operand& operand, int64_t number) {
  return operand.isConstant() && prim::isInteger(operand.constant.type) &&
         operand.constant.asSigned() == number;
}

// The operand of a negation, in whichever of its forms.
const Operand* negated(const Stm& stm) {
  const Prim* op = boundAs<Prim>(stm);
  if (op == nullptr || !prim::isInteger(op->type)) return nullptr;
  if (op->op == Op::kNeg) return &op->args[0];
  if (op->op == Op::kSub && isConstant(op->args[0], 0)) return &op->args[1];
  if (prim::byteSize(op->type) > 4) return nullptr;  // steps of indices
  if (op->op == Op::kMul && isConstant(op->args[0], -1)) return &op->args[1];
  if (op->op == Op::kMul && isConstant(op->args[1], -1)) return &op->args[0];
  return nullptr;
}

}  // namespace

Function hideNegations(Program& program, const Function& kernel, const Target& target) {
  Function result = kernel;
  if (!target.mixes_up_negations || !hasLoop(kernel.body)) return result;
  Builder first(program);  // in front of all else
  std::map<ScalarType, Operand> zeros;
  // There is no launch without workgroups, so this is 0; their number is an argument.
  auto zero = [&](ScalarType type) {
    constexpr ScalarType kU32 = ScalarType::kU32;
    auto [known, is_new] = zeros.try_emplace(type);
    if (!is_new) return known->second;
    const auto number = [](uint64_t n) { return Scalar::ofUnsigned(ScalarType::kU32, n); };
    Operand groups = first.let("groups", kU32, BuiltInValue{BuiltIn::kGroupCount, 0});
    Operand none = first.prim(Op::kEq, kU32, {groups, number(0)});
    Operand made = first.let("zero", kU32, Select{none, number(1), number(0)});
    if (type != kU32) {
      made = first.let("zero", type, Convert{prim::ConvertKind::kValue, kU32, type, made});
    }
    return known->second = made;
  };
  const Block body = rewriteBlock(kernel.body, [&](Stm stm, Block& out) {
    if (const Operand* operand = negated(stm); operand != nullptr && !operand->isConstant()) {
      auto& op = std::get<Prim>(std::get<Let>(stm.node).expr);
      op = Prim{Op::kSub, op.type, {zero(op.type), *operand}};
    }
    out.push_back(std::move(stm));
  });
  result.body = first.take();
  result.body.insert(result.body.end(), body.begin(), body.end());
  return result;
}

}  // namespace halo::gpu
