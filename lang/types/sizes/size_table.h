// The sizes of one declaration while it is inferred: unknowns and their solutions, names that stand
// for sizes, and sizes that are expressions. Equations between them: size_equations.h.
#pragma once

#include <functional>
#include <optional>
#include <string>
#include <unordered_map>
#include <unordered_set>
#include <vector>

#include "lang/types/infer/type_table.h"

namespace halo::types {

class SizeTable {
 public:
  // What takes the place of the parts of an expression. Expressions share their parts, so each one
  // is made again once, however often it occurs.
  struct Rebuild {
    std::function<Size(const Size&)> size = {};
    std::function<std::optional<SizeExprId>(BinderId)> variable = {};
    std::function<TypeRef(TypeRef)> type = {};
    std::unordered_map<uint32_t, SizeExprId> done = {};
  };

  explicit SizeTable(TypeTable& types) : types_(types) {}

  // ---- unknowns
  Size unknownSize(Span origin);
  Span originOf(SizeAtom unknown) const { return unknown_sizes_[unknown.index].origin; }
  Size resolve(const Size& size) const;
  bool isResolved(const Size& size) const { return merged_.empty() && !hasUnknown(size); }
  void solve(SizeAtom unknown, Size value) {
    noteUnknowns(value);
    unknown_sizes_[unknown.index].solution = std::move(value);
  }
  void forgetSolution(uint32_t unknown) { unknown_sizes_[unknown].solution.reset(); }
  // `size`, of a parameter, is another one from now on.
  void merge(BinderId size, Size other) {
    noteUnknowns(other);
    merged_[size] = std::move(other);
  }
  void forgetMerge(BinderId size) { merged_.erase(size); }
  bool isMerged(BinderId size) const { return merged_.contains(size); }
  // Whether both are one size already, nothing solved.
  bool isSame(const Size& a, const Size& b) const;

  // ---- sizes of types
  // Atoms (binders and unknowns) of all sizes in a type, each once, in order; those that a function
  // type binds itself are left out. Values show the sizes of their arrays, not those of functions.
  enum class SizesOf { kAll, kValues };
  std::vector<SizeAtom> sizeAtoms(TypeRef type, SizesOf which = SizesOf::kAll);
  // Something of it is not known yet: the type of a part, or a size.
  bool isOpen(TypeRef type);

  // ---- names
  // `let m = n + 1`: m stands for n + 1 wherever sizes are compared; by arithmetic only, if the
  // program has written that name.
  void define(BinderId binder, Size value) {
    noteUnknowns(value);
    definitions_[binder] = std::move(value);
  }
  void defineNamed(BinderId binder, Size value);
  std::optional<Size> definitionOf(BinderId binder) const;
  bool isNamed(BinderId binder) const { return opaque_.contains(binder); }
  // Behind the scope of a name its expression stands for it: `let m = n + 1 in replicate m 0` has
  // the type `[n + 1]i32`.
  void endScopeOf(BinderId binder) { ended_.insert(binder); }
  bool hasEndedScope(BinderId binder) const { return ended_.contains(binder); }
  // Names that stand for size expressions replaced by these.
  Size expand(const Size& size) const;

  // ---- expressions (size_expression.cpp)
  SizeExprId internExpression(SizeExpr node) const;
  SizeExprId sizeVariable(BinderId binder, TypeRef type);
  Size expressionSize(SizeExprId id) const;
  const SizeExpr& expression(SizeExprId id) const { return size_exprs_[id.index]; }
  // The same expression with its parts replaced.
  SizeExprId rebuild(SizeExprId id, Rebuild& with) const;
  // One with very many parts. It is not followed: a name takes its place.
  bool isHeavy(SizeExprId id, size_t most = kMaxWeight) const {
    return size_exprs_[id.index].weight > most;
  }
  bool isHeavy(const Size& size, size_t most = kMaxWeight) const;
  bool isCheap(const Size& size) const;
  bool hasExpression(const Size& size) const;
  // Binders and unknowns, those inside expressions, too.
  void forEachLeaf(const Size& size, const std::function<void(SizeAtom)>& visit) const;
  bool mentionsLeaf(const Size& size, SizeAtom atom) const;

  void reset();

 private:
  static constexpr size_t kMaxWeight = 100;
  struct UnknownSize {
    std::optional<Size> solution;
    Span origin;
  };
  // Expressions that a walk has seen.
  using SeenExprs = std::unordered_set<uint32_t>;
  // The names whose definitions a search has followed, and the expressions it has gone into.
  struct Followed {
    std::unordered_set<uint32_t> names;
    SeenExprs exprs;
  };
  SizeExprId rebuildOnce(SizeExprId id, Rebuild& with) const;
  Size expand(const Size& size, Rebuild& inside) const;
  void forEachLeaf(const Size& size, const std::function<void(SizeAtom)>& visit,
                   SeenExprs& seen) const;
  bool mentionsLeaf(const Size& size, SizeAtom atom, Followed& followed) const;
  void noteUnknowns(const Size& size) const;

  TypeTable& types_;
  std::vector<UnknownSize> unknown_sizes_;
  std::unordered_map<BinderId, Size> merged_;  // sizes of parameters that are others now
  std::unordered_map<BinderId, Size> definitions_;
  std::unordered_set<BinderId> opaque_;  // definitions with names of the program's own
  std::unordered_set<BinderId> ended_;   // of them, those whose scope has ended
  // Those in any solution, definition, merge or expression. Others are found without a search.
  mutable std::unordered_set<uint32_t> held_unknowns_;
  mutable std::vector<SizeExpr> size_exprs_;
  mutable std::unordered_map<std::string, SizeExprId> size_expr_ids_;
};

}  // namespace halo::types
