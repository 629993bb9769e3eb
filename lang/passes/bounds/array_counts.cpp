// Products of sizes as monomials. One is bounded if all its factors are those of one array.
#include "lang/passes/bounds/array_counts.h"

#include <algorithm>
#include <iterator>

#include "lang/core/visit.h"

namespace halo::passes {

namespace {

constexpr int kFactor = 64;             // of the elements of an array that is there
constexpr int64_t kConstant = 1 << 20;  // elements, whatever is there

// Loops are spaces, too.
std::optional<core::Operands> spaceOf(const core::Expr& expr) {
  if (const auto* screma = std::get_if<core::Screma>(&expr)) return core::Operands{screma->width};
  if (const auto* stencil = std::get_if<core::Stencil>(&expr)) return stencil->space;
  if (const auto* scatter = std::get_if<core::Scatter>(&expr))
    return core::Operands{scatter->width};
  if (const auto* hist = std::get_if<core::Hist>(&expr)) return core::Operands{hist->width};
  if (const auto* loop = std::get_if<core::Loop>(&expr)) {
    const auto* counted = std::get_if<core::ForLoop>(&loop->form);
    if (counted != nullptr) return core::Operands{counted->bound};
  }
  return std::nullopt;
}

}  // namespace

void ArrayCounts::exists(core::ValueId array) {
  const core::Operands& shape = program_.type(array).shape;
  for (const core::Operand& size : shape) {
    if (!size.isConstant() && sizes_.insert(size.value).second) trail_.push_back({{}, size.value});
  }
  const auto count = facts_.elementsOf(shape);
  if (!count) return;
  for (const auto& [monomial, coefficient] : count->terms()) {
    if (coefficient <= 0 || monomial.empty()) continue;
    if (counts_.insert(monomial).second) trail_.push_back({monomial, {}});
  }
}

void ArrayCounts::forgetTo(size_t mark) {
  for (; trail_.size() > mark; trail_.pop_back()) {
    counts_.erase(trail_.back().count);
    sizes_.erase(trail_.back().size);
  }
}

bool ArrayCounts::isSmall(core::ValueId size) const {
  return !sizes_.contains(size) && small_.isSmall(core::Operand(size), sizes_);
}

bool ArrayCounts::isOfOneArray(const Monomial& monomial) const {
  Monomial sizes;
  std::copy_if(monomial.begin(), monomial.end(), std::back_inserter(sizes),
               [&](core::ValueId value) { return !isSmall(value); });
  return std::any_of(counts_.begin(), counts_.end(), [&](const Monomial& all) {
    return all.size() >= monomial.size() &&
           std::includes(all.begin(), all.end(), sizes.begin(), sizes.end());
  });
}

bool ArrayCounts::isBounded(const Product& count, const core::Operand* times) const {
  if (!count) return false;
  const auto isOf = [&](const Monomial& monomial, core::ValueId value) {
    return std::binary_search(monomial.begin(), monomial.end(), value);
  };
  return std::all_of(count->terms().begin(), count->terms().end(), [&](const auto& term) {
    const auto& [monomial, factor] = term;
    if (times != nullptr && !times->isConstant() && isOf(monomial, times->value)) return true;
    if (monomial.empty()) return factor <= kConstant;
    return factor <= kFactor && isOfOneArray(monomial);
  });
}

bool ArrayCounts::isBounded(const Product& outer, const core::Body& body,
                            const core::Operand* times) const {
  return std::all_of(body.stms.begin(), body.stms.end(),
                     [&](const core::Stm& stm) { return isBounded(outer, stm, times); });
}

bool ArrayCounts::isBounded(const Product& outer, const core::Stm& stm,
                            const core::Operand* times) const {
  const auto within = [&](const core::Operands& shape) {
    const auto count = facts_.elementsOf(shape);
    return outer && count ? outer->times(*count) : std::nullopt;
  };
  for (const core::ValueId result : stm.results) {
    const core::Operands& shape = program_.type(result).shape;
    if (!shape.empty() && !isBounded(within(shape), times)) return false;
  }
  const auto space = spaceOf(stm.expr);
  const Product inner = space ? within(*space) : outer;
  if (space && !isBounded(inner, times)) return false;
  bool bounded = true;
  core::visitBodies(stm.expr, [&](const core::Body& body) {
    bounded = bounded && isBounded(inner, body, times);
  });
  return bounded;
}

bool ArrayCounts::isBounded(const core::Stm& stm, const core::Operand* times) const {
  return isBounded(Polynomial::constant(1), stm, times);
}

}  // namespace halo::passes
