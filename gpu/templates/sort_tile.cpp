// A tile is read once, ranked, put in order in shared memory and written from there, so that runs
// of equal digits are written side by side:
//
//   (1) the rank of a key among those of its digit in the tile;
//   (2) where each digit begins in the tile and in the result;
//   (3) words of keys and values through shared memory, one word at a time.
//
// Ranks by lanes: a subgroup has consecutive keys, one a lane at a time. Every lane sets its bit in
// a word of its digit, which then tells which lanes have the same; the first of them takes places
// for all of them from the subgroup's counter, and clears the word. Shuffles keep the lanes
// together meanwhile. Ranks by counters: an invocation has consecutive keys and counters of its
// own.
#include "gpu/templates/sort_tile.h"

namespace halo::gpu {

using namespace imp;
using prim::Op;

namespace {

Operand word(Builder& code, Op op, const Operand& a, const Operand& b) {
  return code.prim(op, ScalarType::kU32, {a, b});
}
Operand asIndex(Builder& code, const Operand& word) {
  return code.let("i", ScalarType::kI64,
                  Convert{prim::ConvertKind::kValue, ScalarType::kU32, ScalarType::kI64, word});
}
Operand asWord(Builder& code, ScalarType from, const Operand& value) {
  return code.let("w", ScalarType::kU32,
                  Convert{prim::ConvertKind::kValue, from, ScalarType::kU32, value});
}

class SortTile {
 public:
  SortTile(Program& program, Builder& host, const KernelCall& call, const SortShape& shape,
           const SortPass& pass)
      : shape_(shape),
        pass_(pass),
        scope_(program, host, call, pass.name + "_move"),
        code_(scope_.code()) {}

  void run() {
    lid_ = scope_.localId();
    tile_ = scope_.groupId();
    start_ = code_.mul(tile_, i64(shape_.tile()));
    left_ = code_.min(code_.sub(scope_.scalar(pass_.width), start_), i64(shape_.tile()));
    bases_ = scope_.shared("bases", ScalarType::kU32, shape_.bins());
    stage_ = scope_.shared("stage", ScalarType::kU32, shape_.tile());
    if (shape_.lanes > 0) {
      openSubgroup();
      loadKeys();
      rankByLanes();
    } else {
      first_ = code_.mul(lid_, i64(shape_.per));
      step_ = 1;
      loadKeys();
      rankByCounters();
    }
    moveKeys();
    for (size_t k = 1; k < pass_.from.size(); k++) moveValues(k);
    const int workgroup[3] = {static_cast<int>(shape_.group), 1, 1};
    scope_.launch(workgroup, {pass_.tiles, i64(1), i64(1)});
  }

 private:
  size_t per() const { return static_cast<size_t>(shape_.per); }
  Operand isBin() { return compare(Op::kLt, lid_, i64(shape_.bins())); }
  Operand compare(Op op, const Operand& a, const Operand& b) {
    return code_.prim(op, ScalarType::kI64, {a, b});
  }

  // ---- reading

  void openSubgroup() {
    auto built_in = [&](BuiltIn what, int64_t below) {
      Operand raw = code_.let("in", ScalarType::kU32, BuiltInValue{what, 0});
      return code_.min(asIndex(code_, raw), i64(below - 1));
    };
    lane_ = built_in(BuiltIn::kLane, shape_.lanes);
    subgroup_ = built_in(BuiltIn::kSubgroup, shape_.subgroups());
    Operand of_subgroup = code_.mul(subgroup_, i64(shape_.lanes * shape_.per));
    first_ = code_.add(of_subgroup, lane_);
    step_ = shape_.lanes;
  }

  // Words of this invocation's elements of an array; beyond the end there is something.
  std::vector<Operands> load(const ArrayRef& host_array) {
    ArrayRef array = scope_.array(host_array);
    Operand last = code_.sub(left_, i64(1));
    std::vector<Operands> elements;
    for (size_t k = 0; k < per(); k++) {
      Operand in_tile = code_.add(first_, i64(static_cast<int64_t>(k) * step_));
      Operand at = code_.add(start_, code_.min(in_tile, last));
      elements.push_back({loadElement(code_, array, {at})});
    }
    for (Operands& element : elements) element = toWords(code_, array.type, element[0]);
    return elements;
  }

