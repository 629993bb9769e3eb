#include "lang/types/sizes/sizes_of_types.h"

#include <algorithm>

#include "lang/base/match.h"
#include "lang/syntax/visit.h"

namespace halo::types {
namespace {

void addOnce(BinderId binder, std::vector<BinderId>& out) {
  if (std::find(out.begin(), out.end(), binder) == out.end()) out.push_back(binder);
}

}  // namespace

void SizesOfTypes::add(SizeId size, std::vector<BinderId>& out) const {
  base::match(
      program_.sizes[size], [](const SizeConst&) {},
      [&](const SizeBinder& node) { addOnce(node.binder, out); },
      [&](const SizeArith& node) {
        add(node.lhs, out);
        add(node.rhs, out);
      },
      [&](const SizeExpression& node) {
        // A `let` in a size uses its own names.
        const source::Span& whole = program_.tree.exprs[node.value].span;
        std::vector<ExprId> open = {node.value};
        while (!open.empty()) {
          ExprId expr = open.back();
          open.pop_back();
          // A function in a size uses no names but its own.
          if (std::holds_alternative<syntax::Lambda>(program_.tree.exprs[expr].node)) continue;
          if (const auto& use = program_.use_of.at(expr)) {
            const auto* local = std::get_if<LocalTarget>(&use->target);
            if (local != nullptr && !isWithin(program_.binders[local->binder].span, whole)) {
              addOnce(local->binder, out);
            }
            for (SizeId argument : use->size_arguments) add(argument, out);
          }
          syntax::forEachChild(program_.tree.exprs[expr].node,
                               [&](ExprId child) { open.push_back(child); });
        }
      });
}

const std::vector<BinderId>& SizesOfTypes::of(TypeId type) {
  if (auto found = known_.find(type); found != known_.end()) return found->second;
  std::vector<BinderId> sizes;
  auto addAll = [&](TypeId part) {
    for (BinderId binder : of(part)) addOnce(binder, sizes);
  };
  base::match(
      program_.types[type], [](const ScalarTypeNode&) {},
      [&](const ParamType& param) {
        for (SizeId size : param.sizes) add(size, sizes);
        for (TypeId argument : param.types) addAll(argument);
      },
      [&](const SumType& sum) {
        for (const auto& payload : sum.payloads) {
          for (TypeId part : payload) addAll(part);
        }
      },
      [&](const ArrayType& array) {
        add(array.size, sizes);
        addAll(array.element);
      },
      [&](const RecordType& record) {
        for (TypeId field : record.fields) addAll(field);
      },
      [&](const FunctionType& function) {
        addAll(function.parameter);
        for (BinderId binder : of(function.result)) {
          bool is_own = function.parameter_name == binder ||
                        std::find(function.existentials.begin(), function.existentials.end(),
                                  binder) != function.existentials.end();
          if (!is_own) addOnce(binder, sizes);
        }
      });
  return known_[type] = std::move(sizes);
}

}  // namespace halo::types
