// Types of generated programs. Sizes are texts: a constant, or a name that is in scope.
#pragma once

#include <string>
#include <vector>

namespace halo::fuzz {

struct Type {
  enum class Kind { kScalar, kArray, kTuple, kRecord, kSum };
  Kind kind = Kind::kScalar;
  std::string name = "i64";  // of a scalar; the size of an array
  std::vector<Type> parts;   // the element; the components; payloads, one for each constructor

  bool isScalar() const { return kind == Kind::kScalar; }
  bool isArray() const { return kind == Kind::kArray; }
  bool isFloat() const { return isScalar() && name[0] == 'f'; }
  bool isBool() const { return isScalar() && name == "bool"; }
  bool isInteger() const { return isScalar() && !isFloat() && !isBool(); }
  const Type& element() const { return parts[0]; }
  bool operator==(const Type&) const = default;
};

inline Type scalar(std::string name) { return {Type::Kind::kScalar, std::move(name), {}}; }
inline Type array(std::string size, Type element) {
  return {Type::Kind::kArray, std::move(size), {std::move(element)}};
}
inline Type tuple(std::vector<Type> parts) { return {Type::Kind::kTuple, "", std::move(parts)}; }

std::string text(const Type& type);
// Constructor i of a sum, component i of a record.
std::string constructor(size_t i);
std::string field(size_t i);
// Does the type mention this size?
bool mentions(const Type& type, const std::string& size);
Type withSize(Type type, const std::string& size, const std::string& replacement);

}  // namespace halo::fuzz
