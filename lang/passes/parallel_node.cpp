// Splitting nodes and putting them together; each half is the other one backwards.
#include "lang/passes/parallel_node.h"

#include <algorithm>

#include "lang/core/node_kinds.h"
#include "lang/core/rewrite.h"

namespace halo::passes {
namespace {

using core::Operand;
using core::Operands;
using core::ValueId;

// Cuts `count` items off the front of a list, from *next on.
template <typename T>
std::vector<T> cut(const std::vector<T>& list, size_t* next, size_t count) {
  auto begin = list.begin() + static_cast<std::ptrdiff_t>(*next);
  *next += count;
  return {begin, begin + static_cast<std::ptrdiff_t>(count)};
}

template <typename T>
void append(std::vector<T>& list, const std::vector<T>& tail) {
  list.insert(list.end(), tail.begin(), tail.end());
}

template <typename List>
size_t combined(const List& list) {
  size_t count = 0;
  for (const auto& item : list) count += item.neutral.size();
  return count;
}

// A window that holds nothing but the centre is a plain input: no boundary matters.
bool isCentre(const core::Window& window) {
  return window.dynamic.empty() && window.offsets.size() == 1 &&
         std::all_of(window.offsets[0].begin(), window.offsets[0].end(),
                     [](int64_t offset) { return offset == 0; });
}

void centresToInputs(ParallelNode& node) {
  std::vector<core::Window> windows = std::move(node.windows);
  std::vector<ValueId> params = std::move(node.window_params);
  node.windows.clear(), node.window_params.clear();
  size_t next = 0;
  for (core::Window& window : windows) {
    std::vector<ValueId> own = cut(params, &next, core::paramsOf(window));
    if (isCentre(window)) {
      node.inputs.push_back(window.array);
      append(node.input_params, own);
    } else {
      node.windows.push_back(std::move(window));
      append(node.window_params, own);
    }
  }
}

// The common part of scatters and histograms.
template <typename InPlace>
void takeInPlace(ParallelNode& node, const InPlace& e, const std::vector<ValueId>& results) {
  node.space = {e.width};
  node.flattening = e.flattening;
  node.inputs = e.inputs;
  node.input_params = e.map.params;
  node.stms = e.map.body.stms;
  node.scattered = e.map.body.results;
  node.scatter_results = results;
}

void takeResults(ParallelNode& node, const core::Body& body, const std::vector<ValueId>& results) {
  size_t reductions = combined(node.reductions), scans = combined(node.scans);
  size_t next = 0, next_result = 0;
  node.stms = body.stms;
  node.reduced = cut(body.results, &next, reductions);
  node.scanned = cut(body.results, &next, scans);
  node.mapped = cut(body.results, &next, body.results.size() - next);
  node.reduced_results = cut(results, &next_result, reductions);
  node.scanned_results = cut(results, &next_result, scans);
  node.mapped_results = cut(results, &next_result, results.size() - next_result);
}

bool isMap(const ParallelNode& node) {
  return node.reductions.empty() && node.scans.empty() && !node.isInPlace() && !node.isStencil() &&
         !node.inputs.empty();
}

// Does the inner map use parameters of the outer one other than as inputs?
bool usesParams(const core::Program& program, const ParallelNode& outer,
                const ParallelNode& inner) {
  ParallelNode without = inner;
  without.inputs.clear();
  without.input_params.clear();
  auto used = core::freeValues(program, compose(std::move(without)));
  return std::any_of(outer.input_params.begin(), outer.input_params.end(),
                     [&](ValueId param) { return used.contains(param); });
}

}  // namespace

std::vector<ValueId> ParallelNode::overwritten() const {
  std::vector<ValueId> arrays;
  for (const core::ScatterDest& destination : destinations) arrays.push_back(destination.array);
  for (const core::HistOp& operation : operations) append(arrays, operation.destinations);
  return arrays;
}

std::vector<ValueId> ParallelNode::windowed() const {
  std::vector<ValueId> arrays;
  for (const core::Window& window : windows) arrays.push_back(window.array);
  return arrays;
}

std::optional<ParallelNode> perfectNest(const core::Program& program, const ParallelNode& outer,
                                        size_t rank) {
  if (!isMap(outer)) return std::nullopt;
  if (rank == 1) return outer;
  if (outer.stms.size() != 1 || outer.flattening.any()) return std::nullopt;
  auto below = decompose(outer.stms[0]);
  auto inner = below ? perfectNest(program, *below, rank - 1) : std::nullopt;
  if (!inner || inner->flattening.any() || usesParams(program, outer, *inner)) return std::nullopt;
  ParallelNode joint = *inner;
  joint.space.insert(joint.space.begin(), outer.space.begin(), outer.space.end());
  joint.inputs.clear();
  for (ValueId input : inner->inputs) {
    auto row = std::find(outer.input_params.begin(), outer.input_params.end(), input);
    if (row == outer.input_params.end()) return std::nullopt;
    joint.inputs.push_back(outer.inputs[static_cast<size_t>(row - outer.input_params.begin())]);
  }
  joint.mapped.clear();
  for (const Operand& result : outer.mapped) {
    auto made = std::find(inner->mapped_results.begin(), inner->mapped_results.end(), result.value);
    if (made == inner->mapped_results.end()) return std::nullopt;
    joint.mapped.push_back(
        inner->mapped[static_cast<size_t>(made - inner->mapped_results.begin())]);
  }
  joint.mapped_results = outer.mapped_results;
  joint.span = outer.span;
  return joint;
}

std::optional<ParallelNode> decompose(const core::Stm& stm) {
  ParallelNode node;
  node.span = stm.span;
  if (const auto* screma = std::get_if<core::Screma>(&stm.expr)) {
    if (screma->partial_values || screma->chunk) return std::nullopt;  // chunks of its rows
    if (screma->joins != core::Joins::kNothing) return std::nullopt;
    node.space = {screma->width};
    node.flattening = screma->flattening;
    node.inputs = screma->inputs;
    node.input_params = screma->map.params;
    node.reductions = screma->reductions;
    node.scans = screma->scans;
    takeResults(node, screma->map.body, stm.results);
    return node;
  }
  if (const auto* stencil = std::get_if<core::Stencil>(&stm.expr)) {
    if (stencil->partial_tiles) return std::nullopt;  // its tiles are those of its rows
    node.space = stencil->space;
    node.flattening = stencil->flattening;
    node.windows = stencil->windows;
    node.inputs = stencil->inputs;
    node.positions = stencil->positions;
    size_t next = 0;
    node.window_params = cut(stencil->map.params, &next, core::windowParams(*stencil));
    node.input_params = cut(stencil->map.params, &next, stencil->inputs.size());
    node.position_params = cut(stencil->map.params, &next, stencil->positions.size());
    node.reductions = stencil->reductions;
    takeResults(node, stencil->map.body, stm.results);
    centresToInputs(node);
    return node;
  }
  if (const auto* scatter = std::get_if<core::Scatter>(&stm.expr)) {
    takeInPlace(node, *scatter, stm.results);
    node.destinations = scatter->destinations;
    return node;
  }
  if (const auto* hist = std::get_if<core::Hist>(&stm.expr)) {
    takeInPlace(node, *hist, stm.results);
    node.operations = hist->operations;
    return node;
  }
  return std::nullopt;
}

bool isComposable(const ParallelNode& node) {
  if (node.isScatter() && node.isHist()) return false;
  if (node.isInPlace()) {
    return node.reductions.empty() && node.scans.empty() && node.mapped.empty() &&
           !node.isStencil();
  }
  return !node.isStencil() || node.scans.empty();
}

core::Stm compose(ParallelNode node) {
  core::Lambda map;
  map.params = std::move(node.window_params);
  append(map.params, node.input_params);
  append(map.params, node.position_params);
  map.body.stms = std::move(node.stms);
  map.body.results = std::move(node.reduced);
  append(map.body.results, node.scanned);
  append(map.body.results, node.mapped);
  append(map.body.results, node.scattered);

  core::Stm stm;
  stm.span = node.span;
  stm.results = std::move(node.reduced_results);
  append(stm.results, node.scanned_results);
  append(stm.results, node.mapped_results);
  append(stm.results, node.scatter_results);
  if (node.isScatter()) {
    stm.expr = core::Scatter{node.space[0], std::move(node.inputs), std::move(map),
                             std::move(node.destinations), node.flattening};
  } else if (node.isHist()) {
    stm.expr = core::Hist{node.space[0], std::move(node.inputs), std::move(map),
                          std::move(node.operations), node.flattening};
  } else if (node.isStencil()) {
    stm.expr = core::Stencil{std::move(node.space),
                             std::move(node.windows),
                             std::move(node.inputs),
                             std::move(map),
                             std::move(node.reductions),
                             node.flattening,
                             {},
                             std::move(node.positions)};
  } else {
    stm.expr = core::Screma{node.space[0],         std::move(node.inputs),
                            std::move(map),        std::move(node.reductions),
                            std::move(node.scans), node.flattening};
  }
  return stm;
}

}  // namespace halo::passes
