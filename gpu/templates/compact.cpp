// A workgroup reads a tile once, counts its flags, looks back at the counts of earlier tiles and
// writes. Each subgroup has consecutive elements of the tile, one a lane at a time, so that both
// the elements read together and those kept of them lie side by side:
//
//   tile      | subgroup 0                                          | subgroup 1 ..
//   subgroup  | k = 0: lane 0, lane 1, .. | k = 1: lane 0, ..
//
// A flag is a bit of a byte, byte k % 4 of word k / 4: adding up words over the lanes counts for
// four k at a time, as there are at most 32 lanes.
//
// Looking back is as in scan_tile.cpp, but a count fits into one state word beside its status, the
// order of additions does not matter, and each lane looks at several tiles.
#include "gpu/templates/compact.h"

#include <algorithm>

#include "gpu/templates/tile_state.h"

namespace halo::gpu {

using namespace imp;
using prim::ConvertKind;
using prim::Op;

namespace {

constexpr int64_t kBytes = 4;  // of a word, each counts for one k

// How a tile is cut.
struct CompactShape {
  int64_t lanes, group, per, windows;
  int64_t subgroups() const { return group / lanes; }
  int64_t ofSubgroup() const { return lanes * per; }
  int64_t tile() const { return group * per; }
  int64_t words() const { return per / kBytes; }
  int64_t seen() const { return lanes * windows; }
};

CompactShape shapeFor(const KernelCall& call, const core::Screma& screma) {
  const Variants& variants = call.variants;
  int64_t bytes = 0;
  for (core::ValueId param : screma.map.params) {
    bytes += prim::byteSize(call.core.type(param).scalar);
  }
  CompactShape shape{variants.subgroup, 512, bytes <= 4 ? 16 : bytes <= 8 ? 12 : 8, 4};
  shape.group = variants.number("compact", 0, shape.group);
  shape.group = std::min({shape.group, variants.most_invocations, shape.lanes * 32});
  shape.group = std::max<int64_t>(shape.group / shape.lanes, 1) * shape.lanes;
  shape.per = std::min<int64_t>(variants.number("compact", 1, shape.per), 64) / kBytes * kBytes;
  shape.per = std::max(shape.per, kBytes);
  shape.windows = std::min<int64_t>(variants.number("compact", 2, shape.windows), 8);
  return shape;
}

class CompactKernel {
 public:
  CompactKernel(Program& program, Builder& host, ScanScatter& scatter)
      : program_(program),
        host_(host),
        call_(scatter.scanCall()),
        scatter_(scatter),
        screma_(scatter.screma()),
        shape_(shapeFor(call_, screma_)),
        counts_(screma_.scans.size()),
        scope_(program, host, call_, call_.function.name + "_compact"),
        code_(scope_.code()),
        width_(operandOf(call_.arguments, screma_.width)),
        state_(std::vector<ScalarType>(counts_, ScalarType::kU32)) {}

  TemplateResult run() {
    tiles_ = divideUp(host_, width_, i64(shape_.tile()));
    makeState();
    openTile();
    for (int64_t k = 0; k < shape_.per; k++) load(k);
    for (int64_t k = 0; k < shape_.per; k++) findFlags(k);
    for (Count& count : of_) countSubgroup(count);
    countGroup();
    lookBack();
    for (int64_t k = 0; k < shape_.per; k++) scatter(k);
    const int workgroup[3] = {static_cast<int>(shape_.group), 1, 1};
    scope_.launch(workgroup, {tiles_, i64(1), i64(1)});
    state_.free(host_);
    return {{}, !scope_.unsupported()};
  }

 private:
  // One scan of the tile.
  struct Count {
    Operands flags, before;  // words: this lane's, those of the lanes before it
    Operands totals;         // of all lanes
    Operand of_subgroup;     // u32
    Operand running;         // u32: of the elements before k's, in the tile
    Operand total, earlier;  // u32, of the tile; i64, of the tiles before
    BufferId parts, prefix;  // shared
  };

  Operand word(Op op, const Operand& a, const Operand& b) {
    return code_.prim(op, ScalarType::kU32, {a, b});
  }
  Operand prim(Op op, const Operand& a, const Operand& b) {
    return code_.prim(op, ScalarType::kI64, {a, b});
  }
  Operand converted(ScalarType from, ScalarType to, const Operand& value) {
    if (from == to) return value;
    return code_.let("c", to, Convert{ConvertKind::kValue, from, to, value});
  }
  Operand shuffle(ShuffleKind kind, const Operand& value, int64_t lane) {
    return code_.let("far", ScalarType::kU32,
                     Shuffle{kind, value, u32(static_cast<uint32_t>(lane))});
  }
  Operand byteOf(const Operands& words, int64_t k) {
    const Operand& four = words[static_cast<size_t>(k / kBytes)];
    Operand moved = word(Op::kMachineLshr, four, u32(static_cast<uint32_t>(k % kBytes * 8)));
    return word(Op::kAnd, moved, u32(255));
  }

