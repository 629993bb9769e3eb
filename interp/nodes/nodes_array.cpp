// Array literals, ranges, indexing and updates.
#include "interp/nodes/nodes.h"

namespace halo::interp {

namespace {

class ArrayLiteral : public Node {
 public:
  ArrayLiteral(Nodes elements, NodeRef element_type, Site site)
      : elements_(std::move(elements)), element_type_(std::move(element_type)), site_(site) {}
  Datum eval(Frame& frame) const override {
    const UserSpanScope scope(frame.state, site_);
    ArrayBuilder builder(frame.state, static_cast<int64_t>(elements_.size()));
    for (const NodeRef& element : elements_) builder.add(element->eval(frame));
    return builder.finish([&] { return element_type_->eval(frame); });
  }

 private:
  Nodes elements_;
  NodeRef element_type_;
  Site site_;
};

class Range : public Node {
 public:
  Range(RangeParts parts, Site site) : parts_(std::move(parts)), site_(site) {}
  Datum eval(Frame& frame) const override {
    const __int128 first = number(*parts_.first, frame);
    const __int128 second = parts_.second
                                ? number(*parts_.second, frame)
                                : first + (parts_.end == syntax::RangeEnd::kAbove ? -1 : 1);
    const __int128 last = number(*parts_.last, frame);
    const __int128 step = second - first;
    const UserSpanScope scope(frame.state, site_);
    const __int128 distance = step > 0 ? last - first : first - last;
    const bool wrong_way = (parts_.end == syntax::RangeEnd::kBelow && step < 0) ||
                           (parts_.end == syntax::RangeEnd::kAbove && step > 0);
    if (step == 0 || wrong_way || distance < 0) {
      frame.state.fail(
          Code::malformed_range,
          {static_cast<int64_t>(first), static_cast<int64_t>(second), static_cast<int64_t>(last)});
    }
    const __int128 size = step > 0 ? step : -step;
    const bool inclusive = parts_.end == syntax::RangeEnd::kInclusive;
    const __int128 count = inclusive ? distance / size + 1 : (distance + size - 1) / size;
    // Distances are i64s, too.
    if (size > INT64_MAX || distance > INT64_MAX || count > INT64_MAX) {
      frame.state.fail(Code::size_overflow, {INT64_MAX});
    }
    return filled(frame.state, first, step, count);
  }

 private:
  __int128 number(const Node& node, Frame& frame) const {
    const Scalar value{parts_.type, node.evalBits(frame)};
    return prim::isSigned(parts_.type) ? static_cast<__int128>(value.asSigned())
                                       : static_cast<__int128>(value.bits);
  }
  Datum filled(State& state, __int128 first, __int128 step, __int128 count) const {
    Datum result = newArray(state, parts_.type, {static_cast<int64_t>(count)});
    const Array& array = arrayOf(result);
    const uint64_t mask = ~uint64_t{0} >> (64 - prim::bitWidth(parts_.type));
    std::byte* at = array.data;
    for (__int128 i = 0; i < count; ++i, at += cellSize(array)) {
      state.poll();
      const uint64_t bits = static_cast<uint64_t>(first + i * step) & mask;
      storeCell(array, at, Datum::scalar(parts_.type, bits));
    }
    return result;
  }
  RangeParts parts_;
  Site site_;
};

constexpr size_t kIndexNumbers = 24;  // positions of up to 8 dimensions stay on the C++ stack

// The positions of an index list: evaluated before a plain variable is read, else after the array.
class UpdatePositions {
 public:
  explicit UpdatePositions(const IndexList& list)
      : many_(list.slotCount() > kIndexNumbers ? list.slotCount() : 0) {}
  int64_t* get() { return many_.empty() ? few_ : many_.data(); }

 private:
  int64_t few_[kIndexNumbers];
  std::vector<int64_t> many_;
};

class Index : public Node {
  template <typename Use>
  auto select(Frame& frame, const Use& use) const {
    UpdatePositions positions(indices_);
    if (const Datum* variable = array_.variable(frame)) {
      indices_.evaluate(frame, positions.get());
      return use(*variable, positions.get());
    }
    const Datum array = array_.eval(frame);
    indices_.evaluate(frame, positions.get());
    return use(array, positions.get());
  }

