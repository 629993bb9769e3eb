// Equal components of the operators of reductions and scans, once. Two components are equal when
// they have the same neutral element, the same elements, and next values that are equal as far as
// the components are. Refinement finds the coarsest such partition [Alpern, Wegman, Zadeck 1988].
// Reverse mode makes them: both rows of an adjoint matrix meet the same matrices. Equal reductions
// and scans of one node are computed once, too: forward statements that run again in a return
// sweep, and are joined with what ran before.
#include <algorithm>
#include <deque>

#include "lang/passes/simplify/expr_key.h"
#include "lang/passes/simplify/simplify_parts.h"

namespace halo::passes {
namespace {

using core::Lambda;
using core::Operand;
using core::Operands;
using core::ValueId;

// Of each component the first one that is equal to it, as far as is known.
using Partition = std::vector<size_t>;

bool isTrivial(const Partition& partition) {
  for (size_t j = 0; j < partition.size(); ++j) {
    if (partition[j] != j) return false;
  }
  return true;
}

bool isScalarCode(const core::Expr& expr) {
  return std::holds_alternative<core::PrimOp>(expr) ||
         std::holds_alternative<core::Convert>(expr) || std::holds_alternative<core::Select>(expr);
}

// The operator's results, by one name each where they are equal if the parameters of a class are.
Operands resultsUnder(core::Program& program, const Lambda& op, const Partition& partition) {
  const size_t count = partition.size();
  core::Substitution known;
  for (size_t j = 0; j < count; ++j) {
    if (partition[j] == j) continue;
    known[op.params[j]] = op.params[partition[j]];
    known[op.params[count + j]] = op.params[count + partition[j]];
  }
  std::deque<core::Expr> renamed;  // keys of the table point into it
  std::unordered_map<const core::Expr*, ValueId, HashExchanged, EqualExchanged> computed(
      0, HashExchanged{false}, EqualExchanged{false});
  for (const core::Stm& stm : op.body.stms) {
    if (stm.results.size() != 1 || !isScalarCode(stm.expr)) continue;
    core::Expr& expr = renamed.emplace_back(stm.expr);
    core::substitute(program, expr, known);
    auto [found, is_new] = computed.emplace(&expr, stm.results[0]);
    if (!is_new) known[stm.results[0]] = found->second;
  }
  Operands results = op.body.results;
  for (Operand& result : results) {
    auto found = result.isConstant() ? known.end() : known.find(result.value);
    if (found != known.end()) result = found->second;
  }
  return results;
}

// Classes of `partition`, without components of different `values` in one class.
Partition refined(const Partition& partition, const Operands& values) {
  Partition finer(partition.size());
  for (size_t j = 0; j < partition.size(); ++j) {
    size_t i = 0;
    while (partition[i] != partition[j] || !(values[i] == values[j])) i++;
    finer[j] = i;
  }
  return finer;
}

Partition equalComponents(core::Program& program, const Lambda& op, const Operands& neutral,
                          const Operands& elements) {
  Partition partition = refined(refined(Partition(neutral.size(), 0), neutral), elements);
  while (!isTrivial(partition)) {
    Partition finer = refined(partition, resultsUnder(program, op, partition));
    if (finer == partition) break;
    partition = std::move(finer);
  }
  return partition;
}

template <typename T>
void keepRepresentatives(std::vector<T>& list, size_t first, const Partition& partition) {
  for (size_t j = partition.size(); j-- > 0;) {
    if (partition[j] == j) continue;
    list.erase(list.begin() + static_cast<std::ptrdiff_t>(first + j));
  }
}

class Accumulators {
 public:
  Accumulators(RuleContext& context, core::Stm& stm, core::Screma& node)
      : context_(context), stm_(stm), node_(node) {}

  bool run() {
    size_t first = 0;
    dropEqual(node_.reductions, first);
    for (core::Reduction& reduction : node_.reductions) merge(reduction, first);
    dropEqual(node_.scans, first);
    for (core::Scan& scan : node_.scans) merge(scan, first);
    return changed_;
  }

