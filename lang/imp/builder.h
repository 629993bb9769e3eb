// Building Imp: appends statements to the current block; control structures nest by callbacks.
#pragma once

#include <functional>

#include "lang/imp/ir.h"

namespace halo::imp {

// A number of 32 bits: devices count in these.
inline Operand u32(uint32_t value) { return Scalar::ofUnsigned(ScalarType::kU32, value); }

class Builder {
 public:
  explicit Builder(Program& program) : program_(program) {}

  Program& program() { return program_; }
  Block take() { return std::move(block_); }
  // The statements that `emit` appends, as a block of their own that begins with `start`.
  Block capture(const std::function<void()>& emit, Block start = {});
  void append(StmNode node) { block_.push_back({std::move(node)}); }

  // Scalars; constants are folded (prim::fold is not used for floats: only i64 index arithmetic).
  Operand let(const std::string& name, ScalarType type, Expr expr);
  Operand prim(prim::Op op, ScalarType type, Operands args);
  Operand add(Operand a, Operand b);  // i64
  Operand sub(Operand a, Operand b);
  Operand mul(Operand a, Operand b);
  Operand min(Operand a, Operand b);
  Operand max(Operand a, Operand b);
  Operand load(BufferId buffer, Operand index);
  void store(BufferId buffer, Operand index, Operand value, Operand stream = Operand::ofI64(0));

  VarId declare(const std::string& name, ScalarType type, Operand initial);
  void assign(VarId var, Operand value);
  BufferId buffer(const std::string& name, ScalarType type, Space space,
                  int64_t constant_elements = 0);
  BufferId alloc(const std::string& name, ScalarType type, Space space, Operand elements,
                 Holds holds = Holds::kAnything);

  void forLoop(const std::string& name, Operand lo, Operand hi,
               const std::function<void(Operand i)>& body,
               Schedule schedule = Schedule::kSequential, int vector_width = 1);
  void whileLoop(const std::function<Operand()>& before, const std::function<void()>& body);
  void ifThenElse(Operand condition, const std::function<void()>& then_block,
                  const std::function<void()>& else_block = {});
  void fail(diag::Code code, source::Span span, Operands operands);
  // The place of buffers from here on.
  void setPlace(source::Span place) { place_ = place; }

 private:
  Program& program_;
  Block block_;
  source::Span place_;
};

}  // namespace halo::imp
