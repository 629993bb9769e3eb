// Which values the i64 variables of a kernel can have, and bits cut out of words, where its
// parameters are small (see narrowIndices). One pass from top to bottom: mutable variables have no
// interval.
#pragma once

#include <optional>
#include <unordered_map>

#include "lang/imp/ir.h"

namespace halo::gpu {

using Wide = __int128;
struct Interval {
  Wide lo, hi;
};
bool fits32(const Interval& interval);

class Intervals {
 public:
  // Parameters lie within +-limit, global ids within 0..kNarrowCells.
  Intervals(const imp::Program& program, const imp::Function& kernel, int64_t limit);

  // Of an integer; nothing if unknown.
  std::optional<Interval> of(const imp::Operand& operand) const;
  bool fits(const imp::Operand& operand) const;

 private:
  void visit(const imp::Stm& stm);
  Interval of(const imp::BuiltInValue& value) const;
  std::optional<Interval> of(const imp::Expr& expr) const;
  std::optional<Interval> of(const imp::Prim& prim) const;
  std::optional<Interval> ofWord(const imp::Prim& prim) const;
  std::optional<Interval> of(const imp::Select& select) const;
  const imp::Prim* wholeOf(const imp::Prim& prim) const;
  std::optional<Interval> ofRest(const imp::Prim& prim) const;
  std::optional<Interval> of(const imp::Convert& convert) const;

  const imp::Program& program_;
  const imp::Function& kernel_;
  std::unordered_map<imp::VarId, Interval> known_;
  std::unordered_map<imp::VarId, imp::Prim> less_;       // comparisons by variable
  std::unordered_map<imp::VarId, imp::Prim> quotients_;  // a / b
  std::unordered_map<imp::VarId, imp::Prim> wholes_;     // (a / b) * b, as a / b
};

}  // namespace halo::gpu
