// Internal to the parser: patterns.
#pragma once

#include "lang/syntax/parse/rules.h"

namespace halo::syntax {

class PatternParser : Rules {
 public:
  explicit PatternParser(Parser& parser) : Rules(parser) {}

  PatternId pattern();
  PatternId patternAtom();  // as a parameter is: without a type or arguments outside of parentheses
  bool startsPattern() const;

 private:
  PatternId constructorPattern();
  PatternId literalPattern();
  PatternId parenthesisedPattern();
  PatternId recordPattern();
  bool startsLiteralPattern() const;
};

}  // namespace halo::syntax
