// Scatters of simple elements. See lower_scatter.cpp.
#pragma once

#include "lang/imp/lower/lowering.h"

namespace halo::imp {

class StripScatter {
 public:
  StripScatter(Lowering& lowering, const core::Scatter& node, const std::vector<ArrayRef>& targets);
  static bool fits(const core::Program& core, const LoweringTarget& target,
                   const core::Scatter& node);
  void run();

 private:
  // Destinations that have their places in common.
  struct Group {
    Operands indices;
    std::vector<size_t> destinations;
    Operands values;
    std::vector<BufferId> kept;  // of a strip: places, then values for each destination
    VarId next;                  // how many
  };

  void group(const Operands& results);
  void look(Operand i, Operand part, Operand parts);
  void strip(Operand base, Operand last, Operand part, Operand parts);

  Lowering& low_;
  Builder& b_;
  const core::Scatter& node_;
  const std::vector<ArrayRef>& targets_;
  Operand width_;
  std::vector<Group> groups_;
};

}  // namespace halo::imp
