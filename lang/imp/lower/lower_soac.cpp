// Screma as loops. A map writes its rows where they belong; reductions are sequential, or in lanes
// where their order is free (lower_lanes.cpp).
#include "lang/imp/lower/lower_soac.h"

#include "lang/base/check.h"
#include "lang/core/visit.h"
#include "lang/imp/lower/lower_scan.h"
#include "lang/imp/schedule/lower_lanes.h"

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

Results Lowering::cellBody(const core::Body& cell_body, const Operands& cell,
                           const std::vector<ArrayRef>& outputs, size_t first_output,
                           const Destinations& rows) {
  Destinations destinations(cell_body.results.size());
  for (size_t k = 0; k < outputs.size(); ++k) {
    if (k < rows.size() && rows[k]) {
      destinations[first_output + k] = rows[k];
    } else if (outputs[k].shape.size() > cell.size()) {
      destinations[first_output + k] = prefixView(b_, outputs[k], cell);
    }
  }
  Results results = body(cell_body, destinations);
  for (size_t k = 0; k < outputs.size(); ++k) {
    if (destinations[first_output + k]) continue;
    storeElement(b_, outputs[k], cell, results.scalars[first_output + k]);
  }
  return results;
}

Results Lowering::element(const std::vector<ValueId>& inputs, const core::Lambda& map, Operand i,
                          const std::vector<ArrayRef>& outputs, size_t first_output) {
  Destinations rows(outputs.size());
  for (size_t k = 0; k < inputs.size(); ++k) {
    bindElement(b_, core_, env_, map.params[k], array(inputs[k]), {i});
    for (size_t j = 0; j < outputs.size(); ++j) {
      bool is_row = outputs[j].shape.size() > 1 && sameMemory(array(inputs[k]), outputs[j]);
      if (is_row) rows[j] = array(map.params[k]);
    }
  }
  return cellBody(map.body, {i}, outputs, first_output, rows);
}

ScremaLowering::ScremaLowering(Lowering& lowering, const core::Stm& stm, const core::Screma& node)
    : low_(lowering),
      b_(lowering.b_),
      core_(lowering.core_),
      target_(lowering.target_),
      stm_(stm),
      node_(node),
      first_output_(accumulatorCount(node)) {}

void ScremaLowering::placeOutputs() {
  for (size_t k = first_output_; k < stm_.results.size(); ++k) {
    const ValueId result = stm_.results[k];
    if (const auto order = low_.destinations_.orderInMemory(low_.scope_->body, result)) {
      outputs_.push_back(low_.destinations_.laidOutput(result, *order));
      continue;
    }
    planOverwriting(k);
    outputs_.push_back(low_.destinations_.mapOutput(result));
  }
}

void ScremaLowering::run() {
  placeOutputs();
  lowerNode();
  for (size_t k = 0; k < outputs_.size(); ++k) {
    low_.set(stm_.results[first_output_ + k], outputs_[k]);
  }
}

void ScremaLowering::lowerNode() {
  const bool may_tile = target_.vectorise && !low_.in_lanes_;
  std::optional<Product> product = may_tile ? asProduct(core_, low_.env_, node_) : std::nullopt;
  if (overwritesInput()) product.reset();
  if (product) {
    lowerProduct(*product);
  } else if (node_.partial_values) {
    ScremaLanes(low_, stm_, node_, outputs_).runPartial();
  } else if (node_.scans.empty() && low_.canUseLanes(node_.reductions, node_.map)) {
    ScremaLanes(low_, stm_, node_, outputs_).run();
  } else if (!low_.in_lanes_ && canScanLine(core_, target_, node_)) {
    LineScan(low_, stm_, node_, outputs_).run();
  } else {
    // A replay looks for the element that fails; its values go nowhere.
    HALO_CHECK(!node_.chunk || !target_.vectorise, "a scan in chunks without lanes");
    lowerSequential();
  }
}

void ScremaLowering::lowerProduct(const Product& product) {
  const Operand done = ProductTiles(low_, product, outputs_).run();
  low_.loop("i", done, low_.scalar(node_.width), true,
            [&](Operand i) { low_.element(node_.inputs, node_.map, i, outputs_, 0); });
}

void ScremaLowering::lowerSequential() {
  AccumulatorLowering accumulate(low_, stm_);
  std::vector<Accumulators> reductions = accumulate.startReductions(node_.reductions);
  std::vector<Accumulators> scans;
  std::vector<std::vector<ArrayRef>> scanned;
  size_t position = 0;
  for (const Accumulators& reduction : reductions) position += reduction.size();
  for (const core::Scan& scan : node_.scans) {
    scanned.emplace_back();
    for (size_t k = 0; k < scan.neutral.size(); ++k) {
      scanned.back().push_back(low_.destinations_.output(stm_.results[position + k]));
    }
    scans.push_back(accumulate.startScan(scan, position));
    position += scan.neutral.size();
  }
  auto [first, last] = changingRange();
  low_.loop("i", first, last, position == 0, [&](Operand i) {
    Results values = low_.element(node_.inputs, node_.map, i, outputs_, position);
    size_t at = accumulate.combineReductions(node_.reductions, reductions, values);
    for (size_t s = 0; s < scans.size(); ++s) {
      accumulate.combine(node_.scans[s].op, scans[s], values, at);
      at += scans[s].size();
      storeScanned(scans[s], scanned[s], i);
    }
    low_.release(values.owned);
  });
  for (const Accumulators& accumulators : reductions) accumulate.finish(accumulators);
  for (size_t s = 0; s < scans.size(); ++s) {
    for (size_t k = 0; k < scans[s].size(); ++k) low_.set(scans[s][k].result, scanned[s][k]);
  }
}

void ScremaLowering::storeScanned(const Accumulators& scan, const std::vector<ArrayRef>& to,
                                  Operand i) {
  for (size_t k = 0; k < scan.size(); ++k) {
    if (scan[k].is_array) {
      copyArray(b_, target_, prefixView(b_, to[k], {i}), scan[k].array);
    } else {
      storeElement(b_, to[k], {i}, scan[k].var);
    }
  }
}

void Lowering::lower(const core::Stm& stm, const core::Screma& node) {
  ScremaLowering(*this, stm, node).run();
}

}  // namespace halo::imp
