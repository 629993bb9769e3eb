// First which arrays, then the new body, then the loop around it.
#include "lang/imp/schedule/lane_arrays.h"

#include <algorithm>
#include <unordered_map>
#include <unordered_set>

#include "lang/imp/memory.h"
#include "lang/imp/operands.h"
#include "lang/imp/schedule/lane_size.h"
#include "lang/imp/schedule/lanes.h"
#include "lang/imp/walk.h"

namespace halo::imp {
namespace {

using prim::Op;

constexpr int64_t kMaxBlockBytes = int64_t{1} << 26;  // of all arrays of a block of lanes

// The values that a body binds, and which of them could be computed in front of it.
class Values {
 public:
  Values(VarId index, const Block& body) : others_{index} {
    forEachStm(body, [&](const Stm& stm) {
      if (const auto* let = std::get_if<Let>(&stm.node)) lets_[let->var] = &let->expr;
      if (const auto* loop = std::get_if<For>(&stm.node)) others_.insert(loop->var);
      if (const auto* var = std::get_if<Declare>(&stm.node)) others_.insert(var->var);
      if (const auto* var = std::get_if<Assign>(&stm.node)) others_.insert(var->var);
    });
  }

  bool isKnownBefore(const Operand& value) const {
    if (value.isConstant()) return true;
    if (others_.contains(value.var)) return false;
    const auto let = lets_.find(value.var);
    if (let == lets_.end()) return true;
    if (!isArithmetic(*let->second) || mayTrap(*let->second)) return false;
    const Operands args = operandsOf(*let->second);
    return std::all_of(args.begin(), args.end(),
                       [&](const Operand& arg) { return isKnownBefore(arg); });
  }

  // Appends copies, under new names, of the statements that compute `value`.
  Operand before(Builder& b, const Operand& value) {
    if (value.isConstant() || !lets_.contains(value.var)) return value;
    if (const auto made = made_.find(value.var); made != made_.end()) return made->second;
    Expr expr = *lets_.at(value.var);
    mapOperands(expr, [&](const Operand& arg) { return before(b, arg); });
    const VarInfo& var = b.program().vars[value.var];
    const Operand made = b.let(var.name, var.type, std::move(expr));
    made_.emplace(value.var, made);
    return made;
  }

 private:
  std::unordered_map<VarId, const Expr*> lets_;
  std::unordered_map<VarId, Operand> made_;
  std::unordered_set<VarId> others_;
};

// An allocation, and the loops of the body around it: it runs if all of them have iterations.
struct Candidate {
  Alloc alloc;
  std::vector<const For*> loops;
};

// The allocations of a block and of its loops. Those in branches might never run.
void collectAllocs(const Block& block, std::vector<const For*>& loops,
                   std::vector<Candidate>& out) {
  for (const Stm& stm : block) {
    if (const auto* alloc = std::get_if<Alloc>(&stm.node)) out.push_back({*alloc, loops});
    if (const auto* loop = std::get_if<For>(&stm.node)) {
      loops.push_back(loop);
      collectAllocs(loop->body, loops, out);
      loops.pop_back();
    }
  }
}

bool hasIterations(const For& loop) {
  return loop.lo.isConstant() && loop.hi.isConstant() &&
         loop.lo.constant.asSigned() < loop.hi.constant.asSigned();
}

// Small arrays of constant size become private memory, of which lanes have their own anyway.
bool staysPrivate(ScalarType type, const Operand& elements, int64_t& all_bytes) {
  if (!elements.isConstant()) return false;
  const int64_t most = kPrivateBytes / prim::byteSize(type);
  if (elements.constant.asSigned() > most) return false;
  all_bytes += std::max<int64_t>(elements.constant.asSigned(), 1) * prim::byteSize(type);
  return all_bytes <= kPrivateBytesOfLane;
}

// Only accesses to elements, one allocation and its end.
std::unordered_set<BufferId> plainlyUsed(const Block& body) {
  std::unordered_map<BufferId, int> allocs, frees;
  std::unordered_set<BufferId> others, plain;
  forEachStm(body, [&](const Stm& stm) {
    const auto* alloc = std::get_if<Alloc>(&stm.node);
    const auto* free = std::get_if<Free>(&stm.node);
    if (alloc != nullptr) allocs[alloc->buffer]++;
    if (free != nullptr) frees[free->buffer]++;
    const bool is_plain =
        alloc != nullptr || free != nullptr || std::holds_alternative<Store>(stm.node) ||
        std::holds_alternative<CopyBuffer>(stm.node) || boundAs<Load>(stm) != nullptr;
    if (!is_plain) forEachBuffer(stm, [&](BufferId buffer) { others.insert(buffer); });
  });
  for (auto [buffer, count] : allocs) {
    if (count == 1 && frees[buffer] > 0 && !others.contains(buffer)) plain.insert(buffer);
  }
  return plain;
}

// Accesses of one iteration to its part of the arrays.
class Rewriting {
 public:
  Rewriting(Program& program, const LaneArrays& arrays, Operand lane)
      : program_(program), arrays_(arrays), lane_(lane) {
    for (const Alloc& alloc : arrays.allocs) own_.insert(alloc.buffer);
  }

