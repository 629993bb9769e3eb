// The uses, bodies and binders of a node: the one place that knows the fields of every node.
// rewrite.h offers the same with std::function. Passes that run over whole programs use these
// templates, which also allow changing the visited operands.
#pragma once

#include <type_traits>

#include "lang/core/ir.h"

namespace halo::core {

namespace detail {

template <typename Node, typename Expected>
inline constexpr bool kIs = std::is_same_v<std::remove_const_t<Node>, Expected>;

template <typename List, typename Visit>
void each(List& list, Visit& visit) {
  for (auto& item : list) visit(item);
}

template <typename Node, typename Visit>
void usesOfScalarNode(Node& node, Visit& visit) {
  if constexpr (kIs<Node, PrimOp>) {
    each(node.args, visit);
  } else if constexpr (kIs<Node, Convert>) {
    visit(node.arg);
  } else if constexpr (kIs<Node, Select>) {
    visit(node.condition), visit(node.on_true), visit(node.on_false);
  } else {
    static_assert(kIs<Node, Literal>, "a node kind without uses");
  }
}

template <typename Dims, typename Visit>
void usesOfDims(Dims& dims, Visit& visit) {
  for (auto& dim : dims) visit(dim.start), visit(dim.length), visit(dim.stride);
}

template <typename AnyBoundary, typename Visit>
void usesOfBoundary(AnyBoundary& boundary, Visit& visit) {
  if (boundary.kind == BoundaryKind::kConstant) visit(boundary.value);
}

template <typename Node, typename Visit>
void usesOfWindows(Node& node, Visit& visit) {
  if constexpr (kIs<Node, Pad>) {
    each(node.shape, visit), visit(node.array);
    for (auto& dim : node.dims) {
      visit(dim.before), visit(dim.after), usesOfBoundary(dim.boundary, visit);
    }
  } else {
    static_assert(kIs<Node, Slide>, "a node kind without uses");
    visit(node.array);
    for (auto& dim : node.dims) visit(dim.size), visit(dim.step), visit(dim.count);
  }
}

template <typename Node, typename Visit>
void usesOfArrayNode(Node& node, Visit& visit) {
  if constexpr (kIs<Node, Index>) {
    visit(node.array), each(node.indices, visit);
  } else if constexpr (kIs<Node, Slice>) {
    visit(node.array), usesOfDims(node.dims, visit);
  } else if constexpr (kIs<Node, Update>) {
    visit(node.array), each(node.indices, visit), usesOfDims(node.dims, visit), visit(node.value);
  } else if constexpr (kIs<Node, Iota>) {
    visit(node.count), visit(node.start), visit(node.step);
  } else if constexpr (kIs<Node, Replicate>) {
    each(node.shape, visit), visit(node.value);
  } else if constexpr (kIs<Node, ArrayLiteral>) {
    each(node.elements, visit);
  } else if constexpr (kIs<Node, Scratch>) {
    each(node.shape, visit);
  } else if constexpr (kIs<Node, Rearrange> || kIs<Node, Copy>) {
    visit(node.array);
  } else if constexpr (kIs<Node, Reshape>) {
    each(node.shape, visit), visit(node.array);
  } else if constexpr (kIs<Node, Concat>) {
    visit(node.size), each(node.arrays, visit);
  } else if constexpr (kIs<Node, Pad> || kIs<Node, Slide>) {
    usesOfWindows(node, visit);
  } else {
    usesOfScalarNode(node, visit);
  }
}

template <typename Node, typename Visit>
void usesOf(Node& node, Visit& visit) {
  if constexpr (kIs<Node, Screma>) {
    visit(node.width), each(node.inputs, visit);
    for (auto& reduction : node.reductions) each(reduction.neutral, visit);
    for (auto& scan : node.scans) each(scan.neutral, visit);
    if (node.partial_values) visit(*node.partial_values);
    if (node.chunk) visit(*node.chunk);
  } else if constexpr (kIs<Node, Stencil>) {
    each(node.space, visit);
    for (auto& window : node.windows) {
      visit(window.array);
      for (auto& boundary : window.boundary) usesOfBoundary(boundary, visit);
      each(window.dynamic, visit);
    }
    each(node.inputs, visit);
    for (auto& reduction : node.reductions) each(reduction.neutral, visit);
    if (node.partial_tiles) {
      auto& tiles = *node.partial_tiles;
      visit(tiles.values), visit(tiles.first_row), visit(tiles.rows);
      visit(tiles.lines), visit(tiles.columns);
    }
  } else if constexpr (kIs<Node, Scatter>) {
    visit(node.width), each(node.inputs, visit);
    for (auto& destination : node.destinations) visit(destination.array);
  } else if constexpr (kIs<Node, Hist>) {
    visit(node.width), each(node.inputs, visit);
    for (auto& op : node.operations) each(op.destinations, visit), each(op.neutral, visit);
  } else if constexpr (kIs<Node, Match>) {
    visit(node.scrutinee);
  } else if constexpr (kIs<Node, Loop>) {
    for (auto& carried : node.carried) visit(carried.initial);
    if (auto* counted = std::get_if<ForLoop>(&node.form)) visit(counted->bound);
  } else if constexpr (kIs<Node, Call>) {
    each(node.args, visit);
  } else if constexpr (kIs<Node, Assert>) {
    visit(node.condition), each(node.operands, visit);
  } else {
    usesOfArrayNode(node, visit);
  }
}

}  // namespace detail

// visit(Operand&) and visit(ValueId&): the node's own uses, in print order. Uses of nested bodies
// and sizes in the types of binders are left out.
template <typename AnyExpr, typename Visit>
void visitUses(AnyExpr& expr, Visit&& visit) {
  std::visit([&](auto& node) { detail::usesOf(node, visit); }, expr);
}

// visit(Lambda&): of the second-order nodes, in print order.
template <typename AnyExpr, typename Visit>
void visitLambdas(AnyExpr& expr, Visit&& visit) {
  std::visit(
      [&](auto& node) {
        using Node = std::remove_reference_t<decltype(node)>;
        if constexpr (detail::kIs<Node, Screma> || detail::kIs<Node, Stencil> ||
                      detail::kIs<Node, Scatter> || detail::kIs<Node, Hist>) {
          visit(node.map);
        }
        if constexpr (detail::kIs<Node, Screma> || detail::kIs<Node, Stencil>) {
          for (auto& reduction : node.reductions) visit(reduction.op);
        }
        if constexpr (detail::kIs<Node, Screma>) {
          for (auto& scan : node.scans) visit(scan.op);
        }
        if constexpr (detail::kIs<Node, Hist>) {
          for (auto& operation : node.operations) visit(operation.op);
        }
      },
      expr);
}

// visit(Body&): of lambdas, arms and loops, in print order.
template <typename AnyExpr, typename Visit>
void visitBodies(AnyExpr& expr, Visit&& visit) {
  visitLambdas(expr, [&](auto& lambda) { visit(lambda.body); });
  if (auto* match = std::get_if<Match>(&expr)) {
    for (auto& arm : match->cases) visit(arm.body);
    visit(match->otherwise);
  } else if (auto* loop = std::get_if<Loop>(&expr)) {
    visit(loop->body);
  }
}

// visit(ValueId&): lambda parameters, carried parameters, the loop index.
template <typename AnyExpr, typename Visit>
void visitBound(AnyExpr& expr, Visit&& visit) {
  visitLambdas(expr, [&](auto& lambda) { detail::each(lambda.params, visit); });
  if (auto* loop = std::get_if<Loop>(&expr)) {
    for (auto& carried : loop->carried) visit(carried.param);
    if (auto* counted = std::get_if<ForLoop>(&loop->form)) visit(counted->index);
  }
}

// visit(Stm&): every statement of a body and of the bodies below it, outer ones first.
template <typename AnyBody, typename Visit>
void visitStms(AnyBody& body, Visit&& visit) {
  for (auto& stm : body.stms) {
    visit(stm);
    visitBodies(stm.expr, [&](auto& nested) { visitStms(nested, visit); });
  }
}

// The arms of a branch, const or not; the last one is `otherwise`.
template <typename AnyMatch>
auto armsOf(AnyMatch& match) {
  std::vector<decltype(&match.otherwise)> arms;
  for (auto& arm : match.cases) arms.push_back(&arm.body);
  arms.push_back(&match.otherwise);
  return arms;
}

}  // namespace halo::core
