// Equations between sizes by form: `[n * m]` against `[(a + 1) * b]` gives n and m, whatever the
// factors are; against `[k]` it gives nothing. This is all that Futhark does, so an equation that
// holds by arithmetic is noted for a warning.
#include <algorithm>

#include "lang/types/sizes/size_equations.h"

namespace halo::types {

namespace {

constexpr int kMaxDepth = 64;  // of forms, and of names that stand for each other

// The unknowns of its form, at least, are in the polynomial: else the search for them would have no
// end.
bool isFormClosed(const Size& size, const Size& whole) {
  if (!size.written) {
    const auto atom = asAtom(size);
    const bool is_open = atom && (atom->is_unknown || atom->is_open);
    return !is_open || mentions(whole, *atom);
  }
  if (!size.written->op) return true;
  return isFormClosed(size.written->lhs, whole) && isFormClosed(size.written->rhs, whole);
}

}  // namespace

Size SizeEquations::withClosedForm(Size size) const {
  if (size.written && !isFormClosed(size, size)) size.written = nullptr;
  return size;
}

// The expression of a name that no program has written.
std::optional<Size> SizeEquations::spelled(const Size& size, Names names) const {
  const auto atom = asAtom(size);
  if (!atom || !atom->isBinder()) return std::nullopt;
  const BinderId binder(atom->index);
  const bool is_ended = names == Names::kEnded && sizes_.hasEndedScope(binder);
  return sizes_.isNamed(binder) && !is_ended ? std::nullopt : sizes_.definitionOf(binder);
}

bool SizeEquations::matchForms(const Size& found, const Size& needed, int depth) {
  const Size a = sizes_.resolve(found), b = sizes_.resolve(needed);
  if (isSameForm(a, b)) return true;
  if (depth > kMaxDepth) return false;
  for (const auto& [side, other] : {std::pair(&a, &b), std::pair(&b, &a)}) {
    const auto atom = asAtom(*side);
    if (!atom || !atom->is_unknown) continue;
    if (sizes_.mentionsLeaf(*other, *atom)) return false;
    solveSize(*atom, *other);
    return true;
  }
  if (auto spelled_a = spelled(a, Names::kEnded)) return matchForms(*spelled_a, b, depth + 1);
  if (auto spelled_b = spelled(b, Names::kEnded)) return matchForms(a, *spelled_b, depth + 1);
  if (mergeInto(a, b) || mergeInto(b, a)) return true;
  const auto atom_a = asAtom(a), atom_b = asAtom(b);
  if (atom_a && atom_b && atom_a->is_expression && atom_b->is_expression) {
    return matchParts(SizeExprId(atom_a->index), SizeExprId(atom_b->index),
                      [&](const Size& x, const Size& y) { return matchForms(x, y, depth + 1); });
  }
  if (!a.written || !b.written || !a.written->op || a.written->op != b.written->op) return false;
  const auto form_a = a.written, form_b = b.written;  // solving may change neither
  return matchForms(form_a->lhs, form_b->lhs, depth + 1) &&
         matchForms(form_a->rhs, form_b->rhs, depth + 1);
}

// All or nothing: unknowns that a failing match has solved are open again.
bool SizeEquations::unifyForms(const Size& found, const Size& needed) {
  trail_.emplace();
  const bool fits = matchForms(found, needed, 0);
  if (!fits) {
    for (uint32_t unknown : trail_->solved) sizes_.forgetSolution(unknown);
    for (BinderId merged : trail_->merged) sizes_.forgetMerge(merged);
  }
  trail_.reset();
  return fits;
}

// ---- equations by arithmetic

// Names that no program has written, replaced by their expressions.
Size SizeEquations::spelledOut(const Size& size, Names names) const {
  Size spelled_out = sizes_.resolve(size);
  for (int step = 0; step < kMaxDepth; ++step) {
    bool changed = false;
    spelled_out = substitute(spelled_out, [&](SizeAtom atom) -> std::optional<Size> {
      auto value = spelled(atomSize(atom), names);
      if (!value || isTooComplex(*value)) return std::nullopt;
      changed = true;
      return sizes_.resolve(*value);
    });
    if (!changed) break;
  }
  return spelled_out;
}

void SizeEquations::noteArithmetic(const Size& found, const Size& needed) {
  // A type that was declared before has the number where a constant's name was written.
  const auto isName = [](const Size& size) { return size.written && !size.written->op; };
  if ((isName(found) && asConstant(needed)) || (isName(needed) && asConstant(found))) return;
  const Size a = spelledOut(found, Names::kEnded), b = spelledOut(needed, Names::kEnded);
  if (isSameForm(a, b)) return;
  const auto same = [&](const ByArithmetic& note) { return note.span == current_span; };
  if (std::any_of(arithmetic_.begin(), arithmetic_.end(), same)) return;
  arithmetic_.push_back({found, needed, current_span});
}

std::vector<SizeEquations::ByArithmetic> SizeEquations::heldByArithmetic() const {
  std::vector<ByArithmetic> held;
  for (const auto& [found, needed, span] : arithmetic_) {
    const Size a = spelledOut(found, Names::kInScope), b = spelledOut(needed, Names::kInScope);
    if (!isSameForm(a, b)) held.push_back({a, b, span});
  }
  return held;
}

}  // namespace halo::types