  // ---- where a tile is

  void makeState() {
    state_.make(program_, host_, call_, tiles_, [&](KernelScope& clear, const Operand& i) {
      Operand is_first = clear.code().prim(Op::kEq, ScalarType::kI64, {i, i64(0)});
      Operands zeros;
      for (const core::Scan& scan : screma_.scans) zeros.push_back(scan.neutral[0].constant);
      clear.code().ifThenElse(is_first, [&] { scatter_.storeLast(clear, zeros); });
    });
  }

  void openTile() {
    auto built_in = [&](BuiltIn what, int64_t below) {
      Operand raw = code_.let("in", ScalarType::kU32, BuiltInValue{what, 0});
      return code_.min(converted(ScalarType::kU32, ScalarType::kI64, raw), i64(below - 1));
    };
    lane_ = built_in(BuiltIn::kLane, shape_.lanes);
    subgroup_ = built_in(BuiltIn::kSubgroup, shape_.subgroups());
    // Bounds that hold anyway show that comparisons need no more than 32 bits (raise.h, narrow).
    Operand tiles = scope_.scalar(tiles_);
    tile_ = code_.max(code_.min(state_.ticket(scope_), tiles), i64(0));
    Operand width = scope_.scalar(width_);
    Operand start = code_.max(code_.min(code_.mul(tile_, i64(shape_.tile())), width), i64(0));
    Operand in_tile = code_.add(code_.mul(subgroup_, i64(shape_.ofSubgroup())), lane_);
    first_ = code_.add(start, in_tile);
    last_ = code_.max(code_.sub(width, i64(1)), i64(0));
    of_.resize(counts_);
  }
  Operand elementOf(int64_t k) { return code_.add(first_, i64(k * shape_.lanes)); }
  Operand isInside(int64_t k) { return prim(Op::kLt, elementOf(k), scope_.scalar(width_)); }

  // ---- reading and counting

  // What the map takes of element k; of the last element instead, if there are fewer.
  void load(int64_t k) {
    Operand i = code_.min(elementOf(k), last_);
    Environment environment = scope_.environment();
    lowerPrefix(scope_, environment, placeOf(i));
    Operands inputs;
    for (size_t p = 0; p < screma_.inputs.size(); p++) {
      core::ValueId param = screma_.map.params[p];
      bindElement(code_, call_.core, environment, param, environment.arrays.at(screma_.inputs[p]),
                  {i});
      inputs.push_back(environment.scalars.at(param));
    }
    inputs_.push_back(std::move(inputs));
  }
  Place placeOf(const Operand& i) {
    return scope_.place(width_, [i] { return i; });
  }

  void findFlags(int64_t k) {
    Environment environment = scope_.environment();
    Place place = placeOf(elementOf(k));
    lowerPrefix(scope_, environment, place);
    for (size_t p = 0; p < screma_.inputs.size(); p++) {
      environment.scalars[screma_.map.params[p]] = inputs_[static_cast<size_t>(k)][p];
    }
    Operands made = lowerBody(code_, call_.core, screma_.map.body, environment, place).scalars;
    Operand inside = isInside(k);
    for (size_t s = 0; s < counts_; s++) {
      ScalarType type = call_.core.type(screma_.scans[s].neutral[0]).scalar;
      Operand holds = code_.prim(Op::kNe, type, {made[scatter_.lasts().size() + s], zeroOf(type)});
      Operand counts = code_.prim(Op::kAnd, ScalarType::kBool, {inside, holds});
      Operand one = u32(uint32_t{1} << (k % kBytes * 8));
      Operand flag = code_.let("flag", ScalarType::kU32, Select{counts, one, u32(0)});
      Operands& flags = of_[s].flags;
      if (k % kBytes == 0) {
        flags.push_back(flag);
      } else {
        flags.back() = word(Op::kOr, flags.back(), flag);
      }
    }
  }
  static Operand zeroOf(ScalarType type) { return prim::Scalar::fromBits(type, 0); }

