// Internal to the parser: chains of operators, and their operands down to atoms.
#pragma once

#include <cstddef>
#include <optional>
#include <utility>
#include <vector>

#include "lang/syntax/parse/rules.h"

namespace halo::syntax {

struct PendingOperator {
  enum class Kind { kBinary, kUpdate, kRangeStep, kRange } kind;
  int precedence;
  QualifiedName op;                 // kBinary
  std::vector<PathStep> path;       // kUpdate
  RangeEnd end = RangeEnd::kBelow;  // kRange
  bool has_step = false;            // kRange with two operands in front
};

class OperatorParser : Rules {
 public:
  explicit OperatorParser(Parser& parser) : Rules(parser) {}

  // Operands with operators between them. `section`: a left section `(x +)` may come out.
  ExprId chain(bool section);
  // Whether the last chain was a left section; asked once.
  bool takeLeftSection() { return std::exchange(left_section_, false); }
  std::optional<QualifiedName> peekOperator(size_t* length) const;
  ExprId constructor(bool with_arguments);

 private:
  struct Operands {
    std::vector<ExprId> values;
    std::vector<PendingOperator> operators;
  };
  bool pushOperator(Operands& stack, bool section);
  bool pushRange(Operands& stack);
  void reduce(Operands& stack, int above);
  void reduceOne(Operands& stack);
  size_t qualifiedOperatorLength() const;
  bool startsOperator() const;
  ExprId operand();
  ExprId application();
  bool startsAtom() const;

  bool left_section_ = false;  // chain() has just built one
};

}  // namespace halo::syntax
