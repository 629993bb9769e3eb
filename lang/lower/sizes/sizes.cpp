// Polynomials over values, and the table that says which operand holds one of them.
#include "lang/lower/sizes/sizes.h"

#include <algorithm>

#include "lang/value/limits.h"

namespace halo::lower {

namespace {

// Beyond this, arithmetic is not about sizes (hashes, random numbers): leave it alone.
constexpr size_t kMaxTerms = 6;
constexpr size_t kMaxDegree = 4;

int64_t wrap(uint64_t value) { return static_cast<int64_t>(value); }

void addTerm(Polynomial& sum, const std::vector<uint32_t>& product, int64_t coefficient) {
  int64_t& at = sum.terms[product];
  at = wrap(static_cast<uint64_t>(at) + static_cast<uint64_t>(coefficient));
  if (at == 0) sum.terms.erase(product);
}

Polynomial multiply(const Polynomial& lhs, const Polynomial& rhs) {
  Polynomial result;
  for (const auto& [left, a] : lhs.terms) {
    for (const auto& [right, b] : rhs.terms) {
      std::vector<uint32_t> product = left;
      product.insert(product.end(), right.begin(), right.end());
      std::sort(product.begin(), product.end());
      addTerm(result, product, wrap(static_cast<uint64_t>(a) * static_cast<uint64_t>(b)));
    }
  }
  return result;
}

bool isSmall(const Polynomial& polynomial) {
  if (polynomial.terms.size() > kMaxTerms) return false;
  return std::all_of(polynomial.terms.begin(), polynomial.terms.end(),
                     [](const auto& term) { return term.first.size() <= kMaxDegree; });
}

}  // namespace

Polynomial Polynomial::constant(int64_t value) {
  Polynomial result;
  addTerm(result, {}, value);
  return result;
}

Polynomial Polynomial::variable(core::ValueId value) { return {{{{value.index}, 1}}}; }

std::optional<core::Operand> Polynomial::operand() const {
  if (terms.empty()) return core::Operand::ofI64(0);
  if (terms.size() > 1) return std::nullopt;
  const auto& [product, coefficient] = *terms.begin();
  if (product.empty()) return core::Operand::ofI64(coefficient);
  if (product.size() == 1 && coefficient == 1) return core::ValueId(product[0]);
  return std::nullopt;
}

std::optional<Polynomial> combine(prim::Op op, const Polynomial& lhs, const Polynomial& rhs) {
  Polynomial result;
  if (op == prim::Op::kMul) {
    result = multiply(lhs, rhs);
  } else {
    result = lhs;
    for (const auto& [product, b] : rhs.terms) {
      addTerm(result, product, op == prim::Op::kAdd ? b : wrap(0 - static_cast<uint64_t>(b)));
    }
  }
  return isSmall(result) ? std::optional(result) : std::nullopt;
}

Polynomial Sizes::of(const core::Operand& operand) const {
  if (operand.isConstant()) return Polynomial::constant(operand.constant.asSigned());
  auto found = meaning_.find(operand.value);
  return found != meaning_.end() ? found->second : Polynomial::variable(operand.value);
}

std::optional<core::Operand> Sizes::find(const Polynomial& polynomial) const {
  if (std::optional<core::Operand> operand = polynomial.operand()) return operand;
  auto found = holder_.find(polynomial);
  return found != holder_.end() ? std::optional(found->second) : std::nullopt;
}

void Sizes::define(core::ValueId value, const Polynomial& polynomial) {
  meaning_[value] = polynomial;
  if (holder_.emplace(polynomial, value).second) defined_.push_back(polynomial);
}

void Sizes::addExtent(const core::Operand& operand) {
  if (operand.isConstant()) return;
  if (extents_.insert(operand.value).second) extent_order_.push_back(operand.value);
}

bool Sizes::isExtent(const core::Operand& operand) const {
  if (operand.isConstant()) {
    return operand.constant.asSigned() >= 0 && operand.constant.asSigned() <= value::kMaxElements;
  }
  return extents_.count(operand.value) > 0;
}

std::string Sizes::key(std::string computation, const std::vector<core::Operand>& operands) const {
  for (const core::Operand& operand : operands) {
    computation += '|';
    if (operand.isConstant() && operand.constant.type != prim::ScalarType::kI64) {
      computation +=
          std::string(prim::name(operand.constant.type)) + std::to_string(operand.constant.bits);
      continue;
    }
    for (const auto& [product, coefficient] : of(operand).terms) {
      computation += '+' + std::to_string(coefficient);
      for (const uint32_t value : product) computation += '*' + std::to_string(value);
    }
  }
  return computation;
}

std::optional<core::Operand> Sizes::findComputed(const std::string& key) const {
  const auto found = computed_.find(key);
  return found != computed_.end() ? std::optional(found->second) : std::nullopt;
}

void Sizes::addComputed(const std::string& key, const core::Operand& result) {
  if (computed_.emplace(key, result).second) computed_order_.push_back(key);
}

void Sizes::release(Mark mark) {
  for (; computed_order_.size() > mark.computed; computed_order_.pop_back()) {
    computed_.erase(computed_order_.back());
  }
  for (; defined_.size() > mark.defined; defined_.pop_back()) holder_.erase(defined_.back());
  for (; extent_order_.size() > mark.extents; extent_order_.pop_back()) {
    extents_.erase(extent_order_.back());
  }
}

}  // namespace halo::lower
