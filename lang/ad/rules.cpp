#include "lang/ad/rules.h"

#include <algorithm>

#include "lang/core/derivative_name.h"
#include "lang/core/visit.h"

namespace halo::ad {

prim::Partial<Operand> partialOf(Emitter& emitter, const core::PrimOp& node, const Operand& result,
                                 int operand) {
  const Operand second = node.args.size() > 1 ? node.args[1] : Operand();
  const prim::Applied<Operand> applied{node.op, node.type, node.args[0], second, result};
  return prim::partialOf(emitter, applied, operand);
}

prim::Partial<Operand> ruledPartial(const Operand& partial) {
  return {prim::Partial<Operand>::Kind::kGuarded, partial};
}

const core::Function* partialsFor(const Program& program, const core::Call& call) {
  return program.find(core::partialsOf(call.function));
}

const core::Function* adjointFor(const Program& program, const core::Call& call) {
  return program.find(core::adjointOf(call.function));
}

std::vector<ValueId> callPartials(Emitter& emitter, const core::Call& call, const Operand& result) {
  const core::Function* function = partialsFor(emitter.program(), call);
  std::vector<Type> types;
  for (const ValueId one : function->results) types.push_back(emitter.program().type(one));
  Operands args = call.args;
  args.push_back(result);
  return emitter.bindAll("partial", types, core::Call{function->name, std::move(args)});
}

namespace {

// `f a b` of the parameters i and k + i, for each result.
template <typename Holds>
bool eachOfBoth(const Lambda& op, const Holds& holds) {
  const size_t k = op.body.results.size();
  if (op.params.size() != 2 * k || op.body.stms.size() != k) return false;
  for (size_t i = 0; i < k; ++i) {
    const Stm& stm = op.body.stms[i];
    const auto result = std::find(op.body.results.begin(), op.body.results.end(),
                                  Operand(stm.results.empty() ? ValueId() : stm.results[0]));
    if (stm.results.size() != 1 || result == op.body.results.end()) return false;
    const auto at = static_cast<size_t>(result - op.body.results.begin());
    if (!holds(stm, op.params[at], op.params[k + at])) return false;
  }
  return true;
}

}  // namespace

bool isSum(const Lambda& op) {
  return eachOfBoth(op, [](const Stm& stm, ValueId a, ValueId b) {
    if (const auto* scalar = std::get_if<core::PrimOp>(&stm.expr)) {
      return scalar->op == Op::kAdd &&
             (scalar->args == Operands{a, b} || scalar->args == Operands{b, a});
    }
    const auto* rows = std::get_if<core::Screma>(&stm.expr);
    return rows != nullptr && core::isMap(*rows) &&
           (rows->inputs == std::vector{a, b} || rows->inputs == std::vector{b, a}) &&
           isSum(rows->map);
  });
}

bool isProduct(const Lambda& op) {
  return op.params.size() == 2 && eachOfBoth(op, [](const Stm& stm, ValueId a, ValueId b) {
           const auto* scalar = std::get_if<core::PrimOp>(&stm.expr);
           return scalar != nullptr && scalar->op == Op::kMul &&
                  (scalar->args == Operands{a, b} || scalar->args == Operands{b, a});
         });
}

bool isExtreme(const core::PrimOp& node) { return node.op == Op::kMin || node.op == Op::kMax; }

std::optional<Op> extremum(const Lambda& op) {
  std::optional<Op> found;
  const bool is_one =
      op.params.size() == 2 && eachOfBoth(op, [&](const Stm& stm, ValueId a, ValueId b) {
        const auto* scalar = std::get_if<core::PrimOp>(&stm.expr);
        if (scalar == nullptr || !isExtreme(*scalar)) return false;
        found = scalar->op;
        return scalar->args == Operands{a, b};
      });
  return is_one ? found : std::nullopt;
}

Lambda firstExtreme(Emitter& emitter, Op op, const std::vector<Type>& types) {
  const ScalarType scalar = types[0].scalar;
  const Op order = op == Op::kMin ? Op::kLt : Op::kGt;
  return emitter.combiner(types, [=](Emitter& e, const Operands& both) {
    const size_t k = types.size();
    const Operand a = both[0], b = both[k];
    Operand second = e.op(order, scalar, b, a);
    Operand equal = e.op(Op::kEq, scalar, a, b);
    if (prim::isFloat(scalar)) {
      const Operand a_nan = e.op(Op::kIsNan, scalar, a), b_nan = e.op(Op::kIsNan, scalar, b);
      const Operand only_a = e.both(a_nan, e.op(Op::kNot, ScalarType::kBool, b_nan));
      second = e.op(Op::kOr, ScalarType::kBool, second, only_a);
      equal = e.op(Op::kOr, ScalarType::kBool, equal, e.both(a_nan, b_nan));
    }
    const Operand earlier = e.both(equal, e.compare(Op::kLt, both[k + 1], both[1]));
    const Operand takes = e.op(Op::kOr, ScalarType::kBool, second, earlier);
    Operands results;
    for (size_t i = 0; i < k; ++i) results.push_back(e.select(takes, both[k + i], both[i]));
    return results;
  });
}

Operand isInside(Emitter& emitter, const Operands& indices, const Operands& shape) {
  Operand inside = prim::Scalar::ofBool(true);
  for (size_t i = 0; i < indices.size(); ++i) {
    const Operand low = emitter.compare(Op::kLe, Operand::ofI64(0), indices[i]);
    const Operand high = emitter.compare(Op::kLt, indices[i], shape[i]);
    inside = i == 0 ? emitter.both(low, high) : emitter.both(inside, emitter.both(low, high));
  }
  return inside;
}

std::optional<Expr> onArray(const Expr& view, ValueId array) {
  Expr other = view;
  if (auto* node = std::get_if<core::Index>(&other)) return node->array = array, other;
  if (auto* node = std::get_if<core::Slice>(&other)) return node->array = array, other;
  if (auto* node = std::get_if<core::Rearrange>(&other)) return node->array = array, other;
  if (auto* node = std::get_if<core::Reshape>(&other)) return node->array = array, other;
  if (auto* node = std::get_if<core::Copy>(&other)) return node->array = array, other;
  if (auto* node = std::get_if<core::Slide>(&other)) return node->array = array, other;
  return std::nullopt;
}

void prove(Body& body) {
  std::erase_if(body.stms,
                [](const Stm& stm) { return std::holds_alternative<core::Assert>(stm.expr); });
  for (Stm& stm : body.stms) {
    stm.checked = false;
    core::visitBodies(stm.expr, [](Body& nested) { prove(nested); });
  }
}

ValueId gathered(Emitter& e, const Operand& width, const std::vector<ValueId>& indices,
                 ValueId from) {
  const Type whole = e.type(from);
  const Type part = rowOf(whole, indices.size());
  return e.map(width, indices, [&](Emitter& at, const Operands& place) -> Operands {
    return {at.branch(
        isInside(at, place, whole.shape), {part},
        [&](Emitter& yes) -> Operands { return {yes.index(from, place)}; },
        [&](Emitter& no) -> Operands { return {no.zero(part)}; })[0]};
  })[0];
}

}  // namespace halo::ad
