// Failures in kernels with barriers.
#include "gpu/raise/raise.h"
#include "gpu/raise/walk.h"

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

  // Statements with a barrier inside run always (their own blocks are guarded within); all others
  // after a possible failure run only while nothing has failed.
  Block run(const Block& block) {
    Block out;
    Block* target = &out;
    bool may_have_failed = false;
    for (const Stm& stm : block) {
      bool collective = std::holds_alternative<Barrier>(stm.node) || hasBarrier({stm});
      if (collective) {
        target = &out;
        out.push_back(inside(stm));
        may_have_failed = may_have_failed || canFail({stm});
        if (may_have_failed) target = nullptr;
        continue;
      }
      if (target == nullptr) target = openGuard(out);
      target->push_back(inside(stm));
      if (canFail({stm})) {
        may_have_failed = true;
        target = openGuard(*target);
      }
    }
    return out;
  }

 private:
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
      loop->before = run(loop->before);
      loop->body = guarded(run(loop->body), canFail(loop->body));
    }
    return copy;
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
  result.body = {{Declare{failed, Scalar::ofBool(false)}}};
  result.body.insert(result.body.end(), body.begin(), body.end());
  return result;
}

}  // namespace halo::gpu
