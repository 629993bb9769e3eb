// Reads of elements whose proofs may stand elsewhere. A read without a check in front of it is in
// bounds where it stands; in front of the loop or lambda it may not be.
#pragma once

#include "lang/passes/bounds/bounds_facts.h"

namespace halo::passes {

class ElementProofs {
 public:
  ElementProofs(const core::Program& program, const BoundsFacts& facts)
      : program_(program), facts_(facts) {}

  // Reads an element, or is a view that may lie outside of its array without a check. The check may
  // be an assert in front of it, in the lambda.
  bool owesProof(const core::Stm& stm) const;
  // Whether nested bodies have such reads, or divisions that may fail.
  bool readsInside(const core::Stm& stm) const;

 private:
  bool readsElements(const core::Body& body) const;
  bool isWithin(const core::Stm& stm) const;

  const core::Program& program_;
  const BoundsFacts& facts_;
};

}  // namespace halo::passes
