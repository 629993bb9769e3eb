// Stars of written types.
#include "lang/types/consume/uniqueness.h"

#include "lang/base/match.h"

namespace halo::types {

using namespace syntax;

const Uniqueness& Uniqueness::part(const std::string& name) const {
  static const Uniqueness kNone;
  if (all) return *this;
  for (const auto& [candidate, part] : parts) {
    if (candidate == name) return part;
  }
  return kNone;
}

void Uniqueness::add(std::string name, Uniqueness part) {
  if (part.any()) parts.emplace_back(std::move(name), std::move(part));
}

std::string Uniqueness::text() const {
  if (all) return "*";
  std::string text;
  for (const auto& [name, part] : parts) text += name + "(" + part.text() + ")";
  return text;
}

Uniqueness uniquenessOf(const Tree& tree, TypeExprId type) {
  const syntax::TypeNode& node = tree.types[type].node;
  Uniqueness stars;
  if (std::holds_alternative<TypeUnique>(node)) {
    stars.all = true;
  } else if (auto* tuple = std::get_if<TypeTuple>(&node)) {
    for (size_t i = 0; i < tuple->elements.size(); ++i) {
      stars.add(std::to_string(i), uniquenessOf(tree, tuple->elements[i]));
    }
  } else if (auto* record = std::get_if<TypeRecord>(&node)) {
    for (const auto& [name, field] : record->fields) {
      stars.add(name.name, uniquenessOf(tree, field));
    }
  } else if (auto* sum = std::get_if<TypeSum>(&node)) {
    for (const auto& [name, payload] : sum->constructors) {
      Uniqueness parts;
      for (size_t i = 0; i < payload.size(); ++i) {
        parts.add(std::to_string(i), uniquenessOf(tree, payload[i]));
      }
      stars.add(name.name, std::move(parts));
    }
  } else if (auto* existential = std::get_if<TypeExistential>(&node)) {
    return uniquenessOf(tree, existential->type);
  }
  return stars;
}

Uniqueness uniquenessOf(const Tree& tree, PatternId pattern) {
  const PatternNode& node = tree.patterns[pattern].node;
  if (auto* typed = std::get_if<PatternTyped>(&node)) return uniquenessOf(tree, typed->type);
  if (auto* attributed = std::get_if<PatternAttributed>(&node)) {
    return uniquenessOf(tree, attributed->pattern);
  }
  Uniqueness stars;
  if (auto* tuple = std::get_if<PatternTuple>(&node)) {
    for (size_t i = 0; i < tuple->elements.size(); ++i) {
      stars.add(std::to_string(i), uniquenessOf(tree, tuple->elements[i]));
    }
  } else if (auto* record = std::get_if<PatternRecord>(&node)) {
    for (const auto& [name, field] : record->fields) {
      stars.add(name.name, uniquenessOf(tree, field));
    }
  }
  return stars;
}

}  // namespace halo::types
