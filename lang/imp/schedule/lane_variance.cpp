// A fixpoint: walks over the body until no further variable is found.
#include "lang/imp/schedule/lane_variance.h"

#include <algorithm>

#include "lang/base/match.h"
#include "lang/imp/operands.h"

namespace halo::imp {
namespace {

class Divergence {
 public:
  Divergence(const For& loop, const std::vector<BufferId>& lane_arrays)
      : loop_(loop), lane_arrays_(lane_arrays) {}

  VaryingVars run() {
    varying_.insert(loop_.var);
    do {
      changed_ = false;
      walk(loop_.body, false);
    } while (changed_);
    return std::move(varying_);
  }

 private:
  bool varies(const Operand& operand) const {
    return !operand.isConstant() && varying_.contains(operand.var);
  }
  void add(VarId var) { changed_ = varying_.insert(var).second || changed_; }

  void let(const Let& n) {
    const Operands operands = operandsOf(n.expr);
    const auto* load = std::get_if<Load>(&n.expr);
    const bool reads_own = load != nullptr && std::find(lane_arrays_.begin(), lane_arrays_.end(),
                                                        load->buffer) != lane_arrays_.end();
    const bool has_varying = std::any_of(operands.begin(), operands.end(),
                                         [&](const Operand& operand) { return varies(operand); });
    if (reads_own || has_varying) add(n.var);
  }

  // `divergent`: some lanes may not reach the block.
  void walk(const Block& block, bool divergent) {
    for (const Stm& stm : block) {
      base::match(
          stm.node, [&](const Let& n) { let(n); },
          [&](const Declare& n) {
            if (varies(n.initial)) add(n.var);
          },
          [&](const Assign& n) {
            if (divergent || varies(n.value)) add(n.var);
          },
          [&](const For& n) {
            if (varies(n.lo)) add(n.var);
            walk(n.body, divergent || varies(n.lo) || varies(n.hi));
          },
          [&](const While& n) {
            const bool diverges = divergent || varies(n.condition);
            walk(n.before, diverges), walk(n.body, diverges);
          },
          [&](const If& n) {
            const bool diverges = divergent || varies(n.condition);
            walk(n.then_block, diverges), walk(n.else_block, diverges);
          },
          base::otherwise([](const auto&) {}));
    }
  }

  const For& loop_;
  const std::vector<BufferId>& lane_arrays_;
  VaryingVars varying_;
  bool changed_ = false;
};

}  // namespace

VaryingVars varyingInLanes(const For& loop, const std::vector<BufferId>& lane_arrays) {
  return Divergence(loop, lane_arrays).run();
}

}  // namespace halo::imp
