// Index spaces over grids, and what the templates share.
#include "gpu/templates/templates.h"

namespace halo::gpu {

using namespace imp;
using prim::Op;

namespace {

// Threads along x read neighbouring elements; a few rows each reuse each other's lines in stencils.
constexpr int kWorkgroups[4][3] = {{1, 1, 1}, {256, 1, 1}, {32, 8, 1}, {32, 4, 2}};

}  // namespace

const core::Stm& lastStatement(const KernelCall& call) { return call.function.body.stms.back(); }

void lowerPrefix(KernelScope& scope, Environment& environment, const Place& place) {
  core::Body prefix;
  const std::vector<core::Stm>& stms = scope.call().function.body.stms;
  prefix.stms.assign(stms.begin(), stms.end() - 1);
  if (!prefix.stms.empty()) {
    lowerBody(scope.code(), scope.core(), prefix, environment, place);
  }
}

Grid gridFor(Builder& host, const Operands& space) {
  size_t rank = space.size();
  Grid grid{{1, 1, 1}, {}, Operand::ofI64(1)};
  for (int d = 0; d < 3; d++) {
    grid.workgroup[d] = kWorkgroups[rank][d];
    bool used = static_cast<size_t>(d) < rank;
    Operand extent = used ? space[rank - 1 - static_cast<size_t>(d)] : Operand::ofI64(1);
    Operand groups = groupsFor(host, extent, grid.workgroup[d]);
    grid.groups.push_back(groups);
    grid.cells = host.mul(grid.cells, extent);
  }
  return grid;
}

void forEachCell(KernelScope& scope, const Operands& host_space,
                 const std::function<void(const Operands& indices, Place place)>& body) {
  Builder& code = scope.code();
  size_t rank = host_space.size();
  Operands indices;
  Operands extents;
  for (size_t k = 0; k < rank; k++) {
    indices.push_back(scope.globalId(static_cast<int>(rank - 1 - k)));
    extents.push_back(scope.scalar(host_space[k]));
  }
  Operand host_cells = Operand::ofI64(1);
  Operand linear = Operand::ofI64(0);
  std::function<void(size_t)> guard = [&](size_t k) {
    if (k < rank) {
      Operand inside = code.prim(Op::kLt, ScalarType::kI64, {indices[k], extents[k]});
      code.ifThenElse(inside, [&] { guard(k + 1); });
      return;
    }
    for (size_t i = 0; i < rank; i++) linear = code.add(code.mul(linear, extents[i]), indices[i]);
    body(indices, scope.place(host_cells, linear));
  };
  // The host product comes first: scratch memory is allocated while the body is built.
  host_cells = gridFor(scope.host(), host_space).cells;
  guard(0);
}

Destinations cellDestinations(KernelScope& scope, const core::Body& body, const Operands& indices,
                              size_t first_result) {
  Destinations destinations(body.results.size());
  for (size_t i = 0; i < body.results.size(); i++) {
    const core::Operand& result = body.results[i];
    if (scope.core().type(result).isScalar()) continue;
    ArrayRef whole = scope.array(scope.call().results[first_result + i]);
    destinations[i] = prefixView(scope.code(), whole, indices);
  }
  return destinations;
}

void storeScalars(KernelScope& scope, const core::Body& body, const Results& values,
                  const Operands& indices, size_t first_result) {
  for (size_t i = 0; i < body.results.size(); i++) {
    if (!scope.core().type(body.results[i]).isScalar()) continue;
    ArrayRef whole = scope.array(scope.call().results[first_result + i]);
    storeElement(scope.code(), whole, indices, values.scalars[i]);
  }
}

}  // namespace halo::gpu
