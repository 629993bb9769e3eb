// The end of a declaration: defaults, what has remained undetermined, the tables of the Program.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "lang/types/part.h"

namespace halo::types {

class Finisher : CheckerPart {
 public:
  explicit Finisher(const CheckerParts& parts)
      : CheckerPart(parts),
        on_demand_(parts.on_demand),
        names_(parts.names),
        comparison_(parts.comparison),
        exprs_(parts.exprs),
        declarations_(parts.declarations) {}

  void finishDeclaration(CurrentDef& def);
  void applyDefaults();
  void writeTables();

 private:
  void generalise(CurrentDef& def);
  void rejectOpenSizes(const CurrentDef& def);
  void rejectHiddenSizes(const CurrentDef& def);
  void rejectOpenEquality();
  void settleHoles(const CurrentDef& def);
  void warnOfHoles();
  void checkDetermined();
  void rejectEscapingTypes();
  void writeOperator(const PendingOperator& pending);
  void writeLiteral(const PendingLiteral& pending);
  void rejectUnusedSizes(const CurrentDef& def);

  OnDemand& on_demand_;
  Names& names_;
  Comparison& comparison_;
  ExprInferrer& exprs_;
  Declarations& declarations_;
};

}  // namespace halo::types
