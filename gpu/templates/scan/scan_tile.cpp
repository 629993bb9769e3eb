// One workgroup scans one tile. Each subgroup has consecutive elements of it, four to a lane at a
// time, so that memory is read and written 16 bytes at once:
//
//   tile      | subgroup 0                    | subgroup 1 ..
//   subgroup  | k = 0: lane 0 lane 1 .. | k = 1: lane 0 ..
//   lane      | four elements
//
// A lane scans its four, lanes scan theirs by shuffles, `run` carries on from k to k + 1, shared
// memory from subgroup to subgroup, and look-back from tile to tile. With several segments in a
// tile an element knows its place in its segment. Its reach to the left is a comparison of that
// with a distance. With several tiles to a segment the look-back ends at the first tile. Elements
// before the segment in that tile's first vector count as neutral.
//
// Look-back: tiles take numbers by a ticket, so that all earlier ones have started, first those
// where segments begin, then the second ones. A tile waits for one that began long before. Subgroup
// 0 looks (look_back.h). Waiting is bounded: a call that waits too long is left to another engine.
#include "gpu/templates/scan/scan_tile.h"

#include <algorithm>

#include "gpu/plan/nests/nest.h"
#include "gpu/templates/kernel/guarded_stores.h"
#include "gpu/templates/scan/look_back.h"
#include "gpu/templates/scan/segment_quotient.h"

namespace halo::gpu {

using namespace imp;
using prim::Op;

namespace {

using Carry = ScanSchedule::Carry;
using Sink = ScanSchedule::Sink;

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

class TileKernel {
 public:
  TileKernel(Program& program, Builder& host, const KernelCall& call,
             const std::vector<const core::Screma*>& levels, const ScanSchedule& schedule,
             ScanScatter* scatter = nullptr)
      : host_(host),
        call_(call),
        screma_(*levels.back()),
        outer_(call, levels),
        flat_(call, levels),
        look_back_(schedule.carry == Carry::kLookback),
        segmented_(!look_back_),
        in_lines_(look_back_ && scatter == nullptr && levels.size() > 1),
        aligned_(schedule.is_aligned),
        scatter_(scatter),
        shape_(schedule),
        scope_(program, host, call, call.function.name + suffix()),
        code_(scope_.code()),
        segment_(operandOf(call.arguments, screma_.width)),
        width_(host.mul(outer_.count(host), segment_)),
        ops_(scope_, screma_),
        map_(scope_, levels, outer_, flat_, width_),
        state_(ops_.types(), LookBack::kNoBlocks) {
    if (shape_.sink != Sink::kMap) return;
    read_.emplace(scatter->call(), scatter->mapLevels());
    maps_anywhere_ = mapsAnywhere();
  }

  TemplateResult run(Program& program) {
    tile_ = i64(shape_.tile());
    if (segmented_) tile_ = host_.max(ofWholeSegments(host_, segment_, shape_.tile()), i64(1));
    tiles_ = divideUp(host_, width_, tile_);
    if (in_lines_) {  // a line may begin behind the beginning of its first vector
      Operand longest = aligned_ ? segment_ : host_.add(segment_, i64(3));
      of_line_ = host_.min(divideUp(host_, longest, tile_), segment_);
      tiles_ = host_.mul(outer_.count(host_), of_line_);
    }
    if (look_back_) makeState(program);
    if (segmented_) quotient_.emplace(host_, scope_, segment_, shape_.tile());
    openTile();
    for (int64_t k = 0; k < vectors(); k++) loadVector(k);
    for (int64_t k = 0; k < vectors(); k++) mapVector(vectors_[static_cast<size_t>(k)]);
    Operands run = scanSubgroup();
    scanGroup(run);
    if (look_back_) lookBack();
    for (const Vector& vector : vectors_) storeVector(vector);
    const int workgroup[3] = {static_cast<int>(shape_.workgroup), 1, 1};
    scope_.launch(workgroup, {tiles_, i64(1), i64(1)});
    if (look_back_) state_.free(host_);
    return {{}, !scope_.unsupported()};
  }

 private:
  std::string suffix() const {
    const char* name = segmented_ ? "_rows" : in_lines_ ? "_lines" : "_one_pass";
    return std::string(name) + (aligned_ ? "_by_4" : "");
  }
  int64_t vectors() const { return shape_.elements / static_cast<int64_t>(kFour); }
  int64_t subgroups() const { return shape_.workgroup / shape_.lanes; }
  int64_t ofSubgroup() const { return shape_.lanes * shape_.elements; }

