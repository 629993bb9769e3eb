// Bits of a float, read as a signed integer, have its order if it is positive, else the reverse.
#include "gpu/plan/nodes/float_extrema.h"

#include <algorithm>
#include <unordered_map>
#include <utility>

#include "gpu/plan/nodes/atomic_hist.h"
#include "lang/core/builder.h"
#include "lang/core/rewrite.h"
#include "lang/passes/semantics/semantics.h"
#include "lang/passes/simplify/expr_key.h"

namespace halo::gpu {

using namespace core;
using prim::ConvertKind;
using prim::Op;

namespace {

constexpr int64_t kBinsOfUpdate = 4;  // with more bins, maps over them cost more than a sort

// Whether the body of `op` computes `value` of its parameters, which these statements make. Names
// and the order of statements may differ.
bool computes(Program& program, const Lambda& op, const Body& value) {
  std::unordered_map<passes::ExprKey, ValueId, passes::HashExprKey> known;
  std::unordered_map<ValueId, Operand> same;
  const auto number = [&](const Body& body) {
    for (const Stm& stm : body.stms) {
      if (stm.results.size() != 1) return false;
      Expr expr = stm.expr;
      substitute(program, expr, same);
      const auto [found, is_new] =
          known.emplace(passes::ExprKey{passes::canonical(expr, false)}, stm.results[0]);
      if (!is_new) same[stm.results[0]] = found->second;
    }
    return true;
  };
  const Operand& result = op.body.results[0];
  if (result.isConstant() || !number(value) || !number(op.body)) return false;
  const auto found = same.find(result.value);
  return found != same.end() && found->second == value.results[0];
}

// Of one operation: f32.min or f32.max, which earlier passes have written as total code.
std::optional<Op> extremum(Program& program, const HistOp& operation) {
  const Lambda& op = operation.op;
  if (operation.destinations.size() != 1 || op.params.size() != 2) return std::nullopt;
  if (program.type(op.params[0]) != Type{ScalarType::kF32, {}}) return std::nullopt;
  for (const Op wanted : {Op::kMin, Op::kMax}) {
    for (const Operands& args :
         {Operands{op.params[0], op.params[1]}, Operands{op.params[1], op.params[0]}}) {
      Builder body(program);
      const std::optional<Operand> value =
          passes::defineFloat(body, PrimOp{wanted, ScalarType::kF32, args});
      if (value && computes(program, op, body.take({*value}))) return wanted;
    }
  }
  return std::nullopt;
}

class FloatKeys {
 public:
  FloatKeys(Builder& code, Op op) : code_(code), op_(op) {}

  Operand of(const Operand& number) {
    const Operand is_nan = code_.prim(Op::kIsNan, ScalarType::kF32, {number});
    const Operand bits = code_.convert(ConvertKind::kBits, ScalarType::kI32, number);
    const Scalar last = op_ == Op::kMin ? Scalar::ofI32(INT32_MAX) : Scalar::ofI32(INT32_MIN);
    const Operand key = turned(bits);
    if (is_nan.isConstant()) return is_nan.constant.asBool() ? Operand(last) : key;
    return code_.bind("key", {ScalarType::kI32, {}}, Select{is_nan, last, key});
  }
  Operand back(const Operand& key) {
    return code_.convert(ConvertKind::kBits, ScalarType::kF32, turned(key));
  }

 private:
  // All bits but the sign's change where it is set. Once more gives the same bits again.
  Operand turned(const Operand& bits) {
    const Operand sign = code_.prim(Op::kMachineShr, ScalarType::kI32, {bits, Scalar::ofI32(31)});
    const Operand mask = code_.prim(Op::kAnd, ScalarType::kI32, {sign, Scalar::ofI32(INT32_MAX)});
    return code_.prim(Op::kXor, ScalarType::kI32, {bits, mask});
  }

  Builder& code_;
  Op op_;
};

class IntegerExtrema {
 public:
  IntegerExtrema(Program& program, const Stm& stm)
      : program_(program), stm_(stm), hist_(std::get<Hist>(stm.expr)) {}

  std::optional<FloatExtrema> run() {
    for (const HistOp& operation : hist_.operations) {
      extrema_.push_back(extremum(program_, operation));
      if (!extrema_.back() && !atomicOperator(program_, operation)) return std::nullopt;
    }
    const auto is_float = [](const std::optional<Op>& op) { return op.has_value(); };
    if (std::none_of(extrema_.begin(), extrema_.end(), is_float)) return std::nullopt;
    FloatExtrema made;
    made.are_few = areFew();
    made.stms = rewritten();
    return made;
  }

