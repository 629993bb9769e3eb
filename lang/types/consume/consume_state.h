// Internal to the check of uniqueness: what is known at a point of the walk over one definition.
#pragma once

#include <optional>
#include <string>
#include <unordered_map>
#include <unordered_set>
#include <utility>
#include <vector>

#include "lang/types/consume/alias.h"
#include "lang/types/consume/consume.h"

namespace halo::types {

enum class RootKind {
  kValue,     // made here, or a `*` parameter
  kBorrowed,  // a parameter without `*`, or a carried value that is written without
  kGlobal,    // a definition
  kHidden,    // a definition of an abstract type
};
struct Root {
  std::string name;
  Span span;
  RootKind kind = RootKind::kValue;
  int depth = 0;  // functions and loops around its birth: only in there it may be consumed
};

struct Consumed {
  Span span;
  std::string name;  // the name used there
  size_t order = 0;  // its place in ConsumptionState::consumed_order
};
using ConsumedRoots = std::vector<std::pair<int, Consumed>>;

struct ConsumptionState {
  struct Bound {
    Alias value;
    int depth;
  };
  using Uses = std::vector<std::pair<Alias, ExprId>>;
  // A function or the body of a loop, and the variables around that it uses.
  struct Region {
    int depth;
    Uses used;
    std::unordered_set<const AliasNode*> known;
  };
  struct Ready {  // the first part of a long chain
    ExprId expr;
    Alias value;
    size_t mark;  // of consumed_order, before all of the chain
  };

  ConsumptionState(const Program& of, const std::unordered_set<ExprId>& written_pipes,
                   diag::Sink& to)
      : program(of), pipes(written_pipes), sink(to), sharing(of) {}

  const Program& program;
  const std::unordered_set<ExprId>& pipes;
  diag::Sink& sink;
  SharingTypes sharing;
  std::vector<Root> roots;
  std::unordered_map<DefId, int> global_roots;
  std::unordered_map<BinderId, Bound> variables;
  std::unordered_map<int, Consumed> consumed;
  std::vector<int> consumed_order;
  std::unordered_set<int> reported;
  std::vector<Region> regions;
  std::optional<Ready> ready;
  std::vector<ExprId> chain;  // of ExprWalk::eval
  int depth = 0;              // functions and loops around
};

}  // namespace halo::types
