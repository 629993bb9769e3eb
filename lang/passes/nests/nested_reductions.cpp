#include "lang/passes/nests/nested_reductions.h"

#include <algorithm>
#include <array>
#include <unordered_map>
#include <unordered_set>

#include "lang/core/builder.h"
#include "lang/core/node_kinds.h"
#include "lang/core/operators.h"
#include "lang/core/rewrite.h"
#include "lang/core/text/shorthand.h"
#include "lang/passes/nests/dense_rows.h"
#include "lang/prim/fold.h"

namespace halo::passes {
namespace {

using core::Body;
using core::Operand;
using core::Operands;
using core::Reduction;
using core::Screma;
using core::Stm;
using core::ValueId;

// A reduction of an array's own elements to one value.
const Reduction* soleReduction(const Stm& stm) {
  const auto* screma = std::get_if<Screma>(&stm.expr);
  const bool is_sole = screma != nullptr && screma->reductions.size() == 1 &&
                       screma->scans.empty() && stm.results.size() == 1 &&
                       screma->inputs.size() == 1 && core::isIdentity(screma->map) &&
                       !screma->partial_values && !screma->chunk &&
                       screma->joins == core::Joins::kNothing && !screma->flattening.any();
  return is_sole ? &screma->reductions[0] : nullptr;
}

bool isRowMap(const Stm& stm) {
  const auto* screma = std::get_if<Screma>(&stm.expr);
  return screma != nullptr && core::isMap(*screma) && !screma->flattening.any() &&
         !screma->inputs.empty();
}

// Neither the order of the elements nor the number of neutral elements changes the result.
bool mayBeRegrouped(const core::Program& program, const Reduction& reduction) {
  const auto prim = core::asPrimitive(program, reduction.op);
  if (!prim || reduction.neutral.size() != 1 || !reduction.neutral[0].isConstant()) return false;
  const auto [op, type] = *prim;
  const bool is_extremum = op == prim::Op::kMin || op == prim::Op::kMax;
  if (!core::mayBeReordered(op) || (prim::isFloat(type) && !is_extremum)) return false;
  const prim::Scalar neutral = reduction.neutral[0].constant;
  const std::array<prim::Scalar, 2> twice = {neutral, neutral};
  const prim::Folded folded = prim::fold(op, type, twice);
  const auto* value = std::get_if<prim::Scalar>(&folded);
  return value != nullptr && *value == neutral;
}

class ReductionJoiner {
 public:
  ReductionJoiner(core::Program& program, const Body& function)
      : program_(program), strided_(stridedViews(program, function)) {}

  // Bodies that run once on the host's side; those of lambdas are the code of cells.
  void body(Body& b) {
    for (Stm& stm : b.stms) {
      if (core::isControl(stm.expr))
        core::forEachBody(stm.expr, [&](Body& nested) { body(nested); });
    }
    while (joinOne(b)) {
    }
  }

 private:
  bool joinOne(Body& b) {
    const auto counts = core::useCounts(program_, b);
    for (size_t outer = 0; outer < b.stms.size(); ++outer) {
      const Reduction* reduction = soleReduction(b.stms[outer]);
      if (reduction == nullptr || !mayBeRegrouped(program_, *reduction)) continue;
      const ValueId values = std::get<Screma>(b.stms[outer].expr).inputs[0];
      const auto rows = core::makerOf(b.stms, Operand(values));
      if (!rows || counts.at(values) != 1 || !reducesRows(b.stms[*rows], *reduction)) continue;
      join(b, *rows, outer);
      return true;
    }
    return false;
  }

  // A map whose body maps a row and reduces it in the same way.
  bool reducesRows(const Stm& stm, const Reduction& reduction) const {
    if (!isRowMap(stm) || stm.results.size() != 1) return false;
    const auto& map = std::get<Screma>(stm.expr);
    const std::vector<Stm>& code = map.map.body.stms;
    const Reduction* inner = code.empty() ? nullptr : soleReduction(code.back());
    if (inner == nullptr || map.map.body.results[0] != Operand(code.back().results[0]) ||
        inner->neutral != reduction.neutral ||
        core::asPrimitive(program_, inner->op) != core::asPrimitive(program_, reduction.op)) {
      return false;
    }
    return isMapOfRows(map) &&
           std::none_of(map.inputs.begin(), map.inputs.end(), [&](ValueId input) {
             return strided_.contains(input) || program_.type(input).rank() < 2;
           });
  }

  // Each statement works on rows of one width: the lambda's parameters or results of statements
  // before it. Nothing else in the statements belongs to one row.
  bool isMapOfRows(const Screma& map) const {
    const std::vector<Stm>& code = map.map.body.stms;
    std::unordered_set<ValueId> rows(map.map.params.begin(), map.map.params.end());
    const Operand width = std::get<Screma>(code.back().expr).width;
    for (const Stm& stm : code) {
      const bool is_last = &stm == &code.back();
      if (!is_last && !isRowMap(stm)) return false;
      const auto& inner = std::get<Screma>(stm.expr);
      if (inner.width != width) return false;
      for (ValueId input : inner.inputs) {
        if (!rows.contains(input)) return false;
      }
      for (ValueId value : core::freeValues(program_, inner.map)) {
        if (rows.contains(value)) return false;
      }
      rows.insert(stm.results.begin(), stm.results.end());
    }
    return !width.isConstant() ? !rows.contains(width.value) : true;
  }

  void join(Body& b, size_t rows, size_t outer) {
    const Screma map = std::get<Screma>(b.stms[rows].expr);
    const std::vector<Stm>& code = map.map.body.stms;
    const Operand width = std::get<Screma>(code.back().expr).width;
    core::Builder made(program_);
    const Operand count = made.mul(map.width, width);
    std::unordered_map<ValueId, ValueId> flat;
    for (size_t k = 0; k < map.inputs.size(); ++k) {
      flat[map.map.params[k]] = flattened(program_, made, map.inputs[k], 2, count);
    }
    for (const Stm& stm : code) made.append(overAll(stm, count, flat));
    Body whole = made.take({});
    whole.stms.back().results = b.stms[outer].results;
    whole.stms.back().span = b.stms[outer].span;
    b.stms.erase(b.stms.begin() + static_cast<std::ptrdiff_t>(outer));
    b.stms.erase(b.stms.begin() + static_cast<std::ptrdiff_t>(rows));
    b.stms.insert(b.stms.begin() + static_cast<std::ptrdiff_t>(rows),
                  std::make_move_iterator(whole.stms.begin()),
                  std::make_move_iterator(whole.stms.end()));
  }

  // The statement of one row as one of all elements.
  Stm overAll(const Stm& row, const Operand& count, std::unordered_map<ValueId, ValueId>& flat) {
    Stm all = row;
    auto& screma = std::get<Screma>(all.expr);
    screma.width = count;
    for (ValueId& input : screma.inputs) input = flat.at(input);
    for (ValueId& result : all.results) {
      core::Type type = program_.type(result);
      if (!type.shape.empty()) type.shape[0] = count;
      const ValueId whole = program_.add(program_.values[result].name, type);
      flat[result] = whole;
      result = whole;
    }
    return all;
  }

  core::Program& program_;
  const std::unordered_set<ValueId> strided_;
};

}  // namespace

core::Program nestedReductions(const core::Program& program) {
  core::Program result = program;
  for (core::Function& function : result.functions) {
    ReductionJoiner(result, function.body).body(function.body);
  }
  return result;
}

}  // namespace halo::passes
