// Parts that Core text leaves out and the parser restores, agreed between printer and parser; the
// recognisers also serve passes and code generators. And the text of small parts.
#pragma once

#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "lang/core/ir.h"

namespace halo::core {

// (x, y) { return x, y }
bool isIdentity(const Lambda& lambda);

// (a: t, b: t) { r: t = t.op a b; return r }, unchecked: `t.op` in text.
std::optional<std::pair<prim::Op, ScalarType>> asPrimitive(const Program& program,
                                                           const Lambda& lambda);

// Is `size` a size in the type of one of the binders?
bool isMentioned(const Program& program, ValueId size, const std::vector<ValueId>& binders);

// How many leading parameters (or results) are sizes of others: Function::size_params and
// size_results, unless text says `sizes N` behind them.
int impliedSizeParams(const Program& program, const std::vector<ValueId>& params);

// Small parts as text, for messages.
std::string text(const Program& program, const Operand& operand);
std::string text(const Program& program, const Type& type);

}  // namespace halo::core