  Block run(const Block& body) {
    return rewriteBlock(body, [&](Stm stm, Block& out) {
      if (isOver(stm)) return;
      Builder b(program_);
      if (auto* store = std::get_if<Store>(&stm.node)) {
        store->stream = Operand::ofI64(0);  // blocks are no whole lines
        store->index = place(b, store->buffer, store->index);
      }
      if (auto* let = std::get_if<Let>(&stm.node)) {
        if (auto* load = std::get_if<Load>(&let->expr)) {
          load->index = place(b, load->buffer, load->index);
        }
      }
      const auto* copy = std::get_if<CopyBuffer>(&stm.node);
      const bool is_own = copy != nullptr && (own_.contains(copy->dst) || own_.contains(copy->src));
      if (is_own) {
        copyElements(b, *copy);
      } else {
        b.append(std::move(stm.node));
      }
      for (Stm& made : b.take()) out.push_back(std::move(made));
    });
  }

 private:
  bool isOver(const Stm& stm) const {
    const auto* alloc = std::get_if<Alloc>(&stm.node);
    const auto* free = std::get_if<Free>(&stm.node);
    return (alloc != nullptr && own_.contains(alloc->buffer)) ||
           (free != nullptr && own_.contains(free->buffer));
  }

  Operand place(Builder& b, BufferId buffer, const Operand& index) {
    if (!own_.contains(buffer)) return index;
    return b.add(b.mul(index, arrays_.lanes), lane_);
  }

  void copyElements(Builder& b, const CopyBuffer& copy) {
    b.forLoop("i", Operand::ofI64(0), copy.count, [&](const Operand& i) {
      const Operand from = place(b, copy.src, b.add(copy.src_offset, i));
      const Operand to = place(b, copy.dst, b.add(copy.dst_offset, i));
      b.store(copy.dst, to, b.load(copy.src, from));
    });
  }

