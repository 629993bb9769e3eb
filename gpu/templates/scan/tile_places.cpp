// Tiles of segments begin at multiples of four elements, so that vectors are aligned in memory. An
// element of a tile finds its segment by a quotient. Tiles of lines begin with the vector that has
// the line's first element.
#include "gpu/templates/scan/tile_places.h"

#include "gpu/templates/kernel/four.h"

namespace halo::gpu {

using namespace imp;
using prim::Op;

namespace {

// Elements of as many whole segments as fit into a tile; tiles begin at multiples of four elements.
Operand ofWholeSegments(Builder& host, const Operand& segment, int64_t tile) {
  auto prim = [&](Op op, const Operand& a, const Operand& b) {
    return host.prim(op, ScalarType::kI64, {a, b});
  };
  Operand rows = prim(Op::kMachineDiv, i64(tile), host.max(segment, i64(1)));
  Operand even = prim(Op::kEq, prim(Op::kAnd, segment, i64(3)), i64(0));
  Operand by_four = prim(Op::kAnd, rows, i64(~int64_t{3}));
  Operand whole = host.let("rows", ScalarType::kI64, Select{even, rows, by_four});
  return host.mul(whole, segment);
}

}  // namespace

TilePlaces::TilePlaces(KernelScope& scope, Builder& host, const OuterLevels& outer, Kind kind,
                       const ScanSchedule& schedule, const Operand& segment)
    : scope_(scope),
      host_(host),
      code_(scope.code()),
      outer_(outer),
      kind_(kind),
      schedule_(schedule),
      is_aligned_(schedule.is_aligned),
      segment_(segment),
      width_(host.mul(outer_.count(host), segment_)) {}

Operand TilePlaces::prim(Op op, const Operand& a, const Operand& b) {
  return code_.prim(op, ScalarType::kI64, {a, b});
}

void TilePlaces::countTiles() {
  tile_ = i64(schedule_.tile());
  if (hasSegments()) {
    tile_ = host_.max(ofWholeSegments(host_, segment_, schedule_.tile()), i64(1));
  }
  tiles_ = divideUp(host_, width_, tile_);
  if (!isInLines()) return;
  // A line may begin behind the beginning of its first vector.
  Operand longest = is_aligned_ ? segment_ : host_.add(segment_, i64(3));
  of_line_ = host_.min(divideUp(host_, longest, tile_), segment_);
  tiles_ = host_.mul(outer_.count(host_), of_line_);
}

TileLines TilePlaces::lines() const {
  if (!isInLines()) return {i64(1), tiles_, i64(1)};
  return {outer_.count(host_), of_line_, i64(1)};
}

void TilePlaces::openGroup() {
  if (hasSegments()) quotient_.emplace(host_, scope_, segment_, schedule_.tile());
  scope_.localId();
  lane_ = scope_.builtIn(BuiltIn::kLane, schedule_.lanes);
  subgroup_ = scope_.builtIn(BuiltIn::kSubgroup, subgroups());
}

void TilePlaces::openTile(const Operand& number) {
  // Bounds that hold anyway show that comparisons need no more than 32 bits (raise.h, narrow).
  tile_number_ = code_.max(code_.min(number, scope_.scalar(tiles_)), i64(0));
  Operand width = scope_.scalar(width_);
  if (isInLines()) return openLine();
  start_ = code_.max(code_.min(code_.mul(tile_number_, scope_.scalar(tile_)), width), i64(0));
  end_ = code_.min(code_.add(start_, scope_.scalar(tile_)), width);
  in_tile_ = code_.mul(subgroup_, i64(ofSubgroup()));
  if (!hasSegments()) return;
  Operand segment = scope_.scalar(segment_);
  start_row_ = prim(Op::kMachineDiv, start_, segment);
  start_place_ = code_.sub(start_, code_.mul(start_row_, segment));
  start_place_ = code_.max(code_.min(start_place_, segment), i64(0));
}

// The tile is part of one segment; its first vector begins with elements of the one before.
void TilePlaces::openLine() {
  Operand width = scope_.scalar(width_);
  Operand segment = scope_.scalar(segment_);
  Operand lines = scope_.scalar(outer_.count(host_));
  in_line_ = prim(Op::kMachineDiv, tile_number_, lines);
  start_row_ = code_.sub(tile_number_, code_.mul(in_line_, lines));
  start_row_ = code_.max(code_.min(start_row_, lines), i64(0));
  line_ = code_.max(code_.min(code_.mul(start_row_, segment), width), i64(0));
  Operand first = is_aligned_ ? line_ : prim(Op::kAnd, line_, i64(~int64_t{3}));
  Operand tile = scope_.scalar(tile_);
  start_ = code_.add(first, code_.mul(in_line_, tile));
  start_ = code_.max(code_.min(start_, width), i64(0));
  Operand line_end = code_.min(code_.add(line_, segment), width);
  end_ = code_.min(code_.add(start_, tile), line_end);
  in_tile_ = code_.mul(subgroup_, i64(ofSubgroup()));
  if (!is_aligned_) {  // both as words: places before the line are beyond the end then
    least_ = code_.max(start_, line_);
    count_ = asWord(code_, code_.max(code_.min(code_.sub(end_, least_), tile), i64(0)));
  }
  Operands extents;
  for (const Operand& extent : outer_.extents()) extents.push_back(scope_.scalar(extent));
  Operand rows = scope_.scalar(outer_.count(host_));
  line_row_ = code_.max(code_.min(start_row_, code_.sub(rows, i64(1))), i64(0));
  line_indices_ = gpu::indicesOf(code_, line_row_, extents);
}

ScanVector TilePlaces::vector(int64_t k) {
  Operand in_run = code_.mul(lane_, i64(static_cast<int64_t>(kFour)));
  const int64_t run = k * schedule_.lanes * static_cast<int64_t>(kFour);
  Operand offset = code_.add(code_.add(in_tile_, in_run), i64(run));
  ScanVector vector;
  vector.first = code_.add(start_, offset);
  if (!hasSegments()) return vector;
  Operand segment = scope_.scalar(segment_);
  Operand place = code_.add(start_place_, offset);
  Operand rows = quotient_->of(place);
  Operand rest = code_.sub(place, code_.mul(rows, segment));
  vector.place = code_.max(code_.min(rest, segment), i64(0));
  vector.row = code_.add(start_row_, rows);
  return vector;
}

Operand TilePlaces::isInside(const ScanVector& vector, size_t c) {
  Operand i = code_.add(vector.first, i64(static_cast<int64_t>(c)));
  if (!isInLines() || is_aligned_) return prim(Op::kLt, i, end_);
  Operand place = asWord(code_, code_.sub(i, least_));
  return code_.prim(Op::kLt, ScalarType::kU32, {place, count_});
}

Operand TilePlaces::placeOf(const ScanVector& vector, size_t c) {
  if (c == 0) return vector.place;
  Operand place = code_.add(vector.place, i64(static_cast<int64_t>(c)));
  if (is_aligned_) return place;
  Operand segment = scope_.scalar(segment_);
  return code_.sub(place, code_.mul(quotient_->of(place), segment));
}

Operand TilePlaces::rowOf(const ScanVector& vector, size_t c) {
  if (c == 0 || is_aligned_) return vector.row;
  Operand place = code_.add(vector.place, i64(static_cast<int64_t>(c)));
  return code_.add(vector.row, quotient_->of(place));
}

Operands TilePlaces::indicesOf(const ScanVector& vector, size_t c) {
  Operand i = code_.add(vector.first, i64(static_cast<int64_t>(c)));
  if (isInLines()) {
    Operands indices = line_indices_;
    indices.push_back(code_.max(code_.min(code_.sub(i, line_), scope_.scalar(segment_)), i64(0)));
    return indices;
  }
  if (!hasSegments()) return {i};
  Operand place = placeOf(vector, c);
  Operands extents;
  for (const Operand& extent : outer_.extents()) extents.push_back(scope_.scalar(extent));
  Operand rows = scope_.scalar(outer_.count(host_));
  Operand row = code_.max(code_.min(rowOf(vector, c), rows), i64(0));
  Operands indices = gpu::indicesOf(code_, row, extents);
  indices.push_back(place);
  return indices;
}

Operand TilePlaces::inSubgroup(const ScanVector& vector) {
  Operand in_tile = code_.sub(vector.first, start_);
  return code_.sub(in_tile, in_tile_);
}

}  // namespace halo::gpu
