// Candidates in the order of the text, then those with a use, then they move.
#include "gpu/plan/launch_code.h"

#include <algorithm>
#include <functional>
#include <unordered_map>
#include <unordered_set>

#include "lang/core/builder.h"
#include "lang/core/rewrite.h"
#include "lang/core/visit.h"
#include "lang/passes/bounds/speculate.h"

namespace halo::gpu {

using namespace core;

namespace {

// Its proof that the divisor is not 0 may lie in the cell: the host divides by 1 then.
const PrimOp* asDivision(const Stm& stm) {
  const auto* prim = std::get_if<PrimOp>(&stm.expr);
  const bool divides = prim != nullptr && !prim::isFloat(prim->type) &&
                       (prim->op == prim::Op::kMachineDiv || prim->op == prim::Op::kMachineRem);
  return divides ? prim : nullptr;
}

bool isTotal(const Program& program, const Stm& stm);

bool isTotal(const Program& program, const Body& body) {
  return std::all_of(body.stms.begin(), body.stms.end(),
                     [&](const Stm& stm) { return isTotal(program, stm); });
}

// Scalar code that cannot fail and reads no array.
bool isTotal(const Program& program, const Stm& stm) {
  const bool gives_scalars =
      std::all_of(stm.results.begin(), stm.results.end(),
                  [&](ValueId result) { return program.type(result).isScalar(); });
  if (stm.checked || stm.results.empty() || !gives_scalars) return false;
  if (passes::isTotalScalar(stm.expr)) return true;
  const auto* match = std::get_if<Match>(&stm.expr);
  return match != nullptr && isTotal(program, match->otherwise) &&
         std::all_of(match->cases.begin(), match->cases.end(),
                     [&](const Case& one) { return isTotal(program, one.body); });
}

// Arrays, or nodes over them.
bool hasArrays(const Program& program, const Body& body) {
  bool found = false;
  visitStms(body, [&](const Stm& stm) {
    visitLambdas(stm.expr, [&](const Lambda&) { found = true; });
    for (ValueId result : stm.results) found |= !program.type(result).isScalar();
  });
  return found;
}

class LaunchCode {
 public:
  LaunchCode(Program& program, Stm& nest) : program_(program), nest_(nest) {}

  std::vector<Stm> run() {
    forEachBody(nest_.expr, [&](const Body& body) { bind(body); });
    for (ValueId value : boundIn(nest_.expr)) bound_.insert(value);
    forEachBody(nest_.expr, [&](const Body& body) { findCandidates(body); });
    if (candidates_.empty()) return {};
    forEachBody(nest_.expr, [&](const Body& body) { findNeeded(body); });
    const bool has_checks = findChecks();
    if (needed_.empty() && !has_checks) return {};
    forEachBody(nest_.expr, [&](Body& body) { take(body); });
    if (has_checks) takeChecks();
    return std::move(taken_);
  }

 private:
  void bind(const Body& body) {
    visitStms(body, [&](const Stm& stm) {
      bound_.insert(stm.results.begin(), stm.results.end());
      for (ValueId value : boundIn(stm.expr)) bound_.insert(value);
    });
  }
  bool isOutside(ValueId value) const {
    return !bound_.contains(value) || candidates_.contains(value);
  }

  void findCandidates(const Body& body) {
    for (const Stm& stm : body.stms) {
      if (isTotal(program_, stm) || (asDivision(stm) != nullptr && !stm.checked)) {
        const std::unordered_set<ValueId> used = freeValues(program_, stm);
        const bool is_alike =
            std::all_of(used.begin(), used.end(), [&](ValueId value) { return isOutside(value); });
        if (is_alike) {
          for (ValueId result : stm.results) candidates_.emplace(result, stm);
          continue;
        }
      }
      forEachBody(stm.expr, [&](const Body& inner) { findCandidates(inner); });
    }
  }

