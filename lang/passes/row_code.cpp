#include "lang/passes/row_code.h"

#include <algorithm>

#include "lang/core/rewrite.h"
#include "lang/passes/bounds/speculate.h"

namespace halo::passes {

using core::Operand;
using core::Stm;
using core::ValueId;
using prim::Op;

bool isTotalScalarCode(const Stm& stm) {
  if (stm.checked) return false;
  if (const auto* match = std::get_if<core::Match>(&stm.expr)) {
    auto isPure = [](const core::Body& body) {
      return std::all_of(body.stms.begin(), body.stms.end(), isTotalScalarCode);
    };
    return isPure(match->otherwise) &&
           std::all_of(match->cases.begin(), match->cases.end(),
                       [&](const core::Case& arm) { return isPure(arm.body); });
  }
  // Reassociable sums take such products into them, which therefore stay.
  const auto* op = std::get_if<core::PrimOp>(&stm.expr);
  return isTotalScalar(stm.expr) && (op == nullptr || !op->loose);
}

std::optional<Operand> RowCode::make(const Operand& operand) {
  if (operand.isConstant()) return operand;
  auto known = known_.find(operand.value);
  if (known != known_.end()) return known->second;
  if (!bound_.contains(operand.value)) return operand;
  const Stm* stm = definitions_.find(operand.value);
  if (stm == nullptr || impossible_.contains(operand.value)) return std::nullopt;
  auto made = makeValue(operand.value, *stm);
  if (made) {
    known_[operand.value] = *made;
  } else {
    impossible_.insert(operand.value);
  }
  return made;
}

std::optional<Operand> RowCode::makeValue(ValueId value, const Stm& stm) {
  core::Program& program = code_.program();
  if (!program.type(value).isScalar()) return std::nullopt;
  if (const auto* prim = std::get_if<core::PrimOp>(&stm.expr)) {
    return makePrim(value, stm, *prim);
  }
  if (std::holds_alternative<core::Match>(stm.expr)) return makeMatch(value, stm);
  if (const auto* index = std::get_if<core::Index>(&stm.expr)) {
    if (index->indices.size() != 1) return std::nullopt;
    auto at = make(index->indices[0]);
    return at ? element(index->array, *at) : std::nullopt;
  }
  core::Expr expr = stm.expr;
  if (auto* convert = std::get_if<core::Convert>(&expr)) {
    auto arg = make(convert->arg);
    if (!arg || stm.checked) return std::nullopt;
    convert->arg = *arg;
    return code_.bind(program.values[value].name, program.type(value), expr);
  }
  if (auto* select = std::get_if<core::Select>(&expr)) {
    auto condition = make(select->condition), yes = make(select->on_true),
         no = make(select->on_false);
    if (!condition || !yes || !no) return std::nullopt;
    *select = {*condition, *yes, *no};
    return code_.bind(program.values[value].name, program.type(value), expr);
  }
  return std::nullopt;
}

// Divisors that are 0 count as 1, exponents below 0 as 0.
std::optional<Operand> RowCode::makePrim(ValueId value, const Stm& stm, core::PrimOp prim) {
  for (Operand& arg : prim.args) {
    auto made = make(arg);
    if (!made) return std::nullopt;
    arg = *made;
  }
  if (prim.loose) return std::nullopt;
  if (stm.checked) {
    const bool divides =
        prim.op == Op::kDiv || prim.op == Op::kMod || prim.op == Op::kQuot || prim.op == Op::kRem;
    if (!divides && prim.op != Op::kPow) return std::nullopt;
    const Operand zero(prim::zero(prim.type));
    const Op compare = divides ? Op::kEq : Op::kLt;
    const Operand is_bad = code_.prim(compare, prim.type, {prim.args[1], zero});
    const Operand instead = divides ? Operand(prim::Scalar::fromBits(prim.type, 1)) : zero;
    prim.args[1] =
        code_.bind("total", {prim.type, {}}, core::Select{is_bad, instead, prim.args[1]});
  } else if (!isTotalScalar(prim)) {
    return std::nullopt;
  }
  core::Program& program = code_.program();
  return code_.bind(program.values[value].name, program.type(value), prim);
}

std::optional<Operand> RowCode::makeMatch(ValueId value, const Stm& stm) {
  if (!isTotalScalarCode(stm)) return std::nullopt;
  core::Program& program = code_.program();
  core::Substitution inside;
  for (ValueId used : core::freeValues(program, stm)) {
    if (!bound_.contains(used)) continue;
    auto made = make(used);
    if (!made) return std::nullopt;
    inside[used] = *made;
  }
  core::Body body;
  body.stms.push_back(stm);
  body.results = core::Operands(stm.results.begin(), stm.results.end());
  core::Body copy = core::freshCopy(program, body, inside);
  code_.append(std::move(copy.stms[0]));
  Operand result;
  for (size_t k = 0; k < stm.results.size(); ++k) {
    known_[stm.results[k]] = copy.results[k];
    if (stm.results[k] == value) result = copy.results[k];
  }
  return result;
}

std::optional<Operand> RowCode::element(ValueId array, const Operand& at) {
  const core::Type type = code_.program().type(array);
  const bool is_outside = !bound_.contains(array);
  if (is_outside && type.rank() == 1 && at == at_ && type.shape[0] == below_) {
    return code_.bind("x", {type.scalar, {}}, core::Index{array, {at}});
  }
  const Stm* stm = is_outside ? nullptr : definitions_.find(array);
  if (stm == nullptr || type.rank() != 1) return std::nullopt;
  if (const auto* iota = std::get_if<core::Iota>(&stm->expr)) {
    auto start = make(iota->start), step = make(iota->step);
    if (!start || !step || iota->type != prim::ScalarType::kI64) return std::nullopt;
    return code_.add(*start, code_.mul(at, *step));
  }
  if (const auto* replicate = std::get_if<core::Replicate>(&stm->expr)) {
    return make(replicate->value);
  }
  const auto* map = std::get_if<core::Screma>(&stm->expr);
  if (map == nullptr || !map->reductions.empty() || !map->scans.empty()) return std::nullopt;
  const auto which = std::find(stm->results.begin(), stm->results.end(), array);
  return mapped(*map, static_cast<size_t>(which - stm->results.begin()), at);
}

// The map's result at another place is another value: nothing of it is known afterwards.
std::optional<Operand> RowCode::mapped(const core::Screma& map, size_t which, const Operand& at) {
  const auto before = known_;
  const auto never = impossible_;
  for (size_t k = 0; k < map.inputs.size(); ++k) {
    auto input = element(map.inputs[k], at);
    if (input) known_[map.map.params[k]] = *input;
  }
  std::optional<Operand> result = make(map.map.body.results[which]);
  known_ = before;
  impossible_ = never;
  return result;
}

}  // namespace halo::passes
