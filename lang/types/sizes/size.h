// Sizes while a declaration is inferred: polynomials over atoms, so that `n + m` and `m + n` are
// the same and constants fold. Atoms are i64 binders, unknown sizes, and expressions that are no
// polynomials. A size also has its written form. `[n * m]` against `[(a + 1) * b]` gives n and m by
// that form first, as Futhark does, which knows no other equality.
#pragma once

#include <compare>
#include <functional>
#include <memory>
#include <optional>
#include <vector>

#include "lang/base/containers/few.h"
#include "lang/types/checked.h"

namespace halo::types {

struct SizeAtom {
  bool is_unknown = false;  // an unknown of Inference, else a BinderId or an expression
  uint32_t index = 0;
  bool is_expression = false;  // a SizeExpr of Inference
  bool is_open = false;        // one with unknowns in it

  bool isBinder() const { return !is_unknown && !is_expression; }

  friend auto operator<=>(const SizeAtom&, const SizeAtom&) = default;
};

struct SizeTerm {
  int64_t factor = 1;
  base::Few<SizeAtom> atoms;  // none: the constant term
};

struct WrittenSize;

// No two terms have the same atoms, no factor is 0.
struct Size {
  base::Few<SizeTerm> terms;
  // The source form; none for a number, an atom, and a result of arithmetic.
  std::shared_ptr<const WrittenSize> written = {};
  bool is_cut = false;  // too long to be followed: equal to nothing, always too complex
};
struct WrittenSize {
  std::optional<SizeOp> op;  // none: the constant definition called `name`
  Size lhs, rhs;
  DefId name = {};
  size_t weight = 1;
};

Size constantSize(int64_t value);
Size namedConstant(DefId name, int64_t value);
Size atomSize(SizeAtom atom);
Size binderSize(BinderId binder);

// These are sizes that a program writes; the form is kept.
Size operator+(const Size& lhs, const Size& rhs);
Size operator-(const Size& lhs, const Size& rhs);
Size operator*(const Size& lhs, const Size& rhs);
Size written(SizeOp op, const Size& lhs, const Size& rhs);
// A size without a written form.
Size difference(const Size& lhs, const Size& rhs);

bool equal(const Size& lhs, const Size& rhs);  // by arithmetic
bool isSameForm(const Size& lhs, const Size& rhs);
// The factors in the order they were written in; of anything else, itself.
std::vector<Size> factorsOf(const Size& size);
std::optional<int64_t> asConstant(const Size& size);
std::optional<SizeAtom> asAtom(const Size& size);
bool mentions(const Size& size, SizeAtom atom);
bool hasUnknown(const Size& size);  // also within expressions

// Every atom for which `value` has something is replaced by it, in the form as well.
using AtomValue = std::function<std::optional<Size>(SizeAtom)>;
Size substitute(const Size& size, const AtomValue& value);

// Beyond this a size is not followed any further: it becomes a new name (RELIABILITY: no program
// text may make the checker's work explode).
bool isTooComplex(const Size& size);

}  // namespace halo::types
