// A static value with its operands exchanged, closures and all. So values cross from one Core
// function into another: arguments into parameters, results into the caller's values.
#pragma once

#include <functional>

#include "lang/lower/lowering.h"

namespace halo::lower {

class Rebuild {
 public:
  using SizeRule = std::function<Operand(const Operand&)>;
  // Gets the leaf and its type with the sizes exchanged already.
  using LeafRule = std::function<Operand(const Operand&, const core::Type&)>;

  Rebuild(Lowering& lowering, SizeRule size, LeafRule leaf)
      : lowering_(lowering), size_(std::move(size)), leaf_(std::move(leaf)) {}

  Operand size(const Operand& operand) { return size_(operand); }
  MonoTypeRef type(const MonoTypeRef& type);
  StaticValue value(const StaticValue& value);
  Instantiation instantiation(const Instantiation& instantiation);

  // The visited values without their operands; rules may add to it. Equal shapes of two values mean
  // that they differ in operands only.
  std::string shape;

 private:
  ClosureRef closure(const Closure& closure);
  CodeClosure code(const CodeClosure& code);

  Lowering& lowering_;
  SizeRule size_;
  LeafRule leaf_;
};

// A leaf rule: only sizes are exchanged.
inline Operand unchangedLeaf(const Operand& leaf, const core::Type&) { return leaf; }

}  // namespace halo::lower
