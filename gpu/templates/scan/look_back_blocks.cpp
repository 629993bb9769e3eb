// By a subgroup, with sums of blocks: each lane sees a tile of the own block and an earlier block.
#include "gpu/templates/scan/look_back.h"

namespace halo::gpu {

using namespace imp;
using prim::Op;

namespace {

constexpr uint32_t kComplete = 1024;  // added to events: a block's tiles are known

}  // namespace

LookBack::Before LookBack::byBlocks(const Where& where, const Value& value, const Operand& lane,
                                    int64_t lanes) {
  lookers_ = {lane, lanes, lanes, lanes};
  lane_ = lane;
  where_ = where;
  value_ = value;
  openBlocks(lanes);
  tiles_ = ops_.declare("tiles", ops_.neutral());
  blocks_ = ops_.declare("blocks", ops_.neutral());
  Operand leads = prim(Op::kEq, lane, i64(0));
  code_.ifThenElse(leads, [&] {
    Operand place = state_.ofTile(scope_, where.line, where.tile, value.number);
    state_.post(scope_, place, value.total, statusWord(kOwn));
  });
  Operand posts = both(leads, speaks_);
  VarId is_open = code_.declare("open", ScalarType::kBool, prim::Scalar::ofBool(true));
  const Pair pair = declarePair();
  auto look = [&] {
    seePair(pair);
    Operand event = least(eventOf(pair));
    Operand complete = word(Op::kGe, event, u32(kComplete));
    code_.ifThenElse(both(complete, is_open), [&] {
      assignAll(code_, tiles_, tree(asOperands(pair.tile)));
      code_.ifThenElse(posts, [&] { postBlock(false); });
      code_.assign(is_open, prim::Scalar::ofBool(false));
    });
    code_.assign(pair.lacks_prefix, word(Op::kEq, event, u32(kComplete + kWaits)));
    return event;
  };
  lookBackUntil(code_, look, [&](const Operand& event) { foldBlocks(pair, event); });
  Operand later = code_.prim(Op::kNot, ScalarType::kBool, {is_first_});
  code_.ifThenElse(both(later, posts), [&] { postBlock(true); });
  return close();
}

// A lane without a block, behind the first one, counts as one that sees a prefix.
LookBack::Pair LookBack::declarePair() {
  Operand has_tile = isThere(lane_);
  Operand earlier = code_.sub(block_, code_.add(lane_, i64(1)));
  Operand has_block = prim(Op::kGe, earlier, i64(0));
  Operand status =
      code_.let("status", ScalarType::kU32, Select{has_block, u32(kNone), u32(kPrefix)});
  Operand tile = code_.add(first_, code_.min(lane_, in_block_));
  Operand block = code_.max(earlier, i64(0));
  return {state_.ofTile(scope_, where_.line, tile, value_.number),
          state_.ofBlock(scope_, where_.line, block, value_.number),
          code_.declare("missing", ScalarType::kBool, has_tile),
          code_.declare("lacks", ScalarType::kBool, prim::Scalar::ofBool(false)),
          code_.declare("status", ScalarType::kU32, status),
          ops_.declare("tile", ops_.neutral()),
          ops_.declare("block", ops_.neutral())};
}

// Lanes that know enough stay away from memory, where those that wait for others meet the posts.
void LookBack::seePair(const Pair& pair) {
  const Operand always = prim::Scalar::ofBool(true);
  code_.ifThenElse(pair.is_missing, [&] {
    TileState::Seen seen = state_.see(scope_, pair.tile_place, always);
    code_.ifThenElse(word(Op::kNe, seen.status, u32(kNone)), [&] {
      assignAll(code_, pair.tile, state_.valuesOf(scope_, seen));
      code_.assign(pair.is_missing, prim::Scalar::ofBool(false));
    });
  });
  Operand has_own = word(Op::kEq, pair.status, u32(kOwn));
  Operand again = both(pair.lacks_prefix, has_own);
  Operand looks =
      code_.prim(Op::kOr, ScalarType::kBool, {word(Op::kEq, pair.status, u32(kNone)), again});
  code_.ifThenElse(looks, [&] {
    TileState::Seen seen = state_.see(scope_, pair.block_place, always);
    code_.ifThenElse(word(Op::kNe, seen.status, u32(kNone)), [&] {
      assignAll(code_, pair.block, state_.valuesOf(scope_, seen));
      code_.assign(pair.status, seen.status);
    });
  });
}

// kComplete and the nearest block with a prefix (2 l) if all is known up to it, else an odd number,
// which is below kComplete as long as one of the block's tiles is missing.
Operand LookBack::eventOf(const Pair& pair) {
  Operand index = asWord(code_, lane_);
  Operand even = word(Op::kAdd, index, index);
  Operand is_gap = word(Op::kEq, pair.status, u32(kNone));
  Operand other = code_.let("event", ScalarType::kU32,
                            Select{is_gap, word(Op::kAdd, even, u32(1)), u32(kWaits)});
  Operand has_prefix = word(Op::kEq, pair.status, u32(kPrefix));
  Operand event = code_.let("event", ScalarType::kU32, Select{has_prefix, even, other});
  return code_.let("event", ScalarType::kU32,
                   Select{pair.is_missing, u32(1), word(Op::kAdd, event, u32(kComplete))});
}

// Of all lanes, in their order.
Operands LookBack::tree(Operands values) {
  for (int64_t d = 1; d < lookers_.count; d *= 2) {
    Operands far = ops_.shuffle(ShuffleKind::kXor, values, u32(static_cast<uint32_t>(d)));
    Operand is_left = prim(Op::kEq, prim(Op::kAnd, lane_, i64(d)), i64(0));
    if (ops_.areReorderable()) {
      values = ops_.apply(values, far);
    } else {
      values = ops_.apply(ops_.select(is_left, values, far), ops_.select(is_left, far, values));
    }
  }
  return values;
}

// blocks_ := the prefix of lane event / 2 and the sums of the lanes below it, the oldest first.
void LookBack::foldBlocks(const Pair& pair, const Operand& event) {
  const Operands own = asOperands(pair.block);
  if (ops_.areReorderable()) {
    return assignAll(code_, blocks_, anyOrder(own, word(Op::kSub, event, u32(kComplete))));
  }
  Operand number = word(Op::kMachineLshr, word(Op::kSub, event, u32(kComplete)), u32(1));
  // Lanes whose element failed take no part in shuffles, and events may be anything then.
  number = word(Op::kAnd, number, u32(static_cast<uint32_t>(lookers_.count - 1)));
  Operand oldest =
      code_.let("oldest", ScalarType::kI64,
                Convert{prim::ConvertKind::kValue, ScalarType::kU32, ScalarType::kI64, number});
  assignAll(code_, blocks_, ops_.shuffle(ShuffleKind::kFrom, own, number));
  code_.forLoop("nearer", i64(0), oldest, [&](const Operand& turn) {
    Operand from = asWord(code_, code_.sub(code_.sub(oldest, i64(1)), turn));
    Operands more = ops_.shuffle(ShuffleKind::kFrom, own, from);
    assignAll(code_, blocks_, ops_.apply(asOperands(blocks_), more));
  });
}

}  // namespace halo::gpu
