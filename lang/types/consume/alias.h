// The memory that values of a definition may share, while their consumption is checked.
//
// Every array, closure and opaque value is born with a root, the mark of its memory. A value that
// may be made of others has their roots. Two values alias if they have a root in common. The roots
// of a value are a tree along its type (an Alias), shared between all that hold it.
#pragma once

#include <memory>
#include <optional>
#include <unordered_map>
#include <utility>
#include <vector>

#include "lang/types/checked.h"

namespace halo::types {

// A set of roots; copies share their memory. So does a set with newer roots added. A chain of calls
// whose result holds all arguments takes memory for its length, not for its square.
class Roots {
 public:
  Roots() = default;
  explicit Roots(int root) : items_(std::make_shared<std::vector<int>>(1, root)), count_(1) {}
  explicit Roots(std::vector<int> roots);  // in any order, with repetitions

  bool empty() const { return count_ == 0; }
  size_t size() const { return count_; }
  bool contains(int root) const;
  const int* begin() const { return items_ ? items_->data() : nullptr; }
  const int* end() const { return begin() + count_; }
  bool sameAs(const Roots& other) const { return items_ == other.items_ && count_ == other.count_; }

 private:
  friend Roots unite(const Roots& a, const Roots& b);
  explicit Roots(std::shared_ptr<std::vector<int>> sorted)
      : items_(std::move(sorted)), count_(items_->size()) {}
  Roots followedBy(const Roots& newer) const;

  // Sorted; those behind the first `count_` belong to larger sets. Items never move.
  std::shared_ptr<std::vector<int>> items_;
  size_t count_ = 0;
};

Roots unite(const Roots& a, const Roots& b);
// Some root in both, or nothing.
std::optional<int> common(const Roots& a, const Roots& b);

// A function whose result is known better than by its type: stars after so many parameters.
struct Closure {
  size_t parameters;
  Uniqueness result;
};

struct AliasNode;
using Alias = std::shared_ptr<const AliasNode>;  // none: shares with nothing
struct AliasNode {
  Roots roots;               // of an array, an opaque value; of a function: of its captures
  std::vector<Alias> parts;  // of a record or sum, in the order of partsOf
  std::optional<Closure> closure;
};

// Fields of a record; of a sum the payloads of all constructors.
struct Part {
  std::string constructor;  // empty in a record
  std::string name;         // `0`, `1`, .. in a payload
  TypeId type;
};
std::vector<Part> partsOf(const Program& program, TypeId type);
bool hasParts(const Program& program, TypeId type);
const Uniqueness& starsOf(const Uniqueness& whole, const Part& part);
inline Alias partOf(const Alias& alias, size_t i) {
  return alias && i < alias->parts.size() ? alias->parts[i] : Alias();
}

Alias leaf(Roots roots);
Alias composite(std::vector<Alias> parts);
Roots rootsOf(const Alias& alias);
Alias join(const Alias& a, const Alias& b);

// Which values of a type may share memory at all: those with arrays, functions, type parameters.
class SharingTypes {
 public:
  explicit SharingTypes(const Program& program) : program_(program) {}
  bool mayShare(TypeId type);
  // Every part of a value of this type that has no star shares `roots`.
  Alias spread(TypeId type, const Roots& roots, const Uniqueness& stars = {});

 private:
  const Program& program_;
  std::unordered_map<TypeId, bool> known_;  // those of one definition are few
};

}  // namespace halo::types
