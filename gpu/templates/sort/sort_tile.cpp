// A tile is read once, ranked, put in order in shared memory and written from there. So runs of
// equal digits are written side by side:
//
//   (1) the rank of a key among those of its digit in the tile;
//   (2) where each digit begins in the tile and in the result;
//   (3) words of keys and values through shared memory, one word at a time.
//
// Ranks by lanes: a subgroup has consecutive keys, one a lane at a time. Every lane sets its bit in
// a word of its digit, which then tells which lanes have the same. The last of them takes places
// for all of them from the subgroup's counter, and clears the word. Shuffles keep the lanes
// together meanwhile. Ranks by counters: an invocation has consecutive keys and counters of its
// own.
#include "gpu/templates/sort/sort_tile.h"

#include <algorithm>

#include "gpu/templates/sort/sort_look_back.h"

namespace halo::gpu {

using namespace imp;
using prim::Op;

namespace {

const char* nameOf(SortSchedule::Placement placement) {
  if (placement == SortSchedule::Placement::kOnesweep) return "_pass";
  return placement == SortSchedule::Placement::kOneWorkgroup ? "_alone" : "_move";
}

class SortTile {
 public:
  SortTile(Program& program, Builder& host, const KernelCall& call, const SortSchedule& shape,
           const SortPass& pass)
      : shape_(shape),
        pass_(pass),
        scope_(program, host, call, pass.name + nameOf(shape.placement)),
        code_(scope_.code()),
        looks_(scope_, shape, pass) {}

  void run() {
    open();
    if (shape_.placement == Placement::kOneWorkgroup) {
      sortAlone();
    } else {
      shift_ = scope_.scalar(pass_.shift);
      loadKeys();
      shape_.lanes > 0 ? rankByLanes() : rankByCounters();
      moveKeys();
      for (size_t k = pass_.key_arrays; k < pass_.from.size(); k++) moveValues(k);
    }
    const int workgroup[3] = {static_cast<int>(shape_.workgroup), 1, 1};
    scope_.launch(workgroup, {pass_.tiles, i64(1), i64(1)});
  }

 private:
  using Placement = SortSchedule::Placement;

  void open() {
    lid_ = scope_.localId();
    bases_ = scope_.shared("bases", ScalarType::kU32, shape_.bins());
    // It holds words of the subgroups' digits as well.
    int64_t words = shape_.lanes > 0 ? shape_.subgroups() * shape_.bins() : 0;
    stage_ = scope_.shared("stage", ScalarType::kU32, std::max(shape_.tile(), words));
    if (words > 0) counts_ = scope_.shared("counts", ScalarType::kU32, words);
    if (shape_.placement == Placement::kOnesweep) takeTicket();
    if (shape_.lanes > 0 && shape_.placement != Placement::kOneWorkgroup) clearCounts();
    tile_ = shape_.placement == Placement::kOnesweep ? ticket() : scope_.groupId();
    start_ = code_.mul(tile_, i64(shape_.tile()));
    // At least one: that is known, and makes numbers within the tile short ones.
    Operand left = code_.sub(scope_.scalar(pass_.width), start_);
    left_ = code_.max(code_.min(left, i64(shape_.tile())), i64(1));
    is_whole_ = compare(Op::kEq, left_, i64(shape_.tile()));
    if (shape_.lanes > 0) {
      openSubgroup();
    } else {
      first_ = code_.mul(lid_, i64(shape_.keys));
      step_ = 1;
    }
  }
  // Tiles are numbered as they begin, so that those before one have begun.
  void takeTicket() {
    ticket_ = scope_.shared("ticket", ScalarType::kU32, 1);
    code_.ifThenElse(compare(Op::kEq, lid_, i64(0)), [&] {
      VarId old = code_.program().addVar("old", ScalarType::kU32);
      BufferId tickets = scope_.buffer(pass_.tickets);
      code_.append(Atomic{AtomicOp::kAdd, tickets, scope_.scalar(pass_.digit), u32(1), old});
      code_.store(ticket_, i64(0), old);
    });
  }
  Operand ticket() {
    code_.append(Barrier{});
    return asIndex(code_, code_.load(ticket_, i64(0)));
  }
  void clearCounts() {
    int64_t each = shape_.subgroups() * shape_.bins() / shape_.workgroup;
    for (int64_t k = 0; k < each; k++) {
      Operand at = code_.add(lid_, i64(k * shape_.workgroup));
      code_.store(counts_, at, u32(0));
      code_.store(stage_, at, u32(0));
    }
  }

