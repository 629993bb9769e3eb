// One shape for scremas, stencils, scatters and histograms, so that fusion is one algorithm. It has
// an index space, windows and plain inputs, one map lambda whose results are split, and the use of
// each.
#pragma once

#include <algorithm>
#include <optional>
#include <vector>

#include "lang/core/ir.h"

namespace halo::passes {

struct ParallelNode {
  core::Operands space;
  std::vector<core::Window> windows;
  std::vector<core::ValueId> inputs;
  std::vector<core::ValueId> window_params, input_params;
  std::vector<size_t> positions;  // axes whose position a stencil's cell takes
  std::vector<core::ValueId> position_params;
  std::vector<core::Stm> stms;  // of the map lambda

  std::vector<core::Reduction> reductions;
  std::vector<core::Scan> scans;
  std::vector<core::ScatterDest> destinations;
  std::vector<core::HistOp> operations;
  // The map's results for each, and the statement's results. The results of a scatter or
  // histogram are its destinations; its map's results are in `scattered`.
  core::Operands reduced, scanned, mapped, scattered;
  std::vector<core::ValueId> reduced_results, scanned_results, mapped_results, scatter_results;
  core::Flattening flattening;
  core::Span span;

  bool isScatter() const { return !destinations.empty(); }
  bool isHist() const { return !operations.empty(); }
  bool isInPlace() const { return isScatter() || isHist(); }
  std::vector<core::ValueId> overwritten() const;  // by a node that is in place
  std::vector<core::ValueId> windowed() const;     // arrays that it has windows on
  bool isStencil() const { return !windows.empty() || !positions.empty() || space.size() > 1; }
};

// The first place of a value in a list, such as of a result among those of one kind.
template <typename T>
std::optional<size_t> positionIn(const std::vector<T>& list, const T& value) {
  const auto found = std::find(list.begin(), list.end(), value);
  if (found == list.end()) return std::nullopt;
  return static_cast<size_t>(found - list.begin());
}

std::optional<ParallelNode> decompose(const core::Stm& stm);
// A stencil of rank 1 without windows and positions becomes a screma.
core::Stm compose(ParallelNode node);
// Is there a node kind for it? Scans only go with plain inputs of a space of rank 1, scatters and
// histograms with neither scans, reductions, mapped results nor each other.
bool isComposable(const ParallelNode& node);
// A perfect nest of `rank` maps as one node over all their widths. Nothing else is in their bodies,
// and no attribute distinguishes their levels.
std::optional<ParallelNode> perfectNest(const core::Program& program, const ParallelNode& outer,
                                        size_t rank);

}  // namespace halo::passes
