// Sorted maps of monomials: small (at most a dozen terms), so simplicity wins.
#include "lang/passes/simplify/polynomial.h"

#include <algorithm>

namespace halo::passes {

Polynomial Polynomial::constant(int64_t c) {
  Polynomial p;
  if (c != 0) p.terms_[{}] = c;
  return p;
}

Polynomial Polynomial::value(core::ValueId v) {
  Polynomial p;
  p.terms_[{v}] = 1;
  return p;
}

std::optional<int64_t> Polynomial::asConstant() const {
  if (terms_.empty()) return 0;
  if (terms_.size() == 1 && terms_.begin()->first.empty()) return terms_.begin()->second;
  return std::nullopt;
}

std::optional<Polynomial> Polynomial::plus(const Polynomial& other, int64_t factor) const {
  Polynomial sum = *this;
  for (const auto& [monomial, coefficient] : other.terms_) {
    int64_t product = 0;
    if (__builtin_mul_overflow(coefficient, factor, &product)) return std::nullopt;
    int64_t& term = sum.terms_[monomial];
    if (__builtin_add_overflow(term, product, &term)) return std::nullopt;
    if (term == 0) sum.terms_.erase(monomial);
  }
  return sum;
}

std::optional<Polynomial> Polynomial::times(const Polynomial& other) const {
  Polynomial product;
  for (const auto& [a, ca] : terms_) {
    for (const auto& [b, cb] : other.terms_) {
      Monomial monomial = a;
      monomial.insert(monomial.end(), b.begin(), b.end());
      std::sort(monomial.begin(), monomial.end());
      Polynomial term;
      int64_t coefficient = 0;
      if (__builtin_mul_overflow(ca, cb, &coefficient)) return std::nullopt;
      term.terms_[std::move(monomial)] = coefficient;
      auto sum = product.plus(term);
      if (!sum) return std::nullopt;
      product = std::move(*sum);
    }
  }
  return product;
}

}  // namespace halo::passes