 public:
  Index(NodeRef array, IndexList indices, Site site)
      : array_(std::move(array)),
        indices_(std::move(indices)),
        site_(site),
        is_single_(indices_.isSingleIndex()) {}
  Datum eval(Frame& frame) const override {
    return select(frame,
                  [&](const Datum& array, const int64_t* at) { return value(frame, array, at); });
  }
  uint64_t evalBits(Frame& frame) const override {
    const Datum* variable = is_single_ ? array_.variable(frame) : nullptr;
    const auto* array =
        variable != nullptr ? static_cast<const Array*>(&variable->object()) : nullptr;
    if (array != nullptr && !array->is_record && !array->is_boxed && array->rank() == 1) {
      // Evaluated once, also if it lies outside: it may use up its operands.
      const int64_t at[] = {indices_.singleIndex(frame), 0, 0};
      if (!outside(at[0], array->extent())) {
        return loadBits(array->type, array->data + at[0] * array->strides[0] * sizeOf(array->type));
      }
      State& state = frame.state;
      return loadBits(array->type, indices_.address(state, *array, at, state.where(site_)));
    }
    return select(frame, [&](const Datum& datum, const int64_t* at) {
      const Array& array = arrayOf(datum);
      if (array.is_record || !isScalarAccess(array)) return value(frame, datum, at).bits();
      State& state = frame.state;
      return loadCellBits(array, indices_.address(state, array, at, state.where(site_)));
    });
  }

 private:
  bool isScalarAccess(const Array& array) const {
    return !array.is_record && indices_.onlyIndices() && indices_.rank() == array.rank();
  }
  Datum value(Frame& frame, const Datum& datum, const int64_t* at) const {
    State& state = frame.state;
    const Array& array = arrayOf(datum);
    if (isScalarAccess(array)) {
      return loadCell(array, indices_.address(state, array, at, state.where(site_)));
    }
    return settle(indices_.view(state, datum, at, state.where(site_)));
  }

  Operand array_;
  IndexList indices_;
  Site site_;
  bool is_single_;
};

class Update : public Node {
 public:
  Update(NodeRef array, IndexList indices, NodeRef value, Site site)
      : array_(std::move(array)),
        indices_(std::move(indices)),
        value_(std::move(value)),
        site_(site) {}
  Datum eval(Frame& frame) const override {
    UpdatePositions positions(indices_);
    const bool late = array_.variable(frame) != nullptr;  // a variable: may now be reused
    Datum array;
    if (!late) array = array_.eval(frame);
    indices_.evaluate(frame, positions.get());
    const Datum value = value_->eval(frame);
    if (late) array = array_.eval(frame);
    return updated(frame.state, std::move(array), positions.get(), value);
  }

 private:
  Datum updated(State& state, Datum datum, const int64_t* at, const Datum& value) const {
    const Span span = state.where(site_);
    if (value.isScalar() && indices_.onlyIndices()) {
      const Array& given = arrayOf(datum);
      std::byte* place = indices_.address(state, given, at, span);  // may fail: before any copying
      if (!isWritable(state, datum)) {
        datum = unique(state, std::move(datum));
        place = indices_.address(state, arrayOf(datum), at, span);
      }
      storeCell(arrayOf(datum), place, value);
      return datum;
    }
    indices_.view(state, datum, at, span);
    datum = unique(state, std::move(datum));
    const Datum view = indices_.view(state, datum, at, span);
    if (const auto difference = assign(view, value)) {
      Dims extents = difference->found;
      extents.append(difference->wanted);
      state.fail(Code::shape_mismatch, span, extents);
    }
    return datum;
  }
  Datum unique(State& state, Datum datum) const {
    const UserSpanScope scope(state, site_);
    return makeUnique(state, std::move(datum));
  }

  Operand array_;
  IndexList indices_;
  NodeRef value_;
  Site site_;
};

}  // namespace

NodeRef arrayNode(Nodes elements, NodeRef element_type, Site site) {
  return std::make_unique<ArrayLiteral>(std::move(elements), std::move(element_type), site);
}
NodeRef rangeNode(RangeParts parts, Site site) {
  return std::make_unique<Range>(std::move(parts), site);
}
NodeRef indexNode(NodeRef array, IndexList indices, Site site) {
  return std::make_unique<Index>(std::move(array), std::move(indices), site);
}
NodeRef updateNode(NodeRef array, IndexList indices, NodeRef value, Site site) {
  return std::make_unique<Update>(std::move(array), std::move(indices), std::move(value), site);
}

}  // namespace halo::interp
