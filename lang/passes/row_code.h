// Code of an element that is made again elsewhere. A node inside of a loop computes the element at
// position `j` in step `i`, the same for every cell. Its operands are looked up in the arrays that
// the cell makes for it, element by element: iotas, replicates and maps of them.
#pragma once

#include <optional>
#include <unordered_map>
#include <unordered_set>

#include "lang/core/builder.h"
#include "lang/core/definitions.h"

namespace halo::passes {

class RowCode {
 public:
  // `bound`: the names that the cell binds, the loop and the node included; `definitions`:
  // of its values. Code goes to `code`.
  RowCode(core::Builder& code, const std::unordered_set<core::ValueId>& bound,
          const core::Definitions& definitions)
      : code_(code), bound_(bound), definitions_(definitions) {}

  void know(core::ValueId value, core::Operand as) { known_[value] = as; }
  // `at` is an index of all arrays of that extent.
  void stays(core::Operand at, core::Operand below) { at_ = at, below_ = below; }
  // Nothing: it depends on the cell, or cannot be made again. Operations that may fail
  // give anything where they would.
  std::optional<core::Operand> make(const core::Operand& operand);
  std::optional<core::Operand> element(core::ValueId array, const core::Operand& at);

 private:
  std::optional<core::Operand> makeValue(core::ValueId value, const core::Stm& stm);
  std::optional<core::Operand> makePrim(core::ValueId value, const core::Stm& stm,
                                        core::PrimOp prim);
  std::optional<core::Operand> makeMatch(core::ValueId value, const core::Stm& stm);
  std::optional<core::Operand> mapped(const core::Screma& map, size_t which,
                                      const core::Operand& at);

  core::Builder& code_;
  const std::unordered_set<core::ValueId>& bound_;
  const core::Definitions& definitions_;
  std::unordered_map<core::ValueId, core::Operand> known_;
  core::Operand at_, below_;
  std::unordered_set<core::ValueId> impossible_;
};

// Scalars alone, that are total, with branches of the same.
bool isTotalScalarCode(const core::Stm& stm);

}  // namespace halo::passes
