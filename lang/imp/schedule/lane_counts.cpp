// First the statements that compute the sizes, then those of them that the second part leaves out.
#include "lang/imp/schedule/lane_counts.h"

#include <algorithm>
#include <map>
#include <set>
#include <unordered_set>

#include "lang/imp/copy_block.h"
#include "lang/imp/operands.h"
#include "lang/imp/schedule/lane_size.h"
#include "lang/imp/walk.h"

namespace halo::imp {
namespace {

using prim::Op;
using Vars = std::unordered_set<VarId>;

// Lanes take the steps of the longest iteration and write arrays as large for each. Vectors of
// eight lanes do not make up for more than so many times the work.
constexpr int64_t kMaxUneven = 4;
constexpr int64_t kMaxCounted = int64_t{1} << 40;  // elements; sums of these do not overflow

// Variables that a statement binds or assigns, with its inner blocks, and those it reads.
struct Effects {
  explicit Effects(const Stm& stm) {
    forEachStm({stm}, [&](const Stm& inner) {
      checks = checks || std::holds_alternative<Fail>(inner.node);
      if (boundAs<Load>(inner) == nullptr) {
        forEachBuffer(inner, [&](BufferId buffer) { changed.insert(buffer); });
      }
      if (const auto* let = std::get_if<Let>(&inner.node)) defined.insert(let->var);
      if (const auto* var = std::get_if<Declare>(&inner.node)) defined.insert(var->var);
      if (const auto* loop = std::get_if<For>(&inner.node)) defined.insert(loop->var);
      if (const auto* var = std::get_if<Assign>(&inner.node)) {
        defined.insert(var->var), assigned.insert(var->var);
      }
      forEachOperand(inner, [&](const Operand& operand) {
        if (!operand.isConstant()) read.insert(operand.var);
      });
    });
  }
  Vars defined, assigned, read;
  std::unordered_set<BufferId> changed;
  bool checks = false;
};

bool meets(const Vars& some, const Vars& others) {
  return std::any_of(some.begin(), some.end(), [&](VarId var) { return others.contains(var); });
}

bool isLoop(const Stm& stm) {
  return std::holds_alternative<For>(stm.node) || std::holds_alternative<While>(stm.node);
}

class Counting {
 public:
  Counting(Program& program, VarId var, Block& body) : program_(program), var_(var), body_(body) {
    for (const Stm& stm : body) effects_.emplace_back(stm);
  }

  LaneCounts run(std::vector<Alloc>& arrays) {
    std::erase_if(arrays, [&](const Alloc& alloc) { return !take(alloc); });
    LaneCounts counts;
    if (arrays.empty()) return counts;
    counts.var = program_.addVar(program_.vars[var_].name, ScalarType::kI64);
    counts.first = program_.addVar("first", ScalarType::kI64);
    Builder b(program_);
    for (const size_t at : slice_) b.append(body_[at].node);
    const Operand lane = b.sub(var_, counts.first);
    for (Alloc& alloc : arrays) {
      const BufferId sizes = array("sizes", ScalarType::kI64);
      b.store(sizes, lane, alloc.elements);
      const VarId most = program_.addVar("most", ScalarType::kI64, true);
      counts.sizes.push_back({most, sizes});
      alloc.elements = most;
    }
    leaveOut(b, lane);
    counts.code = copyOf(program_, b.take(), {{var_, counts.var}}, {});
    rest(counts.first);
    return counts;
  }

 private:
  BufferId array(const std::string& name, ScalarType type) {
    Builder b(program_);
    return b.buffer(name, type, Space::kPrivate, kVectorBytes / 4);
  }

  // Adds the statements that the size depends on, unless they may fail or cannot come first.
  bool take(const Alloc& alloc) {
    const auto found = std::find_if(body_.begin(), body_.end(), [&](const Stm& stm) {
      const auto* one = std::get_if<Alloc>(&stm.node);
      return one != nullptr && one->buffer == alloc.buffer;
    });
    if (found == body_.end() || alloc.elements.isConstant()) return false;
    Vars needed{alloc.elements.var};
    std::set<size_t> slice;
    for (size_t at = static_cast<size_t>(found - body_.begin()); at-- > 0;) {
      const Effects& effects = effects_[at];
      if (!meets(effects.defined, needed)) continue;
      if (!canComeFirst(at)) return false;
      needed.insert(effects.read.begin(), effects.read.end());
      needed.insert(effects.assigned.begin(), effects.assigned.end());
      slice.insert(at);
    }
    slice_.insert(slice.begin(), slice.end());
    return true;
  }

