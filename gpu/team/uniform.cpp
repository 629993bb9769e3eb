// Which variables differ from lane to lane, to a fixpoint; then control flow around barriers.
#include <fmt/format.h>

#include <unordered_set>

#include "gpu/team/team.h"
#include "lang/imp/walk.h"

namespace halo::gpu {

using namespace imp;

namespace {

bool isCollective(const Stm& stm) {
  const auto* let = std::get_if<Let>(&stm.node);
  return std::holds_alternative<Barrier>(stm.node) ||
         (let != nullptr && std::holds_alternative<Shuffle>(let->expr));
}

class Variance {
 public:
  explicit Variance(const Program& program) : program_(program) {}

  std::string run(const Block& body) {
    for (size_t before = SIZE_MAX; before != varying_.size();) {
      before = varying_.size();
      problem_.clear();
      block(body, false);
    }
    return problem_;
  }

 private:
  bool varies(const Operand& operand) const {
    return !operand.isConstant() && varying_.contains(operand.var);
  }

  bool varies(const Let& let) const {
    if (const auto* built_in = std::get_if<BuiltInValue>(&let.expr)) {
      return built_in->what != BuiltIn::kGroupId && built_in->what != BuiltIn::kGroupCount &&
             built_in->what != BuiltIn::kGroupSize;
    }
    if (std::holds_alternative<Shuffle>(let.expr)) return true;
    const auto* load = std::get_if<Load>(&let.expr);
    if (load != nullptr && program_.buffers[load->buffer].space == Space::kPrivate) return true;
    bool found = false;
    forEachOperand({let}, [&](const Operand& operand) { found = found || varies(operand); });
    return found;
  }

  void bind(VarId var, bool varies) {
    if (varies) varying_.insert(var);
  }

  void block(const Block& statements, bool diverges) {
    for (const Stm& stm : statements) {
      if (diverges && isCollective(stm) && problem_.empty()) {
        problem_ = "a barrier or shuffle that some lanes do not reach";
      }
      if (const auto* let = std::get_if<Let>(&stm.node)) {
        bind(let->var, varies(*let));
      } else if (const auto* declare = std::get_if<Declare>(&stm.node)) {
        bind(declare->var, varies(declare->initial));
      } else if (const auto* assign = std::get_if<Assign>(&stm.node)) {
        bind(assign->var, diverges || varies(assign->value));
      } else if (const auto* load = std::get_if<LoadVector>(&stm.node)) {
        for (VarId var : load->vars) bind(var, true);
      } else if (const auto* atomic = std::get_if<Atomic>(&stm.node)) {
        if (atomic->old.valid()) bind(atomic->old, true);
      } else if (const auto* loop = std::get_if<For>(&stm.node)) {
        const bool differs = diverges || varies(loop->lo) || varies(loop->hi);
        bind(loop->var, varies(loop->lo));
        block(loop->body, differs);
      } else if (const auto* loop = std::get_if<While>(&stm.node)) {
        block(loop->before, diverges);
        block(loop->body, diverges || varies(loop->condition));
        block(loop->before, diverges || varies(loop->condition));
      } else if (const auto* branch = std::get_if<If>(&stm.node)) {
        const bool differs = diverges || varies(branch->condition);
        block(branch->then_block, differs);
        block(branch->else_block, differs);
      }
    }
  }

  const Program& program_;
  std::unordered_set<VarId> varying_;
  std::string problem_;
};

}  // namespace

std::string whyNotUniform(const Program& program, const Block& body) {
  return Variance(program).run(body);
}

}  // namespace halo::gpu
