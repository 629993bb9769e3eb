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
  // `prefix`: of the kernels' names; `bins`: host.
  GroupHist(imp::Program& program, imp::Builder& host, const KernelCall& call, std::string prefix,
            imp::Operand bins);

  // Whether it is made for the node: straight code that may stand many times in a kernel.
  static bool fits(const KernelCall& call);
  // Bytes of a bin, host operand: how many bins there are.
  static int64_t bytesOf(const KernelCall& call);
  static imp::Operand binsOf(imp::Builder& host, const KernelCall& call);

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
  Update update(KernelScope& scope, const imp::Environment& known, const imp::Place& place,
                const imp::Operand& i, const imp::Operand& exists);
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

// An algorithm of histograms by such kernels: versions for more and more bins, of which the first
// that has room for them runs.
class GroupHistWay {
 public:
  // `variant`: its name; `how`: for --explain.
  GroupHistWay(imp::Program& program, imp::Builder& host, const KernelCall& call,
               const std::string& variant, std::string how);
  virtual ~GroupHistWay() = default;

  bool isPossible() const { return possible_; }
  // Host: whether the last version has room for all bins.
  imp::Operand fits();
  TemplateResult run();

 protected:
  // For how many bins each version has room; growing.
  virtual std::vector<int64_t> rooms() const = 0;
  // Whether it is supported.
  virtual bool runVersion(size_t which) = 0;

  imp::Program& program_;
  imp::Builder& host_;
  const KernelCall& call_;
  imp::Operand bins_;  // host
  int64_t bytes_ = 0;  // of a bin

 private:
  bool runFrom(size_t which, const std::vector<int64_t>& rooms);

  std::string how_;
  bool possible_ = false;
};

}  // namespace halo::gpu
