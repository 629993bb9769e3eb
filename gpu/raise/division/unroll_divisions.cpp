// Copies of a loop's body, each with variables of its own; the next iteration reads the variables
// of the one before.
#include <algorithm>
#include <unordered_map>
#include <unordered_set>

#include "gpu/raise/division/known_divisors.h"
#include "gpu/raise/raise.h"
#include "lang/imp/operands.h"
#include "lang/imp/walk.h"

namespace halo::gpu {

using namespace imp;
using prim::Op;

namespace {

constexpr int64_t kCopies = 4;  // as many divisions share a test (exact_division.cpp)
const Operand kFew = Operand::ofI64(kCopies);
using enum prim::ScalarType;
constexpr size_t kMaxUnrolledCode = 100;  // statements of a body

bool isRootF32(const Stm& stm) {
  const Prim* prim = boundAs<Prim>(stm);
  return prim != nullptr && prim->type == ScalarType::kF32 && prim->op == Op::kSqrt;
}

// Whether iterations can divide at the same time: a division or root by nothing that the iteration
// before computes.
bool dividesApart(const For& loop) {
  std::unordered_set<VarId> waiting;
  for (const Stm& stm : loop.body) {
    if (const auto* assign = std::get_if<Assign>(&stm.node)) waiting.insert(assign->var);
  }
  for (const Stm& stm : loop.body) {
    const auto* let = std::get_if<Let>(&stm.node);
    if (let == nullptr) continue;
    bool waits = false;
    forEachOperand(stm, [&](const Operand& operand) {
      waits = waits || (!operand.isConstant() && waiting.contains(operand.var));
    });
    if (waits) {
      waiting.insert(let->var);
    } else if (divisionF32(stm) != nullptr || isRootF32(stm)) {
      return true;
    }
  }
  return false;
}

bool isWorthIt(const Program& program, const For& loop) {
  const bool is_long = !(loop.lo.isConstant() && loop.hi.isConstant());
  const bool stays = loop.lo.isConstant() || !program.vars[loop.lo.var].is_mutable;
  const bool is_plain =
      stays && program.vars[loop.var].type == kI64 && loop.schedule == Schedule::kSequential;
  const bool is_straight = std::all_of(loop.body.begin(), loop.body.end(), [](const Stm& stm) {
    return std::holds_alternative<Let>(stm.node) || std::holds_alternative<Assign>(stm.node);
  });
  return is_long && is_plain && is_straight && loop.body.size() <= kMaxUnrolledCode &&
         dividesApart(loop);
}

class Unroller {
 public:
  Unroller(Program& program, const For& loop) : program_(program), loop_(loop), code_(program) {}

  void run(Block& out) {
    const Operand count = code_.sub(code_.max(loop_.hi, loop_.lo), loop_.lo);
    const Operand trips = code_.prim(Op::kMachineDiv, kI64, {count, kFew});
    For often = loop_;
    often.var = program_.addVar("trip", kI64);
    often.lo = Operand::ofI64(0);
    often.hi = trips;
    often.body = code_.capture([&] { copies(often.var); });
    For rest = loop_;
    rest.lo = code_.add(loop_.lo, code_.mul(trips, kFew));
    for (Stm& stm : code_.take()) out.push_back(std::move(stm));
    out.push_back({std::move(often)});
    out.push_back({std::move(rest)});
  }

 private:
  void copies(VarId trip) {
    const Operand first = code_.add(loop_.lo, code_.mul(trip, kFew));
    for (const Stm& stm : loop_.body) {
      const auto* assign = std::get_if<Assign>(&stm.node);
      if (assign == nullptr || now_.contains(assign->var)) continue;
      changed_.push_back(assign->var);
      const ScalarType type = program_.vars[assign->var].type;
      now_[assign->var] = code_.let(
          "now", type, Convert{prim::ConvertKind::kBits, type, type, Operand(assign->var)});
    }
    for (int64_t k = 0; k < kCopies; ++k) {
      now_[loop_.var] = code_.add(first, Operand::ofI64(k));
      for (const Stm& stm : loop_.body) copy(stm);
    }
    for (VarId var : changed_) code_.assign(var, now_.at(var));
  }

  void copy(Stm stm) {
    mapOperands(stm, [&](const Operand& operand) {
      auto found = operand.isConstant() ? now_.end() : now_.find(operand.var);
      return found == now_.end() ? operand : found->second;
    });
    if (const auto* assign = std::get_if<Assign>(&stm.node)) {
      now_[assign->var] = assign->value;
      return;
    }
    auto& let = std::get<Let>(stm.node);
    const VarId own = program_.addVar(program_.vars[let.var].name, program_.vars[let.var].type);
    now_[let.var] = own;
    let.var = own;
    code_.append(std::move(stm.node));
  }

  Program& program_;
  const For& loop_;
  Builder code_;
  std::vector<VarId> changed_;
  std::unordered_map<VarId, Operand> now_;  // the body's variables in the copy at hand
};

}  // namespace

Function unrollDivisions(Program& program, const Function& kernel) {
  Function result = kernel;
  result.body = rewriteBlock(kernel.body, [&](Stm stm, Block& out) {
    const auto* loop = std::get_if<For>(&stm.node);
    if (loop != nullptr && isWorthIt(program, *loop)) return Unroller(program, *loop).run(out);
    out.push_back(std::move(stm));
  });
  return result;
}

}  // namespace halo::gpu
