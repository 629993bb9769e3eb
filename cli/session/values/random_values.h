// `random input { 10i32 [3][4]f32 }` of a test block: values of the given types, the same on every
// run with the same seed. Literals stand for themselves.
#pragma once

#include <string>
#include <vector>

#include "cli/session/session.h"

namespace halo::session {

// splitmix64.
class RandomBits {
 public:
  explicit RandomBits(uint64_t seed) : state_(seed) {}
  uint64_t bits();
  // Integers over their whole range, floats in [0, 1).
  value::Scalar scalar(prim::ScalarType type);
  diag::Result<value::Value> array(prim::ScalarType type, std::vector<int64_t> shape);
  // A third each: small numbers, any numbers, and those at the ends of the type, the special ones.
  value::Scalar edgeScalar(prim::ScalarType type);
  diag::Result<value::Value> edgeArray(prim::ScalarType type, std::vector<int64_t> shape);

 private:
  uint64_t state_;
};

diag::Result<std::vector<value::Value>> randomValues(Session& session, const std::string& text,
                                                     uint64_t seed);

}  // namespace halo::session
