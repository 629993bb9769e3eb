// Stencils: one node per stencil, with a window for each leaf of the cells. The function sees each
// neighbourhood as an array [d]t; with offsets that are literals the node hands over d scalars, of
// which the lambda makes that array, and indexing it folds away.
#include "lang/lower/lowering.h"

namespace halo::lower {

namespace {

class StencilLowering {
 public:
  StencilLowering(Lowering& lowering, const std::vector<StaticValue>& args,
                  const MonoTypeRef& result, Span span)
      : lowering_(lowering),
        rank_(args[0].array()->leaves.size()),  // one offset per axis
        offsets_(*args[0].array()),
        function_(args[1]),
        invariant_(*args[2].array()),
        cells_(*args[3].array()),
        result_(result),
        span_(span) {
    sizes_ = dimensions(result);
    sizes_.resize(rank_);
    findConstantOffsets();
  }

  StaticValue run() {
    const MonoTypeRef cell = elementBelow(cells_.type, rank_);
    for (const core::Type& leaf : leafTypes(cell)) {
      if (!leaf.isScalar()) return gather();
    }
    core::Stencil node;
    node.space = sizes_;
    for (ValueId leaf : cells_.leaves) node.windows.push_back(window(leaf));
    node.inputs = invariant_.leaves;
    lowering_.openBody();
    const StaticValue neighbours = neighbourhood(cell, node.map.params);
    const StaticValue centre =
        lowering_.parameter(elementBelow(invariant_.type, rank_), "x", node.map.params);
    node.map.body = lowering_.closeBody(lowering_.leavesOf(call(centre, neighbours)));
    const std::vector<ValueId> leaves = lowering_.bindAll(leafTypes(result_), std::move(node));
    return fromLeaves(result_, Operands(leaves.begin(), leaves.end()));
  }

 private:
  void findConstantOffsets() {
    std::vector<std::vector<int64_t>> found;
    for (size_t axis = 0; axis < rank_; ++axis) {
      const auto known = lowering_.constant_arrays.find(offsets_.leaves[axis]);
      if (known == lowering_.constant_arrays.end()) return;
      found.resize(known->second.size(), std::vector<int64_t>(rank_));
      for (size_t i = 0; i < found.size(); ++i) found[i][axis] = known->second[i].asSigned();
    }
    constant_offsets_ = std::move(found);
  }

  core::Window window(ValueId leaf) const {
    core::Window window{leaf, std::vector<core::Boundary>(rank_), constant_offsets_, {}};
    if (constant_offsets_.empty()) window.dynamic = offsets_.leaves;
    return window;
  }

  // Parameters for the neighbours of each leaf, and the array of them that the function gets.
  StaticValue neighbourhood(const MonoTypeRef& cell, std::vector<ValueId>& params) {
    const Operand count = offsets_.type->array()->size;
    const MonoTypeRef type = arrayType(count, cell);
    if (constant_offsets_.empty()) return lowering_.parameter(type, "x", params);
    Operands arrays;
    std::vector<Operands> columns;
    for (const core::Type& leaf : leafTypes(cell)) {
      columns.emplace_back();
      for (size_t i = 0; i < constant_offsets_.size(); ++i) {
        params.push_back(lowering_.out.add("x", leaf));
        columns.back().push_back(params.back());
      }
    }
    const std::vector<core::Type> leaf_types = leafTypes(type);
    for (size_t i = 0; i < columns.size(); ++i) {
      arrays.push_back(lowering_.arrayLiteral(leaf_types[i], std::move(columns[i])));
    }
    return fromLeaves(type, arrays);
  }

  StaticValue call(const StaticValue& centre, const StaticValue& neighbours) {
    const StaticValue value = lowering_.applyFromBuiltIn(function_, {centre, neighbours}, span_);
    return lowering_.coerce(value, elementBelow(result_, rank_), Code::irregular_array, span_);
  }

  // Cells that are arrays themselves fit no window: a map over the space that gathers rows.
  StaticValue gather() {
    const Operands leaves = gatherAlong({});
    return fromLeaves(result_, leaves);
  }

  Operands gatherAlong(const Operands& position) {
    const size_t axis = position.size();
    core::Screma node;
    node.width = sizes_[axis];
    const core::Type indices{ScalarType::kI64, {node.width}};
    node.inputs = {lowering_.bind(
        indices, core::Iota{ScalarType::kI64, node.width, Operand::ofI64(0), Operand::ofI64(1)})};
    lowering_.openBody();
    node.map.params = {lowering_.out.add("i", {})};
    Operands deeper = position;
    deeper.push_back(node.map.params[0]);
    const Operands results =
        deeper.size() == rank_
            ? lowering_.leavesOf(call(lowering_.element(asValue(invariant_), deeper, false, {}),
                                      gatherNeighbours(deeper)))
            : gatherAlong(deeper);
    node.map.body = lowering_.closeBody(results);
    const std::vector<ValueId> values =
        lowering_.bindAll(leafTypes(elementBelow(result_, axis)), std::move(node));
    return {values.begin(), values.end()};
  }

  static StaticValue asValue(const ArrayValue& array) { return {array}; }

  StaticValue gatherNeighbours(const Operands& position) {
    const MonoTypeRef type =
        arrayType(offsets_.type->array()->size, elementBelow(cells_.type, rank_));
    core::Screma node;
    node.width = type->array()->size;
    node.inputs = offsets_.leaves;
    const MonoTypeRef offset = scalarType(ScalarType::kI64);
    node.map =
        lowering_.lambda(std::vector(rank_, offset), [&](const std::vector<StaticValue>& offsets) {
          Operands at;
          for (size_t axis = 0; axis < rank_; ++axis) {
            at.push_back(clamped(position[axis], *offsets[axis].scalar(), sizes_[axis]));
          }
          return lowering_.element(asValue(cells_), at, false, {});
        });
    const std::vector<ValueId> leaves = lowering_.bindAll(leafTypes(type), std::move(node));
    return fromLeaves(type, Operands(leaves.begin(), leaves.end()));
  }

  // The offset is limited first, so that the sum cannot overflow.
  Operand clamped(const Operand& position, const Operand& offset, const Operand& extent) {
    const auto i64 = [&](Op op, const Operand& a, const Operand& b) {
      return lowering_.prim(op, ScalarType::kI64, {a, b});
    };
    const Operand down = i64(Op::kSub, Operand::ofI64(0), extent);
    const Operand limited = i64(Op::kMax, down, i64(Op::kMin, extent, offset));
    const Operand last = i64(Op::kSub, extent, Operand::ofI64(1));
    return i64(Op::kMax, Operand::ofI64(0), i64(Op::kMin, last, i64(Op::kAdd, position, limited)));
  }

  Lowering& lowering_;
  size_t rank_;
  const ArrayValue& offsets_;
  const StaticValue& function_;
  const ArrayValue& invariant_;
  const ArrayValue& cells_;
  MonoTypeRef result_;
  Span span_;
  Operands sizes_;
  std::vector<std::vector<int64_t>> constant_offsets_;  // empty: known at run time only
};

}  // namespace

StaticValue Lowering::stencil(const std::vector<StaticValue>& args, const MonoTypeRef& result,
                              Span span) {
  return StencilLowering(*this, args, result, span).run();
}

}  // namespace halo::lower
