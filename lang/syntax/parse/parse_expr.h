// Internal to the parser: expressions down to their operators, which OperatorParser reads.
#pragma once

#include <cstdint>
#include <variant>

#include "lang/syntax/parse/rules.h"

namespace halo::syntax {

// A construct whose last part, an expression, is still to come: `let p = e in ..`, `if c then a
// else ..`. Kept on a stack of our own, so that a chain of 100,000 lets is no recursion.
struct TailForm {
  ExprNode node;
  uint32_t begin;
};

class ExprParser : Rules {
 public:
  explicit ExprParser(Parser& parser) : Rules(parser) {}

  ExprId expression(bool section = false);
  // Without `: t`. `section`: a left section `(x +)` may come out.
  ExprId unascribed(bool section = false);
  // One position of an index list, where `:` makes a slice and never gives a type.
  ExprId indexOperand();
  bool startsTailForm() const;

 private:
  ExprId ascribed(ExprId value, uint32_t begin);
  TailForm tailForm();
  ExprId finish(TailForm form, ExprId last);
  ExprNode letForm();
  ExprNode letFunctionForm();
  ExprNode letUpdateForm();
  void endOfLetValue();
  ExprId matchForm();
  ExprNode ifForm();
  ExprNode loopForm();
  ExprNode lambdaForm();
  std::variant<LoopFor, LoopForIn, LoopWhile> loopHead();
  LoopFor unnamedCount();
  ExprId patternAsExpression(PatternId pattern);

  bool in_index_ = false;  // a `:` here belongs to a slice
};

}  // namespace halo::syntax
