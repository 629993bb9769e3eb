// Three steps: the copy, which decides branches; variables assigned once become values; unread
// values go. The second may decide further branches, so the first comes again after it.
#include "lang/imp/copy_block.h"

#include <algorithm>
#include <unordered_set>

#include "lang/base/match.h"
#include "lang/imp/operands.h"
#include "lang/imp/walk.h"

namespace halo::imp {
namespace {

using prim::Op;

bool isBool(const Operand& operand, bool value) {
  return operand.isConstant() && operand.constant == Scalar::ofBool(value);
}

class Copier {
 public:
  Copier(Program& program, Known known, const std::vector<BufferId>& own)
      : program_(program), known_(std::move(known)) {
    for (BufferId buffer : own) {
      const BufferInfo info = program_.buffers[buffer];
      arrays_[buffer] = program_.buffers.add(info);
    }
  }

  Block copy(const Block& block) {
    Block out;
    append(block, out);
    return out;
  }

 private:
  // Says whether anything may run behind the block.
  bool append(const Block& block, Block& out) {
    return std::all_of(block.begin(), block.end(), [&](const Stm& stm) { return one(stm, out); });
  }

  bool one(Stm stm, Block& out) {
    mapOperands(stm, [&](const Operand& operand) { return current(operand); });
    if (auto* let = std::get_if<Let>(&stm.node)) {
      if (known_.contains(let->var)) return true;
      if (auto* load = std::get_if<Load>(&let->expr)) load->buffer = current(load->buffer);
      if (std::optional<Operand> value = valueOf(let->expr)) {
        known_[let->var] = *value;
        return true;
      }
      let->var = renamed(let->var);
    } else if (auto* declare = std::get_if<Declare>(&stm.node)) {
      declare->var = renamed(declare->var);
    } else if (auto* store = std::get_if<Store>(&stm.node)) {
      store->buffer = current(store->buffer);
    } else if (auto* assign = std::get_if<Assign>(&stm.node)) {
      assign->var = current(assign->var).var;
    } else if (auto* loop = std::get_if<For>(&stm.node)) {
      loop->var = renamed(loop->var);
      loop->body = copy(loop->body);
    } else if (auto* loop = std::get_if<While>(&stm.node)) {
      loop->before = copy(loop->before);
      loop->condition = current(loop->condition);
      loop->body = copy(loop->body);
    } else if (auto* branch = std::get_if<If>(&stm.node)) {
      if (branch->condition.isConstant()) {
        const Block arm = isBool(branch->condition, true) ? branch->then_block : branch->else_block;
        return append(arm, out);
      }
      branch->then_block = copy(branch->then_block);
      branch->else_block = copy(branch->else_block);
    }
    const bool goes_on = !std::holds_alternative<Fail>(stm.node);
    out.push_back(std::move(stm));
    return goes_on;
  }

  // The known value may be a variable that has a copy.
  Operand current(Operand operand) const {
    while (!operand.isConstant()) {
      auto found = known_.find(operand.var);
      if (found == known_.end()) break;
      operand = found->second;
    }
    return operand;
  }

  BufferId current(BufferId buffer) const {
    auto found = arrays_.find(buffer);
    return found == arrays_.end() ? buffer : found->second;
  }

  VarId renamed(VarId var) {
    const VarInfo info = program_.vars[var];
    const VarId copy = program_.addVar(info.name, info.type, info.is_mutable);
    known_[var] = copy;
    return copy;
  }

  bool isFixed(const Operand& operand) const {
    return operand.isConstant() || !program_.vars[operand.var].is_mutable;
  }

  std::optional<Operand> valueOf(const Expr& expr) const {
    if (const auto* select = std::get_if<Select>(&expr)) {
      const bool same = select->on_true == select->on_false;
      if (!same && !select->condition.isConstant()) return std::nullopt;
      const Operand& chosen =
          same || isBool(select->condition, true) ? select->on_true : select->on_false;
      return isFixed(chosen) ? std::optional(chosen) : std::nullopt;
    }
    const auto* prim = std::get_if<Prim>(&expr);
    if (prim == nullptr || prim->type != ScalarType::kBool) return std::nullopt;
    if (prim->op == Op::kNot && prim->args[0].isConstant()) {
      return Operand(Scalar::ofBool(!prim->args[0].constant.asBool()));
    }
    if (prim->op != Op::kAnd && prim->op != Op::kOr) return std::nullopt;
    for (size_t k = 0; k < 2; ++k) {
      const Operand &arg = prim->args[k], &other = prim->args[1 - k];
      if (isBool(arg, prim->op == Op::kOr)) return arg;
      if (arg.isConstant() && isFixed(other)) return other;
    }
    return std::nullopt;
  }

