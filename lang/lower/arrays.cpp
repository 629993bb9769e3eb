// Indexing, slices, updates and copies. The rules for indices out of range are those of
// language.md#semantics; the interpreter (interp/arrays/index.cpp) has them as plain code.
#include <algorithm>
#include <numeric>

#include "lang/base/match.h"
#include "lang/lower/lowering.h"

namespace halo::lower {

namespace {

const ArrayValue& arrayIn(const StaticValue& value) {
  HALO_CHECK(value.array() != nullptr, "lower: an array was expected");
  return *value.array();
}

bool onlyIndices(const std::vector<IndexValue>& parts) {
  return std::none_of(parts.begin(), parts.end(), [](const IndexValue& p) { return p.is_slice; });
}

Operands indicesOf(const std::vector<IndexValue>& parts) {
  Operands indices;
  for (const IndexValue& part : parts) indices.push_back(part.index);
  return indices;
}

// The positions that `start:end:stride` selects, and the check that they are all inside. Numbers
// are chosen such that nothing overflows when the check holds.
class SlicePart {
 public:
  SlicePart(ValueEmission& emission, const IndexValue& part, const Operand& extent, Span span)
      : emission_(emission), extent_(extent), span_(span) {
    stride_ = part.stride.value_or(Operand::ofI64(1));
    const Operand up = compare(Op::kGt, stride_, zero());
    start_ = part.start ? *part.start
                        : emission.choose(
                              up, [] { return zero(); },
                              [&] { return arithmetic(Op::kSub, extent, Operand::ofI64(1)); });
    end_ = part.end ? *part.end
                    : emission.choose(
                          up, [&] { return extent; }, [] { return Operand::ofI64(-1); });
    if (stride_ == Operand::ofI64(1) || stride_ == Operand::ofI64(-1)) {
      unitStride(part, stride_ == Operand::ofI64(1));
    } else {
      anyStride(up);
    }
    emission.sizes().addExtent(length_);
  }

  core::SliceDim dim() const { return {start_, length_, stride_}; }

 private:
  static Operand zero() { return Operand::ofI64(0); }
  Operand compare(Op op, Operand a, Operand b) { return emission_.compare(op, a, b); }
  Operand both(Operand a, Operand b) { return emission_.both(a, b); }
  Operand either(Operand a, Operand b) { return emission_.either(a, b); }
  Operand arithmetic(Op op, Operand a, Operand b) { return emission_.sizeArithmetic(op, a, b); }
  void require(const Operand& condition) {
    emission_.builder().assertThat(condition, Code::slice_out_of_range,
                                   {start_, end_, stride_, extent_}, span_);
  }

  // The end does not lie before the start, and unless they are equal both are inside. A bound that
  // is missing, or where it would be if it were, needs no check.
  void unitStride(const IndexValue& part, bool up) {
    length_ = up ? arithmetic(Op::kSub, end_, start_) : arithmetic(Op::kSub, start_, end_);
    if (!part.start && !part.end) return;
    const bool checks_start = part.start && !(up && start_ == zero());
    const bool checks_end = part.end && !(up && end_ == extent_);
    Operand inside = prim::Scalar::ofBool(true);
    if (checks_start)
      inside = up ? compare(Op::kGe, start_, zero()) : compare(Op::kLt, start_, extent_);
    if (checks_end) {
      inside = both(inside, up ? compare(Op::kLe, end_, extent_)
                               : compare(Op::kGe, end_, Operand::ofI64(-1)));
    }
    if (checks_start && checks_end) inside = either(compare(Op::kEq, start_, end_), inside);
    require(both(compare(up ? Op::kLe : Op::kGe, start_, end_), inside));
  }

