// Array literals, ranges, indices, slices, updates.
#pragma once

#include <optional>
#include <set>
#include <string>
#include <vector>

#include "lang/types/part.h"

namespace halo::types {

class ArrayInferrer : CheckerPart {
 public:
  explicit ArrayInferrer(const CheckerParts& parts)
      : CheckerPart(parts),
        names_(parts.names),
        comparison_(parts.comparison),
        sizes_(parts.sizes),
        exprs_(parts.exprs),
        applications_(parts.applications) {}

  TypeRef inferArrayLiteral(ExprId expr, const syntax::ArrayExpr& array, TypeRef hint);
  TypeRef inferRange(ExprId expr, const syntax::RangeExpr& range, TypeRef hint);
  TypeRef inferIndex(ExprId expr, const syntax::IndexExpr& index);
  TypeRef inferIndexSection(ExprId expr, const syntax::IndexSection& section, TypeRef hint);
  TypeRef inferUpdate(const syntax::UpdateExpr& update);

 private:
  std::optional<Size> rangeSize(const syntax::RangeExpr& range, TypeRef element);
  TypeRef withOwnSlices(TypeRef type, const std::vector<syntax::IndexPart>& parts, size_t next,
                        Span where);
  // The type that `parts` select from `array`. Unknown sizes are new names, or, for the
  // target of an update, unknown.
  // Of a value with fewer dimensions.
  diag::Diagnostic& reportIndices(size_t count, TypeRef type, Span where);
  TypeRef selected(TypeRef array, const std::vector<syntax::IndexPart>& parts, bool is_target,
                   Span span);
  Size newSize(Span span);
  Size shownSize(Size size, Span span);
  Size sliceSize(const syntax::IndexPart& part, const Size& whole, bool is_target);
  void checkIndex(ExprId index);
  // A local value that is no array, and an error says so: further indices of it make no new one.
  TypeRef unlessReported(ExprId array, TypeRef type);

  Names& names_;
  Comparison& comparison_;
  SizeExpressions& sizes_;
  ExprInferrer& exprs_;
  ApplyInferrer& applications_;
  std::set<uint32_t> without_elements_;  // binders
};

}  // namespace halo::types
