// The launches of a planned program: which kernels run, and where the host code around them gets
// their arguments.
#pragma once

#include <string>
#include <unordered_map>
#include <vector>

#include "lang/core/ir.h"

namespace halo::gpu {

class Launches {
 public:
  explicit Launches(const core::Program& program);

  const core::Program& program() const { return program_; }
  bool has(const std::string& kernel) const { return calls_.contains(kernel); }
  // Whether a launch passes, as this array of the kernel, a view whose axes are in another order
  // than those in memory. Arrays that loops carry, that branches return and that kernels compute
  // are dense.
  bool isRearranged(const core::Function& kernel, core::ValueId array) const;

 private:
  void visit(const core::Body& body);

  const core::Program& program_;
  std::unordered_map<std::string, std::vector<const core::Call*>> calls_;
  std::unordered_map<core::ValueId, const core::Expr*> views_;
};

}  // namespace halo::gpu
