// The condition moves in front of the loop with the statements that compute it. The loop is copied
// once for each arm (lang/imp/copy_block.h), and both copies may have more of them.
#include <algorithm>
#include <optional>
#include <unordered_set>

#include "gpu/raise/raise.h"
#include "lang/imp/copy_block.h"
#include "lang/imp/operands.h"
#include "lang/imp/walk.h"

namespace halo::gpu {

using namespace imp;

namespace {

constexpr size_t kMaxShared = 24;    // statements around the branch, which stand twice then
constexpr size_t kMinArms = 4;       // of both arms: less is a selection
constexpr size_t kMaxCopies = 1024;  // statements that a kernel grows by

// Variables that a loop binds or assigns.
std::unordered_set<VarId> changedIn(const For& loop) {
  std::unordered_set<VarId> changed = {loop.var};
  forEachStm(loop.body, [&](const Stm& stm) {
    if (const auto* let = std::get_if<Let>(&stm.node)) changed.insert(let->var);
    if (const auto* declare = std::get_if<Declare>(&stm.node)) changed.insert(declare->var);
    if (const auto* assign = std::get_if<Assign>(&stm.node)) changed.insert(assign->var);
    if (const auto* inner = std::get_if<For>(&stm.node)) changed.insert(inner->var);
    if (const auto* load = std::get_if<LoadVector>(&stm.node))
      changed.insert(load->vars.begin(), load->vars.end());
  });
  return changed;
}

class Unswitcher {
 public:
  explicit Unswitcher(Program& program) : program_(program) {}

  Block run(const Block& block) {
    Block out;
    for (const Stm& stm : block) statement(stm, out);
    return out;
  }

 private:
  void statement(Stm stm, Block& out) {
    if (auto* loop = std::get_if<For>(&stm.node)) {
      if (unswitch(*loop, out)) return;
      loop->body = run(loop->body);
    } else if (auto* loop = std::get_if<While>(&stm.node)) {
      loop->before = run(loop->before);
      loop->body = run(loop->body);
    } else if (auto* branch = std::get_if<If>(&stm.node)) {
      branch->then_block = run(branch->then_block);
      branch->else_block = run(branch->else_block);
    }
    out.push_back(std::move(stm));
  }

  bool unswitch(For loop, Block& out) {
    if (loop.schedule != Schedule::kSequential || !mayBeCopied(loop.body)) return false;
    const std::optional<size_t> at = branchOf(loop);
    if (!at) return false;
    const auto& branch = std::get<If>(loop.body[*at].node);
    const size_t arms = countStms(branch.then_block) + countStms(branch.else_block);
    const size_t shared = countStms(loop.body) - arms - 1;
    if (arms < kMinArms || shared > kMaxShared || grown_ + shared > kMaxCopies) return false;
    grown_ += shared;
    const Operand condition = branch.condition;
    hoist(loop, condition, out);
    If chosen{condition, copyWhere(loop, condition, true), copyWhere(loop, condition, false)};
    out.push_back({std::move(chosen)});
    return true;
  }

  // The first branch whose condition the loop does not change, computed by `fixed_`.
  std::optional<size_t> branchOf(const For& loop) {
    std::unordered_set<VarId> changed = changedIn(loop);
    fixed_.clear();
    for (size_t k = 0; k < loop.body.size(); ++k) {
      const Stm& stm = loop.body[k];
      const auto* branch = std::get_if<If>(&stm.node);
      if (branch != nullptr && !branch->condition.isConstant() &&
          !changed.contains(branch->condition.var)) {
        return k;
      }
      const auto* let = std::get_if<Let>(&stm.node);
      if (let == nullptr || !isArithmetic(let->expr)) continue;
      const Operands read = operandsOf(let->expr);
      const bool stays = std::none_of(read.begin(), read.end(), [&](const Operand& operand) {
        return !operand.isConstant() && changed.contains(operand.var);
      });
      if (!stays) continue;
      changed.erase(let->var);
      fixed_.insert(let->var);
    }
    return std::nullopt;
  }

  // Everything in the loop is total, so it may be computed where the loop never runs.
  void hoist(For& loop, const Operand& condition, Block& out) {
    std::unordered_set<VarId> needed = {condition.var};
    std::vector<bool> moves(loop.body.size(), false);
    for (size_t k = loop.body.size(); k-- > 0;) {
      const auto* let = std::get_if<Let>(&loop.body[k].node);
      if (let == nullptr || !needed.contains(let->var) || !fixed_.contains(let->var)) continue;
      moves[k] = true;
      for (const Operand& operand : operandsOf(let->expr)) {
        if (!operand.isConstant()) needed.insert(operand.var);
      }
    }
    Block rest;
    for (size_t k = 0; k < loop.body.size(); ++k) {
      (moves[k] ? out : rest).push_back(std::move(loop.body[k]));
    }
    loop.body = std::move(rest);
  }

  Block copyWhere(const For& loop, const Operand& condition, bool holds) {
    For copy = loop;
    const VarInfo info = program_.vars[loop.var];
    copy.var = program_.addVar(info.name, info.type);
    const Known known = {{condition.var, Scalar::ofBool(holds)}, {loop.var, copy.var}};
    copy.body = copyOf(program_, loop.body, known, {});
    Block out;
    statement({std::move(copy)}, out);
    return out;
  }

  Program& program_;
  std::unordered_set<VarId> fixed_;
  size_t grown_ = 0;
};

}  // namespace

Function unswitchLoops(Program& program, const Function& kernel) {
  Function result = kernel;
  result.body = Unswitcher(program).run(kernel.body);
  return result;
}

}  // namespace halo::gpu