  size_t per() const { return static_cast<size_t>(shape_.keys); }
  Operand isBin() { return compare(Op::kLt, lid_, i64(shape_.bins())); }
  Operand compare(Op op, const Operand& a, const Operand& b) {
    return code_.prim(op, ScalarType::kI64, {a, b});
  }

  // ---- reading

  void openSubgroup() {
    lane_ = scope_.builtIn(BuiltIn::kLane, shape_.lanes);
    subgroup_ = scope_.builtIn(BuiltIn::kSubgroup, shape_.subgroups());
    Operand of_subgroup = code_.mul(subgroup_, i64(shape_.lanes * shape_.keys));
    first_ = code_.add(of_subgroup, lane_);
    step_ = shape_.lanes;
  }

  Operand inTile(size_t k) { return code_.add(first_, i64(static_cast<int64_t>(k) * step_)); }

  // Words of this invocation's elements of an array, as variables. Behind the last one there is
  // something, or the greatest words.
  std::vector<Operands> load(size_t which) {
    const ScalarType type = pass_.from[which].type;
    std::vector<std::vector<VarId>> words(per());
    std::vector<Operands> elements(per());
    for (size_t k = 0; k < per(); k++) {
      for (size_t w = 0; w < wordsOf(type); w++) {
        words[k].push_back(code_.declare("word", ScalarType::kU32, u32(0)));
        elements[k].emplace_back(words[k].back());
      }
    }
    code_.ifThenElse(
        is_whole_,
        [&] {
          Operand base = code_.add(start_, first_);
          Operands at;
          for (size_t k = 0; k < per(); k++) {
            at.push_back(code_.add(base, i64(static_cast<int64_t>(k) * step_)));
          }
          loadWords(which, at, words);
        },
        [&] { loadRest(which, words); });
    return elements;
  }
  void loadWords(size_t which, const Operands& at, const std::vector<std::vector<VarId>>& words) {
    Operands loaded;
    for (const Operand& index : at) loaded.push_back(elementOf(scope_, pass_, which, index));
    for (size_t k = 0; k < at.size(); k++) {
      Operands parts = toWords(code_, pass_.from[which].type, loaded[k]);
      for (size_t w = 0; w < parts.size(); w++) code_.assign(words[k][w], parts[w]);
    }
  }
  // Of a tile that is not full.
  void loadRest(size_t which, const std::vector<std::vector<VarId>>& words) {
    Operand last = code_.sub(left_, i64(1));
    Operands at;
    for (size_t k = 0; k < per(); k++) at.push_back(code_.add(start_, code_.min(inTile(k), last)));
    loadWords(which, at, words);
    const bool are_keys = which == 0 && !pass_.key;
    for (size_t k = 0; are_keys && k < per(); k++) {
      Operand exists = compare(Op::kLt, inTile(k), left_);
      for (VarId part : words[k]) {
        code_.assign(part, code_.let("key", ScalarType::kU32,
                                     Select{exists, Operand(part), u32(0xffffffffu)}));
      }
    }
  }

  void loadKeys() {
    for (size_t a = 0; a < pass_.key_arrays; a++) keyed_.push_back(load(a));
    loaded_ = pass_.key_arrays - 1;
    findDigits();
  }
  // Of keys that are made of elements; behind the last one there are greatest ones, as in load().
  void findDigits() {
    digits_.clear();
    std::vector<Operands> keys = keysOf(keyed_);
    for (size_t k = 0; k < per(); k++) digits_.push_back(digitOf(code_, shape_, shift_, keys[k]));
    if (pass_.key) putRestLast();
  }
  void putRestLast() {
    const Operand greatest = u32(static_cast<uint32_t>(shape_.bins() - 1));
    std::vector<VarId> digits;
    for (const Operand& digit : digits_) {
      digits.push_back(code_.declare("digit", ScalarType::kU32, digit));
    }
    code_.ifThenElse(compare(Op::kLt, left_, i64(shape_.tile())), [&] {
      for (size_t k = 0; k < per(); k++) {
        Operand exists = compare(Op::kLt, inTile(k), left_);
        code_.assign(digits[k],
                     code_.let("digit", ScalarType::kU32, Select{exists, digits_[k], greatest}));
      }
    });
    digits_.assign(digits.begin(), digits.end());
  }
  // The words of the keys of elements, of which there are those of each array.
  std::vector<Operands> keysOf(const std::vector<std::vector<Operands>>& arrays) {
    if (!pass_.key) return arrays[0];
    std::vector<Operands> keys;
    for (size_t k = 0; k < per(); k++) {
      Operands elements;
      for (size_t a = 0; a < arrays.size(); a++) {
        elements.push_back(fromWords(code_, pass_.from[a].type, arrays[a][k]));
      }
      keys.push_back(toWords(code_, pass_.key_type, pass_.key(scope_, elements)));
    }
    return keys;
  }

