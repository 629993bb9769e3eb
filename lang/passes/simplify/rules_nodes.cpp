// Rules for nodes with lambdas: inputs that are given twice or hold one value, results that are
// inputs, invariant or given twice (windows: rules_windows.cpp). A mapped array is fresh memory and
// an input is not. So a result stands for an array of the outside only where neither is consumed;
// else it becomes a copy.
#include <algorithm>

#include "lang/core/node_kinds.h"
#include "lang/core/scatter.h"
#include "lang/core/visit.h"
#include "lang/passes/simplify/simplify_parts.h"

namespace halo::passes {
namespace {

using core::Lambda;
using core::Operand;
using core::Operands;
using core::Stm;
using core::ValueId;

template <typename T>
void eraseAt(std::vector<T>& list, size_t i) {
  list.erase(list.begin() + static_cast<std::ptrdiff_t>(i));
}

class NodeRules {
 public:
  NodeRules(RuleContext& context, Stm& stm) : context_(context), stm_(stm) {}

  bool run() {
    if (auto* node = std::get_if<core::Screma>(&stm_.expr)) {
      simplifyInputs(node->inputs, node->map, 0, 1);
      simplifyResults(node->inputs, node->map, 0, {node->width}, reduced(*node) + scanned(*node));
    } else if (auto* node = std::get_if<core::Stencil>(&stm_.expr)) {
      changed_ = simplifyWindows(context_, *node);
      const bool is_map = node->windows.empty() && node->positions.empty();
      if (is_map && node->space.size() == 1 && !node->partial_tiles) {
        stm_.expr = core::Screma{node->space[0],   node->inputs, node->map,
                                 node->reductions, {},           node->flattening};
        return true;
      }
      const size_t first = core::windowParams(*node);
      simplifyPositions(*node);
      simplifyInputs(node->inputs, node->map, first, node->space.size());
      simplifyResults(node->inputs, node->map, first, node->space, reduced(*node));
    } else if (auto* node = std::get_if<core::Scatter>(&stm_.expr)) {
      simplifyInputs(node->inputs, node->map, 0, 1);
      splitConcats(*node);
    } else if (auto* node = std::get_if<core::Hist>(&stm_.expr)) {
      simplifyInputs(node->inputs, node->map, 0, 1);
    }
    return changed_;
  }

 private:
  template <typename Node>
  static size_t reduced(const Node& node) {
    size_t count = 0;
    for (const auto& reduction : node.reductions) count += reduction.neutral.size();
    return count;
  }
  static size_t scanned(const core::Screma& node) {
    size_t count = 0;
    for (const auto& scan : node.scans) count += scan.neutral.size();
    return count;
  }

  // Fused stencils may each have brought the position along an axis.
  void simplifyPositions(core::Stencil& node) {
    core::Substitution known;
    std::vector<size_t>& axes = node.positions;
    const size_t first = core::firstPosition(node);
    for (size_t i = 0; i < axes.size();) {
      const auto same = std::find(axes.begin(), axes.begin() + static_cast<ptrdiff_t>(i), axes[i]);
      const auto other = static_cast<size_t>(same - axes.begin());
      if (other == i) {
        ++i;
        continue;
      }
      known[node.map.params[first + i]] = Operand(node.map.params[first + other]);
      eraseAt(axes, i);
      eraseAt(node.map.params, first + i);
    }
    if (known.empty()) return;
    core::substitute(context_.program, node.map.body, known);
    changed_ = true;
  }

  // Parameters from `first` on belong to the inputs; the index space has `rank` dimensions.
  void simplifyInputs(std::vector<ValueId>& inputs, Lambda& map, size_t first, size_t rank) {
    core::Substitution known;
    for (size_t i = 0; i < inputs.size();) {
      std::optional<Operand> value = sameInput(inputs, map, first, i);
      if (!value) value = replicated(inputs[i], rank);
      if (!value) {
        ++i;
        continue;
      }
      known[map.params[first + i]] = *value;
      eraseAt(inputs, i);
      eraseAt(map.params, first + i);
    }
    if (known.empty()) return;
    core::substitute(context_.program, map.body, known);
    changed_ = true;
  }

  static std::optional<Operand> sameInput(const std::vector<ValueId>& inputs, const Lambda& map,
                                          size_t first, size_t i) {
    for (size_t j = 0; j < i; ++j) {
      if (inputs[j] == inputs[i]) return Operand(map.params[first + j]);
    }
    return std::nullopt;
  }

