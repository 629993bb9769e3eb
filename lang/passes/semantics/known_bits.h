// Which bits of an integer may be set, by the code that makes it: shifts by counts below the width
// need no test.
//
//   r: u32 = and x 3            bits 3      c: u32 = mul 8 r            bits 31, from 0 to 24
//   b: u32 = u32.of_u8 y        bits 255    m: i64 = mod k 8            bits 7
//   loop for i < 8              bits 7
//
// (Known bits of LLVM's ValueTracking, without those that are set; sums and products by their
// greatest value.)
#pragma once

#include <unordered_map>

#include "lang/core/definitions.h"
#include "lang/core/ir.h"

namespace halo::passes {

class KnownBits {
 public:
  explicit KnownBits(const core::Program& program);

  // A mask of the integer's width: bits outside of it are 0.
  uint64_t maybeSet(const core::Operand& operand);

 private:
  void note(const core::Body& body);
  uint64_t ofPrim(const core::PrimOp& op);
  uint64_t ofSum(const core::PrimOp& op);
  uint64_t ofRest(const core::PrimOp& op);
  uint64_t ofShift(const core::PrimOp& op);
  uint64_t ofConversion(const core::Convert& convert);

  const core::Program& program_;
  core::Definitions definitions_;
  std::unordered_map<core::ValueId, uint64_t> known_;
  int depth_ = 0;
};

}  // namespace halo::passes