  // Four elements: the flat number of the first, its segment and its place there, then the values.
  struct Vector {
    Operand first, row, place;
    std::vector<Operands> inputs;  // of flat ones, by input
    std::vector<Operands> values;  // of each element
  };

  Operand prim(Op op, const Operand& a, const Operand& b) {
    return code_.prim(op, ScalarType::kI64, {a, b});
  }
  Operand both(const Operand& a, const Operand& b) {
    return code_.prim(Op::kAnd, ScalarType::kBool, {a, b});
  }
  Operand asIndex(const Operand& word) {
    return code_.let("i", ScalarType::kI64,
                     Convert{prim::ConvertKind::kValue, ScalarType::kU32, ScalarType::kI64, word});
  }

  // ---- where a tile is

  void openTile() {
    lid_ = scope_.localId();
    lane_ = scope_.builtIn(BuiltIn::kLane, shape_.lanes);
    subgroup_ = scope_.builtIn(BuiltIn::kSubgroup, subgroups());
    Operand number = look_back_ ? state_.ticket(scope_) : scope_.groupId();
    // Bounds that hold anyway show that comparisons need no more than 32 bits (raise.h, narrow).
    tile_number_ = code_.max(code_.min(number, scope_.scalar(tiles_)), i64(0));
    Operand width = scope_.scalar(width_);
    if (in_lines_) return openLine();
    start_ = code_.max(code_.min(code_.mul(tile_number_, scope_.scalar(tile_)), width), i64(0));
    end_ = code_.min(code_.add(start_, scope_.scalar(tile_)), width);
    in_tile_ = code_.mul(subgroup_, i64(ofSubgroup()));
    if (!segmented_) return;
    Operand segment = scope_.scalar(segment_);
    start_row_ = prim(Op::kMachineDiv, start_, segment);
    start_place_ = code_.sub(start_, code_.mul(start_row_, segment));
    start_place_ = code_.max(code_.min(start_place_, segment), i64(0));
  }

  // The tile is part of one segment; its first vector begins with elements of the one before.
  void openLine() {
    Operand width = scope_.scalar(width_);
    Operand segment = scope_.scalar(segment_);
    Operand lines = scope_.scalar(outer_.count(host_));
    in_line_ = prim(Op::kMachineDiv, tile_number_, lines);
    start_row_ = code_.sub(tile_number_, code_.mul(in_line_, lines));
    start_row_ = code_.max(code_.min(start_row_, lines), i64(0));
    line_ = code_.max(code_.min(code_.mul(start_row_, segment), width), i64(0));
    Operand first = aligned_ ? line_ : prim(Op::kAnd, line_, i64(~int64_t{3}));
    Operand tile = scope_.scalar(tile_);
    start_ = code_.add(first, code_.mul(in_line_, tile));
    start_ = code_.max(code_.min(start_, width), i64(0));
    Operand line_end = code_.min(code_.add(line_, segment), width);
    end_ = code_.min(code_.add(start_, tile), line_end);
    in_tile_ = code_.mul(subgroup_, i64(ofSubgroup()));
    if (!aligned_) {  // both as words: places before the line are beyond the end then
      least_ = code_.max(start_, line_);
      count_ = asWord(code_, code_.max(code_.min(code_.sub(end_, least_), tile), i64(0)));
    }
    Operands extents;
    for (const Operand& extent : outer_.extents()) extents.push_back(scope_.scalar(extent));
    Operand rows = scope_.scalar(outer_.count(host_));
    Operand row = code_.max(code_.min(start_row_, code_.sub(rows, i64(1))), i64(0));
    line_indices_ = gpu::indicesOf(code_, row, extents);
    levels_ = map_.bound(row, line_indices_);
  }
  // Whether element c counts.
  Operand isInside(const Vector& vector, size_t c) {
    Operand i = code_.add(vector.first, i64(static_cast<int64_t>(c)));
    if (!in_lines_ || aligned_) return prim(Op::kLt, i, end_);
    Operand place = asWord(code_, code_.sub(i, least_));
    return code_.prim(Op::kLt, ScalarType::kU32, {place, count_});
  }

  // Vector k's first element, counted from the beginning of the tile.
  Operand offsetOf(int64_t k) {
    Operand in_run = code_.mul(lane_, i64(static_cast<int64_t>(kFour)));
    int64_t run = k * shape_.lanes * static_cast<int64_t>(kFour);
    return code_.add(code_.add(in_tile_, in_run), i64(run));
  }

