// Loops. A carried array may change its size from step to step: sizes of the initial value are
// first unknown inside the body; what the body then needs or returns decides which stay.
#include <fmt/format.h>

#include <algorithm>

#include "lang/base/match.h"
#include "lang/types/checker.h"

namespace halo::types {

using diag::Code;
using namespace syntax;

// A copy of `type` with an unknown in place of each size; `unknown_of` pairs them up.
TypeRef Checker::withUnknownSizes(TypeRef type, std::vector<std::pair<Size, Size>>& unknown_of) {
  const InferNode node = inference_.node(type);
  if (auto* array = std::get_if<InferArray>(&node)) {
    Size unknown = inference_.unknownSize(inference_.current_span);
    unknown_of.emplace_back(unknown, array->size);
    TypeRef element = withUnknownSizes(array->element, unknown_of);
    return inference_.array(std::move(unknown), element);
  }
  if (auto* record = std::get_if<InferRecord>(&node)) {
    InferRecord copy = *record;
    for (TypeRef& field : copy.fields) field = withUnknownSizes(field, unknown_of);
    return inference_.record(std::move(copy));
  }
  return type;
}

TypeRef Checker::inferLoop(ExprId expr, const Loop& loop) {
  size_t mark = locals_.mark();
  declareSizeNames(expr, loop.sizes);
  TypeRef pattern_type = patternType(loop.pattern, Anonymous::kUnknown);
  locals_.popTo(mark);
  TypeRef initial = infer(loop.initial, pattern_type);
  inference_.current_span = span(loop.initial);
  std::vector<std::pair<Size, Size>> sizes;  // of the carried value, and of the initial one
  TypeRef carried = withUnknownSizes(initial, sizes);
  if (!require(span(loop.initial), carried, pattern_type, "the initial value")) {
    carried = pattern_type;
  }
  declareSizeNames(expr, loop.sizes);
  bind(loop.pattern, carried, Anonymous::kUnknown);
  inferLoopForm(expr, loop);
  TypeRef body = infer(loop.body, carried);
  locals_.popTo(mark);
  settleLoopSizes(expr, loop, carried, body, sizes);

  // Outside, what changed has the size of the last step: a new name each.
  Substitution last;
  std::vector<BinderId> inside = program_.loop_sizes.at(expr);
  const std::vector<BinderId> named = program_.size_names.at(expr);
  inside.insert(inside.end(), named.begin(), named.end());
  for (BinderId binder : inside) {
    const std::string name = program_.binders[binder].name;
    last.sizes.emplace_back(binder, binderSize(newSizeBinder(name, span(expr))));
  }
  return inference_.instantiate(carried, last);
}

void Checker::inferLoopForm(ExprId expr, const Loop& loop) {
  base::match(
      loop.form,
      [&](const LoopFor& form) {
        TypeRef bound = infer(form.bound);
        TypeRef integer = overloaded(span(form.bound), allowedAt(prim::Operands::kInt));
        if (!requireOperand(span(form.bound), bound, integer, "<")) integer = poison();
        BinderId binder = newBinder(form.variable.name, form.variable.span, integer);
        program_.loop_variable[expr] = binder;
        locals_.add({form.variable.name, binder, integer, {}});
      },
      [&](const LoopForIn& form) {
        TypeRef element = patternType(form.pattern, Anonymous::kUnknown);
        TypeRef size = inference_.array(inference_.unknownSize(span(form.array)), element);
        check(form.array, size, "the array of `for .. in`");
        bind(form.pattern, element, Anonymous::kUnknown);
      },
      [&](const LoopWhile& form) { check(form.condition, boolean(), "the condition of `while`"); });
}

// Sizes that the body needs fixed are known already. Of the others, those stay that the body gives
// back unchanged, assuming all do; each that does not may spoil more, until nothing changes.
void Checker::settleLoopSizes(ExprId expr, const Loop& loop, TypeRef carried, TypeRef body,
                              std::vector<std::pair<Size, Size>>& sizes) {
  inference_.current_span = span(loop.body);
  Inference::SizePairs pairs;
  if (auto mismatch = inference_.unifyShapes(body, carried, pairs)) {
    report(span(loop.body), body, carried, *mismatch, "the body of the loop");
    return;
  }
  struct Open {
    SizeAtom unknown;
    Size initial, returned;
    bool changes = false;
  };
  std::vector<Open> open;
  const std::vector<BinderId>& named = program_.size_names.at(expr);
  auto isNamed = [&](const Size& size) {
    auto atom = asAtom(size);
    return atom && !atom->is_unknown &&
           std::find(named.begin(), named.end(), BinderId(atom->index)) != named.end();
  };
  for (const auto& [inside, initial] : sizes) {
    Size now = inference_.resolve(inside);
    auto atom = asAtom(now);
    bool is_open = atom && atom->is_unknown;
    if (!is_open && !isNamed(now) && !inference_.unifySizes(initial, now)) {
      report(span(loop.initial), inferred_[loop.initial], carried,
             Mismatch{Mismatch::Kind::kSize, {}, {}, initial, now, {}}, "the initial value");
    }
  }
  for (const auto& [returned, inside] : pairs) {
    Size now = inference_.resolve(inside);
    auto atom = asAtom(now);
    auto initial = std::find_if(sizes.begin(), sizes.end(), [&](const auto& pair) {
      return equal(inference_.resolve(pair.first), now);
    });
    if (isNamed(now)) continue;
    if (atom && atom->is_unknown && initial != sizes.end()) {
      Size back = inference_.resolve(returned);
      auto back_atom = asAtom(back);
      bool is_free = back_atom && back_atom->is_unknown && *back_atom != *atom &&
                     std::none_of(sizes.begin(), sizes.end(), [&](const auto& pair) {
                       return equal(inference_.resolve(pair.first), back);
                     });
      if (is_free) inference_.solveSize(*back_atom, now);  // `rep 0`: any size will do
      open.push_back({*atom, initial->second, returned});
    } else if (!inference_.unifySizes(returned, inside)) {
      report(span(loop.body), body, carried,
             Mismatch{Mismatch::Kind::kSize, {}, {}, returned, now, {}}, "the body of the loop");
    }
  }
  auto assumed = [&](SizeAtom atom) -> std::optional<Size> {
    for (const Open& size : open) {
      if (size.unknown == atom && !size.changes) return inference_.resolve(size.initial);
    }
    return std::nullopt;
  };
  for (bool again = true; again;) {
    again = false;
    for (Open& size : open) {
      if (size.changes) continue;
      Size back = substitute(inference_.resolve(size.returned), assumed);
      if (equal(back, inference_.resolve(size.initial))) continue;
      size.changes = again = true;
    }
  }
  for (const Open& size : open) {
    if (!hasUnknown(inference_.resolve(atomSize(size.unknown)))) continue;
    if (!size.changes) {
      inference_.solveSize(size.unknown, size.initial);
      continue;
    }
    BinderId binder = newSizeBinder("k", span(loop.pattern));
    inference_.solveSize(size.unknown, binderSize(binder));
    program_.loop_sizes[expr].push_back(binder);
  }
}

}  // namespace halo::types
