// Whether a module fits a module type. Types have the same parameters and are no more lifted.
// Values are at least as general, consume no more and alias no more than declared.
#include <fmt/format.h>

#include <algorithm>

#include "lang/types/checker.h"

namespace halo::types {

using diag::Code;
using namespace syntax;

void Checker::doesNotFit(Sight& sight, Span where, std::string message) {
  sight.fits = false;
  if (!sight.compare && world_ == World::kOpaque) return;
  auto& diagnostic = sink_.error(Code::module_mismatch, sight.span,
                                 "this module does not fit its type: " + std::move(message));
  if (where.file) diagnostic.labels.push_back({where, "needed here"});
}

std::string Checker::shown(const Sight& sight, const std::string& name) const {
  std::string text;
  for (const std::string& part : sight.path) text += part + ".";
  return "`" + text + name + "`";
}

namespace {

const char* spelled(Lift lift) {
  return lift == Lift::kFull ? "type^" : lift == Lift::kSize ? "type~" : "type";
}

std::string parametersOf(const TypeAbbreviation& type) {
  if (type.is_size.empty()) return "no parameters";
  std::string text = "the parameters";
  for (bool is_size : type.is_size) text += is_size ? " []" : " '";
  return text;
}

}  // namespace

void Checker::fitParameters(const TypeAbbreviation& found, const TypeAbbreviation& needed,
                            const Identifier& name, Sight& sight) {
  if (found.is_size != needed.is_size) {
    doesNotFit(sight, name.span,
               fmt::format("type {} has {}, but {} are needed", shown(sight, name.name),
                           parametersOf(found), parametersOf(needed)));
    return;
  }
  for (size_t i = 0; i < found.type_parameters.size(); ++i) {
    const TypeParam& own = program_.type_params[found.type_parameters[i]];
    if (own.lift >= program_.type_params[needed.type_parameters[i]].lift) continue;
    doesNotFit(sight, name.span,
               fmt::format("type {} takes fewer types for its parameter `{}` than are needed",
                           shown(sight, name.name), own.name));
    return;
  }
}

void Checker::fitAbstract(const TypeAbbreviation& found, const TypeAbbreviation& needed,
                          const Identifier& name, Sight& sight) {
  if (!sight.compare) return;
  fitParameters(found, needed, name, sight);
  fitSizes(found, name, sight);
  if (found.lift <= needed.lift) return;
  doesNotFit(sight, name.span,
             fmt::format("type {} is declared by `{}`, but `{}` is needed", shown(sight, name.name),
                         spelled(found.lift), spelled(needed.lift)));
}

// Every value of an abstract type shows the sizes that it is applied to.
void Checker::fitSizes(const TypeAbbreviation& found, const Identifier& name, Sight& sight) {
  if (!sight.fits) return;
  std::vector<BinderId> visible;
  addWholeSizes(program_, found.type, visible);
  for (BinderId size : found.size_parameters) {
    if (std::find(visible.begin(), visible.end(), size) != visible.end()) continue;
    doesNotFit(sight, name.span,
               fmt::format("type {} is abstract, but no array of `{}` shows its size `{}`",
                           shown(sight, name.name), print(program_, found.type),
                           program_.binders[size].name));
    return;
  }
}

// `with t = ..` is said of the module type, whatever the module. Its values may have sizes that
// only they know: they are not abstract.
void Checker::fitRefinement(const TypeAbbreviation& found, const TypeAbbreviation& needed,
                            const Identifier& name, Sight& sight) {
  if (world_ == World::kTransparent || sight.seeing != Seeing::kAny) return;
  Sight alone{Seeing::kAny, sight.span, true, true, sight.path, {}};
  TypeAbbreviation sized = needed;
  sized.lift = std::max(needed.lift, Lift::kSize);
  fitAbstract(found, found.lift == Lift::kSize ? sized : needed, name, alone);
}

void Checker::fitManifest(const TypeAbbreviation& found, const TypeAbbreviation& needed,
                          const Identifier& name, Sight& sight) {
  if (!sight.compare) return;
  fitParameters(found, needed, name, sight);
  if (!sight.fits) return;
  Substitution same;
  for (size_t i = 0; i < found.type_parameters.size(); ++i) {
    same.types.emplace_back(found.type_parameters[i], inference_.param(needed.type_parameters[i]));
  }
  for (size_t i = 0; i < found.size_parameters.size(); ++i) {
    same.sizes.emplace_back(found.size_parameters[i], binderSize(needed.size_parameters[i]));
  }
  bool fits = found.hidden_sizes.size() == needed.hidden_sizes.size();
  for (size_t i = 0; fits && i < found.hidden_sizes.size(); ++i) {
    same.sizes.emplace_back(found.hidden_sizes[i], binderSize(needed.hidden_sizes[i]));
  }
  TypeRef actual = inference_.instantiate(inference_.import(found.type), same);
  fits = fits && !inference_.unify(actual, inference_.import(needed.type)) &&
         !inference_.solvePostponed();
  std::string message = fmt::format("type {} is `{}`, but `{}` is needed", shown(sight, name.name),
                                    print(program_, found.type), print(program_, needed.type));
  forgetDeclaration();
  if (!fits) doesNotFit(sight, name.span, std::move(message));
}

void Checker::fitValue(const Value& found, const Scheme& needed, const ValDecl& spec,
                       Sight& sight) {
  if (broken_.count(found.def) > 0) return;
  const Def& def = program_.defs[found.def];
  Scheme own{def.type_parameters, def.size_parameters, {}, def.type};
  if (found.view) own = *found.view;
  own.hidden_sizes.clear();
  TypeRef actual = instantiate(own, sight.span);
  Substitution any;
  for (BinderId size : needed.hidden_sizes) {
    any.sizes.emplace_back(size, inference_.unknownSize(sight.span));
  }
  TypeRef wanted = inference_.instantiate(inference_.import(needed.type), any);
  bool fits = !inference_.unify(actual, wanted) && !inference_.solvePostponed();
  std::string message =
      fmt::format("value {} has type `{}`, but `{}` is needed", shown(sight, spec.name.name),
                  print(program_, own.type), print(program_, needed.type));
  StarMisfit stars =
      fits ? starMisfit(program_, own.type, needed.type, Unknowns::kTrusted) : StarMisfit::kNone;
  if (stars == StarMisfit::kConsumes) message += ": it must not consume its argument";
  if (stars == StarMisfit::kNotUnique) message += ": its result must share with nothing else";
  forgetDeclaration();
  if (!fits || stars != StarMisfit::kNone) doesNotFit(sight, spec.name.span, std::move(message));
}

}  // namespace halo::types