  Program& program_;
  const LaneArrays& arrays_;
  Operand lane_;
  std::unordered_set<BufferId> own_;
};

// One vector of the widest elements.
int64_t mostLanes(const Program& program, const LaneArrays& arrays) {
  int widest = 4;
  for (const Alloc& alloc : arrays.allocs) {
    widest = std::max(widest, prim::byteSize(program.buffers[alloc.buffer].type));
  }
  return kVectorBytes / widest;
}

bool usesArrays(const Block& body, const std::unordered_set<BufferId>& arrays) {
  bool uses = false;
  forEachStm(body, [&](const Stm& stm) {
    forEachBuffer(stm, [&](BufferId buffer) { uses = uses || arrays.contains(buffer); });
  });
  return uses;
}

// Sizes are capped, so that their sum does not overflow.
Operand lanesWithRoom(Builder& b, const LaneArrays& arrays, const Operand& most) {
  Operand bytes = Operand::ofI64(0);
  for (const Alloc& alloc : arrays.allocs) {
    const int size = prim::byteSize(b.program().buffers[alloc.buffer].type);
    const Operand capped = b.min(alloc.elements, Operand::ofI64(kMaxBlockBytes));
    bytes = b.add(bytes, b.mul(capped, Operand::ofI64(size)));
  }
  const Operand limit = Operand::ofI64(kMaxBlockBytes), one = Operand::ofI64(1);
  return b.min(most, b.prim(Op::kMachineDiv, ScalarType::kI64, {limit, b.max(bytes, one)}));
}

class Blocks {
 public:
  Blocks(Builder& b, For loop, const LaneArrays& arrays, bool parallel)
      : b_(b),
        loop_(std::move(loop)),
        arrays_(arrays),
        schedule_(parallel ? Schedule::kParallel : Schedule::kSequential),
        most_(mostLanes(b.program(), arrays)) {}

  void append() {
    for (const Stm& stm : arrays_.sizes) b_.append(stm.node);
    const Operand most = Operand::ofI64(most_);
    if (!arrays_.counts.isEmpty()) {
      return forEachBlock(loop_.lo, loop_.hi, most, schedule_, arrays_.counts.first,
                          [&] { counted(b_.min(b_.add(arrays_.counts.first, most), loop_.hi)); });
    }
    const Operand lanes = lanesWithRoom(b_, arrays_, b_.min(most, b_.sub(loop_.hi, loop_.lo)));
    withRoom(lanes, {loop_.lo, loop_.hi}, schedule_);
  }

 private:
  struct Range {
    Operand lo, hi;
  };

  // A block whose iterations have their sizes behind this.
  void counted(const Operand& end) {
    const Operand pays = appendCounts(b_, arrays_.counts, end, static_cast<int>(most_));
    const Operand room = lanesWithRoom(b_, arrays_, Operand::ofI64(most_));
    const Operand lanes = b_.let("lanes", ScalarType::kI64, Select{pays, room, Operand::ofI64(1)});
    withRoom(lanes, {arrays_.counts.first, end}, Schedule::kSequential);
  }

  // One lane is slower than iterations one after the other, each with vectors inside.
  void withRoom(const Operand& lanes, const Range& range, Schedule schedule) {
    const Operand one = Operand::ofI64(1);
    b_.ifThenElse(
        b_.prim(Op::kLt, ScalarType::kI64, {one, lanes}),
        [&] {
          b_.append(Let{arrays_.lanes, Prim{Op::kMax, ScalarType::kI64, {lanes, one}}});
          forEachBlock(range.lo, range.hi, arrays_.lanes, schedule, arrays_.first,
                       [&] { together(range.hi); });
        },
        [&] { alone(range, schedule); });
  }

  void forEachBlock(const Operand& lo, const Operand& hi, const Operand& size, Schedule schedule,
                    VarId first, const std::function<void()>& body) {
    const Operand above = b_.add(b_.sub(hi, lo), b_.sub(size, Operand::ofI64(1)));
    const Operand blocks = b_.prim(Op::kMachineDiv, ScalarType::kI64, {above, size});
    const auto block = [&](const Operand& at) {
      const Operand start = b_.mul(at, size);
      b_.append(Let{first, Prim{Op::kAdd, ScalarType::kI64, {lo, start}}});
      body();
    };
    b_.forLoop("block", Operand::ofI64(0), blocks, block, schedule);
  }

  void together(const Operand& hi) {
    for (const Alloc& alloc : arrays_.allocs) {
      b_.append(Alloc{alloc.buffer, b_.mul(alloc.elements, arrays_.lanes)});
    }
    For part = loop_;
    part.hi = b_.min(b_.add(arrays_.first, arrays_.lanes), hi);
    part.lo = arrays_.first;
    part.schedule = Schedule::kVector;
    part.vector_width = static_cast<int>(most_);
    part.lanes = true;
    b_.append(std::move(part));
    for (const Alloc& alloc : arrays_.allocs) b_.append(Free{alloc.buffer});
  }

