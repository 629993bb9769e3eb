// Appending Imp statements; i64 index arithmetic on constants is folded as it is built.
#include "lang/imp/builder.h"

#include <algorithm>

namespace halo::imp {
namespace {

using prim::Op;

bool isI64(const Operand& operand, int64_t value) {
  return operand.isConstant() && operand.constant == Scalar::ofI64(value);
}

}  // namespace

const Function* Program::find(const std::string& name) const {
  for (const Function& function : functions) {
    if (function.name == name) return &function;
  }
  return nullptr;
}

Operand Builder::let(const std::string& name, ScalarType type, Expr expr) {
  VarId var = program_.addVar(name, type);
  append(Let{var, std::move(expr)});
  return var;
}

Operand Builder::prim(Op op, ScalarType type, Operands args) {
  return let("t", prim::resultType(op, type), Prim{op, type, std::move(args)});
}

// Integers wrap (docs/language.md#semantics): the sum of the bits, unsigned.
Operand Builder::add(Operand a, Operand b) {
  if (isI64(a, 0)) return b;
  if (isI64(b, 0)) return a;
  if (a.isConstant() && b.isConstant()) {
    return Operand::ofI64(static_cast<int64_t>(a.constant.bits + b.constant.bits));
  }
  return prim(Op::kAdd, ScalarType::kI64, {a, b});
}

Operand Builder::sub(Operand a, Operand b) {
  if (isI64(b, 0)) return a;
  if (a.isConstant() && b.isConstant()) {
    return Operand::ofI64(static_cast<int64_t>(a.constant.bits - b.constant.bits));
  }
  return prim(Op::kSub, ScalarType::kI64, {a, b});
}

Operand Builder::mul(Operand a, Operand b) {
  if (isI64(a, 1)) return b;
  if (isI64(b, 1)) return a;
  if (isI64(a, 0) || isI64(b, 0)) return Operand::ofI64(0);
  if (a.isConstant() && b.isConstant()) {
    return Operand::ofI64(static_cast<int64_t>(a.constant.bits * b.constant.bits));
  }
  return prim(Op::kMul, ScalarType::kI64, {a, b});
}

// On i64 as compare and select: total, and known to every code generator.
Operand Builder::min(Operand a, Operand b) {
  if (a == b) return a;
  if (a.isConstant() && b.isConstant()) {
    return Operand::ofI64(std::min(a.constant.asSigned(), b.constant.asSigned()));
  }
  Operand less = prim(Op::kLt, ScalarType::kI64, {a, b});
  return let("min", ScalarType::kI64, Select{less, a, b});
}

Operand Builder::max(Operand a, Operand b) {
  if (a == b) return a;
  if (a.isConstant() && b.isConstant()) {
    return Operand::ofI64(std::max(a.constant.asSigned(), b.constant.asSigned()));
  }
  Operand less = prim(Op::kLt, ScalarType::kI64, {a, b});
  return let("max", ScalarType::kI64, Select{less, b, a});
}

Operand Builder::load(BufferId buffer, Operand index) {
  return let("v", program_.buffers[buffer].type, Load{buffer, index});
}

void Builder::store(BufferId buffer, Operand index, Operand value, Operand stream) {
  append(Store{buffer, index, value, stream});
}

VarId Builder::declare(const std::string& name, ScalarType type, Operand initial) {
  VarId var = program_.addVar(name, type, true);
  append(Declare{var, initial});
  return var;
}

void Builder::assign(VarId var, Operand value) { append(Assign{var, value}); }

BufferId Builder::buffer(const std::string& name, ScalarType type, Space space,
                         int64_t constant_elements) {
  return program_.buffers.add({name, type, space, constant_elements, true, {}, 0, place_});
}

BufferId Builder::alloc(const std::string& name, ScalarType type, Space space, Operand elements,
                        Holds holds) {
  BufferId id = buffer(name, type, space);
  append(Alloc{id, elements, holds});
  return id;
}

Block Builder::capture(const std::function<void()>& emit, Block start) {
  Block outer = std::move(block_);
  block_ = std::move(start);
  emit();
  Block inner = std::move(block_);
  block_ = std::move(outer);
  return inner;
}

void Builder::forLoop(const std::string& name, Operand lo, Operand hi,
                      const std::function<void(Operand i)>& body, Schedule schedule,
                      int vector_width) {
  VarId var = program_.addVar(name, ScalarType::kI64);
  Block inner = capture([&] { body(var); });
  append(For{var, lo, hi, schedule, vector_width, std::move(inner)});
}

void Builder::whileLoop(const std::function<Operand()>& before, const std::function<void()>& body) {
  Operand condition;
  Block first = capture([&] { condition = before(); });
  Block second = capture(body);
  append(While{std::move(first), condition, std::move(second)});
}

void Builder::ifThenElse(Operand condition, const std::function<void()>& then_block,
                         const std::function<void()>& else_block) {
  Block first = capture(then_block);
  Block second = else_block ? capture(else_block) : Block{};
  append(If{condition, std::move(first), std::move(second)});
}

void Builder::fail(diag::Code code, source::Span span, Operands operands) {
  program_.sites.push_back({code, span});
  append(Fail{static_cast<int>(program_.sites.size()) - 1, std::move(operands)});
}

}  // namespace halo::imp
