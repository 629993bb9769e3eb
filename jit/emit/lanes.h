// A loop whose iterations run in lanes: iteration lo + l in lane l of vectors, also through inner
// loops and branches. These run as long as one lane is active, under the mask of the active lanes.
//
//   for j vector 16 {                      acc: <16 x f32> = 0
//     var acc := 0                         for k {
//     for k { acc += a[k] * b[k, j] }        acc += splat(a[k]) * <16 x f32> b[k, j..] }
//     c[j] := acc }                        c[j..] := acc
//
// Values that are the same in all lanes stay scalar. Addresses that go up by one from lane to lane
// are one vector access, others gather and scatter. Every lane does the operations of its iteration
// in their order, so bits do not depend on the number of lanes.
#pragma once

#include <unordered_set>

#include "jit/emit/emitter.h"
#include "jit/emit/extrema.h"
#include "lang/imp/schedule/lane_variance.h"

namespace halo::jit {

class LaneLoop {
 public:
  class TransposedTiles;  // transposed_tiles.h
  class Appending;        // emit_append.cpp
  LaneLoop(FunctionEmitter& function, const imp::For& loop);

  void run(llvm::Value* lo, llvm::Value* hi);
  // `width` iterations from `first` on. `given`: the values of these loads.
  void once(llvm::Value* first, unsigned width,
            const std::unordered_map<imp::VarId, llvm::Value*>& given, llvm::Value* streams);

 private:
  // lane 0 and the increment of each further lane
  struct Linear {
    llvm::Value* first;
    int64_t step;
  };

  void findUsed();
  std::vector<imp::BufferId> findArrays();
  bool varies(const imp::Operand& operand) const;
  // Many values that are the same for all iterations: loaded anew each time, not kept in registers
  // that are not there.
  void hideInvariants();
  void sizeArrays();

  // Stores past the caches, where the memory is large and whole lines are written.
  const imp::Store* firstStream() const;
  llvm::Value* streamAddress(const imp::Store& store, llvm::Value* lo);
  llvm::Value* alignedStart(llvm::Value* lo, llvm::Value* hi);
  void streamStore(const imp::Store& n, llvm::Value* value, llvm::Value* at);

  void vector(llvm::Value* first);
  void partial(llvm::Value* first, llvm::Value* end, llvm::Value* from = nullptr);
  // A loop over the iterations from `first` on that make whole vectors, in these blocks. Gives the
  // iteration behind them; `rest` is the block to go on in.
  struct LoopBlocks {
    llvm::BasicBlock *body, *rest;
  };
  llvm::Value* wholeVectors(llvm::Value* first, llvm::Value* end, const LoopBlocks& blocks,
                            bool polls);
  llvm::Value* wholeLines(llvm::Value* first, llvm::Value* end);
  void block(const imp::Block& block);
  void findGroups(const imp::Block& block);
  bool fillsRegisters(llvm::Type* type) const;
  bool storeGroup(const std::vector<const imp::Store*>& group);
  llvm::Value* storedValue(const imp::Store& n);
  void store(const imp::Store& n, llvm::Value* value);
  void stm(const imp::Let& n);
  void stm(const imp::Declare& n);
  void stm(const imp::Assign& n);
  void stm(const imp::Store& n);
  void stm(const imp::For& n);
  void stm(const imp::While& n);
  void stm(const imp::If& n);
  void stm(const imp::Fail& n);
  void stm(const imp::Append& n);
  template <typename Other>
  void stm(const Other&) {}  // private arrays need no memory; canRunInLanes admits nothing else

  llvm::Value* expr(const imp::Expr& expr);
  llvm::Value* prim(const imp::Prim& n);
  llvm::Value* load(const imp::Load& n);
  void fetch(const imp::Load& n);
  llvm::Value* shuffle(const imp::Shuffle& n);
  std::optional<Linear> linear(const imp::Expr& expr);
  std::optional<Linear> linear(const imp::Operand& operand);
  llvm::Value* lanes(const imp::Operand& operand);  // as a vector
  llvm::Value* splat(llvm::Value* value);
  llvm::Value* steps(llvm::Value* first, int64_t step);
  llvm::Type* vectorOf(llvm::Type* type) const;
  bool isLaneArray(imp::BufferId buffer) const { return arrays_.contains(buffer); }
  llvm::Value* laneRow(imp::BufferId buffer, const imp::Operand& index);
  llvm::Value* addresses(imp::BufferId buffer, const imp::Operand& index);
  llvm::Value* maskOrAll();
  llvm::Value* anyLane(llvm::Value* mask);
  void arm(const imp::Block& block, llvm::Value* mask, bool skip);
  void whileLanes(const imp::While& n, bool divergent);
  void innerLoop(const imp::For& n);
  void divergentLoop(const imp::For& n);

  FunctionEmitter& f_;
  llvm::IRBuilder<>& ir_;
  imp::For loop_;
  unsigned width_ = 16;                  // iterations at once
  unsigned lanes_ = 16;                  // of one register
  llvm::Value* mask_ = nullptr;          // of the lanes that run; null: all
  llvm::Value* streams_ = nullptr;       // whether to write past the caches; null: never
  std::unordered_set<imp::VarId> used_;  // by some statement of the body
  imp::VaryingVars varying_;             // between lanes
  std::unordered_map<imp::VarId, llvm::Value*> values_, given_;
  std::unordered_map<imp::VarId, Linear> linear_;
  std::unordered_map<imp::VarId, llvm::AllocaInst*> mutables_;
  Extrema extrema_;  // that the machine has an instruction for
  // Stores of neighbouring elements, by the last one.
  std::unordered_map<const imp::Store*, std::vector<const imp::Store*>> groups_;
  std::unordered_set<const imp::Store*> waiting_;                // for the last one
  std::unordered_map<imp::BufferId, llvm::AllocaInst*> arrays_;  // of which each lane has its own
};

}  // namespace halo::jit
