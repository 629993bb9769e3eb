// Unification of types: unknowns are solved as in Hindley and Milner. Nothing here reports: the
// mismatch is named, the caller knows the words.
#pragma once

#include <utility>
#include <vector>

#include "lang/types/infer/instantiate.h"
#include "lang/types/sizes/size_equations.h"

namespace halo::types {

class Unifier {
 public:
  using SizePairs = std::vector<std::pair<Size, Size>>;

  Unifier(const Program& program, TypeTable& types, SizeTable& sizes, SizeEquations& equations,
          Instantiator& instantiator)
      : program_(program),
        types_(types),
        sizes_(sizes),
        equations_(equations),
        instantiator_(instantiator) {}

  // Types are compared as if they had no sizes.
  bool ignores_sizes = false;

  MaybeMismatch unify(TypeRef found, TypeRef needed);
  // As unify, but sizes are collected, outermost first, instead of compared.
  MaybeMismatch unifyShapes(TypeRef found, TypeRef needed, SizePairs& sizes);
  // Where a result's size depends on the argument, but one was needed that only the result knows.
  const std::vector<Span>& dependentResults() const { return dependent_results_; }
  // Only the first `count` stay: a lifted type parameter may stand for results of such functions.
  void keepDependentResults(size_t count) { dependent_results_.resize(count); }

  void reset();

 private:
  MaybeMismatch unifyWith(TypeRef found, TypeRef needed, SizePairs* sizes);
  TypeRef knownAccumulator(TypeRef side, TypeRef other);
  MaybeMismatch joinUnknowns(TypeRef unknown, TypeRef into, const Mismatch& different,
                             SizePairs* sizes);
  MaybeMismatch unifyUnknown(TypeRef unknown, TypeRef other, bool unknown_is_found,
                             SizePairs* sizes);
  MaybeMismatch unifyRows(RowId from, RowId into, const Mismatch& different, SizePairs* sizes);
  MaybeMismatch unifyRow(RowId row, TypeRef sum, const Mismatch& different, bool row_is_found,
                         SizePairs* sizes);
  MaybeMismatch unifyPayloads(const std::vector<TypeRef>& found, const std::vector<TypeRef>& needed,
                              const Mismatch& different, SizePairs* sizes);
  MaybeMismatch unifyRecords(TypeRef found, TypeRef needed, SizePairs* sizes);
  MaybeMismatch unifySums(TypeRef found, TypeRef needed, SizePairs* sizes);
  MaybeMismatch unifyParams(TypeRef found, TypeRef needed, SizePairs* sizes);
  MaybeMismatch unifyRepeated(const InferFunction& found, const InferFunction& needed);
  MaybeMismatch unifyFunctions(TypeRef found, TypeRef needed, SizePairs* sizes);
  MaybeMismatch unifyArrays(InferArray found, InferArray needed, SizePairs* sizes);
  MaybeMismatch unifyArraySizes(const Size& found, const Size& needed, SizePairs* sizes);
  void noteEscapes(const InferFunction& function, TypeRef other_result);
  InferFunction openExistentials(const InferFunction& function, TypeRef other_result);

  const Program& program_;
  TypeTable& types_;
  SizeTable& sizes_;
  SizeEquations& equations_;
  Instantiator& instantiator_;
  std::vector<Span> dependent_results_;
};

}  // namespace halo::types
