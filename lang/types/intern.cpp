#include "lang/types/intern.h"

#include <functional>
#include <string_view>

#include "lang/base/match.h"

namespace halo::types {

namespace {

// The finaliser of MurmurHash3 (Appleby) over a running sum: each value moves all bits.
class Hash {
 public:
  explicit Hash(size_t kind) { add(kind); }

  void add(uint64_t value) {
    state_ = (state_ ^ value) * 0xff51afd7ed558ccdu;
    state_ ^= state_ >> 33;
  }
  void add(const std::string& text) { add(std::hash<std::string_view>()(text)); }
  template <typename Tag>
  void add(base::Id<Tag> id) {
    add(id.index);
  }
  template <typename Tag>
  void add(const std::vector<base::Id<Tag>>& ids) {
    add(ids.size());
    for (base::Id<Tag> id : ids) add(id);
  }
  uint64_t value() const { return state_; }

 private:
  uint64_t state_ = 0x9e3779b97f4a7c15u;
};

bool isSameNode(const ScalarTypeNode& a, const ScalarTypeNode& b) { return a.scalar == b.scalar; }
bool isSameNode(const ArrayType& a, const ArrayType& b) {
  return a.size == b.size && a.element == b.element;
}
bool isSameNode(const RecordType& a, const RecordType& b) {
  return a.fields == b.fields && a.names == b.names;
}
bool isSameNode(const FunctionType& a, const FunctionType& b) {
  return a.parameter == b.parameter && a.consumes == b.consumes &&
         a.parameter_name == b.parameter_name && a.result == b.result &&
         a.existentials == b.existentials && a.unique_parameter == b.unique_parameter &&
         a.unique_result == b.unique_result;
}
bool isSameNode(const ParamType& a, const ParamType& b) {
  return a.parameter == b.parameter && a.types == b.types && a.sizes == b.sizes;
}
bool isSameNode(const SumType& a, const SumType& b) {
  return a.payloads == b.payloads && a.constructors == b.constructors;
}
bool isSameNode(SizeConst a, SizeConst b) { return a.value == b.value; }
bool isSameNode(SizeBinder a, SizeBinder b) { return a.binder == b.binder; }
bool isSameNode(SizeArith a, SizeArith b) {
  return a.op == b.op && a.lhs == b.lhs && a.rhs == b.rhs;
}
bool isSameNode(SizeExpression a, SizeExpression b) { return a.value == b.value; }

template <typename Node>
bool isSameVariant(const Node& a, const Node& b) {
  return a.index() == b.index() &&
         std::visit(
             [&](const auto& node) {
               return isSameNode(node, std::get<std::decay_t<decltype(node)>>(b));
             },
             a);
}

}  // namespace

// Stars and names of fields rarely distinguish types, so they are compared only.
uint64_t hashOf(const TypeNode& node) {
  Hash hash(node.index());
  base::match(
      node, [&](const ScalarTypeNode& n) { hash.add(static_cast<uint64_t>(n.scalar)); },
      [&](const ArrayType& n) {
        hash.add(n.size);
        hash.add(n.element);
      },
      [&](const RecordType& n) { hash.add(n.fields); },
      [&](const FunctionType& n) {
        hash.add(n.parameter);
        hash.add(n.parameter_name.value_or(BinderId()));
        hash.add(n.result);
        hash.add(n.existentials);
      },
      [&](const ParamType& n) {
        hash.add(n.parameter);
        hash.add(n.types);
        hash.add(n.sizes);
      },
      [&](const SumType& n) {
        for (const std::string& constructor : n.constructors) hash.add(constructor);
        for (const std::vector<TypeId>& payload : n.payloads) hash.add(payload);
      });
  return hash.value();
}

uint64_t hashOf(const SizeNode& node) {
  Hash hash(node.index());
  base::match(
      node, [&](SizeConst n) { hash.add(static_cast<uint64_t>(n.value)); },
      [&](SizeBinder n) { hash.add(n.binder); },
      [&](SizeArith n) {
        hash.add(static_cast<uint64_t>(n.op));
        hash.add(n.lhs);
        hash.add(n.rhs);
      },
      [&](SizeExpression n) { hash.add(n.value); });
  return hash.value();
}

bool isSame(const TypeNode& a, const TypeNode& b) { return isSameVariant(a, b); }
bool isSame(const SizeNode& a, const SizeNode& b) { return isSameVariant(a, b); }

}  // namespace halo::types
