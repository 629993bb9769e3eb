// Rules of arrays: parts, views, and arrays that are made.
#include "lang/core/rules/rules.h"

namespace halo::core {

namespace {

using enum prim::ScalarType;

}  // namespace

void Rules::check(const Index& n) {
  Type part;
  if (selected(n.array, n.indices, &part)) gives({part});
}

void Rules::check(const Slice& n) {
  Type part;
  if (sliced(n.array, n.dims, &part)) gives({part});
}

void Rules::check(const Update& n) {
  Type part;
  if (!n.indices.empty() && !n.dims.empty()) return fail("update with indices and slices");
  bool good = n.dims.empty() ? selected(n.array, n.indices, &part) : sliced(n.array, n.dims, &part);
  if (!good) return;
  same(type(n.value), part, "the new value");
  gives({type(n.array)});
}

void Rules::check(const Iota& n) {
  onlyProven();
  need(prim::isInteger(n.type), "iota of a type that is no integer");
  scalar(n.count, kI64, "count"), scalar(n.start, n.type, "start"), scalar(n.step, n.type, "step");
  gives({{n.type, {n.count}}});
}

void Rules::check(const Replicate& n) {
  onlyProven(), sizes(n.shape), need(!n.shape.empty(), "replicate without a size");
  gives({arrayOf(n.shape, type(n.value))});
}

void Rules::check(const ArrayLiteral& n) {
  onlyProven();
  if (!need(!n.elements.empty(), "array literal without elements")) return;
  Type element = type(n.elements[0]);
  need(element.scalar == n.type, "elements are not of the array's scalar type");
  for (const Operand& e : n.elements) same(type(e), element, "element");
  gives({arrayOf({Operand::ofI64(static_cast<int64_t>(n.elements.size()))}, element)});
}

void Rules::check(const Scratch& n) { onlyProven(), sizes(n.shape), gives({{n.type, n.shape}}); }

void Rules::check(const Rearrange& n) {
  onlyProven();
  Type t = type(n.array);
  std::vector<bool> seen(t.shape.size());
  Type result{t.scalar, {}};
  if (n.permutation.size() != t.shape.size()) return fail("rearrange of a wrong rank");
  for (int d : n.permutation) {
    bool good = d >= 0 && d < t.rank() && !seen[static_cast<size_t>(d)];
    if (!need(good, "rearrange by what is no permutation")) return;
    seen[static_cast<size_t>(d)] = true;
    result.shape.push_back(t.shape[static_cast<size_t>(d)]);
  }
  gives({result});
}

void Rules::check(const Reshape& n) {
  onlyProven(), sizes(n.shape);
  need(!type(n.array).isScalar() && !n.shape.empty(), "reshape of or to a scalar");
  gives({{type(n.array).scalar, n.shape}});
}

void Rules::check(const Concat& n) {
  onlyProven(), sizes({n.size});
  if (!need(!n.arrays.empty(), "concat of nothing")) return;
  for (ValueId array : n.arrays) {
    if (!need(!type(array).isScalar(), "concat of a scalar")) return;
    same(row(type(array)), row(type(n.arrays[0])), "row");
  }
  gives({arrayOf({n.size}, row(type(n.arrays[0])))});
}

void Rules::check(const Copy& n) {
  onlyProven(), need(!type(n.array).isScalar(), "copy of a scalar");
  gives({type(n.array)});
}

void Rules::check(const Pad& n) {
  onlyProven(), sizes(n.shape);
  Type t = type(n.array);
  if (!need(!n.dims.empty() && n.dims.size() <= t.shape.size() && n.shape.size() == n.dims.size(),
            "pad of a wrong rank")) {
    return;
  }
  Type element = t;
  for (size_t k = 0; k < n.dims.size(); ++k) element = row(element), t.shape[k] = n.shape[k];
  for (const PadDim& dim : n.dims) {
    sizes({dim.before, dim.after}), boundary(dim.boundary, element);
  }
  gives({t});
}

void Rules::check(const Slide& n) {
  onlyProven();
  Type element = type(n.array);
  if (!need(!n.dims.empty() && n.dims.size() <= element.shape.size(), "slide of a wrong rank")) {
    return;
  }
  Operands counts, windows;
  for (const SlideDim& dim : n.dims) {
    sizes({dim.size, dim.step, dim.count});
    counts.push_back(dim.count), windows.push_back(dim.size), element = row(element);
  }
  gives({arrayOf(counts, arrayOf(windows, element))});
}

}  // namespace halo::core
