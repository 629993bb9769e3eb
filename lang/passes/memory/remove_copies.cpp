// Forwards for aliases and for where values are bound, then backwards with the values used later.
#include "lang/passes/memory/remove_copies.h"

#include <algorithm>
#include <iterator>

#include "lang/core/visit.h"
#include "lang/passes/simplify/simplify_parts.h"

namespace halo::passes {
namespace {

using core::Body;
using core::Operand;
using core::Stm;
using core::ValueId;
using ValueSet = std::unordered_set<ValueId>;

// The values used later, each with the roots whose memory it may show. A use in one arm of a match
// is not later in another.
class LiveValues {
 public:
  void add(ValueId value, core::Roots shown) {
    const auto [at, is_new] = shown_.try_emplace(value, std::move(shown));
    if (!is_new) return;
    order_.push_back(value);
    for (ValueId root : at->second) uses_[root]++;
  }
  bool shows(ValueId root) const { return uses_.contains(root); }
  const std::vector<ValueId>& all() const { return order_; }

  size_t mark() const { return order_.size(); }
  // Forgets the values added since the mark, and returns them.
  std::vector<ValueId> rewind(size_t mark) {
    std::vector<ValueId> since(order_.begin() + static_cast<std::ptrdiff_t>(mark), order_.end());
    for (ValueId value : since) forget(value);
    order_.resize(mark);
    return since;
  }
  // Before its definition a value shows nothing.
  void remove(ValueId value) {
    if (!shown_.contains(value)) return;
    forget(value);
    // Near the end: uses stand behind definitions.
    order_.erase(std::prev(std::find(order_.rbegin(), order_.rend(), value).base()));
  }

 private:
  void forget(ValueId value) {
    const auto at = shown_.find(value);
    for (ValueId root : at->second) {
      const auto uses = uses_.find(root);
      if (--uses->second == 0) uses_.erase(uses);
    }
    shown_.erase(at);
  }

  std::unordered_map<ValueId, core::Roots> shown_;
  std::unordered_map<ValueId, int> uses_;
  std::vector<ValueId> order_;
};

// Dropping a copy gives its source all that was the copy's: every decision sees the changes of
// those before it, further down in the program.
class CopyRemover {
 public:
  CopyRemover(core::Program& program, core::Function& function)
      : program_(program),
        function_(function),
        aliases_(program),
        joined_(program),
        consumption_(program, function) {}

  void run() {
    for (size_t i = 0; i < function_.params.size(); ++i) {
      if (function_.consumed[i]) level_[function_.params[i]] = 0;
    }
    bindLevels(function_.body, 0);
    sink(function_.body);
    LiveValues live;
    find(function_.body, live, 0);
    if (replaced_.empty()) return;
    erase(function_.body);
    for (auto& [copy, source] : replaced_) {
      for (auto next = replaced_.find(source.value); next != replaced_.end();) {
        source = next->second;
        next = replaced_.find(source.value);
      }
    }
    core::substitute(program_, function_.body, replaced_);
  }

 private:
  // Copies whose source is read in front of their first use stand behind these reads: `fuse` joins
  // reads of several updates. They stay in front of other copies of that memory, which may go then.
  void sink(Body& body) {
    for (size_t i = body.stms.size(); i-- > 0;) {
      core::visitBodies(body.stms[i].expr, [&](Body& nested) { sink(nested); });
      const auto* copy = std::get_if<core::Copy>(&body.stms[i].expr);
      if (copy == nullptr || consumption_.isConsumed(copy->array)) continue;
      const core::Roots source = rootsOf(copy->array);
      const auto mayOwn = [&](ValueId root) { return level_.contains(root); };
      if (!std::all_of(source.begin(), source.end(), mayOwn)) continue;
      const ValueId result = body.stms[i].results[0];
      const auto at = body.stms.begin() + static_cast<std::ptrdiff_t>(i);
      bool is_read = false;
      const auto use = std::find_if(at + 1, body.stms.end(), [&](const Stm& stm) {
        const ValueSet used = core::freeValues(program_, stm);
        if (used.contains(result)) return true;
        const bool reads = showsAny(used, source);
        if (reads && std::holds_alternative<core::Copy>(stm.expr)) return true;
        is_read = is_read || reads;
        return false;
      });
      if (use != body.stms.end() && is_read) std::rotate(at, at + 1, use);
    }
  }
  bool showsAny(const ValueSet& values, const core::Roots& roots) {
    return std::any_of(values.begin(), values.end(), [&](ValueId value) {
      if (program_.type(value).isScalar()) return false;
      const core::Roots shown = rootsOf(value);
      return std::any_of(shown.begin(), shown.end(), [&](ValueId root) {
        return std::find(roots.begin(), roots.end(), root) != roots.end();
      });
    });
  }

  // A slide's elements alias each other: neither it nor a view of it may be consumed.
  void bindOverlapping(const Stm& stm) {
    bool overlaps = std::holds_alternative<core::Slide>(stm.expr);
    if (auto array = core::viewed(stm.expr)) overlaps = overlaps || overlapping_.contains(*array);
    if (overlaps) overlapping_.insert(stm.results.begin(), stm.results.end());
  }

