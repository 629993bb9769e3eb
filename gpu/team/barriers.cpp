// Accesses since the last barrier, carried through the statements in order; a loop's body starts
// with the accesses that its own end leaves as well.
#include "gpu/team/team.h"
#include "lang/imp/accesses.h"

namespace halo::gpu {

using namespace imp;

namespace {

struct Pending {
  std::set<int64_t> read, written;

  void add(const Pending& other) {
    read.insert(other.read.begin(), other.read.end());
    written.insert(other.written.begin(), other.written.end());
  }
};

bool meet(const std::set<int64_t>& a, const std::set<int64_t>& b) {
  for (int64_t one : a) {
    if (b.contains(one)) return true;
  }
  return false;
}

class Barriers {
 public:
  explicit Barriers(const MemoryOf& memory) : memory_(memory) {}

  Block run(const Block& block, Pending& pending) {
    Block out;
    for (const Stm& stm : block) {
      if (const auto* loop = std::get_if<For>(&stm.node);
          loop != nullptr && loop->schedule != Schedule::kParallel) {
        For copy = *loop;
        copy.body = repeated(loop->body, pending);
        out.push_back({std::move(copy)});
      } else if (const auto* loop = std::get_if<While>(&stm.node)) {
        out.push_back({repeated(*loop, pending)});
      } else if (const auto* branch = std::get_if<If>(&stm.node)) {
        Pending other = pending;
        If copy = *branch;
        copy.then_block = run(branch->then_block, pending);
        copy.else_block = run(branch->else_block, other);
        pending.add(other);
        out.push_back({std::move(copy)});
      } else {
        single(stm, pending, out);
      }
    }
    return out;
  }

 private:
  void single(const Stm& stm, Pending& pending, Block& out) {
    Pending own;
    forEachAccess({stm}, [&](BufferId buffer, Access access) {
      std::set<int64_t>& places = access == Access::kLoad ? own.read : own.written;
      for (int64_t place : memory_(buffer)) places.insert(place);
    });
    const bool must_wait = meet(own.read, pending.written) || meet(own.written, pending.written) ||
                           meet(own.written, pending.read);
    if (must_wait) {
      out.push_back({Barrier{}});
      pending = {};
    }
    pending.add(own);
    out.push_back(stm);
  }

  Block repeated(const Block& body, Pending& pending) {
    Pending end = pending;
    run(body, end);
    pending.add(end);
    Pending again = pending;
    Block made = run(body, again);
    pending.add(again);
    return made;
  }
  While repeated(const While& loop, Pending& pending) {
    Pending end = pending;
    run(loop.before, end);
    run(loop.body, end);
    pending.add(end);
    Pending again = pending;
    While made = loop;
    made.before = run(loop.before, again);
    pending.add(again);
    made.body = run(loop.body, again);
    return made;
  }

  const MemoryOf& memory_;
};

}  // namespace

Block placeBarriers(const Block& body, const MemoryOf& memory) {
  Pending pending;
  return Barriers(memory).run(body, pending);
}

}  // namespace halo::gpu
