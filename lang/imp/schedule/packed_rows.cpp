// First which loads are meant, then the loop in strips with these loads replaced.
#include "lang/imp/schedule/packed_rows.h"

#include <algorithm>
#include <optional>
#include <unordered_map>
#include <unordered_set>

#include "lang/imp/copy_block.h"
#include "lang/imp/private_arrays.h"
#include "lang/imp/schedule/transposed_tiles.h"
#include "lang/imp/walk.h"

namespace halo::imp {
namespace {

using prim::Op;

constexpr size_t kMaxArrays = 4;

// lane * stride + row + a fixed offset.
struct Place {
  std::optional<Operand> stride;
  std::optional<VarId> row;
  Operands fixed;
  bool operator==(const Place&) const = default;
};

struct Rows {  // one array that is walked along
  BufferId buffer;
  Place place;
  Operand count;  // of a row
  std::vector<VarId> loads;
};

class Walk {
 public:
  Walk(const Program& program, const For& loop) : program_(program), lane_(loop.var) {
    inside_.insert(loop.var);
    collect(loop.body);
    visit(loop.body, 0);
    std::erase_if(rows, [&](const Rows& r) { return written_.contains(r.buffer); });
  }
  std::vector<Rows> rows;

 private:
  void collect(const Block& block) {
    forEachStm(block, [&](const Stm& stm) {
      if (const auto* let = std::get_if<Let>(&stm.node)) inside_.insert(let->var);
      if (const auto* loop = std::get_if<For>(&stm.node)) inside_.insert(loop->var);
      if (const auto* store = std::get_if<Store>(&stm.node)) written_.insert(store->buffer);
    });
  }

  bool isFixed(const Operand& operand) const {
    return operand.isConstant() ||
           (!inside_.contains(operand.var) && !program_.vars[operand.var].is_mutable);
  }

  // `depth`: loops around, inside of the lanes.
  void visit(const Block& block, int depth) {
    for (const Stm& stm : block) {
      if (const auto* let = std::get_if<Let>(&stm.node)) define(*let, depth);
      if (const auto* loop = std::get_if<For>(&stm.node)) {
        const bool counts = loop->lo == Operand::ofI64(0) && isFixed(loop->hi);
        if (counts) ends_[loop->var] = loop->hi;
        visit(loop->body, depth + 1);
      }
      if (const auto* loop = std::get_if<While>(&stm.node)) {
        visit(loop->before, depth + 1), visit(loop->body, depth + 1);
      }
      if (const auto* branch = std::get_if<If>(&stm.node)) {
        visit(branch->then_block, depth), visit(branch->else_block, depth);
      }
    }
  }

  std::optional<Place> placeOf(const Operand& operand) const {
    if (isFixed(operand)) return Place{{}, {}, {operand}};
    if (operand.var == lane_) return std::nullopt;  // neighbours: as they should be
    if (ends_.contains(operand.var)) return Place{{}, operand.var, {}};
    auto found = places_.find(operand.var);
    return found == places_.end() ? std::nullopt : std::optional(found->second);
  }

  void define(const Let& let, int depth) {
    if (const auto* load = std::get_if<Load>(&let.expr)) {
      if (depth >= 2) note(let.var, *load);
      return;
    }
    const auto* prim = std::get_if<Prim>(&let.expr);
    if (prim == nullptr || prim->type != ScalarType::kI64) return;
    if (prim->op == Op::kMul) {
      for (size_t k = 0; k < 2; ++k) {
        const Operand& by = prim->args[1 - k];
        if (prim->args[k] == Operand(lane_) && isFixed(by)) places_[let.var] = Place{by, {}, {}};
      }
    } else if (prim->op == Op::kAdd) {
      std::optional<Place> a = placeOf(prim->args[0]), b = placeOf(prim->args[1]);
      const bool fits = a && b && !(a->stride && b->stride) && !(a->row && b->row);
      if (!fits) return;
      if (b->stride) a->stride = b->stride;
      if (b->row) a->row = b->row;
      a->fixed.insert(a->fixed.end(), b->fixed.begin(), b->fixed.end());
      places_[let.var] = std::move(*a);
    }
  }

  void note(VarId var, const Load& load) {
    std::optional<Place> place = placeOf(load.index);
    if (!place || !place->stride || !place->row) return;
    for (Rows& known : rows) {
      if (known.buffer != load.buffer || known.place != *place) continue;
      known.loads.push_back(var);
      return;
    }
    const Operand count = ends_.at(*place->row);
    rows.push_back({load.buffer, std::move(*place), count, {var}});
  }

  const Program& program_;
  VarId lane_;
  std::unordered_set<VarId> inside_;
  std::unordered_set<BufferId> written_;
  std::unordered_map<VarId, Operand> ends_;  // of inner loops from 0
  std::unordered_map<VarId, Place> places_;
};

class Strips {
 public:
  Strips(Builder& b, const For& loop, const PackedRows& place, std::vector<Rows> rows)
      : b_(b), loop_(loop), place_(place), rows_(std::move(rows)) {}

  void append() {
    Operand is_short = Scalar::ofBool(true);
    for (const Rows& rows : rows_) {
      const Operand fits =
          b_.prim(Op::kLe, ScalarType::kI64, {rows.count, Operand::ofI64(kMaxPackedRow)});
      is_short = b_.prim(Op::kAnd, ScalarType::kBool, {is_short, fits});
    }
    if (!place_.parallel) allocate(is_short);
    b_.ifThenElse(
        is_short, [&] { strips(is_short); }, [&] { whole(); });
    if (!place_.parallel) release();
  }

