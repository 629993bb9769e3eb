#include "cli/session/values/sum_values.h"

#include <algorithm>
#include <cctype>

#include "lang/base/match.h"
#include "lang/engine/regroup.h"
#include "lang/value/format.h"

namespace halo::session {

using value::Value;

bool hasSum(const types::Program& program, types::TypeId type) {
  return base::match(
      program.types[type], [&](const types::ArrayType& a) { return hasSum(program, a.element); },
      [&](const types::RecordType& record) {
        return std::any_of(record.fields.begin(), record.fields.end(),
                           [&](types::TypeId field) { return hasSum(program, field); });
      },
      [](const types::SumType&) { return true; }, [](const auto&) { return false; });
}

namespace {

constexpr int kDeepest = 64;

}  // namespace

// ---- reading

void SumReader::skipSpace() {
  const std::string& text = files_[file_].text;
  while (at_ < text.size() && isspace(static_cast<unsigned char>(text[at_])) != 0) ++at_;
}

bool SumReader::take(char c) {
  skipSpace();
  const std::string& text = files_[file_].text;
  if (at_ >= text.size() || text[at_] != c) return false;
  ++at_;
  return true;
}

std::string SumReader::name() {
  const std::string& text = files_[file_].text;
  const size_t begin = at_;
  const auto inName = [](char c) {
    return isalnum(static_cast<unsigned char>(c)) != 0 || c == '_' || c == '\'';
  };
  while (at_ < text.size() && inName(text[at_])) ++at_;
  return text.substr(begin, at_ - begin);
}

diag::Failure SumReader::fail(const std::string& message) const {
  const auto end = static_cast<uint32_t>(files_[file_].text.size());
  const auto begin = std::min(static_cast<uint32_t>(at_), end);
  return diag::fail(diag::Code::malformed_value, {file_, begin, std::min(begin + 1, end)}, message);
}

diag::Result<std::monostate> SumReader::read(types::TypeId type, uint32_t* offset) {
  at_ = *offset;
  auto nodes = nodesOf(type, 0);
  if (!nodes) return diag::Failure(nodes.error());
  *offset = static_cast<uint32_t>(at_);
  const std::vector<types::Leaf> leaves = types::leaves(program_, type);
  for (size_t i = 0; i < leaves.size(); ++i) {
    nodes_.push_back(std::move((*nodes)[i]));
    types_.push_back(leaves[i]);
  }
  return std::monostate{};
}

void SumReader::add(Value leaf, const types::Leaf& type) {
  nodes_.push_back({std::move(leaf), {}, false});
  types_.push_back(type);
}

SumReader::Read SumReader::nodesOf(types::TypeId type, int depth) {
  if (depth > kDeepest) return fail("this value is nested too deeply");
  const types::TypeNode& node = program_.types[type];
  // `(e)` is `e`, except that a tuple has parentheses of its own.
  if (!std::holds_alternative<types::RecordType>(node) && take('(')) {
    auto inner = nodesOf(type, depth + 1);
    if (inner && !take(')')) return fail("expected `)`");
    return inner;
  }
  if (const auto* one = std::get_if<types::SumType>(&node)) return sum(*one, depth);
  if (const auto* one = std::get_if<types::RecordType>(&node)) return record(*one, depth);
  const auto leaves = types::leaves(program_, type);
  const auto* list = std::get_if<types::ArrayType>(&node);
  const bool is_plain = leaves.size() == 1 && !hasSum(program_, type);
  return list != nullptr && !is_plain ? array(*list, depth) : leaf(type);
}

SumReader::Read SumReader::leaf(types::TypeId type) {
  const auto leaves = types::leaves(program_, type);
  auto offset = static_cast<uint32_t>(at_);
  auto value = value::parseValue(files_, file_, &offset, leaves.at(0).scalar);
  if (!value) return diag::Failure(value.error());
  if (!value->has_value()) return fail("expected a value");
  at_ = offset;
  const bool is_scalar = (*value)->scalar() != nullptr;
  const bool fits = is_scalar
                        ? leaves[0].shape.empty() && (*value)->scalar()->type == leaves[0].scalar
                        : (*value)->array()->type() == leaves[0].scalar &&
                              (*value)->array()->shape().size() == leaves[0].shape.size();
  if (!fits) return fail("expected a value of type `" + types::print(program_, type) + "` before");
  return Nodes{{std::move(**value), {}, false}};
}

SumReader::Read SumReader::sum(const types::SumType& type, int depth) {
  if (!take('#')) return fail("expected a constructor such as `#" + type.constructors[0] + "`");
  const std::string found = name();
  const auto& names = type.constructors;
  const auto which =
      static_cast<size_t>(std::find(names.begin(), names.end(), found) - names.begin());
  if (which == names.size()) return fail("there is no constructor `#" + found + "` in its type");
  Nodes own;
  for (types::TypeId part : type.payloads[which]) {
    auto nodes = nodesOf(part, depth + 1);
    if (!nodes) return nodes;
    for (Node& node : *nodes) own.push_back(std::move(node));
  }
  const auto slots = engine::slotsOf(program_, type);
  size_t count = 0;
  for (const auto& used : slots) {
    for (const size_t slot : used) count = std::max(count, slot + 1);
  }
  Nodes all(count);
  for (size_t i = 0; i < own.size(); ++i) all[slots[which][i]] = std::move(own[i]);
  if (const auto tag = types::tagType(names.size())) {
    all.insert(all.begin(), Node{Value(value::Scalar{*tag, which}), {}, false});
  }
  return all;
}

// Fields of a record in any order.
SumReader::Read SumReader::record(const types::RecordType& type, int depth) {
  const bool is_tuple = type.names.empty() || type.names[0] == "0";
  if (!take(is_tuple ? '(' : '{')) return fail(is_tuple ? "expected `(`" : "expected `{`");
  std::vector<std::optional<Nodes>> parts(type.fields.size());
  for (size_t i = 0; i < parts.size(); ++i) {
    if (i > 0 && !take(',')) return fail(is_tuple ? "expected `,`" : missingField(type, parts));
    size_t field = i;
    if (!is_tuple) {
      const auto named = fieldName(type, parts);
      if (!named) return diag::Failure(named.error());
      field = *named;
    }
    auto nodes = nodesOf(type.fields[field], depth + 1);
    if (!nodes) return nodes;
    parts[field] = std::move(*nodes);
  }
  if (!take(is_tuple ? ')' : '}')) return fail(is_tuple ? "expected `)`" : "expected `}`");
  Nodes all;
  for (auto& part : parts) {
    for (Node& node : *part) all.push_back(std::move(node));
  }
  return all;
}

// `name =`: the number of the field.
diag::Result<size_t> SumReader::fieldName(const types::RecordType& type,
                                          const std::vector<std::optional<Nodes>>& parts) {
  skipSpace();
  const size_t begin = at_;
  const std::string found = name();
  const auto place = std::find(type.names.begin(), type.names.end(), found);
  const auto field = static_cast<size_t>(place - type.names.begin());
  if (found.empty()) return fail(missingField(type, parts));
  if (place == type.names.end() || parts[field]) {
    at_ = begin;
    return fail(place == type.names.end() ? "there is no field `" + found + "` in its type"
                                          : "field `" + found + "` is here a second time");
  }
  if (!take('=')) return fail("expected `=` after the name of a field");
  return field;
}

std::string SumReader::missingField(const types::RecordType& type,
                                    const std::vector<std::optional<Nodes>>& parts) {
  const auto missing =
      std::find_if(parts.begin(), parts.end(), [](const auto& part) { return !part; });
  return "expected `" + type.names[static_cast<size_t>(missing - parts.begin())] + " = ..`";
}

SumReader::Read SumReader::array(const types::ArrayType& type, int depth) {
  if (!take('[')) return fail("expected `[`");
  Nodes lists(types::leaves(program_, type.element).size());
  for (Node& list : lists) list.is_list = true;
  while (!take(']')) {
    if (!lists.empty() && !lists[0].elements.empty() && !take(',')) return fail("expected `,`");
    auto nodes = nodesOf(type.element, depth + 1);
    if (!nodes) return nodes;
    for (size_t i = 0; i < lists.size(); ++i) lists[i].elements.push_back(std::move((*nodes)[i]));
  }
  return lists;
}

// ---- sizes, and arrays out of lists

void SumReader::learn(const Node& node, const std::vector<types::SizeId>& shape, size_t axis) {
  const auto note = [&](size_t at, int64_t extent) {
    const auto* name = std::get_if<types::SizeBinder>(&program_.sizes[shape[at]]);
    if (name != nullptr) sizes_.emplace_back(name->binder, extent);
  };
  if (node.is_list) {
    note(axis, static_cast<int64_t>(node.elements.size()));
    for (const Node& element : node.elements) learn(element, shape, axis + 1);
  } else if (node.value && node.value->array() != nullptr) {
    const auto& extents = node.value->array()->shape();
    for (size_t i = 0; i < extents.size(); ++i) note(axis + i, extents[i]);
  }
}

// A size without a source is 0.
int64_t SumReader::sizeOf(types::SizeId size) const {
  const int64_t extent = base::match(
      program_.sizes[size], [](const types::SizeConst& constant) { return constant.value; },
      [&](const types::SizeBinder& name) {
        const auto known = std::find_if(sizes_.begin(), sizes_.end(), [&](const auto& entry) {
          return entry.first == name.binder;
        });
        return known == sizes_.end() ? int64_t{0} : known->second;
      },
      [&](const types::SizeArith& arith) {
        const auto a = static_cast<uint64_t>(sizeOf(arith.lhs));
        const auto b = static_cast<uint64_t>(sizeOf(arith.rhs));
        const uint64_t result = arith.op == types::SizeOp::kAdd   ? a + b
                                : arith.op == types::SizeOp::kSub ? a - b
                                                                  : a * b;
        return static_cast<int64_t>(result);
      },
      [](const types::SizeExpression&) { return int64_t{0}; });
  return std::max<int64_t>(extent, 0);
}

// Writes the node's elements from *at on; false if they are not as many as the shape says.
bool SumReader::fill(const Node& node, value::Array& array, size_t axis, int64_t* at) const {
  const std::vector<int64_t> rest(array.shape().begin() + static_cast<std::ptrdiff_t>(axis),
                                  array.shape().end());
  int64_t count = 1;
  for (const int64_t extent : rest) count *= extent;
  if (node.is_list) {
    if (static_cast<int64_t>(node.elements.size()) != array.shape()[axis]) return false;
    return std::all_of(node.elements.begin(), node.elements.end(),
                       [&](const Node& element) { return fill(element, array, axis + 1, at); });
  }
  const value::Array* given = node.value ? node.value->array() : nullptr;
  if (given != nullptr && given->shape() != rest) return false;
  for (int64_t i = 0; i < count; ++i) {
    const value::Scalar zero{array.type(), 0};
    value::setAt(array, (*at)++,
                 given != nullptr ? given->at(i)
                 : node.value     ? *node.value->scalar()
                                  : zero);
  }
  return true;
}

diag::Result<std::vector<Value>> SumReader::finish() {
  for (size_t i = 0; i < nodes_.size(); ++i) learn(nodes_[i], types_[i].shape, 0);
  std::vector<Value> leaves;
  for (size_t i = 0; i < nodes_.size(); ++i) {
    Node& node = nodes_[i];
    if (node.value) {
      leaves.push_back(std::move(*node.value));
      continue;
    }
    const types::Leaf& type = types_[i];
    if (type.shape.empty()) {
      leaves.emplace_back(value::Scalar{type.scalar, 0});
      continue;
    }
    std::vector<int64_t> shape;
    for (types::SizeId size : type.shape) shape.push_back(sizeOf(size));
    auto array = value::makeArray(type.scalar, shape);
    if (!array) return diag::Failure(array.error());
    int64_t at = 0;
    if (!fill(node, *array, 0, &at)) return fail("the elements of this array differ in shape");
    leaves.push_back(std::move(*array));
  }
  return leaves;
}

}  // namespace halo::session
