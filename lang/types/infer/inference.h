// Long because types and sizes are solved together, and every question to them is asked here.
// Types while one declaration is inferred: like TypeNode, with unknowns that unification solves.
// Finished types (TypeId) are brought in by `import` and `instantiate`; `finish` leads back.
// Nothing here reports: unify names the mismatch, the caller knows the words.
#pragma once

#include <functional>
#include <optional>
#include <string>
#include <unordered_map>
#include <unordered_set>
#include <utility>
#include <variant>
#include <vector>

#include "lang/base/containers/id_map.h"
#include "lang/types/intern.h"
#include "lang/types/sizes/size.h"

namespace halo::types {

using TypeRef = base::Id<struct InferTypeTag>;

// Which types an unknown may become: one bit per scalar type, and one for everything else.
using RowId = base::Id<struct RowTag>;
using SizeExprId = base::Id<struct SizeExprTag>;
using Allowed = uint16_t;
inline constexpr Allowed kAnyType = 0xffff;
constexpr Allowed allow(prim::ScalarType type) {
  return static_cast<Allowed>(1u << static_cast<unsigned>(type));
}
Allowed allowedWhere(bool (*predicate)(prim::ScalarType));
Allowed allowedAt(prim::Operands operands);

struct UnknownType {
  TypeRef solution;  // none yet
  Allowed allowed = kAnyType;
  Span origin;
  syntax::Lift lift = syntax::Lift::kFull;  // kNone, kSize: not a function
  RowId row;  // a sum with at least these constructors; none: no such sum
};
struct InferArray {
  Size size;
  TypeRef element;
};
// The order of a record's fields: numbers first, by value, so that `{0 = .., .., 10 = ..}` is a
// tuple.
bool isFieldBefore(const std::string& a, const std::string& b);
struct InferRecord {
  std::vector<std::string> names;
  std::vector<TypeRef> fields;
};
struct InferFunction {
  TypeRef parameter;
  bool consumes = false;
  std::optional<BinderId> parameter_name;
  TypeRef result;
  std::vector<BinderId> existentials;
  Uniqueness unique_parameter = {}, unique_result = {};
};
// A type parameter, or an abstract type with its arguments.
struct InferParam {
  TypeParamId parameter;
  std::vector<TypeRef> types;
  std::vector<Size> sizes;
};
struct InferSum {  // constructors in alphabetical order
  std::vector<std::string> constructors;
  std::vector<std::vector<TypeRef>> payloads;

  std::optional<size_t> find(const std::string& constructor) const;
};
struct Poison {};  // some error was reported: fits everything
// The known part of a sum of unknown type: it has these constructors, and maybe more.
struct Row {
  std::vector<std::pair<std::string, std::vector<TypeRef>>> constructors;
};
using InferNode = std::variant<UnknownType, ScalarTypeNode, InferArray, InferRecord, InferFunction,
                               InferParam, InferSum, Poison>;

// A size that is no polynomial, or a value within it: `f x` in `[f x]t` (size_expression.cpp).
// Those with the same head and parts are the same.
using SizeOperand = std::variant<Size, SizeExprId>;  // a Size if it is an i64
struct SizeExpr {
  std::string head;                  // the node without its parts
  std::optional<BinderId> variable;  // a local one
  std::vector<SizeOperand> parts;
  ExprId prototype;  // how it is written, but for its parts; none for variables
  TypeRef type;
  std::vector<TypeRef> type_arguments;  // of the name it uses
  std::vector<Size> size_arguments;
  bool is_written = true;  // the prototype is exactly this
  bool is_open = false;    // has unknowns
  bool is_cheap = true;    // takes no time to evaluate again
  size_t weight = 1;
};

struct Substitution {
  std::vector<std::pair<TypeParamId, TypeRef>> types;
  std::vector<std::pair<BinderId, Size>> sizes;
  std::vector<std::pair<BinderId, SizeExprId>> values = {};  // for names that are no i64

  bool empty() const { return types.empty() && sizes.empty() && values.empty(); }
};

// Why two types do not fit: the innermost difference.
struct Mismatch {
  enum class Kind { kType, kSize, kInfinite, kLift } kind = Kind::kType;
  TypeRef found, needed;         // kType, kInfinite, kLift
  Size found_size, needed_size;  // kSize
  Span span;                     // of an equation that was postponed, else none
};
using MaybeMismatch = std::optional<Mismatch>;

class Inference {
 public:
  explicit Inference(Program& program) : program_(program) {}

