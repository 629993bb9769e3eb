// Internal to size_scope.cpp: the walk over a definition. size_scope_walk.cpp has the order of
// evaluation, size_scope_apply.cpp the applications that it rewrites.
#pragma once

#include <cstdint>
#include <functional>
#include <span>
#include <unordered_map>
#include <unordered_set>
#include <vector>

#include "lang/base/containers/id_map.h"
#include "lang/types/sizes/size_scope.h"
#include "lang/types/sizes/sizes_of_types.h"

namespace halo::types {

class SizeScopes {
 public:
  SizeScopes(Program& program, const SizeOrder& order, Rewritten& rewritten, diag::Sink& sink)
      : program_(program),
        rewritten_(rewritten),
        named_(order.named_arguments),
        argument_first_(order.argument_first),
        sink_(sink),
        sizes_in_(program) {}

  void settle(DefId id) {
    const Def def = program_.defs[id];
    for (BinderId size : def.size_parameters) know(size);
    for (PatternId parameter : def.parameters) bindPattern(parameter);
    walk(def.body);
  }

 private:
  // A region is left: sizes that came up in it are not known any more.
  class Region {
   public:
    explicit Region(SizeScopes& scopes) : scopes_(scopes), mark_(scopes.order_.size()) {}
    ~Region() {
      while (scopes_.order_.size() > mark_) {
        scopes_.known_.set(scopes_.order_.back(), kUnknown);
        scopes_.order_.pop_back();
      }
    }
    Region(const Region&) = delete;
    Region& operator=(const Region&) = delete;

   private:
    SizeScopes& scopes_;
    size_t mark_;
  };

  void know(BinderId binder) {
    if (isKnown(binder)) return;
    known_.set(binder, order_.size());
    order_.push_back(binder);
  }
  // When it came up, kUnknown if it has not.
  size_t placeOf(BinderId binder) const {
    const size_t* place = known_.find(binder);
    return place == nullptr ? kUnknown : *place;
  }
  bool isWalked(ExprId expr) const {
    const bool* walked = walked_.find(expr);
    return walked != nullptr && *walked;
  }
  bool markWalked(ExprId expr) {  // false: it was before
    if (isWalked(expr)) return false;
    walked_.set(expr, true);
    return true;
  }
  bool isKnown(BinderId binder) const { return placeOf(binder) != kUnknown; }

  std::span<const BinderId> sizesOf(TypeId type) { return sizes_in_.of(type); }
  void requireKnown(TypeId type, Span span, diag::Code code);
  void requireKnown(BinderId binder, Span span, diag::Code code, TypeId type);

  void bindPattern(PatternId pattern);
  ExprId firstPart(ExprId expr) const;
  void walk(ExprId expr);
  void walkNode(ExprId expr);
  void walkLets(ExprId expr);
  void walkLoop(ExprId expr, const syntax::Loop& loop);
  void leave(ExprId expr, size_t entered);
  void checkUse(ExprId expr);
  void checkFirstClass(ExprId expr, const syntax::ExprNode& node);

  bool isValue(ExprId expr);
  void walkApply(ExprId expr);
  struct Bound {
    PatternId pattern;
    ExprId operand, variable;
  };
  using Rebuild = std::function<ExprId(std::vector<ExprId>)>;
  Bound bindBefore(ExprId operand);
  bool walkOperands(ExprId expr, const std::vector<ExprId>& operands, size_t least,
                    const Rebuild& rebuild);
  ExprId copyOf(ExprId expr, syntax::ExprNode node);

  Program& program_;
  Rewritten& rewritten_;
  const std::unordered_map<ExprId, BinderId>& named_;
  const std::unordered_set<ExprId>& argument_first_;
  diag::Sink& sink_;
  SizesOfTypes sizes_in_;
  static constexpr size_t kUnknown = SIZE_MAX;  // again, behind its region
  base::IdMap<BinderId, size_t> known_;         // and when it came up
  std::vector<BinderId> order_;
  std::unordered_set<BinderId> reported_;
  base::IdMap<ExprId, bool> walked_;
  std::vector<ExprId> chain_;  // of `walk`
};

}  // namespace halo::types
