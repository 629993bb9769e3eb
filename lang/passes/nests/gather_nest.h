// A perfect nest of maps as one piece of scalar code over its cells, and which of its reads are
// neighbours (recognise_gathers.h).
#pragma once

#include <map>
#include <unordered_set>

#include "lang/passes/stencil/cell_classes.h"

namespace halo::passes {

// Statements outside of a nest that are known inside: scalars and iotas.
using Outside = std::unordered_map<core::ValueId, core::Stm>;

struct MapNest {
  core::Operands space;
  std::unordered_map<core::ValueId, size_t> position;  // values that are positions along an axis
  // Rows and elements by other names: the array from outside, and its leading indices.
  std::unordered_map<core::ValueId, core::Index> views;
  std::vector<core::Stm> stms;  // scalar code of a cell; inputs are read by Index
  core::Operands results;
  source::Span span;
};

// Nothing unless `stm` is a nest of up to three maps with scalar code in the innermost alone.
std::optional<MapNest> flattenNest(const core::Program& program, const core::Stm& stm,
                                   const Outside& outside);

// One read of an array that has the nest's extents.
struct Gather {
  core::ValueId array;
  core::Operands indices;
  std::vector<int64_t> offset;
  std::vector<core::BoundaryKind> boundary;  // along each axis
};

// A comparison of positions: whether it holds, by the cells before and behind (up to the reach).
struct PositionTest {
  size_t axis = 0;
  std::map<std::pair<int64_t, int64_t>, bool> holds;
};

struct Neighbourhoods {
  std::vector<int64_t> reach;                             // of the classes, per axis
  std::unordered_map<core::ValueId, Gather> gathers;      // by the Index statement's result
  std::unordered_map<core::ValueId, PositionTest> tests;  // by the comparison's result
  // Elements of arrays with fewer axes, at the own position along each: results of Index.
  std::unordered_set<core::ValueId> profiles;
  // Extents for which all of it holds: at least so many cells, fewer than 2^31.
  std::vector<int64_t> least;
  bool narrow = false;
};

// Nothing unless all reads are neighbours. One array has several neighbours, or it is one of
// `stencil_arrays`, which stencils of the same body make, and the own element is read. Classes of
// cells distinguish `least_reach` cells before and behind; more decide more tests of the position.
std::optional<Neighbourhoods> findNeighbourhoods(
    const core::Program& program, const MapNest& nest, const Outside& outside,
    const std::unordered_set<core::ValueId>& stencil_arrays, int64_t least_reach);

}  // namespace halo::passes
