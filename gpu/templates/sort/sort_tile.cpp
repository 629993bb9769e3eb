// A tile is read once, ranked, put in order in shared memory and written from there. So runs of
// equal digits are written to adjacent places:
//
//   (1) the rank of a key among those of its digit in the tile;
//   (2) where each digit begins in the tile and in the result;
//   (3) words of keys and values through shared memory, one word at a time.
//
// Onesweep copies elements where all keys have one digit, which their counts tell.
//
// Elements and keys are sort_elements.h, (1) and (2) sort_ranks.h.
#include "gpu/templates/sort/sort_tile.h"

#include "gpu/templates/kernel/conditions.h"
#include "gpu/templates/sort/sort_ranks.h"

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
        elements_(scope_, shape_, pass),
        ranks_(scope_, shape_, pass, elements_) {}

  void run() {
    open();
    if (shape_.placement == Placement::kOneWorkgroup) {
      sortAlone();
    } else {
      shift_ = scope_.scalar(pass_.shift);
      loadKeys();
      if (shape_.placement == Placement::kOnesweep) {
        code_.ifThenElse(
            hasOneDigit(), [&] { keepPlaces(); }, [&] { move(); });
      } else {
        move();
      }
    }
    const int workgroup[3] = {static_cast<int>(shape_.workgroup), 1, 1};
    scope_.launch(workgroup, {pass_.tiles, i64(1), i64(1)});
  }

 private:
  using Placement = SortSchedule::Placement;
  using Words = SortElements::Words;

  void open() {
    if (shape_.placement == Placement::kOnesweep) takeTicket();
    if (shape_.lanes > 0 && shape_.placement != Placement::kOneWorkgroup) ranks_.clearCounts();
    tile_ = shape_.placement == Placement::kOnesweep ? ticket() : scope_.groupId();
    elements_.open(tile_);
  }
  // Tiles are numbered as they begin, so that those before one have begun.
  void takeTicket() {
    ticket_ = scope_.shared("ticket", ScalarType::kU32, 1);
    code_.ifThenElse(isEqual(code_, elements_.invocation(), i64(0)), [&] {
      const VarId old = code_.program().addVar("old", ScalarType::kU32);
      const BufferId tickets = scope_.buffer(pass_.tickets);
      code_.append(Atomic{AtomicOp::kAdd, tickets, scope_.scalar(pass_.digit), u32(1), old});
      code_.store(ticket_, i64(0), old);
    });
  }
  Operand ticket() {
    code_.append(Barrier{});
    return asIndex(code_, code_.load(ticket_, i64(0)));
  }

  void loadKeys() {
    for (size_t a = 0; a < pass_.key_arrays; ++a) keyed_.push_back(elements_.load(a));
    loaded_ = pass_.key_arrays - 1;
  }

  // ---- writing

  void move() {
    places_ = ranks_.placesOf(elements_.digitsOf(keyed_, shift_), tile_);
    moveKeys();
    for (size_t k = pass_.key_arrays; k < pass_.from.size(); ++k) moveValues(k);
  }

  // Whether all keys of the sort have the digit of the first one: small numbers of wide types.
  Operand hasOneDigit() {
    const Operand digit = digitOf(code_, shape_, shift_, keyOf(scope_, pass_, i64(0)));
    const Operand all = asWord(code_, ScalarType::kI64, scope_.scalar(pass_.width));
    return word(code_, Op::kEq, ranks_.totalOf(asIndex(code_, digit)), all);
  }
  // Every element goes where it was.
  void keepPlaces() {
    for (size_t a = 0; a < pass_.from.size(); ++a) {
      const Words elements = a < keyed_.size() ? keyed_[a] : elements_.load(a);
      storeAt(
          a, elements, [&](size_t k) { return elements_.index(k); },
          [&](size_t k) { return elements_.inTile(k); });
    }
  }

  // Elements in the order of their places: of invocation i those at i, i + group, ..
  Words reorder(const Words& elements, size_t which) {
    Words result(elements_.count());
    for (size_t w = 0; w < elements[0].size(); ++w) {
      if (which > 0 || w > 0) code_.append(Barrier{});
      for (size_t k = 0; k < elements_.count(); ++k)
        code_.store(ranks_.stage(), places_[k], elements[k][w]);
      const bool is_last = w + 1 == elements[0].size() && which + 1 >= pass_.key_arrays;
      if (is_last && shape_.prefetches) loadNext();
      if (which == 0 && w == 0 && shape_.placement == Placement::kOnesweep) ranks_.lookBack();
      code_.append(Barrier{});
      for (size_t k = 0; k < elements_.count(); ++k)
        result[k].push_back(code_.load(ranks_.stage(), elements_.slot(k)));
    }
    return result;
  }
  // The values that move next.
  void loadNext() {
    if (loaded_ + 1 >= pass_.from.size()) return;
    next_ = elements_.load(++loaded_);
  }
  void moveKeys() {
    std::vector<Words> sorted;
    for (size_t a = 0; a < keyed_.size(); ++a) sorted.push_back(reorder(keyed_[a], a));
    Words keys = elements_.keysOf(sorted);
    for (size_t k = 0; k < elements_.count(); ++k) {
      Operand digit = digitOf(code_, shape_, shift_, keys[k]);
      Operand base = ranks_.baseOf(digit);
      Operand in_tile = asWord(code_, ScalarType::kI64, elements_.slot(k));
      targets_.push_back(asIndex(code_, word(code_, Op::kAdd, base, in_tile)));
    }
    for (size_t a = 0; a < sorted.size(); ++a) store(a, sorted[a]);
  }
  void moveValues(size_t which) {
    if (loaded_ < which) loadNext();
    Words values = std::move(next_);
    store(which, reorder(values, which));
  }

  void store(size_t which, const Words& elements) {
    storeAt(
        which, elements, [&](size_t k) { return targets_[k]; },
        [&](size_t k) { return elements_.slot(k); });
  }
  // Element k to `target(k)` of the result, if its place `within(k)` of the tile has one.
  void storeAt(size_t which, const Words& elements, const std::function<Operand(size_t)>& target,
               const std::function<Operand(size_t)>& within) {
    ArrayRef array = scope_.array(pass_.to[which]);
    auto one = [&](size_t k) {
      storeElement(code_, array, {target(k)}, fromWords(code_, array.type, elements[k]));
    };
    code_.ifThenElse(
        elements_.isWhole(),
        [&] {
          for (size_t k = 0; k < elements_.count(); ++k) one(k);
        },
        [&] {
          for (size_t k = 0; k < elements_.count(); ++k) {
            code_.ifThenElse(elements_.exists(within(k)), [&] { one(k); });
          }
        });
  }

  // ---- one tile, all digits

  // Elements stay with the subgroups that rank them: where they were read
  void sortAlone() {
    std::vector<Words> arrays;
    for (size_t a = 0; a < pass_.from.size(); ++a) arrays.push_back(elements_.load(a));
    keyed_.assign(arrays.begin(), arrays.begin() + static_cast<std::ptrdiff_t>(pass_.key_arrays));
    code_.forLoop("digit", i64(0), i64(pass_.digits), [&](const Operand& digit) {
      shift_ = asWord(code_, ScalarType::kI64, code_.mul(digit, i64(shape_.digit_bits)));
      places_ = ranks_.placesOf(elements_.digitsOf(keyed_, shift_), tile_);
      for (const Words& elements : arrays) {
        for (size_t w = 0; w < elements[0].size(); ++w) exchange(elements, w);
      }
    });
    for (size_t a = 0; a < arrays.size(); ++a) storeAlone(a, arrays[a]);
  }
  void exchange(const Words& elements, size_t w) {
    for (size_t k = 0; k < elements_.count(); ++k)
      code_.store(ranks_.stage(), places_[k], elements[k][w]);
    code_.append(Barrier{});
    for (size_t k = 0; k < elements_.count(); ++k) {
      code_.assign(elements[k][w].var, code_.load(ranks_.stage(), elements_.inTile(k)));
    }
    code_.append(Barrier{});
  }
  void storeAlone(size_t which, const Words& elements) {
    ArrayRef array = scope_.array(pass_.to[which]);
    for (size_t k = 0; k < elements_.count(); ++k) {
      code_.ifThenElse(elements_.exists(elements_.inTile(k)), [&] {
        const Operand value = fromWords(code_, array.type, elements[k]);
        storeElement(code_, array, {elements_.inTile(k)}, value);
      });
    }
  }

  SortSchedule shape_;
  const SortPass& pass_;
  KernelScope scope_;
  Builder& code_;
  SortElements elements_;
  SortRanks ranks_;
  Operand tile_;
  Operand shift_;              // u32: where the digit begins
  std::vector<Words> keyed_;   // by array: elements that keys are made of
  Operands places_, targets_;  // in the tile, in the result
  BufferId ticket_;
  Words next_;         // values that have been read already
  size_t loaded_ = 0;  // of which array
};

}  // namespace

void emitSortTile(Program& program, Builder& host, const KernelCall& call,
                  const SortSchedule& shape, const SortPass& pass) {
  SortTile(program, host, call, shape, pass).run();
}

}  // namespace halo::gpu
