// The default traversals of passes over Imp: looking at blocks, and rebuilding them.
#pragma once

#include <functional>
#include <unordered_set>

#include "lang/imp/ir.h"

namespace halo::imp {

// The expression that a statement binds, if it is one of this kind.
template <typename Node>
const Node* boundAs(const Stm& stm) {
  const Let* let = std::get_if<Let>(&stm.node);
  return let == nullptr ? nullptr : std::get_if<Node>(&let->expr);
}

// Calls `rewrite` for every statement, inner blocks first; it appends the replacement.
Block rewriteBlock(const Block& block, const std::function<void(Stm stm, Block& out)>& rewrite);

// Every statement, outermost first.
void forEachStm(const Block& block, const std::function<void(const Stm&)>& visit);

// The statements of a block and of its inner blocks.
size_t countStms(const Block& block);

// Variables that are used outside the block which binds them.
std::unordered_set<VarId> escapingVars(const Block& block);

// Replaces every operand of one statement (not of its inner blocks).
void mapOperands(Stm& stm, const std::function<Operand(const Operand&)>& replace);

// Every buffer that one statement mentions (not its inner blocks), as often as it does.
void forEachBuffer(const Stm& stm, const std::function<void(BufferId)>& visit);

// Every operand of one statement (not of its inner blocks).
void forEachOperand(const Stm& stm, const std::function<void(const Operand&)>& visit);

}  // namespace halo::imp
