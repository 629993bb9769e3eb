// Types as the language spells them.
#include "cli/fuzz/type.h"

#include <algorithm>

namespace halo::fuzz {

std::string constructor(size_t i) { return "#" + std::string(1, static_cast<char>('a' + i)); }
std::string field(size_t i) { return std::string(1, static_cast<char>('x' + i)); }

std::string text(const Type& type) {
  if (type.isScalar()) return type.name;
  if (type.isArray()) return "[" + type.name + "]" + text(type.element());
  const bool is_record = type.kind == Type::Kind::kRecord;
  const bool is_sum = type.kind == Type::Kind::kSum;
  std::string out = is_record ? "{" : "(";
  for (size_t i = 0; i < type.parts.size(); ++i) {
    if (i > 0) out += is_sum ? " | " : ", ";
    if (is_record) out += field(i) + ": ";
    if (is_sum) out += constructor(i) + " ";
    out += text(type.parts[i]);
  }
  return out + (is_record ? "}" : ")");
}

bool mentions(const Type& type, const std::string& size) {
  return (type.isArray() && type.name == size) ||
         std::any_of(type.parts.begin(), type.parts.end(),
                     [&](const Type& part) { return mentions(part, size); });
}

Type withSize(Type type, const std::string& size, const std::string& replacement) {
  if (type.isArray() && type.name == size) type.name = replacement;
  for (Type& part : type.parts) part = withSize(std::move(part), size, replacement);
  return type;
}

}  // namespace halo::fuzz
