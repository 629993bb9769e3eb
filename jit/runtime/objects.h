// Object code for Imp: from the cache on disk, or through LLVM.
#pragma once

#include <string>

#include "jit/host_program.h"

namespace halo::jit {

// Quick code takes a tenth of the time to make. All give the same bits. Code between nests that may
// run long gets no better code during the call: kQuickNests has it optimised.
enum class Quality { kQuick, kQuickNests, kOptimised };

class Objects {
 public:
  Objects(const imp::Program& program, std::string entry, bool use_disk_cache);
  // The object that an earlier run left on disk, or nothing.
  std::string cached(Quality quality) const;
  diag::Result<std::string> compile(Quality quality) const;

 private:
  std::string key(Quality quality) const;

  const imp::Program& program_;
  std::string entry_;
  std::string text_;  // of the program, part of the key; empty: there is no cache
};

}  // namespace halo::jit
