#include "lang/ad/bins/sorted_bins.h"

#include "lang/ad/bins/bin_order.h"
#include "lang/ad/rules.h"

namespace halo::ad {

namespace {

class BinSort {
 public:
  BinSort(Emitter& e, const core::Hist& node)
      : e_(e), width_(node.width), rank_(node.operations[0].index_rank), inputs_(node.inputs) {
    shape_ = e.program().type(node.operations[0].destinations[0]).shape;
  }

  SortedBins run() {
    sorted_.many = e_.product(shape_);
    const ValueId keys = binsOf();
    sorted_.order = orderOf(e_, width_, keys);
    sort(keys);
    findEnds();
    return sorted_;
  }

 private:
  // The flat bin of each element, one more for elements outside.
  ValueId binsOf() {
    const std::vector<ValueId> indices(inputs_.begin(), inputs_.begin() + rank_);
    return e_.map(width_, indices, [&](Emitter& at, const Operands& place) -> Operands {
      Operand bin = place[0];
      for (size_t i = 1; i < place.size(); ++i) bin = at.add(at.mul(bin, shape_[i]), place[i]);
      const Operand found = at.select(isInside(at, place, shape_), bin, sorted_.many);
      return {at.convert(prim::ConvertKind::kValue, ScalarType::kU32, found)};
    })[0];
  }

  // Bins and values in order.
  void sort(ValueId keys) {
    const std::vector<ValueId> sorted =
        e_.map(width_, {sorted_.order}, [&](Emitter& at, const Operands& from) {
          const Operand bin =
              at.convert(prim::ConvertKind::kValue, ScalarType::kI64, at.index(keys, {from[0]}));
          Operands row{bin};
          for (size_t i = static_cast<size_t>(rank_); i < inputs_.size(); ++i) {
            row.push_back(at.index(inputs_[i], {from[0]}));
          }
          return row;
        });
    sorted_.bin = sorted[0];
    sorted_.values.assign(sorted.begin() + 1, sorted.end());
  }

  void findEnds() {
    const ValueId bins = sorted_.bin;
    const std::vector<ValueId> ends =
        e_.map(width_, {bins, e_.iota(width_)}, [&](Emitter& at, const Operands& cell) -> Operands {
          const auto differs = [&](const Operand& is_edge, const Operand& other) {
            return Operand(at.branch(
                is_edge, {kFlag},
                [&](Emitter&) -> Operands { return {prim::Scalar::ofBool(true)}; },
                [&](Emitter& no) -> Operands {
                  return {no.compare(Op::kNe, no.index(bins, {other}), cell[0])};
                })[0]);
          };
          const Operand is_first =
              differs(at.compare(Op::kEq, cell[1], kZero), at.sub(cell[1], kOne));
          const Operand next = at.add(cell[1], kOne);
          const Operand is_last = differs(at.compare(Op::kEq, next, width_), next);
          const Operand exists = at.both(is_last, at.compare(Op::kLt, cell[0], sorted_.many));
          return {is_first, at.select(exists, cell[0], Operand::ofI64(-1))};
        });
    sorted_.first = ends[0];
    sorted_.last = ends[1];
  }

  Emitter& e_;
  Operand width_;
  int rank_;
  const std::vector<ValueId>& inputs_;
  Operands shape_;
  SortedBins sorted_;
};

}  // namespace

SortedBins sortedByBin(Emitter& e, const core::Hist& node) { return BinSort(e, node).run(); }

}  // namespace halo::ad
