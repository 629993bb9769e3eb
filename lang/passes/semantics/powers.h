// Which integers of a program are powers of two: divisions by them are shifts.
//
//   ns: i32 = shl 1 i            one bit          t = and x (sub 0 x)      one bit
//   loop (w = 1) .. mul w 2      one bit          u: i64 = i64 (shl 1 i)   signed: -2^31 is
//   possible
//
// A value is as its operands are, an array as all of its elements, a parameter as all arguments.
// Loops, operators of reductions and calls are followed to a fixpoint that starts from the best
// level. (Wegman and Zadeck, TOPLAS 1991: optimistic propagation over the whole program.)
#pragma once

#include <unordered_map>

#include "lang/core/ir.h"

namespace halo::passes {

class PowersOfTwo {
 public:
  enum class Level : uint8_t {
    kOneBit,  // at most one bit is set: 2^k or 0, of the signed types the minimum as well
    kSigned,  // 2^k, -2^k or 0
    kOther,
  };

  explicit PowersOfTwo(const core::Program& program);

  Level of(const core::Operand& operand) const;

 private:
  void add(const core::Body& body);
  void add(const core::Stm& stm);
  void addNode(const core::Stm& stm);
  void addScrema(const core::Stm& stm, const core::Screma& node);
  void addScatter(const core::Stm& stm, const core::Scatter& node);
  void addLoop(const core::Stm& stm, const core::Loop& loop);
  void addCall(const core::Stm& stm, const core::Call& call);
  void addOperator(const core::Lambda& op, const core::Operands& neutral,
                   const core::Operands& elements);
  Level ofPrim(const core::PrimOp& op) const;
  Level ofConversion(const core::Convert& convert) const;
  Level ofArray(const core::Expr& expr) const;
  bool isLowestBit(const core::PrimOp& op) const;
  void raise(core::ValueId value, Level level);

  const core::Program& program_;
  std::unordered_map<core::ValueId, Level> levels_;           // but for kOneBit
  std::unordered_map<core::ValueId, core::Operand> negated_;  // what it is the negative of
  bool rises_ = true;
};

}  // namespace halo::passes