  void alone(const Range& range, Schedule schedule) {
    const VarId var = b_.program().addVar(b_.program().vars[loop_.var].name, ScalarType::kI64);
    Block body = rewriteBlock(arrays_.alone, [&](Stm stm, Block& out) {
      mapOperands(stm, [&](const Operand& operand) {
        return operand == Operand(loop_.var) ? Operand(var) : operand;
      });
      out.push_back(std::move(stm));
    });
    b_.append(For{var, range.lo, range.hi, schedule, 1, std::move(body)});
  }

  Builder& b_;
  const For loop_;
  const LaneArrays& arrays_;
  const Schedule schedule_;
  const int64_t most_;
};

}  // namespace

bool vectorsUseOwnArrays(const Block& body) {
  std::unordered_set<BufferId> own;
  forEachStm(body, [&](const Stm& stm) {
    const auto* alloc = std::get_if<Alloc>(&stm.node);
    if (alloc != nullptr && !alloc->elements.isConstant()) own.insert(alloc->buffer);
  });
  bool found = false;
  forEachStm(body, [&](const Stm& stm) {
    const auto* loop = std::get_if<For>(&stm.node);
    if (loop == nullptr || loop->schedule != Schedule::kVector) return;
    found = found || usesArrays(loop->body, own);
  });
  return found;
}

LaneArrays takeLaneArrays(Program& program, VarId var, Block& body) {
  std::vector<Candidate> candidates;
  std::vector<const For*> loops;
  collectAllocs(body, loops, candidates);
  const std::unordered_set<BufferId> plain = plainlyUsed(body);
  Values values(var, body);
  LaneArrays arrays;
  int64_t bytes = 0;
  Builder sizes(program);
  std::vector<Alloc> counted;
  for (const auto& [alloc, around] : candidates) {
    const BufferInfo& info = program.buffers[alloc.buffer];
    if (info.space != Space::kHost || !plain.contains(alloc.buffer)) continue;
    const bool is_known = values.isKnownBefore(alloc.elements) &&
                          std::all_of(around.begin(), around.end(), [&](const For* loop) {
                            return values.isKnownBefore(loop->lo) && values.isKnownBefore(loop->hi);
                          });
    if (!is_known && around.empty()) counted.push_back(alloc);
    if (!is_known || staysPrivate(info.type, alloc.elements, bytes)) continue;
    Operand elements = values.before(sizes, alloc.elements);
    for (const For* loop : around) {
      if (hasIterations(*loop)) continue;
      const Operand lo = values.before(sizes, loop->lo), hi = values.before(sizes, loop->hi);
      const Operand runs = sizes.prim(Op::kLt, ScalarType::kI64, {lo, hi});
      elements = sizes.let("elements", ScalarType::kI64, Select{runs, elements, Operand::ofI64(0)});
    }
    arrays.allocs.push_back({alloc.buffer, elements});
  }
  arrays.counts = countFirst(program, var, body, counted);
  arrays.allocs.insert(arrays.allocs.end(), counted.begin(), counted.end());
  if (arrays.isEmpty()) return arrays;
  arrays.sizes = sizes.take();
  arrays.first = program.addVar("first", ScalarType::kI64);
  arrays.lanes = program.addVar("lanes", ScalarType::kI64);
  Builder b(program);
  const Operand lane = b.sub(Operand(var), arrays.first);
  for (Stm& stm : Rewriting(program, arrays, lane).run(body)) b.append(std::move(stm.node));
  body = b.take();
  return arrays;
}

void appendInBlocks(Builder& b, For loop, const LaneArrays& arrays, bool parallel) {
  Blocks(b, std::move(loop), arrays, parallel).append();
}

}  // namespace halo::imp
