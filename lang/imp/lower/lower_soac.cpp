// Screma as loops. A map writes its rows where they belong; reductions are sequential, or in lanes
// where their order is free (lower_lanes.cpp).
#include "lang/core/visit.h"
#include "lang/imp/lower/lower_scan.h"

namespace halo::imp {

using core::ValueId;

namespace {

size_t accumulatorCount(const core::Screma& node) {
  size_t count = 0;
  for (const core::Reduction& reduction : node.reductions) count += reduction.neutral.size();
  for (const core::Scan& scan : node.scans) count += scan.neutral.size();
  return count;
}

}  // namespace

// ---- accumulators

Lowering::Accumulators Lowering::startAccumulators(const core::Operands& neutral,
                                                   const core::Stm& stm, size_t first_result,
                                                   bool into_results, bool in_place) {
  Accumulators accumulators;
  for (size_t k = 0; k < neutral.size(); k++) {
    Accumulator accumulator;
    accumulator.result = stm.results[first_result + k];
    const core::Type type = core_.type(neutral[k]);
    accumulator.type = type.scalar;
    accumulator.is_array = !type.isScalar();
    if (accumulator.is_array) {
      const ArrayRef& initial = array(neutral[k].value);
      accumulator.array =
          into_results ? output(accumulator.result) : fresh("acc", type.scalar, initial.shape);
      copyArray(b_, place_, accumulator.array, initial);
      accumulator.next = in_place ? accumulator.array : fresh("next", type.scalar, initial.shape);
    } else {
      accumulator.var = b_.declare("acc", type.scalar, scalar(neutral[k]));
    }
    accumulators.push_back(std::move(accumulator));
  }
  return accumulators;
}

// The results of reductions are the statement's first.
std::vector<Lowering::Accumulators> Lowering::startReductions(
    const std::vector<core::Reduction>& reductions, const core::Stm& stm) {
  std::vector<Accumulators> accumulators;
  size_t position = 0;
  for (const core::Reduction& reduction : reductions) {
    accumulators.push_back(startAccumulators(reduction.neutral, stm, position, true,
                                             isElementwise(core_, reduction.op)));
    position += reduction.neutral.size();
  }
  return accumulators;
}

// Returns how many of the values the reductions took.
size_t Lowering::combineReductions(const std::vector<core::Reduction>& reductions,
                                   std::vector<Accumulators>& accumulators, const Results& values) {
  size_t at = 0;
  for (size_t r = 0; r < accumulators.size(); r++) {
    combine(reductions[r].op, accumulators[r], values, at);
    at += accumulators[r].size();
  }
  return at;
}

void Lowering::combine(const core::Lambda& op, Accumulators& accumulators, const Results& values,
                       size_t first_value) {
  size_t count = accumulators.size();
  Destinations destinations(count);
  for (size_t k = 0; k < count; k++) {
    if (accumulators[k].is_array) {
      env_.arrays[op.params[k]] = accumulators[k].array;
      env_.arrays[op.params[count + k]] = values.arrays[first_value + k];
      destinations[k] = accumulators[k].next;
    } else {
      env_.scalars[op.params[k]] = accumulators[k].var;
      env_.scalars[op.params[count + k]] = values.scalars[first_value + k];
    }
  }
  Results results = body(op.body, destinations);
  std::vector<VarId> vars;
  Operands next;
  for (size_t k = 0; k < count; k++) {
    if (accumulators[k].is_array) {
      if (accumulators[k].next.buffer != accumulators[k].array.buffer) {
        copyArray(b_, place_, accumulators[k].array, accumulators[k].next);
      }
    } else {
      vars.push_back(accumulators[k].var);
      next.push_back(results.scalars[k]);
    }
  }
  assignAll(b_, vars, next);
}

void Lowering::finish(const Accumulators& accumulators) {
  for (const Accumulator& accumulator : accumulators) {
    if (accumulator.is_array) {
      set(accumulator.result, accumulator.array);
    } else {
      set(accumulator.result, Operand(accumulator.var));
    }
  }
}

// ---- screma

Results Lowering::cellBody(const core::Body& cell_body, const Operands& cell,
                           const std::vector<ArrayRef>& outputs, size_t first_output,
                           const Destinations& rows) {
  Destinations destinations(cell_body.results.size());
  for (size_t k = 0; k < outputs.size(); k++) {
    if (k < rows.size() && rows[k]) {
      destinations[first_output + k] = rows[k];
    } else if (outputs[k].shape.size() > cell.size()) {
      destinations[first_output + k] = prefixView(b_, outputs[k], cell);
    }
  }
  Results results = body(cell_body, destinations);
  for (size_t k = 0; k < outputs.size(); k++) {
    if (destinations[first_output + k]) continue;
    storeElement(b_, outputs[k], cell, results.scalars[first_output + k]);
  }
  return results;
}

Results Lowering::element(const std::vector<ValueId>& inputs, const core::Lambda& map, Operand i,
                          const std::vector<ArrayRef>& outputs, size_t first_output) {
  Destinations rows(outputs.size());
  for (size_t k = 0; k < inputs.size(); k++) {
    bindElement(b_, core_, env_, map.params[k], array(inputs[k]), {i});
    for (size_t j = 0; j < outputs.size(); j++) {
      bool is_row = outputs[j].shape.size() > 1 && sameMemory(array(inputs[k]), outputs[j]);
      if (is_row) rows[j] = array(map.params[k]);
    }
  }
  return cellBody(map.body, {i}, outputs, first_output, rows);
}

void Lowering::lower(const core::Stm& stm, const core::Screma& node) {
  std::vector<ArrayRef> outputs;
  size_t first = accumulatorCount(node);
  for (size_t k = first; k < stm.results.size(); k++) {
    if (const auto order = orderInMemory(scope_->body, stm.results[k])) {
      outputs.push_back(laidOutput(stm.results[k], *order));
      continue;
    }
    planOverwriting(stm, node, k, outputs);
    outputs.push_back(mapOutput(stm.results[k]));
  }
  std::optional<Product> product = asProduct(node);
  if (overwritesInput(stm, node, outputs)) product.reset();
  if (product) {
    Operand done = lowerTiles(*product, outputs);
    loop("i", done, scalar(node.width), true,
         [&](Operand i) { element(node.inputs, node.map, i, outputs, 0); });
  } else if (node.partial_values) {
    partialLanes(stm, node, outputs);
  } else if (node.scans.empty() && canUseLanes(node.reductions, node.map)) {
    scremaLanes(stm, node, outputs);
  } else if (!in_lanes_ && canScanLine(core_, place_, node)) {
    LineScan(*this, stm, node, outputs).run();
  } else {
    // A replay looks for the element that fails; its values go nowhere.
    HALO_CHECK(!node.chunk || !place_.vectorise, "a scan in chunks without lanes");
    scremaSequential(stm, node, outputs);
  }
  for (size_t k = 0; k < outputs.size(); k++) set(stm.results[first + k], outputs[k]);
}

void Lowering::scremaSequential(const core::Stm& stm, const core::Screma& node,
                                const std::vector<ArrayRef>& outputs) {
  std::vector<Accumulators> reductions = startReductions(node.reductions, stm);
  std::vector<Accumulators> scans;
  std::vector<std::vector<ArrayRef>> scanned;
  size_t position = 0;
  for (const Accumulators& reduction : reductions) position += reduction.size();
  for (const core::Scan& scan : node.scans) {
    scanned.emplace_back();
    for (size_t k = 0; k < scan.neutral.size(); k++) {
      scanned.back().push_back(output(stm.results[position + k]));
    }
    scans.push_back(
        startAccumulators(scan.neutral, stm, position, false, isElementwise(core_, scan.op)));
    position += scan.neutral.size();
  }
  auto [first, last] = changingRange(node, outputs);
  loop("i", first, last, position == 0, [&](Operand i) {
    Results values = element(node.inputs, node.map, i, outputs, position);
    size_t at = combineReductions(node.reductions, reductions, values);
    for (size_t s = 0; s < scans.size(); s++) {
      combine(node.scans[s].op, scans[s], values, at);
      at += scans[s].size();
      storeScanned(scans[s], scanned[s], i);
    }
    release(values.owned);
  });
  for (const Accumulators& accumulators : reductions) finish(accumulators);
  for (size_t s = 0; s < scans.size(); s++) {
    for (size_t k = 0; k < scans[s].size(); k++) set(scans[s][k].result, scanned[s][k]);
  }
}

void Lowering::storeScanned(const Accumulators& scan, const std::vector<ArrayRef>& to, Operand i) {
  for (size_t k = 0; k < scan.size(); k++) {
    if (scan[k].is_array) {
      copyArray(b_, place_, prefixView(b_, to[k], {i}), scan[k].array);
    } else {
      storeElement(b_, to[k], {i}, scan[k].var);
    }
  }
}

}  // namespace halo::imp
