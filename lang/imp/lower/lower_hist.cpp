// Histograms in place, one element after another. Rows are combined into a row of their own and
// copied back: the operator reads the old one while it writes.
#include "lang/imp/lower/lower_hist.h"

namespace halo::imp {

using core::ValueId;
using prim::Op;

// One operation while its node is lowered.
struct Lowering::Histogram {
  Histogram(Lowering& lowering, const core::HistOp& of);
  bool isRow(size_t k) const { return rows[k].buffer.valid(); }
  void combine(const Operands& indices, const Results& values, size_t at);

  Lowering& low;
  const core::HistOp& operation;
  std::vector<ArrayRef> targets;
  std::vector<ArrayRef> rows;  // of those destinations that have rows
  bool in_place;               // rows are combined where they are
};

Lowering::Histogram::Histogram(Lowering& lowering, const core::HistOp& of)
    : low(lowering), operation(of), in_place(isElementwise(low.core_, of.op)) {
  for (ValueId destination : of.destinations) {
    ArrayRef target = low.real(low.array(destination));
    Operands row(target.shape.begin() + of.index_rank, target.shape.end());
    if (row.empty() || in_place) {
      rows.push_back(row.empty() ? ArrayRef() : target);
    } else {
      rows.push_back(low.fresh("row", target.type, row));
    }
    targets.push_back(std::move(target));
  }
}

void Lowering::Histogram::combine(const Operands& indices, const Results& values, size_t at) {
  Builder& b = low.b_;
  Environment& env = low.env_;
  const size_t count = targets.size();
  Destinations destinations(count);
  for (size_t k = 0; k < count; ++k) {
    ValueId accumulator = operation.op.params[k], element = operation.op.params[count + k];
    if (isRow(k)) {
      env.arrays[accumulator] = prefixView(b, targets[k], indices);
      env.arrays[element] = values.arrays[at + k];
      destinations[k] = in_place ? env.arrays[accumulator] : rows[k];
    } else {
      env.scalars[accumulator] = loadElement(b, targets[k], indices);
      env.scalars[element] = values.scalars[at + k];
    }
  }
  ++low.independent_;  // rows of a histogram are too small to be cut
  Results results = low.body(operation.op.body, destinations);
  low.independent_--;
  for (size_t k = 0; k < count; ++k) {
    if (!isRow(k)) {
      storeElement(b, targets[k], indices, results.scalars[k]);
    } else if (!in_place) {
      copyArray(b, low.target_, prefixView(b, targets[k], indices), rows[k]);
    }
  }
  low.release(results.owned);
}

void Lowering::countOneByOne(const core::Hist& node, std::vector<Histogram>& histograms) {
  loop("i", kZero, scalar(node.width), false, [&](Operand i) {
    Results values = element(node.inputs, node.map, i, {}, 0);
    size_t at = 0;
    for (Histogram& histogram : histograms) {
      Operands indices;
      for (int k = 0; k < histogram.operation.index_rank; ++k) {
        indices.push_back(values.scalars[at++]);
      }
      b_.ifThenElse(isInside(b_, indices, histogram.targets[0]),
                    [&] { histogram.combine(indices, values, at); });
      at += histogram.targets.size();
    }
    release(values.owned);
  });
}

void Lowering::lower(const core::Stm& stm, const core::Hist& node) {
  std::vector<Histogram> histograms;
  for (const core::HistOp& operation : node.operations) histograms.emplace_back(*this, operation);
  auto one_by_one = [&] { countOneByOne(node, histograms); };
  if (!in_lanes_ && independent_ == 0 && HistTables::fits(core_, target_, node)) {
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