  // ---- making types
  TypeRef unknown(Span origin, Allowed allowed = kAnyType);
  TypeRef unknown(Span origin, syntax::Lift lift);
  TypeRef scalar(prim::ScalarType type);
  // An unknown sum with this constructor.
  TypeRef unknownSum(const std::string& constructor, std::vector<TypeRef> payload, Span origin);
  TypeRef array(Size size, TypeRef element) { return add(InferArray{std::move(size), element}); }
  TypeRef record(InferRecord record) { return add(std::move(record)); }
  TypeRef tuple(std::vector<TypeRef> fields);
  TypeRef function(InferFunction function) { return add(std::move(function)); }
  TypeRef param(TypeParamId id) { return add(InferParam{id, {}, {}}); }
  TypeRef parameter(InferParam param);
  TypeRef accumulator(TypeRef array);  // accumulator.h
  TypeRef sum(InferSum sum) { return add(std::move(sum)); }
  TypeRef poison() { return add(Poison{}); }
  Size unknownSize(Span origin);

  // ---- looking at types
  TypeRef resolve(TypeRef type);
  const InferNode& node(TypeRef type) { return nodes_[resolve(type).index]; }
  template <typename Node>
  const Node* as(TypeRef type) {
    return std::get_if<Node>(&node(type));
  }
  std::optional<prim::ScalarType> asScalar(TypeRef type);
  const Row* rowOf(TypeRef type);
  // Made of scalars, records and sums only, so that nothing about it can change. Most sums with
  // many constructors are, and are not walked through at each use.
  bool isPlain(TypeRef type) { return is_plain_[resolve(type).index]; }
  bool isUnknown(TypeRef type) { return as<UnknownType>(type) != nullptr; }
  bool occurs(TypeRef unknown, TypeRef type);  // `unknown` is resolved
  Size resolve(const Size& size) const;
  bool isResolved(const Size& size) const { return merged_.empty() && !hasUnknown(size); }
  // Atoms (binders and unknowns) of all sizes in a type, each once, in order; those that a function
  // type binds itself are left out. Values show the sizes of their arrays, not those of functions.
  enum class SizesOf { kAll, kValues };
  std::vector<SizeAtom> sizeAtoms(TypeRef type, SizesOf which = SizesOf::kAll);
  // Something of it is not known yet: the type of a part, or a size.
  bool isOpen(TypeRef type);
  std::vector<TypeRef> unknowns(TypeRef type);
  // From now on no function may become part of it. Gives the part that is one.
  std::optional<TypeRef> limitLift(TypeRef type, syntax::Lift lift);
  // Types can double with every definition (`\x -> (x, x)`); beyond this they have no use.
  bool isHuge(TypeRef type);
  Span originOf(SizeAtom unknown) const { return unknown_sizes_[unknown.index].origin; }

  // ---- relating types
  Span current_span;  // the compared place; postponed equations remember it
  MaybeMismatch unify(TypeRef found, TypeRef needed);
  // As unify, but sizes are collected, outermost first, instead of compared.
  using SizePairs = std::vector<std::pair<Size, Size>>;
  MaybeMismatch unifyShapes(TypeRef found, TypeRef needed, SizePairs& sizes);
  bool unifySizes(const Size& found, const Size& needed);
  // Whether both are one size already, nothing solved.
  bool isSame(const Size& a, const Size& b) const;
  void solveSize(SizeAtom unknown, Size value);
  void solveType(TypeRef unknown, TypeRef value);
  // Until the function has its type, the `[]` of a parameter may be a size of its own or turn out
  // to be an older one. (`map2 f xs ys` makes those of xs and ys one.)
  void loosen(BinderId size) { loose_[size] = UINT32_MAX; }
  // Binders from `end` on are no parameters beside it.
  void endParameters(BinderId size, size_t end) { loose_[size] = static_cast<uint32_t>(end); }
  // From now on they are sizes of their own; those that turned out to be others are taken out.
  void fasten(std::vector<BinderId>& sizes);
  // As unifySizes, and makes a loose size the other one where nothing else helps.
  bool mergeSizes(const Size& found, const Size& needed);
  // `let m = n + 1`: m stands for n + 1 wherever sizes are compared; by arithmetic only, if the
  // program has written that name.
  void define(BinderId binder, Size value);
  void defineNamed(BinderId binder, Size value);
  std::optional<Size> definitionOf(BinderId binder) const;
  bool isNamed(BinderId binder) const { return opaque_.contains(binder); }
  // Behind the scope of a name its expression stands for it: `let m = n + 1 in replicate m 0` has
  // the type `[n + 1]i32`.
  void endScopeOf(BinderId binder) { ended_.insert(binder); }
  // Equations that unify could not decide yet (`n * m` against `k`): tried again, factors pairwise
  // if nothing else helps. Gives the first that does not hold.
  MaybeMismatch solvePostponed();
  // Whether the forms of sizes decide at once, or when nothing else helps any more.
  enum class Order { kFormsFirst, kArithmeticFirst } order = Order::kFormsFirst;
  // Types are compared as if they had no sizes.
  bool ignores_sizes = false;
  // Sizes that were taken to be equal though their forms differ, one pair for each place.
  struct ByArithmetic {
    Size found, needed;
    Span span;
  };
  std::vector<ByArithmetic> heldByArithmetic() const;
  // Where a result's size depends on the argument, but one was needed that only the result knows.
  const std::vector<Span>& dependentResults() const { return dependent_results_; }
  // Only the first `count` stay: a lifted type parameter may stand for results of such functions.
  void keepDependentResults(size_t count) { dependent_results_.resize(count); }

