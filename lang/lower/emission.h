// The Core program under construction, and the statements that lowering appends to it. It knows
// nothing of the AST. See emission.cpp.
#pragma once

#include <functional>
#include <string>
#include <unordered_map>
#include <vector>

#include "lang/core/builder.h"
#include "lang/lower/sizes/sizes.h"
#include "lang/lower/static_value.h"

namespace halo::lower {

using diag::Code;
using prim::Op;

// The Core function (or constant) that statements go to at the moment: its open bodies, innermost
// last, and the known facts about sizes there.
struct OpenFunction {
  std::vector<core::Builder> bodies;
  std::vector<Sizes::Mark> marks;  // one for each open body
  Sizes sizes;
};

class Emission {
 public:
  core::Builder& builder() { return open_->bodies.back(); }
  Sizes& sizes() { return open_->sizes; }
  ValueId bind(core::Type type, core::Expr expr, bool checked = false, Span span = {});
  std::vector<ValueId> bindAll(std::vector<core::Type> types, core::Expr expr);
  Operand prim(Op op, ScalarType type, Operands args) {
    return builder().prim(op, type, std::move(args));
  }
  // On i64 and on bools; a known answer costs no statement.
  Operand compare(Op op, const Operand& lhs, const Operand& rhs);
  Operand both(const Operand& lhs, const Operand& rhs);
  Operand either(const Operand& lhs, const Operand& rhs);
  // A select, or only the side taken if that is known.
  Operand choose(const Operand& condition, const std::function<Operand()>& on_true,
                 const std::function<Operand()>& on_false);
  Operand toI64(Operand value);
  ValueId named(const Operand& operand);  // a value; a constant becomes a literal
  // Asserts that a size is not negative unless it is known to be an extent; then it is one.
  void requireSize(const Operand& size, Span span);
  // The result of a pure computation of an i64, made at most once for the facts known here.
  Operand once(const std::string& key, const std::function<Operand()>& compute);
  Operand sizeArithmetic(Op op, const Operand& lhs, const Operand& rhs);
  Operand product(const Operands& sizes);
  Operand zero(const core::Type& type);
  ValueId arrayLiteral(core::Type type, Operands elements);
  void openBody();
  core::Body closeBody(Operands results);

  core::Program out;
  // Arrays written as literals of constants: a stencil's offsets may be such.
  std::unordered_map<ValueId, std::vector<prim::Scalar>> constant_arrays;

 protected:
  OpenFunction* open_ = nullptr;
  Span place_;  // of the expression at hand: where profiles say that its parallel code is
  core::Flattening flattening_;  // of the SOACs made here, not of those in their lambdas
};

}  // namespace halo::lower
