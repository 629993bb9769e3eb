// NVIDIA's compiler takes a conversion to f16 and back for none at all (580.159), also where a
// division in f32 lies in between. An xor with a zero that it does not know keeps the half between
// them, one integer operation a conversion.
#include "gpu/raise/raise.h"
#include "lang/imp/builder.h"
#include "lang/imp/walk.h"

namespace halo::gpu {

using namespace imp;
using prim::ConvertKind;
using prim::Op;

namespace {

constexpr ScalarType kF16 = ScalarType::kF16;
constexpr ScalarType kU16 = ScalarType::kU16;

const Convert* valueConversion(const Stm& stm) {
  const Let* let = std::get_if<Let>(&stm.node);
  const Convert* convert = let == nullptr ? nullptr : std::get_if<Convert>(&let->expr);
  bool is_value = convert != nullptr && convert->kind != ConvertKind::kBits;
  return is_value && convert->from != convert->to ? convert : nullptr;
}
bool narrows(const Convert& convert) {
  return convert.to == kF16 && convert.from != ScalarType::kBool;
}
bool widens(const Convert& convert) {
  return convert.from == kF16 && prim::isFloat(convert.to) && !convert.arg.isConstant();
}

// There are never 2^31 workgroups. No choice between two values: a compiler does what follows in
// both arms then, and finds its pair in one of them.
Operand unknownZero(Builder& code) {
  Operand groups = code.let("groups", ScalarType::kU32, BuiltInValue{BuiltIn::kGroupCount, 0});
  Operand high = code.prim(Op::kMachineLshr, ScalarType::kU32,
                           {groups, Scalar::ofUnsigned(ScalarType::kU32, 31)});
  return code.let("zero", kU16, Convert{ConvertKind::kValue, ScalarType::kU32, kU16, high});
}

// The same half by way of its bits.
Expr kept(Builder& code, const Operand& half, const Operand& zero) {
  Operand bits = code.let("bits", kU16, Convert{ConvertKind::kBits, kF16, kU16, half});
  Operand same = code.prim(Op::kXor, kU16, {bits, zero});
  return Convert{ConvertKind::kBits, kU16, kF16, same};
}

}  // namespace

Function roundHalves(Program& program, const Function& kernel, const Target& target) {
  bool any = false;
  forEachStm(kernel.body, [&](const Stm& stm) {
    const Convert* convert = valueConversion(stm);
    any = any || (convert != nullptr && (narrows(*convert) || widens(*convert)));
  });
  Function result = kernel;
  if (!any || !target.float16 || !target.drops_roundings) return result;
  Builder opening(program);
  const Operand zero = unknownZero(opening);
  Block body = rewriteBlock(kernel.body, [&](Stm stm, Block& out) {
    const Convert* found = valueConversion(stm);
    if (found == nullptr || !(narrows(*found) || widens(*found))) {
      out.push_back(std::move(stm));
      return;
    }
    Convert convert = *found;
    VarId var = std::get<Let>(stm.node).var;
    Builder code(program);
    if (narrows(convert)) {
      Operand half = code.let("half", kF16, convert);
      code.append(Let{var, kept(code, half, zero)});
    } else {
      convert.arg = code.let("half", kF16, kept(code, convert.arg, zero));
      code.append(Let{var, convert});
    }
    for (Stm& made : code.take()) out.push_back(std::move(made));
  });
  result.body = opening.take();
  result.body.insert(result.body.end(), body.begin(), body.end());
  return result;
}

}  // namespace halo::gpu
