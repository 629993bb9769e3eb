// Whether a module fits a module type. Types have the same parameters and are no more lifted.
// Values are at least as general, consume no more and alias no more than declared.
#include <fmt/format.h>

#include <algorithm>

#include "lang/types/consume/consume.h"
#include "lang/types/declare/declare.h"
#include "lang/types/declare/names.h"
#include "lang/types/modules/module_type.h"
#include "lang/types/sizes/size_scope.h"

namespace halo::types {

using diag::Code;
using namespace syntax;

void SignatureMatcher::doesNotFit(SignatureMatch& match, Span where, std::string message) {
  match.fits = false;
  if (!match.compare && context_.world == World::kOpaque) return;
  auto& diagnostic = sink_.error(Code::module_mismatch, match.span,
                                 "this module does not fit its type: " + std::move(message));
  if (where.file) diagnostic.labels.push_back({where, "needed here"});
}

std::string SignatureMatcher::shown(const SignatureMatch& match, const std::string& name) const {
  std::string text;
  for (const std::string& part : match.path) text += part + ".";
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

void SignatureMatcher::fitParameters(const TypeAbbreviation& found, const TypeAbbreviation& needed,
                                     const Identifier& name, SignatureMatch& match) {
  if (found.is_size != needed.is_size) {
    doesNotFit(match, name.span,
               fmt::format("type {} has {}, but {} are needed", shown(match, name.name),
                           parametersOf(found), parametersOf(needed)));
    return;
  }
  for (size_t i = 0; i < found.type_parameters.size(); ++i) {
    const TypeParam& own = program_.type_params[found.type_parameters[i]];
    if (own.lift >= program_.type_params[needed.type_parameters[i]].lift) continue;
    doesNotFit(match, name.span,
               fmt::format("type {} takes fewer types for its parameter `{}` than are needed",
                           shown(match, name.name), own.name));
    return;
  }
}

void SignatureMatcher::fitAbstract(const TypeAbbreviation& found, const TypeAbbreviation& needed,
                                   const Identifier& name, SignatureMatch& match) {
  if (!match.compare) return;
  fitParameters(found, needed, name, match);
  fitSizes(found, name, match);
  if (found.lift <= needed.lift) return;
  doesNotFit(match, name.span,
             fmt::format("type {} is declared by `{}`, but `{}` is needed", shown(match, name.name),
                         spelled(found.lift), spelled(needed.lift)));
}

// Every value of an abstract type shows the sizes that it is applied to.
void SignatureMatcher::fitSizes(const TypeAbbreviation& found, const Identifier& name,
                                SignatureMatch& match) {
  if (!match.fits) return;
  std::vector<BinderId> visible;
  addWholeSizes(program_, found.type, visible);
  for (BinderId size : found.size_parameters) {
    if (std::find(visible.begin(), visible.end(), size) != visible.end()) continue;
    doesNotFit(match, name.span,
               fmt::format("type {} is abstract, but no array of `{}` shows its size `{}`",
                           shown(match, name.name), print(program_, found.type),
                           program_.binders[size].name));
    return;
  }
}

// `with t = ..` is said of the module type, whatever the module. Its values may have sizes that
// only they know: they are not abstract. False: the misfit is reported.
bool SignatureMatcher::fitRefinement(const TypeAbbreviation& found, const TypeAbbreviation& needed,
                                     const Identifier& name, SignatureMatch& match) {
  if (context_.world == World::kTransparent || match.ascription != Ascription::kNone) return true;
  SignatureMatch alone{Ascription::kNone, match.span, true, true, match.path, {}};
  TypeAbbreviation sized = needed;
  sized.lift = std::max(needed.lift, Lift::kSize);
  fitAbstract(found, found.lift == Lift::kSize ? sized : needed, name, alone);
  return alone.fits;
}

void SignatureMatcher::fitManifest(const TypeAbbreviation& found, const TypeAbbreviation& needed,
                                   const Identifier& name, SignatureMatch& match) {
  if (!match.compare) return;
  fitParameters(found, needed, name, match);
  if (!match.fits) return;
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
  std::string message = fmt::format("type {} is `{}`, but `{}` is needed", shown(match, name.name),
                                    print(program_, found.type), print(program_, needed.type));
  declarations_.forgetDeclaration();
  if (!fits) doesNotFit(match, name.span, std::move(message));
}

void SignatureMatcher::fitValue(const Value& found, const Scheme& needed, const ValDecl& spec,
                                SignatureMatch& match) {
  if (context_.broken.count(found.def) > 0) return;
  const Def& def = program_.defs[found.def];
  Scheme own{def.type_parameters, def.size_parameters, {}, def.type};
  if (found.view) own = *found.view;
  own.hidden_sizes.clear();
  TypeRef actual = names_.instantiate(own, match.span);
  Substitution any;
  for (BinderId size : needed.hidden_sizes) {
    any.sizes.emplace_back(size, inference_.unknownSize(match.span));
  }
  TypeRef wanted = inference_.instantiate(inference_.import(needed.type), any);
  bool fits = !inference_.unify(actual, wanted) && !inference_.solvePostponed();
  std::string message =
      fmt::format("value {} has type `{}`, but `{}` is needed", shown(match, spec.name.name),
                  print(program_, own.type), print(program_, needed.type));
  StarMisfit stars =
      fits ? starMisfit(program_, own.type, needed.type, Unknowns::kTrusted) : StarMisfit::kNone;
  if (stars == StarMisfit::kConsumes) message += ": it must not consume its argument";
  if (stars == StarMisfit::kNotUnique) message += ": its result must share with nothing else";
  declarations_.forgetDeclaration();
  if (fits && stars == StarMisfit::kNone) return;
  if (match.types_fit) {
    doesNotFit(match, spec.name.span, std::move(message));
  } else {
    match.fits = false;
  }
}

}  // namespace halo::types
