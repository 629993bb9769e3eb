// Calls of sorts in Core.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "lang/core/ir.h"

namespace halo::passes {

// A kernel of kind `sort` (lang/core/kernel_kind.def).
bool isSort(const core::Function& function);
bool hasSorts(const core::Program& program);

// A call of a sort of arrays of scalars.
struct Sort {
  std::string function;
  std::string row_sort;  // the function that sorts rows; may be empty
  core::Operand size;
  core::ValueId keys;
  std::vector<core::ValueId> beside;  // moved with the keys
};
std::optional<Sort> sortIn(const core::Program& program, const core::Stm& stm);

}  // namespace halo::passes
