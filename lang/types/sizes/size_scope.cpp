// After a definition's tables are written: every size must be known where it is used.
//
// A walk in evaluation order. A binder is known from where it is bound to the end of its region
// (function body, branch, loop body). It
// - fills in `binds`: an expression whose type names sizes that came up inside it defines them;
// - rewrites applications whose arguments bring sizes that the function itself must know:
//     map f (filter p xs)      becomes    let a = filter p xs in map f a
//     replicate (f x) 0        becomes    let n = f x in replicate n 0
//   with the arguments before it, so that the order of evaluation stays;
// - reports sizes used before they are known, and functions where only values may be.
#include "lang/types/sizes/size_scope.h"

#include <fmt/format.h>

#include <algorithm>

#include "lang/base/match.h"
#include "lang/syntax/visit.h"
#include "lang/types/sizes/size_scopes.h"

namespace halo::types {

using diag::Code;
using namespace syntax;

void addWholeSizes(const Program& program, TypeId type, std::vector<BinderId>& out) {
  if (auto* array = std::get_if<ArrayType>(&program.types[type])) {
    auto* whole = std::get_if<SizeBinder>(&program.sizes[array->size]);
    if (whole) out.push_back(whole->binder);
    addWholeSizes(program, array->element, out);
  } else if (auto* record = std::get_if<RecordType>(&program.types[type])) {
    for (TypeId field : record->fields) addWholeSizes(program, field, out);
  } else if (auto* sum = std::get_if<SumType>(&program.types[type])) {
    for (const auto& payload : sum->payloads) {
      for (TypeId part : payload) addWholeSizes(program, part, out);
    }
  } else if (auto* param = std::get_if<ParamType>(&program.types[type])) {
    // The type behind an abstract one shows its sizes: its declaration has seen to that.
    for (SizeId size : param->sizes) {
      if (auto* whole = std::get_if<SizeBinder>(&program.sizes[size])) out.push_back(whole->binder);
    }
  }
}

bool mayBeFunction(const Program& program, TypeId type) {
  auto inside = [&](TypeId part) { return mayBeFunction(program, part); };
  return base::match(
      program.types[type], [](const ScalarTypeNode&) { return false; },
      [&](const ParamType& param) {
        return program.type_params[param.parameter].lift == Lift::kFull;
      },
      [](const FunctionType&) { return true; },
      [&](const ArrayType& array) { return inside(array.element); },
      [&](const RecordType& record) {
        return std::any_of(record.fields.begin(), record.fields.end(), inside);
      },
      [&](const SumType& sum) {
        return std::any_of(sum.payloads.begin(), sum.payloads.end(), [&](const auto& payload) {
          return std::any_of(payload.begin(), payload.end(), inside);
        });
      });
}

void SizeScopes::requireKnown(BinderId binder, Span span, Code code, TypeId whole) {
  if (isKnown(binder) || !reported_.insert(binder).second) return;
  const std::string type = print(program_, whole);
  const Binder& info = program_.binders[binder];
  auto& diagnostic = sink_.error(
      code, span,
      code == Code::size_escapes
          ? fmt::format("the type `{}` depends on size `{}`, which is not the same everywhere here",
                        type, info.name)
          : fmt::format("size `{}` of type `{}` is used before it is known", info.name, type));
  if (info.span.file && !(info.span == span)) {
    diagnostic.labels.push_back({info.span, fmt::format("size `{}` comes from here", info.name)});
  }
  if (code == Code::size_not_determined) {
    diagnostic.notes.push_back("bind the value that brings the size with `let` first");
  } else {
    diagnostic.notes.push_back(fmt::format(
        "`{}` is made anew in each call, branch or step; elements of an array and values used "
        "together have one size: pad to a size known before, and say so, `.. :> [n]t`",
        info.name));
  }
}

void SizeScopes::requireKnown(TypeId type, Span span, Code code) {
  for (BinderId binder : sizesOf(type)) requireKnown(binder, span, code, type);
}

// ---- the walk

void SizeScopes::bindPattern(PatternId pattern) {
  if (TypeId type = program_.pattern_type.at(pattern)) {
    requireKnown(type, program_.tree.patterns[pattern].span, Code::size_escapes);
  }
  const PatternNode& node = program_.tree.patterns[pattern].node;
  base::match(
      node, [&](const PatternName&) { know(program_.binder_of.at(pattern)); },
      [](const PatternWildcard&) {},
      [&](const PatternTuple& tuple) {
        for (PatternId element : tuple.elements) bindPattern(element);
      },
      [&](const PatternRecord& record) {
        for (const auto& [name, field] : record.fields) bindPattern(field);
      },
      [&](const PatternConstructor& constructor) {
        for (PatternId part : constructor.payload) bindPattern(part);
      },
      [](const PatternLiteral&) {},
      [&](const PatternAttributed& attributed) { bindPattern(attributed.pattern); },
      [&](const PatternTyped& typed) { bindPattern(typed.pattern); });
}

void SizeScopes::checkUse(ExprId expr) {
  const auto& use = program_.use_of.at(expr);
  if (!use) return;
  Span span = program_.tree.exprs[expr].span;
  for (TypeId type : use->type_arguments) requireKnown(type, span, Code::size_escapes);
  for (SizeId size : use->size_arguments) {
    std::vector<BinderId> sizes;
    sizes_in_.add(size, sizes);
    for (BinderId binder : sizes) {
      requireKnown(binder, span, Code::size_not_determined, program_.type_of.at(expr));
    }
  }
}

void SizeScopes::checkFirstClass(ExprId expr, const ExprNode& node) {
  bool is_choice = std::holds_alternative<If>(node) || std::holds_alternative<MatchExpr>(node) ||
                   std::holds_alternative<Loop>(node) || std::holds_alternative<ArrayExpr>(node);
  if (!is_choice) return;
  auto isFunction = [&](TypeId type) { return type && mayBeFunction(program_, type); };
  Span span = program_.tree.exprs[expr].span;
  TypeId type = program_.type_of.at(expr);
  if (std::holds_alternative<If>(node) && isFunction(type)) {
    sink_.error(Code::function_not_first_class, span,
                fmt::format("`if` gives a function of type `{}`: both branches must be values",
                            print(program_, type)));
  }
  if (std::holds_alternative<MatchExpr>(node) && isFunction(type)) {
    sink_.error(Code::function_not_first_class, span,
                fmt::format("`match` gives a function of type `{}`: its cases must be values",
                            print(program_, type)));
  }
  if (std::holds_alternative<Loop>(node) && isFunction(type)) {
    sink_.error(Code::function_not_first_class, span,
                fmt::format("`loop` carries a function of type `{}`, but only values change from "
                            "step to step",
                            print(program_, type)));
  }
  if (auto* array = type ? std::get_if<ArrayType>(&program_.types[type]) : nullptr;
      array && std::holds_alternative<ArrayExpr>(node) && isFunction(array->element)) {
    sink_.error(Code::function_not_first_class, span,
                fmt::format("an array of functions of type `{}`: array elements are plain values",
                            print(program_, array->element)));
  }
}

// Sizes that came up since `entered` and show in the type are defined by this expression.
void SizeScopes::leave(ExprId expr, size_t entered) {
  checkUse(expr);
  const ExprNode& node = program_.tree.exprs[expr].node;
  checkFirstClass(expr, node);
  TypeId type = program_.type_of.at(expr);
  if (!type) return;
  bool is_closure = std::holds_alternative<FunctionType>(program_.types[type]);
  bool defines = std::holds_alternative<Apply>(node) || std::holds_alternative<Binary>(node) ||
                 std::holds_alternative<IndexExpr>(node) ||
                 std::holds_alternative<RangeExpr>(node) || std::holds_alternative<If>(node) ||
                 std::holds_alternative<Loop>(node) || std::holds_alternative<Variable>(node) ||
                 std::holds_alternative<MatchExpr>(node) || std::holds_alternative<Hole>(node) ||
                 std::holds_alternative<Coerce>(node);
  const std::span<const BinderId> sizes = sizesOf(type);
  std::vector<BinderId> visible;  // those that the shape of the value shows
  if (!sizes.empty()) addWholeSizes(program_, type, visible);
  for (BinderId binder : sizes) {
    const size_t place = placeOf(binder);
    const bool is_new = place == kUnknown;
    bool is_visible = std::find(visible.begin(), visible.end(), binder) != visible.end();
    if (is_new && (is_closure || !defines || !is_visible)) {
      requireKnown(binder, program_.tree.exprs[expr].span, Code::size_escapes, type);
      continue;
    }
    if (is_new || (is_visible && place >= entered)) program_.binds[expr].push_back(binder);
    know(binder);
  }
}

void settleSizeScopes(Program& program, DefId def, const SizeOrder& order, Rewritten& rewritten,
                      diag::Sink& sink) {
  SizeScopes(program, order, rewritten, sink).settle(def);
}

}  // namespace halo::types
