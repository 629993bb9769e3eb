// Bins in shared memory; an invocation's keys of a tile at a stride of the workgroup, so that reads
// of neighbours are adjacent. All digits at once. As many workgroups as keep a device busy go
// through all tiles, and add their bins to the totals at the end.
#include "gpu/templates/sort/sort_counts.h"

#include <algorithm>

namespace halo::gpu {

using namespace imp;
using prim::Op;

namespace {

// The keys of a tile, counted into bins.
class TileCount {
 public:
  TileCount(KernelScope& scope, const SortSchedule& shape, const SortPass& pass, int digits)
      : scope_(scope),
        code_(scope.code()),
        shape_(shape),
        pass_(pass),
        width_(scope.scalar(pass.width)),
        digits_(digits) {
    bins_ = scope.shared("bins", ScalarType::kU32, shape.bins() * digits);
    lid_ = scope.localId();
    is_bin_ = less(lid_, i64(shape.bins()));
  }

  void clear() {
    code_.ifThenElse(is_bin_, [&] {
      for (int d = 0; d < digits_; ++d) code_.store(bins_, binAt(d, lid_), u32(0));
    });
    code_.append(Barrier{});
  }

  // `shifts`: where the digits begin.
  void add(const Operand& tile, const Operands& shifts) {
    Operand start = code_.mul(tile, i64(shape_.tile()));
    Operand left = code_.min(code_.sub(width_, start), i64(shape_.tile()));
    left = code_.max(left, i64(1));
    auto slot = [&](int64_t k) { return code_.add(lid_, i64(k * shape_.workgroup)); };
    auto key_at = [&](const Operand& i) { return keyOf(scope_, pass_, i); };
    auto count = [&](const Operands& words) {
      for (size_t d = 0; d < shifts.size(); ++d) {
        Operand bin = asIndex(code_, digitOf(code_, shape_, shifts[d], words));
        code_.append(Atomic{AtomicOp::kAdd, bins_, binAt(static_cast<int64_t>(d), bin), u32(1)});
      }
    };
    Operand is_whole = code_.prim(Op::kEq, ScalarType::kI64, {left, i64(shape_.tile())});
    code_.ifThenElse(
        is_whole,
        [&] {
          Operand base = code_.add(start, lid_);
          std::vector<Operands> found;
          for (int64_t k = 0; k < shape_.keys; ++k) {
            found.push_back(key_at(code_.add(base, i64(k * shape_.workgroup))));
          }
          for (const Operands& key : found) count(key);
        },
        [&] {
          for (int64_t k = 0; k < shape_.keys; ++k) {
            code_.ifThenElse(less(slot(k), left),
                             [&] { count(key_at(code_.add(start, slot(k)))); });
          }
        });
  }

  // `use` gets the number of a bin, which is the invocation's, and its count.
  void each(const std::function<void(int d, const Operand& bin, const Operand& count)>& use) {
    code_.append(Barrier{});
    code_.ifThenElse(is_bin_, [&] {
      for (int d = 0; d < digits_; ++d) use(d, lid_, code_.load(bins_, binAt(d, lid_)));
    });
  }

 private:
  Operand less(const Operand& a, const Operand& b) {
    return code_.prim(Op::kLt, ScalarType::kI64, {a, b});
  }
  Operand binAt(int64_t digit, const Operand& bin) {
    return code_.add(bin, i64(digit * shape_.bins()));
  }

