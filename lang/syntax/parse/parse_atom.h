// Internal to the parser: operands that need no parentheses, with their indexes and fields.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "lang/syntax/parse/rules.h"

namespace halo::syntax {

class AtomParser : Rules {
 public:
  explicit AtomParser(Parser& parser) : Rules(parser) {}

  ExprId atom();
  ExprId number();
  std::vector<IndexPart> indexList();

 private:
  ExprId primary();
  ExprId name();
  ExprId postfix(ExprId base, uint32_t begin);
  ExprId localOpen(ExprId base, uint32_t begin);
  ExprId parenthesised();
  std::optional<ExprId> operatorInParentheses(uint32_t begin);
  ExprId arrayLiteral();
  ExprId recordLiteral();
  IndexPart indexPart();
};

}  // namespace halo::syntax
