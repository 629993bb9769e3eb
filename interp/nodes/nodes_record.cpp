// Tuples, records and values of sum types: making them, reading and replacing their parts.
#include "interp/arrays/array.h"
#include "interp/nodes/nodes.h"

namespace halo::interp {

namespace {

class RecordNode : public Node {
 public:
  RecordNode(Nodes operands, std::vector<int> positions)
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

class RecordUpdateNode : public Node {
 public:
  RecordUpdateNode(NodeRef record, std::vector<int> path, NodeRef value)
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

class SumExpr : public Node {
 public:
  SumExpr(NodeRef type, size_t constructor, Nodes payload, Site site)
      : type_(std::move(type)),
        constructor_(constructor),
        payload_(std::move(payload)),
        site_(site) {}
  // The type comes last: it may mention sizes that the payload binds. A sum has room for the
  // payloads of all its constructors, so all their sizes must be possible.
  Datum eval(Frame& frame) const override {
    std::vector<Datum> payload(payload_.size());
    evalOperands(frame, payload_, [&](size_t i) -> Datum& { return payload[i]; });
    Datum type = type_->eval(frame);
    const UserSpanScope scope(frame.state, site_);
    requireSizes(frame.state, {}, type.as<RuntimeType>());
    return makeSum(std::move(type), constructor_, std::move(payload));
  }

 private:
  NodeRef type_;
  size_t constructor_;
  Nodes payload_;
  Site site_;
};

}  // namespace

NodeRef recordNode(Nodes operands, std::vector<int> positions) {
  return std::make_unique<RecordNode>(std::move(operands), std::move(positions));
}
NodeRef fieldNode(NodeRef record, int field) {
  return std::make_unique<Field>(std::move(record), field);
}
NodeRef recordUpdateNode(NodeRef record, std::vector<int> path, NodeRef value) {
  return std::make_unique<RecordUpdateNode>(std::move(record), std::move(path), std::move(value));
}
NodeRef sumNode(NodeRef type, size_t constructor, Nodes payload, Site site) {
  return std::make_unique<SumExpr>(std::move(type), constructor, std::move(payload), site);
}

}  // namespace halo::interp
