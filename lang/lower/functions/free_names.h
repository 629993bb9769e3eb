// Outer binders and type parameters that a lambda or local function mentions, in its code and in
// the types and sizes that inference found. A closure captures these when it crosses into a
// function.
#pragma once

#include <unordered_map>
#include <unordered_set>
#include <vector>

#include "lang/types/checked.h"

namespace halo::lower {

struct Names {
  std::vector<types::BinderId> binders;  // in the order of first mention
  std::vector<types::TypeParamId> type_params;
};

class FreeNames {
 public:
  explicit FreeNames(const types::Program& program) : program_(program) {}
  const Names& of(types::ExprId function);

 private:
  const types::Program& program_;
  std::unordered_map<types::ExprId, Names> found_;
};

}  // namespace halo::lower
