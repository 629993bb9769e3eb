// Array literals, ranges, indexing, slices and updates, with the sizes that can be told.
#include <fmt/format.h>

#include <algorithm>

#include "lang/syntax/lex/number_range.h"
#include "lang/types/declare/names.h"
#include "lang/types/infer/infer_apply.h"
#include "lang/types/infer/infer_array.h"
#include "lang/types/infer/infer_expr.h"
#include "lang/types/report.h"
#include "lang/types/sizes/size_of.h"

namespace halo::types {

using diag::Code;
using namespace syntax;
using prim::ScalarType;

TypeRef ArrayInferrer::inferArrayLiteral(ExprId expr, const ArrayExpr& array, TypeRef hint) {
  auto* hinted = hint ? inference_.as<InferArray>(hint) : nullptr;
  TypeRef element_hint = hinted ? hinted->element : TypeRef();
  TypeRef element;
  for (ExprId item : array.elements) {
    TypeRef type = exprs_.infer(item, element ? element : element_hint);
    if (!element) {
      element = type;
      continue;
    }
    if (!comparison_.require(span(item), type, element, "this element")) element = poison();
  }
  if (!element) element = inference_.unknown(span(expr));
  auto lifted = inference_.limitLift(element, Lift::kNone);
  if (lifted && inference_.as<InferParam>(*lifted)) {
    sink_.error(
        Code::lifted_type, span(expr),
        fmt::format("array elements are plain values, not `{}`", inference_.print(*lifted)));
  }
  return inference_.array(constantSize(static_cast<int64_t>(array.elements.size())), element);
}

// ---- ranges

TypeRef ArrayInferrer::inferRange(ExprId expr, const RangeExpr& range, TypeRef hint) {
  auto* hinted = hint ? inference_.as<InferArray>(hint) : nullptr;
  TypeRef element_hint = hinted ? hinted->element : TypeRef();
  TypeRef element = exprs_.overloaded(span(expr), allowedAt(prim::Operands::kInt));
  for (ExprId bound : {range.first, range.second, range.last}) {
    if (!bound) continue;
    TypeRef found = exprs_.infer(bound, element_hint);
    if (!applications_.requireOperand(span(bound), found, element, "..")) return poison();
    element_hint = element;
  }
  auto size = rangeSize(range, element);
  return inference_.array(size ? shownSize(std::move(*size), span(expr)) : newSize(span(expr)),
                          element);
}

Size ArrayInferrer::newSize(Span span) { return binderSize(names_.newSizeBinder("k", span)); }

// The size of a new array. One that is no polynomial gets a name, which the array's shape tells.
Size ArrayInferrer::shownSize(Size size, Span span) {
  auto constant = asConstant(size);
  if (isTooComplex(size) || (constant && *constant < 0)) return newSize(span);
  if (!inference_.hasExpression(size)) return size;
  Size name = newSize(span);
  inference_.define(BinderId(asAtom(name)->index), std::move(size));
  return name;
}

namespace {

// The value of `3` or `-3`, small enough for differences.
std::optional<int64_t> literalInteger(const Tree& tree, ExprId expr) {
  const auto* unary = std::get_if<Unary>(&tree.exprs[expr].node);
  const bool is_negative = unary && unary->op == "-";
  const ExprNode& node = tree.exprs[is_negative ? unary->operand : expr].node;
  const auto* number = std::get_if<Number>(&node);
  if (!number || number->is_decimal || number->integer > INT32_MAX) return std::nullopt;
  if (exceeds64Bits(*number)) return std::nullopt;
  const auto value = static_cast<int64_t>(number->integer);
  return is_negative ? -value : value;
}

std::optional<Size> literalSize(const Tree& tree, const RangeExpr& range) {
  const auto first = literalInteger(tree, range.first), last = literalInteger(tree, range.last);
  if (!first || !last) return std::nullopt;
  const int64_t count = range.end == RangeEnd::kAbove ? *first - *last : *last - *first;
  return constantSize(count + (range.end == RangeEnd::kInclusive ? 1 : 0));
}

}  // namespace

// As in Futhark, `a..<b` has b - a elements, `a...b` one more and `a..>b` a - b. With a second
// element only `0..1..<n` and `1..2...n` tell their size, n. So do ranges of i64; of other integers
// only a constant is a size.
std::optional<Size> ArrayInferrer::rangeSize(const RangeExpr& range, TypeRef element) {
  auto first = sizes_.sizeOf(range.first, SizeExpressions::Following::kExpressions);
  auto last = sizes_.sizeOf(range.last, SizeExpressions::Following::kExpressions);
  if (!first || !last) return range.second ? std::nullopt : literalSize(program_.tree, range);
  const bool is_inclusive = range.end == RangeEnd::kInclusive;
  const bool is_count = range.end == RangeEnd::kBelow && asConstant(*first) == 0;
  Size size = range.end == RangeEnd::kAbove ? *first - *last : is_count ? *last : *last - *first;
  if (is_inclusive) size = size + constantSize(1);
  if (range.second) {
    const int64_t start = is_inclusive ? 1 : 0;
    auto second = sizes_.sizeOf(range.second);
    if (range.end == RangeEnd::kAbove || !second || asConstant(*first) != start ||
        asConstant(*second) != start + 1) {
      return std::nullopt;
    }
    size = *last;
  }
  const bool is_i64 = inference_.asScalar(element) == prim::ScalarType::kI64;
  if (!is_i64 && !asConstant(size)) return std::nullopt;
  return size;
}

// ---- indexing

void ArrayInferrer::checkIndex(ExprId index) {
  TypeRef found = exprs_.infer(index);
  bool is_literal = std::holds_alternative<Number>(program_.tree.exprs[index].node);
  if (is_literal && inference_.isUnknown(found)) {
    comparison_.require(span(index), found, i64(), "this index");
    return;
  }
  TypeRef integer = exprs_.overloaded(span(index), allowedWhere(prim::isSigned));
  inference_.current_span = span(index);
  if (!inference_.unify(found, integer)) return;
  sink_.error(Code::type_mismatch, span(index),
              fmt::format("an index has type `{}`, but a signed integer is needed",
                          inference_.print(found)));
}

namespace {

// The step of a slice, if it is written as a number: `::-1`.
std::optional<int64_t> literalStep(const Tree& tree, ExprId stride) {
  if (!stride) return 1;
  const auto step = literalInteger(tree, stride);
  return step == 1 || step == -1 ? step : std::nullopt;
}

}  // namespace

Size ArrayInferrer::sliceSize(const IndexPart& part, const Size& whole, bool is_target) {
  for (ExprId bound : {part.start, part.end, part.stride}) {
    if (bound) exprs_.check(bound, i64(), "the bound of a slice");
  }
  auto unknown = [&] { return is_target ? inference_.unknownSize(part.span) : newSize(part.span); };
  auto step = literalStep(program_.tree, part.stride);
  if (!part.start && !part.end && step) return whole;
  if (step != 1) return unknown();
  const SizeExpressions::Following following = is_target ? SizeExpressions::Following::kPolynomials
                                                         : SizeExpressions::Following::kExpressions;
  auto start = part.start ? sizes_.sizeOf(part.start, following) : constantSize(0);
  auto end = part.end ? sizes_.sizeOf(part.end, following) : whole;
  if (!start || !end) return unknown();
  Size size = part.start && asConstant(*start) != 0 ? *end - *start : *end;
  auto constant = asConstant(size);
  if (is_target && (isTooComplex(size) || (constant && *constant < 0))) return unknown();
  return is_target ? size : shownSize(std::move(size), part.span);
}

diag::Diagnostic& ArrayInferrer::reportIndices(size_t count, TypeRef type, Span where) {
  const std::string indices = count == 1 ? "an index" : fmt::format("{} indices", count);
  return sink_.error(Code::type_mismatch, where,
                     fmt::format("{} for a value of type `{}`", indices, inference_.print(type)));
}

TypeRef ArrayInferrer::selected(TypeRef array, const std::vector<IndexPart>& parts, bool is_target,
                                Span where) {
  std::vector<Size> kept;
  TypeRef type = array;
  for (size_t i = 0; i < parts.size(); ++i) {
    if (inference_.isUnknown(type)) {
      TypeRef element = inference_.unknown(where);
      comparison_.require(where, type, inference_.array(inference_.unknownSize(where), element),
                          "the indexed value");
    }
    auto* found = inference_.as<InferArray>(type);
    Size whole = found ? found->size : constantSize(0);
    TypeRef element = found ? found->element : poison();
    if (!found && !inference_.as<Poison>(type)) {
      auto& diagnostic = reportIndices(parts.size(), array, where);
      if (i > 0) {
        diagnostic.notes.push_back(
            fmt::format("help: one index for each dimension: this array has {}", i));
      } else if (inference_.asScalar(type)) {
        diagnostic.notes.push_back(
            "help: only arrays have elements; the function of a stencil takes the cell of an "
            "invariant before its neighbours: `stencil_1d [-1, 1] (\\() v -> v[0] + v[1]) (rep ()) "
            "xs`");
      }
      type = poison();
    }
    if (parts[i].is_slice) {
      kept.push_back(sliceSize(parts[i], whole, is_target));
    } else {
      checkIndex(parts[i].index);
    }
    type = element;
  }
  for (size_t i = kept.size(); i-- > 0;) type = inference_.array(std::move(kept[i]), type);
  return type;
}

TypeRef ArrayInferrer::unlessReported(ExprId array, TypeRef type) {
  const auto* variable = std::get_if<syntax::Variable>(&program_.tree.exprs[array].node);
  const bool is_scalar = inference_.asScalar(type).has_value();
  if (variable == nullptr || !variable->name.qualifiers.empty() || !is_scalar) return type;
  const LocalValue* local = names_.findLocal(variable->name.name);
  if (local == nullptr) return type;
  return without_elements_.insert(local->binder.index).second ? type : poison();
}

TypeRef ArrayInferrer::inferIndex(ExprId expr, const IndexExpr& index) {
  const TypeRef array = unlessReported(index.array, exprs_.infer(index.array));
  const bool is_element = std::holds_alternative<IndexExpr>(program_.tree.exprs[index.array].node);
  if (is_element && inference_.asScalar(array)) {
    reportIndices(index.parts.size(), array, span(expr))
        .notes.emplace_back("help: one index for each dimension, of an array of arrays `a[i, j]`");
    return poison();
  }
  return selected(array, index.parts, false, span(expr));
}

// A section does not know how long its slices are, unless they are all of a dimension.
TypeRef ArrayInferrer::withOwnSlices(TypeRef type, const std::vector<IndexPart>& parts, size_t next,
                                     Span where) {
  while (next < parts.size() && !parts[next].is_slice) ++next;
  auto* array = inference_.as<InferArray>(type);
  if (next == parts.size() || !array) return type;
  const bool is_whole = !parts[next].start && !parts[next].end;
  Size size = is_whole ? array->size : binderSize(names_.newSizeBinder("k", where));
  const TypeRef element = array->element;
  return inference_.array(std::move(size), withOwnSlices(element, parts, next + 1, where));
}

TypeRef ArrayInferrer::inferIndexSection(ExprId expr, const IndexSection& section, TypeRef hint) {
  auto* expected = hint ? inference_.as<InferFunction>(hint) : nullptr;
  TypeRef parameter = expected ? expected->parameter : inference_.unknown(span(expr));
  const size_t first_binder = program_.binders.size();
  TypeRef result = withOwnSlices(selected(parameter, section.parts, false, span(expr)),
                                 section.parts, 0, span(expr));
  std::vector<BinderId> brought;  // a size of its own at each application
  for (SizeAtom atom : inference_.sizeAtoms(result)) {
    if (atom.isBinder() && atom.index >= first_binder) brought.emplace_back(atom.index);
  }
  return inference_.function({parameter, false, {}, result, std::move(brought)});
}

namespace {

// The type of the overwritten part, with an unknown in place of each size that bounds were written
// for. `open` pairs it up with the size from the bounds.
TypeRef withOpenSlices(Inference& inference, TypeRef target, const std::vector<IndexPart>& parts,
                       Inference::SizePairs& open) {
  std::vector<Size> sizes;
  for (const IndexPart& part : parts) {
    if (!part.is_slice) continue;
    auto* array = inference.as<InferArray>(target);
    if (!array) return target;
    Size size = array->size;
    if (part.start || part.end || part.stride) {
      open.emplace_back(inference.unknownSize(part.span), std::move(size));
      size = open.back().first;
    }
    sizes.push_back(std::move(size));
    target = array->element;
  }
  for (size_t i = sizes.size(); i-- > 0;) target = inference.array(std::move(sizes[i]), target);
  return target;
}

}  // namespace

// Whether a value is as long as the slice it goes to is left to run time.
TypeRef ArrayInferrer::inferUpdate(const UpdateExpr& update) {
  TypeRef array = exprs_.infer(update.array);
  TypeRef target = selected(array, update.parts, true, span(update.array));
  if (inference_.as<Poison>(target)) return array;
  Inference::SizePairs open;
  exprs_.check(update.value, withOpenSlices(inference_, target, update.parts, open),
               "the new value");
  for (const auto& [size, bounds] : open) {
    if (hasUnknown(inference_.resolve(size))) inference_.unifySizes(size, bounds);
  }
  return array;
}

}  // namespace halo::types
