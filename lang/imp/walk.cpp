// Default traversals; a new statement kind breaks this file until it is listed.
#include "lang/imp/walk.h"

#include <algorithm>

#include "lang/base/match.h"
#include "lang/imp/operands.h"

namespace halo::imp {

namespace {

using Rewrite = std::function<void(Stm, Block&)>;
using MapOperand = std::function<Operand(const Operand&)>;

void mapAll(Operands& operands, const MapOperand& replace) {
  for (Operand& operand : operands) operand = replace(operand);
}

}  // namespace

Block rewriteBlock(const Block& block, const Rewrite& rewrite) {
  Block out;
  for (Stm stm : block) {
    if (auto* loop = std::get_if<For>(&stm.node)) {
      loop->body = rewriteBlock(loop->body, rewrite);
    } else if (auto* loop = std::get_if<While>(&stm.node)) {
      loop->before = rewriteBlock(loop->before, rewrite);
      loop->body = rewriteBlock(loop->body, rewrite);
    } else if (auto* branch = std::get_if<If>(&stm.node)) {
      branch->then_block = rewriteBlock(branch->then_block, rewrite);
      branch->else_block = rewriteBlock(branch->else_block, rewrite);
    }
    rewrite(std::move(stm), out);
  }
  return out;
}

void forEachStm(const Block& block, const std::function<void(const Stm&)>& visit) {
  for (const Stm& stm : block) {
    visit(stm);
    if (auto* loop = std::get_if<For>(&stm.node)) {
      forEachStm(loop->body, visit);
    } else if (auto* loop = std::get_if<While>(&stm.node)) {
      forEachStm(loop->before, visit);
      forEachStm(loop->body, visit);
    } else if (auto* branch = std::get_if<If>(&stm.node)) {
      forEachStm(branch->then_block, visit);
      forEachStm(branch->else_block, visit);
    }
  }
}

void forEachBuffer(const Stm& stm, const std::function<void(BufferId)>& visit) {
  base::match(
      stm.node,
      [&](const Let& s) {
        if (const auto* load = std::get_if<Load>(&s.expr)) visit(load->buffer);
      },
      [](const Declare&) {}, [](const Assign&) {}, [&](const Store& s) { visit(s.buffer); },
      [](const For&) {}, [](const While&) {}, [](const If&) {},
      [&](const Alloc& s) { visit(s.buffer); }, [&](const Free& s) { visit(s.buffer); },
      [&](const Rebind& s) { visit(s.dst), visit(s.src); },
      [&](const Swap& s) { visit(s.a), visit(s.b); },
      [&](const CopyBuffer& s) { visit(s.dst), visit(s.src); }, [](const Fail&) {},
      [](const Barrier&) {}, [&](const Atomic& s) { visit(s.buffer); },
      [&](const Launch& s) { std::for_each(s.buffers.begin(), s.buffers.end(), visit); },
      [&](const ExitFlag& s) { visit(s.buffer); }, [](const OrderedSection&) {},
      [&](const Append& s) { std::for_each(s.buffers.begin(), s.buffers.end(), visit); },
      [&](const ReadScalar& s) { visit(s.buffer); },
      [&](const Call& s) {
        std::for_each(s.buffers.begin(), s.buffers.end(), visit);
        std::for_each(s.result_buffers.begin(), s.result_buffers.end(), visit);
      },
      [&](const LoadVector& s) { visit(s.buffer); }, [&](const StoreVector& s) { visit(s.buffer); },
      [&](const MatrixOp& s) {
        for (BufferId buffer : {s.matrix, s.memory, s.a, s.b}) {
          if (buffer.valid()) visit(buffer);
        }
      });
}

void mapOperands(Stm& stm, const MapOperand& replace) {
  base::match(
      stm.node, [&](Let& s) { mapOperands(s.expr, replace); },
      [&](Declare& s) { s.initial = replace(s.initial); },
      [&](Assign& s) { s.value = replace(s.value); },
      [&](Store& s) {
        s.index = replace(s.index);
        s.value = replace(s.value);
        s.stream = replace(s.stream);
      },
      [&](For& s) {
        s.lo = replace(s.lo);
        s.hi = replace(s.hi);
      },
      [&](While& s) { s.condition = replace(s.condition); },
      [&](If& s) { s.condition = replace(s.condition); },
      [&](Alloc& s) { s.elements = replace(s.elements); }, [](Free&) {}, [](Rebind&) {},
      [](Swap&) {},
      [&](CopyBuffer& s) {
        s.dst_offset = replace(s.dst_offset);
        s.src_offset = replace(s.src_offset);
        s.count = replace(s.count);
      },
      [&](Fail& s) { mapAll(s.operands, replace); }, [](Barrier&) {},
      [&](Atomic& s) {
        s.index = replace(s.index);
        s.value = replace(s.value);
      },
      [&](Launch& s) {
        mapAll(s.groups, replace);
        mapAll(s.scalars, replace);
      },
      [](ExitFlag&) {}, [](OrderedSection&) {},
      [&](Append& s) {
        s.condition = replace(s.condition);
        mapAll(s.values, replace);
      },
      [&](ReadScalar& s) { s.index = replace(s.index); },
      [&](Call& s) { mapAll(s.scalars, replace); },
      [&](LoadVector& s) { s.index = replace(s.index); },
      [&](StoreVector& s) {
        s.index = replace(s.index);
        mapAll(s.values, replace);
      },
      [&](MatrixOp& s) {
        s.index = replace(s.index);
        s.pitch = replace(s.pitch);
      });
}

void forEachOperand(const Stm& stm, const std::function<void(const Operand&)>& visit) {
  // Mapping to itself changes nothing.
  mapOperands(const_cast<Stm&>(stm), [&](const Operand& operand) {
    visit(operand);
    return operand;
  });
}

namespace {

// Blocks as scopes; the condition and the body of a while loop see the bindings of its `before`.
class Scopes {
 public:
  std::unordered_set<VarId> escaping;

