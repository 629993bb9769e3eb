// The elements of a tile of a scan (scan_tile.cpp): its vectors, each element's segment and its
// place there, and which elements are inside.
#pragma once

#include "gpu/schedule/schedule.h"
#include "gpu/templates/kernel/levels.h"
#include "gpu/templates/scan/segment_quotient.h"
#include "gpu/templates/scan/tile_state.h"

namespace halo::gpu {

// Four elements: the flat number of the first, its segment and its place there, then the values.
struct ScanVector {
  imp::Operand first, row, place;
  std::vector<imp::Operands> inputs;  // of flat ones, by input
  std::vector<imp::Operands> values;  // of each element
};

class TilePlaces {
 public:
  enum class Kind : uint8_t {
    kFlat,      // one segment, which is all
    kSegments,  // tiles hold several segments
    kLines,     // tiles hold parts of one
  };
  // `segment`: host, the elements of one.
  TilePlaces(KernelScope& scope, imp::Builder& host, const OuterLevels& outer, Kind kind,
             const ScanSchedule& schedule, const imp::Operand& segment);

  bool hasSegments() const { return kind_ == Kind::kSegments; }
  bool isInLines() const { return kind_ == Kind::kLines; }
  bool isAligned() const { return is_aligned_; }  // segments are whole vectors
  int64_t subgroups() const { return schedule_.workgroup / schedule_.lanes; }
  int64_t ofSubgroup() const { return schedule_.lanes * schedule_.elements; }

  // Host.
  const imp::Operand& width() const { return width_; }  // elements of all segments
  void countTiles();
  const imp::Operand& tiles() const { return tiles_; }
  TileLines lines() const;

  // In the kernel: the workgroup's invocations, then the tile, then its vectors.
  void openGroup();
  void openTile(const imp::Operand& number);
  ScanVector vector(int64_t k);
  const imp::Operand& lane() const { return lane_; }
  const imp::Operand& subgroup() const { return subgroup_; }
  const imp::Operand& number() const { return tile_number_; }
  imp::Operand isInside(const ScanVector& vector, size_t c);
  // Element c's place in its segment, and its indices with those of the levels around.
  imp::Operand placeOf(const ScanVector& vector, size_t c);
  imp::Operands indicesOf(const ScanVector& vector, size_t c);
  imp::Operand inSubgroup(const ScanVector& vector);  // the first element's distance from its begin
  const imp::Operand& end() const { return end_; }    // of the tile
  // Of a tile in lines: the line's number and which of its tiles it is; the levels around it.
  const imp::Operand& line() const { return start_row_; }
  const imp::Operand& inLine() const { return in_line_; }
  const imp::Operand& lineRow() const { return line_row_; }
  const imp::Operands& lineIndices() const { return line_indices_; }

 private:
  void openLine();
  imp::Operand rowOf(const ScanVector& vector, size_t c);
  imp::Operand prim(prim::Op op, const imp::Operand& a, const imp::Operand& b);

  KernelScope& scope_;
  imp::Builder& host_;
  imp::Builder& code_;
  const OuterLevels& outer_;
  Kind kind_;
  const ScanSchedule& schedule_;
  bool is_aligned_;
  imp::Operand segment_, width_, tile_, tiles_;  // host
  std::optional<SegmentQuotient> quotient_;
  imp::Operand lane_, subgroup_, tile_number_;
  imp::Operand start_, end_;              // of the tile
  imp::Operand in_tile_;                  // where the subgroup begins
  imp::Operand start_row_, start_place_;  // of the tile's first element
  // Tiles of lines: how many to a line (host), which of it, the line's beginning, the tile's first
  // element of it, and how many (u32).
  imp::Operand of_line_, in_line_, line_, least_, count_;
  imp::Operand line_row_;       // within the levels around,
  imp::Operands line_indices_;  // and as indices of them
};

}  // namespace halo::gpu
