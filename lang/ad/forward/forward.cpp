#include "lang/ad/forward/forward.h"

#include "lang/ad/rules.h"

namespace halo::ad {

Operand Forward::tangent(Emitter& e, const Operand& operand) {
  const auto found = operand.isConstant() ? tangents_.end() : tangents_.find(operand.value);
  return found != tangents_.end() ? found->second : e.zero(e.type(operand));
}

std::vector<bool> Forward::vary(const Operands& operands) const {
  std::vector<bool> all;
  for (const Operand& operand : operands) all.push_back(varies(operand));
  return all;
}

std::vector<ValueId> Forward::tangentParams(const std::vector<ValueId>& params) {
  std::vector<ValueId> tangents;
  for (const ValueId param : params) {
    if (!varies(param)) continue;
    tangents.push_back(program_.add(program_.values[param].name + "_t", program_.type(param)));
    know(param, tangents.back());
  }
  return tangents;
}

std::vector<ValueId> Forward::bindTangents(const Stm& stm, const std::vector<bool>& wanted) {
  std::vector<ValueId> results = stm.results;
  for (size_t i = 0; i < wanted.size(); ++i) {
    if (!wanted[i]) continue;
    const ValueId result = stm.results[i];
    results.push_back(program_.add(program_.values[result].name + "_t", program_.type(result)));
    know(result, results.back());
  }
  return results;
}

Body Forward::body(const Body& body, const std::vector<bool>& wanted) {
  Emitter e(program_);
  for (const Stm& stm : body.stms) statement(e, stm);
  Operands results = body.results;
  for (size_t i = 0; i < wanted.size(); ++i) {
    if (wanted[i]) results.push_back(tangent(e, body.results[i]));
  }
  return e.take(std::move(results));
}

void Forward::statement(Emitter& e, const Stm& stm) {
  if (!activity_.any(stm.results)) return e.append(stm);
  if (const auto* node = std::get_if<core::Screma>(&stm.expr)) return statement(e, stm, *node);
  if (const auto* node = std::get_if<core::Stencil>(&stm.expr)) return statement(e, stm, *node);
  if (const auto* node = std::get_if<core::Scatter>(&stm.expr)) return statement(e, stm, *node);
  if (const auto* node = std::get_if<core::Hist>(&stm.expr)) return statement(e, stm, *node);
  if (const auto* node = std::get_if<core::Match>(&stm.expr)) return statement(e, stm, *node);
  if (const auto* node = std::get_if<core::Loop>(&stm.expr)) return statement(e, stm, *node);
  if (const auto* node = std::get_if<core::Call>(&stm.expr)) return statement(e, stm, *node);
  e.append(stm);
  if (!simple(e, stm)) refuse(stm, "an operation that it does not know");
}

}  // namespace halo::ad
