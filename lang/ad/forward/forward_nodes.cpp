// Tangents of nodes with bodies.
#include "lang/ad/forward/forward.h"
#include "lang/ad/rules.h"
#include "lang/core/derivative_name.h"
#include "lang/core/node_kinds.h"

namespace halo::ad {

namespace {

void append(std::vector<ValueId>& to, const std::vector<ValueId>& more) {
  to.insert(to.end(), more.begin(), more.end());
}

// The value of the operator itself: the smaller one of two zeros, which are equal, is -0.
void keepValue(Emitter& e, Lambda& first, Op op) {
  const ScalarType type = e.program().type(first.params[0]).scalar;
  if (!prim::isFloat(type)) return;
  Emitter inner(e.program());
  for (Stm& stm : first.body.stms) inner.append(std::move(stm));
  Operands results = first.body.results;
  results[0] = inner.op(op, type, first.params[0], first.params[first.params.size() / 2]);
  first.body = inner.take(results);
}

}  // namespace

void Forward::statement(Emitter& e, const Stm& stm, core::Screma node) {
  if (!node.reductions.empty()) return combined(e, stm, std::move(node), &core::Screma::reductions);
  if (!node.scans.empty()) return combined(e, stm, std::move(node), &core::Screma::scans);
  map(e, stm, std::move(node));
}

void Forward::map(Emitter& e, const Stm& stm, core::Screma node) {
  const std::vector<bool> wanted = vary({stm.results.begin(), stm.results.end()});
  const std::vector<ValueId> inputs = node.inputs;
  for (size_t i = 0; i < inputs.size(); ++i) {
    if (varies(node.map.params[i])) node.inputs.push_back(tangentArray(e, inputs[i]));
  }
  append(node.map.params, tangentParams(node.map.params));
  node.map.body = body(node.map.body, wanted);
  e.append({bindTangents(stm, wanted), std::move(node), false, stm.span});
}

// (acc.., acc'.., x.., x'..): the operator on values with their tangents, associative like itself.
Lambda Forward::pairs(Lambda op) {
  const auto k = static_cast<ptrdiff_t>(op.body.results.size());
  Lambda both;
  for (const auto from : {op.params.begin(), op.params.begin() + k}) {
    both.params.insert(both.params.end(), from, from + k);
    for (auto param = from; param != from + k; ++param) {
      both.params.push_back(program_.add("t", program_.type(*param)));
      know(*param, both.params.back());
    }
  }
  both.body = body(op.body, std::vector<bool>(static_cast<size_t>(k), true));
  return both;
}

template <typename Combined>
void Forward::combined(Emitter& e, const Stm& stm, core::Screma node,
                       std::vector<Combined> core::Screma::*list) {
  Combined& one = (node.*list)[0];
  std::vector<Type> types;
  for (const ValueId param : node.map.params) types.push_back(program_.type(param));
  const std::vector<bool> all(types.size(), true);
  core::Screma other = node;
  const bool is_sum = isSum(one.op);
  if (is_sum) {
    e.append(stm);
    other.inputs.clear();
    (other.*list)[0].neutral.clear();
    (other.*list)[0].op = core::freshCopy(program_, one.op);
  } else {
    const std::vector<Type> values = types;
    types.insert(types.end(), values.begin(), values.end());
    (other.*list)[0].op = pairs(one.op);
    if constexpr (std::is_same_v<Combined, core::Reduction>) {
      other.reductions[0].commutative = false;
    }
  }
  for (const ValueId input : node.inputs) other.inputs.push_back(tangentArray(e, input));
  for (const Operand& neutral : one.neutral) {
    (other.*list)[0].neutral.push_back(tangent(e, neutral));
  }
  other.map = e.identity(types);
  std::vector<ValueId> results = bindTangents(stm, all);
  if (is_sum) results.erase(results.begin(), results.begin() + static_cast<ptrdiff_t>(all.size()));
  e.append({std::move(results), std::move(other), false, stm.span});
}

void Forward::statement(Emitter& e, const Stm& stm, core::Stencil node) {
  const std::vector<bool> wanted = vary({stm.results.begin(), stm.results.end()});
  std::vector<ValueId> params, input_tangents;
  std::vector<core::Window> windows = node.windows;
  size_t next = 0;
  std::vector<ValueId> tangents;
  for (const core::Window& window : node.windows) {
    const size_t neighbours = core::paramsOf(window);
    const auto from = node.map.params.begin() + static_cast<ptrdiff_t>(next);
    const std::vector<ValueId> own(from, from + static_cast<ptrdiff_t>(neighbours));
    next += neighbours;
    append(params, own);
    if (!activity_.any(own)) continue;
    core::Window other = window;
    other.array = tangentArray(e, window.array);
    for (core::Boundary& boundary : other.boundary) {
      if (boundary.kind == core::BoundaryKind::kConstant) {
        boundary.value = tangent(e, boundary.value);
      }
    }
    windows.push_back(std::move(other));
    for (const ValueId param : own) {
      tangents.push_back(program_.add("t", program_.type(param)));
      know(param, tangents.back());
    }
  }
  append(params, tangents);
  const auto positions =
      node.map.params.begin() + static_cast<ptrdiff_t>(core::firstPosition(node));
  const std::vector<ValueId> plain(node.map.params.begin() + static_cast<ptrdiff_t>(next),
                                   positions);
  append(params, plain);
  const std::vector<ValueId> inputs = node.inputs;
  for (size_t i = 0; i < inputs.size(); ++i) {
    if (varies(plain[i])) node.inputs.push_back(tangentArray(e, inputs[i]));
  }
  append(params, tangentParams(plain));
  params.insert(params.end(), positions, node.map.params.end());
  node.windows = std::move(windows);
  node.map.params = std::move(params);
  node.map.body = body(node.map.body, wanted);
  e.append({bindTangents(stm, wanted), std::move(node), false, stm.span});
}

// Places are written once each (normal_form.h), so tangents may be written by themselves.
void Forward::statement(Emitter& e, const Stm& stm, const core::Scatter& node) {
  core::Scatter other = node;
  other.inputs.back() = tangentArray(e, node.inputs.back());
  std::vector<Type> types;
  for (const ValueId param : node.map.params) types.push_back(program_.type(param));
  other.map = e.identity(types);
  other.destinations[0].array = e.copy(tangentArray(e, node.destinations[0].array));
  e.append(stm);
  know(stm.results[0], e.bind("t", program_.type(stm.results[0]), std::move(other)));
}

void Forward::statement(Emitter& e, const Stm& stm, core::Hist node) {
  core::HistOp& operation = node.operations[0];
  const auto found = extremum(operation.op);
  if (found) return extreme(e, stm, std::move(node), *found);
  core::Hist other = node;
  core::HistOp& twin = other.operations[0];
  const std::vector<ValueId> inputs = node.inputs;
  const bool is_sum = isSum(operation.op);
  twin.op = is_sum ? core::freshCopy(program_, operation.op) : pairs(operation.op);
  if (is_sum) {
    e.append(stm);
    other.inputs.erase(other.inputs.begin() + operation.index_rank, other.inputs.end());
    twin.neutral.clear();
    twin.destinations.clear();
  }
  for (size_t i = static_cast<size_t>(operation.index_rank); i < inputs.size(); ++i) {
    other.inputs.push_back(tangentArray(e, inputs[i]));
  }
  for (const Operand& neutral : operation.neutral) twin.neutral.push_back(tangent(e, neutral));
  for (const ValueId destination : operation.destinations) {
    twin.destinations.push_back(e.copy(tangentArray(e, destination)));
  }
  std::vector<Type> types;
  for (const ValueId input : other.inputs) types.push_back(rowOf(program_.type(input)));
  other.map = e.identity(types);
  std::vector<ValueId> results = bindTangents(stm, std::vector<bool>(stm.results.size(), true));
  if (is_sum) {
    results.erase(results.begin(), results.begin() + static_cast<ptrdiff_t>(stm.results.size()));
  }
  e.append({std::move(results), std::move(other), false, stm.span});
}

// (value, position, tangent), so that of equal values the first one counts in any order.
void Forward::extreme(Emitter& e, const Stm& stm, core::Hist node, Op op) {
  core::HistOp& operation = node.operations[0];
  const Type type = rowOf(program_.type(node.inputs.back()));
  const std::vector<Type> types = {type, Type{}, type};
  const ValueId values = node.inputs.back();
  const Type whole = program_.type(stm.results[0]);
  node.inputs.push_back(e.iota(node.width));
  node.inputs.push_back(tangentArray(e, values));
  std::vector<Type> all(static_cast<size_t>(operation.index_rank), Type{});
  all.insert(all.end(), types.begin(), types.end());
  node.map = e.identity(all);
  const ValueId before = e.bind("before", {ScalarType::kI64, whole.shape},
                                core::Replicate{whole.shape, Operand::ofI64(-1)});
  const ValueId tangents = e.copy(tangentArray(e, operation.destinations[0]));
  operation.destinations = {operation.destinations[0], before, tangents};
  operation.neutral = {operation.neutral[0], Operand::ofI64(-1), tangent(e, operation.neutral[0])};
  operation.op = firstExtreme(e, op, types);
  keepValue(e, operation.op, op);
  const ValueId position = program_.add("first", program_.type(before));
  const ValueId result = program_.add("t", whole);
  know(stm.results[0], result);
  e.append({{stm.results[0], position, result}, std::move(node), false, stm.span});
}

void Forward::statement(Emitter& e, const Stm& stm, core::Match node) {
  const std::vector<bool> wanted = vary({stm.results.begin(), stm.results.end()});
  for (core::Case& arm : node.cases) arm.body = body(arm.body, wanted);
  node.otherwise = body(node.otherwise, wanted);
  e.append({bindTangents(stm, wanted), std::move(node), false, stm.span});
}

void Forward::statement(Emitter& e, const Stm& stm, core::Loop node) {
  std::vector<ValueId> params;
  for (const core::Carried& carried : node.carried) params.push_back(carried.param);
  const std::vector<bool> wanted = vary({params.begin(), params.end()});
  const std::vector<ValueId> tangents = tangentParams(params);
  const std::vector<core::Carried> plain = node.carried;
  size_t next = 0;
  for (const core::Carried& carried : plain) {
    if (!varies(carried.param)) continue;
    Operand initial = tangent(e, carried.initial);
    if (carried.consumed && !e.type(initial).isScalar()) initial = e.copy(initial.value);
    node.carried.push_back({tangents[next++], initial, carried.consumed});
  }
  node.body = body(node.body, wanted);
  e.append({bindTangents(stm, wanted), std::move(node), false, stm.span});
}

void Forward::statement(Emitter& e, const Stm& stm, const core::Call& node) {
  const core::Function* callee = program_.find(node.function);
  if (partialsFor(program_, node) != nullptr) {
    e.append(stm);
    const std::vector<ValueId> partials = callPartials(e, node, stm.results[0]);
    const ScalarType type = program_.type(stm.results[0]).scalar;
    Operand sum = prim::zero(type);
    for (size_t i = 0; i < partials.size(); ++i) {
      const Operand& arg = node.args[node.args.size() - partials.size() + i];
      if (!varies(arg) || program_.type(arg).scalar != type) continue;
      sum = e.sum(sum, e.scaled(ruledPartial(partials[i]), tangent(e, arg), type));
    }
    return know(stm.results[0], sum);
  }
  if (callee == nullptr || !callee->kernel.empty()) {
    e.append(stm);
    return refuse(stm, "`" + node.function + "`");
  }
  const auto sizes = static_cast<size_t>(callee->size_results);
  core::DerivativeName name{false, node.args.size(), stm.results.size() - sizes, node.function};
  core::Call call{name.text(), node.args};
  for (const Operand& arg : node.args) call.args.push_back(tangent(e, arg));
  std::vector<bool> wanted(stm.results.size(), true);
  std::fill(wanted.begin(), wanted.begin() + static_cast<ptrdiff_t>(sizes), false);
  e.append({bindTangents(stm, wanted), std::move(call), false, stm.span});
}

}  // namespace halo::ad
