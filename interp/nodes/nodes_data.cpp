// Tuples and records, array literals, ranges, indexing and updates; assertions and coercions;
// run-time types.
#include "interp/nodes/nodes.h"
#include "lang/types/infer/accumulator.h"

namespace halo::interp {

namespace {

class RecordExpr : public Node {
 public:
  RecordExpr(Nodes operands, std::vector<int> positions)
      : operands_(std::move(operands)), positions_(std::move(positions)) {}
  Datum eval(Frame& frame) const override {
    std::vector<Datum> fields(operands_.size());
    evalFields(frame, fields.data());
    return makeRecord(std::move(fields));
  }
  void evalFields(Frame& frame, Datum* out) const override {
    evalOperands(frame, operands_, [&](size_t i) -> Datum& { return out[positions_[i]]; });
  }

 private:
  Nodes operands_;
  std::vector<int> positions_;
};

class Field : public Node {
 public:
  Field(NodeRef record, int field) : record_(std::move(record)), field_(field) {}
  Datum eval(Frame& frame) const override {
    if (const Datum* place = record_.variable(frame)) return of(*place);
    return of(record_.eval(frame));
  }

 private:
  const Datum& of(const Datum& record) const {
    return record.as<Record>().fields[static_cast<size_t>(field_)];
  }
  Operand record_;
  int field_;
};

class RecordUpdate : public Node {
 public:
  RecordUpdate(NodeRef record, std::vector<int> path, NodeRef value)
      : record_(std::move(record)), path_(std::move(path)), value_(std::move(value)) {}
  Datum eval(Frame& frame) const override {
    const Datum record = record_->eval(frame);
    return updated(record, 0, value_->eval(frame));
  }

 private:
  Datum updated(const Datum& record, size_t depth, Datum value) const {
    if (depth == path_.size()) return value;
    std::vector<Datum> fields = record.as<Record>().fields;
    Datum& field = fields[static_cast<size_t>(path_[depth])];
    field = updated(field, depth + 1, std::move(value));
    return makeRecord(std::move(fields));
  }
  NodeRef record_;
  std::vector<int> path_;
  NodeRef value_;
};

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
    const bool late = array_.variable(frame) != nullptr;  // a variable: may now be taken over
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

class Coerce : public Node {
 public:
  Coerce(NodeRef value, std::vector<WantedShape> wanted, Site site)
      : value_(std::move(value)), wanted_(std::move(wanted)), site_(site) {}
  Datum eval(Frame& frame) const override {
    Datum value = value_->eval(frame);
    for (const WantedShape& shape : wanted_) check(frame, value, shape);
    return value;
  }

 private:
  void check(Frame& frame, const Datum& value, const WantedShape& wanted) const {
    std::vector<int64_t> extents;
    for (const auto& path : wanted.paths) extents.push_back(sizeAt(value, path));
    for (const NodeRef& size : wanted.sizes) {
      extents.push_back(static_cast<int64_t>(size->evalBits(frame)));
    }
    const auto middle = extents.begin() + static_cast<std::ptrdiff_t>(wanted.paths.size());
    if (std::equal(extents.begin(), middle, middle)) return;
    frame.state.fail(Code::shape_mismatch, frame.state.where(site_), extents);
  }
  NodeRef value_;
  std::vector<WantedShape> wanted_;
  Site site_;
};

class Assert : public Node {
 public:
  Assert(NodeRef condition, NodeRef value, Site site)
      : condition_(std::move(condition)), value_(std::move(value)), site_(site) {}
  Datum eval(Frame& frame) const override {
    if (condition_->evalBits(frame) == 0) {
      frame.state.fail(Code::assertion_failed, frame.state.where(site_));
    }
    return value_->eval(frame);
  }

 private:
  NodeRef condition_, value_;
  Site site_;
};

class BindSizes : public Node {
 public:
  BindSizes(NodeRef value, std::vector<SizeBinding> sizes)
      : value_(std::move(value)), sizes_(std::move(sizes)) {}
  Datum eval(Frame& frame) const override {
    Datum value = value_->eval(frame);
    bindSizes(frame, sizes_, value);
    return value;
  }

 private:
  NodeRef value_;
  std::vector<SizeBinding> sizes_;
};

class ArrayTypeAt : public Node {
 public:
  ArrayTypeAt(NodeRef size, NodeRef element)
      : size_(std::move(size)), element_(std::move(element)) {}
  Datum eval(Frame& frame) const override {
    auto* type = new RuntimeType(RuntimeType::Form::kArray);
    Datum result(type);
    type->size = static_cast<int64_t>(size_->evalBits(frame));
    type->parts.push_back(element_->eval(frame));
    return result;
  }

 private:
  NodeRef size_, element_;
};

class RecordTypeAt : public Node {
 public:
  RecordTypeAt(Nodes fields, const std::vector<std::string>* names)
      : fields_(std::move(fields)), names_(names) {}
  Datum eval(Frame& frame) const override {
    auto* type = new RuntimeType(RuntimeType::Form::kRecord);
    Datum result(type);
    type->names = names_;
    for (const NodeRef& field : fields_) type->parts.push_back(field->eval(frame));
    return result;
  }

