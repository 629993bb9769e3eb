// The returns of reductions (reverse_combine.cpp) and scans (reverse_scan.cpp).
#pragma once

#include "lang/ad/reverse/reverse.h"

namespace halo::ad {

class ReverseCombine {
 public:
  ReverseCombine(Reverse& reverse, Scope& s, const Stm& stm, const Cotangents& cs)
      : all_(reverse),
        program_(reverse.program_),
        s_(s),
        e_(s.back),
        stm_(stm),
        node_(std::get<core::Screma>(stm.expr)),
        cs_(cs) {}

  void run() { node_.scans.empty() ? reduce() : scan(); }

 private:
  // ---- reverse_combine.cpp
  void reduce();
  void reduceAny();
  Operand withLast(const Cotangent& reached, const Operand& seed);
  void reduceExtreme(Op op, const Operand& c);
  void reduceSelection(const Lambda& takes_first);
  void reduceProduct(const Operand& c);
  ValueId shiftedRows(ValueId array, const Operand& edge, bool to_right);
  std::vector<ValueId> scanned(const std::vector<ValueId>& inputs, const Lambda& op,
                               const Operands& neutral);
  std::vector<Cotangent> accumulatorPart(const Lambda& op, const Operand& width,
                                         const std::vector<ValueId>& accs,
                                         const std::vector<ValueId>& xs, const Operands& seeds);

  // ---- reverse_scan.cpp
  struct Recurrence;
  void scan();
  void scanSum();
  void scanAny();
  std::vector<std::vector<Cotangent>> partialsOfScan(const Recurrence& r);
  void keepReached(Recurrence& r, std::vector<std::vector<Cotangent>>& partials) const;
  std::vector<ValueId> recurrence(const Recurrence& r,
                                  const std::vector<std::vector<Cotangent>>& partials);
  std::vector<ValueId> finiteWhereUnused(const Recurrence& r, const Cotangents& reached);
  // Whether cotangents of this component of an operator are requested.
  bool isComponentActive(const Lambda& op, size_t i) const;

  Reverse& all_;
  Program& program_;
  Scope& s_;
  Emitter& e_;
  const Stm& stm_;
  const core::Screma& node_;
  const Cotangents& cs_;
};

}  // namespace halo::ad
