// Rebuilding blocks: the default traversal of the passes in this folder.
#pragma once

#include <functional>
#include <unordered_set>

#include "lang/imp/ir.h"

namespace halo::gpu {

// Calls `rewrite` for every statement, inner blocks first; it appends what replaces the statement.
imp::Block rewriteBlock(const imp::Block& block,
                        const std::function<void(imp::Stm stm, imp::Block& out)>& rewrite);

// Every statement, outermost first.
void forEachStm(const imp::Block& block, const std::function<void(const imp::Stm&)>& visit);

// Variables that are used outside the block which binds them.
std::unordered_set<imp::VarId> escapingVars(const imp::Block& block);

// Replaces every operand of one statement (not of its inner blocks).
void mapOperands(imp::Stm& stm, const std::function<imp::Operand(const imp::Operand&)>& replace);

// Every operand of one statement (not of its inner blocks).
void forEachOperand(const imp::Stm& stm, const std::function<void(const imp::Operand&)>& visit);

}  // namespace halo::gpu
