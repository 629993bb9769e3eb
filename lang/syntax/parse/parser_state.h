// Internal to the parser: its parts, one class for a part of the grammar. Rules of different parts
// call each other, so that each part knows all of them.
#pragma once

#include "lang/syntax/parse/cursor.h"
#include "lang/syntax/parse/doc_comments.h"
#include "lang/syntax/parse/duplicates.h"
#include "lang/syntax/parse/parse_atom.h"
#include "lang/syntax/parse/parse_decl.h"
#include "lang/syntax/parse/parse_expr.h"
#include "lang/syntax/parse/parse_module.h"
#include "lang/syntax/parse/parse_name.h"
#include "lang/syntax/parse/parse_operator.h"
#include "lang/syntax/parse/parse_path.h"
#include "lang/syntax/parse/parse_pattern.h"
#include "lang/syntax/parse/parse_type.h"
#include "lang/syntax/parse/parser.h"
#include "lang/syntax/parse/tree_builder.h"

namespace halo::syntax {

struct Parser {
  Parser(const source::Files& files, Span part, const ParseOptions& parse_options, Tree& whole,
         diag::Sink& sink, bool* incomplete);
  Parser(const Parser&) = delete;
  Parser& operator=(const Parser&) = delete;
  File wholeFile();
  ExprId wholeExpression();

  const ParseOptions& options;
  Tree& tree;
  Cursor cursor;
  TreeBuilder build;
  DocComments docs;
  Checks checks;
  NameParser names;
  TypeParser types;
  PatternParser patterns;
  ExprParser exprs;
  OperatorParser operators;
  AtomParser atoms;
  PathParser paths;
  ModuleParser modules;
  DeclParser decls;
};

inline Rules::Rules(Parser& parser)
    : parser_(parser), cursor_(parser.cursor), build_(parser.build), tree_(parser.tree) {}

}  // namespace halo::syntax