  std::optional<Operand> replicated(ValueId input, size_t rank) {
    const auto* replicate = context_.definition<core::Replicate>(input);
    if (replicate == nullptr || replicate->shape.size() != rank) return std::nullopt;
    if (context_.consumption.isConsumed(replicate->value)) return std::nullopt;
    return replicate->value;
  }

  // Mapped results: those from `first_mapped` on.
  void simplifyResults(const std::vector<ValueId>& inputs, Lambda& map, size_t first_param,
                       const Operands& space, size_t first_mapped) {
    std::unordered_set<ValueId> inner(map.params.begin(), map.params.end());
    for (const Stm& stm : map.body.stms) inner.insert(stm.results.begin(), stm.results.end());
    Operands& results = map.body.results;
    for (size_t i = first_mapped; i < results.size();) {
      bool gone = duplicateResult(results, first_mapped, i) ||
                  invariantResult(inner, results[i], space, i) ||
                  inputResult(inputs, map, first_param, i) ||
                  (space.size() == 1 && rearrangedResult(inputs, map, first_param, i));
      if (!gone) {
        ++i;
        continue;
      }
      eraseAt(results, i);
      eraseAt(stm_.results, i);
      changed_ = true;
    }
  }

  bool duplicateResult(const Operands& results, size_t first, size_t i) {
    for (size_t j = first; j < i; ++j) {
      if (results[j] == results[i]) return become(stm_.results[i], stm_.results[j]);
    }
    return false;
  }

  bool invariantResult(const std::unordered_set<ValueId>& inner, const Operand& result,
                       const Operands& space, size_t i) {
    if (!result.isConstant() && inner.contains(result.value)) return false;
    context_.after.push_back({{stm_.results[i]}, core::Replicate{space, result}, false, stm_.span});
    return true;
  }

  bool inputResult(const std::vector<ValueId>& inputs, const Lambda& map, size_t first, size_t i) {
    for (size_t j = 0; j < inputs.size(); ++j) {
      if (map.body.results[i] == Operand(map.params[first + j])) {
        return become(stm_.results[i], inputs[j]);
      }
    }
    return false;
  }

  // The rows of an array, each rearranged, are the array rearranged.
  bool rearrangedResult(const std::vector<ValueId>& inputs, const Lambda& map, size_t first,
                        size_t i) {
    for (const Stm& stm : map.body.stms) {
      const auto* view = std::get_if<core::Rearrange>(&stm.expr);
      if (view == nullptr || map.body.results[i] != Operand(stm.results[0])) continue;
      for (size_t j = 0; j < inputs.size(); ++j) {
        if (view->array != map.params[first + j]) continue;
        ValueId result = stm_.results[i];
        auto consumed = [&](ValueId array) { return context_.consumption.isConsumed(array); };
        if (consumed(result) || consumed(inputs[j])) return false;
        core::Rearrange whole{inputs[j], {0}};
        for (auto axis : view->permutation) whole.permutation.push_back(axis + 1);
        context_.after.push_back({{result}, whole, false, stm_.span});
        return true;
      }
    }
    return false;
  }

  // The arrays that each input is put together from.
  using Parts = std::vector<std::vector<ValueId>>;

  // scatter (as ++ bs) = scatter bs after scatter as: nothing is put together only to be read once.
  void splitConcats(core::Scatter& node) {
    const Parts all = partsOf(node, true);
    const bool may_be_one = !all.empty() && all[0].size() <= kMaxWrites;
    if (may_be_one && areElementsOfMaps(node, all)) return writeSeveral(node, all);
    const Parts parts = partsOf(node, false);
    if (parts.empty() || parts[0].size() > kMaxParts) return;
    const std::vector<ValueId>& first = parts[0];
    for (size_t k = 0; k + 1 < first.size(); ++k) {
      core::Scatter part = node;
      part.map = core::freshCopy(context_.program, node.map);
      takePart(part, parts, k, lengthOf(first[k]));
      std::vector<ValueId> filled;
      for (core::ScatterDest& destination : node.destinations) {
        const core::ValueInfo info = context_.program.values[destination.array];
        filled.push_back(context_.program.add(info.name, info.type));
        destination.array = filled.back();
      }
      context_.builder.append({filled, std::move(part), stm_.checked, stm_.span});
    }
    takePart(node, parts, first.size() - 1, lengthOf(first.back()));
    changed_ = true;
  }

