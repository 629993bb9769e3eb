// Appending statements. Constants fold at once and sizes drop their neutral elements, so that
// lowering and passes need not care how they compute an index.
#include "lang/core/builder.h"

#include "lang/base/check.h"
#include "lang/prim/fold.h"

namespace halo::core {
namespace {

bool isConstant(const Operand& operand, int64_t value) { return operand == Operand::ofI64(value); }

}  // namespace

std::optional<Scalar> foldConstants(prim::Op op, ScalarType type, const Operands& args) {
  std::vector<Scalar> scalars;
  for (const Operand& arg : args) {
    if (!arg.isConstant()) return std::nullopt;
    scalars.push_back(arg.constant);
  }
  prim::Folded folded = prim::fold(op, type, scalars);
  if (const Scalar* value = std::get_if<Scalar>(&folded)) return *value;
  return std::nullopt;
}

Body Builder::take(Operands results) {
  Body body = std::move(body_);
  body.results = std::move(results);
  body_ = {};
  return body;
}

ValueId Builder::bind(std::string name, Type type, Expr expr, bool checked, Span span) {
  ValueId value = program_.add(std::move(name), std::move(type));
  append({{value}, std::move(expr), checked, span});
  return value;
}

std::vector<ValueId> Builder::bindAll(const std::string& name, std::vector<Type> types, Expr expr,
                                      bool checked, Span span) {
  std::vector<ValueId> values;
  for (Type& type : types) values.push_back(program_.add(name, std::move(type)));
  append({values, std::move(expr), checked, span});
  return values;
}

Operand Builder::prim(prim::Op op, ScalarType type, Operands args, bool checked, Span span) {
  if (auto folded = foldConstants(op, type, args)) return *folded;
  return bind("t", {prim::resultType(op, type), {}}, PrimOp{op, type, std::move(args)}, checked,
              span);
}

Operand Builder::convert(prim::ConvertKind kind, ScalarType to, Operand arg) {
  ScalarType from = program_.type(arg).scalar;
  if (from == to) return arg;
  if (arg.isConstant()) return prim::convert(kind, to, arg.constant);
  return bind("t", {to, {}}, Convert{kind, from, to, arg});
}

Operand Builder::add(Operand a, Operand b) {
  if (isConstant(a, 0)) return b;
  if (isConstant(b, 0)) return a;
  return prim(prim::Op::kAdd, ScalarType::kI64, {a, b});
}

Operand Builder::sub(Operand a, Operand b) {
  if (isConstant(b, 0)) return a;
  return prim(prim::Op::kSub, ScalarType::kI64, {a, b});
}

Operand Builder::mul(Operand a, Operand b) {
  if (isConstant(a, 1)) return b;
  if (isConstant(b, 1)) return a;
  if (isConstant(a, 0) || isConstant(b, 0)) return Operand::ofI64(0);
  return prim(prim::Op::kMul, ScalarType::kI64, {a, b});
}

void Builder::assertThat(Operand condition, diag::Code code, Operands operands, Span span) {
  if (condition == Operand(Scalar::ofBool(true))) return;
  append({{}, Assert{condition, code, std::move(operands)}, true, span});
}

}  // namespace halo::core
