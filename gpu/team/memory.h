// The shared arrays of a team in one pool of words: arrays that never live at the same time have
// the same words. Elements of up to 4 bytes take a word, of 8 bytes two.
//
// Sizes of arrays may be known at the launch only. Arrays then share a slot if their sizes are the
// same expression, as in nests of one extent. A slot begins behind the earlier slots that live at
// the same time; so slots of the arms of a branch lie over each other:
//
//   words    0        n           n + max of the arms
//            | loop's | arm 1: | | | |
//            | loop's | arm 2: |   |
#pragma once

#include <map>
#include <set>
#include <unordered_map>

#include "gpu/team/team.h"

namespace halo::gpu {

// How values become words (u32) and are made of them again.
struct WordCode {
  size_t (*count)(imp::ScalarType);
  imp::Operands (*to)(imp::Builder&, imp::ScalarType, const imp::Operand&);
  imp::Operand (*from)(imp::Builder&, imp::ScalarType, const imp::Operands&);
};

// Part of the pool, for one array at a time.
struct Slot {
  imp::Operand elements;                              // of the kernel
  int64_t words = 1;                                  // of an element
  std::string key;                                    // of the size
  std::vector<std::pair<size_t, size_t>> lives = {};  // first and last position of its arrays

  bool isFree(std::pair<size_t, size_t> life) const;
  // Whether both have an array at some position.
  bool meets(const Slot& other) const;
};

class TeamMemory {
 public:
  // `body`: without CopyBuffer.
  TeamMemory(imp::Program& program, const imp::Block& body, WordCode words);

  const std::vector<Slot>& slots() const { return slots_; }
  // Of the slots that live at the same time as slot `number`, those that it begins behind. For the
  // number of all slots: those at the end of the pool.
  std::vector<size_t> slotsBefore(size_t number) const;
  // For placeBarriers: slots, pairs of slots that may have the same words, and buffers of the
  // device by negative numbers.
  std::set<int64_t> memoryOf(imp::BufferId buffer) const;

  // Accesses as accesses of `pool` (u32). `first`: where each slot begins, in words.
  imp::Block inPool(const imp::Block& body, imp::BufferId pool, const imp::Operands& first);

  // The host's value of a kernel's, by the expressions that make it; nothing if it has none. `leaf`
  // knows the parameters of the kernel.
  using Leaf = std::function<std::optional<imp::Operand>(const imp::Operand&)>;
  std::optional<imp::Operand> onHost(imp::Builder& host, const imp::Operand& value,
                                     const Leaf& leaf);
  // The same of a number of elements that a step of a loop makes: an upper bound, from the minima
  // in it.
  std::optional<imp::Operand> mostOnHost(imp::Builder& host, const imp::Operand& elements,
                                         const Leaf& leaf);

 private:
  struct Life {
    std::vector<std::pair<imp::BufferId, imp::Operand>> allocations;
    std::vector<std::pair<size_t, std::vector<size_t>>> uses;  // position, loops around
    size_t begin = 0, end = 0;
  };
  struct Loop {
    size_t begin, end;
  };
  void visit(const imp::Block& block);
  void use(imp::BufferId buffer);
  bool isShared(imp::BufferId buffer) const;
  imp::BufferId rootOf(imp::BufferId buffer) const;
  void join(imp::BufferId a, imp::BufferId b);
  void findRange(Life& life) const;
  void color();
  std::string keyOf(const imp::Operand& operand) const;
  imp::Operand offsetOf(imp::Builder& code, imp::BufferId buffer) const;
  imp::Operand converted(imp::Builder& code, const imp::Operand& offset, imp::ScalarType to) const;
  void moved(imp::Builder& code, const imp::Stm& stm);
  void load(imp::Builder& code, const imp::Let& let, const imp::Load& load);
  void store(imp::Builder& code, const imp::Store& store);

  imp::Program& program_;
  WordCode words_;
  std::unordered_map<imp::VarId, imp::Expr> made_by_;
  std::unordered_map<imp::BufferId, imp::BufferId> parent_;  // of buffers that change places
  std::map<imp::BufferId, Life> lives_;                      // by root
  std::unordered_map<imp::BufferId, size_t> slot_of_;        // by allocated buffer
  std::map<imp::BufferId, std::set<int64_t>> slots_of_;      // by root
  std::vector<Loop> loops_;
  std::vector<size_t> around_;
  size_t now_ = 0;
  std::vector<Slot> slots_;
  std::unordered_map<std::string, imp::Operand> on_host_;
  // While rewriting.
  imp::BufferId pool_;
  imp::Operands first_;
  imp::ScalarType offset_type_ = imp::ScalarType::kI64;
  std::unordered_map<imp::BufferId, imp::VarId> offsets_;  // of buffers that change places
};

}  // namespace halo::gpu