  // Behind the last key there are greatest ones, which stay behind it.
  void loadKeys() {
    keys_ = load(pass_.from[0]);
    for (size_t k = 0; k < per(); k++) {
      Operand in_tile = code_.add(first_, i64(static_cast<int64_t>(k) * step_));
      Operand exists = compare(Op::kLt, in_tile, left_);
      for (Operand& part : keys_[k]) {
        part = code_.let("key", ScalarType::kU32, Select{exists, part, u32(0xffffffffu)});
      }
      digits_.push_back(digitOf(scope_, shape_, pass_, keys_[k]));
    }
  }

  // ---- ranks by lanes

  // counts_[subgroup][bin]
  Operand counterAt(const Operand& subgroup, const Operand& bin) {
    return code_.add(code_.mul(subgroup, i64(shape_.bins())), bin);
  }

  void rankByLanes() {
    counts_ = scope_.shared("counts", ScalarType::kU32, shape_.subgroups() * shape_.bins());
    int64_t each = shape_.subgroups() * shape_.bins() / shape_.group;
    for (int64_t k = 0; k < each; k++) {
      Operand at = code_.add(lid_, i64(k * shape_.group));
      code_.store(counts_, at, u32(0));
      code_.store(stage_, at, u32(0));
    }
    code_.append(Barrier{});
    Operand lane = asWord(code_, ScalarType::kI64, lane_);
    Operand bit = word(code_, Op::kMachineShl, u32(1), lane);
    Operand before = word(code_, Op::kSub, bit, u32(1));
    Operands ranks;
    for (size_t k = 0; k < per(); k++) ranks.push_back(rankInSubgroup(digits_[k], bit, before));
    code_.append(Barrier{});
    startBins();
    for (size_t k = 0; k < per(); k++) {
      Operand of_bin = code_.load(counts_, counterAt(subgroup_, asIndex(code_, digits_[k])));
      places_.push_back(asIndex(code_, word(code_, Op::kAdd, of_bin, ranks[k])));
    }
  }

  // `bit`: of this lane; `before`: of those before it.
  Operand rankInSubgroup(const Operand& digit, const Operand& bit, const Operand& before) {
    auto ones = [&](const Operand& mask) {
      return asWord(code_, ScalarType::kI32, code_.prim(Op::kPopc, ScalarType::kU32, {mask}));
    };
    Operand own = counterAt(subgroup_, asIndex(code_, digit));
    code_.append(Atomic{AtomicOp::kOr, stage_, own, bit});
    Operand again = code_.let("again", ScalarType::kU32,
                              Shuffle{ShuffleKind::kXor, digit, u32(0)});  // all have set theirs
    Operand at = counterAt(subgroup_, asIndex(code_, again));
    Operand peers = code_.load(stage_, at);
    Operand rank = ones(word(code_, Op::kAnd, peers, before));
    Operand leader =
        asWord(code_, ScalarType::kI32, code_.prim(Op::kCtz, ScalarType::kU32, {peers}));
    VarId taken = code_.declare("taken", ScalarType::kU32, u32(0));
    code_.ifThenElse(word(code_, Op::kEq, rank, u32(0)), [&] {
      VarId old = code_.program().addVar("old", ScalarType::kU32);
      code_.store(stage_, at, u32(0));
      code_.append(Atomic{AtomicOp::kAdd, counts_, at, ones(peers), old});
      code_.assign(taken, old);
    });
    Operand first =
        code_.let("first", ScalarType::kU32, Shuffle{ShuffleKind::kFrom, Operand(taken), leader});
    return word(code_, Op::kAdd, first, rank);
  }

  // Invocation b: counts_[..][b] := where the subgroups' keys with digit b begin in the tile;
  // bases_[b] := how much further they lie in the result.
  void startBins() {
    Operand is_bin = isBin();
    Operand bin = code_.min(lid_, i64(shape_.bins() - 1));
    VarId sum = code_.declare("sum", ScalarType::kU32, u32(0));
    VarId all = code_.declare("all", ScalarType::kU32, u32(0));
    code_.ifThenElse(is_bin, [&] {
      Operand running = u32(0);
      for (int64_t g = 0; g < shape_.subgroups(); g++) {
        Operand at = counterAt(i64(g), bin);
        Operand count = code_.load(counts_, at);
        code_.store(counts_, at, running);
        running = g == 0 ? count : word(code_, Op::kAdd, running, count);
      }
      code_.assign(sum, running);
      code_.assign(all, code_.load(scope_.buffer(pass_.totals), bin));
    });
    Operand in_tile = binsBefore("tile_sums", sum);
    Operand in_all = binsBefore("all_sums", all);
    code_.ifThenElse(is_bin, [&] {
      for (int64_t g = 0; g < shape_.subgroups(); g++) {
        Operand at = counterAt(i64(g), bin);
        Operand count = code_.load(counts_, at);
        code_.store(counts_, at, word(code_, Op::kAdd, count, in_tile));
      }
      storeBase(bin, in_all, in_tile);
    });
    code_.append(Barrier{});
  }
  void storeBase(const Operand& bin, const Operand& in_all, const Operand& in_tile) {
    Operand row = code_.mul(bin, scope_.scalar(pass_.tiles));
    Operand earlier = code_.load(scope_.buffer(pass_.counts), code_.add(row, tile_));
    Operand begin = word(code_, Op::kAdd, in_all, earlier);
    code_.store(bases_, bin, word(code_, Op::kSub, begin, in_tile));
  }

