// Which parts of a type are written `*t`. Of a parameter: the parts that a call consumes. Of a
// result: the parts that share memory with nothing else.
#pragma once

#include <string>
#include <utility>
#include <vector>

#include "lang/syntax/ast.h"

namespace halo::types {

// A tree along the type, as far as it has stars: `all` speaks for everything below. Parts are
// fields of a record by name, of a sum its constructors, whose parts are `0`, `1`, ...
struct Uniqueness {
  bool all = false;
  std::vector<std::pair<std::string, Uniqueness>> parts;  // those with a star in them

  bool any() const { return all || !parts.empty(); }
  const Uniqueness& part(const std::string& name) const;  // itself, where it speaks for the part
  void add(std::string name, Uniqueness part);
  std::string text() const;  // equal for equal trees
  bool operator==(const Uniqueness&) const = default;
};

Uniqueness uniquenessOf(const syntax::Tree& tree, syntax::TypeExprId type);
// Of a parameter: from its annotations.
Uniqueness uniquenessOf(const syntax::Tree& tree, syntax::PatternId pattern);

}  // namespace halo::types
