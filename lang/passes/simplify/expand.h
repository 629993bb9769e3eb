// For passes that replace single statements by several: visits every statement of a program, inner
// bodies first, in order.
#pragma once

#include <functional>

#include "lang/core/builder.h"
#include "lang/core/rewrite.h"

namespace halo::passes {

// The expansion of a statement: statements appended to `builder`, and an operand for each result
// that is now known under another name.
class Expansion {
 public:
  explicit Expansion(core::Program& program) : builder(program) {}

  void replace(core::ValueId result, core::Operand by) { replaced[result] = by; }

  core::Builder builder;
  core::Substitution replaced;  // of the whole function, applied at its end
};

// `expand` either appends a replacement and returns true, or returns false to keep the statement.
// Its nested bodies are expanded already; its operands are not yet replaced by `replaced`.
using ExpandStm = std::function<bool(Expansion&, const core::Stm&)>;

core::Program expandStms(const core::Program& program, const ExpandStm& expand);

}  // namespace halo::passes
