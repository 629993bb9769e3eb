// Loops over two axes with transposed loads (lang/imp/schedule/transposed_tiles.h), in square
// tiles. A tile has as many lines of an array as a vector has elements: they are loaded, transposed
// in registers, and used row by row.
//
//   i   a b c d      lines of xs in memory      a e i m      rows of the result
//   j   e f g h   ------------------------->    b f j n
#pragma once

#include <functional>

#include "jit/emit/lanes.h"

namespace halo::jit {

class LaneLoop::TransposedTiles {
 public:
  // `loads`: those that are marked.
  TransposedTiles(FunctionEmitter& function, const imp::For& outer, std::vector<imp::VarId> loads);

  void run(llvm::Value* lo, llvm::Value* hi);

 private:
  using Rows = std::vector<llvm::Value*>;
  using Tile = std::unordered_map<imp::VarId, Rows>;

  void count(llvm::Value* lo, llvm::Value* hi, uint64_t step, bool polls,
             const std::function<void(llvm::Value*)>& body);
  llvm::Value* endOfTiles(llvm::Value* lo, llvm::Value* hi);
  void rows(llvm::Value* lo, llvm::Value* hi, llvm::Value* from, llvm::Value* to);
  void prefix(llvm::Value* i);
  void tile(llvm::Value* i, llvm::Value* j);
  llvm::Value* indexAt(const imp::Load& load, llvm::Value* j);
  Rows transposed(const imp::Load& load, llvm::Value* j);
  const imp::Load& loadOf(imp::VarId var) const;
  void chooseStreams();

  FunctionEmitter& f_;
  llvm::IRBuilder<>& ir_;
  const imp::For& outer_;
  const imp::For& inner_;
  std::vector<imp::VarId> loads_;
  unsigned side_ = 16;
  llvm::Value* streams_ = nullptr;  // whether to write past the caches; null: never
};

}  // namespace halo::jit
