// The state behind evaluate.h: values by name, and one method for each kind of node. Read
// evaluate.cpp first (scalars, control, failures), then evaluate_nodes and evaluate_soac.
#pragma once

#include <string>
#include <unordered_map>
#include <vector>

#include "lang/core/evaluate/evaluate_arrays.h"

namespace halo::core {

using Data = std::vector<Datum>;
using End = Evaluation::End;

// Thrown by the evaluator, caught by `evaluate`.
struct Stop {
  End end;
  std::string text;
};

class Evaluator {
 public:
  Evaluator(const Program& program, int64_t most_steps, const Moving& moving)
      : program_(program), left_(most_steps), moving_(moving) {}
  Data call(const std::string& name, const Data& arguments);

 private:
  // ---- values

  const Datum& get(ValueId id) const {
    auto found = values_.find(id);
    if (found == values_.end()) throw Stop{End::kWrong, "a value before its definition"};
    return found->second;
  }
  Datum get(const Operand& operand) const {
    return operand.isConstant() ? Datum::of(operand.constant) : get(operand.value);
  }
  Data get(const Operands& operands) const {
    Data data;
    for (const Operand& operand : operands) data.push_back(get(operand));
    return data;
  }
  int64_t number(const Operand& operand) const { return get(operand).scalar().asSigned(); }
  Position numbers(const Operands& operands) const;
  std::vector<int64_t> shapeOf(const Operands& sizes) const;
  void bind(ValueId id, Datum datum);
  void bind(const std::vector<ValueId>& ids, const Data& data);
  Data run(const Body& body);
  Data apply(const Lambda& lambda, const Data& arguments);
  [[noreturn]] void fail(const Stm& stm, const char* what) const;
  Data valuesOf(const Stm& stm);

  // ---- scalars

  Data evaluated(const Stm&, const Literal& e);
  Data evaluated(const Stm& stm, const PrimOp& e);
  Data evaluated(const Stm&, const Convert& e);
  Data evaluated(const Stm&, const Select& e);
  Data evaluated(const Stm& stm, const Assert& e);

  // ---- arrays

  Data evaluated(const Stm& stm, const Index& e);
  struct Part {
    std::vector<int64_t> shape, start, stride;
    Position from(const Position& position) const {
      Position out;
      for (size_t i = 0; i < shape.size(); ++i) out.push_back(start[i] + position[i] * stride[i]);
      return out;
    }
  };
  Part partOf(const Stm& stm, const Datum& array, const std::vector<SliceDim>& dims);
  Data evaluated(const Stm& stm, const Slice& e);
  Data evaluated(const Stm& stm, const Update& e);
  Data evaluated(const Stm&, const Iota& e);
  Data evaluated(const Stm&, const Replicate& e);
  Data evaluated(const Stm&, const ArrayLiteral& e);
  Data evaluated(const Stm&, const Scratch& e);
  Data evaluated(const Stm&, const Rearrange& e);
  Data evaluated(const Stm&, const Reshape& e);
  Data evaluated(const Stm& stm, const Concat& e);
  Data evaluated(const Stm&, const Copy& e);

  // ---- windows

  Datum cell(const Datum& array, const std::vector<Boundary>& boundary, const Position& position);
  Data evaluated(const Stm&, const Pad& e);
  Data evaluated(const Stm&, const Slide& e);

  // ---- second-order

  // The results of a parallel node: reduced values, then an array for each further result.
  struct Gathered {
    std::vector<Data> reduced, scanned;
    std::vector<std::vector<uint64_t>> arrays;
  };
  static Data joined(Data first, Data::const_iterator begin, size_t count) {
    first.insert(first.end(), begin, begin + static_cast<std::ptrdiff_t>(count));
    return first;
  }
  void gather(Gathered& into, const std::vector<Reduction>& reductions,
              const std::vector<Scan>& scans, const Data& mapped);
  Data collected(const Stm& stm, Gathered gathered);
  template <typename Node>
  Gathered started(const Node& e) {
    Gathered gathered;
    for (const Reduction& reduction : e.reductions)
      gathered.reduced.push_back(get(reduction.neutral));
    return gathered;
  }
  Data elementsOf(const std::vector<ValueId>& inputs, const Position& position);
  Data evaluated(const Stm& stm, const Screma& e);
  Data partialValues(const Stm& stm, const Screma& e);
  Data partialTiles(const Stm& stm, const Stencil& e);
  Data cellOf(const Stencil& e, const Position& position);
  Data evaluated(const Stm& stm, const Stencil& e);
  void neighbours(const Window& window, const Position& position, Data& arguments);
  static Position takeIndices(Data::const_iterator& next, int count) {
    Position position;
    for (int i = 0; i < count; ++i) position.push_back((next++)->scalar().asSigned());
    return position;
  }
  Data evaluated(const Stm&, const Scatter& e);
  Data evaluated(const Stm&, const Hist& e);

  // ---- control

  Data evaluated(const Stm&, const Match& e);
  Data evaluated(const Stm&, const Loop& e);
  Data evaluated(const Stm&, const Call& e);

  const Program& program_;
  int64_t left_;
  const Moving& moving_;
  int depth_ = 0;
  std::unordered_map<ValueId, Datum> values_;
};

}  // namespace halo::core
