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

}  // namespace

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
