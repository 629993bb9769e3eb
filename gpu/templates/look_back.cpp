// Both forms differ in who sees what: an invocation sees several places one by one, or each lane of
// a subgroup sees one.
#include "gpu/templates/look_back.h"

namespace halo::gpu {

using namespace imp;
using prim::Op;

namespace {

constexpr int64_t kSeen = 8;          // places under way, where an invocation looks alone
constexpr uint32_t kWaits = 1023;     // events: blocks are known, none is a prefix yet

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

std::vector<VarId> LookBack::alone(const Where& where, const Operands& total) {
  open(where);
  postOwn(total);
  tilesAlone();
  postBlock(total, [&] { blocksAlone(); }, prim::Scalar::ofBool(true));
  return joined();
}

std::vector<VarId> LookBack::together(const Where& where, const Operands& total,
                                      const Operand& lane, int64_t lanes) {
  open(where);
  Operand leads = prim(Op::kEq, lane, i64(0));
  code_.ifThenElse(leads, [&] { postOwn(total); });
  Operand waits = prim(Op::kGt, in_block_, i64(0));
  code_.ifThenElse(waits, [&] { tilesTogether(lane, lanes); });
  postBlock(total, [&] { blocksTogether(lane, lanes); }, leads);
  return joined();
}

void LookBack::open(const Where& where) {
  where_ = where;
  block_ = prim(Op::kMachineLshr, where.tile, i64(log2Of(state_.ofBlock())));
  in_block_ = prim(Op::kAnd, where.tile, i64(state_.ofBlock() - 1));
  first_ = code_.sub(where.tile, in_block_);
  tiles_ = ops_.declare("tiles", ops_.neutral());
  blocks_ = ops_.declare("blocks", ops_.neutral());
}

void LookBack::postOwn(const Operands& total) {
  Operand place = state_.ofTile(scope_, where_.line, where_.tile, where_.value);
  state_.post(scope_, place, total, statusWord(kOwn));
}

// The last tile of a block speaks for it, as soon as it can. `posts`: whether this invocation does.
void LookBack::postBlock(const Operands& total, const std::function<void()>& search,
                         const Operand& posts) {
  Operand is_last = prim(Op::kEq, in_block_, i64(state_.ofBlock() - 1));
  Operand speaks = code_.prim(Op::kAnd, ScalarType::kBool, {is_last, posts});
  Operand is_first = prim(Op::kEq, block_, i64(0));
  auto place = [&] { return state_.ofBlock(scope_, where_.line, block_, where_.value); };
  auto all = [&] { return ops_.apply(asOperands(tiles_), total); };
  code_.ifThenElse(speaks, [&] {
    Operand status = code_.let("status", ScalarType::kU64,
                               Select{is_first, statusWord(kPrefix), statusWord(kOwn)});
    state_.post(scope_, place(), all(), status);
  });
  Operand later = code_.prim(Op::kNot, ScalarType::kBool, {is_first});
  code_.ifThenElse(later, [&] {
    search();
    code_.ifThenElse(speaks, [&] {
      Operands up_to = ops_.apply(asOperands(blocks_), all());
      state_.post(scope_, place(), up_to, statusWord(kPrefix));
    });
  });
}

// blocks_ := what all tiles before have.
std::vector<VarId> LookBack::joined() {
  Operand is_first = prim(Op::kEq, block_, i64(0));
  Operand begins = prim(Op::kEq, in_block_, i64(0));
  Operands both = ops_.apply(asOperands(blocks_), asOperands(tiles_));
  Operands with = ops_.select(begins, asOperands(blocks_), both);
  assignAll(code_, blocks_, ops_.select(is_first, asOperands(tiles_), with));
  return blocks_;
}

// Event 1 where the place exists and nothing has been posted there, else 0.
Operand LookBack::missing(const TileState::Seen& seen, const Operand& exists) {
  Operand has_nothing = word(Op::kEq, seen.status, u32(kNone));
  Operand both = code_.prim(Op::kAnd, ScalarType::kBool, {has_nothing, exists});
  return code_.let("event", ScalarType::kU32, Select{both, u32(1), u32(0)});
}

// ---- by one invocation

void LookBack::tilesAlone() {
  Operand more = code_.add(in_block_, i64(kSeen - 1));
  Operand looks = prim(Op::kMachineLshr, more, i64(log2Of(kSeen)));
  code_.forLoop("look", i64(0), looks, [&](const Operand& look) {
    std::vector<TileState::Seen> seen;
    std::vector<Operand> exists;
    for (int64_t l = 0; l < kSeen; l++) {
      Operand i = code_.add(code_.mul(look, i64(kSeen)), i64(l));
      exists.push_back(prim(Op::kLt, i, in_block_));
    }
    auto seeAll = [&] {
      seen.clear();
      Operand event = u32(0);
      for (int64_t l = 0; l < kSeen; l++) {
        Operand i = code_.min(code_.add(code_.mul(look, i64(kSeen)), i64(l)), in_block_);
        Operand place = state_.ofTile(scope_, where_.line, code_.add(first_, i), where_.value);
        const Operand& is_there = exists[static_cast<size_t>(l)];
        seen.push_back(state_.see(scope_, place, is_there));
        event = word(Op::kOr, event, missing(seen.back(), is_there));
      }
      return event;
    };
    lookBackUntil(code_, seeAll, [&](const Operand&) {
      Operands acc = asOperands(tiles_);
      for (size_t l = 0; l < seen.size(); l++) {
        Operands more_tiles = ops_.apply(acc, state_.valuesOf(scope_, seen[l]));
        acc = ops_.select(exists[l], more_tiles, acc);
      }
      assignAll(code_, tiles_, acc);
    });
  });
}

void LookBack::blocksAlone() {
  std::vector<TileState::Seen> seen;
  auto seeAll = [&] {
    seen.clear();
    for (int64_t l = 0; l < kSeen; l++) {
      Operand earlier = code_.sub(block_, i64(l + 1));
      Operand exists = prim(Op::kGe, earlier, i64(0));
      Operand place = state_.ofBlock(scope_, where_.line, code_.max(earlier, i64(0)), where_.value);
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
  };
  lookBackUntil(code_, seeAll, [&](const Operand& event) {
    std::vector<Operands> values;
    for (const TileState::Seen& one : seen) values.push_back(state_.valuesOf(scope_, one));
    fold(values, event);
  });
}

// From the oldest of them, the one with the prefix, to the nearest.
void LookBack::fold(const std::vector<Operands>& blocks, const Operand& event) {
  Operands acc = ops_.neutral();
  for (size_t l = blocks.size(); l-- > 0;) {
    Operand twice = u32(static_cast<uint32_t>(2 * l));
    Operand takes = word(Op::kLe, twice, event);
    Operand is_oldest = word(Op::kEq, twice, event);
    Operands more = ops_.select(takes, ops_.apply(acc, blocks[l]), acc);
    acc = ops_.select(is_oldest, blocks[l], more);
  }
  assignAll(code_, blocks_, acc);
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

void LookBack::tilesTogether(const Operand& lane, int64_t lanes) {
  Operand exists = prim(Op::kLt, lane, in_block_);
  Operand tile = code_.add(first_, code_.min(lane, in_block_));
  TileState::Seen seen;
  auto seeOne = [&] {
    Operand place = state_.ofTile(scope_, where_.line, tile, where_.value);
    seen = state_.see(scope_, place, exists);
    Operand has = word(Op::kSub, u32(2), missing(seen, exists));  // 1 or 2: odd where one waits
    return least(has, lanes);
  };
  lookBackUntil(code_, seeOne, [&](const Operand&) {
    Operands value = state_.valuesOf(scope_, seen);
    for (int64_t d = 1; d < lanes; d *= 2) {
      Operands far = ops_.shuffle(ShuffleKind::kUp, value, u32(static_cast<uint32_t>(d)));
      value = ops_.join(prim(Op::kGe, lane, i64(d)), far, value);
    }
    Operand before = code_.max(code_.sub(in_block_, i64(1)), i64(0));
    Operand last = code_.let("lane", ScalarType::kU32,
                             Convert{prim::ConvertKind::kValue, ScalarType::kI64, ScalarType::kU32,
                                     before});
    assignAll(code_, tiles_, ops_.shuffle(ShuffleKind::kFrom, value, last));
  });
}

void LookBack::blocksTogether(const Operand& lane, int64_t lanes) {
  Operand earlier = code_.sub(code_.sub(block_, i64(1)), lane);
  Operand exists = prim(Op::kGe, earlier, i64(0));
  Operand index = code_.let("lane", ScalarType::kU32,
                            Convert{prim::ConvertKind::kValue, ScalarType::kI64, ScalarType::kU32,
                                    lane});
  TileState::Seen seen;
  auto seeOne = [&] {
    Operand place = state_.ofBlock(scope_, where_.line, code_.max(earlier, i64(0)), where_.value);
    seen = state_.see(scope_, place, exists);
    Operand even = word(Op::kAdd, index, index);
    Operand odd = word(Op::kAdd, even, u32(1));
    Operand has_nothing = word(Op::kEq, seen.status, u32(kNone));
    Operand has_prefix = word(Op::kEq, seen.status, u32(kPrefix));
    Operand other = code_.let("event", ScalarType::kU32, Select{has_nothing, odd, u32(kWaits)});
    return least(code_.let("event", ScalarType::kU32, Select{has_prefix, even, other}), lanes);
  };
  lookBackUntil(code_, seeOne, [&](const Operand& event) {
    Operands own = state_.valuesOf(scope_, seen);
    std::vector<Operands> values;
    for (int64_t l = 0; l < lanes; l++) {
      values.push_back(
          ops_.shuffle(ShuffleKind::kFrom, own, u32(static_cast<uint32_t>(l))));
    }
    fold(values, event);
  });
}

}  // namespace halo::gpu
