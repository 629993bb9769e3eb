// The ways differ in who sees what: an invocation sees several places one by one, or each lane of a
// subgroup sees one.
#include "gpu/templates/look_back.h"

namespace halo::gpu {

using namespace imp;
using prim::Op;

namespace {

constexpr int64_t kSeen = 8;       // places under way, of an invocation
constexpr uint32_t kWaits = 1023;  // an event: all are known, none is a prefix yet

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

// Posts what the tile has.
void LookBack::open(const Where& where, const Value& value) {
  where_ = where;
  value_ = value;
  block_ = prim(Op::kMachineLshr, where.tile, i64(log2Of(state_.ofBlock())));
  in_block_ = prim(Op::kAnd, where.tile, i64(state_.ofBlock() - 1));
  first_ = code_.sub(where.tile, in_block_);
  is_first_ = prim(Op::kEq, block_, i64(0));
  speaks_ = prim(Op::kEq, in_block_, i64(state_.ofBlock() - 1));
  tiles_ = ops_.declare("tiles", ops_.neutral());
  blocks_ = ops_.declare("blocks", ops_.neutral());
  Operand place = state_.ofTile(scope_, where.line, where.tile, value.number);
  state_.post(scope_, place, value.total, statusWord(kOwn));
}

Operand LookBack::isThere(const Operand& tile) { return prim(Op::kLt, tile, in_block_); }

// Tiles first, first + 1, .. of the block, as far as they are before this one. 1 if one of them has
// posted nothing yet, else 0.
Operand LookBack::seeTiles(Places& seen, const Operand& first, int64_t count) {
  seen.clear();
  Operand gaps = u32(0);
  for (int64_t l = 0; l < count; l++) {
    Operand i = code_.add(first, i64(l));
    Operand exists = isThere(i);
    Operand tile = code_.add(first_, code_.min(i, in_block_));
    seen.push_back(
        state_.see(scope_, state_.ofTile(scope_, where_.line, tile, value_.number), exists));
    Operand gap = both(word(Op::kEq, seen.back().status, u32(kNone)), exists);
    Operand event = code_.let("gap", ScalarType::kU32, Select{gap, u32(1), u32(0)});
    gaps = word(Op::kOr, gaps, event);
  }
  return gaps;
}
void LookBack::takeTiles(const Places& seen, const Operand& first) {
  Operands acc = asOperands(tiles_);
  for (size_t l = 0; l < seen.size(); l++) {
    Operand exists = isThere(code_.add(first, i64(static_cast<int64_t>(l))));
    Operands more = ops_.apply(acc, state_.valuesOf(scope_, seen[l]));
    acc = ops_.select(exists, more, acc);
  }
  assignAll(code_, tiles_, acc);
}

// The blocks before this one. The nearest that has posted its prefix (2 l) or nothing (2 l + 1).
Operand LookBack::seeBlocks(Places& seen) {
  seen.clear();
  for (int64_t l = 0; l < kSeen; l++) {
    Operand earlier = code_.sub(block_, i64(l + 1));
    Operand exists = prim(Op::kGe, earlier, i64(0));
    Operand block = code_.max(earlier, i64(0));
    seen.push_back(
        state_.see(scope_, state_.ofBlock(scope_, where_.line, block, value_.number), exists));
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

// What all tiles before have.
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

LookBack::Before LookBack::together(const Where& where, const Operands& total, const Operand& lane,
                                    int64_t lanes) {
  where_ = where;
  auto place = [&](const Operand& tile) { return state_.ofTile(scope_, where.line, tile, i64(0)); };
  Operand leads = prim(Op::kEq, lane, i64(0));
  Operand begins = prim(Op::kEq, where.tile, i64(0));  // the prefix is what the tile has
  Operand later = prim(Op::kNe, where.tile, i64(0));
  Operand status =
      code_.let("status", ScalarType::kU64, Select{begins, statusWord(kPrefix), statusWord(kOwn)});
  code_.ifThenElse(leads, [&] { state_.post(scope_, place(where.tile), total, status); });
  Before before = ops_.declare("before", ops_.neutral());
  code_.ifThenElse(later, [&] {
    Operand tile = code_.sub(code_.sub(where.tile, i64(1)), lane);
    Operand exists = prim(Op::kGe, tile, i64(0));
    Operand index = asWord(code_, lane);
    TileState::Seen seen;
    auto look = [&] {
      seen = state_.see(scope_, place(code_.max(tile, i64(0))), exists);
      Operand even = word(Op::kAdd, index, index);
      Operand odd = word(Op::kAdd, even, u32(1));
      Operand has_nothing = word(Op::kEq, seen.status, u32(kNone));
      Operand has_prefix = word(Op::kEq, seen.status, u32(kPrefix));
      Operand other = code_.let("event", ScalarType::kU32, Select{has_nothing, odd, u32(kWaits)});
      return least(code_.let("event", ScalarType::kU32, Select{has_prefix, even, other}), lanes);
    };
    lookBackUntil(code_, look, [&](const Operand& event) {
      Operands own = state_.valuesOf(scope_, seen);
      if (ops_.areExact()) return assignAll(code_, before, anyOrder(own, event, lane, lanes));
      std::vector<Operands> values;
      for (int64_t l = 0; l < lanes; l++) {
        values.push_back(ops_.shuffle(ShuffleKind::kFrom, own, u32(static_cast<uint32_t>(l))));
      }
      assignAll(code_, before, folded(values, event));
    });
    code_.ifThenElse(leads, [&] {
      Operands up_to = ops_.apply(asOperands(before), total);
      state_.post(scope_, place(where.tile), up_to, statusWord(kPrefix));
    });
  });
  return before;
}

// The same where the order does not matter: of lanes 0 .. event / 2.
Operands LookBack::anyOrder(Operands values, const Operand& event, const Operand& lane,
                            int64_t lanes) {
  Operand index = asWord(code_, lane);
  Operand takes = word(Op::kLe, word(Op::kAdd, index, index), event);
  values = ops_.select(takes, values, ops_.neutral());
  for (int64_t d = 1; d < lanes; d *= 2) {
    Operands far = ops_.shuffle(ShuffleKind::kXor, values, u32(static_cast<uint32_t>(d)));
    values = ops_.apply(values, far);
  }
  return values;
}

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

}  // namespace halo::gpu
