// Rules for nodes with lambdas: inputs that are given twice or hold one value, results that are
// inputs, invariant or given twice (windows: rules_windows.cpp). A mapped array is fresh memory and
// an input is not, so a result stands for an array of the outside only where nobody consumes
// either; else it becomes a copy.
#include "lang/core/visit.h"
#include "lang/passes/simplify_parts.h"

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
      if (node->windows.empty() && node->space.size() == 1) {
        stm_.expr = core::Screma{node->space[0],   node->inputs, node->map,
                                 node->reductions, {},           node->flattening};
        return true;
      }
      size_t first = windowParams(*node);
      simplifyInputs(node->inputs, node->map, first, node->space.size());
      simplifyResults(node->inputs, node->map, first, node->space, reduced(*node));
    } else if (auto* node = std::get_if<core::Scatter>(&stm_.expr)) {
      simplifyInputs(node->inputs, node->map, 0, 1);
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
  static size_t windowParams(const core::Stencil& node) {
    size_t count = 0;
    for (const auto& window : node.windows) {
      count += window.dynamic.empty() ? window.offsets.size() : 1;
    }
    return count;
  }

  // Parameters from `first` on belong to the inputs; the index space has `rank` dimensions.
  void simplifyInputs(std::vector<ValueId>& inputs, Lambda& map, size_t first, size_t rank) {
    core::Substitution known;
    for (size_t i = 0; i < inputs.size();) {
      std::optional<Operand> value = sameInput(inputs, map, first, i);
      if (!value) value = replicated(inputs[i], rank);
      if (!value) {
        i++;
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
    for (size_t j = 0; j < i; j++) {
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
        i++;
        continue;
      }
      eraseAt(results, i);
      eraseAt(stm_.results, i);
      changed_ = true;
    }
  }

  bool duplicateResult(const Operands& results, size_t first, size_t i) {
    for (size_t j = first; j < i; j++) {
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
    for (size_t j = 0; j < inputs.size(); j++) {
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
      for (size_t j = 0; j < inputs.size(); j++) {
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

bool simplifyNode(RuleContext& context, Stm& stm) { return NodeRules(context, stm).run(); }

}  // namespace halo::passes
