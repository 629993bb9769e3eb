// Module types are interpreted where they are needed. `see` goes through the specifications of a
// module type and makes the table of names that it shows, of a given module or of an unknown one.
// Names in a module type keep the meaning of its declaration, so its scopes come with it.
#include <fmt/format.h>

#include <algorithm>

#include "lang/base/match.h"
#include "lang/syntax/copy.h"
#include "lang/types/checker.h"

namespace halo::types {

using diag::Code;
using namespace syntax;

// `m : mt`. In the transparent world this only hides names and makes types less general.
Module Checker::ascribe(const Module& module, ModuleTypeId type, Span span) {
  if (!checkModuleType(type) || module.isBroken()) return {};
  Sight through{Seeing::kThrough, span, world_ == World::kOpaque};
  Module seen = see(&module, type, through);
  if (!through.fits) return {};
  if (world_ == World::kTransparent) return seen;
  Sight sealed{Seeing::kSealed, span};
  return see(&module, type, sealed);
}

// Reports the faults of a module type by itself; one that has a name was checked before.
bool Checker::checkModuleType(ModuleTypeId type) {
  if (world_ == World::kTransparent) return true;
  if (auto* named = std::get_if<ModuleTypeName>(&program_.tree.module_types[type].node)) {
    const ModuleTypeName copy = *named;
    const ModuleType* found = findModuleType(copy.name);
    if (!found) reportUnknownModuleType(copy.name);
    if (found) note(copy.name, found->span);
    return found && found->type;
  }
  size_t errors = sink_.errorCount();
  Sight any{Seeing::kAny, program_.tree.module_types[type].span};
  see(nullptr, type, any);
  return sink_.errorCount() == errors;
}

Module Checker::see(const Module* module, ModuleTypeId type, Sight& sight) {
  const ModuleTypeExpr expr = program_.tree.module_types[type];
  if (isTooMuch(expr.span)) {
    sight.fits = false;
    return {};
  }
  return base::match(
      expr.node, [&](const ModuleTypeName& node) { return seeNamed(module, node, sight); },
      [&](const ModuleTypeBody& node) { return seeBody(module, node, sight); },
      [&](const ModuleTypeWith& node) { return seeWith(module, node, sight); },
      [&](const ModuleTypeArrow& node) { return seeArrow(module, node, sight); });
}

Module Checker::seeNamed(const Module* module, const ModuleTypeName& node, Sight& sight) {
  const ModuleType* found = findModuleType(node.name);
  if (!found) reportUnknownModuleType(node.name);
  if (found) note(node.name, found->span);
  if (!found || !found->type) {
    sight.fits = false;
    return {};
  }
  const ModuleType type = *found;
  ScopeStack outer = std::exchange(scopes_, ScopeStack(type.scopes));
  Module seen = see(module, type.type, sight);
  scopes_ = std::move(outer);
  return seen;
}

Module Checker::seeWith(const Module* module, const ModuleTypeWith& node, Sight& sight) {
  Refinement refinement{sight.path, {}};
  refinement.path.insert(refinement.path.end(), node.name.qualifiers.begin(),
                         node.name.qualifiers.end());
  refinement.path.push_back(node.name.name);
  refinement.type = elaborateAbbreviation({node.name.name, node.name.span}, node.parameters,
                                          copyOf(node.definition), std::nullopt);
  sight.refinements.push_back(std::move(refinement));
  Module seen = see(module, node.type, sight);
  bool is_used = sight.refinements.back().is_used;
  sight.refinements.pop_back();
  if (is_used || seen.isBroken()) return seen;
  sink_.error(Code::module_mismatch, node.name.span,
              fmt::format("`{}` is no abstract type of this module type", node.name.name));
  sight.fits = false;
  return {};
}

// A parametric module fits if it takes any argument that the arrow allows, and its result fits
// then.
Module Checker::seeArrow(const Module* module, const ModuleTypeArrow& node, Sight& sight) {
  if (module && !module->parametric) {
    doesNotFit(sight, node.parameter.name.span,
               fmt::format("{} is needed as a parametric module, but takes no parameter",
                           shown(sight, "this module")));
    return {};
  }
  ShownModule seen{node.result, module ? module->parametric : nullptr};
  auto made = std::make_shared<ParametricModule>(
      ParametricModule{node.parameter, std::move(seen), scopes_.capture()});
  if (!sight.compare && sight.seeing != Seeing::kAny) return {nullptr, std::move(made)};
  scopes_.push();
  Module argument = unknownModule(node.parameter);
  if (!node.parameter.name.name.empty()) {
    scopes_.define(node.parameter.name.name, argument, false);
  }
  Module result;
  if (module && !argument.isBroken()) result = apply(*module->parametric, argument, sight.span);
  Sight of_result{module ? Seeing::kThrough : Seeing::kAny, sight.span, sight.compare};
  if (!module || !result.isBroken()) see(module ? &result : nullptr, node.result, of_result);
  if (module) sight.fits = sight.fits && !result.isBroken() && of_result.fits;
  scopes_.pop();
  return {nullptr, std::move(made)};
}

Module Checker::seeBody(const Module* module, const ModuleTypeBody& node, Sight& sight) {
  if (module && !module->scope) {
    doesNotFit(sight, {},
               fmt::format("{} is a parametric module, and needed as one with members",
                           shown(sight, "this")));
    return {};
  }
  scopes_.push();
  for (SpecId spec : node.specs) seeSpec(module, spec, sight);
  return {scopes_.pop(), nullptr};
}

void Checker::seeSpec(const Module* module, SpecId id, Sight& sight) {
  const Spec spec = program_.tree.specs[id];
  base::match(
      spec.node, [&](const ValDecl& val) { seeValue(module, val, sight); },
      [&](const TypeSpec& type) { seeType(module, type, sight); },
      [&](const ModuleSpec& inner) { seeModule(module, inner, sight); },
      [&](const IncludeSpec& include) {
        Module included = see(module, include.type, sight);
        if (included.scope) scopes_.open(*included.scope, false);
      });
}

void Checker::seeModule(const Module* module, const ModuleSpec& spec, Sight& sight) {
  const Module* found = nullptr;
  if (module) {
    found = moduleIn(*module->scope, spec.name.name);
    if (!found) {
      doesNotFit(sight, spec.name.span,
                 fmt::format("module {} is missing", shown(sight, spec.name.name)));
      return;
    }
    if (found->isBroken()) {
      sight.fits = false;
      return;
    }
  }
  sight.path.push_back(spec.name.name);
  module_names_.push_back(spec.name.name);
  Module seen = see(found, spec.type, sight);
  module_names_.pop_back();
  sight.path.pop_back();
  seen.span = spec.name.span;
  scopes_.define(spec.name.name, seen, false);
}

Checker::Refinement* Checker::refinementOf(const std::string& name, Sight& sight) {
  std::vector<std::string> path = sight.path;
  path.push_back(name);
  for (size_t i = sight.refinements.size(); i-- > 0;) {
    if (sight.refinements[i].path == path) return &sight.refinements[i];
  }
  return nullptr;
}

void Checker::seeType(const Module* module, const TypeSpec& spec, Sight& sight) {
  const TypeAbbreviation* found = nullptr;
  if (module) {
    found = typeIn(*module->scope, spec.name.name);
    if (!found) {
      doesNotFit(sight, spec.name.span,
                 fmt::format("type {} is missing", shown(sight, spec.name.name)));
    }
  }
  TypeAbbreviation fresh = abstractType(spec.name, spec.parameters, spec.lift);
  TypeAbbreviation type = fresh;
  if (spec.type) {
    type = elaborateAbbreviation(spec.name, spec.parameters, copyOf(spec.type), spec.lift);
    if (found) fitManifest(*found, type, spec.name, sight);
  } else if (Refinement* refinement = refinementOf(spec.name.name, sight)) {
    refinement->is_used = true;
    type = refinement->type;
    fitRefinement(type, fresh, spec.name, sight);
    if (found) fitManifest(*found, type, spec.name, sight);
  } else {
    if (sight.seeing == Seeing::kThrough && found) type = *found;
    if (found) fitAbstract(*found, fresh, spec.name, sight);
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

void Checker::seeValue(const Module* module, const ValDecl& spec, Sight& sight) {
  const Value* found = nullptr;
  if (module) {
    found = valueIn(*module->scope, spec.name.name);
    if (!found) {
      doesNotFit(sight, spec.name.span,
                 fmt::format("value {} is missing", shown(sight, spec.name.name)));
      return;
    }
    if (options_.is_prelude) {  // which is trusted: no time is spent on its types
      scopes_.define(spec.name.name, *found, false);
      return;
    }
  }
  Scheme scheme = elaborateScheme(spec.type_parameters, copyOf(spec.type));
  // Types put in by `with` may hide sizes; written ones were asked for their names before.
  const bool as_written = sight.refinements.empty();
  if (world_ == World::kOpaque && sight.seeing == Seeing::kAny && as_written) {
    requireNamedSizes(scheme, spec);
  }
  if (found && sight.seeing == Seeing::kThrough) {
    if (sight.compare) fitValue(*found, scheme, spec, sight);
    if (world_ == World::kTransparent && bringsSizes(inference_, scheme)) {
      const Def& def = program_.defs[found->def];
      const Scheme own{def.type_parameters, def.size_parameters, {}, def.type};
      TypeRef told = instantiate(found->view ? *found->view : own, sight.span);
      const bool fits = !inference_.unify(told, inference_.import(scheme.type)) &&
                        !inference_.solvePostponed() && isTold(inference_, told);
      if (fits) scheme.type = inference_.finishAsWritten(told);
      forgetDeclaration();
    }
    Value seen{found->def, std::make_shared<Scheme>(std::move(scheme))};
    scopes_.define(spec.name.name, seen, false);
    return;
  }
  Def def;
  def.name = qualified(spec.name.name);
  def.span = spec.name.span;
  def.type_parameters = std::move(scheme.type_parameters);
  def.size_parameters = std::move(scheme.size_parameters);
  def.type = scheme.type;
  def.result = scheme.type;
  const DefId id = program_.defs.add(std::move(def));
  nameConstantSizes(id);
  scopes_.define(spec.name.name, Value{id}, false);
}

// A use of the value must be able to name the size.
void Checker::requireNamedSizes(const Scheme& scheme, const ValDecl& spec) {
  for (size_t i = spec.type_parameters.size() - scheme.type_parameters.size();
       i < scheme.size_parameters.size(); ++i) {
    sink_.error(Code::size_not_determined, program_.binders[scheme.size_parameters[i]].span,
                fmt::format("sizes of parameters have names in module types: `val {} [n] : ..`",
                            spec.name.name));
  }
}

TypeExprId Checker::copyOf(TypeExprId type) { return copyType(program_.tree, type, program_.tree); }

}  // namespace halo::types
