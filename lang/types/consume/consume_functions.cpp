// Functions as values: those that may run any number of times, and types of functions.
#include <fmt/format.h>

#include <algorithm>

#include "lang/types/consume/consume_part.h"
#include "lang/types/consume/star_misfit.h"

namespace halo::types {

using diag::Code;

bool ConsumptionPart::mayCall(TypeId type) const {
  if (!type) return false;
  if (functionType(type)) return true;
  if (!hasParts(program_, type)) return false;
  std::vector<Part> parts = partsOf(program_, type);
  return std::any_of(parts.begin(), parts.end(),
                     [&](const Part& part) { return mayCall(part.type); });
}

// A callee may run its argument any number of times. (Each call works on its own copy of values
// that a partial application has made itself: `g (iota n)`. So it may also consume such a value:
// `g (let ys = iota n in ys with [0] = 1)`.)
void ConsumptionPart::rejectConsumed(const Making& making, Span span) {
  const auto end = consumed_order_.rend() - static_cast<std::ptrdiff_t>(making.consumed);
  const auto older = std::find_if(consumed_order_.rbegin(), end, [&](int root) {
    return static_cast<size_t>(root) < making.roots;
  });
  if (older == end) return;
  const int root = *older;
  if (!reported_.insert(root).second) return;
  diag::Diagnostic& diagnostic =
      error(Code::uniqueness, span,
            fmt::format("this is a function that may run twice, and making it consumes {}",
                        describe(root)));
  labelOrigin(diagnostic, root);
  diagnostic.notes.push_back("give it a `copy`, or all of its arguments at once");
}

void ConsumptionPart::checkFunction(Span span, TypeId found, TypeId needed, const Alias& value) {
  if (!mayCall(found) || !needed) return;
  std::optional<Closure> closure = value ? value->closure : std::nullopt;
  StarMisfit misfit = starMisfit(program_, found, needed, Unknowns::kStrict, std::move(closure));
  if (misfit == StarMisfit::kNone) return;
  bool consumes = misfit == StarMisfit::kConsumes;
  std::string message =
      fmt::format("this function has type `{}`, but a `{}` is needed: {}", print(program_, found),
                  print(program_, needed),
                  consumes ? "it consumes an argument that must be left alone"
                           : "its result is not `*`, so it may share the memory of something else");
  error(Code::uniqueness, span, std::move(message));
}

TypeId ConsumptionPart::resultType(TypeId type, size_t parameters) const {
  for (; parameters > 0 && functionType(type); --parameters) type = functionType(type)->result;
  return type;
}

// Of the expression behind all `let`s, which gives the value.
Span ConsumptionPart::resultSpan(ExprId body) const {
  for (;;) {
    const syntax::ExprNode& node = program_.tree.exprs[body].node;
    if (const auto* let = std::get_if<syntax::Let>(&node)) {
      body = let->body;
    } else if (const auto* function = std::get_if<syntax::LetFunction>(&node)) {
      body = function->body;
    } else {
      return span(body);
    }
  }
}

}  // namespace halo::types
