// Equations that waited: products and sums, part by part.
#include <algorithm>

#include "lang/types/sizes/size_equations.h"

namespace halo::types {

namespace {

// A product of names and a constant; nothing for sums.
std::vector<Size> plainFactors(const Size& size) {
  std::vector<Size> factors;
  if (size.terms.size() != 1) return factors;
  const SizeTerm& term = size.terms[0];
  if (term.factor != 1) factors.push_back(constantSize(term.factor));
  for (SizeAtom atom : term.atoms) factors.push_back(atomSize(atom));
  return factors;
}

}  // namespace

// `n * m` against `rows * cols`, both products of as many factors: common factors aside, the rest
// pairwise.
bool SizeEquations::matchFactors(const Size& found, const Size& needed) {
  const Size a = sizes_.resolve(found), b = sizes_.resolve(needed);
  // In the orders that are known: as it was written (`n * 3`), as polynomials have it (`3 * n`).
  auto factorings = [&](const Size& size) {
    std::vector<std::vector<Size>> orders;
    for (auto factors : {factorsOf(size), plainFactors(size)}) {
      if (!factors.empty()) orders.push_back(std::move(factors));
    }
    return orders;
  };
  for (std::vector<Size> lhs : factorings(a)) {
    for (std::vector<Size> rhs : factorings(b)) {
      if (lhs.size() != rhs.size()) continue;
      std::erase_if(lhs, [&](const Size& factor) {
        auto same = std::find_if(rhs.begin(), rhs.end(),
                                 [&](const Size& other) { return equal(factor, other); });
        if (same == rhs.end()) return false;
        rhs.erase(same);
        return true;
      });
      if (lhs.size() > 1 || rhs.size() > 1) noteArithmetic(a, b);
      for (size_t i = 0; i < lhs.size(); ++i) decide(lhs[i], rhs[i]);
      return decide(found, needed) == Decision::kHolds;
    }
  }
  return false;
}

// `a + b` against `n * m + r`, as it was written: b is r, a is the part before it.
bool SizeEquations::matchSummands(const Size& found, const Size& needed) {
  Size a = sizes_.resolve(found), b = sizes_.resolve(needed);
  const Size apart = difference(a, b);
  auto only = [](const Size& size, const Size& of) {
    Size own;
    for (const SizeTerm& term : of.terms) {
      const Size alone{{term}, {}};
      if (difference(size, alone).terms.size() < size.terms.size()) own.terms.push_back(term);
    }
    return own;
  };
  a = only(apart, a), b = only(difference(b, a), b);
  if (!hasUnknown(a)) std::swap(a, b);
  if (a.terms.empty() || a.terms.size() > b.terms.size() || hasUnknown(b)) return false;
  auto isUnknown = [](const SizeTerm& term) {
    return term.factor == 1 && hasUnknown({{term}, {}});
  };
  if (!std::all_of(a.terms.begin(), a.terms.end(), isUnknown)) return false;
  for (size_t i = a.terms.size(); i-- > 0;) {
    const Size part = i > 0 ? Size{{b.terms.back()}, {}} : b;
    if (decide(Size{{a.terms[i]}, {}}, part) == Decision::kOpen) {
      matchFactors(Size{{a.terms[i]}, {}}, part);
    }
    b.terms.pop_back();
  }
  return decide(found, needed) == Decision::kHolds;
}

MaybeMismatch SizeEquations::solvePostponed() {
  MaybeMismatch failed;
  bool progress = true;
  while (progress && !postponed_.empty()) {
    progress = false;
    std::vector<Postponed> open;
    for (const Postponed& equation : std::exchange(postponed_, {})) {
      current_span = equation.span;
      merges_ = equation.merges;
      Decision decision = decide(equation.found, equation.needed);
      if (decision == Decision::kOpen) {
        open.push_back(equation);
        continue;
      }
      progress = true;
      if (decision == Decision::kFails && !failed) {
        failed =
            Mismatch{Mismatch::Kind::kSize, {}, {}, equation.found, equation.needed, equation.span};
      }
    }
    merges_ = false;
    postponed_ = std::move(open);
    if (progress) continue;
    for (size_t i = 0; i < postponed_.size() && !progress; ++i) {
      const auto [found, needed, span, merges] = postponed_[i];
      current_span = span;
      merges_ = merges;
      const bool fits =
          unifyForms(found, needed) || matchFactors(found, needed) || matchSummands(found, needed);
      if (!fits) continue;
      postponed_.erase(postponed_.begin() + static_cast<std::ptrdiff_t>(i));
      progress = true;
    }
    merges_ = false;
  }
  return failed;
}

}  // namespace halo::types
