// Facts of a checked declaration about its order of evaluation.
#pragma once

#include <unordered_map>
#include <unordered_set>
#include <utility>
#include <vector>

#include "lang/types/checked.h"

namespace halo::types {

// Facts about applications for the order of evaluation.
struct SizeOrder {
  // Arguments whose value a later type names: `replicate (f x) 0` becomes
  // `let k = f x in replicate k 0`.
  std::unordered_map<ExprId, BinderId> named_arguments;
  std::unordered_set<ExprId> argument_first;  // applications that were written with `|>`
  std::unordered_set<ExprId> function_first;  // with `<|`
  // Names for expressions in types, as `[f n]t`: known wherever `n` is.
  std::vector<BinderId> expressions;
};

// Nodes that checking has replaced, with their originals.
using Rewritten = std::vector<std::pair<ExprId, syntax::ExprNode>>;

}  // namespace halo::types
