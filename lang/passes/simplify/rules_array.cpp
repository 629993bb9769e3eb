// Array rules: elements of arrays whose contents are known, views of views, checks that constants
// settle. A checked index or slice of a view keeps its own node: its failure reports the indices
// and extents that the program wrote.
#include <algorithm>

#include "lang/passes/simplify/simplify_parts.h"

namespace halo::passes {
namespace {

using core::Index;
using core::Operand;
using core::Operands;
using core::Slice;
using core::SliceDim;
using core::Stm;
using core::ValueId;

bool isConstantBelow(const Operand& index, const Operand& extent) {
  return index.isConstant() && extent.isConstant() && index.constant.asSigned() >= 0 &&
         index.constant.asSigned() < extent.constant.asSigned();
}

// Constant indices below constant extents need no check.
bool areIndicesProven(const core::Program& program, ValueId array, const Operands& indices) {
  const Operands& shape = program.type(array).shape;
  for (size_t i = 0; i < indices.size(); ++i) {
    if (!isConstantBelow(indices[i], shape[i])) return false;
  }
  return true;
}

bool isWhole(const SliceDim& dim, const Operand& extent) {
  return dim.start == Operand::ofI64(0) && dim.stride == Operand::ofI64(1) && dim.length == extent;
}

bool areSlicesProven(const core::Program& program, ValueId array,
                     const std::vector<SliceDim>& dims) {
  const Operands& shape = program.type(array).shape;
  for (size_t i = 0; i < dims.size(); ++i) {
    const SliceDim& d = dims[i];
    if (isWhole(d, shape[i]) || d.length == Operand::ofI64(0)) continue;
    bool constant = d.start.isConstant() && d.length.isConstant() && d.stride.isConstant();
    if (!constant || !isConstantBelow(d.start, shape[i])) return false;
    // Small numbers only: no overflow to think about.
    int64_t length = d.length.constant.asSigned(), stride = d.stride.constant.asSigned();
    constexpr int64_t kSmall = int64_t{1} << 31;
    if (length < 0 || length > kSmall || stride > kSmall || stride < -kSmall) return false;
    int64_t last = d.start.constant.asSigned() + (length - 1) * stride;
    if (!isConstantBelow(Operand::ofI64(last), shape[i])) return false;
  }
  return true;
}

bool eitherConsumed(RuleContext& context, const Operand& a, const Operand& b) {
  return context.consumption.isConsumed(a) || context.consumption.isConsumed(b);
}

// Element of an array that is known by its definition.
std::optional<Operand> knownElement(RuleContext& context, const Index& index, bool checked) {
  const size_t count = index.indices.size();
  if (const auto* literal = context.definition<core::ArrayLiteral>(index.array)) {
    Operand first = index.indices[0];
    Operand size = Operand::ofI64(static_cast<int64_t>(literal->elements.size()));
    if (count == 1 && isConstantBelow(first, size)) {
      Operand element = literal->elements[static_cast<size_t>(first.constant.asSigned())];
      if (context.program.type(element).isScalar() ||
          !eitherConsumed(context, element, index.array))
        return element;
    }
  }
  if (checked) return std::nullopt;
  if (const auto* iota = context.definition<core::Iota>(index.array)) {
    core::Builder& b = context.builder;
    Operand i = b.convert(prim::ConvertKind::kValue, iota->type, index.indices[0]);
    Operand offset = i;
    if (iota->step != Operand(core::Scalar::ofSigned(iota->type, 1))) {
      offset = b.prim(prim::Op::kMul, iota->type, {i, iota->step});
    }
    if (iota->start == Operand(prim::zero(iota->type))) return offset;
    return b.prim(prim::Op::kAdd, iota->type, {offset, iota->start});
  }
  if (const auto* replicate = context.definition<core::Replicate>(index.array)) {
    bool safe = context.program.type(replicate->value).isScalar() ||
                !eitherConsumed(context, replicate->value, index.array);
    if (count == replicate->shape.size() && safe) {
      return replicate->value;
    }
  }
  return std::nullopt;
}

// A row of a literal of rows.
bool lookIntoRow(RuleContext& context, Index& index) {
  const auto* literal = context.definition<core::ArrayLiteral>(index.array);
  if (literal == nullptr || index.indices.size() < 2) return false;
  Operand size = Operand::ofI64(static_cast<int64_t>(literal->elements.size()));
  if (!isConstantBelow(index.indices[0], size)) return false;
  const Operand& row = literal->elements[static_cast<size_t>(index.indices[0].constant.bits)];
  if (eitherConsumed(context, row, index.array)) return false;
  index = {row.value, {index.indices.begin() + 1, index.indices.end()}};
  return true;
}

// Index of a view: index of the viewed array.
bool lookThroughView(RuleContext& context, Index& index) {
  core::Builder& b = context.builder;
  const size_t rank = context.program.type(index.array).shape.size();
  const bool full = index.indices.size() == rank;
  if (const auto* view = context.definition<Index>(index.array)) {
    Operands indices = view->indices;
    indices.insert(indices.end(), index.indices.begin(), index.indices.end());
    index = {view->array, std::move(indices)};
    return true;
  }
  if (const auto* view = context.definition<core::Rearrange>(index.array); view && full) {
    Operands indices(rank);
    for (size_t i = 0; i < rank; ++i) {
      indices[static_cast<size_t>(view->permutation[i])] = index.indices[i];
    }
    index = {view->array, std::move(indices)};
    return true;
  }
  if (const auto* view = context.definition<Slice>(index.array); view && full) {
    Operands indices;
    for (size_t i = 0; i < rank; ++i) {
      const SliceDim& d = view->dims[i];
      indices.push_back(b.add(d.start, b.mul(index.indices[i], d.stride)));
    }
    index = {view->array, std::move(indices)};
    return true;
  }
  if (const auto* view = context.definition<core::Slide>(index.array); view && full) {
    size_t windows = view->dims.size();
    Operands indices;
    for (size_t i = 0; i < windows; ++i) {
      Operand first = b.mul(index.indices[i], view->dims[i].step);
      indices.push_back(b.add(first, index.indices[windows + i]));
    }
    indices.insert(indices.end(), index.indices.begin() + static_cast<std::ptrdiff_t>(2 * windows),
                   index.indices.end());
    index = {view->array, std::move(indices)};
    return true;
  }
  if (const auto* copy = context.definition<core::Copy>(index.array)) {
    if (eitherConsumed(context, copy->array, index.array)) return false;
    index.array = copy->array;
    return true;
  }
  return lookIntoRow(context, index);
}

// Whether two lists of indices name parts that have no element in common, as constants tell.
bool areApart(const Operands& a, const Operands& b) {
  for (size_t i = 0; i < std::min(a.size(), b.size()); ++i) {
    if (a[i].isConstant() && b[i].isConstant() && a[i] != b[i]) return true;
  }
  return false;
}

// The array that a copy is of, if both keep what they have.
std::optional<ValueId> copied(RuleContext& context, ValueId array) {
  const auto* copy = context.definition<core::Copy>(array);
  if (copy == nullptr || context.consumption.isConsumed(copy->array)) return std::nullopt;
  return copy->array;
}

// The element that an update has written, or one that it left alone in the copy of an array.
std::optional<Operand> lookBehindUpdate(RuleContext& context, Index& index, bool& changed) {
  const auto* update = context.definition<core::Update>(index.array);
  if (update == nullptr || !update->dims.empty()) return std::nullopt;
  const size_t count = update->indices.size();
  if (areApart(update->indices, index.indices)) {
    const auto array = copied(context, update->array);
    changed = changed || array;
    if (array) index.array = *array;
    return std::nullopt;
  }
  if (index.indices.size() < count ||
      !std::equal(update->indices.begin(), update->indices.end(), index.indices.begin())) {
    return std::nullopt;
  }
  const Operand value = update->value;
  const bool is_scalar = context.program.type(value).isScalar();
  if (!is_scalar && eitherConsumed(context, value, index.array)) return std::nullopt;
  if (index.indices.size() == count) return value;
  index = {value.value,
           {index.indices.begin() + static_cast<std::ptrdiff_t>(count), index.indices.end()}};
  changed = true;
  return std::nullopt;
}

std::optional<Operand> simplifyIndex(RuleContext& context, Stm& stm, bool& changed) {
  auto& index = std::get<Index>(stm.expr);
  if (index.indices.empty()) return Operand(index.array);
  if (!stm.checked) {
    if (auto written = lookBehindUpdate(context, index, changed)) return written;
  }
  if (stm.checked && areIndicesProven(context.program, index.array, index.indices)) {
    stm.checked = false;
    changed = true;
  }
  if (auto known = knownElement(context, index, stm.checked)) return known;
  if (!stm.checked && lookThroughView(context, index)) changed = true;
  return std::nullopt;
}

std::optional<Operand> simplifySlice(RuleContext& context, Stm& stm, bool& changed) {
  auto& slice = std::get<Slice>(stm.expr);
  const Operands shape = context.program.type(slice.array).shape;
  if (stm.checked && areSlicesProven(context.program, slice.array, slice.dims)) {
    stm.checked = false;
    changed = true;
  }
  bool whole = true;
  for (size_t i = 0; i < slice.dims.size(); ++i) whole = whole && isWhole(slice.dims[i], shape[i]);
  if (whole) return Operand(slice.array);
  const auto* outer = context.definition<Slice>(slice.array);
  if (outer == nullptr || stm.checked) return std::nullopt;
  std::vector<SliceDim> dims;
  core::Builder& b = context.builder;
  for (size_t i = 0; i < slice.dims.size(); ++i) {
    const SliceDim &o = outer->dims[i], &d = slice.dims[i];
    dims.push_back({b.add(o.start, b.mul(d.start, o.stride)), d.length, b.mul(d.stride, o.stride)});
  }
  slice = {outer->array, std::move(dims)};
  changed = true;
  return std::nullopt;
}

std::optional<Operand> simplifyRearrange(RuleContext& context, core::Rearrange& node,
                                         bool& changed) {
  bool identity = true;
  for (size_t i = 0; i < node.permutation.size(); ++i) {
    identity = identity && node.permutation[i] == static_cast<int>(i);
  }
  if (identity) return Operand(node.array);
  const auto* inner = context.definition<core::Rearrange>(node.array);
  if (inner == nullptr) return std::nullopt;
  std::vector<int> composed;
  for (int d : node.permutation) {
    composed.push_back(inner->permutation[static_cast<size_t>(d)]);
  }
  node = {inner->array, std::move(composed)};
  changed = true;
  return std::nullopt;
}

// The scalars of a literal, row-major, if all rows are literals too.
bool collectElements(RuleContext& context, const Operand& array, Operands& elements) {
  constexpr size_t kMaxElements = 512;
  const auto* literal = context.definition<core::ArrayLiteral>(array);
  if (literal == nullptr) return false;
  for (const Operand& element : literal->elements) {
    if (context.program.type(element).isScalar()) {
      elements.push_back(element);
    } else if (!collectElements(context, element, elements)) {
      return false;
    }
    if (elements.size() > kMaxElements) return false;
  }
  return true;
}

// A flattened literal is a literal.
bool flattenLiteral(RuleContext& context, Stm& stm) {
  const auto& node = std::get<core::Reshape>(stm.expr);
  Operands elements;
  if (node.shape.size() != 1 || eitherConsumed(context, node.array, stm.results[0]) ||
      !collectElements(context, node.array, elements) ||
      node.shape[0] != Operand::ofI64(static_cast<int64_t>(elements.size()))) {
    return false;
  }
  stm.expr = core::ArrayLiteral{context.program.type(stm.results[0]).scalar, std::move(elements)};
  return true;
}

std::optional<Operand> simplifyReshape(RuleContext& context, Stm& stm, bool& changed) {
  auto& node = std::get<core::Reshape>(stm.expr);
  if (context.program.type(node.array).shape == node.shape) return Operand(node.array);
  if (const auto* inner = context.definition<core::Reshape>(node.array)) {
    node.array = inner->array;
    changed = true;
    return std::nullopt;
  }
  if (flattenLiteral(context, stm)) {
    changed = true;
    return std::nullopt;
  }
  const auto* replicate = context.definition<core::Replicate>(node.array);
  if (replicate != nullptr && context.program.type(replicate->value).isScalar() &&
      !eitherConsumed(context, node.array, stm.results[0])) {
    stm.expr = core::Replicate{Operands(node.shape), replicate->value};
    changed = true;
  }
  return std::nullopt;
}

// An update of a copied array may write the part that the update before it has written. Then it
// updates a copy of the array in front of that.
void dropOverwritten(RuleContext& context, Stm& stm, bool& changed) {
  auto& update = std::get<core::Update>(stm.expr);
  const auto written = copied(context, update.array);
  const auto* before = written ? context.definition<core::Update>(*written) : nullptr;
  if (before == nullptr || !before->dims.empty() || !update.dims.empty() ||
      before->indices != update.indices || update.indices.empty()) {
    return;
  }
  const auto array = copied(context, before->array);
  if (!array || update.value == Operand(*written)) return;
  const core::Type type = context.program.type(*array);
  update.array = context.builder.bind("copy", type, core::Copy{*array});
  changed = true;
}

void simplifyUpdate(RuleContext& context, Stm& stm, bool& changed) {
  const auto& update = std::get<core::Update>(stm.expr);
  if (stm.checked && areIndicesProven(context.program, update.array, update.indices) &&
      areSlicesProven(context.program, update.array, update.dims)) {
    stm.checked = false;
    changed = true;
  }
  dropOverwritten(context, stm, changed);
}

// [a, b] ++ replicate 2 c = [a, b, c, c], for short arrays of scalars.
std::optional<core::Operands> knownElements(RuleContext& context, const core::Concat& concat) {
  constexpr size_t kMaxElements = 256;
  core::Operands elements;
  for (ValueId part : concat.arrays) {
    if (context.program.type(part).rank() != 1) return std::nullopt;
    if (const auto* literal = context.definition<core::ArrayLiteral>(part)) {
      elements.insert(elements.end(), literal->elements.begin(), literal->elements.end());
    } else if (const auto* same = context.definition<core::Replicate>(part)) {
      if (!same->shape[0].isConstant() || context.program.type(part).rank() != 1) {
        return std::nullopt;
      }
      auto count = std::max<int64_t>(same->shape[0].constant.asSigned(), 0);
      if (count > static_cast<int64_t>(kMaxElements)) return std::nullopt;
      elements.insert(elements.end(), static_cast<size_t>(count), same->value);
    } else {
      return std::nullopt;
    }
    if (elements.size() > kMaxElements) return std::nullopt;
  }
  const bool is_whole = concat.size == Operand::ofI64(static_cast<int64_t>(elements.size()));
  if (elements.empty() || !is_whole) return std::nullopt;
  return elements;
}

}  // namespace

std::optional<Operand> simplifyArray(RuleContext& context, Stm& stm, bool& changed) {
  if (std::holds_alternative<Index>(stm.expr)) return simplifyIndex(context, stm, changed);
  if (std::holds_alternative<Slice>(stm.expr)) return simplifySlice(context, stm, changed);
  if (auto* n = std::get_if<core::Rearrange>(&stm.expr)) {
    return simplifyRearrange(context, *n, changed);
  }
  if (std::holds_alternative<core::Reshape>(stm.expr)) {
    return simplifyReshape(context, stm, changed);
  }
  if (std::holds_alternative<core::Update>(stm.expr)) simplifyUpdate(context, stm, changed);
  if (auto* n = std::get_if<core::Concat>(&stm.expr)) {
    bool same = n->arrays.size() == 1 && context.program.type(n->arrays[0]).shape[0] == n->size;
    if (same && !eitherConsumed(context, n->arrays[0], stm.results[0])) {
      return Operand(n->arrays[0]);
    }
    if (auto elements = knownElements(context, *n)) {
      stm.expr =
          core::ArrayLiteral{context.program.type(stm.results[0]).scalar, std::move(*elements)};
      changed = true;
    }
  }
  return std::nullopt;
}

}  // namespace halo::passes
