// Sorted maps of monomials: small (at most a dozen terms), so simplicity wins.
#include "lang/passes/simplify/polynomial.h"

#include <algorithm>

namespace halo::passes {

namespace {

// Squares of squares double it: forty of them would have 2^40 factors.
constexpr size_t kMaxDegree = 32;

}  // namespace

Polynomial Polynomial::constant(Coefficient c) {
  Polynomial p;
  if (c != 0) p.terms_[{}] = c;
  return p;
}

Polynomial Polynomial::value(core::ValueId v) {
  Polynomial p;
  p.terms_[{v}] = 1;
  return p;
}

std::optional<Polynomial::Coefficient> Polynomial::asConstant() const {
  if (terms_.empty()) return 0;
  if (terms_.size() == 1 && terms_.begin()->first.empty()) return terms_.begin()->second;
  return std::nullopt;
}

std::optional<Polynomial> Polynomial::plus(const Polynomial& other, Coefficient factor) const {
  Polynomial sum = *this;
  for (const auto& [monomial, coefficient] : other.terms_) {
    Coefficient product = 0;
    if (__builtin_mul_overflow(coefficient, factor, &product)) return std::nullopt;
    if (!sum.add(monomial, product)) return std::nullopt;
  }
  return sum;
}

bool Polynomial::add(const Monomial& monomial, Coefficient coefficient) {
  const auto term = terms_.try_emplace(monomial, 0).first;
  if (__builtin_add_overflow(term->second, coefficient, &term->second)) return false;
  if (term->second == 0) terms_.erase(term);
  return true;
}

std::optional<Polynomial> Polynomial::times(const Polynomial& other) const {
  Polynomial product;
  for (const auto& [a, ca] : terms_) {
    for (const auto& [b, cb] : other.terms_) {
      if (a.size() + b.size() > kMaxDegree) return std::nullopt;
      Coefficient coefficient = 0;
      if (__builtin_mul_overflow(ca, cb, &coefficient)) return std::nullopt;
      Monomial monomial(a.size() + b.size());
      std::merge(a.begin(), a.end(), b.begin(), b.end(), monomial.begin());
      if (!product.add(monomial, coefficient)) return std::nullopt;
    }
  }
  return product;
}

std::optional<Polynomial> Polynomial::substitute(
    const std::map<core::ValueId, Polynomial>& by) const {
  Polynomial sum;
  for (const auto& [monomial, coefficient] : terms_) {
    std::optional<Polynomial> term = constant(1);
    for (const core::ValueId factor : monomial) {
      const auto found = by.find(factor);
      term = term->times(found == by.end() ? value(factor) : found->second);
      if (!term) return std::nullopt;
    }
    auto next = sum.plus(*term, coefficient);
    if (!next) return std::nullopt;
    sum = std::move(*next);
  }
  return sum;
}

}  // namespace halo::passes
