// Roots are computed in program order, once; a call's come from the callee's body.
#include "lang/core/aliases.h"

#include <algorithm>
#include <functional>

#include "lang/core/visit.h"

namespace halo::core {

std::optional<ValueId> viewed(const Expr& expr) {
  if (const auto* n = std::get_if<Index>(&expr)) return n->array;
  if (const auto* n = std::get_if<Slice>(&expr)) return n->array;
  if (const auto* n = std::get_if<Rearrange>(&expr)) return n->array;
  if (const auto* n = std::get_if<Reshape>(&expr)) return n->array;
  if (const auto* n = std::get_if<Slide>(&expr)) return n->array;
  return std::nullopt;
}

Roots unite(Roots a, const Roots& b) {
  a.insert(a.end(), b.begin(), b.end());
  if (!std::is_sorted(a.begin(), a.end())) std::sort(a.begin(), a.end());
  a.erase(std::unique(a.begin(), a.end()), a.end());
  return a;
}

const Roots& Aliases::of(ValueId value) {
  auto [found, is_new] = roots_.try_emplace(value);
  if (is_new) found->second = {value};
  return found->second;
}

Roots Aliases::of(const Operand& operand) {
  if (operand.isConstant() || program_.type(operand).isScalar()) return {};
  return of(operand.value);
}

namespace {

using ShownParameters = std::vector<std::vector<size_t>>;

// The memory from outside and the inner bindings that the results show; empty: none. `parameters`:
// by result of a called function, the parameters that it shows.
std::vector<Roots> shownBy(const Stm& stm, Aliases& aliases,
                           const std::function<ShownParameters(const Call&)>& parameters) {
  std::vector<Roots> all(stm.results.size());
  auto unites = [&](size_t i, const Operand& operand) {
    if (i < all.size()) all[i] = unite(std::move(all[i]), aliases.of(operand));
  };
  if (auto array = viewed(stm.expr)) {
    unites(0, *array);
  } else if (const auto* match = std::get_if<Match>(&stm.expr)) {
    for (const Case& c : match->cases) {
      for (size_t i = 0; i < c.body.results.size(); ++i) unites(i, c.body.results[i]);
    }
    for (size_t i = 0; i < match->otherwise.results.size(); ++i) {
      unites(i, match->otherwise.results[i]);
    }
  } else if (const auto* loop = std::get_if<Loop>(&stm.expr)) {
    for (size_t i = 0; i < loop->carried.size(); ++i) {
      if (loop->carried[i].consumed) continue;  // the initial value is gone, the rest is fresh
      unites(i, loop->carried[i].initial);
      if (i < loop->body.results.size()) unites(i, loop->body.results[i]);
    }
  } else if (const auto* call = std::get_if<Call>(&stm.expr)) {
    const ShownParameters shown = parameters(*call);
    for (size_t i = 0; i < shown.size(); ++i) {
      for (size_t param : shown[i]) {
        if (param < call->args.size()) unites(i, call->args[param]);
      }
    }
  }
  return all;
}

}  // namespace

std::vector<Roots> Aliases::resultRoots(const Stm& stm) {
  std::vector<Roots> all;
  const bool has_arrays = std::any_of(stm.results.begin(), stm.results.end(), [&](ValueId result) {
    return !program_.type(result).isScalar();
  });
  auto parameters = [&](const Call& call) {
    const Function* callee = program_.find(call.function);
    return callee == nullptr ? ShownParameters() : ofFunction(*callee);
  };
  if (has_arrays) all = shownBy(stm, *this, parameters);
  const bool only_fresh =
      std::all_of(all.begin(), all.end(), [](const Roots& roots) { return roots.empty(); });
  if (only_fresh) {  // nearly every statement
    all.clear();
    for (ValueId result : stm.results) all.push_back({result});
    return all;
  }
  // An inner binding is fresh memory: the first result that shows it is the root. Roots bound
  // deeper have become results of the statements right below.
  std::unordered_set<ValueId> inner;
  visitBound(stm.expr, [&](ValueId value) { inner.insert(value); });
  visitBodies(stm.expr, [&](const Body& body) {
    for (const Stm& nested : body.stms) inner.insert(nested.results.begin(), nested.results.end());
  });
  std::unordered_map<ValueId, ValueId> shown_by;
  for (size_t i = 0; i < all.size(); ++i) {
    if (all[i].empty()) all[i] = {stm.results[i]};
    for (ValueId& root : all[i]) {
      if (inner.contains(root)) root = shown_by.try_emplace(root, stm.results[i]).first->second;
    }
    all[i] = unite(std::move(all[i]), {});
  }
  return all;
}

void Aliases::bindBody(const Body& body) {
  for (const Stm& stm : body.stms) {
    visitBodies(stm.expr, [&](const Body& nested) { bindBody(nested); });
    std::vector<Roots> roots = resultRoots(stm);
    for (size_t i = 0; i < stm.results.size(); ++i) bind(stm.results[i], roots[i]);
  }
}

const std::vector<std::vector<size_t>>& Aliases::ofFunction(const Function& function) {
  auto found = functions_.find(function.name);
  if (found != functions_.end()) return found->second;
  // A recursive call meets this first guess: anything may alias any parameter not consumed.
  std::vector<size_t> all;
  for (size_t p = 0; p < function.params.size(); ++p) {
    if (p >= function.consumed.size() || !function.consumed[p]) all.push_back(p);
  }
  functions_[function.name].assign(function.results.size(), all);
  bindBody(function.body);
  std::vector<std::vector<size_t>> result(function.results.size());
  for (size_t i = 0; i < result.size() && i < function.body.results.size(); ++i) {
    Roots roots = of(function.body.results[i]);
    for (size_t p : all) {
      if (std::binary_search(roots.begin(), roots.end(), function.params[p]))
        result[i].push_back(p);
    }
  }
  return functions_[function.name] = std::move(result);
}

namespace {

// The inputs of a map that works in place on its rows.
std::vector<ValueId> consumedInputs(const Program& program, const Screma& node) {
  const std::vector<ValueId>& params = node.map.params;
  std::unordered_map<ValueId, ValueId> input_of;  // by parameter and by view of one
  for (size_t i = 0; i < params.size() && i < node.inputs.size(); ++i) {
    if (!program.type(params[i]).isScalar()) input_of[params[i]] = node.inputs[i];
  }
  if (input_of.empty()) return {};
  std::vector<ValueId> consumed;
  visitStms(node.map.body, [&](const Stm& stm) {
    if (auto array = viewed(stm.expr); array && input_of.contains(*array)) {
      input_of[stm.results[0]] = input_of.at(*array);
    }
    for (ValueId array : consumedBy(program, stm.expr)) {
      auto found = input_of.find(array);
      const bool is_new = found != input_of.end() && std::find(consumed.begin(), consumed.end(),
                                                               found->second) == consumed.end();
      if (is_new) consumed.push_back(found->second);
    }
  });
  return consumed;
}

}  // namespace

std::vector<ValueId> consumedBy(const Program& program, const Expr& expr) {
  std::vector<ValueId> consumed;
  if (const auto* screma = std::get_if<Screma>(&expr)) return consumedInputs(program, *screma);
  auto add = [&](const Operand& operand) {
    if (!operand.isConstant() && !program.type(operand).isScalar()) {
      consumed.push_back(operand.value);
    }
  };
  if (const auto* update = std::get_if<Update>(&expr)) add(update->array);
  if (const auto* scatter = std::get_if<Scatter>(&expr)) {
    for (const ScatterDest& d : scatter->destinations) add(d.array);
  }
  if (const auto* hist = std::get_if<Hist>(&expr)) {
    for (const HistOp& operation : hist->operations) {
      for (ValueId destination : operation.destinations) add(destination);
    }
  }
  if (const auto* loop = std::get_if<Loop>(&expr)) {
    for (const Carried& c : loop->carried) {
      if (c.consumed) add(c.initial);
    }
  }
  if (const auto* call = std::get_if<Call>(&expr)) {
    const Function* callee = program.find(call->function);
    for (size_t i = 0; callee != nullptr && i < call->args.size(); ++i) {
      if (i < callee->consumed.size() && callee->consumed[i]) add(call->args[i]);
    }
  }
  return consumed;
}

}  // namespace halo::core
