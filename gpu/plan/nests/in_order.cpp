// Which operators have an order; their inputs from a map are made before.
#include "gpu/plan/nests/in_order.h"

#include <algorithm>

#include "lang/core/text/shorthand.h"
#include "lang/core/visit.h"

namespace halo::gpu {

using namespace core;

bool hasOrder(const Program& program, const Lambda& op) {
  auto primitive = asPrimitive(program, op);
  bool is_extremum =
      primitive && (primitive->first == prim::Op::kMin || primitive->first == prim::Op::kMax);
  return !is_extremum && std::any_of(op.params.begin(), op.params.end(), [&](ValueId param) {
    return prim::isFloat(program.type(param).scalar);
  });
}

namespace {

template <typename Operators>
bool anyHasOrder(const Program& program, const Operators& operators) {
  return std::any_of(operators.begin(), operators.end(),
                     [&](const auto& one) { return hasOrder(program, one.op); });
}

}  // namespace

bool hasOrder(const Program& program, const Screma& screma) {
  return anyHasOrder(program, screma.reductions) || anyHasOrder(program, screma.scans);
}
bool hasOrder(const Program& program, const Stencil& stencil) {
  return anyHasOrder(program, stencil.reductions);
}
bool hasOrder(const Program& program, const Hist& hist) {
  return anyHasOrder(program, hist.operations);
}

bool hasOrderedRows(const Program& program, const Body& cell) {
  bool is_found = false;
  visitStms(cell, [&](const Stm& stm) {
    const auto* row = std::get_if<Screma>(&stm.expr);
    is_found = is_found || (row != nullptr && hasOrder(program, *row));
  });
  return is_found;
}

bool isAlone(const Screma& screma) {
  const Operands params(screma.map.params.begin(), screma.map.params.end());
  return screma.map.body.stms.empty() && screma.map.body.results == params &&
         screma.reductions.size() + screma.scans.size() == 1;
}

std::vector<Stm> mapFirst(Program& program, const Stm& stm, const Hist& hist) {
  if (hist.map.body.stms.empty()) return {stm};
  Screma map{hist.width, hist.inputs, hist.map, {}, {}};
  map.map.body.results.clear();
  std::vector<ValueId> stored;
  Hist of_arrays{hist.width, {}, {}, hist.operations};
  const std::vector<ValueId>& params = hist.map.params;
  const Operands& results = hist.map.body.results;
  for (auto result = results.begin(); result != results.end(); ++result) {
    if (result->isConstant()) {
      of_arrays.map.body.results.push_back(*result);
      continue;
    }
    const auto same = std::find(results.begin(), result, *result);
    if (same != result) {
      const auto first = static_cast<size_t>(same - results.begin());
      const Operand again = of_arrays.map.body.results[first];
      of_arrays.map.body.results.push_back(again);
      continue;
    }
    Type type = program.type(*result);
    const ValueId param = program.add("x", type);
    of_arrays.map.params.push_back(param);
    of_arrays.map.body.results.push_back(param);
    const auto handed_on = std::find(params.begin(), params.end(), result->value);
    if (handed_on != params.end()) {
      of_arrays.inputs.push_back(hist.inputs[static_cast<size_t>(handed_on - params.begin())]);
      continue;
    }
    type.shape.insert(type.shape.begin(), hist.width);
    stored.push_back(program.add("mapped", std::move(type)));
    map.map.body.results.push_back(*result);
    of_arrays.inputs.push_back(stored.back());
  }
  return {{stored, std::move(map), false, stm.span},
          {stm.results, std::move(of_arrays), false, stm.span}};
}

}  // namespace halo::gpu
