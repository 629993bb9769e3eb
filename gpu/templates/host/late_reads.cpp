// From top to bottom: reads wait until a statement mentions their result, or the block ends.
#include "gpu/templates/host/late_reads.h"

#include <utility>

#include "lang/imp/walk.h"

namespace halo::gpu {

using namespace imp;

namespace {

class LateReads {
 public:
  Block run(const Block& block) {
    Block out;
    for (size_t i = 0; i < block.size(); i++) {
      if (i + 1 < block.size() && isReadOnce(block[i], block[i + 1])) {
        if (needs(block[i])) flush(out);
        wait(block[i]);
        wait(block[++i]);
        continue;
      }
      if (needs(block[i])) flush(out);
      out.push_back(inside(block[i]));
    }
    flush(out);
    return out;
  }

 private:
  static bool isReadOnce(const Stm& stm, const Stm& next) {
    const auto* read = std::get_if<ReadScalar>(&stm.node);
    const auto* free = std::get_if<Free>(&next.node);
    return read != nullptr && free != nullptr && read->buffer == free->buffer;
  }

  void wait(const Stm& stm) {
    if (const auto* read = std::get_if<ReadScalar>(&stm.node)) {
      vars_.insert(read->var);
      buffers_.insert(read->buffer);
    }
    waiting_.push_back(stm);
  }
  void flush(Block& out) {
    for (Stm& stm : std::exchange(waiting_, {})) out.push_back(std::move(stm));
    vars_.clear();
    buffers_.clear();
  }

  // Whether a statement, or one inside, mentions the result of a waiting read.
  bool needs(const Stm& stm) const {
    if (waiting_.empty()) return false;
    bool found = false;
    forEachStm({stm}, [&](const Stm& each) {
      forEachOperand(each, [&](const Operand& operand) {
        found = found || (!operand.isConstant() && vars_.contains(operand.var));
      });
      forEachBuffer(each, [&](BufferId buffer) { found = found || buffers_.contains(buffer); });
    });
    return found;
  }

  static Stm inside(const Stm& stm) {
    Stm copy = stm;
    if (auto* branch = std::get_if<If>(&copy.node)) {
      branch->then_block = lateReads(branch->then_block);
      branch->else_block = lateReads(branch->else_block);
    } else if (auto* counted = std::get_if<For>(&copy.node)) {
      counted->body = lateReads(counted->body);
    } else if (auto* loop = std::get_if<While>(&copy.node)) {
      loop->before = lateReads(loop->before);
      loop->body = lateReads(loop->body);
    }
    return copy;
  }

  Block waiting_;
  std::unordered_set<VarId> vars_;
  std::unordered_set<BufferId> buffers_;
};

}  // namespace

Block lateReads(const Block& block) { return LateReads().run(block); }

}  // namespace halo::gpu