  // ---- sizes that are expressions (size_expression.cpp)
  SizeExprId internExpression(SizeExpr node) const;
  SizeExprId sizeVariable(BinderId binder, TypeRef type);
  Size expressionSize(SizeExprId id) const;
  // One with very many parts. It is not followed: a name takes its place.
  bool isHeavy(SizeExprId id, size_t most = kMaxWeight) const {
    return size_exprs_[id.index].weight > most;
  }
  bool isHeavy(const Size& size, size_t most = kMaxWeight) const;
  bool isCheap(const Size& size) const;
  bool hasExpression(const Size& size) const;
  // Binders and unknowns, those inside expressions, too.
  void forEachLeaf(const Size& size, const std::function<void(SizeAtom)>& visit) const;
  std::function<Size(ExprId)> import_expression;  // of a finished SizeExpression; set by Checker
  void writeCopies();

  // ---- finished types
  TypeRef import(TypeId type) { return import(type, {}); }
  TypeRef import(TypeId type, const Substitution& arguments);  // instantiated at once
  Size import(SizeId size) { return import(size, {}); }
  Size import(SizeId size, const Substitution& arguments);
  TypeRef instantiate(TypeRef type, const Substitution& substitution);
  Size instantiate(const Size& size, const Substitution& substitution);
  SizeExprId instantiate(SizeExprId expression, const Substitution& substitution);
  TypeId finish(TypeRef type);  // unknowns that are left become i32: the caller has reported them
  SizeId finish(const Size& size);
  // Sizes as they were written, for the declarations that come: the type of a definition.
  TypeId finishAsWritten(TypeRef type);
  TypeId intern(TypeNode node);
  SizeId intern(SizeNode node);

  std::string print(TypeRef type);
  std::string print(const Size& size);

  // Forgets everything about the declaration that is done.
  void reset();

 private:
  struct UnknownSize {
    std::optional<Size> solution;
    Span origin;
  };
  static constexpr size_t kMaxWeight = 100;
  struct Postponed {
    Size found, needed;
    Span span;
    bool merges;
  };

  // What takes the place of the parts of an expression. Expressions share their parts, so each one
  // is made again once, however often it occurs.
  struct SizeRebuild {
    std::function<Size(const Size&)> size = {};
    std::function<std::optional<SizeExprId>(BinderId)> variable = {};
    std::function<TypeRef(TypeRef)> type = {};
    std::unordered_map<uint32_t, SizeExprId> done = {};
  };
  class Instantiation;
  // Expressions that a walk has seen.
  using SeenExprs = std::unordered_set<uint32_t>;
  std::string typeKey(TypeRef type) const;
  SizeExprId rebuild(SizeExprId id, SizeRebuild& with) const;
  SizeExprId rebuildOnce(SizeExprId id, SizeRebuild& with) const;
  Size expand(const Size& size, SizeRebuild& inside) const;
  void forEachLeaf(const Size& size, const std::function<void(SizeAtom)>& visit,
                   SeenExprs& seen) const;
  bool matchExpressions(SizeExprId found, SizeExprId needed);
  ExprId addExpr(syntax::ExprNode node, Span span, TypeId type, std::optional<Use> use);
  ExprId writeVariable(BinderId binder, TypeId type);
  ExprId writeSize(SizeId id);
  ExprId writeExpression(SizeExprId id);
  std::string print(SizeExprId id);
  std::string printForm(const WrittenSize& form);
  bool mentionsLeaf(const Size& size, SizeAtom atom) const;
  // The names whose definitions a search has followed, and the expressions it has gone into.
  struct Followed {
    std::unordered_set<uint32_t> names;
    SeenExprs exprs;
  };
  bool mentionsLeaf(const Size& size, SizeAtom atom, Followed& followed) const;
  bool mergeInto(const Size& loose, const Size& other);