  // ---- reading

  void loadVector(int64_t k) {
    Vector vector;
    Operand offset = offsetOf(k);
    vector.first = code_.add(start_, offset);
    if (segmented_) {
      Operand segment = scope_.scalar(segment_);
      Operand place = code_.add(start_place_, offset);
      Operand rows = quotient_->of(place);
      Operand rest = code_.sub(place, code_.mul(rows, segment));
      vector.place = code_.max(code_.min(rest, segment), i64(0));
      vector.row = code_.add(start_row_, rows);
    }
    vector.inputs = map_.load(vector.first);
    vectors_.push_back(std::move(vector));
  }

  // Element c's place in its segment, and the segment.
  Operand placeOf(const Vector& vector, size_t c) {
    if (c == 0) return vector.place;
    Operand place = code_.add(vector.place, i64(static_cast<int64_t>(c)));
    if (aligned_) return place;
    Operand segment = scope_.scalar(segment_);
    return code_.sub(place, code_.mul(quotient_->of(place), segment));
  }
  Operand rowOf(const Vector& vector, size_t c) {
    if (c == 0 || aligned_) return vector.row;
    Operand place = code_.add(vector.place, i64(static_cast<int64_t>(c)));
    return code_.add(vector.row, quotient_->of(place));
  }
  Operands indicesOf(const Vector& vector, size_t c) {
    Operand i = code_.add(vector.first, i64(static_cast<int64_t>(c)));
    if (in_lines_) {
      Operands indices = line_indices_;
      indices.push_back(code_.max(code_.min(code_.sub(i, line_), scope_.scalar(segment_)), i64(0)));
      return indices;
    }
    if (!segmented_) return {i};
    Operand place = placeOf(vector, c);
    Operands extents;
    for (const Operand& extent : outer_.extents()) extents.push_back(scope_.scalar(extent));
    Operand rows = scope_.scalar(outer_.count(host_));
    Operand row = code_.max(code_.min(rowOf(vector, c), rows), i64(0));
    Operands indices = gpu::indicesOf(code_, row, extents);
    indices.push_back(place);
    return indices;
  }

  void mapVector(Vector& vector) {
    Operands insides;
    for (size_t c = 0; c < kFour; c++) {
      Operand i = code_.add(vector.first, i64(static_cast<int64_t>(c)));
      Operand inside = isInside(vector, c);
      insides.push_back(inside);
      const Environment* levels = in_lines_ ? &levels_ : nullptr;
      ElementMap::Element element{i, vector.inputs, c, [&, c] { return indicesOf(vector, c); },
                                  levels};
      vector.values.push_back(map_.valuesAndPassed(ops_, element, inside, !in_lines_));
    }
    const bool begins_inside = !in_lines_ || aligned_;
    const Operand& last = insides[kFour - 1];
    map_.storeFour(vector.first, begins_inside ? last : both(insides[0], last), insides,
                   vector.values);
  }

  // ---- scanning

  // Does element c take values more than c + `distance` elements before it? Always without
  // segments. In aligned ones all four take the same.
  std::optional<Operand> reaches(const Vector& vector, size_t c, const Operand& distance) {
    if (!segmented_) return std::nullopt;
    if (aligned_) return prim(Op::kGt, vector.place, distance);
    return prim(Op::kGt, placeOf(vector, c), code_.add(distance, i64(static_cast<int64_t>(c))));
  }
  // Does it take the element before it?
  std::optional<Operand> reachesNext(const Vector& vector, size_t c) {
    if (!segmented_ || aligned_) return std::nullopt;
    return prim(Op::kGt, placeOf(vector, c), i64(0));
  }
  Operands joinIf(const std::optional<Operand>& condition, const Operands& left,
                  const Operands& right) {
    return condition ? ops_.join(*condition, left, right) : ops_.apply(left, right);
  }

