// Definitions of values: the statement that binds each. The table points into the bodies that it
// was made from; a pass that moves their statements makes a new one.
#pragma once

#include <unordered_map>

#include "lang/core/ir.h"
#include "lang/core/visit.h"

namespace halo::core {

class Definitions {
 public:
  Definitions() = default;
  // Statements of nested bodies as well.
  static Definitions inside(const Body& body) {
    Definitions all;
    visitStms(body, [&](const Stm& stm) { all.add(stm); });
    return all;
  }
  // Statements of this body alone.
  static Definitions of(const Body& body) {
    Definitions own;
    for (const Stm& stm : body.stms) own.add(stm);
    return own;
  }

  void add(const Stm& stm) {
    for (const ValueId result : stm.results) stms_[result] = &stm;
  }

  // None for values bound elsewhere: parameters, results of other bodies.
  const Stm* find(ValueId value) const {
    const auto found = stms_.find(value);
    return found == stms_.end() ? nullptr : found->second;
  }
  const Stm* find(const Operand& operand) const {
    return operand.isConstant() ? nullptr : find(operand.value);
  }
  // None as well where another node defines the value.
  template <typename Node>
  const Node* node(const Operand& operand) const {
    const Stm* stm = find(operand);
    return stm == nullptr ? nullptr : std::get_if<Node>(&stm->expr);
  }
  bool contains(ValueId value) const { return stms_.contains(value); }

 private:
  std::unordered_map<ValueId, const Stm*> stms_;
};

}  // namespace halo::core
