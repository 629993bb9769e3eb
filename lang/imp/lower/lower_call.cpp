// Calls of other functions of the program.
#include "lang/base/check.h"
#include "lang/imp/lower/in_place_root.h"
#include "lang/imp/lower/lowering.h"

namespace halo::imp {

using core::ValueId;

// Arrays go dense, as a buffer and an offset. Returns the arrays, by position.
std::vector<ArrayRef> Lowering::passArguments(const core::Call& node, Call& call) {
  std::vector<ArrayRef> arguments(node.args.size());
  for (size_t k = 0; k < node.args.size(); ++k) {
    if (core_.type(node.args[k]).isScalar()) {
      call.scalars.push_back(scalar(node.args[k]));
      continue;
    }
    arguments[k] = dense(array(node.args[k].value));
    call.buffers.push_back(arguments[k].buffer);
    call.scalars.push_back(arguments[k].offset);
  }
  return arguments;
}

// The callee's results are fresh, except those in the place of a consumed argument, which are not
// returned at all.
void Lowering::lower(const core::Stm& stm, const core::Call& node) {
  const core::Function* callee = core_.find(node.function);
  HALO_CHECK(callee != nullptr, "call of an unknown function");
  Call call;
  call.function = node.function;
  const std::vector<ArrayRef> arguments = passArguments(node, call);
  std::vector<std::pair<ValueId, BufferId>> fresh_results;
  std::vector<std::pair<ValueId, size_t>> in_place;
  for (size_t k = 0; k < stm.results.size(); ++k) {
    ValueId result = stm.results[k];
    const core::Type& type = core_.type(result);
    const std::string& name = core_.values[result].name;
    if (type.isScalar()) {
      VarId var = b_.program().addVar(name, type.scalar);
      call.results.push_back(var);
      set(result, Operand(var));
    } else if (auto argument = inPlaceArgument(core_, *callee, k)) {
      in_place.emplace_back(result, *argument);
    } else {
      BufferId buffer = b_.buffer(name, type.scalar, target_.space);
      call.result_buffers.push_back(buffer);
      fresh_results.emplace_back(result, buffer);
    }
  }
  b_.append(std::move(call));
  for (auto [result, buffer] : fresh_results) {
    scope_->owned.push_back(buffer);
    set(result, denseArray(b_, buffer, kZero, core_.type(result).scalar,
                           scalars(core_.type(result).shape)));
  }
  for (auto [result, argument] : in_place) set(result, arguments[argument]);
}

std::optional<size_t> inPlaceArgument(const core::Program& core, const core::Function& function,
                                      size_t result) {
  const core::Operand& value = function.body.results[result];
  if (value.isConstant()) return std::nullopt;
  ValueId root = inPlaceRoot(core, function.body, value.value);
  for (size_t k = 0; k < function.params.size() && k < function.consumed.size(); ++k) {
    if (function.params[k] == root && function.consumed[k]) return k;
  }
  return std::nullopt;
}

}  // namespace halo::imp
