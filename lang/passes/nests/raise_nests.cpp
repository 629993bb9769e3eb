// Recognises perfect nests and flat reductions as parallel nodes (parallel_node.h). Changes those
// whose arrays a stencil of the same space makes or takes.
#include "lang/passes/nests/raise_nests.h"

#include <algorithm>
#include <iterator>
#include <unordered_map>

#include "lang/core/rewrite.h"
#include "lang/core/visit.h"
#include "lang/passes/parallel_node.h"

namespace halo::passes {
namespace {

using core::Body;
using core::Operand;
using core::Operands;
using core::Stm;
using core::ValueId;

class Raiser {
 public:
  explicit Raiser(core::Program& program) : program_(program) {}

  void body(Body& b) {
    for (Stm& stm : b.stms) {
      core::visitBodies(stm.expr, [&](Body& nested) { body(nested); });
    }
    // A raised node raises its neighbours.
    while (raiseOne(b)) {
    }
  }

 private:
  bool raiseOne(Body& b) {
    std::unordered_map<ValueId, Operands> stencils;  // arrays that stencils make or take as inputs
    std::unordered_map<ValueId, ValueId> flat;       // reshapes to one dimension
    for (const Stm& stm : b.stms) {
      if (const auto* stencil = std::get_if<core::Stencil>(&stm.expr)) {
        for (ValueId array : stm.results) stencils[array] = stencil->space;
        for (ValueId array : stencil->inputs) stencils[array] = stencil->space;
        for (const core::Window& window : stencil->windows) stencils[window.array] = stencil->space;
      }
      const auto* reshape = std::get_if<core::Reshape>(&stm.expr);
      if (reshape != nullptr && reshape->shape.size() == 1) flat[stm.results[0]] = reshape->array;
    }
    if (stencils.empty()) return false;
    for (size_t i = 0; i < b.stms.size(); ++i) {
      Stm& stm = b.stms[i];
      if (!std::holds_alternative<core::Screma>(stm.expr)) continue;
      auto node = decompose(stm);
      if (!node) continue;  // some rows of a longer reduction
      auto raised = perfectNest(program_, *node, 2);
      if (!raised || !touches(*raised, stencils)) raised = perfectNest(program_, *node, 3);
      if (!raised || !touches(*raised, stencils)) raised = flatReduction(*node, flat);
      if (raised && touches(*raised, stencils)) {
        stm = compose(std::move(*raised));
        return true;
      }
      raised = flatMap(b, *node, flat);
      if (!raised || !touches(*raised, stencils)) continue;
      raiseMap(b, i, std::move(*raised));
      return true;
    }
    return false;
  }

  static bool touches(const ParallelNode& node,
                      const std::unordered_map<ValueId, Operands>& stencils) {
    auto matches = [&](ValueId array) {
      auto found = stencils.find(array);
      return found != stencils.end() && found->second == node.space;
    };
    return std::any_of(node.inputs.begin(), node.inputs.end(), matches) ||
           std::any_of(node.mapped_results.begin(), node.mapped_results.end(), matches);
  }

  // A map over flattened arrays for reductions alone, which are raised next.
  std::optional<ParallelNode> flatMap(const Body& b, const ParallelNode& node,
                                      const std::unordered_map<ValueId, ValueId>& flat) const {
    const bool is_map =
        node.reductions.empty() && node.scans.empty() && !node.isInPlace() && !node.mapped.empty();
    if (!is_map || node.flattening.any() || !areReduced(b, node.mapped_results)) {
      return std::nullopt;
    }
    return overSources(node, flat);
  }
  bool areReduced(const Body& b, const std::vector<ValueId>& arrays) const {
    const std::unordered_map<ValueId, int> uses = core::useCounts(program_, b);
    return std::all_of(arrays.begin(), arrays.end(), [&](ValueId array) {
      int reduced = 0;
      for (const Stm& stm : b.stms) {
        const auto* screma = std::get_if<core::Screma>(&stm.expr);
        if (screma == nullptr || screma->reductions.empty() || !screma->scans.empty()) continue;
        if (stm.results.size() > reducedResults(*screma)) continue;
        reduced +=
            static_cast<int>(std::count(screma->inputs.begin(), screma->inputs.end(), array));
      }
      auto used = uses.find(array);
      return program_.type(array).rank() == 1 && used != uses.end() && used->second == reduced;
    });
  }
  static size_t reducedResults(const core::Screma& screma) {
    size_t count = 0;
    for (const core::Reduction& reduction : screma.reductions) count += reduction.neutral.size();
    return count;
  }
  // The flat arrays are those of the raised map, under another name.
  void raiseMap(Body& b, size_t at, ParallelNode raised) {
    std::vector<Stm> flattened;
    for (ValueId& array : raised.mapped_results) {
      const core::Type type = program_.type(array);
      const ValueId whole = program_.add(program_.values[array].name, {type.scalar, raised.space});
      flattened.push_back({{array}, core::Reshape{whole, type.shape}, false, raised.span});
      array = whole;
    }
    b.stms[at] = compose(std::move(raised));
    b.stms.insert(b.stms.begin() + static_cast<std::ptrdiff_t>(at) + 1,
                  std::make_move_iterator(flattened.begin()),
                  std::make_move_iterator(flattened.end()));
  }

  // A reduction over flattened arrays of one shape as a reduction over that shape.
  std::optional<ParallelNode> flatReduction(
      const ParallelNode& node, const std::unordered_map<ValueId, ValueId>& flat) const {
    if (node.reductions.empty() || !node.scans.empty() || !node.mapped.empty()) return std::nullopt;
    if (node.flattening.any()) return std::nullopt;
    return overSources(node, flat);
  }
  // The node over the arrays that its inputs are flattened from.
  std::optional<ParallelNode> overSources(const ParallelNode& node,
                                          const std::unordered_map<ValueId, ValueId>& flat) const {
    ParallelNode raised = node;
    for (size_t i = 0; i < node.inputs.size(); ++i) {
      auto source = flat.find(node.inputs[i]);
      if (source == flat.end()) return std::nullopt;
      const Operands& shape = program_.type(source->second).shape;
      if (shape.size() < 2 || shape.size() > 3) return std::nullopt;
      if (i > 0 && shape != raised.space) return std::nullopt;
      raised.space = shape;
      raised.inputs[i] = source->second;
    }
    return raised.inputs.empty() ? std::nullopt : std::optional(raised);
  }

  core::Program& program_;
};

}  // namespace

core::Program raiseNests(const core::Program& program) {
  core::Program result = program;
  for (core::Function& function : result.functions) Raiser(result).body(function.body);
  return result;
}

}  // namespace halo::passes
