// Values of scripts: literals, arrays, strings, tuples, records, and parts of them.
#include <algorithm>

#include "cli/session/values/script_reader.h"
#include "lang/value/format.h"

namespace halo::session {

// An array of literals is one literal.
Evaluated Script::array() {
  const size_t begin = at_;
  if (auto whole = literal()) return whole;
  at_ = begin + 1;
  std::vector<ScriptValue> elements;
  while (peek() != ']') {
    auto element = expression();
    if (!element) return element;
    elements.push_back(std::move(*element));
    if (!take(',')) break;
  }
  if (!take(']')) return fail("`]` is missing here");
  return stacked(elements);
}

// Scalars or arrays of one type, one after another.
Evaluated Script::stacked(const std::vector<ScriptValue>& elements) {
  std::optional<Value> model;
  for (const ScriptValue& element : elements) {
    const bool is_leaf = !element.is_record && !element.isFunction() &&
                         (element.value.scalar() != nullptr || element.value.array() != nullptr);
    if (!is_leaf) return fail("an array of a script consists of scalars and arrays");
    if (!model || element.literal.empty()) model = element.value;
  }
  if (!model) return fail("an array without elements has no type");
  std::vector<int64_t> shape;
  if (model->array() != nullptr) shape = model->array()->shape();
  shape.insert(shape.begin(), static_cast<int64_t>(elements.size()));
  auto result = value::makeArray(typeOf(*model), shape);
  if (!result) return diag::Failure(result.error());
  int64_t at = 0;
  for (const ScriptValue& element : elements) {
    const Value leaf = fitted(element.value, element, typeOf(*model));
    const value::Array* row = leaf.array();
    const bool fits = typeOf(leaf) == typeOf(*model) &&
                      (row != nullptr ? row->shape() == std::vector(shape.begin() + 1, shape.end())
                                      : shape.size() == 1);
    if (!fits) return fail("the elements of this array have different types");
    if (row == nullptr) value::setAt(*result, at++, *leaf.scalar());
    for (int64_t i = 0; row != nullptr && i < row->elements(); ++i) {
      value::setAt(*result, at++, row->at(i));
    }
  }
  return ofValue(std::move(*result));
}

Evaluated Script::literal() {
  auto offset = static_cast<uint32_t>(at_);
  auto value = value::parseValue(session_.files(), file_, &offset);
  if (!value) return diag::Failure(value.error());
  if (!value->has_value()) return fail("a value is missing here");
  ScriptValue result = ofValue(std::move(**value));
  result.literal = std::string(text_.substr(at_, offset - at_));
  at_ = offset;
  return result;
}

Evaluated Script::string() {
  const size_t end = text_.find('"', at_ + 1);
  if (end == std::string_view::npos) return fail("this string does not end");
  const std::string bytes(text_.substr(at_ + 1, end - at_ - 1));
  at_ = end + 1;
  return ofBytes(bytes);
}

Evaluated Script::ofBytes(const std::string& bytes) {
  auto array = value::makeArray(prim::ScalarType::kU8, {static_cast<int64_t>(bytes.size())});
  if (!array) return diag::Failure(array.error());
  std::copy(bytes.begin(), bytes.end(), reinterpret_cast<char*>(array->data()));
  return ofValue(std::move(*array));
}

std::string Script::toBytes(const Value& value) {
  std::string bytes;
  for (int64_t i = 0; i < value.array()->elements(); ++i) {
    bytes.push_back(static_cast<char>(value.array()->at(i).bits));
  }
  return bytes;
}

Evaluated Script::tuple() {
  ScriptValue tuple;
  tuple.is_record = true;
  while (peek() != ')') {
    auto field = expression();
    if (!field) return field;
    tuple.names.push_back(std::to_string(tuple.fields.size()));
    tuple.fields.push_back(std::move(*field));
    if (!take(',')) break;
  }
  if (!take(')')) return fail("`)` is missing here");
  if (tuple.fields.size() == 1) return ScriptValue(tuple.fields.front());
  return tuple;
}

Evaluated Script::record() {
  std::map<std::string, ScriptValue> fields;
  while (peek() != '}') {
    const std::string field = name();
    if (field.empty()) return fail("a field is missing here");
    auto value = take('=') ? expression() : variable(field);
    if (!value) return value;
    fields[field] = std::move(*value);
    if (!take(',')) break;
  }
  if (!take('}')) return fail("`}` is missing here");
  ScriptValue record;
  record.is_record = true;
  for (auto& [field, value] : fields) {
    record.names.push_back(field);
    record.fields.push_back(std::move(value));
  }
  return record;
}

Evaluated Script::project(const ScriptValue& record) {
  ++at_;
  const std::string field = name();
  const auto* whole = record.value.record();
  if (!record.is_record && whole == nullptr) return fail("a field of something without fields");
  const auto& names = record.is_record ? record.names : whole->names;
  for (size_t i = 0; i < names.size(); ++i) {
    if (names[i] != field) continue;
    return record.is_record ? record.fields[i] : ofValue(whole->fields[i]);
  }
  return fail("there is no field `" + field + "`");
}

Evaluated Script::index(const ScriptValue& array) {
  ++at_;
  const std::string number = name();
  if (!take(']')) return fail("`]` is missing here");
  const bool is_number = !number.empty() && number.size() < 18 &&
                         number.find_first_not_of("0123456789") == std::string::npos;
  if (!is_number) return fail("an index of a script is a number");
  const int64_t position = std::stoll(number);
  const bool is_array = array.value.array() != nullptr || array.value.record() != nullptr ||
                        (array.value.sum() != nullptr && array.value.sum()->rank > 0);
  if (array.is_record || !is_array || position >= value::lengthOf(array.value)) {
    return fail("there is no element `" + number + "`");
  }
  return ofValue(value::elementOf(array.value, position));
}

// A literal without a suffix takes the type that is wanted.
Value Script::fitted(const Value& leaf, const ScriptValue& source, prim::ScalarType wanted) {
  if (source.literal.empty() || typeOf(leaf) == wanted) return leaf;
  const source::FileId file = session_.files().add("script input", source.literal);
  uint32_t offset = 0;
  auto value = value::parseValue(session_.files(), file, &offset, wanted);
  return value && value->has_value() ? **value : leaf;
}

}  // namespace halo::session
