// The algorithms differ in their readers: an invocation sees several places one by one, or each
// lane of a subgroup sees one. look_back_blocks.cpp has lanes that see a tile and a block.
#include "gpu/templates/scan/look_back.h"

namespace halo::gpu {

using namespace imp;
using prim::Op;

namespace {

constexpr int64_t kSeen = 8;  // places under way, of an invocation

int64_t log2Of(int64_t power) {
  int64_t log = 0;
  while ((int64_t{1} << log) < power) log++;
  return log;
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

// ---- by one invocation

LookBack::Before LookBack::atOnce(const Where& where, const Value& value) {
  open(where, value);
  VarId is_open = code_.declare("open", ScalarType::kBool, prim::Scalar::ofBool(true));
  Places tiles, blocks;
  Operand event;
  auto look = [&] {
    Operand gap = seeTiles(tiles, i64(0), kAtOnceBlock - 1);
    Operand seen = seeBlocks(blocks);
    event = code_.let("event", ScalarType::kU32, Select{is_first_, u32(0), seen});
    Operand complete = word(Op::kEq, gap, u32(0));
    code_.ifThenElse(both(complete, is_open), [&] {
      takeTiles(tiles, i64(0));
      code_.ifThenElse(speaks_, [&] { postBlock(false); });
      code_.assign(is_open, prim::Scalar::ofBool(false));
    });
    return word(Op::kAnd, word(Op::kOr, gap, event), u32(1));
  };
  lookBackUntil(code_, look, [&](const Operand&) { takeBlocks(blocks, event); });
  Operand later = code_.prim(Op::kNot, ScalarType::kBool, {is_first_});
  code_.ifThenElse(both(later, speaks_), [&] { postBlock(true); });
  return close();
}

LookBack::Before LookBack::inTurns(const Where& where, const Value& value) {
  open(where, value);
  Operand more = code_.add(in_block_, i64(kSeen - 1));
  Operand turns = prim(Op::kMachineLshr, more, i64(log2Of(kSeen)));
  code_.forLoop("turn", i64(0), turns, [&](const Operand& turn) {
    Operand first = code_.mul(turn, i64(kSeen));
    Places tiles;
    lookBackUntil(
        code_, [&] { return seeTiles(tiles, first, kSeen); },
        [&](const Operand&) { takeTiles(tiles, first); });
  });
  code_.ifThenElse(speaks_, [&] { postBlock(false); });
  Operand later = code_.prim(Op::kNot, ScalarType::kBool, {is_first_});
  code_.ifThenElse(later, [&] {
    Places blocks;
    lookBackUntil(
        code_, [&] { return seeBlocks(blocks); },
        [&](const Operand& event) { takeBlocks(blocks, event); });
    code_.ifThenElse(speaks_, [&] { postBlock(true); });
  });
  return close();
}

// Posts the tile's sum.
void LookBack::open(const Where& where, const Value& value) {
  where_ = where;
  value_ = value;
  openBlocks(state_.ofBlock());
  tiles_ = ops_.declare("tiles", ops_.neutral());
  blocks_ = ops_.declare("blocks", ops_.neutral());
  Operand place = state_.ofTile(scope_, where.line, where.tile, value.number);
  state_.post(scope_, place, value.total, statusWord(kOwn));
}

void LookBack::openBlocks(int64_t of_block) {
  block_ = prim(Op::kMachineLshr, where_.tile, i64(log2Of(of_block)));
  in_block_ = prim(Op::kAnd, where_.tile, i64(of_block - 1));
  first_ = code_.sub(where_.tile, in_block_);
  is_first_ = prim(Op::kEq, block_, i64(0));
  speaks_ = prim(Op::kEq, in_block_, i64(of_block - 1));
}

Operand LookBack::isThere(const Operand& tile) { return prim(Op::kLt, tile, in_block_); }

// The place of the next tile or block behind (+) or before (-) that of `place`, if it exists: one
// addition, as lookers have many places.
Operand LookBack::beside(Op op, const Operand& place, const Operand& exists) {
  Operand step = code_.let("step", ScalarType::kI64, Select{exists, state_.stride(scope_), i64(0)});
  return prim(op, place, step);
}

// Tiles first, first + 1, .. of the block, as far as they are before this one. 1 if one of them has
// posted nothing yet, else 0.
Operand LookBack::seeTiles(Places& seen, const Operand& first, int64_t count) {
  seen.clear();
  Operand gaps = u32(0);
  Operand nearest = code_.add(first_, code_.min(first, in_block_));
  Operand place = state_.ofTile(scope_, where_.line, nearest, value_.number);
  for (int64_t l = 0; l < count; ++l) {
    Operand exists = isThere(code_.add(first, i64(l)));
    if (l > 0) place = beside(Op::kAdd, place, exists);
    seen.push_back(state_.see(scope_, place, exists));
    Operand gap = both(word(Op::kEq, seen.back().status, u32(kNone)), exists);
    Operand event = code_.let("gap", ScalarType::kU32, Select{gap, u32(1), u32(0)});
    gaps = word(Op::kOr, gaps, event);
  }
  return gaps;
}
void LookBack::takeTiles(const Places& seen, const Operand& first) {
  Operands acc = asOperands(tiles_);
  for (size_t l = 0; l < seen.size(); ++l) {
    Operand exists = isThere(code_.add(first, i64(static_cast<int64_t>(l))));
    Operands more = ops_.apply(acc, state_.valuesOf(scope_, seen[l]));
    acc = ops_.select(exists, more, acc);
  }
  assignAll(code_, tiles_, acc);
}

// The blocks before this one. The nearest that has posted its prefix (2 l) or nothing (2 l + 1).
Operand LookBack::seeBlocks(Places& seen) {
  seen.clear();
  Operand nearest = code_.max(code_.sub(block_, i64(1)), i64(0));
  Operand place = state_.ofBlock(scope_, where_.line, nearest, value_.number);
  for (int64_t l = 0; l < kSeen; ++l) {
    Operand exists = prim(Op::kGe, code_.sub(block_, i64(l + 1)), i64(0));
    if (l > 0) place = beside(Op::kSub, place, exists);
    seen.push_back(state_.see(scope_, place, exists));
  }
  Operand event = u32(kWaits);
  for (size_t l = seen.size(); l-- > 0;) {
    auto twice = static_cast<uint32_t>(2 * l);
    Operand has_nothing = word(Op::kEq, seen[l].status, u32(kNone));
    Operand has_prefix = word(Op::kEq, seen[l].status, u32(kPrefix));
    event = code_.let("event", ScalarType::kU32, Select{has_nothing, u32(twice + 1), event});
    event = code_.let("event", ScalarType::kU32, Select{has_prefix, u32(twice), event});
  }
  return event;
}
void LookBack::takeBlocks(const Places& seen, const Operand& event) {
  std::vector<Operands> values;
  for (const TileState::Seen& one : seen) values.push_back(state_.valuesOf(scope_, one));
  assignAll(code_, blocks_, folded(values, event));
}

// The last tile of a block speaks for it, as soon as it can: of the first block that is the prefix.
void LookBack::postBlock(bool prefix) {
  Operands all = ops_.apply(asOperands(tiles_), value_.total);
  if (prefix) all = ops_.apply(asOperands(blocks_), all);
  Operand own = code_.let("status", ScalarType::kU64,
                          Select{is_first_, statusWord(kPrefix), statusWord(kOwn)});
  Operand place = state_.ofBlock(scope_, where_.line, block_, value_.number);
  state_.post(scope_, place, all, prefix ? statusWord(kPrefix) : own);
}

// The sum of all tiles before.
LookBack::Before LookBack::close() {
  Operand begins = prim(Op::kEq, in_block_, i64(0));
  Operands more = ops_.apply(asOperands(blocks_), asOperands(tiles_));
  Operands with = ops_.select(begins, asOperands(blocks_), more);
  assignAll(code_, blocks_, ops_.select(is_first_, asOperands(tiles_), with));
  return blocks_;
}

// From the oldest of them, the one with the prefix, to the nearest.
Operands LookBack::folded(const std::vector<Operands>& nearest_first, const Operand& event) {
  Operands acc = ops_.neutral();
  for (size_t l = nearest_first.size(); l-- > 0;) {
    Operand twice = u32(static_cast<uint32_t>(2 * l));
    Operand takes = word(Op::kLe, twice, event);
    Operand is_oldest = word(Op::kEq, twice, event);
    Operands more = ops_.select(takes, ops_.apply(acc, nearest_first[l]), acc);
    acc = ops_.select(is_oldest, nearest_first[l], more);
  }
  return acc;
}

// ---- by a subgroup

// Lane l sees the l-th block before the tile's own, lane 0 the tiles before it in that one.
LookBack::Before LookBack::together(const Where& where, const Value& value,
                                    const Lookers& lookers) {
  where_ = where;
  value_ = value;
  lookers_ = lookers;
  openBlocks(lookers.of_block);
  auto isZero = [&](const Operand& number) { return prim(Op::kEq, number, i64(0)); };
  lane_ = prim(Op::kAnd, lookers.lane, i64(lookers.count - 1));
  Operand leads = isZero(lane_);
  Operand begins = isZero(where.tile);
  Operand status = code_.let("status", ScalarType::kU64,
                             Select{both(begins, speaks_), statusWord(kPrefix), statusWord(kOwn)});
  Operand place = state_.ofTile(scope_, where.line, where.tile, value.number);
  code_.ifThenElse(leads, [&] { state_.post(scope_, place, value.total, status); });
  Before before = ops_.declare("before", ops_.neutral());
  with_own_ = ops_.declare("with_own", ops_.neutral());
  code_.ifThenElse(prim(Op::kNe, where.tile, i64(0)), [&] {
    Neighbours seen = neighbours();
    lookBackUntil(
        code_, [&] { return least(seeNeighbours(seen)); },
        [&](const Operand& event) { takeNeighbours(seen, event, before); });
    code_.ifThenElse(both(leads, speaks_), [&] {
      state_.post(scope_, place, asOperands(with_own_), statusWord(kPrefix));
    });
  });
  return before;
}

// The l-th block before the tile's own of lane l.
LookBack::Neighbours LookBack::neighbours() {
  const int64_t of_block = lookers_.of_block;
  Neighbours seen;
  Operand block = code_.sub(block_, lane_);
  seen.is_block = prim(Op::kGe, block, i64(0));
  Operand first = code_.min(code_.mul(code_.max(block, i64(0)), i64(of_block)), where_.tile);
  Operand before = code_.min(code_.sub(where_.tile, first), i64(of_block));
  seen.count = code_.let("count", ScalarType::kI64, Select{seen.is_block, before, i64(0)});
  Operand place = state_.ofTile(scope_, where_.line, first, value_.number);
  for (int64_t j = 0; j < of_block; ++j) {
    Operand exists = prim(Op::kLt, i64(j), seen.count);
    if (j > 0) place = beside(Op::kAdd, place, exists);
    seen.places.push_back(place);
    seen.exists.push_back(exists);
  }
  return seen;
}

// The block's prefix (2 l), a gap (2 l + 1), or else its own sum is known.
Operand LookBack::seeNeighbours(Neighbours& seen) {
  seen.tiles.clear();
  Operand gap = prim::Scalar::ofBool(false);
  for (size_t j = 0; j < seen.places.size(); ++j) {
    seen.tiles.push_back(state_.see(scope_, seen.places[j], seen.exists[j]));
    Operand missing = both(seen.exists[j], word(Op::kEq, seen.tiles.back().status, u32(kNone)));
    gap = code_.prim(Op::kOr, ScalarType::kBool, {gap, missing});
  }
  seen.has_prefix = word(Op::kEq, seen.tiles.back().status, u32(kPrefix));
  Operand index = asWord(code_, lane_);
  Operand even = word(Op::kAdd, index, index);
  Operand odd = word(Op::kAdd, even, u32(1));
  Operand no_block = code_.prim(Op::kNot, ScalarType::kBool, {seen.is_block});
  Operand is_end = code_.prim(Op::kOr, ScalarType::kBool, {seen.has_prefix, no_block});
  Operand other = code_.let("event", ScalarType::kU32, Select{gap, odd, u32(kWaits)});
  return code_.let("event", ScalarType::kU32, Select{is_end, even, other});
}

// before := the sum of all tiles before, with_own_ := and this one, as a block's prefix is made.
void LookBack::takeNeighbours(const Neighbours& seen, const Operand& event, const Before& before) {
  const Operands& total = value_.total;
  Operands own;
  for (size_t j = 0; j < seen.tiles.size(); ++j) {
    Operands value = state_.valuesOf(scope_, seen.tiles[j]);
    own = j == 0 ? value : ops_.select(seen.exists[j], ops_.apply(own, value), own);
    if (j + 1 == seen.tiles.size()) own = ops_.select(seen.has_prefix, value, own);
  }
  own = ops_.select(prim(Op::kEq, seen.count, i64(0)), ops_.neutral(), own);
  if (ops_.areReorderable()) {
    Operands all = anyOrder(own, event);
    assignAll(code_, before, all);
    return assignAll(code_, with_own_, ops_.apply(all, total));
  }
  std::vector<Operands> values;
  Operand leader = asWord(code_, code_.sub(lookers_.lane, lane_));
  for (int64_t l = 0; l < lookers_.count; ++l) {
    Operand from = u32(static_cast<uint32_t>(l));
    if (lookers_.count < lookers_.subgroup) from = word(Op::kAdd, leader, from);
    values.push_back(ops_.shuffle(ShuffleKind::kFrom, own, from));
  }
  Operands nearest = values[0];
  values.erase(values.begin());
  Operands blocks = folded(values, word(Op::kSub, event, u32(2)));
  Operand begins = prim(Op::kEq, in_block_, i64(0));
  Operands mine = ops_.select(begins, total, ops_.apply(nearest, total));
  assignAll(code_, with_own_, ops_.select(is_first_, mine, ops_.apply(blocks, mine)));
  Operands all = ops_.select(begins, blocks, ops_.apply(blocks, nearest));
  assignAll(code_, before, ops_.select(is_first_, nearest, all));
}

// The same where the order does not matter: of lanes 0 .. event / 2.
Operands LookBack::anyOrder(Operands values, const Operand& event) {
  Operand index = asWord(code_, lane_);
  Operand takes = word(Op::kLe, word(Op::kAdd, index, index), event);
  values = ops_.select(takes, values, ops_.neutral());
  for (int64_t d = 1; d < lookers_.count; d *= 2) {
    Operands far = ops_.shuffle(ShuffleKind::kXor, values, u32(static_cast<uint32_t>(d)));
    values = ops_.apply(values, far);
  }
  return values;
}

Operand LookBack::fromLane(const Operand& event, int64_t distance) {
  return code_.let("far", ScalarType::kU32,
                   Shuffle{ShuffleKind::kXor, event, u32(static_cast<uint32_t>(distance))});
}

// The least of all lanes that look for this value. Odd as long as it is for any lane of the
// subgroup, so that all leave the loop together. A later finding has the same bits.
Operand LookBack::least(Operand event) {
  for (int64_t d = 1; d < lookers_.count; d *= 2) {
    Operand far = fromLane(event, d);
    Operand less = word(Op::kLt, far, event);
    event = code_.let("event", ScalarType::kU32, Select{less, far, event});
  }
  if (lookers_.count == lookers_.subgroup) return event;
  Operand gaps = event;
  for (int64_t d = lookers_.count; d < lookers_.subgroup; d *= 2) {
    gaps = word(Op::kOr, gaps, fromLane(gaps, d));
  }
  Operand any = word(Op::kNe, word(Op::kAnd, gaps, u32(1)), u32(0));
  return code_.let("event", ScalarType::kU32, Select{any, u32(1), event});
}

}  // namespace halo::gpu
