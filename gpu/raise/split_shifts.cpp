// The first of the two loops is a copy (lang/imp/copy_block.h) in which the tests of the index are
// known to hold. The second one is as it was, so nothing has to be known of the bound.
#include <optional>
#include <unordered_set>

#include "gpu/raise/raise.h"
#include "lang/imp/builder.h"
#include "lang/imp/copy_block.h"
#include "lang/imp/walk.h"

namespace halo::gpu {

using namespace imp;
using prim::Op;

namespace {

constexpr int64_t kSmall = 32;
constexpr size_t kMaxSplitCode = 64;  // statements of a body, which stands twice then

class Splitter {
 public:
  explicit Splitter(Program& program) : program_(program) {}

  void split(For loop, Block& out) {
    const Known known = testsOf(loop);
    const bool starts =
        loop.lo == Operand::ofI64(0) && program_.vars[loop.var].type == ScalarType::kI64;
    const bool stays = loop.hi.isConstant() || !program_.vars[loop.hi.var].is_mutable;
    const bool is_worth = !known.empty() && starts && stays &&
                          countStms(loop.body) <= kMaxSplitCode &&
                          loop.schedule == Schedule::kSequential && mayBeCopied(loop.body);
    if (!is_worth) {
      out.push_back({std::move(loop)});
      return;
    }
    Builder code(program_);
    const Operand few = code.max(code.min(loop.hi, Operand::ofI64(kSmall)), Operand::ofI64(0));
    for (Stm& stm : code.take()) out.push_back(std::move(stm));
    For first = loop;
    first.var = program_.addVar(program_.vars[loop.var].name, ScalarType::kI64);
    first.hi = few;
    Known facts = known;
    facts[loop.var] = first.var;
    first.body = copyOf(program_, loop.body, facts, {});
    loop.lo = few;
    out.push_back({std::move(first)});
    out.push_back({std::move(loop)});
  }

 private:
  // (i & -2^k) == 0 where 2^k is 32 or more, i the index or the same number in another type.
  Known testsOf(const For& loop) const {
    std::unordered_set<VarId> same = {loop.var}, high;
    Known tests;
    for (const Stm& stm : loop.body) {
      const auto* let = std::get_if<Let>(&stm.node);
      if (let == nullptr) continue;
      if (const auto* convert = std::get_if<Convert>(&let->expr)) {
        const bool is_number = convert->kind == prim::ConvertKind::kValue &&
                               prim::isInteger(convert->to) && prim::bitWidth(convert->to) >= 8;
        if (is_number && isOneOf(convert->arg, same)) same.insert(let->var);
        continue;
      }
      const auto* prim = std::get_if<Prim>(&let->expr);
      if (prim == nullptr || prim->args.size() != 2 || !prim->args[1].isConstant()) continue;
      const Scalar& constant = prim->args[1].constant;
      if (prim->op == Op::kAnd && isOneOf(prim->args[0], same) &&
          keepsHighBits(prim->type, constant))
        high.insert(let->var);
      if (prim->op == Op::kEq && isOneOf(prim->args[0], high) && constant == prim::zero(prim->type))
        tests[let->var] = Scalar::ofBool(true);
    }
    return tests;
  }
  static bool isOneOf(const Operand& operand, const std::unordered_set<VarId>& vars) {
    return !operand.isConstant() && vars.contains(operand.var);
  }
  static bool keepsHighBits(ScalarType type, const Scalar& mask) {
    return prim::isInteger(type) && (mask.bits & static_cast<uint64_t>(kSmall - 1)) == 0;
  }

  Program& program_;
};

}  // namespace

Function splitShifts(Program& program, const Function& kernel) {
  Function result = kernel;
  Splitter splitter(program);
  result.body = rewriteBlock(kernel.body, [&](Stm stm, Block& out) {
    if (auto* loop = std::get_if<For>(&stm.node)) return splitter.split(std::move(*loop), out);
    out.push_back(std::move(stm));
  });
  return result;
}

}  // namespace halo::gpu
