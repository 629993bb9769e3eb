// Equations between sizes. First by form, as they were written (size_forms.cpp), then by arithmetic
// (unify_sizes.cpp). One with several unknowns waits (solve_postponed.cpp).
#pragma once

#include <functional>
#include <optional>
#include <unordered_map>
#include <unordered_set>
#include <vector>

#include "lang/types/sizes/size_table.h"

namespace halo::types {

class SizeEquations {
 public:
  explicit SizeEquations(SizeTable& sizes) : sizes_(sizes) {}

  Span current_span;  // the compared place; postponed equations remember it
  // Whether the forms of sizes decide at once, or when nothing else helps any more.
  enum class Order { kFormsFirst, kArithmeticFirst } order = Order::kFormsFirst;

  bool unifySizes(const Size& found, const Size& needed);
  void solveSize(SizeAtom unknown, Size value);
  // Until the function has its type, the `[]` of a parameter may be a size of its own or turn out
  // to be an older one. (`map2 f xs ys` makes those of xs and ys one.)
  void loosen(BinderId size) { loose_[size] = UINT32_MAX; }
  // Binders from `end` on are no parameters beside it.
  void endParameters(BinderId size, size_t end) { loose_[size] = static_cast<uint32_t>(end); }
  // From now on they are sizes of their own; those that turned out to be others are taken out.
  void fasten(std::vector<BinderId>& sizes);
  // As unifySizes, and makes a loose size the other one where nothing else helps.
  bool mergeSizes(const Size& found, const Size& needed);
  // Existential sizes that an unknown type stands for: a needed one may be any.
  void noteEscaped(const std::vector<BinderId>& sizes) {
    escaped_.insert(sizes.begin(), sizes.end());
  }
  // Equations that unify could not decide yet (`n * m` against `k`): tried again, factors pairwise
  // if nothing else helps. Gives the first that does not hold.
  MaybeMismatch solvePostponed();
  // Sizes that were taken to be equal though their forms differ, one pair for each place.
  struct ByArithmetic {
    Size found, needed;
    Span span;
  };
  std::vector<ByArithmetic> heldByArithmetic() const;

  void reset();

 private:
  struct Postponed {
    Size found, needed;
    Span span;
    bool merges;
  };
  struct Trail {
    std::vector<uint32_t> solved;
    std::vector<BinderId> merged;
  };
  enum class Decision { kHolds, kFails, kOpen };
  Decision decide(const Size& found, const Size& needed);
  Decision decideByArithmetic(const Size& found, const Size& needed);
  using Matches = std::function<bool(const Size&, const Size&)>;
  bool matchParts(SizeExprId found, SizeExprId needed, const Matches& matches);
  bool matchFactors(const Size& found, const Size& needed);
  bool matchSummands(const Size& found, const Size& needed);
  bool mergeInto(const Size& loose, const Size& other);
  bool isEscaped(const Size& size) const;

  // ---- forms (size_forms.cpp)
  Size withClosedForm(Size size) const;
  enum class Names { kInScope, kEnded };  // of the program, which count as their expressions
  std::optional<Size> spelled(const Size& size, Names names) const;
  Size spelledOut(const Size& size, Names names) const;
  bool matchForms(const Size& found, const Size& needed, int depth);
  bool unifyForms(const Size& found, const Size& needed);
  void noteArithmetic(const Size& found, const Size& needed);

  SizeTable& sizes_;
  std::vector<Postponed> postponed_;
  std::unordered_map<BinderId, uint32_t> loose_;
  std::optional<Trail> trail_;  // of a match that may fail
  std::vector<ByArithmetic> arithmetic_;
  std::unordered_set<BinderId> escaped_;
  bool merges_ = false;  // loose sizes, in the equation at hand
};

}  // namespace halo::types
