#include "lang/ad/bins/sorted_hist.h"

#include <algorithm>

#include "lang/ad/bins/sorted_bins.h"

namespace halo::ad {

namespace {

class SortedHist {
 public:
  SortedHist(Emitter& e, const core::Hist& node)
      : e_(e), op_(node.operations[0]), width_(node.width), bins_(sortedByBin(e, node)) {}

  void emit(const std::vector<ValueId>& results) {
    const std::vector<ValueId> sums = scanned();
    for (size_t k = 0; k < results.size(); ++k) write(results[k], sums[k], k);
  }

 private:
  // The first element of a bin is combined with the destination.
  std::vector<ValueId> begun() {
    std::vector<ValueId> inputs{bins_.bin, bins_.first};
    inputs.insert(inputs.end(), bins_.values.begin(), bins_.values.end());
    std::vector<ValueId> before;
    for (const ValueId destination : op_.destinations) {
      before.push_back(e_.reshaped(destination, {bins_.many}));
    }
    return e_.map(width_, inputs, [&](Emitter& at, const Operands& cell) {
      const Operands own(cell.begin() + 2, cell.end());
      const Operand starts = at.both(cell[1], at.compare(Op::kLt, cell[0], bins_.many));
      const std::vector<ValueId> found = at.branch(
          starts, types(),
          [&](Emitter& yes) {
            Operands args;
            for (const ValueId bins : before) args.push_back(yes.index(bins, {cell[0]}));
            args.insert(args.end(), own.begin(), own.end());
            return yes.apply(op_.op, args);
          },
          [&](Emitter&) { return own; });
      return Operands(found.begin(), found.end());
    });
  }

  std::vector<Type> types() const {
    std::vector<Type> all;
    for (const ValueId value : bins_.values) all.push_back(rowOf(e_.program().type(value)));
    return all;
  }

  std::vector<ValueId> scanned() {
    const std::vector<ValueId> elements = begun();
    std::vector<ValueId> inputs{bins_.first};
    inputs.insert(inputs.end(), elements.begin(), elements.end());
    std::vector<Type> all{kFlag};
    for (const Type& type : types()) all.push_back(type);
    const size_t k = elements.size();
    Lambda op = e_.combiner(all, [&](Emitter& at, const Operands& both) {
      const Operand starts = both[k + 1];
      Operands args(both.begin() + 1, both.begin() + 1 + static_cast<ptrdiff_t>(k));
      const Operands own(both.begin() + 2 + static_cast<ptrdiff_t>(k), both.end());
      args.insert(args.end(), own.begin(), own.end());
      const Operands sums = at.apply(op_.op, args);
      Operands results{at.op(Op::kOr, ScalarType::kBool, both[0], starts)};
      for (size_t i = 0; i < k; ++i) results.push_back(at.select(starts, own[i], sums[i]));
      return results;
    });
    Operands neutral{prim::Scalar::ofBool(false)};
    neutral.insert(neutral.end(), op_.neutral.begin(), op_.neutral.end());
    const std::vector<ValueId> found = e_.scan(width_, inputs, std::move(op), std::move(neutral));
    return {found.begin() + 1, found.end()};
  }

  // Each bin is written once.
  void write(ValueId result, ValueId sums, size_t k) {
    const Type whole = e_.program().type(op_.destinations[k]);
    const ValueId flat = e_.reshaped(op_.destinations[k], {bins_.many});
    const ValueId written = e_.scattered(flat, bins_.last, sums);
    e_.append({{result}, core::Reshape{written, whole.shape}, false, {}});
  }

  Emitter& e_;
  const core::HistOp& op_;
  Operand width_;
  SortedBins bins_;
};

}  // namespace

bool canBeSorted(const Program& program, const core::Hist& node) {
  const core::HistOp& operation = node.operations[0];
  return std::all_of(operation.destinations.begin(), operation.destinations.end(),
                     [&](ValueId destination) {
                       return program.type(destination).rank() == operation.index_rank;
                     });
}

void sortedHist(Emitter& out, const std::vector<ValueId>& results, const core::Hist& node) {
  SortedHist(out, node).emit(results);
}

}  // namespace halo::ad
