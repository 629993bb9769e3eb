// The fusing passes' questions about the statements of one body. Which values does each use and
// consume, and which checks may fail? May two of them become one without changing the order of
// anything that tells? With P the producer, C the consumer and statements in between, D
// depending on P (directly or not) and I independent of it:
//
//   P  I1 D1 I2 D2  C     becomes     I1 I2  P+C  D1 D2
#pragma once

#include <functional>
#include <memory>
#include <optional>
#include <unordered_map>
#include <unordered_set>
#include <vector>

#include "lang/core/aliases.h"
#include "lang/passes/parallel_node.h"

namespace halo::passes {

class FusionOrder {
 public:
  using ValueSet = std::unordered_set<core::ValueId>;

  FusionOrder(const core::Program& program, const core::Function& function);

  // The body that all questions below are about, which stays where it is; positions count its
  // statements.
  void enter(const core::Body& body);
  const ParallelNode* node(size_t i) const { return nodes_[i].get(); }  // null: another one
  const ValueSet& used(size_t i) { return facts(i).used; }              // sizes in types included
  bool isUsedBeside(size_t c, core::ValueId value);

  // Which arrays of a node make a pair of it and of the node that makes them.
  using ArraysOf = std::vector<core::ValueId> (*)(const ParallelNode&);
  using Join = std::function<bool(size_t p, size_t c)>;
  // Offers all pairs, consumers in order, until one is joined (and the positions count no more).
  bool joinFirst(ArraysOf arrays, const Join& join) const;

  // Would a joint node overwrite with the consumer's part an input of the producer's?
  bool clobbers(size_t p, const ParallelNode& consumer);
  // Which statements between p and c depend on p; nothing if the order does not allow to join.
  std::optional<std::vector<bool>> dependents(size_t p, size_t c);
  // The joint statement in the place of both.
  void replace(core::Body& body, size_t p, size_t c, const std::vector<bool>& depends,
               core::Stm joint);

  // Is all that p reads still there at c?
  bool mayRepeat(size_t p, size_t c);
  // Another statement with the same results in the place of c.
  void replace(core::Body& body, size_t c, core::Stm other);

 private:
  struct Facts {
    ValueSet used;      // free in it, sizes in types included
    ValueSet consumed;  // roots
    bool may_fail = false, may_not_end = false;
  };

  void bindAliases(const core::Body& body);
  const Facts& facts(size_t i);
  Facts factsOf(const core::Stm& stm);
  void countUses(size_t i, int by);
  bool touches(core::ValueId value, const ValueSet& roots);
  bool maySwap(const Facts& x, const Facts& y);
  bool usesRoots(const Facts& facts, const ValueSet& roots);
  static bool usesAny(const Facts& facts, const ValueSet& values);

  const core::Program& program_;
  core::Aliases aliases_;
  const core::Body* body_ = nullptr;
  // By address: a join moves those behind it.
  std::vector<std::unique_ptr<ParallelNode>> nodes_;
  std::vector<std::unique_ptr<Facts>> facts_;     // null: not asked for yet
  std::unordered_map<core::ValueId, int> users_;  // how many statements use it; empty: not counted
};

}  // namespace halo::passes
