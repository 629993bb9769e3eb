// Which arrays share elements, and where they may be consumed. Every value has *roots*: the values
// whose memory it may show. A view has its array's roots, a fresh result is its own root.
//
// A root may be consumed where it was bound, not inside a lambda or loop that runs many times. A
// parameter may be consumed only if it is marked `*`. A map may consume its rows: it then consumes
// their array.
#pragma once

#include <optional>
#include <unordered_map>
#include <unordered_set>

#include "lang/core/ir.h"

namespace halo::core {

using Roots = std::vector<ValueId>;  // sorted, without duplicates

class Aliases {
 public:
  explicit Aliases(const Program& program) : program_(program) {}

  // The roots of each result of a statement. Roots bound inside the statement stand for fresh
  // memory and become the result itself.
  std::vector<Roots> resultRoots(const Stm& stm);
  void bind(ValueId value, Roots roots) { roots_[value] = std::move(roots); }
  void bindBody(const Body& body);
  void bindFresh(ValueId value) { roots_[value] = {value}; }
  const Roots& of(ValueId value);
  Roots of(const Operand& operand);

 private:
  // For each result of a function, the parameters that it may alias.
  const std::vector<std::vector<size_t>>& ofFunction(const Function& function);

  const Program& program_;
  std::unordered_map<ValueId, Roots> roots_;
  std::unordered_map<std::string, std::vector<std::vector<size_t>>> functions_;
};

// The array that a node shows a view of, if it is one.
std::optional<ValueId> viewed(const Expr& expr);
// The values that a node consumes by itself, without those that its bodies consume; of a map, the
// inputs whose rows it consumes.
std::vector<ValueId> consumedBy(const Program& program, const Expr& expr);

Roots unite(Roots a, const Roots& b);

}  // namespace halo::core
