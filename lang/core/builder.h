// Building Core: a Builder appends statements to a body and returns their results.
#pragma once

#include <optional>

#include "lang/core/ir.h"

namespace halo::core {

// The value of an operation on constants; nothing if an operand is none, or the operation fails.
std::optional<Scalar> foldConstants(prim::Op op, ScalarType type, const Operands& args);

class Builder {
 public:
  explicit Builder(Program& program) : program_(program) {}

  Program& program() { return program_; }
  Body& body() { return body_; }
  Body take(Operands results);  // the finished body; the builder is empty afterwards

  void append(Stm stm) { body_.stms.push_back(std::move(stm)); }
  // One result of the given type, bound to a new value.
  ValueId bind(std::string name, Type type, Expr expr, bool checked = false, Span span = {});
  std::vector<ValueId> bindAll(const std::string& name, std::vector<Type> types, Expr expr,
                               bool checked = false, Span span = {});

  // Scalars; constants are folded when all operands are constant and nothing can fail.
  Operand prim(prim::Op op, ScalarType type, Operands args, bool checked = false, Span span = {});
  Operand convert(prim::ConvertKind kind, ScalarType to, Operand arg);
  Operand add(Operand a, Operand b);  // i64, as used for sizes and indices
  Operand sub(Operand a, Operand b);
  Operand mul(Operand a, Operand b);
  void assertThat(Operand condition, diag::Code code, Operands operands, Span span);

 private:
  Program& program_;
  Body body_;
};

}  // namespace halo::core
