// Default traversals; a new statement kind breaks this file until it is listed.
#include "gpu/raise/walk.h"

#include "lang/base/match.h"

namespace halo::gpu {

using namespace imp;

namespace {

using Rewrite = std::function<void(Stm, Block&)>;
using VisitOperand = std::function<void(const Operand&)>;

void visitAll(const Operands& operands, const VisitOperand& visit) {
  for (const Operand& operand : operands) visit(operand);
}

void visitExpr(const Expr& expr, const VisitOperand& visit) {
  base::match(
      expr, [&](const Prim& e) { visitAll(e.args, visit); },
      [&](const Convert& e) { visit(e.arg); },
      [&](const Select& e) {
        visitAll({e.condition, e.on_true, e.on_false}, visit);
      },
      [&](const Load& e) { visit(e.index); }, [](const BuiltInValue&) {});
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

void forEachOperand(const Stm& stm, const VisitOperand& visit) {
  base::match(
      stm.node, [&](const Let& s) { visitExpr(s.expr, visit); },
      [&](const Declare& s) { visit(s.initial); }, [&](const Assign& s) { visit(s.value); },
      [&](const Store& s) {
        visitAll({s.index, s.value}, visit);
      },
      [&](const For& s) {
        visitAll({s.lo, s.hi}, visit);
      },
      [&](const While& s) { visit(s.condition); }, [&](const If& s) { visit(s.condition); },
      [&](const Alloc& s) { visit(s.elements); }, [](const Free&) {}, [](const Rebind&) {},
      [](const Swap&) {},
      [&](const CopyBuffer& s) {
        visitAll({s.dst_offset, s.src_offset, s.count}, visit);
      },
      [&](const Fail& s) { visitAll(s.operands, visit); }, [](const Barrier&) {},
      [&](const Launch& s) {
        visitAll(s.groups, visit);
        visitAll(s.scalars, visit);
      },
      [&](const ReadScalar& s) { visit(s.index); },
      [&](const Call& s) { visitAll(s.scalars, visit); });
}

namespace {

// Blocks as scopes; what `before` of a while loop binds is seen by its condition and its body.
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

std::unordered_set<VarId> escapingVars(const Block& block) {
  Scopes scopes;
  scopes.walk(block);
  return std::move(scopes.escaping);
}

}  // namespace halo::gpu
