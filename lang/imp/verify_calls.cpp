#include <fmt/format.h>

#include <algorithm>

#include "lang/imp/verify_scope.h"

namespace halo::imp {

namespace {

// Numbers of arguments; their types where they are scalars.
void verifySignature(VerifyScope& scope, const Function& target, const Call& call) {
  scope.need(
      target.buffers.size() == call.buffers.size() && target.scalars.size() == call.scalars.size(),
      "a call with the wrong number of arguments");
  for (size_t k = 0; scope.isFine() && k < call.scalars.size(); ++k) {
    scope.use(call.scalars[k], scope.program().vars[target.scalars[k]].type);
  }
}

void verifyElements(VerifyScope& scope, const std::vector<BufferId>& wanted,
                    const std::vector<BufferId>& found) {
  for (size_t k = 0; scope.isFine() && k < found.size(); ++k) {
    scope.need(scope.elementType(found[k]) == scope.program().buffers[wanted[k]].type,
               "a call with an array of another type");
  }
}

void verifyCallOf(VerifyScope& scope, const Function& target, const Call& call) {
  verifySignature(scope, target, call);
  scope.need(target.result_vars.size() == call.results.size() &&
                 target.result_buffers.size() == call.result_buffers.size(),
             "a call with the wrong number of results");
  if (scope.isFine()) verifyElements(scope, target.buffers, call.buffers);
  for (size_t k = 0; scope.isFine() && k < call.results.size(); ++k) {
    const auto& vars = scope.program().vars;
    scope.need(vars[call.results[k]].type == vars[target.result_vars[k]].type,
               "a call with a result of another type");
  }
  for (BufferId buffer : call.result_buffers) scope.place(buffer);
  if (scope.isFine()) verifyElements(scope, target.result_buffers, call.result_buffers);
}

}  // namespace

void verifyName(VerifyScope& scope) {
  const auto& functions = scope.program().functions;
  const auto count = std::count_if(functions.begin(), functions.end(), [&](const Function& other) {
    return other.name == scope.function().name;
  });
  scope.need(count == 1, "another function has this name");
}

void verifyCall(VerifyScope& scope, const Call& call) {
  for (const Function& target : scope.program().functions) {
    if (target.name == call.function && !target.is_entry && target.kind == FunctionKind::kHost) {
      return verifyCallOf(scope, target, call);
    }
  }
  scope.complain(fmt::format("a call of the unknown function `{}`", call.function));
}

void verifyLaunch(VerifyScope& scope, const Launch& launch) {
  for (const Function& target : scope.program().functions) {
    if (target.name == launch.kernel && target.kind == FunctionKind::kKernel) return;
  }
  scope.complain(fmt::format("a launch of the unknown kernel `{}`", launch.kernel));
}

}  // namespace halo::imp
