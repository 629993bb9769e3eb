// Histograms whose workgroups have bins of their own in shared memory: the common part of their
// templates.
#pragma once

#include "gpu/templates/templates.h"

namespace halo::gpu {

// One operation on scalars. A kernel counts into bins of its workgroup and gives each bin's value
// to storePartial(). Then merge() combines the values of all workgroups, and the destination, in an
// order that depends on their number alone.
class GroupHist {
 public:
  // `prefix`: of the kernels' names.
  GroupHist(imp::Program& program, imp::Builder& host, const KernelCall& call, std::string prefix);

 protected:
  std::string kernelName(const std::string& what) const;
  void launch(KernelScope& scope, int64_t group, const imp::Operand& groups);
  // partial[bin][workgroup] for so many workgroups, host; released by merge().
  void allocatePartial(const imp::Operand& groups);
  void storePartial(KernelScope& scope, const imp::Operand& bin, const imp::Operands& total);
  void merge();
  // The destination := op(the destination, total)
  void addToDestination(KernelScope& scope, const imp::Operand& bin, const imp::Operands& total);

  // op(left, right)
  imp::Operands combined(KernelScope& scope, const imp::Operands& left, const imp::Operands& right);
  imp::Operands neutral(KernelScope& scope);
  std::vector<imp::BufferId> shared(KernelScope& scope, int64_t elements);
  static imp::Operands load(imp::Builder& code, const std::vector<imp::BufferId>& buffers,
                            const imp::Operand& at);
  static void store(imp::Builder& code, const std::vector<imp::BufferId>& buffers,
                    const imp::Operand& at, const imp::Operands& values);
  // lid, lid + size, .. below `count`.
  static void eachOf(imp::Builder& code, const imp::Operand& lid, int64_t size,
                     const imp::Operand& count,
                     const std::function<void(const imp::Operand&)>& visit);

  // The map's result for an element.
  struct Update {
    imp::Operand counts, bin;
    imp::Operands values;
  };
  Update update(KernelScope& scope, const imp::Environment& known,
                const imp::LoweringTarget& target, const imp::Operand& i,
                const imp::Operand& exists);
  // Goes over all elements, `together` of each of a workgroup's invocations at a time, all of which
  // are looked at before `use` counts them.
  void forEachElement(KernelScope& scope, int64_t group, int64_t together,
                      const std::function<void(const std::vector<Update>&)>& use);

  imp::Program& program_;
  imp::Builder& host_;
  const KernelCall& call_;
  const core::Hist& hist_;
  const core::HistOp& node_;
  std::string prefix_;
  imp::Operand bins_, width_, groups_;  // host
  std::vector<imp::BufferId> partial_;  // [bins][groups]
  bool supported_ = true;

 private:
  void mergeFew();
  void mergeMany();
};

}  // namespace halo::gpu
