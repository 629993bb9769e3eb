// Hoisting and privatising allocations; inner loops first, so that memory moves as far out as it
// can.
#include "lang/imp/memory.h"

#include <algorithm>
#include <optional>
#include <unordered_set>

#include "lang/imp/operands.h"

namespace halo::imp {
namespace {

constexpr int64_t kPrivateTotal = 4096;  // of a function: it is stack

using Vars = std::unordered_set<VarId>;
using Buffers = std::unordered_set<BufferId>;

template <typename Visit>
void visitBlocks(Stm& stm, Visit&& visit) {
  if (auto* loop = std::get_if<For>(&stm.node)) {
    visit(loop->body);
  } else if (auto* loop = std::get_if<While>(&stm.node)) {
    visit(loop->before), visit(loop->body);
  } else if (auto* branch = std::get_if<If>(&stm.node)) {
    visit(branch->then_block), visit(branch->else_block);
  }
}

class Placement {
 public:
  Placement(Program& program, Function& function) : program_(program), function_(function) {}

  void run() {
    collectMoved(function_.body);
    place(function_.body);
  }

 private:
  // Allocations of buffers that are rebound or swapped stay where they are.
  void collectMoved(Block& block) {
    for (Stm& stm : block) {
      if (auto* rebind = std::get_if<Rebind>(&stm.node)) {
        moved_.insert({rebind->dst, rebind->src});
      } else if (auto* swap = std::get_if<Swap>(&stm.node)) {
        moved_.insert({swap->a, swap->b});
      } else if (auto* call = std::get_if<Call>(&stm.node)) {
        moved_.insert(call->result_buffers.begin(), call->result_buffers.end());
      }
      visitBlocks(stm, [&](Block& inner) { collectMoved(inner); });
    }
  }

  void place(Block& block) {
    Block result;
    for (Stm& stm : block) {
      visitBlocks(stm, [&](Block& inner) { place(inner); });
      Block before, after;
      auto* loop = std::get_if<For>(&stm.node);
      // Iterations that run at once need memory each.
      bool apart = loop != nullptr && loop->schedule != Schedule::kSequential;
      if (loop != nullptr && !apart) {
        hoist(loop->body, {loop->var}, before, after);
        onlyIfEntered(*loop, before);
      }
      auto* endless = std::get_if<While>(&stm.node);
      if (endless != nullptr && endless->before.empty()) {  // else it may not run at all
        hoist(endless->body, {}, before, after);
        onlyIf([&](Block&) { return endless->condition; }, before);
      }
      std::move(before.begin(), before.end(), std::back_inserter(result));
      result.push_back(std::move(stm));
      std::move(after.begin(), after.end(), std::back_inserter(result));
    }
    block = std::move(result);
    privatise(block);
  }

  static Buffers freedIn(const Block& block) {
    Buffers freed;
    for (const Stm& stm : block) {
      if (const auto* free = std::get_if<Free>(&stm.node)) freed.insert(free->buffer);
    }
    return freed;
  }

  bool isConfined(const Alloc& alloc, const Buffers& freed) const {
    return freed.contains(alloc.buffer) && !moved_.contains(alloc.buffer) &&
           program_.buffers[alloc.buffer].space == Space::kHost;
  }

  void privatise(Block& block) {
    Buffers freed = freedIn(block), made;
    for (const Stm& stm : block) {
      const auto* alloc = std::get_if<Alloc>(&stm.node);
      if (alloc == nullptr || !alloc->elements.isConstant() || !isConfined(*alloc, freed)) continue;
      BufferInfo& info = program_.buffers[alloc->buffer];
      int64_t elements = std::max<int64_t>(alloc->elements.constant.asSigned(), 1);
      if (elements > kPrivateBytes) continue;
      int64_t bytes = elements * prim::byteSize(info.type);
      if (bytes > kPrivateBytes || private_bytes_ + bytes > kPrivateTotal) continue;
      private_bytes_ += bytes;
      info.space = Space::kPrivate;
      info.constant_elements = elements;
      made.insert(alloc->buffer);
    }
    std::erase_if(block, [&](const Stm& stm) {
      if (const auto* alloc = std::get_if<Alloc>(&stm.node)) return made.contains(alloc->buffer);
      if (const auto* free = std::get_if<Free>(&stm.node)) return made.contains(free->buffer);
      return false;
    });
  }

