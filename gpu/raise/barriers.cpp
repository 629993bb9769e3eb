// Failures in kernels with barriers.
#include "gpu/raise/raise.h"
#include "lang/imp/walk.h"

namespace halo::gpu {

using namespace imp;

bool hasBarrier(const Block& block) {
  bool found = false;
  forEachStm(block, [&](const Stm& stm) { found |= std::holds_alternative<Barrier>(stm.node); });
  return found;
}

bool canFail(const Block& block) {
  bool found = false;
  forEachStm(block, [&](const Stm& stm) { found |= std::holds_alternative<Fail>(stm.node); });
  return found;
}

namespace {

class Guard {
 public:
  Guard(Program& program, VarId failed) : program_(program), failed_(failed) {}

  // Answers, and statements with a barrier inside, run always (their own blocks are guarded
  // within). All others after a possible failure run only while nothing has failed.
  Block run(const Block& block) {
    Block out;
    Block* target = &out;
    bool needs_guard = false;  // before the next statement
    for (const Stm& stm : block) {
      bool is_collective = hasBarrier({stm}) || isAnswer(stm);
      if (is_collective) {
        needs_guard = needs_guard || target != &out;
        target = &out;
      } else if (needs_guard) {
        target = openGuard(*target);
        needs_guard = false;
      }
      target->push_back(inside(stm));
      needs_guard = needs_guard || canFail({stm});
    }
    return out;
  }

 private:
  // One element of shared memory at a place that all know. Where such a value says whether there
  // are barriers, invocations that have failed must agree with the others.
  bool isAnswer(const Stm& stm) const {
    const auto* let = std::get_if<Let>(&stm.node);
    const auto* load = let == nullptr ? nullptr : std::get_if<Load>(&let->expr);
    return load != nullptr && load->index.isConstant() &&
           program_.buffers[load->buffer].space == Space::kShared;
  }

  Block* openGuard(Block& block) {
    VarId fine = program_.addVar("fine", ScalarType::kBool);
    block.push_back({Let{fine, Prim{prim::Op::kNot, ScalarType::kBool, {failed_}}}});
    block.push_back({If{fine, {}, {}}});
    return &std::get<If>(block.back().node).then_block;
  }

  Stm inside(const Stm& stm) {
    Stm copy = stm;
    if (auto* branch = std::get_if<If>(&copy.node)) {
      branch->then_block = run(branch->then_block);
      branch->else_block = run(branch->else_block);
    } else if (auto* loop = std::get_if<For>(&copy.node)) {
      loop->body = guarded(run(loop->body), canFail(loop->body));
    } else if (auto* loop = std::get_if<While>(&copy.node)) {
      bool ends_early = !hasBarrier({stm}) && canFail({stm});
      loop->before = run(loop->before);
      loop->body = guarded(run(loop->body), canFail(loop->body));
      if (ends_early) endOnFailure(*loop);
    }
    return copy;
  }

  // After a failure the loop's own condition may never become false.
  void endOnFailure(While& loop) {
    VarId fine = program_.addVar("fine", ScalarType::kBool);
    VarId both = program_.addVar("again", ScalarType::kBool);
    loop.before.push_back({Let{fine, Prim{prim::Op::kNot, ScalarType::kBool, {failed_}}}});
    loop.before.push_back(
        {Let{both, Prim{prim::Op::kAnd, ScalarType::kBool, {loop.condition, fine}}}});
    loop.condition = both;
  }

  // A later iteration does nothing after a failure, unless it has barriers to reach.
  Block guarded(Block body, bool can_fail) {
    if (!can_fail || hasBarrier(body)) return body;
    Block out;
    *openGuard(out) = std::move(body);
    return out;
  }

  Program& program_;
  VarId failed_;
};

// Variables bound inside a guard and used behind it become mutable ones of the whole kernel.
class Escaping {
 public:
  Escaping(Program& program, const Block& body) : program_(program), vars_(escapingVars(body)) {}

  Block declared(const Block& body) {
    Block result;
    for (uint32_t i = 0; i < program_.vars.size(); ++i) {
      VarId var(i);
      if (!vars_.contains(var)) continue;
      program_.vars[var].is_mutable = true;
      result.push_back({Declare{var, prim::zero(program_.vars[var].type)}});
    }
    Block rest = rewriteBlock(body, [&](Stm stm, Block& out) { assign(std::move(stm), out); });
    result.insert(result.end(), rest.begin(), rest.end());
    return result;
  }

 private:
  // The statement binds variables of its own, which are assigned to those that escape.
  void assign(Stm stm, Block& out) {
    Block assigns;
    if (auto* let = std::get_if<Let>(&stm.node)) {
      rebind(let->var, assigns);
    } else if (auto* declare = std::get_if<Declare>(&stm.node)) {
      if (vars_.contains(declare->var)) {
        out.push_back({Assign{declare->var, declare->initial}});
        return;
      }
    } else if (auto* load = std::get_if<LoadVector>(&stm.node)) {
      for (VarId& var : load->vars) rebind(var, assigns);
    } else if (auto* atomic = std::get_if<Atomic>(&stm.node)) {
      rebind(atomic->old, assigns);
    }
    out.push_back(std::move(stm));
    out.insert(out.end(), assigns.begin(), assigns.end());
  }
  void rebind(VarId& var, Block& assigns) {
    if (!vars_.contains(var)) return;
    const VarId own = program_.addVar(program_.vars[var].name, program_.vars[var].type);
    assigns.push_back({Assign{var, own}});
    var = own;
  }

  Program& program_;
  std::unordered_set<VarId> vars_;
};

}  // namespace

Function keepBarriersUniform(Program& program, const Function& kernel) {
  Function result = kernel;
  if (!hasBarrier(kernel.body) || !canFail(kernel.body)) return result;
  VarId failed = program.addVar("failed", ScalarType::kBool, true);
  Block body = Guard(program, failed).run(kernel.body);
  // Guards are in place: now every Fail also sets the flag.
  body = rewriteBlock(body, [&](Stm stm, Block& out) {
    bool is_fail = std::holds_alternative<Fail>(stm.node);
    out.push_back(std::move(stm));
    if (is_fail) out.push_back({Assign{failed, Scalar::ofBool(true)}});
  });
  body.insert(body.begin(), {Declare{failed, Scalar::ofBool(false)}});
  result.body = Escaping(program, body).declared(body);
  return result;
}

}  // namespace halo::gpu