  // ---- forms (size_forms.cpp)
  Size withClosedForm(Size size) const;
  enum class Names { kInScope, kEnded };  // of the program, which count as their expressions
  std::optional<Size> spelled(const Size& size, Names names) const;
  Size spelledOut(const Size& size, Names names) const;
  bool matchForms(const Size& found, const Size& needed, int depth);
  bool matchFormsOf(SizeExprId found, SizeExprId needed, int depth);
  bool unifyForms(const Size& found, const Size& needed);
  void noteArithmetic(const Size& found, const Size& needed);
  bool isEscaped(const Size& size) const;

  TypeRef add(InferNode node);
  MaybeMismatch unifyUnknown(TypeRef unknown, TypeRef other, bool unknown_is_found,
                             SizePairs* sizes);
  MaybeMismatch unifyRows(RowId from, RowId into, const Mismatch& different, SizePairs* sizes);
  MaybeMismatch unifyRow(RowId row, TypeRef sum, const Mismatch& different, bool row_is_found,
                         SizePairs* sizes);
  MaybeMismatch unifyPayloads(const std::vector<TypeRef>& found, const std::vector<TypeRef>& needed,
                              const Mismatch& different, SizePairs* sizes);
  MaybeMismatch unifyRecords(TypeRef found, TypeRef needed, SizePairs* sizes);
  MaybeMismatch unifySums(TypeRef found, TypeRef needed, SizePairs* sizes);
  MaybeMismatch unifyParams(TypeRef found, TypeRef needed, SizePairs* sizes);
  MaybeMismatch unifyFunctions(TypeRef found, TypeRef needed, SizePairs* sizes);
  MaybeMismatch unifyWith(TypeRef found, TypeRef needed, SizePairs* sizes);
  void noteEscapes(const InferFunction& function, TypeRef other_result);
  MaybeMismatch unifyArraySizes(const Size& found, const Size& needed, SizePairs* sizes);
  InferFunction openExistentials(const InferFunction& function, TypeRef other_result);
  Size expand(const Size& size) const;
  enum class Decision { kHolds, kFails, kOpen };
  Decision decide(const Size& found, const Size& needed);
  Decision decideByArithmetic(const Size& found, const Size& needed);
  SizeId finishPolynomial(Size size);
  std::optional<SizeId> finishForm(const Size& size);
  bool matchFactors(const Size& found, const Size& needed);
  bool matchSummands(const Size& found, const Size& needed);
  TypeId finishFunction(const InferFunction& function);

  Program& program_;
  std::vector<InferNode> nodes_;
  std::vector<bool> is_plain_;  // by node
  std::vector<Row> rows_;
  mutable std::vector<SizeExpr> size_exprs_;
  mutable std::unordered_map<std::string, SizeExprId> size_expr_ids_;
  std::unordered_map<SizeExprId, ExprId> written_;
  std::vector<std::pair<ExprId, SizeExprId>> copies_;  // their uses are not written yet
  std::vector<UnknownSize> unknown_sizes_;
  std::vector<Postponed> postponed_;
  std::unordered_map<BinderId, Size> definitions_;
  std::unordered_set<BinderId> opaque_;  // definitions with names of the program's own
  std::unordered_set<BinderId> ended_;   // of them, those whose scope has ended
  std::unordered_map<BinderId, uint32_t> loose_;
  std::unordered_map<BinderId, Size> merged_;  // loose ones that are others now
  struct Trail {
    std::vector<uint32_t> solved;
    std::vector<BinderId> merged;
  };
  std::optional<Trail> trail_;  // of a match that may fail
  std::vector<ByArithmetic> arithmetic_;
  std::vector<Span> dependent_results_;
  std::unordered_set<BinderId> escaped_;  // existential sizes that an unknown type stands for
  bool merges_ = false;                   // loose sizes, in the equation at hand
  bool writes_forms_ = false;
  base::IdMap<TypeId, TypeRef> imported_;
  std::vector<TypeId> finished_, finished_as_written_;  // by node
  InternTable<TypeId> interned_types_;
  InternTable<SizeId> interned_sizes_;
};

// The scalar types are the first types of every program, in the order of prim::ScalarType.
TypeId scalarTypeId(prim::ScalarType type);

}  // namespace halo::types