  // All vectors become prefixes of the subgroup's elements; its combination.
  Operands scanSubgroup() {
    Operands run = ops_.neutral();
    Operand in_run = code_.mul(lane_, i64(static_cast<int64_t>(kFour)));
    Operand is_first = prim(Op::kEq, lane_, i64(0));
    for (Vector& vector : vectors_) {
      std::vector<Operands>& x = vector.values;
      for (size_t c = 1; c < kFour; c++) {
        x[c] = joinIf(reachesNext(vector, c), x[c - 1], x[c]);
      }
      Operands inclusive = scanLanes(vector, x[kFour - 1]);
      Operands before = ops_.shuffle(ShuffleKind::kUp, inclusive, u32(1));
      Operand all_lanes = reachesRun(vector, in_run);
      Operands others = segmented_ ? ops_.join(all_lanes, run, before) : ops_.apply(run, before);
      before = ops_.select(is_first, run, others);
      takeFour(vector, i64(0), before, x);
      run = ops_.shuffle(ShuffleKind::kFrom, x[kFour - 1],
                         u32(static_cast<uint32_t>(shape_.lanes - 1)));
    }
    return run;
  }
  // x := op(left, x) where the element reaches back so far. One choice for all four is made of
  // their operands.
  void takeFour(const Vector& vector, const Operand& distance, Operands left,
                std::vector<Operands>& x) {
    if (segmented_ && aligned_) {
      left = ops_.select(*reaches(vector, 0, distance), left, ops_.neutral());
    }
    for (size_t c = 0; c < kFour; c++) {
      bool always = !segmented_ || aligned_;
      x[c] = always ? ops_.apply(left, x[c]) : ops_.join(*reaches(vector, c, distance), left, x[c]);
    }
  }
  // Whether the lanes before belong to the first element's segment, all of them, and more.
  Operand reachesRun(const Vector& vector, const Operand& in_run) {
    return segmented_ ? prim(Op::kGt, vector.place, in_run) : Operand();
  }

  // Combinations of the lanes up to each one; of a segment, since its beginning.
  Operands scanLanes(const Vector& vector, Operands value) {
    Operand place = segmented_ ? placeOf(vector, kFour - 1) : Operand();
    for (int64_t d = 1; d < shape_.lanes; d *= 2) {
      Operands far = ops_.shuffle(ShuffleKind::kUp, value, u32(static_cast<uint32_t>(d)));
      Operand takes = prim(Op::kGe, lane_, i64(d));
      if (segmented_) {
        takes = both(takes, prim(Op::kGe, place, i64(d * static_cast<int64_t>(kFour))));
      }
      value = ops_.join(takes, far, value);
    }
    return value;
  }

  // before_ := the sum of the subgroups before, total_ the sum of all.
  void scanGroup(const Operands& run) {
    std::vector<BufferId> parts = ops_.shared("part", subgroups());
    BufferId places =
        segmented_ ? scope_.shared("places", ScalarType::kU32, subgroups()) : BufferId();
    Operand is_last = prim(Op::kEq, lane_, i64(shape_.lanes - 1));
    code_.ifThenElse(is_last, [&] {
      ops_.store(parts, subgroup_, run);
      if (!segmented_) return;
      Operand place = placeOf(vectors_.back(), kFour - 1);
      code_.store(
          places, subgroup_,
          code_.let("w", ScalarType::kU32,
                    Convert{prim::ConvertKind::kValue, ScalarType::kI64, ScalarType::kU32, place}));
    });
    code_.append(Barrier{});
    Operands total = ops_.neutral();
    before_ = ops_.neutral();
    for (int64_t g = 0; g < subgroups(); g++) {
      Operand mine = prim(Op::kEq, subgroup_, i64(g));
      before_ = g == 0 ? total : ops_.select(mine, total, before_);
      Operands part = ops_.load(parts, i64(g));
      if (!segmented_) {
        total = g == 0 ? part : ops_.apply(total, part);
        continue;
      }
      Operand place = asIndex(code_.load(places, i64(g)));
      Operand whole = prim(Op::kGe, place, i64(ofSubgroup()));
      total = g == 0 ? part : ops_.join(whole, total, part);
    }
    total_ = total;
  }

  // ---- talking to other tiles

  void makeState(Program& program) {
    TileLines lines{i64(1), tiles_, i64(1)};
    if (in_lines_) lines = {outer_.count(host_), of_line_, i64(1)};
    state_.make(program, host_, call_, lines, [&](KernelScope& clear, const Operand& i) {
      if (scatter_ == nullptr) return;
      Operand is_first = clear.code().prim(Op::kEq, ScalarType::kI64, {i, i64(0)});
      clear.code().ifThenElse(is_first, [&] { scatter_->storeLast(clear, ops_.neutral()); });
    });
  }