  // How many lambdas and loops are around the binder; absent: may not be consumed.
  void bindLevels(const Body& body, int level) {
    for (const Stm& stm : body.stms) {
      bool once = std::holds_alternative<core::Match>(stm.expr);
      if (const auto* loop = std::get_if<core::Loop>(&stm.expr)) {
        for (const core::Carried& c : loop->carried) {
          if (c.consumed) level_[c.param] = level + 1;
        }
      }
      core::visitBodies(stm.expr,
                        [&](const Body& nested) { bindLevels(nested, once ? level : level + 1); });
      bindOverlapping(stm);
      std::vector<core::Roots> roots = aliases_.resultRoots(stm);
      const std::vector<core::Roots> joined =
          once ? std::vector<core::Roots>() : joined_.resultRoots(stm);
      for (size_t i = 0; i < stm.results.size(); ++i) {
        aliases_.bind(stm.results[i], roots[i]);
        level_[stm.results[i]] = level;
        if (once) {
          joined_.bindFresh(stm.results[i]);
        } else {
          joined_.bind(stm.results[i], joined[i]);
        }
      }
    }
  }

  core::Roots rootsOf(ValueId value) { return rename(aliases_.of(value), renamed_); }

  // A result of a match shows the roots of all arms behind the match, and in each arm those of this
  // arm. So it is live by itself, not by its roots.
  void addJoined(LiveValues& live, const core::Roots& values) {
    for (ValueId value : values) live.add(value, core::unite(rootsOf(value), {value}));
  }
  void use(LiveValues& live, const Operand& o) {
    if (o.isConstant() || program_.type(o).isScalar()) return;
    addJoined(live, rename(joined_.of(o.value), renamed_joined_));
  }

  void find(const Body& body, LiveValues& live, int level) {
    for (const Operand& result : body.results) use(live, result);
    for (size_t i = body.stms.size(); i-- > 0;) {
      const Stm& stm = body.stms[i];
      findInside(stm, live, level);
      if (const auto* copy = std::get_if<core::Copy>(&stm.expr)) {
        const ValueId result = stm.results[0];
        if (isShareable(result, copy->array) || isOwnedUntilHere(copy->array, live, level)) {
          drop(result, copy->array, live);
        }
      }
      core::visitUses(stm.expr, [&](const auto& operand) { use(live, Operand(operand)); });
    }
  }

  void findInside(const Stm& stm, LiveValues& live, int level) {
    if (std::holds_alternative<core::Match>(stm.expr)) return findInArms(stm, live, level);
    core::visitBodies(stm.expr, [&](const Body& nested) {
      LiveValues inside;
      find(nested, inside, level + 1);
      addJoined(live, inside.all());
    });
  }
  void findInArms(const Stm& match, LiveValues& live, int level) {
    for (ValueId result : match.results) live.remove(result);
    core::Roots used;
    core::visitBodies(match.expr, [&](const Body& arm) {
      const size_t mark = live.mark();
      find(arm, live, level);
      const core::Roots in_arm = live.rewind(mark);
      used.insert(used.end(), in_arm.begin(), in_arm.end());
    });
    addJoined(live, used);
  }

  void drop(ValueId copy, ValueId source, LiveValues& live) {
    replaced_[copy] = source;
    const core::Roots joined = rename(joined_.of(source), renamed_joined_);
    renamed_[copy] = rootsOf(source);
    renamed_joined_[copy] = joined;
    if (live.shows(copy)) addJoined(live, joined);
    live.remove(copy);  // behind its definition it shows its source, which is live as such
    consumption_.rename(copy, source);
  }

  bool isShareable(ValueId copy, ValueId source) {
    return !consumption_.isConsumed(copy) && !consumption_.isConsumed(source);
  }

  bool isOwnedUntilHere(ValueId source, const LiveValues& live, int level) {
    if (overlapping_.contains(source)) return false;
    const core::Roots roots = rootsOf(source);
    return std::all_of(roots.begin(), roots.end(), [&](ValueId root) {
      auto bound = level_.find(root);
      return bound != level_.end() && bound->second == level && !live.shows(root);
    });
  }

  void erase(Body& body) {
    std::erase_if(body.stms, [&](const Stm& stm) {
      return std::holds_alternative<core::Copy>(stm.expr) && replaced_.contains(stm.results[0]);
    });
    for (Stm& stm : body.stms) {
      core::visitBodies(stm.expr, [&](Body& nested) { erase(nested); });
    }
  }

  core::Program& program_;
  core::Function& function_;
  core::Aliases aliases_;
  core::Aliases joined_;  // in which a result of a match is a root of its own
  Consumption consumption_;
  std::unordered_map<ValueId, int> level_;
  ValueSet overlapping_;
  core::Substitution replaced_;  // copies by their sources
  RenamedRoots renamed_;         // the copies as roots
  RenamedRoots renamed_joined_;
};

}  // namespace

core::Program removeCopies(const core::Program& program) {
  core::Program result = program;
  for (core::Function& function : result.functions) removeCopies(result, function);
  return result;
}

void removeCopies(core::Program& program, core::Function& function) {
  CopyRemover(program, function).run();
}

}  // namespace halo::passes
