// Equations between sizes. First by form, as they were written (size_forms.cpp). Then by
// arithmetic: one unknown that stands alone is solved for, an equation with several waits until the
// declaration is done.
#include <algorithm>

#include "lang/types/infer/inference.h"

namespace halo::types {

// Names that stand for size expressions (`let m = n + 1`) replaced by these.
Size Inference::expand(const Size& size) const {
  SizeRebuild inside;
  inside.size = [&](const Size& part) { return expand(part, inside); };
  return expand(size, inside);
}

Size Inference::expand(const Size& size, SizeRebuild& inside) const {
  Size expanded = resolve(size);
  for (int step = 0; step < 16; ++step) {
    bool changed = false;
    Size next = substitute(expanded, [&](SizeAtom atom) -> std::optional<Size> {
      if (atom.is_unknown) return std::nullopt;
      if (atom.is_expression) {
        SizeExprId id(atom.index);
        SizeExprId inner = rebuild(id, inside);
        if (inner == id) return std::nullopt;
        changed = true;
        return expressionSize(inner);
      }
      auto value = definitionOf(BinderId(atom.index));
      if (!value) return std::nullopt;
      changed = true;
      return resolve(*value);
    });
    if (!changed || isTooComplex(next)) break;
    expanded = std::move(next);
  }
  return expanded;
}

// Also in the size arguments of its callees, and in the expressions of its names. The size of xs is
// not the `length xs` of an xs of that size, nor a name for it.
bool Inference::mentionsLeaf(const Size& size, SizeAtom atom) const {
  Followed followed;
  return mentionsLeaf(size, atom, followed);
}

bool Inference::mentionsLeaf(const Size& size, SizeAtom atom, Followed& followed) const {
  auto within = [&](auto& self, SizeExprId id) -> bool {
    if (!followed.exprs.insert(id.index).second) return false;
    const SizeExpr node = size_exprs_[id.index];
    if (node.variable && SizeAtom{false, node.variable->index} == atom) return true;
    for (const Size& argument : node.size_arguments) {
      if (mentionsLeaf(resolve(argument), atom, followed)) return true;
    }
    return std::any_of(node.parts.begin(), node.parts.end(), [&](const SizeOperand& part) {
      auto* operand = std::get_if<Size>(&part);
      return operand ? mentionsLeaf(resolve(*operand), atom, followed)
                     : self(self, std::get<SizeExprId>(part));
    });
  };
  auto isIn = [&](SizeAtom leaf) {
    if (leaf == atom) return true;
    if (leaf.is_expression) return within(within, SizeExprId(leaf.index));
    const auto value = leaf.is_unknown ? std::nullopt : definitionOf(BinderId(leaf.index));
    if (!value || !followed.names.insert(leaf.index).second) return false;
    return mentionsLeaf(resolve(*value), atom, followed);
  };
  return std::any_of(size.terms.begin(), size.terms.end(), [&](const SizeTerm& term) {
    return std::any_of(term.atoms.begin(), term.atoms.end(), isIn);
  });
}

// A size in terms of itself says nothing: the unknown stays open, and its use reports that.
void Inference::solveSize(SizeAtom unknown, Size value) {
  Size resolved = withClosedForm(resolve(value));
  if (mentionsLeaf(resolved, unknown)) return;
  unknown_sizes_[unknown.index].solution = std::move(resolved);
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

Inference::Decision Inference::decide(const Size& found, const Size& needed) {
  if (isResolved(found) && isResolved(needed)) {  // the usual case: `n` and `n`
    const auto one = asAtom(found), other = asAtom(needed);
    const bool is_written = found.written || needed.written;  // `n - 1 + 1`
    if (one && one == other && !is_written) return Decision::kHolds;
  }
  Size a = resolve(found), b = resolve(needed);
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
      if (mentionsLeaf(*other, *atom)) return Decision::kFails;  // `k` is never `k + k`
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

Inference::Decision Inference::decideByArithmetic(const Size& a, const Size& b) {
  const Size whole_a = expand(a), whole_b = expand(b);
  auto atom_a = asAtom(whole_a), atom_b = asAtom(whole_b);
  if (atom_a && atom_b && atom_a->is_expression && atom_b->is_expression &&
      matchExpressions(SizeExprId(atom_a->index), SizeExprId(atom_b->index))) {
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

bool Inference::isSame(const Size& a, const Size& b) const {
  return equal(resolve(a), resolve(b)) || difference(expand(a), expand(b)).terms.empty();
}

bool Inference::unifySizes(const Size& found, const Size& needed) {
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
bool Inference::mergeInto(const Size& loose, const Size& other) {
  auto atom = asAtom(loose);
  auto place =
      merges_ && atom && atom->isBinder() ? loose_.find(BinderId(atom->index)) : loose_.end();
  if (place == loose_.end()) return false;
  const auto [size, end] = *place;
  bool is_known = order == Order::kFormsFirst || !hasUnknown(other);
  forEachLeaf(other, [&, size = size, end = end](SizeAtom leaf) {
    const bool is_beside =
        leaf.isBinder() && leaf.index < end && loose_.contains(BinderId(leaf.index));
    is_known = is_known && (leaf.is_unknown || leaf.index < size.index || is_beside);
  });
  if (!is_known || mentionsLeaf(other, *atom)) return false;
  merged_[size] = withClosedForm(other);
  if (trail_) trail_->merged.push_back(size);
  return true;
}

bool Inference::mergeSizes(const Size& found, const Size& needed) {
  if (loose_.empty()) return unifySizes(found, needed);
  merges_ = true;
  bool fits = unifySizes(found, needed);
  if (!fits) {
    const Size a = expand(found), b = expand(needed);
    fits = mergeInto(a, b) || mergeInto(b, a);
  }
  merges_ = false;
  return fits;
}

void Inference::fasten(std::vector<BinderId>& sizes) {
  for (BinderId size : sizes) loose_.erase(size);
  std::erase_if(sizes, [&](BinderId size) { return merged_.contains(size); });
}

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
bool Inference::matchFactors(const Size& found, const Size& needed) {
  const Size a = resolve(found), b = resolve(needed);
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
bool Inference::matchSummands(const Size& found, const Size& needed) {
  Size a = resolve(found), b = resolve(needed);
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

MaybeMismatch Inference::solvePostponed() {
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
