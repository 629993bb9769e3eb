// The type of a function: parameters, the declared result, the body, in this order.
#include <fmt/format.h>

#include <utility>

#include "lang/types/declare/declare.h"
#include "lang/types/declare/elaborate_type.h"
#include "lang/types/declare/names.h"
#include "lang/types/infer/infer_expr.h"
#include "lang/types/report.h"

namespace halo::types {

using namespace syntax;

void Declarations::declareTypeParameters(const std::vector<TypeParameter>& parameters,
                                         FunctionInfo& info) {
  for (const TypeParameter& parameter : parameters) {
    const auto& [name, span] = parameter.name;
    if (parameter.kind == TypeParameter::Kind::kSize) {
      BinderId binder = names_.newSizeBinder(name, span);
      info.size_parameters.push_back(binder);
      locals_.add({name, binder, i64(), {}});
    } else {
      Lift lift = parameter.kind == TypeParameter::Kind::kLifted        ? Lift::kSize
                  : parameter.kind == TypeParameter::Kind::kFullyLifted ? Lift::kFull
                                                                        : Lift::kNone;
      TypeParamId id = program_.type_params.add({name, span, lift});
      info.type_parameters.push_back(id);
      locals_.type_params.emplace_back(name, id);
    }
  }
}

FunctionInfo Declarations::inferFunction(const FunctionParts& parts) {
  FunctionInfo info;
  const size_t first_binder = program_.binders.size();
  declareTypeParameters(parts.type_parameters, info);
  info.named_sizes = info.size_parameters.size();
  const Size begin = inference_.unknownSize(parts.name.span);
  const std::vector<BinderId> fresh = inferParameters(parts);
  info.size_parameters.insert(info.size_parameters.end(), fresh.begin(), fresh.end());
  const bool is_top = current_ && !current_->type;
  std::vector<BinderId> declared;
  TypeRef result = declaredResult(parts, info.size_parameters, first_binder, declared);
  if (is_top) {  // for recursive uses
    current_->info = info;
    TypeRef promised = result;
    current_->type =
        closeFunction(parts, promised, first_binder, info.size_parameters, Reach::kCallers);
  }
  const TypeRef needed = inferBody(parts, result, declared);
  if (!(is_top && current_->is_recursive)) result = needed;
  inference_.fasten(info.size_parameters);
  if (!is_top) nameOpenSizes(fresh, begin, info);
  const bool has_parameters = !parts.parameters.empty();
  if (has_parameters && !(is_top && current_->is_entry)) nameHoleSizes(parts, result);
  info.type = closeFunction(parts, result, first_binder, info.size_parameters,
                            is_top ? Reach::kCallers : Reach::kLocal);
  info.result = result;
  return info;
}

// Gives the sizes of `[]` in the parameters' types.
std::vector<BinderId> Declarations::inferParameters(const FunctionParts& parts) {
  std::vector<BinderId> fresh;
  std::vector<BinderId>* const outer = std::exchange(context_.fresh_sizes, &fresh);
  const bool outer_loosens = std::exchange(context_.loosens, true);
  for (PatternId parameter : parts.parameters) {
    exprs_.bindAlways(parameter, exprs_.patternType(parameter, Anonymous::kParameter),
                      Anonymous::kParameter);
  }
  context_.loosens = outer_loosens;
  context_.fresh_sizes = outer;
  for (BinderId size : fresh) inference_.endParameters(size, program_.binders.size());
  return fresh;
}

// A function that calls itself is seen only through its declared type, where `[]` may be any size;
// otherwise the sizes follow from the body. `declared`: the sizes of `[]`.
TypeRef Declarations::declaredResult(const FunctionParts& parts, std::vector<BinderId> known,
                                     size_t first_binder, std::vector<BinderId>& declared) {
  const TypeRef unknown = inference_.unknown(parts.name.span);
  if (!parts.result) return unknown;
  std::vector<BinderId>* const outer = std::exchange(context_.fresh_sizes, &declared);
  const bool is_opaque = !parts.parameters.empty();
  const TypeRef result = elaborator_.elaborate(
      parts.result, is_opaque ? Anonymous::kExistential : Anonymous::kUnknown);
  context_.fresh_sizes = outer;
  known.insert(known.end(), declared.begin(), declared.end());
  rejectInnerNames(parts, result, std::move(known), first_binder);
  return result;
}

// Gives the type that the body must have: `result` with unknowns for the declared sizes.
TypeRef Declarations::inferBody(const FunctionParts& parts, TypeRef result,
                                const std::vector<BinderId>& declared) {
  Substitution hidden;
  for (BinderId size : declared) {
    hidden.sizes.emplace_back(size, inference_.unknownSize(program_.binders[size].span));
  }
  const TypeRef needed = inference_.instantiate(result, hidden);
  if (!hidden.empty()) pending_.results.push_back(needed);
  const TypeRef body = exprs_.infer(parts.body, needed);
  comparison_.require(span(parts.body), body, needed,
                      fmt::format("the result of `{}`", parts.name.name));
  if (!hidden.empty()) settlePayloads(needed);
  return needed;
}

// The sizes found for `[]` in a local function's parameters, `[n * m]`, have parameters of their
// own for open sizes that came up in the function, from the unknown `begin` on.
void Declarations::nameOpenSizes(const std::vector<BinderId>& fresh, const Size& begin,
                                 FunctionInfo& info) {
  for (BinderId size : fresh) {
    inference_.forEachLeaf(inference_.resolve(binderSize(size)), [&](SizeAtom leaf) {
      const bool is_own = leaf.is_unknown && leaf.index >= asAtom(begin)->index;
      if (!is_own || !hasUnknown(inference_.resolve(atomSize(leaf)))) return;
      const std::string name = fmt::format("d{}", info.size_parameters.size());
      info.size_parameters.push_back(names_.newSizeBinder(name, inference_.originOf(leaf)));
      inference_.solveSize(leaf, binderSize(info.size_parameters.back()));
    });
  }
}

}  // namespace halo::types