 private:
  // `first`: of the node's results, the operator's first one; then the one behind its last.
  template <typename Node>
  void merge(Node& node, size_t& first) {
    const size_t count = node.neutral.size();
    const auto begin = node_.map.body.results.begin() + static_cast<std::ptrdiff_t>(first);
    const Operands elements(begin, begin + static_cast<std::ptrdiff_t>(count));
    const Partition partition = equalComponents(context_.program, node.op, node.neutral, elements);
    if (count > 1 && !isTrivial(partition) && areScalars(node.neutral)) {
      remove(node, first, partition);
    }
    first += node.neutral.size();
  }

  // A node of one operator, whatever names it binds.
  template <typename Node>
  static core::Expr alone(const Node& node) {
    core::Screma screma;
    if constexpr (std::is_same_v<Node, core::Scan>) {
      screma.scans.push_back(node);
    } else {
      screma.reductions.push_back(node);
      screma.reductions[0].commutative = false;
    }
    return numbered(std::move(screma));
  }

  // `first`: of the node's results, the first one of the list.
  template <typename Node>
  void dropEqual(std::vector<Node>& nodes, size_t first) {
    std::vector<size_t> starts;
    for (size_t j = 0; j < nodes.size(); ++j) {
      const size_t count = nodes[j].neutral.size();
      const auto elements = node_.map.body.results.begin() + static_cast<std::ptrdiff_t>(first);
      for (size_t i = 0; i < j; ++i) {
        const auto others = node_.map.body.results.begin() + static_cast<std::ptrdiff_t>(starts[i]);
        if (nodes[i].neutral != nodes[j].neutral ||
            !std::equal(others, others + static_cast<std::ptrdiff_t>(count), elements) ||
            !(alone(nodes[i]) == alone(nodes[j]))) {
          continue;
        }
        for (size_t k = 0; k < count; ++k) {
          become(stm_.results[first + k], stm_.results[starts[i] + k]);
        }
        eraseAt(node_.map.body.results, first, count);
        eraseAt(stm_.results, first, count);
        nodes.erase(nodes.begin() + static_cast<std::ptrdiff_t>(j--));
        changed_ = true;
        break;
      }
      if (starts.size() == j) {
        starts.push_back(first);
        first += count;
      }
    }
  }

  template <typename T>
  static void eraseAt(std::vector<T>& list, size_t first, size_t count) {
    const auto begin = list.begin() + static_cast<std::ptrdiff_t>(first);
    list.erase(begin, begin + static_cast<std::ptrdiff_t>(count));
  }

  bool areScalars(const Operands& values) const {
    return std::all_of(values.begin(), values.end(), [&](const Operand& value) {
      return context_.program.type(value).isScalar();
    });
  }

  template <typename Node>
  void remove(Node& node, size_t first, const Partition& partition) {
    const size_t count = partition.size();
    core::Substitution known;
    for (size_t j = 0; j < count; ++j) {
      if (partition[j] == j) continue;
      known[node.op.params[j]] = node.op.params[partition[j]];
      known[node.op.params[count + j]] = node.op.params[count + partition[j]];
      become(stm_.results[first + j], stm_.results[first + partition[j]]);
    }
    core::substitute(context_.program, node.op.body, known);
    keepRepresentatives(node.op.params, count, partition);
    keepRepresentatives(node.op.params, 0, partition);
    keepRepresentatives(node.op.body.results, 0, partition);
    keepRepresentatives(node.neutral, 0, partition);
    keepRepresentatives(node_.map.body.results, first, partition);
    keepRepresentatives(stm_.results, first, partition);
    changed_ = true;
  }

  void become(ValueId result, ValueId same) {
    const bool is_array = !context_.program.type(result).isScalar();
    const auto consumed = [&](ValueId array) { return context_.consumption.isConsumed(array); };
    if (is_array && (consumed(result) || consumed(same))) {
      context_.after.push_back({{result}, core::Copy{same}, false, stm_.span});
    } else {
      context_.replaced[result] = same;
    }
  }

  RuleContext& context_;
  core::Stm& stm_;
  core::Screma& node_;
  bool changed_ = false;
};

}  // namespace

bool mergeAccumulators(RuleContext& context, core::Stm& stm) {
  auto* node = std::get_if<core::Screma>(&stm.expr);
  if (node == nullptr || context.keeps_derivatives) return false;
  return Accumulators(context, stm, *node).run();
}

}  // namespace halo::passes
