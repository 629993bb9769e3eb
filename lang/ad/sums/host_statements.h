// Statements of host code, rewritten one after another.
#pragma once

#include <functional>
#include <vector>

#include "lang/ad/emit.h"
#include "lang/passes/simplify/simplify.h"

namespace halo::ad {

// Rewrites statement `at`, or leaves the body as it is: then false.
using RewriteStm = std::function<bool(Body& body, size_t at)>;

// The first statement that can be rewritten; those of nested bodies come before the one that has
// them.
bool rewriteFirst(Body& host, const RewriteStm& rewrite);

// These in place of statement `at`, with its span.
void replaceStm(Body& body, size_t at, std::vector<Stm> stms);

// All functions, until nothing can be rewritten. A `Rewriter(program, function)` has a method
// `rewrite` of the type above. It is made anew for each, as it may point into statements.
template <typename Rewriter>
core::Program rewriteHost(core::Program program) {
  bool is_changed = false;
  for (core::Function& function : program.functions) {
    const auto rewriteOne = [&] {
      Rewriter rewriter(program, function);
      return rewriteFirst(function.body,
                          [&](Body& body, size_t at) { return rewriter.rewrite(body, at); });
    };
    while (rewriteOne()) is_changed = true;
  }
  return is_changed ? passes::simplify(program) : program;
}

}  // namespace halo::ad
