// Integer polynomials over Core values: index arithmetic, as far as bounds are concerned.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <vector>

#include "lang/core/ir.h"

namespace halo::passes {

// A product of values, sorted; empty: 1.
using Monomial = std::vector<core::ValueId>;

// Sum of coefficient * monomial. Coefficients that overflow make an operation give nothing.
class Polynomial {
 public:
  Polynomial() = default;
  static Polynomial constant(int64_t c);
  static Polynomial value(core::ValueId v);

  const std::map<Monomial, int64_t>& terms() const { return terms_; }
  std::optional<int64_t> asConstant() const;
  size_t size() const { return terms_.size(); }

  // this + factor * other
  std::optional<Polynomial> plus(const Polynomial& other, int64_t factor = 1) const;
  std::optional<Polynomial> times(const Polynomial& other) const;

 private:
  std::map<Monomial, int64_t> terms_;  // no coefficient is 0
};

}  // namespace halo::passes
