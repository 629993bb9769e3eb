// Module types are interpreted where they are needed. `see` walks the specifications of a module
// type and makes its table of names, for a given module or for an unknown one. Names in a module
// type keep the meaning of its declaration, so its scopes come with it.
#include <fmt/format.h>

#include <algorithm>

#include "lang/base/match.h"
#include "lang/syntax/copy.h"
#include "lang/syntax/visit.h"
#include "lang/types/declare/declare.h"
#include "lang/types/declare/elaborate_type.h"
#include "lang/types/declare/names.h"
#include "lang/types/modules/module_eval.h"
#include "lang/types/modules/module_type.h"
#include "lang/types/modules/on_demand.h"
#include "lang/types/sizes/size_of.h"

namespace halo::types {

using diag::Code;
using namespace syntax;

// `m : mt`. In the transparent world this only hides names and makes types less general.
Module SignatureMatcher::ascribe(const Module& module, ModuleTypeId type, Span span) {
  if (!checkModuleType(type) || module.isBroken()) return {};
  SignatureMatch through{Ascription::kTransparent, span, context_.world == World::kOpaque};
  Module seen = matchSignature(&module, type, through);
  if (!through.fits) return {};
  if (context_.world == World::kTransparent) return seen;
  SignatureMatch sealed{Ascription::kOpaque, span};
  return matchSignature(&module, type, sealed);
}

// Reports the faults of a module type by itself; one that has a name was checked before.
bool SignatureMatcher::checkModuleType(ModuleTypeId type) {
  if (context_.world == World::kTransparent) return true;
  if (auto* named = std::get_if<ModuleTypeName>(&program_.tree.module_types[type].node)) {
    const ModuleTypeName copy = *named;
    const ModuleType* found = names_.findModuleType(copy.name);
    if (!found) names_.reportUnknownModuleType(copy.name);
    if (found) names_.note(copy.name, found->span);
    return found && found->type;
  }
  size_t errors = sink_.errorCount();
  SignatureMatch any{Ascription::kNone, program_.tree.module_types[type].span};
  matchSignature(nullptr, type, any);
  return sink_.errorCount() == errors;
}

Module SignatureMatcher::matchSignature(const Module* module, ModuleTypeId type,
                                        SignatureMatch& match) {
  const ModuleTypeExpr expr = program_.tree.module_types[type];
  if (modules_.isTooMuch(expr.span)) {
    match.fits = false;
    return {};
  }
  return base::match(
      expr.node, [&](const ModuleTypeName& node) { return matchNamed(module, node, match); },
      [&](const ModuleTypeBody& node) { return matchBody(module, node, match); },
      [&](const ModuleTypeWith& node) { return matchWith(module, node, match); },
      [&](const ModuleTypeArrow& node) { return matchArrow(module, node, match); });
}

Module SignatureMatcher::matchNamed(const Module* module, const ModuleTypeName& node,
                                    SignatureMatch& match) {
  const ModuleType* found = names_.findModuleType(node.name);
  if (!found) names_.reportUnknownModuleType(node.name);
  if (found) names_.note(node.name, found->span);
  if (!found || !found->type) {
    match.fits = false;
    return {};
  }
  const ModuleType type = *found;
  ScopeStack outer = std::exchange(scopes_, ScopeStack(type.scopes));
  Module seen = matchSignature(module, type.type, match);
  scopes_ = std::move(outer);
  return seen;
}

Module SignatureMatcher::matchWith(const Module* module, const ModuleTypeWith& node,
                                   SignatureMatch& match) {
  Refinement refinement{match.path, {}, node.name};
  refinement.path.insert(refinement.path.end(), node.name.qualifiers.begin(),
                         node.name.qualifiers.end());
  refinement.path.push_back(node.name.name);
  refinement.type = elaborator_.elaborateAbbreviation(
      {node.name.name, node.name.span}, node.parameters, copyOf(node.definition), std::nullopt);
  match.refinements.push_back(std::move(refinement));
  Module seen = matchSignature(module, node.type, match);
  bool is_used = match.refinements.back().is_used;
  match.refinements.pop_back();
  if (is_used || seen.isBroken()) return seen;
  sink_.error(Code::module_mismatch, node.name.span,
              fmt::format("`{}` is no abstract type of this module type", node.name.name));
  match.fits = false;
  return {};
}

// A parametric module fits if it takes any argument that the arrow allows, and its result fits
// then.
Module SignatureMatcher::matchArrow(const Module* module, const ModuleTypeArrow& node,
                                    SignatureMatch& match) {
  if (module && !module->parametric) {
    doesNotFit(match, node.parameter.name.span,
               fmt::format("{} is needed as a parametric module, but takes no parameter",
                           shown(match, "this module")));
    return {};
  }
  ShownModule seen{node.result, module ? module->parametric : nullptr};
  auto made = std::make_shared<ParametricModule>(
      ParametricModule{node.parameter, std::move(seen), scopes_.capture()});
  if (!match.compare && match.ascription != Ascription::kNone) return {nullptr, std::move(made)};
  scopes_.push();
  Module argument = modules_.unknownModule(node.parameter);
  if (!node.parameter.name.name.empty()) {
    scopes_.define(node.parameter.name.name, argument, false);
  }
  Module result;
  if (module && !argument.isBroken())
    result = modules_.apply(*module->parametric, argument, match.span);
  SignatureMatch of_result{module ? Ascription::kTransparent : Ascription::kNone, match.span,
                           match.compare};
  if (!module || !result.isBroken())
    matchSignature(module ? &result : nullptr, node.result, of_result);
  if (module) match.fits = match.fits && !result.isBroken() && of_result.fits;
  scopes_.pop();
  return {nullptr, std::move(made)};
}

Module SignatureMatcher::matchBody(const Module* module, const ModuleTypeBody& node,
                                   SignatureMatch& match) {
  if (module && !module->scope) {
    doesNotFit(match, {},
               fmt::format("{} is a parametric module, and needed as one with members",
                           shown(match, "this")));
    return {};
  }
  scopes_.push();
  const auto outer = std::exchange(match.missing, {});
  for (SpecId spec : node.specs) matchSpec(module, spec, match);
  reportMissing(match);
  match.missing = outer;
  return {scopes_.pop(), nullptr};
}

// `i32` as a `real`: one message, not one for each function that it lacks.
void SignatureMatcher::reportMissing(SignatureMatch& match) {
  constexpr size_t kShown = 5;
  if (match.missing.empty()) return;
  std::vector<std::string> names;
  for (const auto& [name, span] : match.missing) names.push_back(name);
  const bool is_one = names.size() == 1;
  const size_t more = names.size() - std::min(names.size(), kShown);
  names.resize(names.size() - more);
  doesNotFit(match, match.missing.front().second,
             fmt::format("value{} {}{} {} missing", is_one ? "" : "s", fmt::join(names, ", "),
                         more > 0 ? fmt::format(" and {} more", more) : "", is_one ? "is" : "are"));
}

void SignatureMatcher::matchSpec(const Module* module, SpecId id, SignatureMatch& match) {
  const Spec spec = program_.tree.specs[id];
  base::match(
      spec.node, [&](const ValDecl& val) { matchValue(module, val, match); },
      [&](const TypeSpec& type) {
        const bool fits = std::exchange(match.fits, true);
        matchType(module, type, match);
        match.types_fit = match.types_fit && match.fits;
        match.fits = match.fits && fits;
      },
      [&](const ModuleSpec& inner) { matchModule(module, inner, match); },
      [&](const IncludeSpec& include) {
        Module included = matchSignature(module, include.type, match);
        if (included.scope) scopes_.include(std::move(included.scope));
      });
}

void SignatureMatcher::matchModule(const Module* module, const ModuleSpec& spec,
                                   SignatureMatch& match) {
  const Module* found = nullptr;
  if (module) {
    found = on_demand_.moduleIn(*module->scope, spec.name.name);
    if (!found) {
      doesNotFit(match, spec.name.span,
                 fmt::format("module {} is missing", shown(match, spec.name.name)));
      return;
    }
    if (found->isBroken()) {
      match.fits = false;
      return;
    }
    if (found->span.end > 0) names_.note({{}, spec.name.name, found->span}, spec.name.span);
  }
  match.path.push_back(spec.name.name);
  noteRefined(spec, match);
  context_.where.module_names.push_back(spec.name.name);
  Module seen = matchSignature(found, spec.type, match);
  context_.where.module_names.pop_back();
  match.path.pop_back();
  seen.span = spec.name.span;
  scopes_.define(spec.name.name, seen, false);
}

// The module within which `with a.t = ..` puts a type: `a` there is a use of the specification.
void SignatureMatcher::noteRefined(const ModuleSpec& spec, const SignatureMatch& match) {
  for (const Refinement& refinement : match.refinements) {
    const std::vector<std::string>& qualifiers = refinement.name.qualifiers;
    const size_t outside = refinement.path.size() - qualifiers.size() - 1;
    const size_t depth = match.path.size();
    const bool is_around =
        outside < depth && depth <= outside + qualifiers.size() &&
        std::equal(match.path.begin(), match.path.end(), refinement.path.begin());
    if (!is_around) continue;
    Span span = refinement.name.span;
    span.end = span.begin;
    for (size_t i = outside; i < depth; ++i) {
      span.end += static_cast<uint32_t>(qualifiers[i - outside].size()) + (i > outside ? 1 : 0);
    }
    names_.note({{}, spec.name.name, span}, spec.name.span);
  }
}

SignatureMatcher::Refinement* SignatureMatcher::refinementOf(const std::string& name,
                                                             SignatureMatch& match) {
  std::vector<std::string> path = match.path;
  path.push_back(name);
  for (size_t i = match.refinements.size(); i-- > 0;) {
    if (match.refinements[i].path == path) return &match.refinements[i];
  }
  return nullptr;
}

void SignatureMatcher::matchType(const Module* module, const TypeSpec& spec,
                                 SignatureMatch& match) {
  const TypeAbbreviation* found = nullptr;
  if (module) {
    found = on_demand_.typeIn(*module->scope, spec.name.name);
    if (!found) {
      doesNotFit(match, spec.name.span,
                 fmt::format("type {} is missing", shown(match, spec.name.name)));
    } else if (found->span.end > 0) {
      names_.note({{}, spec.name.name, found->span}, spec.name.span);
    }
  }
  TypeAbbreviation fresh = elaborator_.abstractType(spec.name, spec.parameters, spec.lift);
  TypeAbbreviation type = fresh;
  if (spec.type) {
    type = elaborator_.elaborateAbbreviation(spec.name, spec.parameters, ownType(spec.type),
                                             spec.lift);
    if (found) fitManifest(*found, type, spec.name, match);
  } else if (Refinement* refinement = refinementOf(spec.name.name, match)) {
    refinement->is_used = true;
    type = refinement->type;
    names_.note({{}, spec.name.name, refinement->name.span}, spec.name.span);
    if (!fitRefinement(type, fresh, spec.name, match)) type = fresh;
    if (found) fitManifest(*found, type, spec.name, match);
  } else {
    if (match.ascription == Ascription::kTransparent && found) type = *found;
    if (found) fitAbstract(*found, fresh, spec.name, match);
  }
  if (type.span.end == 0) type.span = spec.name.span;
  scopes_.define(spec.name.name, type, false);
}

namespace {

// Then the definition may tell more of them than the module type does, which engines may know.
// Where a type is abstract, the module type compares hidden sizes.
bool bringsSizes(Inference& inference, const Scheme& scheme) {
  TypeRef type = inference.import(scheme.type);
  while (auto* function = inference.as<InferFunction>(type)) {
    if (!function->existentials.empty()) return true;
    type = function->result;
  }
  return false;
}

// Nothing is open, and sizes are those of parameters, not their values.
bool isTold(Inference& inference, TypeRef type) {
  const bool is_settled = !inference.isOpen(type);
  bool is_dependent = false;
  while (auto* function = inference.as<InferFunction>(type)) {
    is_dependent = is_dependent || function->parameter_name;
    type = function->result;
  }
  return is_settled && !is_dependent;
}

}  // namespace

void SignatureMatcher::matchValue(const Module* module, const ValDecl& spec,
                                  SignatureMatch& match) {
  const Value* found = nullptr;
  if (module) {
    found = on_demand_.valueIn(*module->scope, spec.name.name);
    if (!found) {
      match.missing.emplace_back(shown(match, spec.name.name), spec.name.span);
      return;
    }
    if (options_.is_prelude) {  // which is trusted: no time is spent on its types
      scopes_.define(spec.name.name, *found, false);
      return;
    }
  }
  Scheme scheme = elaborator_.elaborateScheme(spec.type_parameters, ownType(spec.type));
  // Types put in by `with` may hide sizes; written ones were asked for their names before.
  const bool as_written = match.refinements.empty();
  if (context_.world == World::kOpaque && match.ascription == Ascription::kNone && as_written) {
    requireNamedSizes(scheme, spec);
  }
  if (found && match.ascription == Ascription::kTransparent) {
    if (match.compare) fitValue(*found, scheme, spec, match);
    if (context_.world == World::kTransparent && bringsSizes(inference_, scheme)) {
      const Def& def = program_.defs[found->def];
      const Scheme own{def.type_parameters, def.size_parameters, {}, def.type};
      TypeRef told = names_.instantiate(found->view ? *found->view : own, match.span);
      const bool fits = !inference_.unify(told, inference_.import(scheme.type)) &&
                        !inference_.solvePostponed() && isTold(inference_, told);
      if (fits) scheme.type = inference_.finishAsWritten(told);
      declarations_.forgetDeclaration();
    }
    Value seen{found->def, std::make_shared<Scheme>(std::move(scheme))};
    scopes_.define(spec.name.name, seen, false);
    return;
  }
  Def def;
  def.name = declarations_.qualified(spec.name.name);
  def.span = spec.name.span;
  def.type_parameters = std::move(scheme.type_parameters);
  def.size_parameters = std::move(scheme.size_parameters);
  def.type = scheme.type;
  def.result = scheme.type;
  const DefId id = program_.defs.add(std::move(def));
  sizes_.nameConstantSizes(id);
  scopes_.define(spec.name.name, Value{id}, false);
}

// A use of the value must be able to name the size.
void SignatureMatcher::requireNamedSizes(const Scheme& scheme, const ValDecl& spec) {
  for (size_t i = spec.type_parameters.size() - scheme.type_parameters.size();
       i < scheme.size_parameters.size(); ++i) {
    sink_.error(Code::size_not_determined, program_.binders[scheme.size_parameters[i]].span,
                fmt::format("sizes of parameters have names in module types: `val {} [n] : ..`",
                            spec.name.name));
  }
}

TypeExprId SignatureMatcher::copyOf(TypeExprId type) {
  return copyType(program_.tree, type, program_.tree);
}

// The type of a member. Facts about expressions are kept by id; a type without any is elaborated
// anew for each match, since a member is a declaration.
TypeExprId SignatureMatcher::ownType(TypeExprId type) {
  return hasExpressions(program_.tree, type) ? copyOf(type) : type;
}

}  // namespace halo::types