  // prefix_ := the sum before the tile, in the same line.
  void lookBack() {
    std::vector<BufferId> shared = ops_.shared("prefix", 1);
    Operand searches = prim(Op::kEq, subgroup_, i64(0));
    code_.ifThenElse(searches, [&] {
      LookBack look(scope_, ops_, state_);
      LookBack::Where where{i64(0), tile_number_};
      if (in_lines_) where = {start_row_, in_line_};
      Operand is_leader = prim(Op::kEq, lane_, i64(0));
      LookBack::Lookers lookers{lane_, shape_.lanes, shape_.lanes, shape_.lookback_tiles};
      LookBack::Before prefix = look.together(where, {i64(0), total_}, lookers);
      code_.ifThenElse(is_leader, [&] { ops_.store(shared, i64(0), asOperands(prefix)); });
    });
    code_.append(Barrier{});
    prefix_ = ops_.load(shared, i64(0));
  }

  // ---- writing

  void storeVector(const Vector& vector) {
    std::vector<Operands> out = vector.values;
    Operand in_tile = code_.sub(vector.first, start_);
    Operand in_subgroup = code_.sub(in_tile, in_tile_);
    if (look_back_) {
      takeFour(vector, i64(0), farPrefix(), out);
    } else {
      takeFour(vector, in_subgroup, before_, out);
    }
    store(vector, out);
  }
  const Operands& farPrefix() {
    if (far_.empty()) far_ = ops_.apply(prefix_, before_);
    return far_;
  }

  // Of the scan, or of the map behind it.
  const KernelCall& whole() const { return scatter_ != nullptr ? scatter_->call() : call_; }
  bool isWanted(size_t result) const { return !whole().unwanted.contains(result); }
  void store(const Vector& vector, const std::vector<Operands>& out) {
    if (shape_.sink == Sink::kMap) return storeMapped(vector, out);
    if (scatter_ != nullptr) {
      for (size_t c = 0; c < kFour; c++) scatter(vector, c, out[c]);
      return;
    }
    storeValues(vector, out);
  }
  // Value k of each element is of result k.
  void storeValues(const Vector& vector, const std::vector<Operands>& out) {
    Operand all = isInside(vector, kFour - 1);
    if (in_lines_ && !aligned_) all = both(isInside(vector, 0), all);
    GuardedStores stores{vector.first, kFour, all, [&](size_t c) { return isInside(vector, c); }};
    std::vector<GuardedStores::Target> targets;
    bool are_whole = true;
    for (size_t k = 0; k < out[0].size(); ++k) {
      if (!isWanted(k)) continue;
      are_whole = are_whole && isWhole(whole().results[k]);
      GuardedStores::Target target{scope_.buffer(whole().results[k].buffer), {}};
      for (const Operands& element : out) target.values.push_back(element[k]);
      targets.push_back(std::move(target));
    }
    if (are_whole) return stores.store(code_, targets);
    stores.each(code_, [&](size_t c, const Operand& at) { storeResults(vector, c, at, out[c]); });
  }

  void storeResults(const Vector& vector, size_t c, const Operand& at, const Operands& values) {
    for (size_t k = 0; k < values.size(); ++k) {
      if (!isWanted(k)) continue;
      const ArrayRef& result = whole().results[k];
      if (isWhole(result)) {
        code_.store(scope_.buffer(result.buffer), at, values[k]);
      } else {
        storeElement(code_, scope_.array(result), indicesOf(vector, c), values[k]);
      }
    }
  }

  void scatter(const Vector& vector, size_t c, const Operands& scanned) {
    Operand i = code_.add(vector.first, i64(static_cast<int64_t>(c)));
    code_.ifThenElse(prim(Op::kLt, i, end_), [&] {
      scatter_->scatter(
          scope_, i, [&](size_t input) { return loaded(vector, input, c); }, scanned);
      storeLast(i, scanned);
    });
  }
  void storeLast(const Operand& i, const Operands& scanned) {
    if (scatter_->lasts().empty()) return;
    Operand is_last = prim(Op::kEq, i, code_.sub(scope_.scalar(width_), i64(1)));
    code_.ifThenElse(is_last, [&] { scatter_->storeLast(scope_, scanned); });
  }

