// Loops of lanes: which variables differ between lanes at all.
#include <algorithm>

#include "jit/emit/lanes.h"
#include "lang/base/match.h"
#include "lang/imp/operands.h"
#include "lang/imp/walk.h"

namespace halo::jit {

using imp::Block;
using imp::BufferId;
using imp::Operand;

bool LaneLoop::varies(const Operand& operand) const {
  return !operand.isConstant() && varying_.contains(operand.var);
}

void LaneLoop::findUsed() {
  imp::forEachStm(loop_.body, [&](const imp::Stm& stm) {
    imp::forEachOperand(stm, [&](const Operand& operand) {
      if (!operand.isConstant()) used_.insert(operand.var);
    });
  });
}

void LaneLoop::findVarying() {
  varying_.insert(loop_.var);
  do {
    changed_ = false;
    findVarying(loop_.body, false);
  } while (changed_);
}

void LaneLoop::findVarying(const imp::Let& n) {
  const imp::Operands operands = imp::operandsOf(n.expr);
  const auto* load = std::get_if<imp::Load>(&n.expr);
  bool some = (load != nullptr && isLaneArray(load->buffer)) ||
              std::any_of(operands.begin(), operands.end(),
                          [&](const Operand& operand) { return varies(operand); });
  if (some) addVarying(n.var);
}

// `divergent`: not all lanes may come here.
void LaneLoop::findVarying(const Block& block, bool divergent) {
  for (const imp::Stm& stm : block) {
    base::match(
        stm.node, [&](const imp::Let& n) { findVarying(n); },
        [&](const imp::Declare& n) {
          if (varies(n.initial)) addVarying(n.var);
        },
        [&](const imp::Assign& n) {
          if (divergent || varies(n.value)) addVarying(n.var);
        },
        [&](const imp::For& n) {
          if (varies(n.lo)) addVarying(n.var);
          findVarying(n.body, divergent || varies(n.lo) || varies(n.hi));
        },
        [&](const imp::While& n) {
          bool apart = divergent || varies(n.condition);
          findVarying(n.before, apart);
          findVarying(n.body, apart);
        },
        [&](const imp::If& n) {
          bool apart = divergent || varies(n.condition);
          findVarying(n.then_block, apart);
          findVarying(n.else_block, apart);
        },
        base::otherwise([](const auto&) {}));
  }
}

// Their types wait for the number of lanes.
void LaneLoop::findArrays() {
  for (BufferId buffer : imp::privateArraysOf(f_.program_, f_.usesOfSource(), loop_.body)) {
    arrays_[buffer] = f_.entryAlloca(ir_.getInt8Ty(), f_.info(buffer).name);
  }
}

}  // namespace halo::jit
