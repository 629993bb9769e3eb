// The end of a launch whose workgroups each have a partial value. The workgroup that ends last
// combines them, else a second launch does.
//
//   each workgroup    posts its value, then counts itself
//   the last one      sees all posts; the counter is 0 again for the next launch
//
// No workgroup waits for another, so this needs no forward progress [Harris 2007; CUDA's
// threadFenceReduction].
#pragma once

#include "gpu/templates/kernel/lanes.h"

namespace halo::gpu {

class LastGroup {
 public:
  // Host: memory for so many posts of these types, and the counter.
  LastGroup(imp::Builder& host, std::vector<prim::ScalarType> types, const imp::Operand& posts);
  // The same for several sets of workgroups, each of which has a counter and a last one.
  LastGroup(imp::Builder& host, std::vector<prim::ScalarType> types, const imp::Operand& posts,
            const imp::Operand& sets);

  // One invocation of a workgroup, before isLast().
  void post(KernelScope& scope, const imp::Operand& which, const imp::Operands& values) const;
  // All invocations, once; the answer is uniform in a workgroup.
  imp::Operand isLast(KernelScope& scope) const;
  imp::Operand isLast(KernelScope& scope, const imp::Operand& set,
                      const std::function<imp::Operand()>& of_set) const;  // workgroups
  // In the last workgroup: all of its invocations open the posts, then load.
  static void open(KernelScope& scope);
  imp::Operands load(KernelScope& scope, const imp::Operand& which) const;

  void free(imp::Builder& host) const;

 private:
  imp::Operand at(KernelScope& scope, const imp::Operand& which, size_t word) const;

  std::vector<prim::ScalarType> types_;
  imp::Operand posts_;  // host
  imp::BufferId words_, counter_;
};

}  // namespace halo::gpu
