// Addresses of elements, vectors and matrices in GLSL. Arrays in device memory are pointers among
// the kernel's arguments. Shared arrays accessed by vectors are arrays of vectors.
//
//   arg.xs.at[i]                                      an element, by an index of 32 bits
//   B_f32(uint64_t(arg.xs) + uint64_t(i) * 4ul).at[0] the same, by one of 64 bits
//   V_f32(arg.xs).at[uint(i) / 4u]                    a vector
#pragma once

#include <set>
#include <string>
#include <unordered_map>

#include "gpu/glsl/names.h"

namespace halo::gpu {

class Addresses {
 public:
  // `moves_pointers`: distances are added to pointers as 64-bit integers.
  Addresses(const imp::Program& program, const imp::Function& kernel, bool moves_pointers,
            Names& names);

  std::string element(imp::BufferId buffer, const imp::Operand& index);
  std::string vector(imp::BufferId buffer, const imp::Operand& index);
  // An array of vectors, the number of the first one, and their distance.
  std::string matrix(const imp::MatrixOp& op);

 private:
  // The vector in shared memory that an element lies in, and which of its components it is.
  struct VectorNumber {
    std::string number, component;
  };
  VectorNumber vectorNumber(imp::BufferId buffer, const imp::Operand& index);
  std::string vectorAt(imp::BufferId buffer, const imp::Operand& index);
  void findSums(const imp::Function& kernel);

  const imp::Program& program_;
  bool moves_pointers_;
  Names& names_;
  std::set<imp::BufferId> vectors_;  // in shared memory
  // Variables that are another one and a constant.
  std::unordered_map<imp::VarId, std::pair<imp::Operand, int64_t>> sums_;
};

}  // namespace halo::gpu
