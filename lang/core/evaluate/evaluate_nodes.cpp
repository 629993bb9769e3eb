// Arrays without lambdas: parts, views, arrays that are made, windows.
#include <algorithm>

#include "lang/core/evaluate/evaluator.h"

namespace halo::core {

Data Evaluator::evaluated(const Stm& stm, const Index& e) {
  const Position position = numbers(e.indices);
  if (!isInside(position, get(e.array).shape)) fail(stm, "index");
  return {at(get(e.array), position)};
}

Evaluator::Part Evaluator::partOf(const Stm& stm, const Datum& array,
                                  const std::vector<SliceDim>& dims) {
  Part part;
  for (const SliceDim& dim : dims) {
    part.shape.push_back(std::max<int64_t>(number(dim.length), 0));
    part.start.push_back(number(dim.start));
    part.stride.push_back(number(dim.stride));
  }
  for (size_t i = 0; i < dims.size(); ++i) {  // an empty dimension is not looked at
    if (part.shape[i] == 0) continue;
    const __int128 last =
        part.start[i] + (part.shape[i] - 1) * static_cast<__int128>(part.stride[i]);
    if (part.start[i] < 0 || part.start[i] >= array.shape[i] || last < 0 ||
        last >= array.shape[i]) {
      fail(stm, "slice");
    }
  }
  return part;
}

Data Evaluator::evaluated(const Stm& stm, const Slice& e) {
  const Datum& array = get(e.array);
  const Part part = partOf(stm, array, e.dims);
  return {built(array.type, part.shape, part.shape,
                [&](const Position& position) { return at(array, part.from(position)); })};
}

Data Evaluator::evaluated(const Stm& stm, const Update& e) {
  Datum array = get(e.array);
  const Datum value = get(e.value);
  if (e.dims.empty()) {
    const Position position = numbers(e.indices);
    if (!isInside(position, array.shape)) fail(stm, "update");
    return {withPart(array, position, value)};
  }
  const Part part = partOf(stm, array, e.dims);
  if (part.shape != value.shape) throw Stop{End::kWrong, "an update by another shape"};
  eachPosition(part.shape, [&](const Position& position) {
    array = withPart(array, part.from(position), at(value, position));
  });
  return {array};
}

Data Evaluator::evaluated(const Stm&, const Iota& e) {
  const std::vector<int64_t> shape = shapeOf({e.count});
  const Scalar start = get(e.start).scalar(), step = get(e.step).scalar();
  std::vector<uint64_t> bits;
  for (int64_t i = 0; i < shape[0]; ++i) {
    const auto offset = static_cast<int64_t>(static_cast<uint64_t>(i) * step.bits);
    bits.push_back(Scalar::ofUnsigned(e.type, start.bits + static_cast<uint64_t>(offset)).bits);
  }
  return {Datum::of(e.type, shape, std::move(bits))};
}

Data Evaluator::evaluated(const Stm&, const Replicate& e) {
  const Datum value = get(e.value);
  const std::vector<int64_t> outer = shapeOf(e.shape);
  std::vector<int64_t> shape = outer;
  shape.insert(shape.end(), value.shape.begin(), value.shape.end());
  return {built(value.type, shape, outer, [&](const Position&) { return value; })};
}

Data Evaluator::evaluated(const Stm&, const ArrayLiteral& e) {
  const Data parts = get(e.elements);
  std::vector<int64_t> shape = {static_cast<int64_t>(parts.size())};
  shape.insert(shape.end(), parts[0].shape.begin(), parts[0].shape.end());
  return {built(e.type, shape, {shape[0]},
                [&](const Position& i) { return parts[static_cast<size_t>(i[0])]; })};
}

Data Evaluator::evaluated(const Stm&,
                          const Scratch& e) {  // any number: it has no reader
  const std::vector<int64_t> shape = shapeOf(e.shape);
  const Scalar junk =
      Scalar::fromBits(e.type, e.type == ScalarType::kBool ? 1 : 0x5a5a5a5a5a5a5a5a);
  return {built(e.type, shape, shape, [&](const Position&) { return Datum::of(junk); })};
}

Data Evaluator::evaluated(const Stm&, const Rearrange& e) {
  const Datum& array = get(e.array);
  std::vector<int64_t> shape;
  for (int axis : e.permutation) shape.push_back(array.shape[static_cast<size_t>(axis)]);
  for (size_t i = shape.size(); i < array.shape.size(); ++i) shape.push_back(array.shape[i]);
  return {built(array.type, shape, shape, [&](const Position& position) {
    Position source = position;
    for (size_t i = 0; i < e.permutation.size(); ++i) {
      source[static_cast<size_t>(e.permutation[i])] = position[i];
    }
    return at(array, source);
  })};
}

Data Evaluator::evaluated(const Stm&, const Reshape& e) {
  Datum array = get(e.array);
  array.shape = shapeOf(e.shape);
  if (elements(array.shape) != static_cast<int64_t>(array.bits->size())) {
    throw Stop{End::kWrong, "a reshape to another number of elements"};
  }
  return {array};
}

Data Evaluator::evaluated(const Stm& stm, const Concat& e) {
  std::vector<uint64_t> bits;
  for (ValueId array : e.arrays) {
    bits.insert(bits.end(), get(array).bits->begin(), get(array).bits->end());
  }
  const Type& type = program_.type(stm.results[0]);
  return {Datum::of(type.scalar, shapeOf(type.shape), std::move(bits))};
}

Data Evaluator::evaluated(const Stm&, const Copy& e) { return {get(e.array)}; }

// One cell of the array, or its neighbour outside.
Datum Evaluator::cell(const Datum& array, const std::vector<Boundary>& boundary,
                      const Position& position) {
  Position inside;
  for (size_t axis = 0; axis < position.size(); ++axis) {
    auto found = insideBy(boundary[axis].kind, position[axis], array.shape[axis]);
    if (!found) return get(boundary[axis].value);
    inside.push_back(*found);
  }
  return at(array, inside);
}

Data Evaluator::evaluated(const Stm&, const Pad& e) {
  const Datum& array = get(e.array);
  std::vector<Boundary> boundary;
  for (const PadDim& dim : e.dims) boundary.push_back(dim.boundary);
  const std::vector<int64_t> outer = shapeOf(e.shape);
  std::vector<int64_t> shape = outer;
  for (size_t i = outer.size(); i < array.shape.size(); ++i) shape.push_back(array.shape[i]);
  for (size_t i = 0; i < outer.size(); ++i) {
    if (array.shape[i] == 0 && boundary[i].kind != BoundaryKind::kConstant && elements(outer) > 0) {
      throw Stop{End::kWrong, "a pad of nothing"};
    }
  }
  return {built(array.type, shape, outer, [&](const Position& position) {
    Position source;
    for (size_t i = 0; i < position.size(); ++i) {
      source.push_back(position[i] - number(e.dims[i].before));
    }
    Datum found = cell(array, boundary, source);
    if (found.isScalar() && shape.size() > outer.size()) {  // a constant fills a row
      const std::vector<int64_t> row(shape.begin() + static_cast<std::ptrdiff_t>(outer.size()),
                                     shape.end());
      return built(found.type, row, row, [&](const Position&) { return found; });
    }
    return found;
  })};
}

Data Evaluator::evaluated(const Stm&, const Slide& e) {
  const Datum& array = get(e.array);
  Operands counts, sizes;
  for (const SlideDim& dim : e.dims) counts.push_back(dim.count), sizes.push_back(dim.size);
  std::vector<int64_t> outer = shapeOf(counts);
  const std::vector<int64_t> window = shapeOf(sizes);
  for (size_t i = 0; i < window.size(); ++i) {
    const int64_t used = (outer[i] - 1) * number(e.dims[i].step) + window[i];
    if (used != array.shape[i]) throw Stop{End::kWrong, "a slide that does not fit"};
  }
  outer.insert(outer.end(), window.begin(), window.end());
  std::vector<int64_t> shape = outer;
  for (size_t i = e.dims.size(); i < array.shape.size(); ++i) shape.push_back(array.shape[i]);
  return {built(array.type, shape, outer, [&](const Position& position) {
    Position source;
    for (size_t i = 0; i < e.dims.size(); ++i) {
      source.push_back(position[i] * number(e.dims[i].step) + position[e.dims.size() + i]);
    }
    return at(array, source);
  })};
}

}  // namespace halo::core
