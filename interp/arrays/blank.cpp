// `#[blank]`: a value without readers, of the type of an expression that need not have one
// (`xs[0]` of an empty array).
#include <algorithm>
#include <cstring>

#include "interp/arrays/array.h"
#include "interp/nodes/nodes.h"

namespace halo::interp {

namespace {

bool hasFunction(const RuntimeType& type) {
  return type.form == RuntimeType::Form::kFunction ||
         std::any_of(type.parts.begin(), type.parts.end(),
                     [](const Datum& part) { return hasFunction(part.as<RuntimeType>()); });
}

void fillWithZeros(Array& array) {
  if (array.is_record) {
    for (Datum& field : array.fields) fillWithZeros(arrayOf(field));
    return;
  }
  if (array.is_boxed) return;  // made of zeros
  int64_t bytes = sizeOf(array.type);
  for (size_t axis = 0; axis < array.rank(); ++axis) bytes *= array.extent(axis);
  if (bytes > 0) std::memset(array.data, 0, static_cast<size_t>(bytes));
}

class Blank : public Node {
 public:
  Blank(NodeRef value, NodeRef type) : value_(std::move(value)), type_(std::move(type)) {}
  Datum eval(Frame& frame) const override {
    const Datum type = type_->eval(frame);
    if (hasFunction(type.as<RuntimeType>())) return value_->eval(frame);
    const Datum one = newArrayOf(frame.state, Dims{1}, type.as<RuntimeType>());
    fillWithZeros(arrayOf(one));
    return element(arrayOf(one), 0);
  }

 private:
  NodeRef value_, type_;
};

}  // namespace

NodeRef blankNode(NodeRef value, NodeRef type) {
  return std::make_unique<Blank>(std::move(value), std::move(type));
}

}  // namespace halo::interp
