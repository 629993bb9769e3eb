#include "lang/ad/activity.h"

#include <algorithm>
#include <unordered_map>

#include "lang/base/match.h"
#include "lang/core/derivative_name.h"
#include "lang/core/node_kinds.h"
#include "lang/core/scatter.h"
#include "lang/core/visit.h"
#include "lang/prim/partials.h"

namespace halo::ad {

namespace {

using core::Operand;
using core::Operands;
using core::ValueId;

// Asks the table of partials without making any.
struct Dry {
  using Value = int;
  int number(prim::ScalarType, int64_t) const { return 0; }
  template <typename... Values>
  int op(prim::Op, prim::ScalarType, const Values&...) const {
    return 0;
  }
};

// `x / 3` of integers has the partial `1 // 3` by x.
bool isQuotientOfWholes(const core::PrimOp& node) {
  if (node.op != prim::Op::kDiv && node.op != prim::Op::kQuot) return false;
  if (!prim::isInteger(node.type) || !node.args[1].isConstant()) return false;
  const int64_t by = node.args[1].constant.asSigned();
  return by > 1 || by < -1;
}

bool isSmoothBy(const core::PrimOp& node, int operand) {
  if (operand == 0 && isQuotientOfWholes(node)) return false;
  Dry dry;
  const prim::Applied<int> applied{node.op, node.type, 0, 0, 0};
  return prim::partialOf(dry, applied, operand).kind != prim::Partial<int>::Kind::kZero;
}

// An edge for each operand that a value's derivative has a part of; with steps, for each that the
// value depends on.
class Graph {
 public:
  explicit Graph(bool with_steps = false) : with_steps_(with_steps) {}

  void body(const core::Body& body) {
    for (const core::Stm& stm : body.stms) {
      base::match(stm.expr, [&](const auto& node) { edges(stm.results, node); });
      if (with_steps_) steps(stm);
      core::visitBodies(stm.expr, [&](const core::Body& nested) { this->body(nested); });
    }
  }
  std::unordered_set<ValueId> reached(const Operands& from, bool backward) const {
    const auto& next = backward ? back_ : forth_;
    std::unordered_set<ValueId> seen;
    std::vector<ValueId> open;
    auto visit = [&](ValueId value) {
      if (seen.insert(value).second) open.push_back(value);
    };
    for (const Operand& start : from) {
      if (!start.isConstant()) visit(start.value);
    }
    while (!open.empty()) {
      const auto found = next.find(open.back());
      open.pop_back();
      if (found == next.end()) continue;
      for (const ValueId value : found->second) visit(value);
    }
    return seen;
  }

 private:
  using Results = std::vector<ValueId>;

  void edge(const Operand& from, ValueId to) {
    if (from.isConstant()) return;
    forth_[from.value].push_back(to);
    back_[to].push_back(from.value);
  }
  void all(const Operands& from, const Results& to) {
    for (const Operand& one : from) {
      for (const ValueId result : to) edge(one, result);
    }
  }
  void pairwise(const Operands& from, const Results& to) {
    for (size_t i = 0; i < from.size() && i < to.size(); ++i) edge(from[i], to[i]);
  }

  void edges(const Results& to, const core::PrimOp& node) {
    for (size_t i = 0; i < node.args.size(); ++i) {
      if (isSmoothBy(node, static_cast<int>(i))) edge(node.args[i], to[0]);
    }
  }
  void edges(const Results& to, const core::Convert& node) { edge(node.arg, to[0]); }
  void edges(const Results& to, const core::Select& node) {
    all({node.on_true, node.on_false}, to);
  }
  void edges(const Results& to, const core::Index& node) { edge(node.array, to[0]); }
  void edges(const Results& to, const core::Slice& node) { edge(node.array, to[0]); }
  void edges(const Results& to, const core::Rearrange& node) { edge(node.array, to[0]); }
  void edges(const Results& to, const core::Reshape& node) { edge(node.array, to[0]); }
  void edges(const Results& to, const core::Copy& node) { edge(node.array, to[0]); }
  void edges(const Results& to, const core::Slide& node) { edge(node.array, to[0]); }
  void edges(const Results& to, const core::Update& node) { all({node.array, node.value}, to); }
  void edges(const Results& to, const core::Iota& node) {
    if (!node.range) all({node.count, node.start, node.step}, to);
  }
  void edges(const Results& to, const core::Replicate& node) { edge(node.value, to[0]); }
  void edges(const Results& to, const core::ArrayLiteral& node) { all(node.elements, to); }
  void edges(const Results& to, const core::Concat& node) {
    for (const ValueId array : node.arrays) edge(array, to[0]);
  }
  void edges(const Results& to, const core::Pad& node) {
    edge(node.array, to[0]);
    for (const core::PadDim& dim : node.dims) boundary(dim.boundary, to[0]);
  }
  void edges(const Results&, const core::Literal&) {}
  void edges(const Results&, const core::Scratch&) {}
  void edges(const Results&, const core::Assert&) {}

  void boundary(const core::Boundary& boundary, ValueId to) {
    if (boundary.kind == core::BoundaryKind::kConstant) edge(boundary.value, to);
  }

