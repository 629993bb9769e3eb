#include "lang/passes/calls/sorts.h"

#include <algorithm>

namespace halo::passes {

bool isSort(const core::Function& function) {
  return !function.kernel.empty() && function.kernel[0].kind == core::KernelKind::kSort;
}

bool hasSorts(const core::Program& program) {
  return std::any_of(program.functions.begin(), program.functions.end(), isSort);
}

std::optional<Sort> sortIn(const core::Program& program, const core::Stm& stm) {
  const auto* call = std::get_if<core::Call>(&stm.expr);
  if (call == nullptr) return std::nullopt;
  const core::Function* callee = program.find(call->function);
  if (callee == nullptr || !isSort(*callee)) return std::nullopt;
  Sort sort{call->function, callee->kernel[0].row_sort, {}, {}, {}};
  std::vector<core::ValueId> arrays;
  for (const core::Operand& arg : call->args) {
    const size_t rank = program.type(arg).rank();
    if (rank > 1) return std::nullopt;
    if (rank == 1) arrays.push_back(arg.value);
  }
  if (arrays.empty()) return std::nullopt;
  sort.keys = arrays[0];
  sort.size = program.type(arrays[0]).shape[0];
  sort.beside.assign(arrays.begin() + 1, arrays.end());
  return sort;
}

}  // namespace halo::passes
