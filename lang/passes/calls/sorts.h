// Calls of sorts in Core.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "lang/core/ir.h"

namespace halo::passes {

// Lower has made it a kernel (lang/lower/sorts.h): its first array has unsigned integers. It puts
// these into order, and all else with them. Its body says the same and stands for it elsewhere.
bool isSort(const core::Function& function);
bool hasSorts(const core::Program& program);

// A call of a sort of arrays of scalars.
struct Sort {
  std::string function;
  core::Operand size;
  core::ValueId keys;
  std::vector<core::ValueId> beside;  // what goes along
};
std::optional<Sort> sortIn(const core::Program& program, const core::Stm& stm);

}  // namespace halo::passes
