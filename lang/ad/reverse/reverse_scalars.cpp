// Return statements of scalars and calls: the table of partials.
#include "lang/ad/reverse/reverse.h"
#include "lang/ad/rules.h"
#include "lang/core/derivative_name.h"

namespace halo::ad {

bool Reverse::scalar(Scope& s, const Stm& stm, const Operand& c) {
  Emitter& e = s.back;
  if (const auto* node = std::get_if<core::PrimOp>(&stm.expr)) {
    for (size_t i = node->args.size(); i-- > 0;) {
      if (!varies(node->args[i])) continue;
      const auto partial = partialOf(e, *node, stm.results[0], static_cast<int>(i));
      if (partial.kind == prim::Partial<Operand>::Kind::kZero) continue;
      add(s, node->args[i], e.scaled(partial, c, node->type));
    }
    return true;
  }
  if (const auto* node = std::get_if<core::Convert>(&stm.expr)) {
    if (varies(node->arg)) add(s, node->arg, e.convert(node->kind, node->from, c));
    return true;
  }
  if (const auto* node = std::get_if<core::Select>(&stm.expr)) {
    const Operand none = prim::zero(e.type(c).scalar);
    if (varies(node->on_false)) add(s, node->on_false, e.select(node->condition, none, c));
    if (varies(node->on_true)) add(s, node->on_true, e.select(node->condition, c, none));
    return true;
  }
  return false;
}

void Reverse::call(Scope& s, const Stm& stm, const core::Call& node, const Cotangents& cs) {
  Emitter& e = s.back;
  if (partialsFor(program_, node) != nullptr) {
    const std::vector<ValueId> partials = callPartials(e, node, stm.results[0]);
    const ScalarType type = program_.type(stm.results[0]).scalar;
    for (size_t i = partials.size(); i-- > 0;) {
      const Operand& arg = node.args[node.args.size() - partials.size() + i];
      if (!varies(arg) || program_.type(arg).scalar != type) continue;
      add(s, arg, e.scaled(ruledPartial(partials[i]), *cs[0], type));
    }
    return;
  }
  const core::Function* adjoint = adjointFor(program_, node);
  const core::Function* callee = program_.find(node.function);
  if (callee == nullptr || !callee->kernel.empty()) return refuse(stm, "`" + node.function + "`");
  Operands args = node.args;
  const auto sizes = static_cast<size_t>(callee->size_results);
  if (adjoint != nullptr) args.insert(args.end(), stm.results.begin(), stm.results.end());
  for (size_t i = sizes; i < cs.size(); ++i) {
    args.push_back(cs[i] ? *cs[i] : e.zero(program_.type(stm.results[i])));
  }
  const size_t count = adjoint != nullptr ? adjoint->results.size() : node.args.size();
  const core::DerivativeName name{true, node.args.size(), stm.results.size() - sizes,
                                  node.function};
  std::vector<ValueId> results;
  if (adjoint == nullptr) {  // the function runs again
    for (const ValueId result : stm.results) {
      results.push_back(program_.add("t", program_.type(result)));
    }
    for (size_t i = 0; i < sizes; ++i) {
      // Its sizes are those of the first run.
      core::Substitution same{{stm.results[i], results[i]}};
      for (size_t k = sizes; k < results.size(); ++k) {
        for (Operand& size : program_.values[results[k]].type.shape) {
          if (size == Operand(stm.results[i])) size = results[i];
        }
      }
    }
  }
  const size_t first = results.size();
  for (size_t i = node.args.size() - count; i < node.args.size(); ++i) {
    results.push_back(program_.add("t", program_.type(node.args[i])));
  }
  const std::string function = adjoint != nullptr ? adjoint->name : name.text();
  e.append({results, core::Call{function, std::move(args)}, false, stm.span});
  for (size_t i = count; i-- > 0;) {
    add(s, node.args[node.args.size() - count + i], results[first + i]);
  }
}

}  // namespace halo::ad
