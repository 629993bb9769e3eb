// The fusing passes' questions about the statements of one body. Which values does each use and
// consume, and which checks may fail? May two of them become one without changing the order of
// anything that tells? With P the producer, C the consumer and statements in between, D
// depending on P (directly or not) and I independent of it:
//
//   P  I1 D1 I2 D2  C     becomes     I1 I2  P+C  D1 D2
#pragma once

#include <array>
#include <functional>
#include <limits>
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
  const ParallelNode* node(size_t i) const { return slots_[i]->node.get(); }  // null: another one
  const ValueSet& used(size_t i) { return facts(i).used; }  // sizes in types included
  bool isUsedBeside(size_t c, core::ValueId value);
  // Does the reader, at c, alone take the scan's arrays, element by element?
  bool ownsElements(size_t c, const ParallelNode& scan, const ParallelNode& reader);
  bool readsSums(size_t c, const ParallelNode& scan);  // which the scan's node makes as well

  // Which arrays of a node make a pair of it and of the node that makes them.
  using ArraysOf = std::vector<core::ValueId> (*)(const ParallelNode&);
  using Join = std::function<bool(size_t p, size_t c)>;
  // Offers all pairs, consumers in order, until one is joined (and the positions count no more).
  // The answer of `join` must depend on the two, on those between them, and on `isUsedBeside` of
  // the first one's results. A pair it refused is offered again when one of these has changed.
  // `kind` numbers the questions of one user.
  bool joinFirst(size_t kind, ArraysOf arrays, const Join& join);
  // The same for pairs of nodes that read one array, of many the latest.
  bool joinSharers(size_t kind, const Join& join);
  static std::vector<core::ValueId> arraysOf(const ParallelNode& node);  // inputs, windows

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
  void insert(core::Body& body, size_t at, std::vector<core::Stm> stms);
  // The same statement as two, and then the join of the second; all as before if that fails.
  bool joinSecond(core::Body& body, size_t p, size_t c, core::Stm first, core::Stm second,
                  const Join& join);

 private:
  struct Facts {
    ValueSet used;      // free in it, sizes in types included
    ValueSet consumed;  // roots
    bool may_fail = false, may_not_end = false;
  };

  static constexpr size_t kKinds = 4;
  static constexpr size_t kUntried = std::numeric_limits<size_t>::max();
  // A statement, wherever joins move it.
  struct Slot {
    size_t position = 0;
    std::unique_ptr<ParallelNode> node;
    std::unique_ptr<Facts> facts;  // null: not asked for yet
    // How far before it the first one of its refused pairs is.
    std::array<size_t, kKinds> reach;
  };
  using Slots = std::vector<std::unique_ptr<Slot>>;
  using Places = std::vector<size_t>;
  using Uses = std::unordered_map<core::ValueId, int>;

  void bindAliases(const core::Body& body);
  std::unique_ptr<Slot> slotOf(const core::Stm& stm) const;
  void list(Slot& slot, const core::Stm& stm);
  void unlist(Slot& slot, const core::Stm& stm);
  void number(size_t from);
  void exchange(core::Body& body, size_t c, core::Stm other, Uses& changes);
  void tryAgain(size_t from, size_t to);
  bool offer(size_t kind, const std::function<Places(size_t c)>& producers, const Join& join);
  Places sharers(size_t c) const;
  const Facts& facts(size_t i);
  Facts factsOf(const core::Stm& stm);
  void addUses(size_t i, int by, Uses& uses);
  void changeUses(const Uses& changes);
  bool touches(core::ValueId value, const ValueSet& roots);
  bool maySwap(const Facts& x, const Facts& y);
  bool usesRoots(const Facts& facts, const ValueSet& roots);
  static bool usesAny(const Facts& facts, const ValueSet& values);

  const core::Program& program_;
  core::Aliases aliases_;
  const core::Body* body_ = nullptr;
  Slots slots_;
  std::unordered_map<core::ValueId, Slot*> made_by_;               // nodes alone
  std::unordered_map<core::ValueId, std::vector<Slot*>> read_by_;  // the same
  Uses users_;  // how many statements use it; empty: not counted
};

}  // namespace halo::passes
