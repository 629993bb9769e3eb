// Type abbreviations, abstract types, and the types of `val` in signatures.
#include <fmt/format.h>

#include <algorithm>

#include "lang/base/match.h"
#include "lang/syntax/print/printer.h"
#include "lang/types/declare/declare.h"
#include "lang/types/declare/elaborate_type.h"
#include "lang/types/declare/finish.h"
#include "lang/types/sizes/size_scope.h"
#include "lang/types/sizes/told_sizes.h"

namespace halo::types {

using diag::Code;
using namespace syntax;

namespace {

// Parts that values of the type may hide: functions, or sizes behind a type parameter.
constexpr size_t kMaxTypeParts = 65536;
constexpr size_t kMaxTypeDepth = 256;

// Counts down `parts`; false when written out the type has more of them, or nests too deeply. Equal
// parts are one node, so that `type b = (a, a)` forty times over is 2^40 parts in little memory.
bool hasFewParts(const Program& program, TypeId type, size_t& parts, size_t depth = 0) {
  if (depth == kMaxTypeDepth || parts == 0) return false;
  parts--;
  auto few = [&](TypeId part) { return hasFewParts(program, part, parts, depth + 1); };
  auto all = [&](const std::vector<TypeId>& list) {
    return std::all_of(list.begin(), list.end(), few);
  };
  return base::match(
      program.types[type], [](const ScalarTypeNode&) { return true; },
      [&](const ArrayType& array) { return few(array.element); },
      [&](const RecordType& record) { return all(record.fields); },
      [&](const FunctionType& function) { return few(function.parameter) && few(function.result); },
      [&](const ParamType& param) { return all(param.types); },
      [&](const SumType& sum) {
        return std::all_of(sum.payloads.begin(), sum.payloads.end(), all);
      });
}

// `own`: parameters that say nothing.
Lift liftOf(const Program& program, TypeId type, const std::vector<TypeParamId>& own = {}) {
  Lift lift = Lift::kNone;
  auto add = [&](TypeId part) { lift = std::max(lift, liftOf(program, part, own)); };
  base::match(
      program.types[type], [](const ScalarTypeNode&) {},
      [&](const ArrayType& array) { add(array.element); },
      [&](const RecordType& record) {
        for (TypeId field : record.fields) add(field);
      },
      [&](const FunctionType&) { lift = Lift::kFull; },
      [&](const ParamType& param) {
        const bool is_own = std::find(own.begin(), own.end(), param.parameter) != own.end();
        if (!is_own) lift = program.type_params[param.parameter].lift;
      },
      [&](const SumType& sum) {
        for (const auto& payload : sum.payloads) std::for_each(payload.begin(), payload.end(), add);
      });
  return lift;
}

bool mentionsSize(const Program& program, SizeId size, BinderId binder) {
  return base::match(
      program.sizes[size], [](const SizeConst&) { return false; },
      [&](const SizeBinder& node) { return node.binder == binder; },
      [&](const SizeArith& node) {
        return mentionsSize(program, node.lhs, binder) || mentionsSize(program, node.rhs, binder);
      },
      [](const SizeExpression&) { return true; });  // not looked into
}

bool mentionsSize(const Program& program, TypeId type, BinderId binder) {
  auto inside = [&](TypeId part) { return mentionsSize(program, part, binder); };
  return base::match(
      program.types[type], [](const ScalarTypeNode&) { return false; },
      [&](const ArrayType& array) {
        return mentionsSize(program, array.size, binder) || inside(array.element);
      },
      [&](const RecordType& record) {
        return std::any_of(record.fields.begin(), record.fields.end(), inside);
      },
      [&](const FunctionType& function) {
        return inside(function.parameter) || inside(function.result);
      },
      [&](const ParamType& param) {
        return std::any_of(param.types.begin(), param.types.end(), inside) ||
               std::any_of(param.sizes.begin(), param.sizes.end(),
                           [&](SizeId size) { return mentionsSize(program, size, binder); });
      },
      [&](const SumType& sum) {
        return std::any_of(sum.payloads.begin(), sum.payloads.end(), [&](const auto& payload) {
          return std::any_of(payload.begin(), payload.end(), inside);
        });
      });
}

std::vector<bool> kindsOf(const std::vector<TypeParameter>& parameters) {
  std::vector<bool> is_size;
  for (const TypeParameter& parameter : parameters) {
    is_size.push_back(parameter.kind == TypeParameter::Kind::kSize);
  }
  return is_size;
}

}  // namespace

void TypeElaborator::declareType(const TypeDecl& node, bool is_local) {
  TypeAbbreviation type = elaborateAbbreviation(node.name, node.parameters, node.type, node.lift);
  type.span = node.name.span;
  scopes_.define(node.name.name, type, is_local);
}

TypeAbbreviation TypeElaborator::elaborateAbbreviation(const Identifier& name,
                                                       const std::vector<TypeParameter>& parameters,
                                                       TypeExprId written,
                                                       std::optional<Lift> declared) {
  size_t errors = sink_.errorCount();
  FunctionInfo info;
  declarations_.declareTypeParameters(parameters, info);
  TypeAbbreviation made;
  std::vector<BinderId>* outer = std::exchange(context_.fresh_sizes, &made.hidden_sizes);
  TypeRef type = elaborate(written, Anonymous::kParameter);
  context_.fresh_sizes = outer;
  finishTables();
  made.size_parameters = info.size_parameters;
  made.type_parameters = info.type_parameters;
  made.is_size = kindsOf(parameters);
  made.type = inference_.finishAsWritten(type);
  if (size_t parts = kMaxTypeParts; !hasFewParts(program_, made.type, parts)) {
    sink_.error(Code::nesting_too_deep, name.span,
                fmt::format("written out, the type `{}` has more than {} parts or {} levels",
                            name.name, kMaxTypeParts, kMaxTypeDepth));
    made.type = inference_.finish(i64());
  }
  // A refinement may take more types than the abstract type that it stands for.
  made.lift = declared.value_or(std::max(liftOf(program_, made.type, info.type_parameters),
                                         made.hidden_sizes.empty() ? Lift::kNone : Lift::kSize));
  if (sink_.errorCount() == errors) checkAbbreviation(name, made, written, declared);
  declarations_.forgetDeclaration();
  return made;
}

namespace {

// A type of a module, whose own type may call it `type t` where `with t = ..` says that it hides
// sizes. It is taken at its word.
bool isOfModule(const Tree& tree, TypeExprId written) {
  auto* name = std::get_if<TypeName>(&tree.types[written].node);
  return name && !name->name.qualifiers.empty() && name->arguments.empty();
}

}  // namespace

void TypeElaborator::checkAbbreviation(const Identifier& name, const TypeAbbreviation& made,
                                       TypeExprId written, std::optional<Lift> declared) {
  const Lift actual = liftOf(program_, made.type);
  const auto reject = [&](std::string_view found_and_needed, const std::string& mend) {
    sink_.error(Code::lifted_type, program_.tree.types[written].span,
                fmt::format("`{}` {}: write {}", syntax::print(program_.tree, written),
                            found_and_needed, mend));
  };
  if (declared && *declared < Lift::kFull && actual == Lift::kFull) {
    reject(declared == Lift::kNone ? "may hold a function, but `type` declares data"
                                   : "may hold a function, but `type~` declares data",
           fmt::format("`type^ {} = ..`", name.name));
  } else if (declared == Lift::kNone && isOfModule(program_.tree, written)) {
    // as it says
  } else if (declared == Lift::kNone && !made.hidden_sizes.empty()) {
    reject("leaves a size open, but `type` declares data whose sizes are known",
           fmt::format("`type {0} [n] = ..` if uses give the size, `type~ {0} = ..` to hide it",
                       name.name));
  } else if (declared == Lift::kNone && actual == Lift::kSize) {
    reject("may hide sizes, but `type` declares data whose sizes are known",
           fmt::format("`type~ {} = ..`", name.name));
  }
  std::vector<BinderId> shown;
  addWholeSizes(program_, made.type, shown);
  for (BinderId size : made.hidden_sizes) {
    if (std::find(shown.begin(), shown.end(), size) != shown.end()) continue;
    sink_.error(Code::size_not_determined, program_.binders[size].span,
                fmt::format("no array of the type `{0}` shows this size, make it a parameter: "
                            "`type {0} [n] = ..`",
                            name.name));
  }
  for (BinderId size : made.size_parameters) {
    if (mentionsSize(program_, made.type, size)) continue;
    sink_.error(Code::size_not_determined, program_.binders[size].span,
                fmt::format("the type `{}` does not use its size `{}`", name.name,
                            program_.binders[size].name));
  }
}

// A new type that nothing else is equal to.
TypeAbbreviation TypeElaborator::abstractType(const Identifier& name,
                                              const std::vector<TypeParameter>& parameters,
                                              Lift lift) {
  FunctionInfo info;
  declarations_.declareTypeParameters(parameters, info);
  TypeAbbreviation made{info.size_parameters, info.type_parameters, {}, {}, lift,
                        kindsOf(parameters)};
  ParamType type{
      program_.type_params.add({declarations_.qualified(name.name), name.span, lift, true}),
      {},
      {}};
  for (TypeParamId id : info.type_parameters) {
    type.types.push_back(inference_.finish(inference_.param(id)));
  }
  for (BinderId size : info.size_parameters) {
    type.sizes.push_back(inference_.finish(binderSize(size)));
  }
  made.type = inference_.intern(std::move(type));
  declarations_.forgetDeclaration();
  return made;
}

// In a function, the `[]` of parameters are size parameters; in anything else they are known to the
// value only.
Scheme TypeElaborator::elaborateScheme(const std::vector<TypeParameter>& parameters,
                                       TypeExprId written) {
  FunctionInfo info;
  declarations_.declareTypeParameters(parameters, info);
  Scheme scheme;
  std::vector<BinderId> of_parameters;
  std::vector<BinderId>* outer = std::exchange(context_.fresh_sizes, &scheme.hidden_sizes);
  parameter_sizes_ = ParameterSizes{&of_parameters, Anonymous::kParameter};
  TypeRef type = elaborate(written, Anonymous::kParameter);
  parameter_sizes_.reset();
  context_.fresh_sizes = outer;
  finishTables();
  scheme.type_parameters = info.type_parameters;
  scheme.size_parameters = info.size_parameters;
  scheme.size_parameters.insert(scheme.size_parameters.end(), of_parameters.begin(),
                                of_parameters.end());
  scheme.type = inference_.finishAsWritten(tellHiddenSizes(inference_, type));
  declarations_.forgetDeclaration();
  return scheme;
}

// Sizes in a type may be expressions, which have tables as any other.
void TypeElaborator::finishTables() {
  finisher_.applyDefaults();
  inference_.solvePostponed();
  finisher_.writeTables();
}

}  // namespace halo::types
