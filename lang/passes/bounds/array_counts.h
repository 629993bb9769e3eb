// How large code is that would run for nothing, in front of a loop without iterations. Its arrays
// and index spaces are about as large as an array that is there, or larger by a factor.
//
//   xs_1: [n]i64 is there
//   ys_2: [n]i64 = screma [n] ..        as large: a factor of 1
//   t_3: [n][n]i64 = screma [n] ..      larger by n
#pragma once

#include <set>
#include <unordered_set>
#include <vector>

#include "lang/passes/bounds/bounds_facts.h"
#include "lang/passes/bounds/small_sizes.h"

namespace halo::passes {

class ArrayCounts {
 public:
  ArrayCounts(const core::Program& program, const BoundsFacts& facts, const SmallSizes& small)
      : program_(program), facts_(facts), small_(small) {}

  // An array that is there, until `forgetTo` of an earlier mark.
  void exists(core::ValueId array);
  size_t mark() const { return trail_.size(); }
  void forgetTo(size_t mark);

  // Bounded by what is there, or of no element where `times` is 0: code that runs so many times may
  // run once in front of it.
  bool isBounded(const core::Stm& stm, const core::Operand* times) const;

 private:
  using Product = std::optional<Polynomial>;
  bool isOfOneArray(const Monomial& monomial) const;
  bool isBounded(const Product& count, const core::Operand* times) const;
  bool isBounded(const Product& outer, const core::Body& body, const core::Operand* times) const;
  bool isBounded(const Product& outer, const core::Stm& stm, const core::Operand* times) const;

  const core::Program& program_;
  const BoundsFacts& facts_;
  const SmallSizes& small_;
  bool isSmall(core::ValueId size) const;
  struct Learned {
    Monomial count;
    core::ValueId size;
  };
  std::set<Monomial> counts_;                // numbers of elements
  std::unordered_set<core::ValueId> sizes_;  // of their axes
  std::vector<Learned> trail_;               // either
};

}  // namespace halo::passes
