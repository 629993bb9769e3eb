// Operations on constants alone.
#include <unordered_map>

#include "gpu/raise/raise.h"
#include "lang/base/match.h"
#include "lang/imp/walk.h"
#include "lang/prim/fold.h"

namespace halo::gpu {

using namespace imp;

namespace {

// Divisors are not 0 here. NVIDIA's compiler ends with an error (580.159).
bool dividesZero(const Prim& e) {
  bool divides = e.op == prim::Op::kMachineDiv || e.op == prim::Op::kMachineRem;
  return divides && e.args[0] == Operand(prim::zero(e.type));
}

std::optional<Scalar> valueOf(const Expr& expr) {
  return base::match(
      expr,
      [](const Prim& e) -> std::optional<Scalar> {
        if (dividesZero(e)) return prim::zero(e.type);
        std::vector<Scalar> args;
        for (const Operand& arg : e.args) {
          if (!arg.isConstant()) return std::nullopt;
          args.push_back(arg.constant);
        }
        prim::Folded folded = prim::fold(e.op, e.type, args);
        if (auto* value = std::get_if<Scalar>(&folded)) return *value;
        return std::nullopt;  // in code that never runs
      },
      [](const Convert& e) -> std::optional<Scalar> {
        if (!e.arg.isConstant()) return std::nullopt;
        return prim::convert(e.kind, e.to, e.arg.constant);
      },
      [](const Select& e) -> std::optional<Scalar> {
        if (!e.condition.isConstant()) return std::nullopt;
        const Operand& chosen = e.condition.constant.asBool() ? e.on_true : e.on_false;
        return chosen.isConstant() ? std::optional(chosen.constant) : std::nullopt;
      },
      [](const Load&) -> std::optional<Scalar> { return std::nullopt; },
      [](const BuiltInValue&) -> std::optional<Scalar> { return std::nullopt; },
      [](const Shuffle&) -> std::optional<Scalar> { return std::nullopt; },
      [](const Fma&) -> std::optional<Scalar> { return std::nullopt; });
}

// A choice that is known, or `and` and `or` with a constant, is one of its operands.
std::optional<Operand> operandOf(const Program& program, const Expr& expr) {
  std::optional<Operand> chosen;
  if (const auto* select = std::get_if<Select>(&expr); select && select->condition.isConstant()) {
    chosen = select->condition.constant.asBool() ? select->on_true : select->on_false;
  }
  const auto* op = std::get_if<Prim>(&expr);
  if (op != nullptr && op->type == ScalarType::kBool &&
      (op->op == prim::Op::kAnd || op->op == prim::Op::kOr)) {
    for (size_t k : {0, 1}) {
      if (!op->args[k].isConstant()) continue;
      const bool decides = op->args[k].constant.asBool() == (op->op == prim::Op::kOr);
      chosen = decides ? op->args[k] : op->args[1 - k];
    }
  }
  const bool stays = chosen && (chosen->isConstant() || !program.vars[chosen->var].is_mutable);
  return stays ? chosen : std::nullopt;
}

// GLSL rejects a constant index outside a local array, and a negative one of any array, even where
// a check before it always fails. The access never runs, so any element will do.
void keepInside(const Program& program, BufferId buffer, Operand& index) {
  const BufferInfo& info = program.buffers[buffer];
  bool is_local = info.space == Space::kPrivate || info.space == Space::kShared;
  if (!index.isConstant()) return;
  const bool is_outside = is_local
                              ? index.constant.bits >= static_cast<uint64_t>(info.constant_elements)
                              : index.constant.asSigned() < 0;
  if (is_outside) index.constant.bits = 0;
}

void keepInside(const Program& program, Stm& stm) {
  if (auto* store = std::get_if<Store>(&stm.node)) keepInside(program, store->buffer, store->index);
  if (auto* let = std::get_if<Let>(&stm.node)) {
    if (auto* load = std::get_if<Load>(&let->expr)) keepInside(program, load->buffer, load->index);
  }
}

}  // namespace

Function foldConstants(Program& program, const Function& kernel) {
  Function result = kernel;
  std::unordered_map<VarId, Operand> known;
  auto replace = [&](const Operand& operand) -> Operand {
    if (operand.isConstant()) return operand;
    auto found = known.find(operand.var);
    return found == known.end() ? operand : found->second;
  };
  result.body = rewriteBlock(kernel.body, [&](Stm stm, Block& out) {
    mapOperands(stm, replace);
    keepInside(program, stm);
    if (auto* let = std::get_if<Let>(&stm.node)) {
      if (auto value = valueOf(let->expr)) {
        known[let->var] = *value;
        return;
      }
      if (auto operand = operandOf(program, let->expr)) {
        known[let->var] = *operand;
        return;
      }
    }
    out.push_back(std::move(stm));
  });
  return result;
}

}  // namespace halo::gpu
