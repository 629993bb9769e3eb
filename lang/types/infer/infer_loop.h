// Loops, and the sizes that change from step to step.
#pragma once

#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "lang/types/part.h"

namespace halo::types {

class LoopInferrer : CheckerPart {
 public:
  explicit LoopInferrer(const CheckerParts& parts)
      : CheckerPart(parts),
        names_(parts.names),
        comparison_(parts.comparison),
        exprs_(parts.exprs),
        applications_(parts.applications) {}

  TypeRef inferLoop(ExprId expr, const syntax::Loop& loop);
  TypeRef withUnknownSizes(TypeRef type, SizePairs& unknown_of);
  bool isCarried(SizeAtom unknown) const;
  bool areApart(const Size& a, const Size& b);
  bool isStartOfCarried(const Size& back, const Size& initial);

 private:
  struct LoopForm {
    TypeRef element;  // of the variable of `for`, none for `while`
  };
  struct CarriedSize {
    SizeAtom unknown;  // inside the body
    Size initial, returned;
    bool changes = false;
  };
  LoopForm inferLoopForm(const syntax::Loop& loop);
  void bindLoopForm(ExprId expr, const syntax::Loop& loop, const LoopForm& form);
  bool isSizeName(ExprId expr, const Size& size) const;
  void checkInitialSizes(ExprId expr, const syntax::Loop& loop, TypeRef carried,
                         const SizePairs& sizes);
  std::optional<std::pair<Size, Size>> twoSizesOfName(ExprId expr, const SizePairs& pairs);
  std::vector<CarriedSize> openSizes(ExprId expr, const syntax::Loop& loop, TypeRef carried,
                                     TypeRef body, const SizePairs& sizes, SizePairs& pairs);
  void checkComputed(const syntax::Loop& loop, TypeRef carried, TypeRef body,
                     const std::vector<CarriedSize>& open, const SizePairs& pairs);
  void findChanging(std::vector<CarriedSize>& sizes);
  std::optional<Size> atStart(const Size& size, size_t loops) const;
  void nameOutside(const SizePairs& sizes);
  void settleLoopSizes(ExprId expr, const syntax::Loop& loop, TypeRef carried, TypeRef body,
                       const SizePairs& sizes);

  Names& names_;
  Comparison& comparison_;
  ExprInferrer& exprs_;
  ApplyInferrer& applications_;
  std::vector<std::pair<SizeAtom, Size>> carried_;  // in the loops around, and what they start with
};

}  // namespace halo::types