  KernelScope& scope_;
  Builder& code_;
  const SortSchedule& shape_;
  const SortPass& pass_;
  Operand width_;
  int digits_;
  BufferId bins_;
  Operand lid_, is_bin_;
};

void count(Program& program, Builder& host, const KernelCall& call, const SortSchedule& shape,
           const SortPass& pass) {
  KernelScope scope(program, host, call, pass.name + "_count");
  Builder& code = scope.code();
  Operand tile = scope.groupId();
  TileCount tile_count(scope, shape, pass, 1);
  tile_count.clear();
  tile_count.add(tile, {scope.scalar(pass.shift)});
  tile_count.each([&](int, const Operand& bin, const Operand& found) {
    Operand row = code.mul(bin, scope.scalar(pass.tiles));
    code.store(scope.buffer(pass.counts), code.add(row, tile), found);
  });
  const int workgroup[3] = {static_cast<int>(shape.workgroup), 1, 1};
  scope.launch(workgroup, {pass.tiles, i64(1), i64(1)});
}

// One workgroup for each digit: counts := the sums of those before, totals[digit] := the sum of
// all.
void sum(Program& program, Builder& host, const KernelCall& call, const SortSchedule& shape,
         const SortPass& pass) {
  const int64_t summing = shape.sum_workgroup;
  KernelScope scope(program, host, call, pass.name + "_sum");
  Builder& code = scope.code();
  Operand lid = scope.localId(), digit = scope.groupId();
  Operand tiles = scope.scalar(pass.tiles);
  Operand row = code.mul(digit, tiles);
  Operand each = divideUp(code, tiles, i64(summing));
  Operand first = code.min(code.mul(lid, each), tiles);
  Operand end = code.min(code.add(first, each), tiles);
  BufferId counts = scope.buffer(pass.counts);
  VarId own = code.declare("own", ScalarType::kU32, u32(0));
  code.forLoop("tile", first, end, [&](const Operand& tile) {
    code.assign(own, word(code, Op::kAdd, own, code.load(counts, code.add(row, tile))));
  });
  BufferId shared = scope.shared("sums", ScalarType::kU32, summing);
  Operand before = sumBefore(scope, shared, summing, own);
  VarId running = code.declare("running", ScalarType::kU32, before);
  code.forLoop("tile", first, end, [&](const Operand& tile) {
    Operand at = code.add(row, tile);
    Operand found = code.load(counts, at);
    code.store(counts, at, running);
    code.assign(running, word(code, Op::kAdd, running, found));
  });
  Operand is_last = code.prim(Op::kEq, ScalarType::kI64, {lid, i64(summing - 1)});
  code.ifThenElse(is_last, [&] { code.store(scope.buffer(pass.totals), digit, Operand(running)); });
  const int workgroup[3] = {static_cast<int>(summing), 1, 1};
  scope.launch(workgroup, {i64(shape.bins()), i64(1), i64(1)});
}

// Four words of the state for each invocation; the totals and tickets by the first ones.
void clear(Program& program, Builder& host, const KernelCall& call, const SortSchedule& shape,
           const SortPass& pass) {
  const int64_t digits = pass.digits;
  Operand vectors = host.mul(pass.tiles, i64(digits * shape.bins() / 4));
  KernelScope scope(program, host, call, pass.name + "_clear");
  Builder& code = scope.code();
  Operand i = scope.globalId(0);
  auto below = [&](const Operand& most) { return code.prim(Op::kLt, ScalarType::kI64, {i, most}); };
  code.ifThenElse(below(scope.scalar(vectors)), [&] {
    Operand at = code.mul(i, i64(4));
    storeVectors(code, scope.buffer(pass.state), at, {u32(0), u32(0), u32(0), u32(0)});
  });
  code.ifThenElse(below(i64(digits * shape.bins())),
                  [&] { code.store(scope.buffer(pass.totals), i, u32(0)); });
  code.ifThenElse(below(i64(digits)), [&] { code.store(scope.buffer(pass.tickets), i, u32(0)); });
  Operand all = host.max(vectors, i64(digits * shape.bins()));
  const int workgroup[3] = {256, 1, 1};
  scope.launch(workgroup, {groupsFor(host, all, 256), i64(1), i64(1)});
}

}  // namespace

void countTiles(Program& program, Builder& host, const KernelCall& call, const SortSchedule& shape,
                const SortPass& pass) {
  count(program, host, call, shape, pass);
  sum(program, host, call, shape, pass);
}

void countDigits(Program& program, Builder& host, const KernelCall& call, const SortSchedule& shape,
                 const SortPass& pass) {
  clear(program, host, call, shape, pass);
  KernelScope scope(program, host, call, pass.name + "_digits");
  Builder& code = scope.code();
  Operand groups = host.min(pass.tiles, i64(shape.count_workgroups));
  Operand rounds = divideUp(host, pass.tiles, host.max(groups, i64(1)));
  Operands shifts;
  for (int d = 0; d < pass.digits; ++d) {
    shifts.push_back(u32(static_cast<uint32_t>(pass.low + d * shape.digit_bits)));
  }
  TileCount tile_count(scope, shape, pass, pass.digits);
  tile_count.clear();
  code.forLoop("round", i64(0), scope.scalar(rounds), [&](const Operand& round) {
    Operand before = code.mul(round, scope.scalar(groups));
    Operand tile = code.add(before, scope.groupId());
    Operand exists = code.prim(Op::kLt, ScalarType::kI64, {tile, scope.scalar(pass.tiles)});
    code.ifThenElse(exists, [&] { tile_count.add(tile, shifts); });
  });
  tile_count.each([&](int d, const Operand& bin, const Operand& found) {
    Operand at = code.add(bin, i64(d * shape.bins()));
    code.append(Atomic{AtomicOp::kAdd, scope.buffer(pass.totals), at, found});
  });
  const int workgroup[3] = {static_cast<int>(shape.workgroup), 1, 1};
  scope.launch(workgroup, {groups, i64(1), i64(1)});
}

}  // namespace halo::gpu
