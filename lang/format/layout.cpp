// The layout of a file: the rules of its nodes, which are noted as rules of others meet them.
#include "lang/format/layout.h"

#include "lang/base/match.h"
#include "lang/format/rules.h"

namespace halo::format {

std::vector<Scope> layOut(const syntax::Tree& tree, const syntax::File& file, Words& words) {
  LayoutState state{tree, words};
  DeclLayout(state).paragraphs(file.declarations, true);
  while (!state.todo.empty()) {
    const LayoutState::Node node = state.todo.back();
    state.todo.pop_back();
    base::match(
        node, [&](syntax::ExprId id) { ExpressionLayout(state).expression(id); },
        [&](syntax::PatternId id) { PatternLayout(state).pattern(id); },
        [&](syntax::TypeExprId id) { TypeLayout(state).type(id); },
        [&](syntax::DeclId id) { DeclLayout(state).declaration(id); },
        [&](syntax::SpecId id) { DeclLayout(state).spec(id); },
        [&](syntax::ModuleExprId id) { ModuleLayout(state).module(id); },
        [&](syntax::ModuleTypeId id) { ModuleLayout(state).moduleType(id); });
  }
  return std::move(state.scopes);
}

}  // namespace halo::format