 private:
  void allocate(Operand is_short) {
    for (const Rows& rows : rows_) {
      const Operand elements =
          b_.mul(b_.max(rows.count, Operand::ofI64(0)), Operand::ofI64(kStrip));
      const Operand wanted =
          b_.let("elements", ScalarType::kI64, Select{is_short, elements, Operand::ofI64(0)});
      packed_.push_back(place_.allocate(b_, b_.program().buffers[rows.buffer].type, wanted));
    }
  }
  void release() {
    for (BufferId buffer : packed_) place_.release(b_, buffer);
  }

  void whole() {
    For plain = loop_;
    if (place_.parallel) plain.schedule = Schedule::kParallel;
    b_.append(std::move(plain));
  }

  void strips(Operand is_short) {
    constexpr int64_t kShift = 10;
    static_assert(kStrip == 1 << kShift);
    const Operand step = Operand::ofI64(kStrip);
    const Operand lanes = b_.add(b_.sub(loop_.hi, loop_.lo), Operand::ofI64(kStrip - 1));
    const Operand count =
        b_.prim(Op::kMachineShr, ScalarType::kI64, {lanes, Operand::ofI64(kShift)});
    const VarId strip = b_.program().addVar("strip", ScalarType::kI64);
    Block body = b_.capture([&] {
      if (place_.parallel) allocate(is_short);
      const Operand first = b_.add(loop_.lo, b_.mul(strip, step));
      const Operand last = b_.min(b_.add(first, step), loop_.hi);
      for (size_t k = 0; k < rows_.size(); ++k) pack(rows_[k], packed_[k], first, last);
      lanesOf(first, last);
      if (place_.parallel) release();
    });
    b_.append(For{strip, Operand::ofI64(0), count,
                  place_.parallel ? Schedule::kParallel : Schedule::kSequential, 1,
                  std::move(body)});
  }

  void pack(const Rows& rows, BufferId packed, Operand first, Operand last) {
    const VarId l = b_.program().addVar("l", ScalarType::kI64);
    const VarId i = b_.program().addVar("i", ScalarType::kI64);
    const Operand lanes = b_.sub(last, first);
    Block body = b_.capture([&] {
      const Operand to = b_.mul(l, Operand::ofI64(kStrip));
      Block cells = b_.capture([&] {
        const Operand lane = b_.add(first, i);
        Operand from = b_.add(b_.mul(lane, *rows.place.stride), l);
        for (const Operand& fixed : rows.place.fixed) from = b_.add(from, fixed);
        const Operand value = b_.load(rows.buffer, from);
        const Operand at = b_.add(to, i);
        b_.store(packed, at, value);
      });
      b_.append(For{i, Operand::ofI64(0), lanes, Schedule::kVector, 16, std::move(cells)});
    });
    const std::vector<VarId> transposed = transposedLoads(b_.program(), body, l);
    For loop{l, Operand::ofI64(0), rows.count, Schedule::kSequential, 1, std::move(body)};
    if (!transposed.empty()) return appendTransposedTiles(b_, std::move(loop), transposed, false);
    b_.append(std::move(loop));
  }

  // The loop itself for some of its lanes.
  void lanesOf(Operand first, Operand last) {
    Program& program = b_.program();
    const VarId lane = program.addVar(program.vars[loop_.var].name, ScalarType::kI64);
    Block body = rewriteBlock(loop_.body, [&](Stm stm, Block& out) {
      auto* let = std::get_if<Let>(&stm.node);
      for (size_t k = 0; let != nullptr && k < rows_.size(); ++k) {
        const std::vector<VarId>& loads = rows_[k].loads;
        if (std::find(loads.begin(), loads.end(), let->var) == loads.end()) continue;
        Block index = b_.capture([&] {
          const Operand row = b_.mul(*rows_[k].place.row, Operand::ofI64(kStrip));
          const Operand column = b_.sub(loop_.var, first);
          let->expr = Load{packed_[k], b_.add(row, column)};
        });
        std::move(index.begin(), index.end(), std::back_inserter(out));
        break;
      }
      out.push_back(std::move(stm));
    });
    For part = loop_;
    part.var = lane;
    part.lo = first, part.hi = last;
    part.schedule = Schedule::kVector;
    part.body = copyOf(program, body, {{loop_.var, lane}}, {});
    b_.append(std::move(part));
  }

  Builder& b_;
  const For& loop_;
  const PackedRows& place_;
  std::vector<Rows> rows_;
  std::vector<BufferId> packed_;
};

// Two copies of the loop would share them.
bool hasPrivateArrays(const Program& program, const Block& body) {
  const BufferUses uses = bufferUses(body);
  return std::any_of(uses.begin(), uses.end(), [&](const auto& use) {
    const BufferInfo& info = program.buffers[use.first];
    return info.space == Space::kPrivate && info.contents.empty();
  });
}

}  // namespace

bool appendInStrips(Builder& b, const For& loop, const PackedRows& place) {
  if (!mayBeCopied(loop.body) || hasPrivateArrays(b.program(), loop.body)) return false;
  std::vector<Rows> rows = Walk(b.program(), loop).rows;
  if (rows.empty() || rows.size() > kMaxArrays) return false;
  Strips(b, loop, place, std::move(rows)).append();
  return true;
}

}  // namespace halo::imp
