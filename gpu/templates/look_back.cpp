// Both ways differ in who sees what: an invocation sees several places one by one, or each lane of
// a subgroup sees one.
#include "gpu/templates/look_back.h"

#include <memory>

namespace halo::gpu {

using namespace imp;
using prim::Op;

namespace {

constexpr int64_t kSeen = LookBack::kAloneBlock;  // places under way, of tiles and of blocks
constexpr uint32_t kWaits = 1023;                 // an event: all are known, none is a prefix yet

int64_t log2Of(int64_t power) {
  int64_t log = 0;
  while ((int64_t{1} << log) < power) log++;
  return log;
}

Operand asWord(Builder& code, const Operand& value) {
  return code.let("w", ScalarType::kU32,
                  Convert{prim::ConvertKind::kValue, ScalarType::kI64, ScalarType::kU32, value});
}

}  // namespace

Operand LookBack::prim(Op op, const Operand& a, const Operand& b) {
  return code_.prim(op, ScalarType::kI64, {a, b});
}
Operand LookBack::word(Op op, const Operand& a, const Operand& b) {
  return code_.prim(op, ScalarType::kU32, {a, b});
}
Operand LookBack::both(const Operand& a, const Operand& b) {
  return code_.prim(Op::kAnd, ScalarType::kBool, {a, b});
}

LookBack::Before LookBack::alone(const Where& where, const Value& value) {
  open(where);
  std::vector<Search> searches = {begin(value)};
  lookAlone(searches[0]);
  run(searches);
  return searches[0].blocks;
}

std::vector<LookBack::Before> LookBack::together(const Where& where,
                                                 const std::vector<Value>& values,
                                                 const Operand& lane, int64_t lanes) {
  open(where);
  std::vector<Search> searches;
  for (const Value& value : values) searches.push_back(begin(value));
  for (Search& search : searches) lookTogether(search, lane, lanes);
  run(searches);
  std::vector<Before> found;
  for (const Search& search : searches) found.push_back(search.blocks);
  return found;
}

void LookBack::open(const Where& where) {
  where_ = where;
  block_ = prim(Op::kMachineLshr, where.tile, i64(log2Of(state_.ofBlock())));
  in_block_ = prim(Op::kAnd, where.tile, i64(state_.ofBlock() - 1));
  first_ = code_.sub(where.tile, in_block_);
  is_first_ = prim(Op::kEq, block_, i64(0));
  speaks_ = prim(Op::kEq, in_block_, i64(state_.ofBlock() - 1));
}

// Posts what the tile has.
LookBack::Search LookBack::begin(const Value& value) {
  Operand place = state_.ofTile(scope_, where_.line, where_.tile, value.number);
  code_.ifThenElse(value.posts,
                   [&] { state_.post(scope_, place, value.total, statusWord(kOwn)); });
  Search search;
  search.value = value;
  search.tiles = ops_.declare("tiles", ops_.neutral());
  search.blocks = ops_.declare("blocks", ops_.neutral());
  return search;
}

// One look sees tiles and blocks, as each takes its time.
void LookBack::run(std::vector<Search>& searches) {
  VarId is_open = code_.declare("open", ScalarType::kBool, prim::Scalar::ofBool(true));
  std::vector<Operand> events;
  auto look = [&] {
    Operand gaps = u32(0);
    events.clear();
    for (Search& search : searches) gaps = word(Op::kOr, gaps, search.see_tiles());
    for (Search& search : searches) {
      Operand event = search.see_blocks();
      events.push_back(code_.let("event", ScalarType::kU32, Select{is_first_, u32(0), event}));
    }
    Operand gap = word(Op::kAnd, gaps, u32(1));
    Operand complete = word(Op::kEq, gap, u32(0));
    code_.ifThenElse(both(complete, is_open), [&] {
      take(searches);
      code_.assign(is_open, prim::Scalar::ofBool(false));
    });
    Operand waits = gap;
    for (const Operand& event : events) waits = word(Op::kOr, waits, event);
    return word(Op::kAnd, waits, u32(1));
  };
  lookBackUntil(code_, look, [&](const Operand&) {
    for (size_t k = 0; k < searches.size(); k++) searches[k].take_blocks(events[k]);
  });
  Operand later = code_.prim(Op::kNot, ScalarType::kBool, {is_first_});
  Operand speaks = both(later, speaks_);
  for (const Search& search : searches) {
    code_.ifThenElse(both(speaks, search.value.posts), [&] { postBlock(search, true); });
    join(search);
  }
}

// The last tile of a block speaks for it as soon as it can: of the first block that is the prefix.
void LookBack::take(std::vector<Search>& searches) {
  for (const Search& search : searches) {
    search.take_tiles();
    code_.ifThenElse(both(speaks_, search.value.posts), [&] { postBlock(search, false); });
  }
}

void LookBack::postBlock(const Search& search, bool prefix) {
  Operands all = ops_.apply(asOperands(search.tiles), search.value.total);
  if (prefix) all = ops_.apply(asOperands(search.blocks), all);
  Operand own = code_.let("status", ScalarType::kU64,
                          Select{is_first_, statusWord(kPrefix), statusWord(kOwn)});
  Operand place = state_.ofBlock(scope_, where_.line, block_, search.value.number);
  state_.post(scope_, place, all, prefix ? statusWord(kPrefix) : own);
}

// blocks := what all tiles before have.
void LookBack::join(const Search& search) {
  Operand begins = prim(Op::kEq, in_block_, i64(0));
  Operands tiles = ops_.select(begins, ops_.neutral(), asOperands(search.tiles));
  Operands more = ops_.apply(asOperands(search.blocks), tiles);
  Operands with = ops_.select(begins, asOperands(search.blocks), more);
  assignAll(code_, search.blocks, ops_.select(is_first_, tiles, with));
}

// 1 where the place exists and nothing has been posted there, else 0.
Operand LookBack::missing(const TileState::Seen& seen, const Operand& exists) {
  Operand gap = both(word(Op::kEq, seen.status, u32(kNone)), exists);
  return code_.let("gap", ScalarType::kU32, Select{gap, u32(1), u32(0)});
}

// From the oldest of them, the one with the prefix, to the nearest.
Operands LookBack::folded(const std::vector<Operands>& blocks, const Operand& event) {
  Operands acc = ops_.neutral();
  for (size_t l = blocks.size(); l-- > 0;) {
    Operand twice = u32(static_cast<uint32_t>(2 * l));
    Operand takes = word(Op::kLe, twice, event);
    Operand is_oldest = word(Op::kEq, twice, event);
    Operands more = ops_.select(takes, ops_.apply(acc, blocks[l]), acc);
    acc = ops_.select(is_oldest, blocks[l], more);
  }
  return acc;
}

// ---- by one invocation

void LookBack::lookAlone(Search& search) {
  const Operand number = search.value.number;
  auto tiles = std::make_shared<std::vector<TileState::Seen>>();
  auto blocks = std::make_shared<std::vector<TileState::Seen>>();
  search.see_tiles = [=, this] {
    tiles->clear();
    Operand gaps = u32(0);
    for (int64_t l = 0; l + 1 < kSeen; l++) {
      Operand exists = prim(Op::kGt, in_block_, i64(l));
      Operand tile = code_.add(first_, code_.min(in_block_, i64(l)));
      Operand place = state_.ofTile(scope_, where_.line, tile, number);
      tiles->push_back(state_.see(scope_, place, exists));
      gaps = word(Op::kOr, gaps, missing(tiles->back(), exists));
    }
    return gaps;
  };
  search.take_tiles = [=, this, before = search.tiles] {
    Operands acc = state_.valuesOf(scope_, tiles->front());
    for (size_t l = 1; l < tiles->size(); l++) {
      Operand exists = prim(Op::kGt, in_block_, i64(static_cast<int64_t>(l)));
      Operands more = ops_.apply(acc, state_.valuesOf(scope_, (*tiles)[l]));
      acc = ops_.select(exists, more, acc);
    }
    assignAll(code_, before, acc);
  };
  search.see_blocks = [=, this] {
    blocks->clear();
    for (int64_t l = 0; l < kSeen; l++) {
      Operand earlier = code_.sub(block_, i64(l + 1));
      Operand exists = prim(Op::kGe, earlier, i64(0));
      Operand place = state_.ofBlock(scope_, where_.line, code_.max(earlier, i64(0)), number);
      blocks->push_back(state_.see(scope_, place, exists));
    }
    Operand event = u32(kWaits);
    for (size_t l = blocks->size(); l-- > 0;) {
      auto twice = static_cast<uint32_t>(2 * l);
      Operand has_nothing = word(Op::kEq, (*blocks)[l].status, u32(kNone));
      Operand has_prefix = word(Op::kEq, (*blocks)[l].status, u32(kPrefix));
      event = code_.let("event", ScalarType::kU32, Select{has_nothing, u32(twice + 1), event});
      event = code_.let("event", ScalarType::kU32, Select{has_prefix, u32(twice), event});
    }
    return event;
  };
  search.take_blocks = [=, this, before = search.blocks](const Operand& event) {
    std::vector<Operands> values;
    for (const TileState::Seen& seen : *blocks) values.push_back(state_.valuesOf(scope_, seen));
    assignAll(code_, before, folded(values, event));
  };
}

// ---- by a subgroup

// The least of all lanes.
Operand LookBack::least(Operand event, int64_t lanes) {
  for (int64_t d = 1; d < lanes; d *= 2) {
    Operand far = code_.let("far", ScalarType::kU32,
                            Shuffle{ShuffleKind::kXor, event, u32(static_cast<uint32_t>(d))});
    Operand less = word(Op::kLt, far, event);
    event = code_.let("event", ScalarType::kU32, Select{less, far, event});
  }
  return event;
}

void LookBack::lookTogether(Search& search, const Operand& lane, int64_t lanes) {
  const Operand number = search.value.number;
  auto tile = std::make_shared<TileState::Seen>();
  auto block = std::make_shared<TileState::Seen>();
  search.see_tiles = [=, this] {
    Operand exists = prim(Op::kLt, lane, in_block_);
    Operand one = code_.add(first_, code_.min(lane, in_block_));
    *tile = state_.see(scope_, state_.ofTile(scope_, where_.line, one, number), exists);
    return least(word(Op::kSub, u32(2), missing(*tile, exists)), lanes);  // odd with a gap
  };
  search.take_tiles = [=, this, before = search.tiles] {
    Operands value = state_.valuesOf(scope_, *tile);
    for (int64_t d = 1; d < lanes; d *= 2) {
      Operands far = ops_.shuffle(ShuffleKind::kUp, value, u32(static_cast<uint32_t>(d)));
      value = ops_.join(prim(Op::kGe, lane, i64(d)), far, value);
    }
    Operand last = asWord(code_, code_.max(code_.sub(in_block_, i64(1)), i64(0)));
    assignAll(code_, before, ops_.shuffle(ShuffleKind::kFrom, value, last));
  };
  search.see_blocks = [=, this] {
    Operand earlier = code_.sub(code_.sub(block_, i64(1)), lane);
    Operand exists = prim(Op::kGe, earlier, i64(0));
    Operand place = state_.ofBlock(scope_, where_.line, code_.max(earlier, i64(0)), number);
    *block = state_.see(scope_, place, exists);
    Operand index = asWord(code_, lane);
    Operand even = word(Op::kAdd, index, index);
    Operand odd = word(Op::kAdd, even, u32(1));
    Operand has_nothing = word(Op::kEq, block->status, u32(kNone));
    Operand has_prefix = word(Op::kEq, block->status, u32(kPrefix));
    Operand other = code_.let("event", ScalarType::kU32, Select{has_nothing, odd, u32(kWaits)});
    return least(code_.let("event", ScalarType::kU32, Select{has_prefix, even, other}), lanes);
  };
  search.take_blocks = [=, this, before = search.blocks](const Operand& event) {
    Operands own = state_.valuesOf(scope_, *block);
    std::vector<Operands> values;
    for (int64_t l = 0; l < lanes; l++) {
      values.push_back(ops_.shuffle(ShuffleKind::kFrom, own, u32(static_cast<uint32_t>(l))));
    }
    assignAll(code_, before, folded(values, event));
  };
}

}  // namespace halo::gpu
