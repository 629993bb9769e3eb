// What the parts of a shader call their variables and buffers.
#pragma once

#include <set>
#include <string>

#include "lang/imp/ir.h"

namespace halo::gpu {

class Names {
 public:
  explicit Names(const imp::Program& program) : program_(program) {}

  std::string of(imp::VarId var) const;
  std::string of(imp::BufferId buffer) const;
  std::string text(const imp::Operand& operand) const;

 private:
  const imp::Program& program_;
};

// Four elements of 4 bytes or two of 8; smaller elements as their bits.
std::string vectorName(prim::ScalarType type);
// Buffers that the body loads from or stores to, in order of their ids.
std::set<uint32_t> usedBuffers(const imp::Function& kernel);
// Shared buffers that vectors are loaded from are arrays of vectors.
std::set<imp::BufferId> sharedVectors(const imp::Program& program, const imp::Function& kernel);

}  // namespace halo::gpu
