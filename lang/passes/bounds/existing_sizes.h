// Sizes of the arrays around a body and in front of a statement. Code may leave a body if the sizes
// of its results are among them, or are computed of them: an unchecked size may be any number.
#pragma once

#include <unordered_map>
#include <unordered_set>
#include <vector>

#include "lang/passes/bounds/bounds_facts.h"
#include "lang/passes/bounds/small_sizes.h"

namespace halo::passes {

class ExistingSizes {
 public:
  ExistingSizes(const core::Program& program, BoundsFacts& facts)
      : program_(program), facts_(facts) {}

  size_t mark() const { return trail_.size(); }
  void forgetTo(size_t mark);
  // A statement that may compute a size, compare or check one.
  void note(const core::Stm& stm);
  // A check of a size makes it one. Not a check that has left a body for `none or check`.
  void noteChecked(const core::Stm& stm);
  void knowSizesOf(core::ValueId array);
  void knowSizesOf(const core::Stm& stm);  // of its results

  // Are the sizes of its results and of its index space those of existing arrays, or computed of
  // them?
  bool hasSizes(const core::Stm& stm) const;

  const SmallSizes& small() const { return small_; }

 private:
  void know(core::ValueId size);
  bool isThere(const core::Operand& size) const;
  bool isOfSizes(const Polynomial& computed) const;

  const core::Program& program_;
  BoundsFacts& facts_;
  SmallSizes small_;
  std::unordered_map<core::ValueId, core::ValueId> positive_;  // conditions: it is not negative
  std::unordered_set<core::ValueId> sizes_;
  std::vector<core::ValueId> trail_;  // of these, in the order in which they came
};

}  // namespace halo::passes