  void anyStride(const Operand& up) {
    const Operand distance = emission_.choose(
        up, [&] { return arithmetic(Op::kSub, end_, start_); },
        [&] { return arithmetic(Op::kSub, start_, end_); });
    const Operand direction = emission_.choose(
        up, [&] { return compare(Op::kLe, start_, end_); },
        [&] { return compare(Op::kGe, start_, end_); });
    // |stride|, at least 1 and such that its negation exists.
    const Operand least = Operand::ofI64(-INT64_MAX);
    const Operand bounded = emission_.prim(Op::kMax, ScalarType::kI64, {stride_, least});
    const Operand magnitude = emission_.prim(Op::kAbs, ScalarType::kI64, {bounded});
    const Operand step = emission_.prim(Op::kMax, ScalarType::kI64, {magnitude, Operand::ofI64(1)});
    // floor((distance - 1) / step) + 1; the division is proven: step >= 1
    const Operand before = arithmetic(Op::kSub, distance, Operand::ofI64(1));
    const Operand steps = emission_.prim(Op::kDiv, ScalarType::kI64, {before, step});
    length_ = arithmetic(Op::kAdd, steps, Operand::ofI64(1));
    const Operand last = arithmetic(Op::kAdd, start_, arithmetic(Op::kMul, steps, stride_));
    const Operand begins_inside = isInside(start_), ends_inside = isInside(last);
    const Operand is_empty = compare(Op::kEq, length_, zero());
    const Operand inside = either(is_empty, both(begins_inside, ends_inside));
    require(both(both(compare(Op::kNe, stride_, zero()), direction), inside));
  }
  Operand isInside(const Operand& position) {
    const Operand from_start = compare(Op::kGe, position, zero());
    return both(from_start, compare(Op::kLt, position, extent_));
  }

