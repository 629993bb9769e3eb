// Carried variables get a value of their own at the end of each step, by adding a zero that no
// compiler knows.
#include <map>

#include "gpu/raise/raise.h"
#include "lang/imp/builder.h"
#include "lang/imp/walk.h"

namespace halo::gpu {

using namespace imp;
using prim::ConvertKind;
using prim::Op;

namespace {

bool hasPrivateArrayAndLoop(const Program& program, const Block& block) {
  bool has_array = false, has_loop = false;
  forEachStm(block, [&](const Stm& stm) {
    const auto* store = std::get_if<Store>(&stm.node);
    has_array =
        has_array || (store != nullptr && program.buffers[store->buffer].space == Space::kPrivate);
    has_loop = has_loop || std::holds_alternative<For>(stm.node) ||
               std::holds_alternative<While>(stm.node);
  });
  return has_array && has_loop;
}

class Separation {
 public:
  explicit Separation(Program& program) : program_(program), first_(program) {}

  Block apart(const Block& block) {
    return rewriteBlock(block, [&](Stm stm, Block& out) {
      auto* assign = std::get_if<Assign>(&stm.node);
      const ScalarType type =
          assign != nullptr ? program_.vars[assign->var].type : ScalarType::kBool;
      if (assign != nullptr && prim::isInteger(type) && !assign->value.isConstant()) {
        const VarId apart = program_.addVar("apart", type);
        out.push_back({Let{apart, Prim{Op::kAdd, type, {assign->value, zero(type)}}}});
        assign->value = apart;
      }
      out.push_back(std::move(stm));
    });
  }

  Block takeZeros() { return first_.take(); }

 private:
  // There is no launch without groups, so this is 0.
  Operand zero(ScalarType type) {
    constexpr ScalarType kU32 = ScalarType::kU32;
    auto [known, is_new] = zeros_.try_emplace(type);
    if (!is_new) return known->second;
    const auto number = [](uint64_t n) { return Scalar::ofUnsigned(ScalarType::kU32, n); };
    Operand groups = first_.let("groups", kU32, BuiltInValue{BuiltIn::kGroupCount, 0});
    Operand none = first_.prim(Op::kEq, kU32, {groups, number(0)});
    Operand zero = first_.let("zero", kU32, Select{none, number(1), number(0)});
    if (type != kU32)
      zero = first_.let("zero", type, Convert{ConvertKind::kValue, kU32, type, zero});
    return known->second = zero;
  }

  Program& program_;
  Builder first_;  // in front of all else
  std::map<ScalarType, Operand> zeros_;
};

}  // namespace

Function separateCarried(Program& program, const Function& kernel, const Target& target) {
  Function result = kernel;
  if (!target.mixes_up_carried || !hasPrivateArrayAndLoop(program, kernel.body)) return result;
  Separation separation(program);
  const Block body = separation.apart(kernel.body);
  result.body = separation.takeZeros();
  result.body.insert(result.body.end(), body.begin(), body.end());
  return result;
}

}  // namespace halo::gpu
