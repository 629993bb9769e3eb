// Bringing a tile's lines of an input to shared memory, some elements of each line at a time. They
// go from memory to registers, later from there to one half of shared memory, where elements of the
// same number k lie together.
#pragma once

#include "gpu/templates/product/lines.h"
#include "gpu/templates/product/tile_place.h"

namespace halo::gpu {

// The staged part of one input.
struct StagedTile {
  int64_t lines, depth;  // of a step; depth: elements of a line
  int64_t threads;       // that bring it
  bool exchanged;        // in shared memory line l takes the place of l ^ 1
  bool along_depth;      // neighbouring elements of a line lie together in memory, else those of
                         // neighbouring lines
  int64_t slices = 1;    // of the workgroup: each brings lines of its own
  // One vector of padding for each k: neighbouring k lie in other banks.
  int64_t pitch() const { return lines + 4; }
  // Of a slice, both halves. A few more elements put neighbours of one subgroup in other banks.
  int64_t sliceElements() const {
    return 2 * depth * pitch() + (slices > 1 && lines < 32 ? lines : 0);
  }
};

class Staging {
 public:
  Staging(KernelScope& scope, const StagedTile& tile, prim::ScalarType type, const TilePlace& place)
      : code_(scope.code()),
        tile_(tile),
        lid_(place.lid),
        depth_(place.depth),
        start_(code_.mul(place.slice, i64(tile.sliceElements()))),
        shared_(scope.shared("tile", type, tile.slices * tile.sliceElements())) {}
  virtual ~Staging() = default;
  Staging(const Staging&) = delete;
  Staging& operator=(const Staging&) = delete;

  // Elements first_k .. of each line into registers; with `is_rest`, there may be fewer.
  virtual void load(const imp::Operand& first_k, bool is_rest) = 0;
  virtual void store(const imp::Operand& half) = 0;

  imp::BufferId shared() const { return shared_; }
  int64_t pitch() const { return tile_.pitch(); }  // from element k to k + 1
  // Which line stands at the place of line l.
  size_t lineAt(size_t l) const { return tile_.exchanged ? l ^ 1 : l; }
  // Where element k of line 0 is.
  imp::Operand at(const imp::Operand& half, const imp::Operand& k) const;

 protected:
  imp::Operand placeOf(const imp::Operand& line) const;

  imp::Builder& code_;
  StagedTile tile_;
  imp::Operand lid_;
  imp::Operand depth_;  // elements of a whole line

 private:
  imp::Operand start_;  // of the slice's part of shared memory
  imp::BufferId shared_;
};

// One by one: any type, any place.
class ElementStaging : public Staging {
 public:
  // Element k of the tile's line.
  using Element = std::function<imp::Operand(const imp::Operand& line, const imp::Operand& k)>;
  ElementStaging(KernelScope& scope, const StagedTile& tile, prim::ScalarType type,
                 const TilePlace& place, Element element)
      : Staging(scope, tile, type, place), element_(std::move(element)) {}

  void load(const imp::Operand& first_k, bool is_rest) override;
  void store(const imp::Operand& half) override;

 private:
  void each(const std::function<void(const imp::Operand& line, const imp::Operand& k)>& visit);

  Element element_;
  imp::Operands staged_;
};

// By vectors of four elements, or by elements of such vectors where lines are no whole vectors.
class VectorStaging : public Staging {
 public:
  // Whether the invocations share the vectors of a tile evenly.
  static bool fits(const StagedTile& tile) {
    return tile.depth % 4 == 0 && tile.lines * tile.depth / 4 % tile.threads == 0;
  }
  // `lines`: kernel operands. `first`: the tile's first line, a multiple of four; `left`: of lines
  // from there; those beyond are the last ones again.
  VectorStaging(KernelScope& scope, const StagedTile& tile, const TilePlace& place,
                const Lines& lines, const imp::Operand& first, const imp::Operand& left);

  void load(const imp::Operand& first_k, bool is_rest) override;
  void store(const imp::Operand& half) override;

 private:
  int64_t vectors() const { return tile_.lines * tile_.depth / 4 / tile_.threads; }
  // Of this invocation's vector number `vector`: line and k of its first element in the tile.
  std::pair<imp::Operand, imp::Operand> vectorPlace(int64_t vector);

  imp::Operands loadVector(int64_t vector, const imp::Operand& first_k, bool is_rest);
  imp::Operands loadElements(int64_t vector, const imp::Operand& first_k, bool is_rest);

  Lines lines_;
  imp::Operand first_, last_;  // the first line, and the last one within the tile
  imp::Operands starts_;       // of each vector: where element k = 0 of its first line is
  std::vector<imp::Operands> staged_;
};

}  // namespace halo::gpu
