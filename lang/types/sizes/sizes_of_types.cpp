#include "lang/types/sizes/sizes_of_types.h"

#include <algorithm>

#include "lang/base/match.h"
#include "lang/syntax/visit.h"

namespace halo::types {
namespace {

void addOnce(BinderId binder, std::vector<BinderId>& out, size_t from) {
  if (std::find(out.begin() + static_cast<std::ptrdiff_t>(from), out.end(), binder) == out.end()) {
    out.push_back(binder);
  }
}

template <typename Visit>
void forEachPart(const TypeNode& type, const Visit& visit) {
  base::match(
      type, [](const ScalarTypeNode&) {},
      [&](const ParamType& param) {
        for (TypeId argument : param.types) visit(argument);
      },
      [&](const SumType& sum) {
        for (const auto& payload : sum.payloads) {
          for (TypeId part : payload) visit(part);
        }
      },
      [&](const ArrayType& array) { visit(array.element); },
      [&](const RecordType& record) {
        for (TypeId field : record.fields) visit(field);
      },
      [&](const FunctionType& function) {
        visit(function.parameter);
        visit(function.result);
      });
}

bool isOwn(const FunctionType& function, BinderId binder) {
  const auto& own = function.existentials;
  return function.parameter_name == binder ||
         std::find(own.begin(), own.end(), binder) != own.end();
}

}  // namespace

void SizesOfTypes::add(SizeId size, std::vector<BinderId>& out, size_t from) const {
  base::match(
      program_.sizes[size], [](const SizeConst&) {},
      [&](const SizeBinder& node) { addOnce(node.binder, out, from); },
      [&](const SizeArith& node) {
        add(node.lhs, out, from);
        add(node.rhs, out, from);
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
              addOnce(local->binder, out, from);
            }
            for (SizeId argument : use->size_arguments) add(argument, out, from);
          }
          syntax::forEachChild(program_.tree.exprs[expr].node,
                               [&](ExprId child) { open.push_back(child); });
        }
      });
}

SizesOfTypes::Slice SizesOfTypes::sliceOf(TypeId type) {
  if (const Slice* found = known_.find(type)) return *found;
  const TypeNode& node = program_.types[type];
  forEachPart(node, [&](TypeId part) { sliceOf(part); });  // they end where this one begins
  const size_t begin = binders_.size();
  auto addSize = [&](SizeId size) { add(size, binders_, begin); };
  if (auto* array = std::get_if<ArrayType>(&node)) addSize(array->size);
  if (auto* param = std::get_if<ParamType>(&node)) {
    for (SizeId size : param->sizes) addSize(size);
  }
  const auto* function = std::get_if<FunctionType>(&node);
  forEachPart(node, [&](TypeId part) {
    const Slice slice = *known_.find(part);
    for (size_t i = 0; i < slice.size; ++i) {
      const BinderId binder = binders_[slice.begin + i];
      const bool is_hidden =
          function != nullptr && part == function->result && isOwn(*function, binder);
      if (!is_hidden) addOnce(binder, binders_, begin);
    }
  });
  const Slice slice{begin, binders_.size() - begin};
  known_.insert(type, slice);
  return slice;
}

std::span<const BinderId> SizesOfTypes::of(TypeId type) {
  const Slice slice = sliceOf(type);
  return std::span(binders_).subspan(slice.begin, slice.size);
}

}  // namespace halo::types