  void need(const Operand& operand) {
    if (operand.isConstant()) return;
    auto found = candidates_.find(operand.value);
    if (found == candidates_.end() || !needed_.insert(operand.value).second) return;
    for (ValueId result : found->second.results) needed_.insert(result);
    for (ValueId value : freeValues(program_, found->second)) need(value);
  }
  void needShape(ValueId value) {
    for (const Operand& extent : program_.type(value).shape) need(extent);
  }
  void findNeeded(const Body& body) {
    visitStms(body, [&](const Stm& stm) {
      for (ValueId result : stm.results) needShape(result);
      for (ValueId value : boundIn(stm.expr)) needShape(value);
      if (const auto* screma = std::get_if<Screma>(&stm.expr)) need(screma->width);
      if (const auto* scatter = std::get_if<Scatter>(&stm.expr)) need(scatter->width);
      if (const auto* hist = std::get_if<Hist>(&stm.expr)) need(hist->width);
      bool decides = false;
      forEachBody(stm.expr, [&](const Body& inner) { decides |= hasArrays(program_, inner); });
      if (!decides) return;
      if (const auto* match = std::get_if<Match>(&stm.expr)) need(match->scrutinee);
      if (const auto* loop = std::get_if<Loop>(&stm.expr)) {
        if (const auto* counted = std::get_if<ForLoop>(&loop->form)) need(counted->bound);
      }
    });
  }

  // Checks of the cell's own body that all cells make alike, if they are reached for certain.
  bool findChecks() {
    const auto* screma = std::get_if<Screma>(&nest_.expr);
    if (screma == nullptr) return false;
    bool found = false;
    for (const Stm& stm : screma->map.body.stms) {
      if (mayNotEnd(stm)) break;
      if (!isAlike(stm)) continue;
      forEachOperand(stm.expr, [&](const Operand& operand) { need(operand); });
      found = true;
    }
    return found;
  }
  bool isAlike(const Stm& stm) const {
    if (!std::holds_alternative<Assert>(stm.expr)) return false;
    const std::unordered_set<ValueId> used = freeValues(program_, stm);
    return std::all_of(used.begin(), used.end(), [&](ValueId value) { return isOutside(value); });
  }

  void take(Body& body) {
    std::vector<Stm> left;
    for (Stm& stm : body.stms) {
      if (!stm.results.empty() && needed_.contains(stm.results[0])) {
        if (asDivision(stm) != nullptr) guardDivision(stm);
        taken_.push_back(std::move(stm));
        continue;
      }
      forEachBody(stm.expr, [&](Body& inner) { take(inner); });
      left.push_back(std::move(stm));
    }
    body.stms = std::move(left);
  }
  void guardDivision(Stm& stm) {
    auto& division = std::get<PrimOp>(stm.expr);
    const Type type{division.type, {}};
    Builder host(program_);
    const Operand zero = prim::zero(division.type);
    const Operand is_zero = host.prim(prim::Op::kEq, division.type, {division.args[1], zero});
    division.args[1] =
        host.bind("divisor", type,
                  Select{is_zero, Operand(prim::Scalar{division.type, 1}), division.args[1]});
    for (Stm& made : host.take({}).stms) taken_.push_back(std::move(made));
  }
  void takeChecks() {
    auto& screma = std::get<Screma>(nest_.expr);
    Builder host(program_);
    const Operand none =
        host.prim(prim::Op::kLe, ScalarType::kI64, {screma.width, Operand::ofI64(0)});
    std::vector<Stm> left;
    bool is_certain = true;
    for (Stm& stm : screma.map.body.stms) {
      is_certain = is_certain && !mayNotEnd(stm);
      if (!is_certain || !isAlike(stm)) {
        left.push_back(std::move(stm));
        continue;
      }
      Assert check = std::get<Assert>(stm.expr);
      check.condition = host.prim(prim::Op::kOr, ScalarType::kBool, {none, check.condition});
      host.append({{}, std::move(check), true, stm.span});
    }
    screma.map.body.stms = std::move(left);
    for (Stm& stm : host.take({}).stms) taken_.push_back(std::move(stm));
  }

  Program& program_;
  Stm& nest_;
  std::unordered_set<ValueId> bound_;            // inside of the nest
  std::unordered_map<ValueId, Stm> candidates_;  // statements that the host could compute
  std::unordered_set<ValueId> needed_;
  std::vector<Stm> taken_;
};

}  // namespace

std::vector<Stm> takeLaunchCode(Program& program, Stm& nest) {
  bool is_nest = false;
  visitLambdas(nest.expr, [&](const Lambda&) { is_nest = true; });
  if (!is_nest) return {};
  return LaunchCode(program, nest).run();
}

}  // namespace halo::gpu
