// Array nodes: index functions for views, element loops for arrays that must be in memory.
#include <algorithm>

#include "lang/base/check.h"
#include "lang/core/aliases.h"
#include "lang/core/visit.h"
#include "lang/imp/lower/lowering.h"
#include "lang/imp/schedule/transposed_tiles.h"

namespace halo::imp {

using core::ValueId;
using prim::Op;

namespace {

bool isWhole(const ArrayRef& array, size_t axis, Operand start, Operand length, Operand stride) {
  return start == kZero && stride == kOne && length == array.shape[axis];
}

// start + i * step, in the iota's own type.
Operand iotaElement(Builder& b, ScalarType type, Operand start, Operand step, Operand i) {
  Operand value = i;
  if (type != ScalarType::kI64) {
    value = b.let("i", type, Convert{prim::ConvertKind::kValue, ScalarType::kI64, type, i});
  }
  bool is_one = step.isConstant() && prim::isInteger(type) && step.constant.bits == 1;
  if (!is_one) {
    value = b.prim(Op::kMul, type, {value, step});
  }
  if (start == Operand(prim::zero(type))) return value;
  return b.prim(Op::kAdd, type, {start, value});
}

ArrayRef sliced(Builder& b, const Environment& env, const ArrayRef& source,
                const std::vector<core::SliceDim>& dims) {
  ArrayRef view = source;
  Operands starts, steps;
  for (size_t k = 0; k < dims.size(); ++k) {
    Operand start = operandOf(env, dims[k].start);
    Operand length = operandOf(env, dims[k].length);
    Operand stride = operandOf(env, dims[k].stride);
    // Only the outermost dimension of a dense array may be cut.
    bool keeps_dense = isWhole(source, k, start, length, stride) || (k == 0 && stride == kOne);
    view.dense = view.dense && keeps_dense;
    view.shape[k] = length;
    starts.push_back(start);
    steps.push_back(stride);
    if (source.isVirtual()) continue;
    view.offset = b.add(view.offset, b.mul(start, source.strides[k]));
    view.strides[k] = b.mul(stride, source.strides[k]);
  }
  if (source.isVirtual()) {
    view.generate = [whole = source.generate, starts, steps](Builder& code,
                                                             const Operands& indices) {
      Operands moved;
      for (size_t k = 0; k < indices.size(); ++k) {
        moved.push_back(code.add(starts[k], code.mul(indices[k], steps[k])));
      }
      return whole(code, moved);
    };
  }
  return view;
}

// Arrays from outside of the body at hand included: a loop may overwrite its carried arrays.
bool overwritesArrays(const core::Program& core, const core::Body& body) {
  bool consumes = false;
  core::visitStms(body, [&](const core::Stm& stm) {
    consumes = consumes || !core::consumedBy(core, stm.expr).empty();
  });
  return consumes;
}

// Does an inner loop walk over the rows of this array, again for every iteration around it? Then it
// is better transposed once than read with a stride each time. Not where each row gives scalars:
// then rows run in lanes.
bool isWalkedInside(const core::Program& core, const core::Body& body, ValueId value) {
  bool found = false;
  auto look = [&](const core::Stm& stm) {
    const auto* screma = std::get_if<core::Screma>(&stm.expr);
    if (screma == nullptr) return;
    const core::Operands& results = screma->map.body.results;
    bool scalars = std::all_of(results.begin(), results.end(), [&](const core::Operand& result) {
      return core.type(result).isScalar();
    });
    if (scalars) return;
    for (ValueId input : screma->inputs) found = found || input == value;
  };
  for (const core::Stm& stm : body.stms) {
    core::visitBodies(stm.expr, [&](const core::Body& inner) { core::visitStms(inner, look); });
  }
  return found;
}

}  // namespace

void Lowering::setVirtual(ValueId value, ArrayRef virtual_array) {
  const core::Type& type = core_.type(value);
  virtual_array.shape = scalars(type.shape);
  virtual_array.type = type.scalar;
  if (destinations_.has(value)) {
    ArrayRef target = destinations_.output(value);
    copyTo(target, virtual_array);
    set(value, target);
  } else {
    set(value, std::move(virtual_array));
  }
}

void Lowering::lower(const core::Stm& stm, const core::Index& node) {
  const ArrayRef& source = array(node.array);
  Operands indices = scalars(node.indices);
  if (core_.type(stm.results[0]).isScalar()) {
    set(stm.results[0], loadElement(b_, source, indices));
  } else {
    set(stm.results[0], prefixView(b_, source, indices));
  }
}

void Lowering::lower(const core::Stm& stm, const core::Slice& node) {
  set(stm.results[0], sliced(b_, env_, array(node.array), node.dims));
}

void Lowering::lower(const core::Stm& stm, const core::Update& node) {
  ArrayRef target = real(array(node.array));
  bool is_scalar = core_.type(node.value).isScalar();
  if (is_scalar) {
    storeElement(b_, target, scalars(node.indices), scalar(node.value));
  } else {
    ArrayRef part = node.dims.empty() ? prefixView(b_, target, scalars(node.indices))
                                      : sliced(b_, env_, target, node.dims);
    copyArray(b_, target_, part, array(node.value.value));
  }
  set(stm.results[0], target);
}

void Lowering::lower(const core::Stm& stm, const core::Iota& node) {
  ArrayRef iota;
  ScalarType type = node.type;
  Operand start = scalar(node.start), step = scalar(node.step);
  iota.generate = [=](Builder& b, const Operands& indices) {
    return iotaElement(b, type, start, step, indices[0]);
  };
  bool counts = type == ScalarType::kI64 && node.start == core::Operand::ofI64(0) &&
                node.step == core::Operand::ofI64(1);
  if (counts) indices_.insert(stm.results[0]);
  setVirtual(stm.results[0], std::move(iota));
}

void Lowering::lower(const core::Stm& stm, const core::Replicate& node) {
  ValueId result = stm.results[0];
  size_t outer = node.shape.size();
  if (core_.type(node.value).isScalar()) {
    ArrayRef same;
    same.generate = [value = scalar(node.value)](Builder&, const Operands&) { return value; };
    setVirtual(result, std::move(same));
    return;
  }
  ArrayRef rows;
  rows.generate = [row = array(node.value.value), outer](Builder& b, const Operands& indices) {
    return loadElement(b, row, {indices.begin() + static_cast<ptrdiff_t>(outer), indices.end()});
  };
  if (target_.reads_through && !overwritesArrays(core_, scope_->body)) {
    rows.buffer = array(node.value.value).buffer;  // lives on
    setVirtual(result, std::move(rows));
    return;
  }
  ArrayRef target = destinations_.output(result);
  rows.type = target.type;
  rows.shape = target.shape;
  copyTo(target, rows);
  set(result, target);
}

std::optional<std::vector<Scalar>> Lowering::constantElements(
    const core::ArrayLiteral& node) const {
  std::vector<Scalar> all;
  for (const core::Operand& element : node.elements) {
    if (element.isConstant()) {
      all.push_back(element.constant);
      continue;
    }
    auto row = literals_.find(element.value);
    if (row == literals_.end()) return std::nullopt;
    all.insert(all.end(), row->second.begin(), row->second.end());
  }
  return all;
}

// Constants are data, copied where they are changed. Thousands of stores would take LLVM seconds.
void Lowering::lower(const core::Stm& stm, const core::ArrayLiteral& node) {
  auto constants = constantElements(node);
  if (constants && target_.has_data) {
    BufferId data = b_.buffer("data", node.type, Space::kHost);
    b_.program().buffers[data].contents = *constants;
    literals_[stm.results[0]] = std::move(*constants);
    ArrayRef whole =
        denseArray(b_, data, kZero, node.type, scalars(core_.type(stm.results[0]).shape));
    ArrayRef literal;
    literal.generate = [whole](Builder& b, const Operands& indices) {
      return loadElement(b, whole, indices);
    };
    setVirtual(stm.results[0], std::move(literal));
    return;
  }
  ArrayRef target = destinations_.output(stm.results[0]);
  for (size_t k = 0; k < node.elements.size(); ++k) {
    Operand index = Operand::ofI64(static_cast<int64_t>(k));
    if (core_.type(node.elements[k]).isScalar()) {
      storeElement(b_, target, {index}, scalar(node.elements[k]));
    } else {
      copyArray(b_, target_, prefixView(b_, target, {index}), array(node.elements[k].value));
    }
  }
  set(stm.results[0], target);
}

void Lowering::lower(const core::Stm& stm, const core::Scratch&) {
  set(stm.results[0], destinations_.output(stm.results[0]));
}

void Lowering::lower(const core::Stm& stm, const core::Rearrange& node) {
  if (const ArrayRef* found = destinations_.laidOut(node.array)) {
    set(stm.results[0], *found);
    return;
  }
  const ArrayRef& source = array(node.array);
  ArrayRef view = source;
  const std::vector<int>& permutation = node.permutation;
  for (size_t k = 0; k < permutation.size(); ++k) {
    auto from = static_cast<size_t>(permutation[k]);
    view.dense = view.dense && from == k;
    view.shape[k] = source.shape[from];
    if (!source.isVirtual()) view.strides[k] = source.strides[from];
  }
  if (source.isVirtual()) {
    view.generate = [whole = source.generate, permutation](Builder& b, const Operands& indices) {
      Operands moved(indices.size());
      for (size_t k = 0; k < indices.size(); ++k) {
        moved[static_cast<size_t>(permutation[k])] = indices[k];
      }
      return whole(b, moved);
    };
  }
  bool transpose = !view.dense && !view.isVirtual() && view.strides.back() != kOne;
  if (transpose && target_.vectorise && isWalkedInside(core_, scope_->body, stm.results[0]))
    view = dense(view);
  set(stm.results[0], std::move(view));
}

void Lowering::lower(const core::Stm& stm, const core::Reshape& node) {
  ArrayRef source = array(node.array);
  Operands shape = scalars(node.shape);
  if (source.isVirtual() && source.rank() == 1) {
    ArrayRef view = source;
    view.shape = shape;
    view.generate = [line = source.generate, shape](Builder& b, const Operands& indices) {
      Operand linear = indices[0];
      for (size_t k = 1; k < indices.size(); ++k) {
        linear = b.add(b.mul(linear, shape[k]), indices[k]);
      }
      return line(b, {linear});
    };
    set(stm.results[0], std::move(view));
    return;
  }
  if (source.dense && !source.isVirtual()) {
    destinations_.drop(stm.results[0]);
  } else if (std::optional<ArrayRef> wanted = destinations_.find(stm.results[0])) {
    destinations_.drop(stm.results[0]);
    ArrayRef target =
        denseArray(b_, wanted->buffer, wanted->offset, source.type, source.shape, wanted->pitch);
    copyTo(target, source);
    source = target;
  }
  source = dense(source);
  set(stm.results[0],
      denseArray(b_, source.buffer, source.offset, source.type, shape, source.pitch));
}

void Lowering::lower(const core::Stm& stm, const core::Concat& node) {
  ArrayRef target = destinations_.output(stm.results[0]);
  Operand start = kZero;
  for (ValueId part : node.arrays) {
    const ArrayRef& source = array(part);
    ArrayRef place = target;
    place.shape[0] = source.shape[0];
    place.offset = b_.add(target.offset, b_.mul(start, target.strides[0]));
    copyArray(b_, target_, place, source);
    start = b_.add(start, source.shape[0]);
  }
  set(stm.results[0], target);
}

void Lowering::lower(const core::Stm& stm, const core::Copy& node) {
  ArrayRef target = destinations_.output(stm.results[0]);
  copyTo(target, array(node.array));
  set(stm.results[0], target);
}

// Windows at a stride of `step`: the same strides twice.
void Lowering::lower(const core::Stm& stm, const core::Slide& node) {
  const ArrayRef& source = array(node.array);
  ArrayRef view = source;
  view.dense = false;
  size_t rank = node.dims.size();
  view.shape = scalars(core_.type(stm.results[0]).shape);
  Operands steps;
  for (const core::SlideDim& dim : node.dims) steps.push_back(scalar(dim.step));
  if (source.isVirtual()) {
    view.generate = [whole = source.generate, steps, rank](Builder& b, const Operands& indices) {
      Operands moved;
      for (size_t k = 0; k < rank; ++k) {
        moved.push_back(b.add(b.mul(indices[k], steps[k]), indices[rank + k]));
      }
      moved.insert(moved.end(), indices.begin() + static_cast<ptrdiff_t>(2 * rank), indices.end());
      return whole(b, moved);
    };
  } else {
    Operands outer;
    for (size_t k = 0; k < rank; ++k) outer.push_back(b_.mul(steps[k], source.strides[k]));
    view.strides.insert(view.strides.begin(), outer.begin(), outer.end());
  }
  set(stm.results[0], std::move(view));
}

}  // namespace halo::imp
