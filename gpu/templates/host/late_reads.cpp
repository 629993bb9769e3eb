// From top to bottom: reads, and scalars computed from them, wait until another statement mentions
// their result, or the block ends.
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
    for (size_t i = 0; i < block.size(); ++i) {
      if (i + 1 < block.size() && isReadOnce(block[i], block[i + 1])) {
        if (needs(block[i])) flush(out);
        wait(block[i]);
        wait(block[++i]);
        continue;
      }
      if (needs(block[i])) {
        if (computes(block[i]) && !changes(block[i])) {
          wait(block[i]);
          continue;
        }
        flush(out);
      } else if (changes(block[i])) {
        flush(out);
      }
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

  // Scalar code: it has the same value wherever its operands do.
  static bool computes(const Stm& stm) {
    const auto* let = std::get_if<Let>(&stm.node);
    return let != nullptr && !std::holds_alternative<Load>(let->expr);
  }

  void wait(const Stm& stm) {
    if (const auto* let = std::get_if<Let>(&stm.node)) {
      vars_.insert(let->var);
      forEachOperand(stm, [&](const Operand& operand) {
        if (!operand.isConstant()) operands_.insert(operand.var);
      });
    }
    if (const auto* read = std::get_if<ReadScalar>(&stm.node)) {
      vars_.insert(read->var);
      buffers_.insert(read->buffer);
    }
    waiting_.push_back(stm);
  }
  void flush(Block& out) {
    for (Stm& stm : std::exchange(waiting_, {})) out.push_back(std::move(stm));
    vars_.clear();
    operands_.clear();
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

  // Whether a statement, or one inside, assigns to an operand of waiting scalar code.
  bool changes(const Stm& stm) const {
    if (operands_.empty()) return false;
    bool found = false;
    forEachStm({stm}, [&](const Stm& each) {
      const auto* assign = std::get_if<Assign>(&each.node);
      found = found || (assign != nullptr && operands_.contains(assign->var));
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
  std::unordered_set<VarId> operands_;
  std::unordered_set<BufferId> buffers_;
};

}  // namespace

Block lateReads(const Block& block) { return LateReads().run(block); }

}  // namespace halo::gpu