  // ---- ranks by lanes

  // counts_[subgroup][bin]
  Operand counterAt(const Operand& subgroup, const Operand& bin) {
    return code_.add(code_.mul(subgroup, i64(shape_.bins())), bin);
  }

  void rankByLanes() {
    if (shape_.placement == Placement::kOneWorkgroup) {
      clearCounts();
      code_.append(Barrier{});
    } else {
      sumTotals();
    }
    Operand lane = asWord(code_, ScalarType::kI64, lane_);
    Operand bit = word(code_, Op::kMachineShl, u32(1), lane);
    Operand up_to = word(code_, Op::kOr, bit, word(code_, Op::kSub, bit, u32(1)));
    Operands ranks;
    for (size_t k = 0; k < per(); k++) {
      ranks.push_back(rankInSubgroup(digits_[k], lane, bit, up_to));
    }
    code_.append(Barrier{});
    startBins();
    places_.clear();
    for (size_t k = 0; k < per(); k++) {
      Operand of_bin = code_.load(counts_, counterAt(subgroup_, asIndex(code_, digits_[k])));
      places_.push_back(asIndex(code_, word(code_, Op::kAdd, of_bin, ranks[k])));
    }
  }

  // `bit`: of this lane; `up_to`: that and those before. The last lane of a digit knows how many
  // there are: counting bits and looking for them is slow, so it is done once each.
  Operand rankInSubgroup(const Operand& digit, const Operand& lane, const Operand& bit,
                         const Operand& up_to) {
    auto bits = [&](Op op, const Operand& mask) {
      return asWord(code_, ScalarType::kI32, code_.prim(op, ScalarType::kU32, {mask}));
    };
    Operand own = counterAt(subgroup_, asIndex(code_, digit));
    code_.append(Atomic{AtomicOp::kOr, stage_, own, bit});
    Operand again = code_.let("again", ScalarType::kU32,
                              Shuffle{ShuffleKind::kXor, digit, u32(0)});  // all have set theirs
    Operand at = counterAt(subgroup_, asIndex(code_, again));
    Operand peers = code_.load(stage_, at);
    Operand rank = bits(Op::kPopc, word(code_, Op::kAnd, peers, up_to));  // from 1
    Operand last = word(code_, Op::kSub, u32(31), bits(Op::kClz, peers));
    VarId taken = code_.declare("taken", ScalarType::kU32, u32(0));
    code_.ifThenElse(word(code_, Op::kEq, last, lane), [&] {
      VarId old = code_.program().addVar("old", ScalarType::kU32);
      code_.store(stage_, at, u32(0));
      code_.append(Atomic{AtomicOp::kAdd, counts_, at, rank, old});
      code_.assign(taken, word(code_, Op::kSub, old, u32(1)));
    });
    Operand first =
        code_.let("first", ScalarType::kU32, Shuffle{ShuffleKind::kFrom, Operand(taken), last});
    return word(code_, Op::kAdd, first, rank);
  }

