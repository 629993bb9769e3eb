#include "lang/types/consume/star_misfit.h"

namespace halo::types {

Uniqueness parameterStars(const FunctionType& function) {
  Uniqueness stars = function.unique_parameter;
  if (function.consumes && !stars.any()) stars.all = true;
  return stars;
}

namespace {

// Whether `found` has a star wherever `needed` has one.
bool coversStars(const Program& program, TypeId type, const Uniqueness& found,
                 const Uniqueness& needed, Unknowns unknowns) {
  if (found.all || !needed.any()) return true;
  const TypeNode& node = program.types[type];
  if (std::holds_alternative<ScalarTypeNode>(node)) return true;
  if (unknowns == Unknowns::kTrusted && std::holds_alternative<ParamType>(node)) return true;
  if (!hasParts(program, type)) return !needed.all;
  for (const Part& part : partsOf(program, type)) {
    const Uniqueness &own = starsOf(found, part), &wanted = starsOf(needed, part);
    if (!coversStars(program, part.type, own, wanted, unknowns)) return false;
  }
  return true;
}

}  // namespace

StarMisfit starMisfit(const Program& program, TypeId found, TypeId needed, Unknowns unknowns,
                      std::optional<Closure> closure) {
  if (!found || !needed) return StarMisfit::kNone;
  if (found == needed && !closure) return StarMisfit::kNone;
  auto* f = std::get_if<FunctionType>(&program.types[found]);
  auto* n = std::get_if<FunctionType>(&program.types[needed]);
  if (!f || !n) {
    std::vector<Part> parts = partsOf(program, found), others = partsOf(program, needed);
    for (size_t i = 0; i < parts.size() && i < others.size(); ++i) {
      StarMisfit misfit =
          starMisfit(program, parts[i].type, others[i].type, unknowns, std::nullopt);
      if (misfit != StarMisfit::kNone) return misfit;
    }
    return StarMisfit::kNone;
  }
  if (!coversStars(program, n->parameter, parameterStars(*n), parameterStars(*f),
                   Unknowns::kStrict)) {
    return StarMisfit::kConsumes;
  }
  StarMisfit parameter = starMisfit(program, n->parameter, f->parameter, unknowns, std::nullopt);
  if (parameter != StarMisfit::kNone) return parameter;
  bool is_last = closure && closure->parameters == 1;
  const Uniqueness& stars = is_last ? closure->result : f->unique_result;
  if (!std::get_if<FunctionType>(&program.types[f->result]) &&
      !coversStars(program, f->result, stars, n->unique_result, unknowns)) {
    return StarMisfit::kNotUnique;
  }
  if (is_last) closure.reset();
  if (closure) --closure->parameters;
  return starMisfit(program, f->result, n->result, unknowns, closure);
}

StarMisfit starMisfit(const Program& program, TypeId found, TypeId needed, Unknowns unknowns) {
  return starMisfit(program, found, needed, unknowns, std::nullopt);
}

}  // namespace halo::types
