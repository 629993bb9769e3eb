#include "lang/types/sizes/written_types.h"

#include <fmt/format.h>

#include <algorithm>

namespace halo::types {

using namespace syntax;

TypeExprId WrittenTypes::write(TypeRef type) {
  if (const auto scalar = inference_.asScalar(type)) {
    key_ += std::string(prim::name(*scalar)) + " ";
    return name(std::string(prim::name(*scalar)));
  }
  if (inference_.isUnknown(type)) return {};
  const InferNode node = inference_.node(type);
  if (auto* found = std::get_if<InferArray>(&node)) return array(*found);
  if (auto* found = std::get_if<InferRecord>(&node)) return record(*found);
  if (auto* found = std::get_if<InferSum>(&node)) return sum(*found);
  if (auto* found = std::get_if<InferFunction>(&node)) return function(*found);
  if (auto* found = std::get_if<InferParam>(&node)) return parameter(*found);
  return {};
}

TypeExprId WrittenTypes::name(const std::string& text) {
  return add(TypeName{{{}, text, where_}, {}});
}

TypeExprId WrittenTypes::array(const InferArray& array) {
  const auto place = std::find_if(sizes_.begin(), sizes_.end(), [&](const Size& size) {
    return inference_.isSame(size, array.size);
  });
  const size_t number = static_cast<size_t>(place - sizes_.begin());
  const Identifier size_name{fmt::format("$n{}", number), where_};
  if (place == sizes_.end()) {
    sizes_.push_back(array.size);
    parameters_.push_back({TypeParameter::Kind::kSize, size_name});
  }
  key_ += fmt::format("[{}]", number);
  const TypeExprId element = write(array.element);
  if (!element) return {};
  const ExprId size = tree_.exprs.add({Variable{{{}, size_name.name, where_}}, where_});
  return add(TypeArray{size, element});
}

TypeExprId WrittenTypes::record(const InferRecord& record) {
  TypeTuple tuple;
  TypeRecord fields;
  bool is_tuple = record.fields.size() != 1;
  key_ += "{";
  for (size_t i = 0; i < record.fields.size(); ++i) {
    key_ += record.names[i] + ":";
    is_tuple = is_tuple && record.names[i] == std::to_string(i);
    const TypeExprId field = write(record.fields[i]);
    if (!field) return {};
    tuple.elements.push_back(field);
    fields.fields.emplace_back(Identifier{record.names[i], where_}, field);
  }
  key_ += "}";
  return is_tuple ? add(std::move(tuple)) : add(std::move(fields));
}

TypeExprId WrittenTypes::sum(const InferSum& sum) {
  TypeSum written;
  for (size_t i = 0; i < sum.constructors.size(); ++i) {
    key_ += "#" + sum.constructors[i] + " ";
    std::vector<TypeExprId> payload;
    for (TypeRef part : sum.payloads[i]) {
      payload.push_back(write(part));
      if (!payload.back()) return {};
    }
    written.constructors.emplace_back(Identifier{sum.constructors[i], where_}, std::move(payload));
  }
  return add(std::move(written));
}

// Those of values without sizes.
TypeExprId WrittenTypes::function(const InferFunction& function) {
  const bool has_sizes = function.parameter_name || !function.existentials.empty() ||
                         !inference_.sizeAtoms(function.parameter).empty() ||
                         !inference_.sizeAtoms(function.result).empty();
  if (has_sizes || function.consumes) return {};
  key_ += "(";
  const TypeExprId taken = write(function.parameter);
  key_ += ">";
  const TypeExprId given = taken ? write(function.result) : TypeExprId();
  key_ += ")";
  return given ? add(TypeFunction{std::nullopt, taken, given}) : TypeExprId();
}

TypeExprId WrittenTypes::parameter(const InferParam& parameter) {
  if (!parameter.sizes.empty() || !parameter.types.empty()) return {};
  const auto place = std::find(types_.begin(), types_.end(), parameter.parameter);
  const size_t number = static_cast<size_t>(place - types_.begin());
  const std::string text = fmt::format("$t{}", number);
  if (place == types_.end()) {
    types_.push_back(parameter.parameter);
    parameters_.push_back({TypeParameter::Kind::kType, {text, where_}});
  }
  key_ += text + " ";
  return name(text);
}

}  // namespace halo::types
