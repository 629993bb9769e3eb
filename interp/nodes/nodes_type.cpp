// Types at run time, and checks by them: coercions, sizes, assertions, holes.
#include "interp/nodes/nodes.h"
#include "lang/types/infer/accumulator.h"

namespace halo::interp {

namespace {

class CoerceNode : public Node {
 public:
  CoerceNode(NodeRef value, std::vector<WantedShape> wanted, Site site)
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

class HoleNode : public Node {
 public:
  explicit HoleNode(Site site) : site_(site) {}
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

NodeRef coerceNode(NodeRef value, std::vector<WantedShape> wanted, Site site) {
  return std::make_unique<CoerceNode>(std::move(value), std::move(wanted), site);
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
NodeRef holeNode(Site site) { return std::make_unique<HoleNode>(site); }

}  // namespace halo::interp