  // The sum of what the invocations before this one have, of which those behind the bins have 0.
  Operand binsBefore(const std::string& name, const Operand& value) {
    int64_t owners = (shape_.bins() + shape_.lanes - 1) / shape_.lanes;  // subgroups that have bins
    BufferId sums = scope_.shared(name, ScalarType::kU32, shape_.subgroups());
    Operand inclusive = value;
    for (int64_t d = 1; d < shape_.lanes; d *= 2) {
      Operand far = code_.let("far", ScalarType::kU32,
                              Shuffle{ShuffleKind::kUp, inclusive, u32(static_cast<uint32_t>(d))});
      Operand more = word(code_, Op::kAdd, inclusive, far);
      Operand takes = compare(Op::kGe, lane_, i64(d));
      inclusive = code_.let("inc", ScalarType::kU32, Select{takes, more, inclusive});
    }
    Operand is_last = compare(Op::kEq, lane_, i64(shape_.lanes - 1));
    code_.ifThenElse(is_last, [&] { code_.store(sums, subgroup_, inclusive); });
    code_.append(Barrier{});
    Operand before = word(code_, Op::kSub, inclusive, value);
    for (int64_t g = 0; g + 1 < owners; g++) {
      Operand is_before = compare(Op::kLt, i64(g), subgroup_);
      Operand part = code_.load(sums, i64(g));
      Operand counted = code_.let("part", ScalarType::kU32, Select{is_before, part, u32(0)});
      before = word(code_, Op::kAdd, before, counted);
    }
    return before;
  }

  // ---- ranks by counters: counts_[bin][invocation]

  void rankByCounters() {
    counts_ = scope_.shared("counts", ScalarType::kU32, shape_.group * shape_.bins());
    auto counter_at = [&](const Operand& bin) {
      return code_.add(code_.mul(bin, i64(shape_.group)), lid_);
    };
    for (int64_t b = 0; b < shape_.bins(); b++) code_.store(counts_, counter_at(i64(b)), u32(0));
    Operands ranks;
    for (size_t k = 0; k < per(); k++) {
      Operand at = counter_at(asIndex(code_, digits_[k]));
      ranks.push_back(code_.load(counts_, at));
      code_.store(counts_, at, word(code_, Op::kAdd, ranks.back(), u32(1)));
    }
    code_.append(Barrier{});
    sumCounters();
    for (size_t k = 0; k < per(); k++) {
      Operand of_bin = code_.load(counts_, counter_at(asIndex(code_, digits_[k])));
      places_.push_back(asIndex(code_, word(code_, Op::kAdd, of_bin, ranks[k])));
    }
    code_.ifThenElse(isBin(), [&] {
      VarId in_all = code_.declare("in_all", ScalarType::kU32, u32(0));
      code_.forLoop("b", i64(0), lid_, [&](const Operand& b) {
        Operand total = code_.load(scope_.buffer(pass_.totals), b);
        code_.assign(in_all, word(code_, Op::kAdd, in_all, total));
      });
      Operand in_tile = code_.load(counts_, code_.mul(lid_, i64(shape_.group)));
      storeBase(lid_, in_all, in_tile);
    });
    code_.append(Barrier{});
  }

  // All counters in a row := the sum of those before; each invocation does as many as there are
  // bins.
  void sumCounters() {
    Operand first = code_.mul(lid_, i64(shape_.bins()));
    Operands counts;
    Operand sum = u32(0);
    for (int64_t b = 0; b < shape_.bins(); b++) {
      counts.push_back(code_.load(counts_, code_.add(first, i64(b))));
      sum = b == 0 ? counts[0] : word(code_, Op::kAdd, sum, counts.back());
    }
    BufferId shared = scope_.shared("sums", ScalarType::kU32, shape_.group);
    Operand running = sumBefore(scope_, shared, shape_.group, sum);
    for (int64_t b = 0; b < shape_.bins(); b++) {
      code_.store(counts_, code_.add(first, i64(b)), running);
      running = word(code_, Op::kAdd, running, counts[static_cast<size_t>(b)]);
    }
    code_.append(Barrier{});
  }