  // An operator's results are its accumulators of the next time.
  void combiner(const core::Lambda& op, const Operands& neutral, const Operands& mapped,
                const Results& to) {
    const size_t k = neutral.size();
    for (size_t i = 0; i < k; ++i) {
      for (const size_t side : {i, k + i}) {
        edge(neutral[i], op.params[side]);
        edge(mapped[i], op.params[side]);
        edge(op.body.results[i], op.params[side]);
      }
      edge(op.body.results[i], to[i]);
      edge(neutral[i], to[i]);
      edge(mapped[i], to[i]);
    }
  }
  template <typename List>
  void combiners(const List& list, const Operands& mapped, const Results& to, size_t& next) {
    for (const auto& one : list) {
      const size_t k = one.neutral.size();
      const auto from = static_cast<ptrdiff_t>(next);
      const auto end = static_cast<ptrdiff_t>(next + k);
      combiner(one.op, one.neutral, {mapped.begin() + from, mapped.begin() + end},
               {to.begin() + from, to.begin() + end});
      next += k;
    }
  }
  void edges(const Results& to, const core::Screma& node) {
    for (size_t i = 0; i < node.inputs.size(); ++i) edge(node.inputs[i], node.map.params[i]);
    const Operands& mapped = node.map.body.results;
    size_t next = 0;
    combiners(node.reductions, mapped, to, next);
    combiners(node.scans, mapped, to, next);
    for (; next < to.size(); ++next) edge(mapped[next], to[next]);
  }
  void edges(const Results& to, const core::Stencil& node) {
    size_t param = 0;
    for (const core::Window& window : node.windows) {
      const size_t neighbours = core::paramsOf(window);
      for (size_t i = 0; i < neighbours; ++i, ++param) {
        edge(window.array, node.map.params[param]);
        for (const core::Boundary& one : window.boundary) boundary(one, node.map.params[param]);
      }
    }
    for (const ValueId input : node.inputs) edge(input, node.map.params[param++]);
    size_t next = 0;
    combiners(node.reductions, node.map.body.results, to, next);
    for (; next < to.size(); ++next) edge(node.map.body.results[next], to[next]);
  }
  void edges(const Results& to, const core::Scatter& node) {
    for (size_t i = 0; i < node.inputs.size(); ++i) edge(node.inputs[i], node.map.params[i]);
    size_t next = 0;
    for (size_t d = 0; d < node.destinations.size(); ++d) {
      edge(node.destinations[d].array, to[d]);
      for (int w = 0; w < writesOf(node); ++w) {
        next += static_cast<size_t>(node.destinations[d].index_rank);
        edge(node.map.body.results[next++], to[d]);
      }
    }
  }
  void edges(const Results& to, const core::Hist& node) {
    for (size_t i = 0; i < node.inputs.size(); ++i) edge(node.inputs[i], node.map.params[i]);
    size_t next = 0, result = 0;
    for (const core::HistOp& operation : node.operations) {
      next += static_cast<size_t>(operation.index_rank);
      const size_t k = operation.destinations.size();
      Operands values;
      Results own;
      for (size_t i = 0; i < k; ++i) {
        values.push_back(node.map.body.results[next++]);
        own.push_back(to[result++]);
        for (const size_t side : {i, k + i}) {
          edge(operation.destinations[i], operation.op.params[side]);
        }
        edge(operation.destinations[i], own.back());
      }
      combiner(operation.op, operation.neutral, values, own);
    }
  }
  void edges(const Results& to, const core::Match& node) {
    for (const core::Case& arm : node.cases) pairwise(arm.body.results, to);
    pairwise(node.otherwise.results, to);
  }
  void edges(const Results& to, const core::Loop& node) {
    for (size_t i = 0; i < node.carried.size(); ++i) {
      edge(node.carried[i].initial, node.carried[i].param);
      edge(node.body.results[i], node.carried[i].param);
      edge(node.carried[i].param, to[i]);
    }
  }
  void edges(const Results& to, const core::Call& node) { all(node.args, to); }

  // Operands, and the values that a body is run by.
  void steps(const core::Stm& stm) {
    core::visitUses(stm.expr, [&](const Operand& used) { all({used}, stm.results); });
    if (const auto* loop = std::get_if<core::Loop>(&stm.expr)) {
      for (const core::Carried& one : loop->carried) all({one.param}, stm.results);
    }
    core::visitBodies(stm.expr,
                      [&](const core::Body& nested) { all(nested.results, stm.results); });
  }

  bool with_steps_;
  std::unordered_map<ValueId, std::vector<ValueId>> forth_, back_;
};

}  // namespace

bool isSmooth(const core::PrimOp& node) {
  for (size_t i = 0; i < node.args.size(); ++i) {
    if (isSmoothBy(node, static_cast<int>(i))) return true;
  }
  return false;
}

bool dependsBySteps(const core::Program& program, const core::Function& function, size_t arguments,
                    size_t results) {
  Operands from;
  for (size_t i = function.params.size() - arguments; i < function.params.size(); ++i) {
    if (prim::isFloat(program.type(function.params[i]).scalar)) from.push_back(function.params[i]);
  }
  const auto isReached = [&](bool with_steps) {
    Graph graph(with_steps);
    graph.body(function.body);
    const auto reached = graph.reached(from, false);
    const Operands& all = function.body.results;
    return std::any_of(
        all.end() - static_cast<ptrdiff_t>(results), all.end(),
        [&](const auto& one) { return !one.isConstant() && reached.contains(one.value); });
  };
  return !isReached(false) && isReached(true);
}

Activity::Activity(const core::Function& function, size_t arguments, size_t results) {
  Graph graph;
  graph.body(function.body);
  const Operands from(function.params.end() - static_cast<ptrdiff_t>(arguments),
                      function.params.end());
  const Operands& all = function.body.results;
  const Operands to(all.end() - static_cast<ptrdiff_t>(results), all.end());
  const auto varied = graph.reached(from, false);
  for (const ValueId value : graph.reached(to, true)) {
    if (varied.contains(value)) active_.insert(value);
  }
}

bool Activity::any(const std::vector<ValueId>& values) const {
  return std::any_of(values.begin(), values.end(), [&](ValueId value) { return of(value); });
}

bool Activity::any(const core::Operands& operands) const {
  return std::any_of(operands.begin(), operands.end(), [&](const auto& one) { return of(one); });
}

}  // namespace halo::ad