  Program& program_;
  Known known_;
  std::unordered_map<BufferId, BufferId> arrays_;
};

// ---- variables that are assigned once, straight in the block of their declaration

bool mentions(const Stm& stm, VarId var) {
  bool found = false;
  forEachStm({stm}, [&](const Stm& inner) {
    forEachOperand(inner, [&](const Operand& operand) { found |= operand == Operand(var); });
    const auto* assign = std::get_if<Assign>(&inner.node);
    found |= assign != nullptr && assign->var == var;
  });
  return found;
}

// The values of such variables of the block.
class AssignedOnce {
 public:
  explicit AssignedOnce(const Program& program) : program_(program) {}

  bool find(Block& block) {
    forEachStm(block, [&](const Stm& stm) {
      if (const auto* assign = std::get_if<Assign>(&stm.node)) ++assigned_[assign->var];
    });
    inBlock(block);
    return !known.empty();
  }
  Known known;

 private:
  void inBlock(Block& block) {
    for (Stm& stm : block) {
      if (auto* loop = std::get_if<For>(&stm.node)) inBlock(loop->body);
      if (auto* branch = std::get_if<If>(&stm.node)) {
        inBlock(branch->then_block), inBlock(branch->else_block);
      }
    }
    for (size_t at = 0; at < block.size();) {
      const auto* declare = std::get_if<Declare>(&block[at].node);
      if (declare == nullptr || !settle(block, at, *declare)) ++at;
    }
  }

  // Takes declaration and assignment out.
  bool settle(Block& block, size_t at, Declare declare) {
    auto count = assigned_.find(declare.var);
    if (count == assigned_.end()) return replace(block, at, at, declare.var, declare.initial);
    if (count->second != 1) return false;
    for (size_t s = at + 1; s < block.size(); ++s) {
      const auto* assign = std::get_if<Assign>(&block[s].node);
      if (assign != nullptr && assign->var == declare.var && assign->value != declare.var) {
        return replace(block, at, s, declare.var, assign->value);
      }
      if (mentions(block[s], declare.var)) return false;
    }
    return false;
  }

  bool replace(Block& block, size_t declared, size_t assigned, VarId var, Operand value) {
    if (!value.isConstant() && program_.vars[value.var].is_mutable) return false;
    known[var] = value;
    block.erase(block.begin() + static_cast<ptrdiff_t>(assigned));
    if (assigned != declared) block.erase(block.begin() + static_cast<ptrdiff_t>(declared));
    return true;
  }

  const Program& program_;
  std::unordered_map<VarId, int> assigned_;
};

// ---- values without uses

void sweep(Block& block, std::unordered_set<VarId>& used) {
  for (size_t at = block.size(); at-- > 0;) {
    Stm& stm = block[at];
    const auto* let = std::get_if<Let>(&stm.node);
    if (let != nullptr && !used.contains(let->var)) {
      block.erase(block.begin() + static_cast<ptrdiff_t>(at));
      continue;
    }
    auto use = [&](const Operand& operand) {
      if (!operand.isConstant()) used.insert(operand.var);
    };
    forEachOperand(stm, use);
    if (auto* loop = std::get_if<For>(&stm.node)) sweep(loop->body, used);
    if (auto* loop = std::get_if<While>(&stm.node)) {
      sweep(loop->body, used), sweep(loop->before, used);
    }
    if (auto* branch = std::get_if<If>(&stm.node)) {
      sweep(branch->then_block, used), sweep(branch->else_block, used);
    }
  }
}

}  // namespace

bool mayBeCopied(const Block& block) {
  bool plain = true;
  forEachStm(block, [&](const Stm& stm) {
    plain &= base::match(
        stm.node,
        [](const Let& s) {
          return !std::holds_alternative<Shuffle>(s.expr) &&
                 !std::holds_alternative<BuiltInValue>(s.expr);
        },
        [](const Declare&) { return true; }, [](const Assign&) { return true; },
        [](const Store&) { return true; },
        [](const For& s) { return s.schedule != Schedule::kParallel; },
        [](const While&) { return true; }, [](const If&) { return true; },
        [](const Fail&) { return true; }, base::otherwise([](const auto&) { return false; }));
  });
  return plain;
}

Block copyOf(Program& program, const Block& block, const Known& known,
             const std::vector<BufferId>& own) {
  Block copy = Copier(program, known, own).copy(block);
  for (bool again = true; again;) {
    AssignedOnce once(program);
    again = once.find(copy);
    if (again) copy = Copier(program, std::move(once.known), {}).copy(copy);
  }
  std::unordered_set<VarId> used;
  sweep(copy, used);
  return copy;
}

}  // namespace halo::imp