  ValueEmission& emission_;
  Operand extent_, start_, end_, stride_, length_;
  Span span_;
};

core::SliceDim whole(const Operand& extent) {
  return {Operand::ofI64(0), extent, Operand::ofI64(1)};
}

// A list with slices in it, checked position by position: its selection of each leaf.
struct Selection {
  std::vector<core::SliceDim> dims;  // one per position; an index has length 1
  Operands sizes;                    // of the slices
};

Selection select(ValueEmission& emission, const MonoTypeRef& type,
                 const std::vector<IndexValue>& parts, Span span) {
  Selection selection;
  const Operands extents = dimensions(type);
  for (size_t i = 0; i < parts.size(); ++i) {
    if (parts[i].is_slice) {
      selection.dims.push_back(SlicePart(emission, parts[i], extents[i], span).dim());
      selection.sizes.push_back(selection.dims.back().length);
      continue;
    }
    const Operand& at = parts[i].index;
    const Operand from_start = emission.compare(Op::kGe, at, Operand::ofI64(0));
    const Operand inside = emission.both(from_start, emission.compare(Op::kLt, at, extents[i]));
    emission.builder().assertThat(inside, Code::index_out_of_range, {at, extents[i]}, span);
    selection.dims.push_back({at, Operand::ofI64(1), Operand::ofI64(1)});
  }
  return selection;
}

}  // namespace

std::vector<IndexValue> Lowering::lowerParts(const std::vector<syntax::IndexPart>& parts,
                                             Frame& frame) {
  std::vector<IndexValue> values;
  for (const syntax::IndexPart& part : parts) {
    IndexValue value;
    value.is_slice = part.is_slice;
    if (part.index.valid()) value.index = lowerIndex(part.index, frame);
    if (part.start.valid()) value.start = lowerIndex(part.start, frame);
    if (part.end.valid()) value.end = lowerIndex(part.end, frame);
    if (part.stride.valid()) value.stride = lowerIndex(part.stride, frame);
    values.push_back(value);
  }
  return values;
}

StaticValue ValueEmission::element(const StaticValue& array, const Operands& indices, bool checked,
                                   Span span) {
  const ArrayValue& value = arrayIn(array);
  const MonoTypeRef type = elementBelow(value.type, indices.size());
  if (value.leaves.empty() && checked) {  // of units: nothing to read, but the check remains
    std::vector<IndexValue> parts;
    for (const Operand& at : indices) parts.push_back({false, at, {}, {}, {}});
    select(*this, value.type, parts, span);
  }
  Operands leaves;
  std::vector<core::Type> leaf_types = leafTypes(type);
  for (size_t i = 0; i < leaf_types.size(); ++i) {
    leaves.push_back(
        bind(std::move(leaf_types[i]), core::Index{value.leaves[i], indices}, checked, span));
  }
  return fromLeaves(type, leaves);
}

StaticValue ValueEmission::index(const StaticValue& array, const std::vector<IndexValue>& parts,
                                 Span span) {
  if (onlyIndices(parts)) return element(array, indicesOf(parts), true, span);
  const ArrayValue& value = arrayIn(array);
  const Selection selection = select(*this, value.type, parts, span);
  const MonoTypeRef type = arrayOf(selection.sizes, elementBelow(value.type, parts.size()));
  // Indexed dimensions come to the front and are indexed, then the rest is sliced: views all.
  std::vector<size_t> order;
  Operands fixed;
  for (size_t i = 0; i < parts.size(); ++i) {
    if (parts[i].is_slice) continue;
    order.push_back(i);
    fixed.push_back(parts[i].index);
  }
  Operands leaves;
  for (ValueId leaf : value.leaves) {
    const core::Type leaf_type = out.type(leaf);
    std::vector<int> permutation(order.begin(), order.end());
    std::vector<core::SliceDim> dims;
    for (size_t i = 0; i < leaf_type.shape.size(); ++i) {
      if (i < parts.size() && !parts[i].is_slice) continue;
      permutation.push_back(static_cast<int>(i));
      dims.push_back(i < parts.size() ? selection.dims[i] : whole(leaf_type.shape[i]));
    }
    ValueId at = leaf;
    if (!std::is_sorted(permutation.begin(), permutation.end())) {
      core::Type moved{leaf_type.scalar, {}};
      for (int i : permutation) moved.shape.push_back(leaf_type.shape[static_cast<size_t>(i)]);
      at = bind(std::move(moved), core::Rearrange{at, permutation});
    }
    if (!fixed.empty()) {
      const Operands& shape = out.type(at).shape;
      core::Type rest{
          leaf_type.scalar,
          Operands(shape.begin() + static_cast<std::ptrdiff_t>(fixed.size()), shape.end())};
      at = bind(std::move(rest), core::Index{at, fixed});
    }
    core::Type sliced{leaf_type.scalar, {}};
    for (const core::SliceDim& dim : dims) sliced.shape.push_back(dim.length);
    leaves.push_back(bind(std::move(sliced), core::Slice{at, std::move(dims)}));
  }
  return fromLeaves(type, leaves);
}

StaticValue ValueEmission::update(const StaticValue& array, const std::vector<IndexValue>& parts,
                                  const StaticValue& value, Span span) {
  const ArrayValue& old = arrayIn(array);
  const bool plain = onlyIndices(parts);
  Selection selection;
  if (!plain || old.leaves.empty()) selection = select(*this, old.type, parts, span);
  const MonoTypeRef type = arrayOf(selection.sizes, elementBelow(old.type, parts.size()));
  // With plain indices the interpreter looks at the index first, then at the shapes: so does the
  // check of a view that nothing else needs.
  const bool same_shape = leafTypes(typeOf(value)) == leafTypes(type);
  if (plain && !same_shape) select(*this, old.type, parts, span);
  const Operands new_leaves = leavesOf(coerce(value, type, Code::shape_mismatch, span));
  ArrayValue result{old.type, {}};
  for (size_t i = 0; i < old.leaves.size(); ++i) {
    const core::Type leaf_type = out.type(old.leaves[i]);
    const ValueId fresh = bind(leaf_type, core::Copy{old.leaves[i]});
    core::Update update{fresh, {}, {}, new_leaves[i]};
    if (plain) {
      update.indices = indicesOf(parts);
    } else {
      update.dims = selection.dims;
      for (size_t d = parts.size(); d < leaf_type.shape.size(); ++d) {
        update.dims.push_back(whole(leaf_type.shape[d]));
      }
      core::Type part{leaf_type.scalar, {}};
      for (const core::SliceDim& dim : update.dims) part.shape.push_back(dim.length);
      if (part != out.type(new_leaves[i])) {  // indexed dimensions have extent 1
        const Operands shape = part.shape;
        update.value = bind(std::move(part), core::Reshape{new_leaves[i].value, shape});
      }
    }
    result.leaves.push_back(bind(leaf_type, std::move(update), plain, span));
  }
  return {result};
}

StaticValue ValueEmission::copy(const StaticValue& value) {
  if (const ArrayValue* array = value.array()) {
    ArrayValue result{array->type, {}};
    for (ValueId leaf : array->leaves) {
      result.leaves.push_back(bind(out.type(leaf), core::Copy{leaf}));
    }
    return {result};
  }
  if (const RecordValue* record = value.record()) {
    RecordValue result{record->names, {}};
    for (const StaticValue& field : record->fields) result.fields.push_back(copy(field));
    return {result};
  }
  if (const ConstructedValue* sum = value.constructed()) {
    ConstructedValue result{sum->type, sum->constructor, {}};
    for (const StaticValue& part : sum->payload) result.payload.push_back(copy(part));
    return {result};
  }
  if (const SumValue* sum = value.sum()) {
    SumValue result = *sum;
    for (Operand& leaf : result.leaves) {
      const core::Type type = out.type(leaf);
      if (!type.isScalar()) leaf = bind(type, core::Copy{leaf.value});
    }
    return {result};
  }
  return value;
}

}  // namespace halo::lower