  static void collectDefined(const Block& block, Vars& vars) {
    for (const Stm& stm : block) {
      if (const auto* let = std::get_if<Let>(&stm.node)) vars.insert(let->var);
      if (const auto* call = std::get_if<Call>(&stm.node)) {
        vars.insert(call->results.begin(), call->results.end());
      }
      if (const auto* read = std::get_if<ReadScalar>(&stm.node)) vars.insert(read->var);
    }
  }

  bool isInvariant(const Operand& operand, const Vars& inside) const {
    if (operand.isConstant()) return true;
    return !inside.contains(operand.var) && !program_.vars[operand.var].is_mutable;
  }

  bool isInvariantArithmetic(const Let& let, const Vars& inside) const {
    const Expr& expr = let.expr;
    ScalarType type = program_.vars[let.var].type;
    if (type != ScalarType::kI64 && type != ScalarType::kBool) return false;
    if (const auto* prim = std::get_if<Prim>(&expr)) {
      // A division would move without the check in front of it.
      return !mayTrap(expr) &&
             std::all_of(prim->args.begin(), prim->args.end(),
                         [&](const Operand& arg) { return isInvariant(arg, inside); });
    }
    if (const auto* select = std::get_if<Select>(&expr)) {
      return isInvariant(select->condition, inside) && isInvariant(select->on_true, inside) &&
             isInvariant(select->on_false, inside);
    }
    return false;
  }

  // A loop without iterations allocates nothing: it must not fail for lack of memory.
  void onlyIfEntered(const For& loop, Block& before) {
    const bool is_entered = loop.lo.isConstant() && loop.hi.isConstant() &&
                            loop.lo.constant.asSigned() < loop.hi.constant.asSigned();
    if (is_entered) return;
    const ScalarType type = program_.vars[loop.var].type;
    onlyIf(
        [&](Block& block) {
          return let(block, "entered", ScalarType::kBool,
                     Prim{prim::Op::kLt, type, {loop.lo, loop.hi}});
        },
        before);
  }

  // `condition(block)` computes it there, once.
  template <typename Condition>
  void onlyIf(const Condition& condition, Block& before) {
    Block guarded;
    std::optional<Operand> entered;
    for (Stm& stm : before) {
      auto* alloc = std::get_if<Alloc>(&stm.node);
      if (alloc != nullptr && !isAlwaysThere(alloc->elements)) {
        if (!entered) entered = condition(guarded);
        const Select elements{*entered, alloc->elements, Operand::ofI64(0)};
        alloc->elements = let(guarded, "elements", ScalarType::kI64, elements);
      }
      guarded.push_back(std::move(stm));
    }
    before = std::move(guarded);
  }
  static bool isAlwaysThere(const Operand& elements) {
    constexpr int64_t kLittle = 4096;
    return elements.isConstant() && elements.constant.asSigned() <= kLittle;
  }

  VarId let(Block& block, const char* name, ScalarType type, Expr expr) {
    const VarId var = program_.addVar(name, type);
    block.push_back({Let{var, std::move(expr)}});
    return var;
  }

  // Only arithmetic that a hoisted size needs leaves the loop; LLVM does the rest.
  void hoist(Block& body, Vars inside, Block& before, Block& after) {
    Buffers freed = freedIn(body);
    bool any = std::any_of(body.begin(), body.end(), [&](const Stm& stm) {
      const auto* alloc = std::get_if<Alloc>(&stm.node);
      return alloc != nullptr && isConfined(*alloc, freed);
    });
    if (!any) return;
    collectDefined(body, inside);
    Block rest;
    Buffers hoisted;
    for (Stm& stm : body) {
      auto* let = std::get_if<Let>(&stm.node);
      if (let != nullptr && isInvariantArithmetic(*let, inside)) {
        inside.erase(let->var);
        before.push_back(std::move(stm));
        continue;
      }
      const auto* alloc = std::get_if<Alloc>(&stm.node);
      if (alloc != nullptr && isConfined(*alloc, freed) && isInvariant(alloc->elements, inside)) {
        hoisted.insert(alloc->buffer);
        after.push_back({Free{alloc->buffer}});
        before.push_back(std::move(stm));
        continue;
      }
      const auto* free = std::get_if<Free>(&stm.node);
      if (free != nullptr && hoisted.contains(free->buffer)) continue;
      rest.push_back(std::move(stm));
    }
    body = std::move(rest);
  }

  Program& program_;
  Function& function_;
  Buffers moved_;
  int64_t private_bytes_ = 0;
};

}  // namespace

void placeAllocations(Program& program, Function& function) { Placement(program, function).run(); }

}  // namespace halo::imp