  void countSubgroup(Count& count) {
    for (const Operand& own : count.flags) {
      Operand sum = own;
      for (int64_t d = 1; d < shape_.lanes; d *= 2) {
        Operand more = word(Op::kAdd, sum, shuffle(ShuffleKind::kUp, sum, d));
        Operand takes = prim(Op::kGe, lane_, i64(d));
        sum = code_.let("sum", ScalarType::kU32, Select{takes, more, sum});
      }
      count.before.push_back(word(Op::kSub, sum, own));
      count.totals.push_back(shuffle(ShuffleKind::kFrom, sum, shape_.lanes - 1));
    }
    count.of_subgroup = byteOf(count.totals, 0);
    for (int64_t k = 1; k < shape_.per; k++) {
      count.of_subgroup = word(Op::kAdd, count.of_subgroup, byteOf(count.totals, k));
    }
  }

  // What the subgroups before have together, and what all have.
  void countGroup() {
    Operand is_first = prim(Op::kEq, lane_, i64(0));
    for (Count& count : of_) {
      count.parts = scope_.shared("parts", ScalarType::kU32, shape_.subgroups());
      count.prefix = scope_.shared("prefix", ScalarType::kU64, 1);
    }
    code_.ifThenElse(is_first, [&] {
      for (Count& count : of_) code_.store(count.parts, subgroup_, count.of_subgroup);
    });
    code_.append(Barrier{});
    for (Count& count : of_) {
      count.total = u32(0);
      count.running = u32(0);
      for (int64_t g = 0; g < shape_.subgroups(); g++) {
        Operand is_own = prim(Op::kEq, subgroup_, i64(g));
        count.running =
            code_.let("before", ScalarType::kU32, Select{is_own, count.total, count.running});
        count.total = word(Op::kAdd, count.total, code_.load(count.parts, i64(g)));
      }
    }
  }

  // ---- talking to other tiles

  void lookBack() {
    Operand searches = prim(Op::kEq, subgroup_, i64(0));
    code_.ifThenElse(searches, [&] {
      Operand is_leader = prim(Op::kEq, lane_, i64(0));
      Operand begins = prim(Op::kEq, tile_, i64(0));
      Operand status = code_.let("status", ScalarType::kU64,
                                 Select{begins, statusWord(kPrefix), statusWord(kOwn)});
      code_.ifThenElse(is_leader, [&] {
        for (size_t s = 0; s < counts_; s++) {
          Operand own = converted(ScalarType::kU32, ScalarType::kU64, of_[s].total);
          state_.postCount(scope_, tile_, s, own, status);
        }
      });
      std::vector<VarId> earlier;
      for (size_t s = 0; s < counts_; s++) {
        earlier.push_back(code_.declare("earlier", ScalarType::kU64, zeroOf(ScalarType::kU64)));
      }
      code_.ifThenElse(prim(Op::kNe, tile_, i64(0)), [&] { search(earlier); });
      code_.ifThenElse(is_leader, [&] { postPrefix(earlier); });
    });
    code_.append(Barrier{});
    for (Count& count : of_) {
      Operand raw = code_.load(count.prefix, i64(0));
      Operand index = converted(ScalarType::kU64, ScalarType::kI64, raw);
      count.earlier = code_.max(code_.min(index, scope_.scalar(width_)), i64(0));
    }
  }
  // For the tiles behind this one, for this one, and for the host.
  void postPrefix(const std::vector<VarId>& earlier) {
    Operands prefixes;
    for (size_t s = 0; s < counts_; s++) {
      Operand own = converted(ScalarType::kU32, ScalarType::kU64, of_[s].total);
      prefixes.push_back(code_.prim(Op::kAdd, ScalarType::kU64, {earlier[s], own}));
      state_.postCount(scope_, tile_, s, prefixes[s], statusWord(kPrefix));
    }
    for (size_t s = 0; s < counts_; s++) code_.store(of_[s].prefix, i64(0), earlier[s]);
    Operand is_last = prim(Op::kEq, tile_, code_.sub(scope_.scalar(tiles_), i64(1)));
    code_.ifThenElse(is_last, [&] {
      for (size_t s = 0; s < counts_; s++) {
        ScalarType type = call_.core.type(screma_.scans[s].neutral[0]).scalar;
        prefixes[s] = converted(ScalarType::kU64, type, prefixes[s]);
      }
      scatter_.storeLast(scope_, prefixes);
    });
  }

