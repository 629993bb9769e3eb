// Type expressions to types, and expressions to sizes.
#include <fmt/format.h>

#include <algorithm>

#include "lang/base/match.h"
#include "lang/types/checker.h"

namespace halo::types {

using diag::Code;
using namespace syntax;

TypeRef Checker::elaborate(TypeExprId id, Anonymous mode) {
  if (auto found = annotations_.find(id); found != annotations_.end()) return found->second;
  const TypeExpr expr = program_.tree.types[id];
  TypeRef type = base::match(
      expr.node, [&](const TypeName& name) { return elaborateName(name, mode); },
      [&](const TypeArray& array) {
        Size size = array.size ? annotatedSize(array.size) : anonymousSize(expr.span, mode);
        TypeRef element = elaborate(array.element, mode);
        if (inference_.as<InferFunction>(element)) {
          sink_.error(Code::function_not_first_class, expr.span,
                      "an array of functions: array elements are plain values");
        }
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
      [&](const TypeExistential& existential) {
        sink_.error(Code::not_in_this_slice, expr.span, "`?[n]` is not supported here yet");
        return elaborate(existential.type, mode);
      });
  annotations_[id] = type;
  return type;
}

Size Checker::anonymousSize(Span span, Anonymous mode) {
  if (mode == Anonymous::kUnknown || !fresh_sizes_) return inference_.unknownSize(span);
  std::string name = fmt::format("d{}", fresh_sizes_->size());
  fresh_sizes_->push_back(newSizeBinder(name, span));
  return binderSize(fresh_sizes_->back());
}

TypeRef Checker::elaborateRecord(const TypeRecord& record, Span, Anonymous mode) {
  std::vector<std::pair<std::string, TypeRef>> fields;
  for (const auto& [name, type] : record.fields) {
    fields.emplace_back(name.name, elaborate(type, mode));
  }
  std::sort(fields.begin(), fields.end());
  InferRecord type;
  for (auto& [name, field] : fields) {
    type.names.push_back(name);
    type.fields.push_back(field);
  }
  return inference_.record(std::move(type));
}

TypeRef Checker::elaborateSum(const TypeSum& sum, Anonymous mode) {
  std::vector<std::pair<std::string, std::vector<TypeRef>>> constructors;
  for (const auto& [name, payload] : sum.constructors) {
    constructors.emplace_back(name.name, std::vector<TypeRef>());
    for (TypeExprId part : payload) constructors.back().second.push_back(elaborate(part, mode));
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

TypeRef Checker::elaborateFunction(const TypeFunction& node, Anonymous mode) {
  size_t mark = locals_.mark();
  InferFunction function;
  function.unique_parameter = uniquenessOf(program_.tree, node.parameter);
  function.unique_result = uniquenessOf(program_.tree, node.result);
  function.consumes = function.unique_parameter.any();
  std::vector<BinderId>* sizes = fresh_sizes_;
  if (parameter_sizes_) fresh_sizes_ = parameter_sizes_;
  function.parameter = elaborate(node.parameter, parameter_sizes_ ? Anonymous::kParameter : mode);
  fresh_sizes_ = sizes;
  if (node.parameter_name) {
    const Identifier& name = *node.parameter_name;
    BinderId binder = newBinder(name.name, name.span, function.parameter);
    locals_.add({name.name, binder, function.parameter, {}});
    if (inference_.asScalar(function.parameter) == prim::ScalarType::kI64) {
      function.parameter_name = binder;
    }
  }
  std::vector<BinderId>* outer = std::exchange(fresh_sizes_, &function.existentials);
  function.result = elaborate(node.result, Anonymous::kExistential);
  fresh_sizes_ = outer;
  locals_.popTo(mark);
  return inference_.function(std::move(function));
}

TypeRef Checker::elaborateName(const TypeName& name, Anonymous mode) {
  if (name.name.qualifiers.empty()) {
    for (size_t i = locals_.type_params.size(); i-- > 0;) {
      const auto& [param_name, id] = locals_.type_params[i];
      if (param_name == name.name.name) return inference_.param(id);
    }
  }
  if (auto* abbreviation = findType(name.name)) return applyAbbreviation(*abbreviation, name, mode);
  if (name.name.qualifiers.empty()) {
    if (auto scalar = prim::scalarTypeFromName(name.name.name)) {
      return inference_.scalar(*scalar);
    }
  }
  reportUnknownType(name.name);
  return poison();
}

TypeRef Checker::applyAbbreviation(const TypeAbbreviation& abbreviation, const TypeName& name,
                                   Anonymous mode) {
  if (abbreviation.type_parameters.size() != name.arguments.size() ||
      abbreviation.size_parameters.size() != name.size_arguments.size()) {
    sink_.error(
        Code::type_mismatch, name.name.span,
        fmt::format("type `{}` is applied to {} types and {} sizes, it has {} and {}",
                    name.name.name, name.arguments.size(), name.size_arguments.size(),
                    abbreviation.type_parameters.size(), abbreviation.size_parameters.size()));
    return poison();
  }
  Substitution arguments;
  for (size_t i = 0; i < name.arguments.size(); ++i) {
    arguments.types.emplace_back(abbreviation.type_parameters[i],
                                 elaborate(name.arguments[i], mode));
  }
  for (size_t i = 0; i < name.size_arguments.size(); ++i) {
    Size size = name.size_arguments[i] ? annotatedSize(name.size_arguments[i])
                                       : anonymousSize(name.name.span, mode);
    arguments.sizes.emplace_back(abbreviation.size_parameters[i], std::move(size));
  }
  for (BinderId hidden : abbreviation.hidden_sizes) {
    arguments.sizes.emplace_back(hidden, anonymousSize(name.name.span, mode));
  }
  TypeId type = abbreviation.type;  // looking names up may move the abbreviation
  return inference_.instantiate(inference_.import(type), arguments);
}

Size Checker::annotatedSize(ExprId expr) {
  size_t errors = sink_.errorCount();
  check(expr, i64(), "this size");
  if (auto size = sizeOf(expr); size && !isTooComplex(*size)) return *size;
  if (sink_.errorCount() == errors) {
    sink_.error(Code::size_not_determined, span(expr),
                "a size is made of constants, `i64` variables and `+ - *`; "
                "bind anything else with `let` first");
  }
  return inference_.unknownSize(span(expr));
}

// The size that an i64 expression stands for, if it is simple enough to be compared.
std::optional<Size> Checker::sizeOf(ExprId expr) {
  const ExprNode& node = program_.tree.exprs[expr].node;
  if (auto* inner = std::get_if<Parenthesised>(&node)) return sizeOf(inner->value);
  if (auto* inner = std::get_if<Ascribe>(&node)) return sizeOf(inner->value);
  if (auto* number = std::get_if<Number>(&node)) {
    if (number->is_decimal || number->integer > INT64_MAX) return std::nullopt;
    return constantSize(static_cast<int64_t>(number->integer));
  }
  if (!isInferred(expr) || inference_.asScalar(inferred_[expr]) != prim::ScalarType::kI64) {
    return std::nullopt;
  }
  if (std::holds_alternative<Variable>(node)) {
    for (size_t i = pending_.uses.size(); i-- > 0;) {
      const PendingUse& use = pending_.uses[i];
      if (use.expr != expr) continue;
      if (auto* local = std::get_if<LocalTarget>(&use.target)) return binderSize(local->binder);
      if (auto* def = std::get_if<DefTarget>(&use.target)) {
        auto constant = environment_.constants.find(def->def);
        if (constant != environment_.constants.end()) return constantSize(constant->second);
      }
      return std::nullopt;
    }
    return std::nullopt;
  }
  auto* binary = std::get_if<Binary>(&node);
  if (!binary || !binary->op.qualifiers.empty() || findDef(binary->op)) return std::nullopt;
  auto lhs = sizeOf(binary->lhs);
  auto rhs = lhs ? sizeOf(binary->rhs) : std::nullopt;
  if (!rhs || isTooComplex(*lhs) || isTooComplex(*rhs)) return std::nullopt;
  if (binary->op.name == "+") return *lhs + *rhs;
  if (binary->op.name == "-") return *lhs - *rhs;
  if (binary->op.name == "*") return *lhs * *rhs;
  return std::nullopt;
}

}  // namespace halo::types
