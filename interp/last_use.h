// Finds the last use of each variable. There the interpreter may move the value out of its slot.
// Then an array without other references is updated in place instead of copied.
//
//   let a = replicate n 0 in let b = a with [0] = a[1] in b
//                                    ^ last      ^ not last: indices and value come before
//
// Requires: evaluation in the order of nodes.h (plain variables are read last). Ensures: after a
// marked use, no evaluation reads the variable until it is bound again.
#pragma once

#include <unordered_set>

#include "interp/state.h"
#include "lang/types/checked.h"

namespace halo::interp {

// A use of a local variable that does nothing but read it.
bool isPlainVariable(const types::Program& program, syntax::ExprId expr);
// Without parentheses, attributes and ascriptions, unless they bind sizes.
syntax::ExprId stripped(const types::Program& program, syntax::ExprId expr);
// The text of a tracing attribute in front of the value; nothing for other attributes.
std::optional<std::string> traceTag(const syntax::Attribute& attribute);
// The n of `#[bound(n)]`; nothing for other attributes.
std::optional<int64_t> boundOf(const syntax::Attribute& attribute);
// `f x y` as f and [x, y]; `spans[i]` is the expression that applies argument i.
struct Application {
  syntax::ExprId function;
  std::vector<syntax::ExprId> arguments;
  std::vector<syntax::ExprId> applications;
};
Application applicationOf(const types::Program& program, syntax::ExprId expr);

// Variables that expressions for sizes mention: those are evaluated wherever a size is needed.
std::unordered_set<types::BinderId> namedInSizes(const types::Program& program);

// Those in `kept` have no last use. Fails in `state` if expressions are nested too deeply for the
// stack.
void findLastUses(const types::Program& program, syntax::ExprId body,
                  const std::unordered_set<types::BinderId>& kept, State& state,
                  std::unordered_set<syntax::ExprId>& last_uses);

}  // namespace halo::interp