  // By input; `is_deep`: also the parts of parts. Empty where an input is not put together, or not
  // from parts of the lengths that the others' have.
  Parts partsOf(const core::Scatter& node, bool is_deep) const {
    Parts parts;
    for (ValueId input : node.inputs) {
      parts.emplace_back();
      addParts(input, is_deep, parts.back());
    }
    if (parts.empty() || parts[0].size() < 2) return {};
    const auto splitsAlike = [&](const std::vector<ValueId>& arrays) {
      if (arrays.size() != parts[0].size()) return false;
      for (size_t k = 0; k < arrays.size(); ++k) {
        if (lengthOf(arrays[k]) != lengthOf(parts[0][k])) return false;
        if (context_.consumption.isConsumed(arrays[k])) return false;
      }
      return true;
    };
    return std::all_of(parts.begin(), parts.end(), splitsAlike) ? parts : Parts{};
  }
  void addParts(ValueId array, bool is_deep, std::vector<ValueId>& parts) const {
    const core::Concat* concat = parts.size() > kMaxWrites ? nullptr : concatOf(array);
    if (concat == nullptr) return parts.push_back(array);
    for (ValueId part : concat->arrays) {
      if (is_deep) {
        addParts(part, true, parts);
      } else {
        parts.push_back(part);
      }
    }
  }

  // Whether fusion may make the map of the pairs and all of their writes one node.
  bool areElementsOfMaps(const core::Scatter& node, const Parts& parts) const {
    auto isElement = [&](ValueId array) {
      return lengthOf(array) == lengthOf(parts[0][0]) && context_.mapped.contains(array) &&
             context_.program.type(array).rank() == 1;
    };
    auto isWhole = [&](const core::ScatterDest& destination) {
      return context_.program.type(destination.array).rank() == destination.index_rank;
    };
    return std::all_of(node.destinations.begin(), node.destinations.end(), isWhole) &&
           std::all_of(parts.begin(), parts.end(), [&](const std::vector<ValueId>& arrays) {
             return std::all_of(arrays.begin(), arrays.end(), isElement);
           });
  }

  // scatter (as ++ bs), of equal lengths, writes an element of each at a time.
  void writeSeveral(core::Scatter& node, const Parts& inputs) {
    const std::vector<ValueId>& first = inputs[0];
    core::Scatter whole = node;
    whole.inputs.clear();
    whole.map = {};
    std::vector<Operands> parts;
    for (size_t k = 0; k < first.size(); ++k) {
      Lambda part = core::freshCopy(context_.program, node.map);
      for (const std::vector<ValueId>& input : inputs) whole.inputs.push_back(input[k]);
      whole.map.params.insert(whole.map.params.end(), part.params.begin(), part.params.end());
      for (Stm& stm : part.body.stms) whole.map.body.stms.push_back(std::move(stm));
      parts.push_back(std::move(part.body.results));
    }
    const auto writes = static_cast<size_t>(writesOf(node));
    size_t next = 0;
    for (const core::ScatterDest& destination : whole.destinations) {
      const size_t count = writes * (static_cast<size_t>(destination.index_rank) + 1);
      for (const Operands& part : parts) {
        const auto begin = part.begin() + static_cast<std::ptrdiff_t>(next);
        whole.map.body.results.insert(whole.map.body.results.end(), begin,
                                      begin + static_cast<std::ptrdiff_t>(count));
      }
      next += count;
    }
    whole.width = lengthOf(first[0]);
    node = std::move(whole);
    changed_ = true;
  }

  static constexpr size_t kMaxParts = 4;    // each is a loop or kernel of its own
  static constexpr size_t kMaxWrites = 16;  // of a step of one loop or kernel

  static void takePart(core::Scatter& node, const Parts& parts, size_t k, const Operand& width) {
    node.width = width;
    for (size_t i = 0; i < parts.size(); ++i) node.inputs[i] = parts[i][k];
  }
  Operand lengthOf(ValueId array) const { return context_.program.type(array).shape[0]; }

  // The parts of an input of one dimension, which may have got its length by another name.
  const core::Concat* concatOf(ValueId input) const {
    const auto* reshape = context_.definition<core::Reshape>(input);
    const bool renames = reshape != nullptr && reshape->shape.size() == 1 &&
                         context_.program.type(reshape->array).rank() == 1;
    return context_.definition<core::Concat>(renames ? reshape->array : input);
  }

  bool become(ValueId result, ValueId array) {
    if (context_.consumption.isConsumed(result) || context_.consumption.isConsumed(array)) {
      context_.after.push_back({{result}, core::Copy{array}, false, stm_.span});
    } else {
      context_.replaced[result] = array;
    }
    return true;
  }

  RuleContext& context_;
  Stm& stm_;
  bool changed_ = false;
};

}  // namespace

bool simplifyNode(RuleContext& context, Stm& stm) {
  const bool is_merged = mergeAccumulators(context, stm);
  return NodeRules(context, stm).run() || is_merged;
}

}  // namespace halo::passes
