// Internal to the parser: paths such as `a[i].b.0`.
#pragma once

#include <cstdint>
#include <vector>

#include "lang/syntax/parse/parse_operator.h"
#include "lang/syntax/parse/rules.h"

namespace halo::syntax {

class PathParser : Rules {
 public:
  explicit PathParser(Parser& parser) : Rules(parser) {}

  std::vector<PathStep> path();
  ExprId accessSection(uint32_t begin);
  PendingOperator withOperator();
  ExprNode updateNode(ExprId target, std::vector<PathStep> path, ExprId value);

 private:
  void addFields(std::vector<PathStep>& path);
  bool startsField() const;
};

}  // namespace halo::syntax