  // ---- writing

  // Elements in the order of their places: of invocation i those at i, i + group, ..
  std::vector<Operands> reorder(const std::vector<Operands>& elements) {
    std::vector<Operands> result(per());
    for (size_t w = 0; w < elements[0].size(); w++) {
      if (staged_) code_.append(Barrier{});
      staged_ = true;
      for (size_t k = 0; k < per(); k++) code_.store(stage_, places_[k], elements[k][w]);
      code_.append(Barrier{});
      for (size_t k = 0; k < per(); k++) result[k].push_back(code_.load(stage_, slot(k)));
    }
    return result;
  }
  Operand slot(size_t k) { return code_.add(lid_, i64(static_cast<int64_t>(k) * shape_.group)); }

  void moveKeys() {
    std::vector<Operands> keys = reorder(keys_);
    for (size_t k = 0; k < per(); k++) {
      Operand digit = digitOf(scope_, shape_, pass_, keys[k]);
      Operand base = code_.load(bases_, asIndex(code_, digit));
      Operand in_tile = asWord(code_, ScalarType::kI64, slot(k));
      targets_.push_back(asIndex(code_, word(code_, Op::kAdd, base, in_tile)));
    }
    store(pass_.to[0], keys);
  }
  void moveValues(size_t which) { store(pass_.to[which], reorder(load(pass_.from[which]))); }

  void store(const ArrayRef& host_array, const std::vector<Operands>& elements) {
    ArrayRef array = scope_.array(host_array);
    auto one = [&](size_t k) {
      storeElement(code_, array, {targets_[k]}, fromWords(code_, array.type, elements[k]));
    };
    Operand is_whole = compare(Op::kEq, left_, i64(shape_.tile()));
    code_.ifThenElse(
        is_whole,
        [&] {
          for (size_t k = 0; k < per(); k++) one(k);
        },
        [&] {
          for (size_t k = 0; k < per(); k++) {
            code_.ifThenElse(compare(Op::kLt, slot(k), left_), [&] { one(k); });
          }
        });
  }

  SortShape shape_;
  const SortPass& pass_;
  KernelScope scope_;
  Builder& code_;
  Operand lid_, lane_, subgroup_, tile_;
  Operand start_, left_;  // of the tile: its first element, how many it has
  Operand first_;         // this invocation's first element in the tile, the next one
  int64_t step_ = 1;      // is so far behind it
  BufferId counts_, bases_, stage_;
  std::vector<Operands> keys_;
  Operands digits_;            // u32
  Operands places_, targets_;  // in the tile, in the result
  bool staged_ = false;
};

}  // namespace

Operand digitOf(KernelScope& scope, const SortShape& shape, const SortPass& pass,
                const Operands& words) {
  Builder& code = scope.code();
  Operand shift = scope.scalar(pass.shift);
  Operand part = words[0];
  if (words.size() == 2) {
    Operand in_high = word(code, Op::kGe, shift, u32(32));
    part = code.let("part", ScalarType::kU32, Select{in_high, words[1], words[0]});
    shift = word(code, Op::kAnd, shift, u32(31));
  }
  Operand shifted = word(code, Op::kMachineLshr, part, shift);
  return word(code, Op::kAnd, shifted, u32(static_cast<uint32_t>(shape.bins() - 1)));
}

void emitSortTile(Program& program, Builder& host, const KernelCall& call, const SortShape& shape,
                  const SortPass& pass) {
  SortTile(program, host, call, shape, pass).run();
}

Operand sumBefore(KernelScope& scope, const BufferId& shared, int64_t group, const Operand& value) {
  Builder& code = scope.code();
  Operand lid = scope.localId();
  VarId sum = code.declare("sum", ScalarType::kU32, value);
  code.store(shared, lid, value);
  code.append(Barrier{});
  for (int64_t d = 1; d < group; d *= 2) {
    Operand at = code.max(code.sub(lid, i64(d)), i64(0));
    Operand far = code.load(shared, at);
    Operand takes = code.prim(Op::kGe, ScalarType::kI64, {lid, i64(d)});
    Operand more = word(code, Op::kAdd, sum, far);
    code.assign(sum, code.let("sum", ScalarType::kU32, Select{takes, more, sum}));
    code.append(Barrier{});
    code.store(shared, lid, sum);
    code.append(Barrier{});
  }
  return word(code, Op::kSub, sum, value);
}

}  // namespace halo::gpu