  void walk(const Block& block) {
    size_t outer = bound_.size();
    statements(block);
    leave(outer);
  }

 private:
  void statements(const Block& block) {
    for (const Stm& stm : block) {
      if (auto* loop = std::get_if<While>(&stm.node)) {
        size_t outer = bound_.size();
        statements(loop->before);
        use(loop->condition);
        statements(loop->body);
        leave(outer);
        continue;
      }
      forEachOperand(stm, [&](const Operand& operand) { use(operand); });
      if (auto* assign = std::get_if<Assign>(&stm.node)) use(assign->var);
      if (auto* let = std::get_if<Let>(&stm.node)) bind(let->var);
      if (auto* declare = std::get_if<Declare>(&stm.node)) bind(declare->var);
      if (auto* load = std::get_if<LoadVector>(&stm.node)) {
        for (VarId var : load->vars) bind(var);
      }
      if (auto* atomic = std::get_if<Atomic>(&stm.node); atomic != nullptr && atomic->old.valid()) {
        bind(atomic->old);
      }
      if (auto* loop = std::get_if<For>(&stm.node)) walk(loop->body);
      if (auto* branch = std::get_if<If>(&stm.node)) {
        walk(branch->then_block);
        walk(branch->else_block);
      }
    }
  }
  void bind(VarId var) {
    bound_.push_back(var);
    gone_.erase(var);
  }
  void leave(size_t outer) {
    gone_.insert(bound_.begin() + static_cast<std::ptrdiff_t>(outer), bound_.end());
    bound_.resize(outer);
  }
  void use(const Operand& operand) {
    if (!operand.isConstant() && gone_.contains(operand.var)) escaping.insert(operand.var);
  }

  std::vector<VarId> bound_;
  std::unordered_set<VarId> gone_;
};

}  // namespace

size_t countStms(const Block& block) {
  size_t count = 0;
  forEachStm(block, [&](const Stm&) { ++count; });
  return count;
}

std::unordered_set<VarId> escapingVars(const Block& block) {
  Scopes scopes;
  scopes.walk(block);
  return std::move(scopes.escaping);
}

}  // namespace halo::imp
