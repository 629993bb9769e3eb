// Type expressions to types, and expressions to sizes.
#include <fmt/format.h>

#include <algorithm>

#include "lang/base/match.h"
#include "lang/syntax/copy.h"
#include "lang/syntax/print/printer.h"
#include "lang/syntax/visit.h"
#include "lang/types/declare/declare.h"
#include "lang/types/declare/elaborate_type.h"
#include "lang/types/declare/names.h"
#include "lang/types/infer/infer_expr.h"
#include "lang/types/modules/module_type.h"
#include "lang/types/sizes/binding_sizes.h"
#include "lang/types/sizes/size_of.h"

namespace halo::types {

using diag::Code;
using namespace syntax;

TypeRef TypeElaborator::elaborate(TypeExprId id, Anonymous mode) {
  if (auto found = context_.annotations.find(id); found != context_.annotations.end())
    return found->second;
  const TypeExpr expr = program_.tree.types[id];
  TypeRef type = base::match(
      expr.node, [&](const TypeName& name) { return elaborateName(name, mode); },
      [&](const TypeArray& array) {
        Size size = array.size ? annotatedSize(array.size) : anonymousSize(expr.span, mode);
        TypeRef element = elementOf(array.element, mode);
        return inference_.array(std::move(size), element);
      },
      [&](const TypeTuple& tuple) {
        std::vector<TypeRef> fields;
        for (TypeExprId element : tuple.elements) fields.push_back(elaborate(element, mode));
        return inference_.tuple(std::move(fields));
      },
      [&](const TypeRecord& record) { return elaborateRecord(record, expr.span, mode); },
      [&](const TypeFunction& function) { return elaborateFunction(function, mode); },
      [&](const TypeUnique& unique) { return elaborate(unique.type, mode); },
      [&](const TypeSum& sum) { return elaborateSum(sum, mode); },
      [&](const TypeExistential& existential) { return elaborateExistential(existential, mode); });
  context_.annotations[id] = type;
  return type;
}

// An element of an array is data, and shows its sizes.
TypeRef TypeElaborator::elementOf(TypeExprId written, Anonymous mode) {
  const TypeRef element = elaborate(written, mode);
  const Span where = program_.tree.types[written].span;
  const auto lifted = inference_.limitLift(element, Lift::kNone);
  if (lifted && inference_.as<InferFunction>(*lifted)) {
    sink_.error(Code::function_not_first_class, where,
                fmt::format("an array of functions: array elements are plain values, not `{}`",
                            inference_.print(*lifted)));
    return poison();
  }
  auto* param = lifted ? inference_.as<InferParam>(*lifted) : nullptr;
  const Lift lift = param ? program_.type_params[param->parameter].lift : writtenLift(written);
  if (lift == Lift::kNone) return element;
  auto& diagnostic =
      sink_.error(Code::lifted_type, where,
                  fmt::format("`{}` may {}, but array elements are data of one shape",
                              syntax::print(program_.tree, written),
                              lift == Lift::kFull ? "hold a function" : "hide sizes"));
  if (param) {
    const std::string& name = program_.type_params[param->parameter].name;
    diagnostic.notes.push_back(fmt::format("declare the type parameter `'{}`", name));
  } else if (lift == Lift::kSize) {
    diagnostic.notes.emplace_back("a type shows its sizes as parameters: `type t [n] = ..`");
  } else {
    diagnostic.notes.emplace_back("functions have their place in tuples and records");
  }
  return poison();
}

// How lifted the named types in a written type are.
Lift TypeElaborator::writtenLift(TypeExprId id) const {
  const syntax::TypeNode node = program_.tree.types[id].node;  // a copy: names may add nodes
  Lift lift = Lift::kNone;
  if (auto* unique = std::get_if<TypeUnique>(&node)) return writtenLift(unique->type);
  if (auto* name = std::get_if<TypeName>(&node)) {
    for (const auto& [param, type] : locals_.type_params) {
      if (name->name.qualifiers.empty() && param == name->name.name) return lift;
    }
    auto* abbreviation = names_.findType(name->name);
    return abbreviation ? abbreviation->lift : lift;
  }
  if (auto* tuple = std::get_if<TypeTuple>(&node)) {
    for (TypeExprId part : tuple->elements) lift = std::max(lift, writtenLift(part));
  } else if (auto* record = std::get_if<TypeRecord>(&node)) {
    for (const auto& [name, part] : record->fields) lift = std::max(lift, writtenLift(part));
  }
  return lift;
}

Size TypeElaborator::anonymousSize(Span span, Anonymous mode) {
  if (mode == Anonymous::kUnknown || !context_.fresh_sizes) {
    auto& open = payload_depth_ > 0 ? pending_.untold : pending_.annotated;
    open.push_back(inference_.unknownSize(span));
    return open.back();
  }
  std::string name = fmt::format("d{}", context_.fresh_sizes->size());
  context_.fresh_sizes->push_back(names_.newSizeBinder(name, span));
  if (context_.loosens && mode == Anonymous::kParameter)
    inference_.loosen(context_.fresh_sizes->back());
  return binderSize(context_.fresh_sizes->back());
}

TypeRef TypeElaborator::elaborateRecord(const TypeRecord& record, Span, Anonymous mode) {
  std::vector<std::pair<std::string, TypeRef>> fields;
  for (const auto& [name, type] : record.fields) {
    fields.emplace_back(name.name, elaborate(type, mode));
  }
  return inference_.recordOf(std::move(fields));
}

TypeRef TypeElaborator::elaborateSum(const TypeSum& sum, Anonymous mode) {
  std::vector<std::pair<std::string, std::vector<TypeRef>>> constructors;
  for (const auto& [name, payload] : sum.constructors) {
    constructors.emplace_back(name.name, std::vector<TypeRef>());
    ++payload_depth_;
    for (TypeExprId part : payload) constructors.back().second.push_back(elaborate(part, mode));
    --payload_depth_;
  }
  constexpr size_t kMaxConstructors = 255;  // Futhark's limit
  if (constructors.size() > kMaxConstructors) {
    sink_.error(Code::too_many_fields, sum.constructors[kMaxConstructors].first.span,
                fmt::format("a sum type has at most {} constructors, this one has {}",
                            kMaxConstructors, constructors.size()));
  }
  std::stable_sort(constructors.begin(), constructors.end(),
                   [](const auto& a, const auto& b) { return a.first < b.first; });
  InferSum type;
  for (auto& [name, payload] : constructors) {
    type.constructors.push_back(name);
    type.payloads.push_back(std::move(payload));
  }
  return inference_.sum(std::move(type));
}

// `(a: t) -> (a: t) -> u`: a size that mentions `a` would be ambiguous.
void TypeElaborator::rejectSameName(const Identifier& name, TypeExprId rest) {
  while (auto* function = std::get_if<TypeFunction>(&program_.tree.types[rest].node)) {
    if (function->parameter_name && function->parameter_name->name == name.name) {
      sink_
          .error(Code::duplicate_definition, function->parameter_name->span,
                 fmt::format("`{}` names two parameters of this function type", name.name))
          .labels.push_back({name.span, "first here"});
    }
    rest = function->result;
  }
}

TypeRef TypeElaborator::elaborateFunction(const TypeFunction& node, Anonymous mode) {
  size_t mark = locals_.mark();
  InferFunction function;
  function.unique_parameter = uniquenessOf(program_.tree, node.parameter);
  function.unique_result = uniquenessOf(program_.tree, node.result);
  function.consumes = function.unique_parameter.any();
  // Sizes of parameters, of later ones, too, belong to the function's declaration.
  const ParameterSizes of_parameters =
      parameter_sizes_.value_or(ParameterSizes{context_.fresh_sizes, mode});
  const auto outer_parameters = std::exchange(parameter_sizes_, of_parameters);
  std::vector<BinderId>* sizes = std::exchange(context_.fresh_sizes, of_parameters.sizes);
  function.parameter = elaborate(node.parameter, of_parameters.mode);
  context_.fresh_sizes = sizes;
  if (node.parameter_name) {
    const Identifier& name = *node.parameter_name;
    rejectSameName(name, node.result);
    BinderId binder = names_.newBinder(name.name, name.span, function.parameter);
    locals_.add({name.name, binder, function.parameter, {}});
    function.parameter_name = binder;
  }
  std::vector<BinderId>* outer = std::exchange(context_.fresh_sizes, &function.existentials);
  function.result = elaborate(node.result, Anonymous::kExistential);
  context_.fresh_sizes = outer;
  parameter_sizes_ = outer_parameters;
  locals_.popTo(mark);
  if (function.parameter_name) {  // kept only if some size needs it
    const std::vector<SizeAtom> atoms = inference_.sizeAtoms(function.result);
    SizeAtom name{false, function.parameter_name->index};
    if (std::find(atoms.begin(), atoms.end(), name) == atoms.end()) function.parameter_name = {};
  }
  return inference_.function(std::move(function));
}

// `?[n].t`: n is known to the value only, as an `[]` in a result is.
TypeRef TypeElaborator::elaborateExistential(const TypeExistential& node, Anonymous mode) {
  size_t mark = locals_.mark();
  std::vector<BinderId> sizes;
  for (const Identifier& name : node.sizes) {
    sizes.push_back(names_.newSizeBinder(name.name, name.span));
    locals_.add({name.name, sizes.back(), i64(), {}});
    if (context_.fresh_sizes) context_.fresh_sizes->push_back(sizes.back());
  }
  TypeRef type = elaborate(node.type, mode);
  locals_.popTo(mark);
  const auto atoms = inference_.sizeAtoms(type, Inference::SizesOf::kValues);
  for (size_t i = 0; i < sizes.size(); ++i) {
    SizeAtom atom{false, sizes[i].index};
    if (std::find(atoms.begin(), atoms.end(), atom) != atoms.end()) continue;
    sink_.error(Code::size_not_determined, node.sizes[i].span,
                fmt::format("the type after `?[{0}].` has no array that shows the size `{0}`",
                            node.sizes[i].name));
  }
  return type;
}

TypeRef TypeElaborator::elaborateName(const TypeName& name, Anonymous mode) {
  if (name.name.qualifiers.empty()) {
    for (size_t i = locals_.type_params.size(); i-- > 0;) {
      const auto& [param_name, id] = locals_.type_params[i];
      if (param_name != name.name.name) continue;
      names_.note(name.name, program_.type_params[id].span);
      return inference_.param(id);
    }
    for (const auto& [param_name, type] : context_.where.hiding_types) {
      if (param_name == name.name.name) return elaborate(signatures_.copyOf(type), mode);
    }
  }
  if (auto* abbreviation = names_.findType(name.name)) {
    names_.note(name.name, abbreviation->span);
    return applyAbbreviation(*abbreviation, name, mode);
  }
  if (options_.is_prelude && name.name.name == "accumulator" && name.arguments.size() == 1) {
    return inference_.accumulator(elaborate(name.arguments[0].type, mode));
  }
  const auto scalar =
      name.name.qualifiers.empty() ? prim::scalarTypeFromName(name.name.name) : std::nullopt;
  if (scalar && name.arguments.empty()) return inference_.scalar(*scalar);
  if (scalar) {
    auto& diagnostic = sink_.error(Code::type_mismatch, name.name.span,
                                   fmt::format("type `{}` takes no arguments", name.name.name));
    if (!name.arguments[0].type.valid()) {
      diagnostic.notes.push_back(
          fmt::format("help: the sizes of an array stand in front: `[]{}`", name.name.name));
    }
  } else {
    names_.reportUnknownType(name.name);
  }
  return poison();
}

// As many arguments as parameters, and a size where the declaration has a size.
bool TypeElaborator::fitsArguments(const TypeAbbreviation& abbreviation, const TypeName& name) {
  std::vector<bool> given;
  for (const TypeArgument& argument : name.arguments) given.push_back(!argument.type.valid());
  if (given == abbreviation.is_size) return true;
  auto spelled = [](const std::vector<bool>& kinds) {
    std::string text;
    for (bool is_size : kinds) text += is_size ? " [..]" : " _";
    return text;
  };
  const size_t sizes = static_cast<size_t>(std::count(given.begin(), given.end(), true));
  const std::string& type = name.name.name;
  const bool has_order =
      given.size() == abbreviation.is_size.size() && sizes == abbreviation.size_parameters.size();
  sink_.error(
      Code::type_mismatch, name.name.span,
      has_order
          ? fmt::format("type `{}` is applied as `{}{}`, its parameters are `{}{}`", type, type,
                        spelled(given), type, spelled(abbreviation.is_size))
          : fmt::format("type `{}` is applied to {} types and {} sizes, it has {} "
                        "and {}",
                        type, given.size() - sizes, sizes, abbreviation.type_parameters.size(),
                        abbreviation.size_parameters.size()));
  return false;
}

// An argument that hides sizes makes a type that does: only functions are kept out, unless the
// type may be one itself.
TypeRef TypeElaborator::typeArgument(TypeParamId parameter, Lift lift, TypeExprId argument,
                                     Anonymous mode) {
  TypeRef type = elaborate(argument, mode);
  const TypeParam& declared = program_.type_params[parameter];
  if (auto lifted = inference_.limitLift(type, std::max({declared.lift, Lift::kSize, lift}))) {
    sink_.error(Code::lifted_type, program_.tree.types[argument].span,
                fmt::format("`{}` holds a function, but the type's parameter `{}` stands for data: "
                            "a declaration by `type^` takes functions",
                            inference_.print(*lifted), declared.name));
  }
  return type;
}

namespace {

bool hasCutSize(Inference& inference, TypeRef type) {
  if (inference.isPlain(type)) return false;
  const InferNode& node = inference.node(type);
  const auto* array = std::get_if<InferArray>(&node);
  bool is_cut = array != nullptr && array->size.is_cut;
  forEachPart(node, [&](TypeRef part) { is_cut = is_cut || hasCutSize(inference, part); });
  return is_cut;
}

}  // namespace

// By value: looking names up may move abbreviations.
TypeRef TypeElaborator::applyAbbreviation(TypeAbbreviation abbreviation, const TypeName& name,
                                          Anonymous mode) {
  if (!fitsArguments(abbreviation, name)) return poison();
  Substitution arguments;
  size_t types = 0, sizes = 0;
  for (const TypeArgument& argument : name.arguments) {
    if (argument.type) {
      const TypeParamId parameter = abbreviation.type_parameters[types++];
      arguments.types.emplace_back(parameter,
                                   typeArgument(parameter, abbreviation.lift, argument.type, mode));
    } else {
      Size size =
          argument.size ? annotatedSize(argument.size) : anonymousSize(name.name.span, mode);
      arguments.sizes.emplace_back(abbreviation.size_parameters[sizes++], std::move(size));
    }
  }
  for (BinderId hidden : abbreviation.hidden_sizes) {
    arguments.sizes.emplace_back(hidden, anonymousSize(name.name.span, mode));
  }
  const TypeRef type = inference_.instantiate(inference_.import(abbreviation.type), arguments);
  if (!hasCutSize(inference_, type)) return type;
  sink_.error(
      Code::nesting_too_deep, name.name.span,
      fmt::format("written out, a size of the type `{}` has too many terms", name.name.name));
  return poison();
}

// Whether a part of the size is an array with a size of its own: `length (filter p xs)`.
bool TypeElaborator::makesSizes(ExprId expr, size_t first_binder) {
  std::vector<ExprId> open = {expr};
  while (!open.empty()) {
    const ExprId part = open.back();
    open.pop_back();
    if (!isInferred(part)) continue;
    const std::vector<SizeAtom> atoms = inference_.sizeAtoms(inferred_[part]);
    const bool makes = std::any_of(atoms.begin(), atoms.end(), [&](SizeAtom atom) {
      return atom.isBinder() && atom.index >= first_binder;
    });
    if (makes) return true;
    if (std::holds_alternative<Lambda>(program_.tree.exprs[part].node)) continue;  // its own
    forEachChild(program_.tree.exprs[part].node, [&](ExprId child) { open.push_back(child); });
  }
  return false;
}

Size TypeElaborator::annotatedSize(ExprId expr) {
  size_t errors = sink_.errorCount();
  // Sizes are compared as written: a part that binds names becomes a function of its free names.
  for (ExprId part : bindingParts(program_.tree, expr)) {
    close(part, program_.tree.exprs.add(Expr(program_.tree.exprs[part])));
  }
  const ExprNode& node = program_.tree.exprs[expr].node;
  const bool is_simple =
      std::holds_alternative<Variable>(node) || std::holds_alternative<Number>(node);
  const ExprId unchecked = is_simple ? ExprId() : copyExpr(program_.tree, expr, program_.tree);
  const size_t first_binder = program_.binders.size();
  exprs_.check(expr, i64(), "this size");
  if (!is_simple && makesSizes(expr, first_binder)) {
    close(expr, unchecked);
    inferred_[expr] = TypeRef();  // anew
    exprs_.check(expr, i64(), "this size");
  }
  // It may be evaluated any number of times.
  bool consumes = false;
  std::vector<ExprId> open = {expr};
  while (!open.empty() && !consumes) {
    const ExprNode& node = program_.tree.exprs[open.back()].node;
    open.pop_back();
    auto* apply = std::get_if<Apply>(&node);
    auto* called = apply && isInferred(apply->function)
                       ? inference_.as<InferFunction>(inferred_[apply->function])
                       : nullptr;
    consumes = called && (called->consumes || called->unique_parameter.any());
    forEachChild(node, [&](ExprId child) { open.push_back(child); });
  }
  auto size =
      consumes ? std::nullopt : sizes_.sizeOf(expr, SizeExpressions::Following::kExpressions);
  if (size && !isTooComplex(*size)) return *size;
  if (sink_.errorCount() == errors) {
    sink_.error(Code::size_not_determined, span(expr),
                size ? "written out, this size has too many terms; compute it with `let` first"
                     : "a size updates nothing; compute it with `let` first");
  }
  return inference_.unknownSize(span(expr));
}

}  // namespace halo::types