 private:
  Nodes fields_;
  const std::vector<std::string>* names_;
};

class AccumulatorTypeAt : public Node {
 public:
  explicit AccumulatorTypeAt(NodeRef array) : array_(std::move(array)) {}
  Datum eval(Frame& frame) const override {
    static const std::vector<std::string> names = types::accumulatorFields();
    const Datum array = array_->eval(frame);
    const auto& of = array.as<RuntimeType>();
    const Datum number(new RuntimeType(RuntimeType::Form::kScalar));  // of i64s
    auto* shape = new RuntimeType(RuntimeType::Form::kArray);
    shape->size = of.size;
    shape->parts.emplace_back(new RuntimeType(RuntimeType::Form::kRecord));
    auto* type = new RuntimeType(RuntimeType::Form::kRecord);
    type->names = &names;
    type->parts = {number, number, Datum(shape), number, of.parts[0]};
    return Datum(type);
  }

 private:
  NodeRef array_;
};

class SumTypeAt : public Node {
 public:
  SumTypeAt(Nodes parts, const std::vector<size_t>& payloads, const std::vector<std::string>* names)
      : parts_(std::move(parts)), names_(names) {
    for (const size_t count : payloads) starts_.push_back(starts_.back() + count);
  }
  Datum eval(Frame& frame) const override {
    auto* type = new RuntimeType(RuntimeType::Form::kSum);
    Datum result(type);
    type->names = names_;
    type->starts = starts_;
    for (const NodeRef& part : parts_) type->parts.push_back(part->eval(frame));
    return result;
  }

 private:
  Nodes parts_;
  const std::vector<std::string>* names_;
  std::vector<size_t> starts_{0};
};

class SumExpr : public Node {
 public:
  SumExpr(NodeRef type, size_t constructor, Nodes payload)
      : type_(std::move(type)), constructor_(constructor), payload_(std::move(payload)) {}
  // The type comes last: it may mention sizes that the payload binds.
  Datum eval(Frame& frame) const override {
    std::vector<Datum> payload(payload_.size());
    evalOperands(frame, payload_, [&](size_t i) -> Datum& { return payload[i]; });
    return makeSum(type_->eval(frame), constructor_, std::move(payload));
  }

 private:
  NodeRef type_;
  size_t constructor_;
  Nodes payload_;
};

class Hole : public Node {
 public:
  explicit Hole(Site site) : site_(site) {}
  Datum eval(Frame& frame) const override {
    frame.state.fail(Code::hole_reached, frame.state.where(site_));
  }

 private:
  Site site_;
};

// A type without sizes and parameters is made once.
template <typename TypeNode>
NodeRef typeOnce(bool constant, std::unique_ptr<TypeNode> node) {
  if (!constant) return node;
  static State unused(nullptr);  // code without names asks for nothing
  Frame frame{nullptr, nullptr, unused};
  return constantNode(node->eval(frame));
}

bool areConstant(const Nodes& nodes) {
  return std::all_of(nodes.begin(), nodes.end(), [](const NodeRef& n) { return n->isConstant(); });
}

}  // namespace

NodeRef recordNode(Nodes operands, std::vector<int> positions) {
  return std::make_unique<RecordExpr>(std::move(operands), std::move(positions));
}
NodeRef fieldNode(NodeRef record, int field) {
  return std::make_unique<Field>(std::move(record), field);
}
NodeRef recordUpdateNode(NodeRef record, std::vector<int> path, NodeRef value) {
  return std::make_unique<RecordUpdate>(std::move(record), std::move(path), std::move(value));
}
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
NodeRef coerceNode(NodeRef value, std::vector<WantedShape> wanted, Site site) {
  return std::make_unique<Coerce>(std::move(value), std::move(wanted), site);
}
NodeRef assertNode(NodeRef condition, NodeRef value, Site site) {
  return std::make_unique<Assert>(std::move(condition), std::move(value), site);
}
NodeRef bindSizesNode(NodeRef value, std::vector<SizeBinding> sizes) {
  return std::make_unique<BindSizes>(std::move(value), std::move(sizes));
}
NodeRef arrayTypeNode(NodeRef size, NodeRef element) {
  const bool constant = size->isConstant() && element->isConstant();
  return typeOnce(constant, std::make_unique<ArrayTypeAt>(std::move(size), std::move(element)));
}
NodeRef recordTypeNode(Nodes fields, const std::vector<std::string>* names) {
  const bool constant = areConstant(fields);
  return typeOnce(constant, std::make_unique<RecordTypeAt>(std::move(fields), names));
}
NodeRef accumulatorTypeNode(NodeRef array) {
  return std::make_unique<AccumulatorTypeAt>(std::move(array));
}
NodeRef sumTypeNode(Nodes parts, const std::vector<size_t>& payloads,
                    const std::vector<std::string>* names) {
  const bool constant = areConstant(parts);
  return typeOnce(constant, std::make_unique<SumTypeAt>(std::move(parts), payloads, names));
}
NodeRef sumNode(NodeRef type, size_t constructor, Nodes payload) {
  return std::make_unique<SumExpr>(std::move(type), constructor, std::move(payload));
}
NodeRef holeNode(Site site) { return std::make_unique<Hole>(site); }

}  // namespace halo::interp
