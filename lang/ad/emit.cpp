#include "lang/ad/emit.h"

#include <cmath>
#include <limits>

namespace halo::ad {

Type arrayOf(Operands shape, const Type& element) {
  shape.insert(shape.end(), element.shape.begin(), element.shape.end());
  return {element.scalar, std::move(shape)};
}

namespace {

bool isConstant(const Operand& operand, int64_t value) {
  if (!operand.isConstant() || operand.constant.type == ScalarType::kBool) return false;
  const prim::Scalar& scalar = operand.constant;
  if (prim::isFloat(scalar.type)) return scalar.asDouble() == static_cast<double>(value);
  return prim::isSigned(scalar.type) ? scalar.asSigned() == value
                                     : scalar.bits == static_cast<uint64_t>(value);
}

bool isFinite(const Operand& operand) {
  return operand.isConstant() && std::isfinite(operand.constant.asDouble());
}

}  // namespace

Operand Emitter::number(ScalarType type, int64_t value) const {
  if (type == ScalarType::kBool) return prim::Scalar::ofBool(value != 0);
  if (prim::isFloat(type)) return prim::Scalar::ofFloat(type, static_cast<double>(value));
  return prim::Scalar::ofSigned(type, value);
}

Operand Emitter::zero(const Type& type) {
  const Operand scalar = prim::zero(type.scalar);
  if (type.isScalar()) return scalar;
  return bind("zero", type, core::Replicate{type.shape, scalar});
}

bool Emitter::isZero(const Operand& operand) {
  return operand.isConstant() && operand.constant.bits == 0;
}

Operand Emitter::sum(const Operand& a, const Operand& b) {
  if (isZero(a)) return b;
  if (isZero(b)) return a;
  const ScalarType scalar = type(a).scalar;
  const Op op = scalar == ScalarType::kBool ? Op::kOr : Op::kAdd;
  return zip({a, b},
             [op, scalar](Emitter& e, const Operands& both) { return e.prim(op, scalar, both); });
}

Operand Emitter::scaled(const prim::Partial<Operand>& partial, const Operand& tangent,
                        ScalarType type) {
  using Kind = prim::Partial<Operand>::Kind;
  const Operand none = prim::zero(type);
  if (partial.kind == Kind::kZero || isZero(tangent)) return none;
  if (partial.kind == Kind::kOne) return tangent;
  if (partial.kind == Kind::kMinusOne) return op(Op::kNeg, type, tangent);
  if (partial.kind == Kind::kWhen) return select(partial.factor, tangent, none);
  if (isConstant(partial.factor, 0)) return none;
  if (isConstant(partial.factor, 1)) return tangent;
  const Operand product = op(Op::kMul, type, tangent, partial.factor);
  if (partial.kind == Kind::kFactor || !prim::isFloat(type) || isFinite(partial.factor) ||
      tangent.isConstant()) {
    return product;
  }
  // A tangent of 0 stays 0 where the factor is not finite: there the product is a NaN.
  const Operand counts = op(Op::kNe, type, tangent, none);
  return select(either(counts, isBounded(product, type)), product, none);
}

// Neither an infinity nor a NaN, by one comparison.
Operand Emitter::isBounded(const Operand& operand, ScalarType type) {
  const Operand limit = prim::Scalar::ofFloat(type, std::numeric_limits<double>::infinity());
  return op(Op::kLt, type, op(Op::kAbs, type, operand), limit);
}

Operand Emitter::weighted(const Operand& factor, const Operand& cotangent, ScalarType type) {
  return scaled({prim::Partial<Operand>::Kind::kGuarded, factor}, cotangent, type);
}

Operand Emitter::select(const Operand& condition, const Operand& on_true, const Operand& on_false) {
  if (condition.isConstant()) return condition.constant.asBool() ? on_true : on_false;
  if (on_true == on_false) return on_true;
  return bind("t", type(on_true), core::Select{condition, on_true, on_false});
}

Operands Emitter::apply(const Lambda& op, const Operands& args) {
  auto [stms, results] = core::apply(program(), op, args);
  for (Stm& stm : stms) append(std::move(stm));
  return results;
}

Operands Emitter::apply(const Lambda& op, const Operands& left, const Operands& right) {
  Operands args = left;
  args.insert(args.end(), right.begin(), right.end());
  return apply(op, args);
}

ValueId Emitter::named(const Operand& operand) {
  if (!operand.isConstant()) return operand.value;
  return bind("t", {operand.constant.type, {}}, core::Literal{operand.constant});
}

void Emitter::name(ValueId result, const Operand& value) {
  const Type whole = type(value);
  if (whole.isScalar()) {
    append({{result}, core::Select{prim::Scalar::ofBool(true), value, value}, false, {}});
  } else {
    append({{result}, core::Reshape{value.value, whole.shape}, false, {}});
  }
}

ValueId Emitter::iota(const Operand& count) {
  return bind("i", {ScalarType::kI64, {count}},
              core::Iota{ScalarType::kI64, count, Operand::ofI64(0), Operand::ofI64(1)});
}

ValueId Emitter::index(ValueId array, Operands indices) {
  Type part = rowOf(type(array), indices.size());
  return bind("t", std::move(part), core::Index{array, std::move(indices)});
}

ValueId Emitter::updated(ValueId array, Operands indices, const Operand& value) {
  const ValueId own = copy(array);
  return bind("t", type(array), core::Update{own, std::move(indices), {}, value});
}

ValueId Emitter::reversed(ValueId array) {
  const Type whole = type(array);
  std::vector<core::SliceDim> dims;
  for (const Operand& size : whole.shape)
    dims.push_back({Operand::ofI64(0), size, Operand::ofI64(1)});
  dims[0].start = sub(whole.shape[0], Operand::ofI64(1));
  dims[0].stride = Operand::ofI64(-1);
  return bind("t", whole, core::Slice{array, std::move(dims)});
}

ValueId Emitter::moved(ValueId array, const Operand& edge, bool to_right) {
  const Type whole = type(array);
  if (whole.rank() > 1) return movedRows(array, edge, to_right);
  const int64_t offset = to_right ? -1 : 1;
  core::Stencil node;
  node.space = whole.shape;
  node.windows.push_back({array, {{core::BoundaryKind::kConstant, edge}}, {{offset}}, {}});
  node.map = identity({rowOf(whole)});
  return bind("moved", whole, std::move(node));
}

ValueId Emitter::movedRows(ValueId array, const Operand& edge, bool to_right) {
  const Type whole = type(array);
  const ValueId one = bind("t", arrayOf({kOne}, rowOf(whole)), core::Replicate{{kOne}, edge});
  return to_right ? rows(concat({one, array}), kZero, whole.shape[0])
                  : rows(concat({array, one}), kOne, whole.shape[0]);
}

ValueId Emitter::rows(ValueId array, const Operand& start, const Operand& length) {
  Type part = type(array);
  std::vector<core::SliceDim> dims;
  for (const Operand& size : part.shape)
    dims.push_back({Operand::ofI64(0), size, Operand::ofI64(1)});
  dims[0].start = start;
  dims[0].length = length;
  part.shape[0] = length;
  return bind("t", std::move(part), core::Slice{array, std::move(dims)});
}

ValueId Emitter::concat(const std::vector<ValueId>& arrays) {
  Operand size = Operand::ofI64(0);
  for (const ValueId array : arrays) size = add(size, type(array).shape[0]);
  Type whole = type(arrays[0]);
  whole.shape[0] = size;
  return bind("t", std::move(whole), core::Concat{arrays, size});
}

ValueId Emitter::reshaped(ValueId array, Operands shape) {
  const Type old = type(array);
  if (old.shape == shape) return array;
  return bind("t", {old.scalar, shape}, core::Reshape{array, shape});
}

Operand Emitter::product(const Operands& sizes) {
  Operand all = Operand::ofI64(1);
  for (const Operand& size : sizes) all = mul(all, size);
  return all;
}

std::vector<ValueId> Emitter::map(const Operand& width, const std::vector<ValueId>& arrays,
                                  const Cell& cell) {
  core::Screma node;
  node.width = width;
  node.inputs = arrays;
  Operands elements;
  for (const ValueId array : arrays) {
    node.map.params.push_back(program().add("x", rowOf(type(array))));
    elements.push_back(node.map.params.back());
  }
  Emitter inner(program());
  const Operands results = cell(inner, elements);
  std::vector<Type> types;
  for (const Operand& result : results) types.push_back(arrayOf({width}, type(result)));
  node.map.body = inner.take(results);
  return bindAll("t", std::move(types), std::move(node));
}

std::vector<ValueId> Emitter::scan(const Operand& width, const std::vector<ValueId>& arrays,
                                   Lambda op, Operands neutral) {
  core::Screma node;
  node.width = width;
  node.inputs = arrays;
  std::vector<Type> types, rows;
  for (const ValueId array : arrays) {
    types.push_back(type(array));
    rows.push_back(rowOf(types.back()));
  }
  node.map = identity(rows);
  node.scans.push_back({std::move(op), std::move(neutral)});
  return bindAll("t", std::move(types), std::move(node));
}

Operand Emitter::zip(const Operands& arrays,
                     const std::function<Operand(Emitter&, const Operands&)>& f) {
  const Type whole = type(arrays[0]);
  if (whole.isScalar()) return f(*this, arrays);
  std::vector<ValueId> inputs;
  for (const Operand& array : arrays) inputs.push_back(array.value);
  return map(whole.shape[0], inputs,
             [&](Emitter& e, const Operands& rows) -> Operands { return {e.zip(rows, f)}; })[0];
}

Operand Emitter::total(ValueId array) {
  const Type whole = type(array);
  const Type row = rowOf(whole);
  core::Screma node;
  node.width = whole.shape[0];
  node.inputs = {array};
  node.map = identity({row});
  node.reductions.push_back({adder(row), {zero(row)}, true});
  return bind("total", row, std::move(node));
}

ValueId Emitter::addedAt(ValueId base, const Operand& width, const std::vector<ValueId>& indices,
                         ValueId values) {
  const Type whole = type(base);
  const Type part = rowOf(type(values));
  core::Hist node;
  node.width = width;
  node.inputs = indices;
  node.inputs.push_back(values);
  std::vector<Type> types(indices.size(), Type{});
  types.push_back(part);
  node.map = identity(types);
  core::HistOp operation;
  operation.index_rank = static_cast<int>(indices.size());
  operation.op = adder(part);
  operation.neutral = {zero(part)};
  operation.destinations = {copy(base)};
  node.operations.push_back(std::move(operation));
  return bind("sums", whole, std::move(node));
}

ValueId Emitter::scattered(ValueId destination, ValueId places, ValueId values) {
  const Type whole = type(destination), column = type(values);
  core::Scatter node;
  node.width = column.shape[0];
  node.inputs = {places, values};
  node.map = identity({Type{}, rowOf(column)});
  node.destinations.push_back({copy(destination), 1});
  return bind("written", whole, std::move(node));
}

std::vector<ValueId> Emitter::branch(const Operand& condition, std::vector<Type> types,
                                     const std::function<Operands(Emitter&)>& on_true,
                                     const std::function<Operands(Emitter&)>& on_false) {
  Emitter yes(program()), no(program());
  const Operands first = on_true(yes);
  const Operands second = on_false(no);
  core::Match match{condition, {}, no.take(second)};
  match.cases.push_back({prim::Scalar::ofBool(true), yes.take(first)});
  return bindAll("t", std::move(types), std::move(match));
}

Lambda Emitter::combiner(const std::vector<Type>& types, const Cell& combine) {
  Lambda lambda;
  Operands both;
  for (int side = 0; side < 2; ++side) {
    for (const Type& type : types) {
      lambda.params.push_back(program().add(side == 0 ? "acc" : "x", type));
      both.push_back(lambda.params.back());
    }
  }
  Emitter inner(program());
  const Operands results = combine(inner, both);
  lambda.body = inner.take(results);
  return lambda;
}

Lambda Emitter::adder(const Type& type) {
  return combiner({type}, [](Emitter& e, const Operands& both) -> Operands {
    return {e.sum(both[0], both[1])};
  });
}

Lambda Emitter::identity(const std::vector<Type>& types) {
  Lambda lambda;
  for (const Type& type : types) {
    lambda.params.push_back(program().add("x", type));
    lambda.body.results.push_back(lambda.params.back());
  }
  return lambda;
}

}  // namespace halo::ad