  void search(const std::vector<VarId>& earlier) {
    Operand nearest = code_.sub(tile_, i64(1));
    Operand lane = converted(ScalarType::kI64, ScalarType::kU32, lane_);
    std::vector<TileState::Counts> seen;
    lookBackUntil(
        code_,
        [&] {
          seen.clear();
          for (int64_t w = 0; w < shape_.windows; w++) {
            Operand tile = code_.sub(nearest, code_.add(lane_, i64(w * shape_.lanes)));
            seen.push_back(state_.seeCounts(scope_, tile, prim(Op::kGe, tile, i64(0))));
          }
          return firstEvent(lane, seen);
        },
        [&](const Operand& event) { addUp(lane, seen, event, earlier); });
  }
  // Twice the distance of a tile that a lane sees.
  Operand distance(const Operand& lane, size_t window) {
    Operand far = word(Op::kAdd, lane,
                       u32(static_cast<uint32_t>(window) * static_cast<uint32_t>(shape_.lanes)));
    return word(Op::kAdd, far, far);
  }
  // The nearest tile that has posted its prefix (2 distance) or nothing at all (2 distance + 1).
  Operand firstEvent(const Operand& lane, const std::vector<TileState::Counts>& seen) {
    Operand event = u32(1023);
    auto nearer = [&](const Operand& other) {
      Operand less = word(Op::kLt, other, event);
      event = code_.let("event", ScalarType::kU32, Select{less, other, event});
    };
    for (size_t w = 0; w < seen.size(); w++) {
      Operand twice = distance(lane, w);
      Operand has_nothing = word(Op::kEq, seen[w].status, u32(kNone));
      Operand has_prefix = word(Op::kEq, seen[w].status, u32(kPrefix));
      Operand odd = word(Op::kAdd, twice, u32(1));
      Operand other = code_.let("event", ScalarType::kU32, Select{has_nothing, odd, u32(1023)});
      nearer(code_.let("event", ScalarType::kU32, Select{has_prefix, twice, other}));
    }
    for (int64_t d = 1; d < shape_.lanes; d *= 2) nearer(shuffle(ShuffleKind::kXor, event, d));
    return event;
  }
  void addUp(const Operand& lane, const std::vector<TileState::Counts>& seen, const Operand& event,
             const std::vector<VarId>& earlier) {
    for (size_t s = 0; s < counts_; s++) {
      Operand sum = zeroOf(ScalarType::kU64);
      for (size_t w = 0; w < seen.size(); w++) {
        Operand takes = word(Op::kLe, distance(lane, w), event);
        Operand count = code_.let("count", ScalarType::kU64,
                                  Select{takes, seen[w].counts[s], zeroOf(ScalarType::kU64)});
        sum = code_.prim(Op::kAdd, ScalarType::kU64, {sum, count});
      }
      for (int64_t d = 1; d < shape_.lanes; d *= 2) {
        Operand far = shuffled(code_, ScalarType::kU64, ShuffleKind::kXor, sum,
                               u32(static_cast<uint32_t>(d)));
        sum = code_.prim(Op::kAdd, ScalarType::kU64, {sum, far});
      }
      code_.assign(earlier[s], sum);
    }
  }

  // ---- writing

  void scatter(int64_t k) {
    Operands scanned, mapped;
    for (size_t s = 0; s < counts_; s++) {
      Count& count = of_[s];
      ScalarType type = call_.core.type(screma_.scans[s].neutral[0]).scalar;
      Operand flag = byteOf(count.flags, k);
      Operand rank = word(Op::kAdd, byteOf(count.before, k), flag);
      Operand in_tile =
          converted(ScalarType::kU32, ScalarType::kI64, word(Op::kAdd, count.running, rank));
      Operand end = code_.add(count.earlier, code_.min(in_tile, i64(shape_.tile())));
      scanned.push_back(converted(ScalarType::kI64, type, end));
      mapped.push_back(converted(ScalarType::kU32, type, flag));
      count.running = word(Op::kAdd, count.running, byteOf(count.totals, k));
    }
    code_.ifThenElse(isInside(k), [&] {
      const Operands& inputs = inputs_[static_cast<size_t>(k)];
      scatter_.scatter(
          scope_, elementOf(k), [&](size_t input) { return std::optional(inputs[input]); }, scanned,
          mapped);
    });
  }

  Program& program_;
  Builder& host_;
  const KernelCall& call_;
  ScanScatter& scatter_;
  const core::Screma& screma_;
  CompactShape shape_;
  size_t counts_;  // scans
  KernelScope scope_;
  Builder& code_;
  Operand width_, tiles_;  // host
  TileState state_;
  Operand lane_, subgroup_, tile_;
  Operand first_, last_;  // this lane's first element; the last one of all
  std::vector<Operands> inputs_;
  std::vector<Count> of_;
};

}  // namespace

TemplateResult emitCompaction(Program& program, Builder& host, ScanScatter& scatter) {
  const KernelCall& call = scatter.scanCall();
  call.variants.say(call.function.name + ": flags counted and elements scattered in one pass");
  return CompactKernel(program, host, scatter).run();
}

}  // namespace halo::gpu
