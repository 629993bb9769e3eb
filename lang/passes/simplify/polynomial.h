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

// Sum of coefficient * monomial. Coefficients that overflow and products of many factors make an
// operation give nothing. Coefficients are wider than the values: proofs about the ends of an i64
// multiply and add some.
class Polynomial {
 public:
  using Coefficient = __int128;
  Polynomial() = default;
  static Polynomial constant(Coefficient c);
  static Polynomial value(core::ValueId v);

  const std::map<Monomial, Coefficient>& terms() const { return terms_; }
  std::optional<Coefficient> asConstant() const;
  size_t size() const { return terms_.size(); }

  // this + factor * other
  std::optional<Polynomial> plus(const Polynomial& other, Coefficient factor = 1) const;
  std::optional<Polynomial> times(const Polynomial& other) const;
  // All these values replaced at once.
  std::optional<Polynomial> substitute(const std::map<core::ValueId, Polynomial>& by) const;

  friend bool operator==(const Polynomial&, const Polynomial&) = default;

 private:
  bool add(const Monomial& monomial, Coefficient coefficient);  // false if it overflows

  std::map<Monomial, Coefficient> terms_;  // no coefficient is 0
};

}  // namespace halo::passes
