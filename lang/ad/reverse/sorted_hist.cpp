#include "lang/ad/reverse/sorted_hist.h"

#include <algorithm>

#include "lang/ad/reverse/bin_order.h"
#include "lang/ad/rules.h"

namespace halo::ad {

namespace {

class SortedHist {
 public:
  SortedHist(Emitter& e, const core::Hist& node)
      : e_(e), op_(node.operations[0]), width_(node.width) {
    bins_ = e.program().type(op_.destinations[0]).shape;
    indices_.assign(node.inputs.begin(), node.inputs.begin() + op_.index_rank);
    values_.assign(node.inputs.begin() + op_.index_rank, node.inputs.end());
  }

  void emit(const std::vector<ValueId>& results) {
    const ValueId keys = binsOf();
    const ValueId order = orderOf(e_, width_, keys);
    sort(keys, order);
    findEnds();
    const std::vector<ValueId> sums = scanned();
    for (size_t k = 0; k < results.size(); ++k) write(results[k], sums[k], k);
  }

 private:
  // The flat bin of each element, one more for elements outside.
  ValueId binsOf() {
    many_ = e_.product(bins_);
    return e_.map(width_, indices_, [&](Emitter& at, const Operands& place) -> Operands {
      Operand bin = place[0];
      for (size_t i = 1; i < place.size(); ++i) bin = at.add(at.mul(bin, bins_[i]), place[i]);
      const Operand found = at.select(isInside(at, place, bins_), bin, many_);
      return {at.convert(prim::ConvertKind::kValue, ScalarType::kU32, found)};
    })[0];
  }

  // Bins and values in order.
  void sort(ValueId keys, ValueId order) {
    const std::vector<ValueId> sorted =
        e_.map(width_, {order}, [&](Emitter& at, const Operands& from) {
          const Operand bin =
              at.convert(prim::ConvertKind::kValue, ScalarType::kI64, at.index(keys, {from[0]}));
          Operands row{bin};
          for (const ValueId value : values_) row.push_back(at.index(value, {from[0]}));
          return row;
        });
    bin_ = sorted[0];
    values_.assign(sorted.begin() + 1, sorted.end());
  }

  // Whether an element is the first of its bin, and where it is the last one: its bin, else -1.
  void findEnds() {
    const std::vector<ValueId> ends =
        e_.map(width_, {bin_, e_.iota(width_)}, [&](Emitter& at, const Operands& cell) -> Operands {
          const auto differs = [&](const Operand& is_edge, const Operand& other) {
            return Operand(at.branch(
                is_edge, {kFlag},
                [&](Emitter&) -> Operands { return {prim::Scalar::ofBool(true)}; },
                [&](Emitter& no) -> Operands {
                  return {no.compare(Op::kNe, no.index(bin_, {other}), cell[0])};
                })[0]);
          };
          const Operand is_first =
              differs(at.compare(Op::kEq, cell[1], kZero), at.sub(cell[1], kOne));
          const Operand next = at.add(cell[1], kOne);
          const Operand is_last = differs(at.compare(Op::kEq, next, width_), next);
          const Operand exists = at.both(is_last, at.compare(Op::kLt, cell[0], many_));
          return {is_first, at.select(exists, cell[0], Operand::ofI64(-1))};
        });
    first_ = ends[0];
    last_ = ends[1];
  }

  Operands applied(Emitter& at, Operands args) {
    auto [stms, found] = core::apply(e_.program(), op_.op, std::move(args));
    for (Stm& stm : stms) at.append(std::move(stm));
    return found;
  }

  // The first element of a bin is combined with the destination.
  std::vector<ValueId> begun() {
    std::vector<ValueId> inputs{bin_, first_};
    inputs.insert(inputs.end(), values_.begin(), values_.end());
    std::vector<ValueId> before;
    for (const ValueId destination : op_.destinations) {
      before.push_back(e_.reshaped(destination, {many_}));
    }
    return e_.map(width_, inputs, [&](Emitter& at, const Operands& cell) {
      const Operands own(cell.begin() + 2, cell.end());
      const Operand starts = at.both(cell[1], at.compare(Op::kLt, cell[0], many_));
      const std::vector<ValueId> found = at.branch(
          starts, types(),
          [&](Emitter& yes) {
            Operands args;
            for (const ValueId bins : before) args.push_back(yes.index(bins, {cell[0]}));
            args.insert(args.end(), own.begin(), own.end());
            return applied(yes, std::move(args));
          },
          [&](Emitter&) { return own; });
      return Operands(found.begin(), found.end());
    });
  }

  std::vector<Type> types() const {
    std::vector<Type> all;
    for (const ValueId value : values_) all.push_back(rowOf(e_.program().type(value)));
    return all;
  }

  std::vector<ValueId> scanned() {
    core::Screma node;
    node.width = width_;
    node.inputs = {first_};
    const std::vector<ValueId> elements = begun();
    node.inputs.insert(node.inputs.end(), elements.begin(), elements.end());
    std::vector<Type> all{kFlag};
    for (const Type& type : types()) all.push_back(type);
    node.map = e_.identity(all);
    const size_t k = elements.size();
    Lambda op = e_.combiner(all, [&](Emitter& at, const Operands& both) {
      const Operand starts = both[k + 1];
      Operands args(both.begin() + 1, both.begin() + 1 + static_cast<ptrdiff_t>(k));
      const Operands own(both.begin() + 2 + static_cast<ptrdiff_t>(k), both.end());
      args.insert(args.end(), own.begin(), own.end());
      const Operands sums = applied(at, args);
      Operands results{at.op(Op::kOr, ScalarType::kBool, both[0], starts)};
      for (size_t i = 0; i < k; ++i) results.push_back(at.select(starts, own[i], sums[i]));
      return results;
    });
    Operands neutral{prim::Scalar::ofBool(false)};
    neutral.insert(neutral.end(), op_.neutral.begin(), op_.neutral.end());
    node.scans.push_back({std::move(op), std::move(neutral)});
    std::vector<Type> arrays;
    for (const Type& type : all) arrays.push_back(arrayOf({width_}, type));
    const std::vector<ValueId> found = e_.bindAll("sums", std::move(arrays), std::move(node));
    return {found.begin() + 1, found.end()};
  }

  // Each bin is written once.
  void write(ValueId result, ValueId sums, size_t k) {
    const Type whole = e_.program().type(op_.destinations[k]);
    const Type type = types()[k];
    core::Scatter node;
    node.width = width_;
    node.inputs = {last_, sums};
    node.map = e_.identity({Type{}, type});
    const ValueId flat = e_.reshaped(op_.destinations[k], {many_});
    node.destinations.push_back({e_.copy(flat), 1});
    const ValueId written = e_.bind("bins", {whole.scalar, {many_}}, std::move(node));
    e_.append({{result}, core::Reshape{written, whole.shape}, false, {}});
  }

  Emitter& e_;
  const core::HistOp& op_;
  Operand width_, many_;
  Operands bins_;
  std::vector<ValueId> indices_, values_;
  ValueId bin_, first_, last_;
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
