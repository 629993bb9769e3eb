// Histograms over scalars in tables of their own. See lower_hist_tables.cpp.
#pragma once

#include <functional>

#include "lang/imp/lower/lowering.h"

namespace halo::imp {

class HistTables {
 public:
  HistTables(Lowering& lowering, const core::Hist& node, std::vector<ArrayRef> targets);
  static bool fits(const core::Program& core, const LoweringTarget& target, const core::Hist& node);
  // `otherwise` is for fewer elements than bins.
  void run(const std::function<void()>& otherwise);

 private:
  bool isOrderIndependent() const;
  void plan();
  Operands apply(const Operands& a, const Operands& b);
  void look(Operand base, Operand count);
  void count(Operand element, Operand table);
  void strip(Operand base, Operand last, const Operands& tables);
  void part(Operand number);
  void combineTables();

  Lowering& low_;
  Builder& b_;
  const core::Hist& node_;
  const core::HistOp& operation_;
  std::vector<ArrayRef> targets_;
  Operand width_, bins_;
  Operand parts_, part_size_;     // of the elements
  Operand tables_, table_size_;   // of a part, of a table
  std::vector<BufferId> memory_;  // of all tables of all parts, for each destination
  BufferId strip_bins_;
  std::vector<BufferId> strip_values_;
  std::vector<std::optional<Operand>> constants_;  // values that are the same for all elements
};

}  // namespace halo::imp
