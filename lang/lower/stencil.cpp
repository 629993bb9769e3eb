// Stencils: one node per stencil, with a window for each leaf of the cells. The function sees each
// neighbourhood as an array [d]t. With offsets that are literals the node passes d scalars. The
// lambda makes that array of them, and indexing it folds away.
#include <algorithm>

#include "lang/lower/boundary.h"
#include "lang/lower/lowering.h"

namespace halo::lower {

namespace {

using core::BoundaryKind;

constexpr size_t kMaxChosen = 2;  // 16 stencils

class StencilLowering {
 public:
  // `args`: offsets, function, invariant, cells. No boundaries: clamp.
  StencilLowering(Lowering& lowering, const StaticValue* args, const StaticValue* boundaries,
                  const MonoTypeRef& result, Span span)
      : lowering_(lowering),
        rank_(args[0].array()->leaves.size()),  // one offset per axis
        offsets_(*args[0].array()),
        function_(args[1]),
        invariant_(*args[2].array()),
        cells_(*args[3].array()),
        boundaries_(rank_),
        result_(result),
        span_(span) {
    if (boundaries != nullptr) boundaries_ = boundariesOf(lowering, *boundaries, rank_);
    sizes_ = dimensions(result);
    sizes_.resize(rank_);
    findConstantOffsets();
  }

  StaticValue run() {
    const MonoTypeRef cell = elementBelow(cells_.type, rank_);
    for (const core::Type& leaf : leafTypes(cell)) {
      if (!leaf.isScalar()) return gather();
    }
    const size_t chosen = chosenBoundaries();
    if (chosen > kMaxChosen) return gather();
    if (chosen > 0) return byBoundary();
    return stencil(cell);
  }

 private:
  StaticValue stencil(const MonoTypeRef& cell) {
    core::Stencil node;
    node.space = sizes_;
    for (size_t leaf = 0; leaf < cells_.leaves.size(); ++leaf) {
      node.windows.push_back(window(leaf));
    }
    node.inputs = invariant_.leaves;
    lowering_.openBody();
    const StaticValue neighbours = neighbourhood(cell, node.map.params);
    const StaticValue centre =
        lowering_.parameter(elementBelow(invariant_.type, rank_), "x", node.map.params);
    node.map.body = lowering_.closeBody(lowering_.leavesOf(call(centre, neighbours)));
    const std::vector<ValueId> leaves = lowering_.bindAll(leafTypes(result_), std::move(node));
    return fromLeaves(result_, Operands(leaves.begin(), leaves.end()));
  }

  // The number of boundaries that only the run tells; one and the same value counts once.
  size_t chosenBoundaries() const {
    Operands tags;
    for (const AxisBoundary& boundary : boundaries_) {
      if (boundary.isStatic()) continue;
      if (std::find(tags.begin(), tags.end(), boundary.tag()) == tags.end()) {
        tags.push_back(boundary.tag());
      }
    }
    return tags.size();
  }

  // A match on the first such boundary, with a stencil for each kind.
  StaticValue byBoundary() {
    const std::vector<AxisBoundary> boundaries = boundaries_;
    const AxisBoundary& first =
        *std::find_if(boundaries.begin(), boundaries.end(),
                      [](const AxisBoundary& boundary) { return !boundary.isStatic(); });
    core::Match match{first.tag(), {}, {}};
    for (const BoundaryKind kind : {BoundaryKind::kConstant, BoundaryKind::kMirror,
                                    BoundaryKind::kWrap, BoundaryKind::kClamp}) {
      for (size_t axis = 0; axis < rank_; ++axis) {
        const AxisBoundary& boundary = boundaries[axis];
        const bool same = !boundary.isStatic() && boundary.tag() == first.tag();
        boundaries_[axis] = same ? boundary.as(kind) : boundary;
      }
      lowering_.openBody();
      core::Body body = lowering_.closeBody(lowering_.leavesOf(run()));
      if (kind == BoundaryKind::kClamp) {
        match.otherwise = std::move(body);
      } else {
        match.cases.push_back({first.tagOfKind(kind), std::move(body)});
      }
    }
    boundaries_ = boundaries;
    const std::vector<ValueId> leaves = lowering_.bindAll(leafTypes(result_), std::move(match));
    return fromLeaves(result_, Operands(leaves.begin(), leaves.end()));
  }

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

  core::Window window(size_t leaf) const {
    core::Window window{cells_.leaves[leaf], {}, constant_offsets_, {}};
    for (const AxisBoundary& boundary : boundaries_) {
      window.boundary.push_back(boundary.ofLeaf(leaf));
    }
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

  // Cells that are arrays themselves, and many boundaries that only the run tells, fit no window: a
  // map over the space that gathers the neighbours.
  StaticValue gather() {
    return tabulate(lowering_, sizes_, elementBelow(result_, rank_), [&](const Operands& position) {
      const StaticValue centre = lowering_.element({invariant_}, position, false, {});
      return call(centre, gatherNeighbours(position));
    });
  }

  StaticValue gatherNeighbours(const Operands& position) {
    const MonoTypeRef type =
        arrayType(offsets_.type->array()->size, elementBelow(cells_.type, rank_));
    core::Screma node;
    node.width = type->array()->size;
    node.inputs = offsets_.leaves;
    const MonoTypeRef offset = scalarType(ScalarType::kI64);
    node.map =
        lowering_.lambda(std::vector(rank_, offset), [&](const std::vector<StaticValue>& offsets) {
          std::vector<AxisBoundary::Place> places;
          for (size_t axis = 0; axis < rank_; ++axis) {
            places.push_back(boundaries_[axis].place(lowering_, position[axis],
                                                     *offsets[axis].scalar(), sizes_[axis]));
          }
          return cellAt(lowering_, {cells_}, boundaries_, places);
        });
    const std::vector<ValueId> leaves = lowering_.bindAll(leafTypes(type), std::move(node));
    return fromLeaves(type, Operands(leaves.begin(), leaves.end()));
  }

  Lowering& lowering_;
  size_t rank_;
  const ArrayValue& offsets_;
  const StaticValue& function_;
  const ArrayValue& invariant_;
  const ArrayValue& cells_;
  std::vector<AxisBoundary> boundaries_;
  MonoTypeRef result_;
  Span span_;
  Operands sizes_;
  std::vector<std::vector<int64_t>> constant_offsets_;  // empty: known at run time only
};

}  // namespace

StaticValue Lowering::stencil(const std::vector<StaticValue>& args, const MonoTypeRef& result,
                              bool with_boundary, Span span) {
  const StaticValue* rest = args.data() + (with_boundary ? 1 : 0);
  return StencilLowering(*this, rest, with_boundary ? args.data() : nullptr, result, span).run();
}

}  // namespace halo::lower
