// Word 0 has the epoch above the number of tickets taken, then those of each place follow.
#include "gpu/templates/scan/tile_state.h"

namespace halo::gpu {

using namespace imp;
using prim::Op;

namespace {

constexpr uint32_t kTileStateMostPolls = 50000;  // below the loop limit of software devices

Operand ofU64(uint64_t value) { return prim::Scalar::ofUnsigned(ScalarType::kU64, value); }

Operand converted(Builder& code, ScalarType from, ScalarType to, const Operand& value) {
  return code.let("w", to, Convert{prim::ConvertKind::kValue, from, to, value});
}

}  // namespace

Operand statusWord(TileStatus status) { return ofU64(status); }

TileState::TileState(std::vector<ScalarType> types, int64_t of_block)
    : types_(std::move(types)), of_block_(of_block) {
  for (ScalarType type : types_) words_ += wordsOf(type);
}

void TileState::make(Builder& host, const TileLines& lines) {
  lines_ = lines;
  blocks_ = of_block_ == 0 ? i64(0) : groupsFor(host, lines.tiles, of_block_);
  first_block_ = host.mul(host.mul(lines.count, lines.tiles), lines.values);
  Operand of_blocks = host.mul(host.mul(lines.count, blocks_), lines.values);
  Operand places = host.add(first_block_, of_blocks);
  Operand count = host.add(host.mul(places, i64(static_cast<int64_t>(words_))), i64(1));
  buffer_ = host.alloc("state", ScalarType::kU64, Space::kDevice, count, Holds::kStates);
}

// Of tile or block `number` of the line, which has `count` of them.
Operand TileState::placeOf(KernelScope& scope, const Operand& line, const Operand& number,
                           const Operand& count, const Operand& value) const {
  Builder& code = scope.code();
  Operand row = code.add(code.mul(line, scope.scalar(count)), number);
  return code.add(code.mul(row, scope.scalar(lines_.values)), value);
}

Operand TileState::ofTile(KernelScope& scope, const Operand& line, const Operand& tile,
                          const Operand& value) const {
  return placeOf(scope, line, tile, lines_.tiles, value);
}

Operand TileState::ofBlock(KernelScope& scope, const Operand& line, const Operand& block,
                           const Operand& value) const {
  Operand place = placeOf(scope, line, block, blocks_, value);
  return scope.code().add(place, scope.scalar(first_block_));
}

// The last one leaves no tickets, and the next epoch.
Operand TileState::ticket(KernelScope& scope) {
  Builder& code = scope.code();
  BufferId given = scope.shared("ticket", ScalarType::kU32, 2);
  Operand leader = code.prim(Op::kEq, ScalarType::kI64, {scope.localId(), i64(0)});
  code.ifThenElse(leader, [&] {
    VarId old = code.program().addVar("old", ScalarType::kU64);
    code.append(Atomic{AtomicOp::kAdd, scope.buffer(buffer_), i64(0), ofU64(1), old});
    const Operand ticket = converted(code, ScalarType::kU64, ScalarType::kU32, old);
    const Operand high = code.prim(Op::kMachineLshr, ScalarType::kU64, {Operand(old), ofU64(32)});
    const Operand epoch = converted(code, ScalarType::kU64, ScalarType::kU32, high);
    code.store(given, i64(0), ticket);
    code.store(given, i64(1), code.prim(Op::kMachineShl, ScalarType::kU32, {epoch, u32(2)}));
    const Operand others = asWord(code, code.sub(scope.groupCount(), i64(1)));
    const Operand is_last = code.prim(Op::kEq, ScalarType::kU32, {ticket, others});
    code.ifThenElse(is_last, [&] {
      const Operand next = code.prim(Op::kAdd, ScalarType::kU64, {high, ofU64(1)});
      const Operand word = code.prim(Op::kMachineShl, ScalarType::kU64, {next, ofU64(32)});
      code.append(Atomic{AtomicOp::kStore, scope.buffer(buffer_), i64(0), word, {}});
    });
  });
  code.append(Barrier{});
  epoch_ = code.load(given, i64(1));
  return converted(code, ScalarType::kU32, ScalarType::kI64, code.load(given, i64(0)));
}

Operand TileState::at(Builder& code, const Operand& place, size_t word) const {
  return code.add(code.mul(place, i64(static_cast<int64_t>(words_))),
                  i64(1 + static_cast<int64_t>(word)));
}

void TileState::post(KernelScope& scope, const Operand& place, const Operands& values,
                     const Operand& status) const {
  Builder& code = scope.code();
  const Operand epoch = converted(code, ScalarType::kU32, ScalarType::kU64, epoch_);
  Operand both_high = code.prim(Op::kOr, ScalarType::kU64, {epoch, status});
  Operand high = code.prim(Op::kMachineShl, ScalarType::kU64, {both_high, ofU64(32)});
  size_t next = 0;
  for (size_t k = 0; k < values.size(); ++k) {
    for (const Operand& word : toWords(code, types_[k], values[k])) {
      Operand low = converted(code, ScalarType::kU32, ScalarType::kU64, word);
      Operand both = code.prim(Op::kOr, ScalarType::kU64, {high, low});
      Operand where = at(code, place, next++);
      code.append(Atomic{AtomicOp::kStore, scope.buffer(buffer_), where, both, {}});
    }
  }
}

// The status of a word of this epoch, else none: what is above the status must be equal.
Operand TileState::inEpoch(Builder& code, const Operand& high) const {
  const Operand status = code.prim(Op::kXor, ScalarType::kU32, {high, epoch_});
  const Operand is_own = code.prim(Op::kLe, ScalarType::kU32, {status, u32(kPrefix)});
  return code.let("status", ScalarType::kU32, Select{is_own, status, u32(kNone)});
}

TileState::Seen TileState::see(KernelScope& scope, const Operand& place,
                               const Operand& exists) const {
  Builder& code = scope.code();
  Seen seen;
  for (size_t k = 0; k < words_; ++k) {
    VarId old = code.program().addVar("state", ScalarType::kU64);
    Operand where = at(code, place, k);
    code.append(Atomic{AtomicOp::kLoad, scope.buffer(buffer_), where, ofU64(0), old});
    Operand high = code.prim(Op::kMachineLshr, ScalarType::kU64, {Operand(old), ofU64(32)});
    seen.words.push_back(converted(code, ScalarType::kU64, ScalarType::kU32, old));
    const Operand status = inEpoch(code, converted(code, ScalarType::kU64, ScalarType::kU32, high));
    if (k == 0) {
      seen.status = status;
    } else {
      Operand same = code.prim(Op::kEq, ScalarType::kU32, {status, seen.status});
      seen.status = code.let("status", ScalarType::kU32, Select{same, status, u32(kNone)});
    }
  }
  seen.status = code.let("status", ScalarType::kU32, Select{exists, seen.status, u32(kNone)});
  return seen;
}

Operands TileState::valuesOf(KernelScope& scope, const Seen& seen) const {
  Operands values;
  auto next = seen.words.begin();
  for (ScalarType type : types_) {
    auto end = next + static_cast<std::ptrdiff_t>(wordsOf(type));
    values.push_back(fromWords(scope.code(), type, Operands(next, end)));
    next = end;
  }
  return values;
}

void lookBackUntil(Builder& code, const std::function<Operand()>& look,
                   const std::function<void(const Operand& event)>& take) {
  auto word = [&](Op op, const Operand& a, const Operand& b) {
    return code.prim(op, ScalarType::kU32, {a, b});
  };
  VarId waits = code.declare("waits", ScalarType::kBool, prim::Scalar::ofBool(true));
  VarId polls = code.declare("polls", ScalarType::kU32, u32(0));
  code.whileLoop([&] { return Operand(waits); },
                 [&] {
                   Operand event = look();
                   Operand odd = word(Op::kAnd, event, u32(1));
                   Operand known = word(Op::kEq, odd, u32(0));
                   code.ifThenElse(
                       known,
                       [&] {
                         take(event);
                         code.assign(waits, prim::Scalar::ofBool(false));
                       },
                       [&] {
                         Operand next = word(Op::kAdd, polls, u32(1));
                         code.assign(polls, next);
                         code.assign(waits, word(Op::kLt, next, u32(kTileStateMostPolls)));
                       });
                 });
  Operand gave_up = word(Op::kGe, polls, u32(kTileStateMostPolls));
  code.ifThenElse(gave_up, [&] { code.fail(diag::Code::engine_unsupported, {}, {}); });
}

}  // namespace halo::gpu
