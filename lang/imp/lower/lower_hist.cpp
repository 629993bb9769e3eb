// Histograms in place, one element after another. Rows are combined into a row of their own and
// copied back: the operator reads the old one while it writes.
#include "lang/imp/lower/lower_hist.h"

namespace halo::imp {

using core::ValueId;
using prim::Op;

// One operation while its node is lowered.
struct Lowering::Histogram {
  const core::HistOp& operation;
  std::vector<ArrayRef> targets;
  std::vector<ArrayRef> rows;  // of those destinations that have rows
  bool in_place;               // rows are combined where they are
  bool isRow(size_t k) const { return rows[k].buffer.valid(); }
};

void Lowering::combineInto(Histogram& histogram, const Operands& indices, const Results& values,
                           size_t at) {
  const core::HistOp& operation = histogram.operation;
  size_t count = histogram.targets.size();
  Destinations destinations(count);
  for (size_t k = 0; k < count; k++) {
    ValueId accumulator = operation.op.params[k], element = operation.op.params[count + k];
    if (histogram.isRow(k)) {
      env_.arrays[accumulator] = prefixView(b_, histogram.targets[k], indices);
      env_.arrays[element] = values.arrays[at + k];
      destinations[k] = histogram.in_place ? env_.arrays[accumulator] : histogram.rows[k];
    } else {
      env_.scalars[accumulator] = loadElement(b_, histogram.targets[k], indices);
      env_.scalars[element] = values.scalars[at + k];
    }
  }
  independent_++;  // rows of a histogram are too small to be cut
  Results results = body(operation.op.body, destinations);
  independent_--;
  for (size_t k = 0; k < count; k++) {
    if (histogram.isRow(k)) {
      if (histogram.in_place) continue;
      copyArray(b_, place_, prefixView(b_, histogram.targets[k], indices), histogram.rows[k]);
    } else {
      storeElement(b_, histogram.targets[k], indices, results.scalars[k]);
    }
  }
  release(results.owned);
}

void Lowering::countOneByOne(const core::Hist& node, std::vector<Histogram>& histograms) {
  loop("i", kZero, scalar(node.width), false, [&](Operand i) {
    Results values = element(node.inputs, node.map, i, {}, 0);
    size_t at = 0;
    for (Histogram& histogram : histograms) {
      Operands indices;
      for (int k = 0; k < histogram.operation.index_rank; k++) {
        indices.push_back(values.scalars[at++]);
      }
      b_.ifThenElse(isInside(b_, indices, histogram.targets[0]),
                    [&] { combineInto(histogram, indices, values, at); });
      at += histogram.targets.size();
    }
    release(values.owned);
  });
}

void Lowering::lower(const core::Stm& stm, const core::Hist& node) {
  std::vector<Histogram> histograms;
  for (const core::HistOp& operation : node.operations) {
    Histogram histogram{operation, {}, {}, isElementwise(core_, operation.op)};
    for (size_t k = 0; k < operation.destinations.size(); k++) {
      ArrayRef target = real(array(operation.destinations[k]));
      Operands row(target.shape.begin() + operation.index_rank, target.shape.end());
      if (row.empty() || histogram.in_place) {
        histogram.rows.push_back(row.empty() ? ArrayRef() : target);
      } else {
        histogram.rows.push_back(fresh("row", target.type, row));
      }
      histogram.targets.push_back(std::move(target));
    }
    histograms.push_back(std::move(histogram));
  }
  auto one_by_one = [&] { countOneByOne(node, histograms); };
  if (!in_lanes_ && independent_ == 0 && HistTables::fits(core_, place_, node)) {
    HistTables(*this, node, histograms[0].targets).run(one_by_one);
  } else {
    one_by_one();
  }
  size_t result = 0;
  for (const Histogram& histogram : histograms) {
    for (const ArrayRef& target : histogram.targets) set(stm.results[result++], target);
  }
}

}  // namespace halo::imp
