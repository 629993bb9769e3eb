// Which computed sizes are at most four times the size of an existing array: quotients of sizes,
// bounds and choices of them. In front of code that never runs, arrays of such sizes cost little.
#pragma once

#include <optional>
#include <unordered_map>
#include <unordered_set>

#include "lang/core/ir.h"

namespace halo::passes {

class SmallSizes {
 public:
  // A statement whose results may be sizes.
  void note(const core::Stm& stm);
  // It may be negative all the same.
  bool isSmall(const core::Operand& size, const std::unordered_set<core::ValueId>& sizes) const;

 private:
  static constexpr int kDepth = 12;  // of an expression
  // How many times as large as an existing size it may be.
  std::optional<int64_t> factorOf(const core::Operand& size,
                                  const std::unordered_set<core::ValueId>& sizes, int depth) const;
  struct Operation {
    prim::Op op;
    core::Operand a, b;
  };
  // A choice is the greater one of its arms.
  std::unordered_map<core::ValueId, Operation> operations_;
};

}  // namespace halo::passes
