// `#[trace]`: values as text, to standard error. Printed as results are; where the names of fields
// and constructors are not known (type parameters of a lifted kind) a number stands for them.
#include <cstdio>

#include "interp/arrays/boundary.h"
#include "interp/nodes/nodes.h"
#include "lang/value/format.h"

namespace halo::interp {

namespace {

std::string textOf(const Datum& datum, const RuntimeType& type);

std::string nameOf(const RuntimeType& type, size_t i) {
  return type.names != nullptr ? (*type.names)[i] : std::to_string(i);
}

std::string recordText(const Record& record, const RuntimeType& type) {
  const bool is_tuple = type.names == nullptr || type.names->empty() || type.names->front() == "0";
  std::string text;
  for (size_t i = 0; i < record.fields.size(); ++i) {
    if (i > 0) text += ", ";
    if (!is_tuple) text += nameOf(type, i) + " = ";
    text += textOf(record.fields[i], type.parts[i].as<RuntimeType>());
  }
  return is_tuple ? "(" + text + ")" : "{" + text + "}";
}

std::string sumText(const Sum& sum, const RuntimeType& type) {
  std::string text = "#" + nameOf(type, sum.constructor);
  for (size_t i = 0; i < sum.payload.size(); ++i) {
    const auto& part = type.parts[type.starts[sum.constructor] + i].as<RuntimeType>();
    const std::string inner = textOf(sum.payload[i], part);
    const bool is_application = inner.front() == '#' && inner.find(' ') != std::string::npos;
    text += is_application ? " (" + inner + ")" : " " + inner;
  }
  return text;
}

std::string textOf(const Datum& datum, const RuntimeType& type) {
  if (datum.isScalar()) return value::toText(datum.asScalar());
  if (const auto* record = datum.asIf<Record>()) return recordText(*record, type);
  if (const auto* sum = datum.asIf<Sum>()) return sumText(*sum, type);
  const auto* array = datum.asIf<Array>();
  if (array == nullptr) return "<function>";
  if (!array->is_record) return value::toText(value::Value(toArray(*array)));
  std::string text;
  for (int64_t i = 0; i < array->extent(); ++i) {
    if (i > 0) text += ", ";
    text += textOf(element(*array, i), type.parts[0].as<RuntimeType>());
  }
  return "[" + text + "]";
}

class Trace : public Node {
 public:
  Trace(NodeRef value, NodeRef type, std::string tag)
      : value_(std::move(value)), type_(std::move(type)), tag_(std::move(tag)) {}
  Datum eval(Frame& frame) const override {
    Datum value = value_->eval(frame);
    const Datum type = type_->eval(frame);
    const std::string line = tag_ + ": " + textOf(value, type.as<RuntimeType>()) + "\n";
    std::fputs(line.c_str(), stderr);
    return value;
  }

 private:
  NodeRef value_, type_;
  std::string tag_;
};

}  // namespace

NodeRef traceNode(NodeRef value, NodeRef type, std::string tag) {
  return std::make_unique<Trace>(std::move(value), std::move(type), std::move(tag));
}

}  // namespace halo::interp
