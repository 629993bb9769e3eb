// The names of variables and buffers in the parts of a shader.
#pragma once

#include <set>
#include <string>
#include <unordered_map>
#include <vector>

#include "lang/imp/ir.h"

namespace halo::gpu {

// Numbers count from the first mention in the shader, not through the program: kernels of equal
// code have equal text, and share a pipeline.
class Names {
 public:
  Names(const imp::Program& program, const imp::Function& kernel);

  const std::string& of(imp::VarId var);
  const std::string& of(imp::BufferId buffer);
  std::string text(const imp::Operand& operand);
  // Numbers all that the statement itself reads, whatever order the printer asks in.
  void mention(const imp::Stm& stm);
  // Position of a failure site in failureSites (printer.h).
  size_t site(int site) const { return sites_.at(site); }

 private:
  const imp::Program& program_;
  std::unordered_map<imp::VarId, std::string> vars_;
  std::unordered_map<imp::BufferId, std::string> buffers_;
  std::unordered_map<int, size_t> sites_;
};

// Four elements of 4 bytes or two of 8; smaller elements as their bits.
std::string vectorName(prim::ScalarType type);
// Elements of such a vector in shared memory, where smaller ones have 4 bytes.
inline int64_t componentsOf(prim::ScalarType type) { return prim::byteSize(type) == 8 ? 2 : 4; }
// Buffers that the body loads from or stores to, in order of their ids.
std::set<uint32_t> usedBuffers(const imp::Function& kernel);
// Shared buffers that vectors or matrices are loaded from are arrays of vectors.
std::set<imp::BufferId> sharedVectors(const imp::Program& program, const imp::Function& kernel);

}  // namespace halo::gpu
