// Derivatives in Core: a call of a function that the program does not have yet. `vjp.2.1.f` is the
// reverse derivative of `f` by its last 2 parameters, of its last 1 result:
//
//   (y: f32, x': f32, c': f32) = call vjp.2.1.f (n, x, c, w)      f (n, x, c) -> (y), w: a weight
//   (y: f32, t: f32) = call jvp.2.1.f (n, x, c, x', c')
//
// Its parameters are those of `f`, then tangents for the last parameters (jvp) or cotangents for
// the last results (vjp). Its results are those of `f`, then the tangents of the last results, or
// the cotangents of the last parameters. lang/ad writes such functions; then the calls are calls
// like all others.
//
// Functions that say how others are differentiated go by their names, too. Let `f` have k scalar
// parameters at the end. `partials.f` takes the parameters and the result of `f`, and gives the k
// partials. `adjoint.f` takes the parameters and results of `f` and a cotangent for each result. It
// gives the cotangents of as many parameters, the last ones, as it has results.
#pragma once

#include <optional>
#include <string>

#include "lang/core/ir.h"

namespace halo::core {

struct DerivativeName {
  bool reverse = false;
  size_t arguments = 0, results = 0;
  std::string function;

  std::string text() const;
};
std::optional<DerivativeName> derivativeName(const std::string& name);
// Of a call that the program does not define.
std::optional<DerivativeName> derivativeIn(const Program& program, const Stm& stm);

inline std::string partialsOf(const std::string& function) { return "partials." + function; }
inline std::string adjointOf(const std::string& function) { return "adjoint." + function; }

}  // namespace halo::core
