// Questions about single nodes that many passes ask.
#pragma once

#include <algorithm>

#include "lang/core/ir.h"

namespace halo::core {

// A loop or a match: its bodies are host code where it is host code.
inline bool isControl(const Expr& expr) {
  return std::holds_alternative<Loop>(expr) || std::holds_alternative<Match>(expr);
}

// The positions of an array: 0, 1, .. as i64.
inline bool isPlainIota(const Iota& iota) {
  return iota.start == Operand::ofI64(0) && iota.step == Operand::ofI64(1);
}
inline bool isPlainIota(const Expr& expr) {
  const auto* iota = std::get_if<Iota>(&expr);
  return iota != nullptr && isPlainIota(*iota);
}

// How many parameters of the map lambda a window has.
inline size_t paramsOf(const Window& window) {
  return window.dynamic.empty() ? window.offsets.size() : 1;
}
// How many come before those of the plain inputs.
inline size_t windowParams(const Stencil& stencil) {
  size_t count = 0;
  for (const Window& window : stencil.windows) count += paramsOf(window);
  return count;
}
// The parameter that is the first position.
inline size_t firstPosition(const Stencil& stencil) {
  return stencil.map.params.size() - stencil.positions.size();
}

// Whether the body returns the results of this statement, all of them in their order.
inline bool returnsResultsOf(const Body& body, const Stm& stm) {
  return std::equal(
      stm.results.begin(), stm.results.end(), body.results.begin(), body.results.end(),
      [](ValueId made, const Operand& returned) { return returned == Operand(made); });
}

}  // namespace halo::core
