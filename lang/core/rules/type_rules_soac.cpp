// Rules of nodes that run lambdas over an index space.
#include "lang/core/lane_sums.h"
#include "lang/core/rules/rules.h"
#include "lang/core/scatter.h"
#include "lang/core/tile_sums.h"

namespace halo::core {

namespace {

using enum prim::ScalarType;

}  // namespace

void Rules::params(const Lambda& lambda, const std::vector<Type>& needed, std::string_view what) {
  if (lambda.params.size() != needed.size()) {
    return fail("{} has {} parameters, needs {}", what, lambda.params.size(), needed.size());
  }
  for (size_t i = 0; i < needed.size(); ++i) {
    same(type(lambda.params[i]), needed[i],
         fmt::format("parameter `{}` of {}", show(lambda.params[i]), what));
  }
}

// Parameters: accumulators, elements; results: accumulators.
std::vector<Type> Rules::combiner(const Lambda& op, const Operands& neutral,
                                  std::string_view what) {
  std::vector<Type> types;
  for (const Operand& n : neutral) types.push_back(type(n));
  std::vector<Type> twice = types;
  twice.insert(twice.end(), types.begin(), types.end());
  params(op, twice, what);
  if (op.body.results.size() != types.size()) {
    fail("{} returns {} values, needs {}", what, op.body.results.size(), types.size());
    return types;
  }
  for (size_t i = 0; i < types.size(); ++i) same(type(op.body.results[i]), types[i], what);
  return types;
}

// The row of an input of an index space.
void Rules::input(ValueId array, const Operands& space, std::vector<Type>* elements) {
  Type t = type(array);
  for (const Operand& size : space) {
    if (t.shape.empty() || t.shape[0] != size) {
      return fail("input `{}` of type `{}` does not span `{}`", show(array), show(type(array)),
                  show(Type{t.scalar, space}));
    }
    t = row(t);
  }
  elements->push_back(t);
}

// Results of the map: operands of reductions, of scans, then passed through.
// `partial`: the extent of the arrays that a part of a reduction gives; empty for reduced values.
template <typename Node>
void Rules::mapped(const Node& n, const Operands& space, const std::vector<Scan>& scans,
                   const Operands& partial) {
  std::vector<Type> results;
  size_t next = 0;
  auto take = [&](const Lambda& op, const Operands& neutral, std::string_view what,
                  const Operands& extents) {
    for (const Type& t : combiner(op, neutral, what)) {
      if (next >= n.map.body.results.size()) return fail("{} lacks operands", what);
      same(type(n.map.body.results[next++]), t, fmt::format("operand of {}", what));
      results.push_back(extents.empty() ? t : arrayOf(extents, t));
    }
  };
  for (const Reduction& r : n.reductions) take(r.op, r.neutral, "the reduction", partial);
  for (const Scan& s : scans) take(s.op, s.neutral, "the scan", space);
  for (; next < n.map.body.results.size(); ++next) {
    results.push_back(arrayOf(space, type(n.map.body.results[next])));
  }
  gives(results);
}

void Rules::check(const Screma& n) {
  onlyProven(), sizes({n.width});
  std::vector<Type> elements;
  for (ValueId array : n.inputs) input(array, {n.width}, &elements);
  params(n.map, elements, "the map");
  Operands partial;
  if (n.partial_values) {
    partial = {*n.partial_values};
    sizes(partial);
    if (n.chunk) sizes({*n.chunk});
    need(n.scans.empty(), "partial values of a scan");
    // As many values as elements: each is one.
    need(n.chunk || partial[0] == n.width || reducesInLanes(program_, n.map, n.reductions),
         "partial values of a node that does not reduce in lanes");
  }
  if (n.chunk && !n.partial_values) {
    sizes({*n.chunk});
    need(!n.scans.empty() && n.reductions.empty(), "chunks without partial values or scans");
  }
  mapped(n, {n.width}, n.scans, partial);
}

void Rules::boundary(const Boundary& b, const Type& element) {
  if (b.kind == BoundaryKind::kConstant) same(type(b.value), element, "the boundary's constant");
}

void Rules::window(const Window& w, const Operands& space, std::vector<Type>* elements) {
  Type t = type(w.array);
  if (t.shape != space) {
    return fail("window on `{}` of type `{}` does not span `{}`", show(w.array), show(t),
                show(Type{t.scalar, space}));
  }
  need(w.boundary.size() == space.size(), "window needs one boundary for each axis");
  for (const Boundary& b : w.boundary) boundary(b, {t.scalar, {}});
  if (w.dynamic.empty()) {
    for (const auto& offset : w.offsets) {
      need(offset.size() == space.size(), "offset needs one number for each axis");
      elements->push_back({t.scalar, {}});
    }
    return;
  }
  need(w.offsets.empty(), "window with static and dynamic offsets");
  need(w.dynamic.size() == space.size(), "window needs one offset array for each axis");
  Type first = type(w.dynamic[0]);
  need(first.rank() == 1 && first.scalar == kI64, "offset array is not of type `[d]i64`");
  for (ValueId array : w.dynamic) same(type(array), first, "offset array");
  elements->push_back({t.scalar, first.shape});
}

void Rules::check(const Stencil& n) {
  onlyProven(), sizes(n.space);
  need(!n.space.empty() && n.space.size() <= 3, "stencil over a space that is not of rank 1 to 3");
  std::vector<Type> elements;
  for (const Window& w : n.windows) window(w, n.space, &elements);
  for (ValueId array : n.inputs) input(array, n.space, &elements);
  for (size_t axis : n.positions) {
    need(axis < n.space.size(), "position along an axis that the stencil does not have");
    elements.push_back({kI64, {}});
  }
  params(n.map, elements, "the map");
  Operands partial;
  if (n.partial_tiles) {
    const PartialTiles& tiles = *n.partial_tiles;
    partial = {tiles.values};
    sizes({tiles.values, tiles.first_row, tiles.rows, tiles.lines, tiles.columns});
    need(reducesInTiles(program_, n), "partial values of a stencil that does not reduce in tiles");
  }
  mapped(n, n.space, {}, partial);
}

void Rules::check(const Scatter& n) {
  onlyProven(), sizes({n.width});
  std::vector<Type> elements, results;
  for (ValueId array : n.inputs) input(array, {n.width}, &elements);
  params(n.map, elements, "the map");
  const Operands& found = n.map.body.results;
  const int writes = writesOf(n);
  if (!need(writes >= 1 || n.destinations.empty(), "the map returns too few values")) return;
  size_t next = 0;
  for (const ScatterDest& d : n.destinations) {
    const Type whole = type(d.array);
    results.push_back(whole);
    if (!need(d.index_rank >= 1 && d.index_rank <= whole.rank(), "destination of a wrong rank")) {
      return;
    }
    for (int w = 0; w < writes; ++w) {
      Type t = whole;
      for (int i = 0; i < d.index_rank; ++i) scalar(found[next++], kI64, "index"), t = row(t);
      same(type(found[next++]), t, "scattered value");
    }
  }
  need(next == found.size(), "the map returns too many values");
  gives(results);
}

void Rules::check(const Hist& n) {
  onlyProven(), sizes({n.width});
  std::vector<Type> elements, results;
  for (ValueId array : n.inputs) input(array, {n.width}, &elements);
  params(n.map, elements, "the map");
  size_t next = 0;
  for (const HistOp& operation : n.operations) histogram(n, operation, &next, &results);
  need(next == n.map.body.results.size(), "the map returns too many values");
  gives(results);
}

void Rules::histogram(const Hist& n, const HistOp& operation, size_t* next,
                      std::vector<Type>* results) {
  const Operands& found = n.map.body.results;
  std::vector<Type> types = combiner(operation.op, operation.neutral, "the operator");
  if (!need(operation.destinations.size() == types.size() && !types.empty(),
            "an operation needs one destination for each neutral value")) {
    return;
  }
  Operands outer;
  size_t rank = static_cast<size_t>(std::max(operation.index_rank, 0));
  for (size_t k = 0; k < types.size(); ++k) {
    Type t = type(operation.destinations[k]);
    if (!need(rank >= 1 && rank <= t.shape.size(), "destination of a wrong rank")) return;
    if (k == 0) outer = {t.shape.begin(), t.shape.begin() + operation.index_rank};
    same(t, arrayOf(outer, types[k]), "destination");
    results->push_back(t);
  }
  if (!need(*next + rank + types.size() <= found.size(), "the map returns too few values")) {
    return;
  }
  for (size_t i = 0; i < rank; ++i) scalar(found[(*next)++], kI64, "index");
  for (const Type& t : types) same(type(found[(*next)++]), t, "combined value");
}

}  // namespace halo::core