  // Statements behind a check may rely on it: only arithmetic comes in front of it.
  bool canComeFirst(size_t at) const {
    const auto before = effects_.begin() + static_cast<ptrdiff_t>(at);
    const bool is_checked =
        std::any_of(effects_.begin(), before, [](const Effects& each) { return each.checks; });
    const auto isChanged = [&](BufferId buffer) {
      return std::any_of(effects_.begin(), before,
                         [&](const Effects& each) { return each.changed.contains(buffer); });
    };
    bool can = true;
    forEachStm({body_[at]}, [&](const Stm& stm) {
      const auto* load = boundAs<Load>(stm);
      const auto* let = std::get_if<Let>(&stm.node);
      const bool is_harmless =
          std::holds_alternative<Declare>(stm.node) || std::holds_alternative<Assign>(stm.node) ||
          std::holds_alternative<For>(stm.node) || std::holds_alternative<If>(stm.node) ||
          (let != nullptr && isArithmetic(let->expr) && !mayTrap(let->expr));
      const bool may_rely = std::holds_alternative<While>(stm.node) ||
                            (let != nullptr && isArithmetic(let->expr)) ||
                            (load != nullptr && !isChanged(load->buffer));
      can = can && (is_harmless || (may_rely && !is_checked));
    });
    return can && mayBeCopied({body_[at]});
  }

  // From the last statement on: those whose values the second part does not read. It loads what
  // loops have computed.
  void leaveOut(Builder& b, const Operand& lane) {
    Vars read;
    const auto keep = [&](const Effects& effects) {
      read.insert(effects.read.begin(), effects.read.end());
      read.insert(effects.assigned.begin(), effects.assigned.end());
    };
    for (size_t at = body_.size(); at-- > 0;) {
      const Effects& effects = effects_[at];
      if (!slice_.contains(at)) {
        keep(effects);
        continue;
      }
      if (isLoop(body_[at])) {
        if (!canHandOn(effects, read)) {
          keep(effects);
          continue;
        }
        for (const VarId var : effects.assigned) {
          if (read.erase(var) > 0) handOn(b, at, var, lane);
        }
      } else if (meets(effects.defined, read)) {
        keep(effects);
        continue;
      }
      out_.insert(at);
    }
  }

  // Variables that a loop assigns and the second part reads have no other assignment and room.
  bool canHandOn(const Effects& effects, const Vars& read) const {
    return std::all_of(effects.defined.begin(), effects.defined.end(), [&](VarId var) {
      if (!read.contains(var)) return true;
      size_t assigning = 0;
      for (const Effects& each : effects_) assigning += each.assigned.contains(var) ? 1 : 0;
      return effects.assigned.contains(var) && assigning == 1 &&
             program_.vars[var].type != ScalarType::kBool;
    });
  }

  void handOn(Builder& b, size_t at, VarId var, const Operand& lane) {
    const BufferId values = array(program_.vars[var].name, program_.vars[var].type);
    b.store(values, lane, var);
    handed_on_[at].push_back({var, values});
  }

  // The second part.
  void rest(VarId first) {
    Builder b(program_);
    if (handed_on_.empty() && out_.empty()) return;
    const Operand lane = b.sub(var_, first);
    for (size_t at = 0; at < body_.size(); ++at) {
      for (const auto& [var, values] : handed_on_[at]) {
        program_.vars[var].is_mutable = false;
        b.append(Let{var, Load{values, lane}});
      }
      if (!out_.contains(at)) b.append(std::move(body_[at].node));
    }
    body_ = b.take();
  }

  Program& program_;
  VarId var_;
  Block& body_;
  std::vector<Effects> effects_;  // of its statements
  std::set<size_t> slice_, out_;  // statements of the body
  std::map<size_t, std::vector<std::pair<VarId, BufferId>>> handed_on_;
};

}  // namespace

LaneCounts countFirst(Program& program, VarId var, Block& body, std::vector<Alloc>& arrays) {
  return Counting(program, var, body).run(arrays);
}

Operand appendCounts(Builder& b, const LaneCounts& counts, const Operand& end, int lanes) {
  For loop{counts.var, counts.first, end, Schedule::kVector, lanes, counts.code};
  loop.lanes = true;
  b.append(std::move(loop));
  const Operand zero = Operand::ofI64(0);
  for (const LaneCounts::Size& size : counts.sizes) b.append(Declare{size.most, zero});
  const VarId used = b.declare("used", ScalarType::kI64, zero);
  const Operand iterations = b.sub(end, counts.first);
  b.forLoop("lane", zero, iterations, [&](const Operand& lane) {
    for (const LaneCounts::Size& size : counts.sizes) {
      const Operand own = b.load(size.sizes, lane);
      b.assign(size.most, b.max(size.most, own));
      b.assign(used, b.add(used, b.min(b.max(own, zero), Operand::ofI64(kMaxCounted))));
    }
  });
  Operand most = zero;
  for (const LaneCounts::Size& size : counts.sizes) {
    most = b.add(most, b.min(size.most, Operand::ofI64(kMaxCounted)));
  }
  const Operand room = b.mul(most, iterations);
  return b.prim(prim::Op::kLe, ScalarType::kI64, {room, b.mul(used, Operand::ofI64(kMaxUneven))});
}

}  // namespace halo::imp
