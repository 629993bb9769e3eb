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

#include "gpu/plan/nests/nest.h"
#include "gpu/templates/scan/look_back.h"
#include "gpu/templates/scan/tile_prefixes.h"
#include "gpu/templates/scan/tile_results.h"

namespace halo::gpu {

using namespace imp;
using prim::Op;

namespace {

using Carry = ScanSchedule::Carry;
using Kind = TilePlaces::Kind;

Kind kindOf(const ScanSchedule& schedule, const std::vector<const core::Screma*>& levels,
            const ScanScatter* scatter) {
  if (schedule.carry != Carry::kLookback) return Kind::kSegments;
  return scatter == nullptr && levels.size() > 1 ? Kind::kLines : Kind::kFlat;
}

std::string suffix(Kind kind, const ScanSchedule& schedule) {
  const char* name = kind == Kind::kSegments ? "_rows"
                     : kind == Kind::kLines  ? "_lines"
                                             : "_one_pass";
  const char* sums = schedule.sums == ScanSchedule::Sums::kTree ? "_tree" : "";
  return std::string(name) + sums + (schedule.is_aligned ? "_by_4" : "");
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
        kind_(kindOf(schedule, levels, scatter)),
        scatter_(scatter),
        shape_(schedule),
        scope_(program, host, call, call.function.name + suffix(kind_, schedule)),
        code_(scope_.code()),
        places_(scope_, host, outer_, kind_, schedule, operandOf(call.arguments, screma_.width)),
        ops_(scope_, screma_),
        map_(scope_, levels, outer_, flat_, places_.width()),
        state_(ops_.types(), isTree() ? schedule.lookback_tiles : LookBack::kNoBlocks),
        prefixes_(scope_, ops_, places_, schedule),
        results_(scope_, call, places_, flat_, schedule, scatter) {}

  TemplateResult run(Program& program) {
    places_.countTiles();
    if (looksBack()) state_.make(host_, places_.lines());
    openTile();
    if (looksBack()) storeEmpty(program);
    const auto vectors = shape_.elements / static_cast<int64_t>(kFour);
    for (int64_t k = 0; k < vectors; ++k) {
      vectors_.push_back(places_.vector(k));
      vectors_.back().inputs = map_.load(vectors_.back().first);
    }
    for (ScanVector& vector : vectors_) mapVector(vector);
    prefixes_.scan(vectors_);
    if (looksBack()) lookBack();
    for (const ScanVector& vector : vectors_) storeVector(vector);
    const int workgroup[3] = {static_cast<int>(shape_.workgroup), 1, 1};
    scope_.launch(workgroup, {places_.tiles(), i64(1), i64(1)});
    if (looksBack()) state_.free(host_);
    return {{}, !scope_.unsupported()};
  }

 private:
  bool looksBack() const { return kind_ != Kind::kSegments; }
  bool isTree() const { return shape_.sums == ScanSchedule::Sums::kTree; }
  Operand isEqual(const Operand& a, const Operand& b) {
    return code_.prim(Op::kEq, ScalarType::kI64, {a, b});
  }

  void openTile() {
    places_.openGroup();
    places_.openTile(looksBack() ? state_.ticket(scope_) : scope_.groupId());
    if (places_.isInLines()) levels_ = map_.bound(places_.lineRow(), places_.lineIndices());
  }

  void mapVector(ScanVector& vector) {
    const bool in_lines = places_.isInLines();
    Operands insides;
    for (size_t c = 0; c < kFour; ++c) {
      Operand i = code_.add(vector.first, i64(static_cast<int64_t>(c)));
      Operand inside = places_.isInside(vector, c);
      insides.push_back(inside);
      const Environment* levels = in_lines ? &levels_ : nullptr;
      ElementMap::Element element{i, vector.inputs, c,
                                  [&, c] { return places_.indicesOf(vector, c); }, levels};
      vector.values.push_back(map_.valuesAndPassed(ops_, element, inside, !in_lines));
    }
    const bool begins_inside = !in_lines || places_.isAligned();
    const Operand& last = insides[kFour - 1];
    Operand all =
        begins_inside ? last : code_.prim(Op::kAnd, ScalarType::kBool, {insides[0], last});
    map_.storeFour(vector.first, all, insides, vector.values);
  }

  // A scatter asks for the last sum, which is that of an empty scan if there are no elements.
  void storeEmpty(Program& program) {
    if (scatter_ == nullptr) return;
    const auto store = [&](KernelScope& scope) { scatter_->storeLast(scope, ops_.neutral()); };
    const Operand none = host_.prim(Op::kEq, ScalarType::kI64, {places_.tiles(), i64(0)});
    branch(
        host_, none,
        [&] {
          KernelScope scope(program, host_, call_, call_.function.name + "_empty");
          store(scope);
          const int workgroup[3] = {1, 1, 1};
          scope.launch(workgroup, {i64(1), i64(1), i64(1)});
        },
        [] {});
    const Operand is_first = isEqual(places_.number(), i64(0));
    const Operand is_empty = isEqual(scope_.scalar(places_.width()), i64(0));
    const Operand stores = code_.prim(Op::kAnd, ScalarType::kBool, {is_first, is_empty});
    code_.ifThenElse(stores, [&] { store(scope_); });
  }

  // prefix_ := the sum before the tile, in the same line.
  void lookBack() {
    std::vector<BufferId> shared = ops_.shared("prefix", 1);
    Operand searches = isEqual(places_.subgroup(), i64(0));
    code_.ifThenElse(searches, [&] {
      LookBack look(scope_, ops_, state_);
      LookBack::Where where{i64(0), places_.number()};
      if (places_.isInLines()) where = {places_.line(), places_.inLine()};
      Operand is_leader = isEqual(places_.lane(), i64(0));
      LookBack::Lookers lookers{places_.lane(), shape_.lanes, shape_.lanes, shape_.lookback_tiles};
      const LookBack::Value value{i64(0), prefixes_.total()};
      LookBack::Before prefix = isTree() ? look.byBlocks(where, value, places_.lane(), shape_.lanes)
                                         : look.together(where, value, lookers);
      code_.ifThenElse(is_leader, [&] { ops_.store(shared, i64(0), asOperands(prefix)); });
    });
    code_.append(Barrier{});
    prefix_ = ops_.load(shared, i64(0));
  }

  void storeVector(const ScanVector& vector) {
    std::vector<Operands> out = vector.values;
    Operand in_subgroup = places_.inSubgroup(vector);
    if (looksBack()) {
      prefixes_.takeFour(vector, i64(0), farPrefix(), out);
      for (size_t c = 0; c < kFour && prefixes_.keepsFirst(); ++c) {
        out[c] = ops_.select(isFirstSubgroup(), vector.values[c], out[c]);
      }
    } else {
      prefixes_.takeFour(vector, in_subgroup, prefixes_.before(), out);
    }
    results_.store(vector, out, &vector == &vectors_.back() ? nullptr : &vector + 1);
  }
  const Operands& farPrefix() {
    if (!far_.empty()) return far_;
    const Operands& before = prefixes_.before();
    far_ = ops_.apply(prefix_, before);
    if (!prefixes_.keepsFirst()) return far_;
    far_ = ops_.select(isEqual(places_.subgroup(), i64(0)), prefix_, far_);
    far_ = ops_.select(isFirstTile(), before, far_);
    return far_;
  }
  Operand isFirstTile() {
    return isEqual(places_.isInLines() ? places_.inLine() : places_.number(), i64(0));
  }
  Operand isFirstSubgroup() {
    const Operand leads = isEqual(places_.subgroup(), i64(0));
    return code_.prim(Op::kAnd, ScalarType::kBool, {isFirstTile(), leads});
  }

  Builder& host_;
  const KernelCall& call_;
  const core::Screma& screma_;
  OuterLevels outer_;
  FlatInputs flat_;
  Kind kind_;
  ScanScatter* scatter_;
  const ScanSchedule& shape_;
  KernelScope scope_;
  Builder& code_;
  TilePlaces places_;
  Operators ops_;
  ElementMap map_;
  TileState state_;
  TilePrefixes prefixes_;
  TileResults results_;
  Environment levels_;  // around a tile in lines
  std::vector<ScanVector> vectors_;
  Operands prefix_, far_;  // the sum before the tile, and before the subgroup
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