 private:
  Body areFew() {
    Builder host(program_);
    Operand most = Operand::ofI64(0);
    for (const HistOp& operation : hist_.operations) {
      Operand bins = Operand::ofI64(1);
      for (const Operand& extent : program_.type(operation.destinations[0]).shape) {
        bins = host.mul(bins, extent);
      }
      most = host.prim(Op::kMax, ScalarType::kI64, {most, bins});
    }
    const Operand room = host.mul(hist_.width, Operand::ofI64(kBinsOfUpdate));
    const Operand few = host.prim(Op::kLe, ScalarType::kI64, {most, room});
    return host.take({few});
  }

  std::vector<Stm> rewritten() {
    Builder around(program_), map(program_);
    Hist keys = hist_;
    keys.map = freshCopy(program_, hist_.map);
    for (Stm& stm : keys.map.body.stms) map.append(std::move(stm));
    std::vector<ValueId> results = stm_.results;
    size_t value = 0;
    for (size_t k = 0; k < keys.operations.size(); ++k) {
      HistOp& operation = keys.operations[k];
      value += static_cast<size_t>(operation.index_rank);
      if (const std::optional<Op>& op = extrema_[k]) {
        Operand& element = keys.map.body.results[value];
        element = FloatKeys(map, *op).of(element);
        rewrite(operation, *op, around);
        Type type = program_.type(stm_.results[k]);
        type.scalar = ScalarType::kI32;
        results[k] = program_.add("made", std::move(type));
      }
      value += operation.destinations.size();
    }
    keys.map.body = map.take(std::move(keys.map.body.results));
    around.append({results, std::move(keys), stm_.checked, stm_.span});
    for (size_t k = 0; k < extrema_.size(); ++k) {
      if (extrema_[k]) append(results[k], stm_.results[k], *extrema_[k], around);
    }
    return around.take({}).stms;
  }

  void rewrite(HistOp& operation, Op op, Builder& around) {
    const ValueId bins = operation.destinations[0];
    Type type = program_.type(bins);
    type.scalar = ScalarType::kI32;
    const ValueId keys = program_.add("keys", std::move(type));
    append(bins, keys, op, around);
    operation.destinations[0] = keys;
    Builder nothing(program_);
    operation.neutral[0] = FloatKeys(nothing, op).of(operation.neutral[0]);
    for (Stm& stm : nothing.take({}).stms) around.append(std::move(stm));
    operation.op = integerOperator(op);
  }

  Lambda integerOperator(Op op) {
    const Type type{ScalarType::kI32, {}};
    const ValueId a = program_.add("a", type), b = program_.add("b", type);
    Builder body(program_);
    const Operand least = body.prim(op, ScalarType::kI32, {a, b});
    return {{a, b}, body.take({least})};
  }

  // `to`: the keys of an array of floats, or the floats of one of keys.
  void append(ValueId from, ValueId to, Op op, Builder& around) {
    const Type& type = program_.type(from);
    const Operands shape = type.shape;
    const ScalarType element = type.scalar;
    ValueId line = from, made = to;
    Operand count = shape[0];
    if (shape.size() > 1) {
      for (size_t d = 1; d < shape.size(); ++d) count = around.mul(count, shape[d]);
      line = around.bind("line", {element, {count}}, Reshape{from, {count}});
      made = program_.add("line", {program_.type(to).scalar, {count}});
    }
    const ValueId x = program_.add("x", {element, {}});
    Builder body(program_);
    FloatKeys keys(body, op);
    const Operand one = element == ScalarType::kF32 ? keys.of(x) : keys.back(x);
    Screma map{count, {line}, {{x}, body.take({one})}, {}, {}};
    around.append({{made}, std::move(map), false, stm_.span});
    if (made != to) around.append({{to}, Reshape{made, shape}, false, stm_.span});
  }

  Program& program_;
  const Stm& stm_;
  const Hist& hist_;
  std::vector<std::optional<Op>> extrema_;  // by operation; none: another operator
};

}  // namespace

std::optional<FloatExtrema> asIntegerExtrema(Program& program, const Stm& stm) {
  return IntegerExtrema(program, stm).run();
}

}  // namespace halo::gpu
