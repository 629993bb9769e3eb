// Loads a tile's lines of an input into shared memory for cooperative matrices. It reads whole
// vectors, in memory order, some elements of each line at a time.
#pragma once

#include <array>

#include "gpu/templates/product/lines.h"

namespace halo::gpu {

// A part of shared memory, in words of 32 bits: `copies` copies of the staged lines.
struct MatrixRegion {
  imp::BufferId words;
  int64_t first = 0;  // of copy 0
  int64_t size = 0;   // of a copy
  int64_t pitch = 0;  // from line to line, or from one number k to the next
};

class MatrixStaging {
 public:
  struct Tile {
    int64_t lines, depth;  // of a step
    int64_t threads;       // that bring it
    imp::Operand lid;
    imp::Operand first, left;  // the tile's first line; how many there are from there
    imp::Operand length;       // of a line
  };
  // `lines`: kernel operands; vectors begin at multiples of their elements.
  MatrixStaging(imp::Builder& code, const Tile& tile, const Lines& lines,
                const MatrixRegion& region);

  // Whether a step ends within the lines, or may end behind them: elements there are zeros.
  enum class Step : uint8_t { kWhole, kCut };
  // Elements first_k .. of each line into registers, and from there to a copy. The registers keep
  // them through loops.
  void load(Step step, const imp::Operand& first_k);
  void store(Step step, const imp::Operand& copy, const imp::Operand& first_k);
  // Where the subgroup's lines begin that matrices are made of: `line` within the tile.
  void beginAt(const imp::Operand& line);
  // matrix := elements `k` .. of 16 lines, `line` being the first of them from there on. Lines are
  // its rows, or its columns.
  void loadMatrix(imp::BufferId matrix, const imp::Operand& copy, int64_t line, int64_t k,
                  bool lines_are_rows);

 private:
  // A vector that this invocation brings.
  struct Vector {
    imp::Operand line, k;  // of its first element, within the tile
    imp::Operand start;    // where element k = 0 of its line is in memory
    imp::Operand at;       // where the vector is in memory for the step that begins with k = 0
    imp::Operand word;     // its place in a copy
  };
  int64_t vectors() const { return tile_.lines * tile_.depth / lines_.vector() / tile_.threads; }
  Vector place(int64_t number);
  int64_t wordsOf(int64_t elements) const { return elements * 4 / lines_.vector(); }
  imp::Operand inWords(const imp::Operand& elements);
  imp::Operand copyAt(const imp::Operand& copy);
  // A number of elements of a step.
  imp::Operand withinStep(const imp::Operand& count);

  imp::Builder& code_;
  Tile tile_;
  Lines lines_;
  MatrixRegion region_;
  imp::Operand last_k_;  // where the last vector of a line begins
  imp::Operand own_;     // words from a copy's begin to the subgroup's lines
  std::vector<Vector> vectors_;
  std::vector<std::array<imp::VarId, 4>> registers_;  // words, by vector
};

}  // namespace halo::gpu
