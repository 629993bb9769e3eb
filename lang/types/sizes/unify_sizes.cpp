// Equations between sizes: one unknown that stands alone is solved for, an equation with several
// waits until the declaration is done (solve_postponed.cpp).
#include <algorithm>

#include "lang/types/sizes/size_equations.h"

namespace halo::types {

// A size in terms of itself says nothing: the unknown stays open, and its use reports that.
void SizeEquations::solveSize(SizeAtom unknown, Size value) {
  Size resolved = withClosedForm(sizes_.resolve(value));
  if (sizes_.mentionsLeaf(resolved, unknown)) return;
  sizes_.solve(unknown, std::move(resolved));
  if (trail_) trail_->solved.push_back(unknown.index);
}

namespace {

// An unknown alone, times a number, that occurs nowhere else.
std::optional<SizeTerm> lonelyUnknown(const Size& difference) {
  for (const SizeTerm& term : difference.terms) {
    if (term.atoms.size() != 1 || !term.atoms[0].is_unknown) continue;
    bool elsewhere =
        std::any_of(difference.terms.begin(), difference.terms.end(), [&](const SizeTerm& other) {
          return &other != &term && mentions(Size{{other}, {}}, term.atoms[0]);
        });
    if (!elsewhere) return term;
  }
  return std::nullopt;
}

size_t unknownCount(const Size& size) {
  std::vector<SizeAtom> seen;
  for (const SizeTerm& term : size.terms) {
    for (SizeAtom atom : term.atoms) {
      if (atom.is_unknown && std::find(seen.begin(), seen.end(), atom) == seen.end()) {
        seen.push_back(atom);
      }
    }
  }
  return seen.size();
}

}  // namespace

SizeEquations::Decision SizeEquations::decide(const Size& found, const Size& needed) {
  if (sizes_.isResolved(found) && sizes_.isResolved(needed)) {  // the usual case: `n` and `n`
    const auto one = asAtom(found), other = asAtom(needed);
    const bool is_written = found.written || needed.written;  // `n - 1 + 1`
    if (one && one == other && !is_written) return Decision::kHolds;
  }
  Size a = sizes_.resolve(found), b = sizes_.resolve(needed);
  if (equal(a, b)) {
    if (!isSameForm(a, b)) noteArithmetic(a, b);
    return Decision::kHolds;
  }
  // Of two unknowns the older one stays: its origin says where it belongs.
  auto unknown_a = asAtom(a), unknown_b = asAtom(b);
  if (unknown_a && unknown_b && unknown_a->is_unknown && unknown_b->is_unknown) {
    const bool is_a_older = unknown_a->index < unknown_b->index;
    solveSize(is_a_older ? *unknown_b : *unknown_a, is_a_older ? a : b);
    return Decision::kHolds;
  }
  // A bare unknown takes the other side as it is written, names and all.
  for (const auto& [side, other] : {std::pair(&a, &b), std::pair(&b, &a)}) {
    auto atom = asAtom(*side);
    if (atom && atom->is_unknown) {
      if (sizes_.mentionsLeaf(*other, *atom)) return Decision::kFails;  // `k` is never `k + k`
      solveSize(*atom, *other);
      return Decision::kHolds;
    }
  }
  if (isEscaped(b)) return Decision::kHolds;  // it may be any, as long as it stays hidden
  if (order == Order::kFormsFirst && unifyForms(a, b)) return Decision::kHolds;
  const Decision decision = decideByArithmetic(a, b);
  if (decision == Decision::kHolds) noteArithmetic(a, b);
  return decision;
}

SizeEquations::Decision SizeEquations::decideByArithmetic(const Size& a, const Size& b) {
  const Size whole_a = sizes_.expand(a), whole_b = sizes_.expand(b);
  auto atom_a = asAtom(whole_a), atom_b = asAtom(whole_b);
  if (atom_a && atom_b && atom_a->is_expression && atom_b->is_expression &&
      matchParts(SizeExprId(atom_a->index), SizeExprId(atom_b->index),
                 [&](const Size& x, const Size& y) { return decide(x, y) == Decision::kHolds; })) {
    return Decision::kHolds;
  }
  const Size apart = difference(whole_a, whole_b);
  if (apart.terms.empty()) return Decision::kHolds;
  if (!hasUnknown(apart)) return Decision::kFails;
  auto lonely = lonelyUnknown(apart);
  if (!lonely || unknownCount(apart) > 1) return Decision::kOpen;
  Size rest = difference(apart, Size{{*lonely}, {}});
  for (SizeTerm& term : rest.terms) {  // `2 * k` is `2 * m + 4`: k is m + 2
    if (term.factor % lonely->factor != 0) return Decision::kOpen;
    term.factor /= -lonely->factor;
  }
  solveSize(lonely->atoms[0], std::move(rest));
  return Decision::kHolds;
}

// `f n` against `f m`: part by part, which may solve unknowns.
bool SizeEquations::matchParts(SizeExprId found, SizeExprId needed, const Matches& matches) {
  if (found == needed) return true;
  const SizeExpr a = sizes_.expression(found), b = sizes_.expression(needed);
  if (a.head != b.head || a.variable != b.variable || a.parts.size() != b.parts.size()) {
    return false;
  }
  for (size_t i = 0; i < a.parts.size(); ++i) {
    auto* size_a = std::get_if<Size>(&a.parts[i]);
    auto* size_b = std::get_if<Size>(&b.parts[i]);
    if ((size_a == nullptr) != (size_b == nullptr)) return false;
    const bool fits = size_a ? matches(*size_a, *size_b)
                             : matchParts(std::get<SizeExprId>(a.parts[i]),
                                          std::get<SizeExprId>(b.parts[i]), matches);
    if (!fits) return false;
  }
  return true;
}

bool SizeEquations::unifySizes(const Size& found, const Size& needed) {
  switch (decide(found, needed)) {
    case Decision::kHolds:
      return true;
    case Decision::kFails:
      return false;
    case Decision::kOpen:
      postponed_.push_back({found, needed, current_span, merges_});
      return true;
  }
  HALO_UNREACHABLE("unknown decision");
}

// Only into sizes that are known wherever the parameter is: older ones, and other loose sizes of
// the same parameters. An unknown becomes a parameter of its own if nothing determines it.
bool SizeEquations::mergeInto(const Size& loose, const Size& other) {
  auto atom = asAtom(loose);
  auto place =
      merges_ && atom && atom->isBinder() ? loose_.find(BinderId(atom->index)) : loose_.end();
  if (place == loose_.end()) return false;
  const auto [size, end] = *place;
  bool is_known = order == Order::kFormsFirst || !hasUnknown(other);
  sizes_.forEachLeaf(other, [&, size = size, end = end](SizeAtom leaf) {
    const bool is_beside =
        leaf.isBinder() && leaf.index < end && loose_.contains(BinderId(leaf.index));
    is_known = is_known && (leaf.is_unknown || leaf.index < size.index || is_beside);
  });
  if (!is_known || sizes_.mentionsLeaf(other, *atom)) return false;
  sizes_.merge(size, withClosedForm(other));
  if (trail_) trail_->merged.push_back(size);
  return true;
}

bool SizeEquations::mergeSizes(const Size& found, const Size& needed) {
  if (loose_.empty()) return unifySizes(found, needed);
  merges_ = true;
  bool fits = unifySizes(found, needed);
  if (!fits) {
    const Size a = sizes_.expand(found), b = sizes_.expand(needed);
    fits = mergeInto(a, b) || mergeInto(b, a);
  }
  merges_ = false;
  return fits;
}

void SizeEquations::fasten(std::vector<BinderId>& sizes) {
  for (BinderId size : sizes) loose_.erase(size);
  std::erase_if(sizes, [&](BinderId size) { return sizes_.isMerged(size); });
}

bool SizeEquations::isEscaped(const Size& size) const {
  const auto atom = asAtom(size);
  return atom && atom->isBinder() && escaped_.contains(BinderId(atom->index));
}

void SizeEquations::reset() {
  postponed_.clear();
  loose_.clear();
  arithmetic_.clear();
  escaped_.clear();
  merges_ = false;
  order = Order::kFormsFirst;
}

}  // namespace halo::types
