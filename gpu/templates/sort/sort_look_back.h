// Decoupled look-back of a sort (gpu.md#look-back): how many keys of each digit earlier tiles
// have. Numbers of keys add up to the same in any order.
#pragma once

#include "gpu/templates/sort/sort_pass.h"

namespace halo::gpu {

class SortLookBack {
 public:
  SortLookBack(KernelScope& scope, const SortSchedule& shape, const SortPass& pass)
      : scope_(scope), code_(scope.code()), shape_(shape), pass_(pass) {}

  struct Own {
    imp::Operand tile, bin;
    imp::Operand count;  // u32: keys of the tile that have the digit
  };
  void postOwn(const Own& own);
  // Each invocation that `is_bin`: `use` gets how many keys of its digit earlier tiles have. Where
  // that is not to be had in any reasonable time, another engine does it all.
  void find(const imp::Operand& is_bin, const Own& own,
            const std::function<void(const imp::Operand& earlier)>& use);

 private:
  struct Look {
    imp::VarId sum, next, waits, polls;  // next: the tile to be looked at
  };
  imp::Operand stateAt(const imp::Operand& tile, const imp::Operand& bin);
  void post(const Own& own, uint32_t status, const imp::Operand& count);
  imp::Operands see(const Look& look, const imp::Operand& bin);
  void lookOnce(const Look& look, const imp::Operand& bin);

  KernelScope& scope_;
  imp::Builder& code_;
  const SortSchedule& shape_;
  const SortPass& pass_;
};

}  // namespace halo::gpu
