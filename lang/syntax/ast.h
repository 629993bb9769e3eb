// Long because the whole language of this level is meant to be read in one place.
// The AST: the program as written, immutable after parsing. Nodes live in the stores of one Tree
// and refer to each other by id; every node has a span. Checking adds side tables (lang/types), it
// never changes the tree.
//
// Read in this order: names, types, patterns, expressions, declarations, modules, Tree.
#pragma once

#include <optional>
#include <string>
#include <variant>
#include <vector>

#include "lang/base/containers/paged.h"
#include "lang/base/containers/store.h"
#include "lang/prim/prim.h"
#include "lang/source/source.h"

namespace halo::syntax {

using source::Span;
using ExprId = base::Id<struct ExprTag>;
using PatternId = base::Id<struct PatternTag>;
using TypeExprId = base::Id<struct TypeExprTag>;
using DeclId = base::Id<struct DeclTag>;
using ModuleExprId = base::Id<struct ModuleExprTag>;
using ModuleTypeId = base::Id<struct ModuleTypeTag>;
using SpecId = base::Id<struct SpecTag>;

// `f32.sum` is {qualifiers: ["f32"], name: "sum"}; operators are names too: `+`, `f32.+`.
// The parser does not know which names are modules: `r.a.b`, with r a record, is a Variable of this
// form as well (`(r).a`, `r[0].a` and `r.0` are Projects). projectOut (project_out.h) turns it into
// Projects once that is known.
struct QualifiedName {
  std::vector<std::string> qualifiers;
  std::string name;
  Span span;
};

struct Identifier {
  std::string name;
  Span span;
};

// #[name] or #[name(args)]; the text between the brackets, unknown ones are ignored.
struct Attribute {
  std::string text;
  Span span;
};

// ---- type expressions

struct TypeArgument {  // a type, or the size in `[n]`; `[]` has neither
  TypeExprId type;
  ExprId size;
};
struct TypeName {  // a scalar type, abbreviation or type parameter; `t [n] i32` has arguments
  QualifiedName name;
  std::vector<TypeArgument> arguments;
};
struct TypeArray {
  ExprId size;  // none: anonymous `[]`
  TypeExprId element;
};
struct TypeTuple {
  std::vector<TypeExprId> elements;  // 0 (unit) or at least 2
};
struct TypeRecord {
  std::vector<std::pair<Identifier, TypeExprId>> fields;
};
struct TypeFunction {
  std::optional<Identifier> parameter_name;  // `(n: i64) -> [n]t`
  TypeExprId parameter;
  TypeExprId result;
};
struct TypeUnique {  // `*t`
  TypeExprId type;
};
struct TypeSum {  // `#foo i32 | #bar`, as written
  std::vector<std::pair<Identifier, std::vector<TypeExprId>>> constructors;
};
struct TypeExistential {  // `?[n][m].t`
  std::vector<Identifier> sizes;
  TypeExprId type;
};
using TypeNode = std::variant<TypeName, TypeArray, TypeTuple, TypeRecord, TypeFunction, TypeUnique,
                              TypeSum, TypeExistential>;
struct TypeExpr {
  TypeNode node;
  Span span;
};

// ---- patterns

struct PatternName {
  Identifier name;
};
struct PatternWildcard {};
struct PatternTuple {
  std::vector<PatternId> elements;  // 0 (unit) or at least 2
};
struct PatternRecord {
  std::vector<std::pair<Identifier, PatternId>> fields;  // `{a}` is {a = a}
};
struct PatternTyped {  // `p: t`
  PatternId pattern;
  TypeExprId type;
};
struct PatternConstructor {  // `#foo p q`
  Identifier name;
  std::vector<PatternId> payload;
};
struct PatternLiteral {  // a Number, `-` Number (a Unary), BoolLiteral
  ExprId value;
};
struct PatternAttributed {  // `#[a] p`
  Attribute attribute;
  PatternId pattern;
};
using PatternNode =
    std::variant<PatternName, PatternWildcard, PatternTuple, PatternRecord, PatternTyped,
                 PatternConstructor, PatternLiteral, PatternAttributed>;
struct Pattern {
  PatternNode node;
  Span span;
};

// ---- expressions

// A number as it was written. `suffix` fixes the type; without one it comes from use. Integer
// spellings hold `integer` (magnitude; a minus sign is a Unary node), decimal ones `text`.
struct Number {
  bool is_decimal = false;
  uint64_t integer = 0;
  std::string text;  // the spelling without suffix and `_`, for correctly rounded reading
  std::optional<prim::ScalarType> suffix;
};
struct BoolLiteral {
  bool value;
};
struct StringLiteral {  // a []u8
  std::string bytes;
};
struct Variable {
  QualifiedName name;
};
struct TupleExpr {
  std::vector<ExprId> elements;  // 0 (unit) or at least 2
};
struct RecordExpr {
  std::vector<std::pair<Identifier, ExprId>> fields;
};
struct ArrayExpr {
  std::vector<ExprId> elements;
};
enum class RangeEnd { kInclusive, kBelow, kAbove };  // `...`  `..<`  `..>`
struct RangeExpr {
  ExprId first, second, last;  // `second` may be none
  RangeEnd end;
};
struct Project {  // `e.f`, `e.0`
  ExprId record;
  Identifier field;
};
// One position of an index list: `i`, or a slice `i:j:s` with any part missing.
struct IndexPart {
  bool is_slice = false;
  ExprId index;  // when not a slice
  ExprId start, end, stride;
  Span span;
};
struct IndexExpr {
  ExprId array;
  std::vector<IndexPart> parts;
};
struct UpdateExpr {  // `a with [i] = v`; `let a[i] = v in` is a Let of this
  ExprId array;
  std::vector<IndexPart> parts;
  ExprId value;
};
struct RecordUpdate {  // `r with f.g = e`
  ExprId record;
  std::vector<Identifier> path;
  ExprId value;
};
// One step of `a[i].b.0`.
using PathStep = std::variant<Identifier, std::vector<IndexPart>>;
// `x with a[i].b = e`, a path of fields and indices with both in it; the checker makes nested
// updates of it.
struct PathUpdate {
  ExprId target;
  std::vector<PathStep> path;
  ExprId value;
};
struct Constructor {  // `#foo a b`, always with all its arguments
  Identifier name;
  std::vector<ExprId> arguments;
};
struct Apply {
  ExprId function;
  ExprId argument;  // one; `f x y` is Apply(Apply(f, x), y)
};
struct Unary {  // `-` `!`
  std::string op;
  ExprId operand;
};
// Operators and `x `f` y`. `&&` and `||` are here too; pipes are prelude functions.
struct Binary {
  QualifiedName op;
  ExprId lhs, rhs;
};
// `(+)` is a Variable. `(x +)` has lhs, `(+ x)` has rhs.
struct OperatorSection {
  QualifiedName op;
  ExprId lhs, rhs;  // exactly one is valid
};
struct ProjectSection {  // `(.f.g)`
  std::vector<Identifier> path;
};
struct IndexSection {  // `(.[i])`
  std::vector<IndexPart> parts;
};
struct PathSection {  // `(.a[i].b)`, with fields and indices; the checker makes a Lambda of it
  std::vector<PathStep> path;
};
struct Lambda {
  std::vector<PatternId> parameters;
  TypeExprId result;  // may be none
  ExprId body;
};
struct Let {
  std::vector<Identifier> sizes;  // `let [n] p = e`
  PatternId pattern;
  ExprId value;
  ExprId body;
};

// `'a`; `'~a` may hide sizes; `'^a` may be a function, too. `type`, `type~`, `type^` likewise.
enum class Lift { kNone, kSize, kFull };
struct TypeParameter {
  enum class Kind { kSize, kType, kLifted, kFullyLifted } kind;  // `[n]` `'a` `'~a` `'^a`
  Identifier name;
};
// The part that `def`, `entry` and local `let f ..` share.
struct FunctionParts {
  Identifier name;
  std::vector<TypeParameter> type_parameters;
  std::vector<PatternId> parameters;
  TypeExprId result;  // may be none
  ExprId body;
};
struct LetFunction {
  FunctionParts function;
  ExprId body;
};
struct If {
  ExprId condition, then_branch, else_branch;
};
struct MatchCase {
  PatternId pattern;
  ExprId body;
};
struct MatchExpr {  // `match e case p -> e ..`
  ExprId scrutinee;
  std::vector<MatchCase> cases;  // at least one
};
struct LoopFor {  // `for i < n do`
  Identifier variable;
  ExprId bound;
};
struct LoopForIn {  // `for p in xs do`
  PatternId pattern;
  ExprId array;
};
struct LoopWhile {
  ExprId condition;
};
struct Loop {
  std::vector<Identifier> sizes;
  PatternId pattern;
  ExprId initial;  // always valid: the parser fills in `loop x for ..` with the variable x
  bool initial_implicit = false;
  std::variant<LoopFor, LoopForIn, LoopWhile> form;
  ExprId body;
};
struct Ascribe {  // `e : t`
  ExprId value;
  TypeExprId type;
};
struct Coerce {  // `e :> t`, checked at run time
  ExprId value;
  TypeExprId type;
};
struct AssertExpr {  // `assert c e`
  ExprId condition;
  ExprId value;
};
struct Attributed {  // `#[a] e`
  Attribute attribute;
  ExprId value;
};
struct Hole {};     // `???`
struct LocalOpen {  // `m.(e)`
  QualifiedName module;
  ExprId value;
};
struct Parenthesised {  // kept so that printing restores the source
  ExprId value;
};

using ExprNode =
    std::variant<Number, BoolLiteral, StringLiteral, Variable, TupleExpr, RecordExpr, ArrayExpr,
                 RangeExpr, Project, IndexExpr, UpdateExpr, RecordUpdate, Apply, Unary, Binary,
                 OperatorSection, ProjectSection, IndexSection, Lambda, Let, LetFunction, If, Loop,
                 Ascribe, Coerce, AssertExpr, Attributed, Parenthesised, PathUpdate, Constructor,
                 PathSection, MatchExpr, Hole, LocalOpen>;
struct Expr {
  ExprNode node;
  Span span;
};

// ---- declarations

struct FunctionDecl {  // `def f ..`, `entry f ..`; without parameters a constant
  FunctionParts function;
  bool is_entry = false;
};
// `val f 'a [n] : t`: a built-in, in the prelude only. Its meaning is found by its qualified name
// (lang/types/intrinsic.h).
struct ValDecl {
  Identifier name;
  std::vector<TypeParameter> type_parameters;
  TypeExprId type;
};
struct TypeDecl {  // `type t [n] 'a = ..`; lift: `type~ t`, `type^ t`
  Identifier name;
  std::vector<TypeParameter> parameters;
  TypeExprId type;
  Lift lift = Lift::kNone;
};
// A parameter of a parametric module: `(P: mt)`. In `module type` arrows the name may be empty.
struct ModuleParameter {
  Identifier name;
  ModuleTypeId type;
};
struct ModuleDecl {  // `module m (P: mt) .. : mt = e`
  Identifier name;
  std::vector<ModuleParameter> parameters;
  ModuleTypeId type;  // may be none
  ModuleExprId body;
};
struct ModuleTypeDecl {  // `module type mt = ..`
  Identifier name;
  ModuleTypeId type;
};
struct OpenDecl {  // `open m`, `open { .. }`, `open f m`, `open import ".."`
  ModuleExprId module;
};
struct ImportDecl {  // `import "path"`: its definitions, hidden from importers of this file
  std::string path;
  Span path_span;
};
using DeclNode =
    std::variant<FunctionDecl, ValDecl, TypeDecl, ModuleDecl, ModuleTypeDecl, OpenDecl, ImportDecl>;
struct Decl {
  DeclNode node;
  Span span;
  std::vector<Attribute> attributes;
  std::string doc;  // text of a `-- |` comment right before it
  bool is_local = false;
};

// ---- modules

struct ModuleName {
  QualifiedName name;
};
struct ModuleBody {  // `{ decls }`
  std::vector<DeclId> declarations;
};
struct ModuleApply {  // `f m`
  ModuleExprId function, argument;
};
struct ModuleAscribe {  // `m : mt`
  ModuleExprId module;
  ModuleTypeId type;
};
struct ModuleLambda {  // `\(P: mt) : mt -> m`
  ModuleParameter parameter;
  ModuleTypeId result;  // may be none
  ModuleExprId body;
};
struct ModuleImport {  // `import "path"`
  std::string path;
  Span path_span;
};
using ModuleNode =
    std::variant<ModuleName, ModuleBody, ModuleApply, ModuleAscribe, ModuleLambda, ModuleImport>;
struct ModuleExpr {
  ModuleNode node;
  Span span;
};

struct TypeSpec {  // `type t [n] 'a`, abstract; or with a definition
  Identifier name;
  std::vector<TypeParameter> parameters;
  TypeExprId type;  // none: abstract
  Lift lift = Lift::kNone;
};
struct ModuleSpec {  // `module m : mt`
  Identifier name;
  ModuleTypeId type;
};
struct IncludeSpec {  // `include mt`
  ModuleTypeId type;
};
using SpecNode = std::variant<ValDecl, TypeSpec, ModuleSpec, IncludeSpec>;  // ValDecl: `val f : t`
struct Spec {
  SpecNode node;
  Span span;
  std::vector<Attribute> attributes;
  std::string doc;
};

struct ModuleTypeName {
  QualifiedName name;
};
struct ModuleTypeBody {  // `{ specs }`
  std::vector<SpecId> specs;
};
struct ModuleTypeWith {  // `mt with t [n] 'a = ..`
  ModuleTypeId type;
  QualifiedName name;
  std::vector<TypeParameter> parameters;
  TypeExprId definition;
};
struct ModuleTypeArrow {  // `(P: mt) -> mt`, `mt -> mt`
  ModuleParameter parameter;
  ModuleTypeId result;
};
using ModuleTypeNode =
    std::variant<ModuleTypeName, ModuleTypeBody, ModuleTypeWith, ModuleTypeArrow>;
struct ModuleTypeExpr {
  ModuleTypeNode node;
  Span span;
};

// A comment with its position; the tree itself has none. A formatter puts them back by span.
struct Comment {
  Span span;
};

// All nodes of one or several files (the prelude and a program share one tree).
struct Tree {
  base::PagedStore<Expr, ExprId> exprs;
  base::Store<Pattern, PatternId> patterns;
  base::Store<TypeExpr, TypeExprId> types;
  base::Store<Decl, DeclId> decls;
  base::Store<ModuleExpr, ModuleExprId> modules;
  base::Store<ModuleTypeExpr, ModuleTypeId> module_types;
  base::Store<Spec, SpecId> specs;
};

// One parsed file: its declarations in order.
struct File {
  source::FileId file;
  std::vector<DeclId> declarations;
  std::vector<Comment> comments;
};

}  // namespace halo::syntax
