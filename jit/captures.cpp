// One walk over a block that knows the operands, buffers and binders of every statement.
#include "jit/captures.h"

#include <algorithm>
#include <unordered_set>

#include "lang/base/match.h"
#include "lang/imp/operands.h"

namespace halo::jit {

using imp::Block;
using imp::BufferId;
using imp::Operand;
using imp::VarId;

namespace {

struct Walk {
  std::vector<VarId> used;  // in order of first use
  std::unordered_set<VarId> defined, seen;
  std::vector<BufferId> buffers;
  std::unordered_set<BufferId> bound;  // allocated or bound anew
  imp::BufferUses uses;

  void use(VarId var) {
    if (seen.insert(var).second) used.push_back(var);
  }
  void use(const Operand& o) {
    if (!o.isConstant()) use(o.var);
  }
  void use(const imp::Operands& os) {
    for (const Operand& o : os) use(o);
  }
  void use(BufferId buffer) {
    if (uses[buffer]++ == 0) buffers.push_back(buffer);
  }
  void bind(BufferId buffer) { use(buffer), bound.insert(buffer); }
  void expr(const imp::Expr& e) {
    if (const auto* load = std::get_if<imp::Load>(&e)) use(load->buffer);
    use(imp::operandsOf(e));
  }
  void loop(const imp::For& n) {
    use(n.lo), use(n.hi);
    defined.insert(n.var);
    block(n.body);
  }
  void block(const Block& block_) {
    for (const imp::Stm& stm : block_) statement(stm);
  }
  void statement(const imp::Stm& stm) {
    base::match(
        stm.node, [&](const imp::Let& n) { expr(n.expr), defined.insert(n.var); },
        [&](const imp::Declare& n) { use(n.initial), defined.insert(n.var); },
        [&](const imp::Assign& n) { use(n.value), use(n.var); },
        [&](const imp::Store& n) { use(n.buffer), use(n.index), use(n.value), use(n.stream); },
        [&](const imp::For& n) { loop(n); },
        [&](const imp::While& n) { block(n.before), use(n.condition), block(n.body); },
        [&](const imp::If& n) { use(n.condition), block(n.then_block), block(n.else_block); },
        [&](const imp::Alloc& n) { bind(n.buffer), use(n.elements); },
        [&](const imp::Free& n) { use(n.buffer); },
        [&](const imp::Rebind& n) { bind(n.dst), use(n.src); },
        [&](const imp::Swap& n) { use(n.a), use(n.b); },
        [&](const imp::CopyBuffer& n) {
          use(n.dst), use(n.dst_offset), use(n.src), use(n.src_offset), use(n.count);
        },
        [&](const imp::Fail& n) { use(n.operands); }, [&](const imp::Barrier&) {},
        [&](const imp::Atomic& n) { use(n.buffer), use(n.index), use(n.value); },
        [&](const imp::Launch& n) {
          use(n.groups), use(n.scalars);
          for (BufferId buffer : n.buffers) use(buffer);
        },
        [&](const imp::ExitFlag& n) { bind(n.buffer); }, [](const imp::OrderedSection&) {},
        [&](const imp::Append& n) {
          for (BufferId buffer : n.buffers) use(buffer);
          use(n.next), use(n.condition), use(n.values);
        },
        [&](const imp::ReadScalar& n) { use(n.buffer), use(n.index), defined.insert(n.var); },
        [&](const imp::Call& n) {
          use(n.scalars);
          for (BufferId buffer : n.buffers) use(buffer);
          for (BufferId buffer : n.result_buffers) bind(buffer);
          defined.insert(n.results.begin(), n.results.end());
        },
        [&](const imp::LoadVector& n) {
          use(n.buffer), use(n.index), defined.insert(n.vars.begin(), n.vars.end());
        },
        [&](const imp::StoreVector& n) { use(n.buffer), use(n.index), use(n.values); },
        [](const imp::MatrixOp&) {});  // of kernels
  }
};

constexpr int64_t kUnknownTrips = 64, kCallWork = 1000, kAllocWork = 200;
constexpr int64_t kMuch = int64_t{1} << 40;

int64_t times(int64_t work, int64_t trips) {
  return trips <= 0 ? 0 : work > kMuch / trips ? kMuch : work * trips;
}

int64_t tripsOf(const imp::For& n) {
  if (!n.lo.isConstant() || !n.hi.isConstant()) return kUnknownTrips;
  return n.hi.constant.asSigned() - n.lo.constant.asSigned();
}

}  // namespace

Captures capturesOf(const imp::Program& program, const imp::BufferUses& all, const imp::For& loop) {
  Walk inside;
  inside.loop(loop);
  Captures captures;
  for (VarId var : inside.used) {
    bool is_bound = loop.lo == Operand(var) || loop.hi == Operand(var);
    if (!inside.defined.contains(var) || is_bound) captures.vars.push_back(var);
  }
  for (BufferId buffer : inside.buffers) {
    const imp::BufferInfo& info = program.buffers[buffer];
    if (!info.contents.empty() || inside.bound.contains(buffer)) continue;
    bool is_local = info.space == imp::Space::kPrivate && inside.uses[buffer] == all.at(buffer);
    if (!is_local) captures.buffers.push_back(buffer);
  }
  return captures;
}

int64_t estimatedWork(const Block& body) {
  int64_t work = 0;
  for (const imp::Stm& stm : body) {
    work += base::match(
        stm.node, [](const imp::For& n) { return times(estimatedWork(n.body), tripsOf(n)); },
        [](const imp::While& n) { return times(estimatedWork(n.body), kUnknownTrips); },
        [](const imp::If& n) {
          return std::max(estimatedWork(n.then_block), estimatedWork(n.else_block)) + 1;
        },
        [](const imp::Call&) { return kCallWork; }, [](const imp::Alloc&) { return kAllocWork; },
        [](const imp::CopyBuffer&) { return kUnknownTrips; },
        base::otherwise([](const auto&) { return int64_t{1}; }));
    work = std::min(work, kMuch);
  }
  return work;
}

}  // namespace halo::jit