  // Invocation b: counts_[..][b] := where the subgroups' keys with digit b begin in the tile;
  // bases_[b] := how much further they lie in the result.
  void startBins() {
    Operand bin = code_.min(lid_, i64(shape_.bins() - 1));
    bin_ = bin;
    VarId sum = code_.declare("sum", ScalarType::kU32, u32(0));
    std::vector<VarId> firsts;  // of each subgroup's keys
    for (int64_t g = 0; g < shape_.subgroups(); g++) {
      firsts.push_back(code_.declare("first", ScalarType::kU32, u32(0)));
    }
    code_.ifThenElse(isBin(), [&] {
      Operands counts;
      for (int64_t g = 0; g < shape_.subgroups(); g++) {
        counts.push_back(code_.load(counts_, counterAt(i64(g), bin)));
      }
      Operand running = u32(0);
      for (size_t g = 0; g < counts.size(); g++) {
        code_.assign(firsts[g], running);
        running = g == 0 ? counts[0] : word(code_, Op::kAdd, running, counts[g]);
      }
      code_.assign(sum, running);
      if (shape_.placement == Placement::kOnesweep) looks_.postOwn({tile_, bin, running});
    });
    Operand in_tile = binsBefore("tile_sums", sum);
    code_.ifThenElse(isBin(), [&] {
      for (int64_t g = 0; g < shape_.subgroups(); g++) {
        Operand first = Operand(firsts[static_cast<size_t>(g)]);
        code_.store(counts_, counterAt(i64(g), bin), word(code_, Op::kAdd, first, in_tile));
      }
      if (shape_.placement == Placement::kCounted) storeBase(bin, in_all_, in_tile);
    });
    own_ = sum;
    if (shape_.placement == Placement::kOnesweep) begin_ = word(code_, Op::kSub, in_all_, in_tile);
    code_.append(Barrier{});
  }
  // While keys are on their way.
  void sumTotals() {
    VarId all = code_.declare("all", ScalarType::kU32, u32(0));
    code_.ifThenElse(isBin(), [&] { code_.assign(all, totalOf(lid_)); });
    in_all_ = binsBefore("all_sums", all);
  }
  Operand totalOf(const Operand& bin) {
    Operand at = bin;
    if (shape_.placement == Placement::kOnesweep) {
      Operand row = code_.mul(scope_.scalar(pass_.digit), i64(shape_.bins()));
      at = code_.add(row, bin);
    }
    return code_.load(scope_.buffer(pass_.totals), at);
  }
  void storeBase(const Operand& bin, const Operand& in_all, const Operand& in_tile) {
    Operand row = code_.mul(bin, scope_.scalar(pass_.tiles));
    Operand earlier = code_.load(scope_.buffer(pass_.counts), code_.add(row, tile_));
    Operand begin = word(code_, Op::kAdd, in_all, earlier);
    code_.store(bases_, bin, word(code_, Op::kSub, begin, in_tile));
  }

  // Invocation b: bases_[b], from the counts of its digit in earlier tiles.
  void lookBack() {
    looks_.find(isBin(), {tile_, bin_, own_}, [&](const Operand& earlier) {
      code_.store(bases_, bin_, word(code_, Op::kAdd, begin_, earlier));
    });
  }

  // ---- sums

  // The sum of the values of invocations before this one; those behind the bins have 0.
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
    counts_ = scope_.shared("counts", ScalarType::kU32, shape_.workgroup * shape_.bins());
    auto counter_at = [&](const Operand& bin) {
      return code_.add(code_.mul(bin, i64(shape_.workgroup)), lid_);
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
      Operand in_tile = code_.load(counts_, code_.mul(lid_, i64(shape_.workgroup)));
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
    BufferId shared = scope_.shared("sums", ScalarType::kU32, shape_.workgroup);
    Operand running = sumBefore(scope_, shared, shape_.workgroup, sum);
    for (int64_t b = 0; b < shape_.bins(); b++) {
      code_.store(counts_, code_.add(first, i64(b)), running);
      running = word(code_, Op::kAdd, running, counts[static_cast<size_t>(b)]);
    }
    code_.append(Barrier{});
  }

  // ---- writing

  // Elements in the order of their places: of invocation i those at i, i + group, ..
  std::vector<Operands> reorder(const std::vector<Operands>& elements, size_t which) {
    std::vector<Operands> result(per());
    for (size_t w = 0; w < elements[0].size(); w++) {
      if (which > 0 || w > 0) code_.append(Barrier{});
      for (size_t k = 0; k < per(); k++) code_.store(stage_, places_[k], elements[k][w]);
      const bool is_last = w + 1 == elements[0].size() && which + 1 >= pass_.key_arrays;
      if (is_last && shape_.prefetches) loadNext();
      if (which == 0 && w == 0 && shape_.placement == Placement::kOnesweep) lookBack();
      code_.append(Barrier{});
      for (size_t k = 0; k < per(); k++) result[k].push_back(code_.load(stage_, slot(k)));
    }
    return result;
  }
  // The values that move next.
  void loadNext() {
    if (loaded_ + 1 >= pass_.from.size()) return;
    next_ = load(++loaded_);
  }
  Operand slot(size_t k) {
    return code_.add(lid_, i64(static_cast<int64_t>(k) * shape_.workgroup));
  }