  // Results of the map are stored instead of the scanned values.
  void storeMapped(const Vector& vector, const std::vector<Operands>& scanned) {
    const std::vector<Operands> read = ahead_.empty() ? readFor(vector) : std::move(ahead_);
    const bool is_last = &vector == &vectors_.back();
    ahead_ = is_last ? std::vector<Operands>() : readFor(*(&vector + 1));
    std::vector<Operands> out;
    for (size_t c = 0; c < kFour; ++c) {
      const Operand i = code_.add(vector.first, i64(static_cast<int64_t>(c)));
      auto values = [&] {
        return scatter_->values(
            scope_, i, [&](size_t input) { return loaded(vector, input, c); },
            [&](size_t input) {
              return read[input].empty() ? std::nullopt : std::optional(read[input][c]);
            },
            scanned[c]);
      };
      if (maps_anywhere_) {
        out.push_back(values());
        storeLast(i, scanned[c]);
        continue;
      }
      const std::vector<VarId> inside = scatter_->declareResults(scope_);
      code_.ifThenElse(isInside(vector, c), [&] {
        assignAll(code_, inside, values());
        storeLast(i, scanned[c]);
      });
      out.emplace_back(inside.begin(), inside.end());
    }
    storeValues(vector, out);
  }
  // Whether the map may see elements behind the last one: it cannot fail, and reads nothing else.
  bool mapsAnywhere() const {
    for (size_t k = 0; k < scatter_->inputs().size(); ++k) {
      const bool is_known = scatter_->isComputed(k) || read_->isFlat(k);
      if (!is_known) return false;
    }
    for (size_t k = 0; k < screma_.inputs.size(); ++k) {
      if (!flat_.isFlat(k)) return false;
    }
    return scatter_->isTotal();
  }
  // Elements of the map's inputs that the scan does not read, by input, as far as vectors reach.
  std::vector<Operands> readFor(const Vector& vector) {
    std::vector<Operands> read(scatter_->inputs().size());
    const Operand from = firstInMemory(scope_, width_, vector.first);
    for (size_t k = 0; k < read.size(); ++k) {
      if (read_->isFlat(k) && !scatter_->isOfScan(k)) read[k] = read_->loadFour(scope_, k, from);
    }
    return read;
  }
  // The element that has been read of an input of the scan, if it was read this way.
  std::optional<Operand> loaded(const Vector& vector, size_t input, size_t c) const {
    if (!flat_.isFlat(input)) return std::nullopt;
    return vector.inputs[input][c];
  }

  Builder& host_;
  const KernelCall& call_;
  const core::Screma& screma_;
  OuterLevels outer_;
  FlatInputs flat_;
  bool look_back_;
  bool segmented_;  // tiles hold several segments
  bool in_lines_;   // tiles hold parts of one
  bool aligned_;    // segments are whole vectors
  ScanScatter* scatter_;
  const ScanSchedule& shape_;
  KernelScope scope_;
  Builder& code_;
  Operand segment_, width_;  // host; elements of a segment, of all
  std::optional<SegmentQuotient> quotient_;
  Operators ops_;
  ElementMap map_;
  TileState state_;
  Operand tile_, tiles_;  // host
  Operand lid_, lane_, subgroup_, tile_number_;
  Operand start_, end_;              // of the tile
  Operand in_tile_;                  // where the subgroup begins
  Operand start_row_, start_place_;  // of the tile's first element
  // Tiles of lines: how many to a line (host), which of it, the line's beginning, the tile's first
  // element of it, and how many (u32).
  Operand of_line_, in_line_, line_, least_, count_;
  Operands line_indices_;  // of the levels around
  Environment levels_;
  std::vector<Vector> vectors_;
  std::optional<FlatInputs> read_;  // of the map behind the scan
  std::vector<Operands> ahead_;     // of it, for the next vector
  bool maps_anywhere_ = false;
  Operands before_, total_, prefix_, far_;
};

}  // namespace

TemplateResult emitTileScan(Program& program, Builder& host, const KernelCall& call,
                            const ScanSchedule& schedule) {
  const auto levels = scanNest(call.core, std::get<core::Screma>(lastStatement(call).expr));
  return TileKernel(program, host, call, levels, schedule).run(program);
}

TemplateResult emitTileScan(Program& program, Builder& host, ScanScatter& scatter,
                            const ScanSchedule& schedule) {
  const KernelCall& call = scatter.scanCall();
  const auto levels = scanNest(call.core, std::get<core::Screma>(lastStatement(call).expr));
  return TileKernel(program, host, call, levels, schedule, &scatter).run(program);
}

}  // namespace halo::gpu
