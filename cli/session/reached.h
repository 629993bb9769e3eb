// The code that an entry reaches: its body, those of the definitions it names, and so on.
#pragma once

#include <functional>
#include <optional>

#include "lang/types/checked.h"

namespace halo::session {

// An expression that runs. In the prelude, `name` is the program's own name that leads there.
struct Reached {
  types::ExprId expr;
  std::optional<source::Span> name;
};

// Each definition and each expression once, until one of the functions returns false.
struct ReachedVisitor {
  std::function<bool(const types::Def&)> visit_def;
  std::function<bool(const Reached&)> visit_expr;
};
void visitReached(const types::Program& program, types::DefId entry, const ReachedVisitor& visitor);

// The first tracing attribute in the program's text that an entry reaches, or the name of a
// function of the prelude that traces.
std::optional<source::Span> firstTrace(const types::Program& program, types::DefId entry);

}  // namespace halo::session
