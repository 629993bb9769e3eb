// Internal to the parser: the base of the classes whose methods are rules of the grammar. Rules
// call those of other classes through `parser_` (parser_state.h).
#pragma once

#include "lang/syntax/parse/cursor.h"
#include "lang/syntax/parse/depth.h"
#include "lang/syntax/parse/tree_builder.h"

namespace halo::syntax {

struct Parser;

class Rules {
 protected:
  explicit Rules(Parser& parser);

  Parser& parser_;
  Cursor& cursor_;
  TreeBuilder& build_;
  Tree& tree_;
};

}  // namespace halo::syntax
