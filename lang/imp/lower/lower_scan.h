// Scans over scalars, in vectors and by threads. See lower_scan.cpp.
#pragma once

#include "lang/imp/lower/lowering.h"

namespace halo::imp {

bool canScanLine(const core::Program& core, const LoweringTarget& target, const core::Screma& node);

// One screma with scans, outside of lanes; its reductions are scanned along.
class LineScan {
 public:
  LineScan(Lowering& lowering, const core::Stm& stm, const core::Screma& node,
           const std::vector<ArrayRef>& mapped);
  void run();  // sets the results but for the mapped ones

 private:
  struct Combiner {
    const core::Lambda& op;
    size_t first, width;  // accumulators
  };

  void add(const core::Lambda& op, const core::Operands& neutral, bool is_scan);
  bool isScanned(size_t k) const { return scanned_[k].buffer.valid(); }
  bool associates() const;  // in any order to the same bits, if the operator is associative
  bool isFastAlone() const;
  Operands apply(const Combiner& combiner, const Operands& a, const Operands& b);
  Operands apply(const Operands& a, const Operands& b);
  void storeScanned(Operand i, const Operands& values);
  Operands elementAt(Operand i, std::vector<BufferId>& owned);
  void oneByOne(Operand first, Operand last, const std::vector<VarId>& carry);
  void lanes(Operand base, Operand lane, const std::vector<VarId>& carry,
             const std::vector<BufferId>& sums);
  std::optional<Block> vectorBlock(VarId block, Operand first, const std::vector<VarId>& carry);
  void range(Operand first, Operand last, const std::vector<VarId>& carry);
  std::vector<VarId> declareCarry();
  void chunk(Operand number, Operand width, const std::vector<ArrayRef>& running);
  void chunksApart(Operand width);
  void inChunks(Operand width);

  Lowering& low_;
  Builder& b_;
  const core::Stm& stm_;
  const core::Screma& node_;
  const std::vector<ArrayRef>& mapped_;
  std::vector<Combiner> combiners_;
  // Of each accumulator: those of reductions, then those of scans, whose arrays are in `scanned_`.
  std::vector<ScalarType> types_;
  Operands neutral_;
  std::vector<ArrayRef> scanned_;
  size_t count_ = 0;
};

}  // namespace halo::imp