  void moveKeys() {
    std::vector<std::vector<Operands>> sorted;
    for (size_t a = 0; a < keyed_.size(); a++) sorted.push_back(reorder(keyed_[a], a));
    std::vector<Operands> keys = keysOf(sorted);
    for (size_t k = 0; k < per(); k++) {
      Operand digit = digitOf(code_, shape_, shift_, keys[k]);
      Operand base = code_.load(bases_, asIndex(code_, digit));
      Operand in_tile = asWord(code_, ScalarType::kI64, slot(k));
      targets_.push_back(asIndex(code_, word(code_, Op::kAdd, base, in_tile)));
    }
    for (size_t a = 0; a < sorted.size(); a++) store(a, sorted[a]);
  }
  void moveValues(size_t which) {
    if (loaded_ < which) loadNext();
    std::vector<Operands> values = std::move(next_);
    store(which, reorder(values, which));
  }

  void store(size_t which, const std::vector<Operands>& elements) {
    ArrayRef array = scope_.array(pass_.to[which]);
    auto one = [&](size_t k) {
      storeElement(code_, array, {targets_[k]}, fromWords(code_, array.type, elements[k]));
    };
    code_.ifThenElse(
        is_whole_,
        [&] {
          for (size_t k = 0; k < per(); k++) one(k);
        },
        [&] {
          for (size_t k = 0; k < per(); k++) {
            code_.ifThenElse(compare(Op::kLt, slot(k), left_), [&] { one(k); });
          }
        });
  }

  // ---- one tile, all digits

  // Elements stay with the subgroups that rank them: those at first_, first_ + step_, ..
  void sortAlone() {
    std::vector<std::vector<Operands>> arrays;
    for (size_t a = 0; a < pass_.from.size(); a++) arrays.push_back(load(a));
    keyed_.assign(arrays.begin(), arrays.begin() + static_cast<std::ptrdiff_t>(pass_.key_arrays));
    code_.forLoop("digit", i64(0), i64(pass_.digits), [&](const Operand& digit) {
      shift_ = asWord(code_, ScalarType::kI64, code_.mul(digit, i64(shape_.digit_bits)));
      findDigits();
      rankByLanes();
      for (const std::vector<Operands>& elements : arrays) {
        for (size_t w = 0; w < elements[0].size(); w++) exchange(elements, w);
      }
    });
    for (size_t a = 0; a < arrays.size(); a++) storeAlone(a, arrays[a]);
  }
  void exchange(const std::vector<Operands>& elements, size_t w) {
    for (size_t k = 0; k < per(); k++) code_.store(stage_, places_[k], elements[k][w]);
    code_.append(Barrier{});
    for (size_t k = 0; k < per(); k++) {
      code_.assign(elements[k][w].var, code_.load(stage_, inTile(k)));
    }
    code_.append(Barrier{});
  }
  void storeAlone(size_t which, const std::vector<Operands>& elements) {
    ArrayRef array = scope_.array(pass_.to[which]);
    for (size_t k = 0; k < per(); k++) {
      code_.ifThenElse(compare(Op::kLt, inTile(k), left_), [&] {
        storeElement(code_, array, {inTile(k)}, fromWords(code_, array.type, elements[k]));
      });
    }
  }

  SortSchedule shape_;
  const SortPass& pass_;
  KernelScope scope_;
  Builder& code_;
  SortLookBack looks_;
  Operand lid_, lane_, subgroup_, tile_;
  Operand start_, left_;  // of the tile: its first element, how many it has
  Operand is_whole_;      // as many as a tile can have
  Operand shift_;         // u32: where the digit begins
  Operand first_;         // this invocation's first element in the tile, the next one
  int64_t step_ = 1;      // is so far behind it
  BufferId counts_, bases_, stage_;
  std::vector<std::vector<Operands>> keyed_;  // by array: words of elements that keys are made of
  Operands digits_;                           // u32
  Operands places_, targets_;                 // in the tile, in the result
  // Of invocation b: the digit, the number of keys of the tile with it, and its beginning among the
  // digits of all keys, less that in the tile.
  Operand bin_, own_, begin_;
  Operand in_all_;  // keys with smaller digits
  BufferId ticket_;
  std::vector<Operands> next_;  // values that have been read already
  size_t loaded_ = 0;           // of which array
};

}  // namespace

void emitSortTile(Program& program, Builder& host, const KernelCall& call,
                  const SortSchedule& shape, const SortPass& pass) {
  SortTile(program, host, call, shape, pass).run();
}

}  // namespace halo::gpu
