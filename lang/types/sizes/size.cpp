// Polynomial arithmetic of sizes. Wraps like the program's own i64 arithmetic.
#include "lang/types/sizes/size.h"

#include <algorithm>

namespace halo::types {

namespace {

constexpr size_t kMaxTerms = 24;
constexpr size_t kMaxDegree = 8;
constexpr size_t kMaxFormWeight = 64;  // of a form; heavier ones are forgotten
// Arithmetic ends here: `a * a` with `a = b * b` and so on doubles the degree with each name.
constexpr size_t kCutTerms = 96;
constexpr size_t kCutDegree = 32;

int64_t wrapAdd(int64_t a, int64_t b) {
  return static_cast<int64_t>(static_cast<uint64_t>(a) + static_cast<uint64_t>(b));
}
int64_t wrapMul(int64_t a, int64_t b) {
  return static_cast<int64_t>(static_cast<uint64_t>(a) * static_cast<uint64_t>(b));
}

// The same for atoms in any order.
uint64_t indexSum(const SizeTerm& term) {
  uint64_t sum = 0;
  for (SizeAtom atom : term.atoms) sum += atom.index;
  return sum;
}

bool sameAtoms(const SizeTerm& a, const SizeTerm& b) {
  if (a.atoms.size() != b.atoms.size()) return false;
  if (a.atoms == b.atoms) return true;
  if (indexSum(a) != indexSum(b)) return false;
  auto sorted_a = a.atoms, sorted_b = b.atoms;
  std::sort(sorted_a.begin(), sorted_a.end());
  std::sort(sorted_b.begin(), sorted_b.end());
  return sorted_a == sorted_b;
}

void addTerm(Size& size, SizeTerm term) {
  if (term.factor == 0) return;
  if (term.atoms.size() > kCutDegree) size.is_cut = true;
  auto same = std::find_if(size.terms.begin(), size.terms.end(),
                           [&](const SizeTerm& t) { return sameAtoms(t, term); });
  if (same == size.terms.end()) {
    size.terms.push_back(std::move(term));
    if (size.terms.size() > kCutTerms) size.is_cut = true;
    return;
  }
  same->factor = wrapAdd(same->factor, term.factor);
  if (same->factor == 0) size.terms.erase(same);
}

}  // namespace

Size constantSize(int64_t value) {
  Size size;
  addTerm(size, {value, {}});
  return size;
}

Size namedConstant(DefId name, int64_t value) {
  Size size = constantSize(value);
  size.written = std::make_shared<WrittenSize>(WrittenSize{std::nullopt, {}, {}, name, 1});
  return size;
}

Size atomSize(SizeAtom atom) { return {{{1, {atom}}}, {}}; }

Size binderSize(BinderId binder) { return atomSize({false, binder.index}); }

namespace {

Size cut(const Size& size) { return {size.terms, {}, true}; }

Size sum(const Size& lhs, const Size& rhs, int64_t sign) {
  if (lhs.is_cut || rhs.is_cut) return cut(lhs.is_cut ? lhs : rhs);
  Size sum{lhs.terms, {}};
  for (SizeTerm term : rhs.terms) {
    if (sum.is_cut) break;
    term.factor = wrapMul(term.factor, sign);
    addTerm(sum, std::move(term));
  }
  return sum;
}

Size product(const Size& lhs, const Size& rhs) {
  if (lhs.is_cut || rhs.is_cut) return cut(lhs.is_cut ? lhs : rhs);
  Size product;
  for (const SizeTerm& a : lhs.terms) {
    for (const SizeTerm& b : rhs.terms) {
      if (product.is_cut) return product;
      SizeTerm term{wrapMul(a.factor, b.factor), a.atoms};
      term.atoms.append(b.atoms.begin(), b.atoms.end());
      addTerm(product, std::move(term));
    }
  }
  return product;
}

size_t weightOf(const Size& size) { return size.written ? size.written->weight : 1; }

// Several terms that arithmetic has found have no form.
bool hasForm(const Size& size) { return size.written || asAtom(size) || asConstant(size); }

}  // namespace

Size written(SizeOp op, const Size& lhs, const Size& rhs) {
  Size size = op == SizeOp::kMul ? product(lhs, rhs) : sum(lhs, rhs, op == SizeOp::kAdd ? 1 : -1);
  const size_t weight = weightOf(lhs) + weightOf(rhs) + 1;
  if (size.is_cut) return size;
  if (weight > kMaxFormWeight || !hasForm(lhs) || !hasForm(rhs)) return size;
  size.written = std::make_shared<WrittenSize>(WrittenSize{op, lhs, rhs, {}, weight});
  return size;
}

Size operator+(const Size& lhs, const Size& rhs) { return written(SizeOp::kAdd, lhs, rhs); }
Size operator-(const Size& lhs, const Size& rhs) { return written(SizeOp::kSub, lhs, rhs); }
Size operator*(const Size& lhs, const Size& rhs) { return written(SizeOp::kMul, lhs, rhs); }
Size difference(const Size& lhs, const Size& rhs) { return sum(lhs, rhs, -1); }

bool equal(const Size& lhs, const Size& rhs) {
  if (lhs.is_cut || rhs.is_cut) return false;
  if (lhs.terms.size() != rhs.terms.size()) return false;
  return std::all_of(lhs.terms.begin(), lhs.terms.end(), [&](const SizeTerm& a) {
    return std::any_of(rhs.terms.begin(), rhs.terms.end(),
                       [&](const SizeTerm& b) { return a.factor == b.factor && sameAtoms(a, b); });
  });
}

bool isSameForm(const Size& lhs, const Size& rhs) {
  if (lhs.written == rhs.written) return equal(lhs, rhs);
  if (!lhs.written || !rhs.written || lhs.written->op != rhs.written->op) return false;
  const WrittenSize &a = *lhs.written, &b = *rhs.written;
  return a.op ? isSameForm(a.lhs, b.lhs) && isSameForm(a.rhs, b.rhs) : a.name == b.name;
}

std::vector<Size> factorsOf(const Size& size) {
  if (!size.written || size.written->op != SizeOp::kMul) return {size};
  std::vector<Size> factors = factorsOf(size.written->lhs);
  for (Size& factor : factorsOf(size.written->rhs)) factors.push_back(std::move(factor));
  return factors;
}

std::optional<int64_t> asConstant(const Size& size) {
  if (size.terms.empty()) return 0;
  if (size.terms.size() == 1 && size.terms[0].atoms.empty()) return size.terms[0].factor;
  return std::nullopt;
}

std::optional<SizeAtom> asAtom(const Size& size) {
  if (size.terms.size() != 1) return std::nullopt;
  const SizeTerm& term = size.terms[0];
  if (term.factor != 1 || term.atoms.size() != 1) return std::nullopt;
  return term.atoms[0];
}

bool mentions(const Size& size, SizeAtom atom) {
  return std::any_of(size.terms.begin(), size.terms.end(), [&](const SizeTerm& term) {
    return std::find(term.atoms.begin(), term.atoms.end(), atom) != term.atoms.end();
  });
}

bool hasUnknown(const Size& size) {
  return std::any_of(size.terms.begin(), size.terms.end(), [](const SizeTerm& term) {
    return std::any_of(term.atoms.begin(), term.atoms.end(),
                       [](SizeAtom atom) { return atom.is_unknown || atom.is_open; });
  });
}

Size substitute(const Size& size, const AtomValue& value) {
  if (size.is_cut) return size;
  if (size.written) {
    const WrittenSize& form = *size.written;
    if (!form.op) return size;
    return written(*form.op, substitute(form.lhs, value), substitute(form.rhs, value));
  }
  if (auto atom = asAtom(size)) return value(*atom).value_or(size);
  Size result;
  for (const SizeTerm& term : size.terms) {
    if (result.is_cut) break;
    Size factors = constantSize(term.factor);
    for (SizeAtom atom : term.atoms) {
      factors = product(factors, value(atom).value_or(atomSize(atom)));
    }
    result = sum(result, factors, 1);
  }
  return result;
}

bool isTooComplex(const Size& size) {
  return size.is_cut || size.terms.size() > kMaxTerms ||
         std::any_of(size.terms.begin(), size.terms.end(),
                     [](const SizeTerm& term) { return term.atoms.size() > kMaxDegree; });
}

}  // namespace halo::types
