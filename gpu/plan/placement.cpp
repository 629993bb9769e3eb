// First all scalars that start on the device; then those that host code looks at go out, until
// nothing changes.
#include "gpu/plan/placement.h"

#include <algorithm>
#include <iterator>
#include <set>
#include <unordered_map>
#include <utility>

#include "gpu/plan/host_code.h"
#include "gpu/plan/in_place/elements_in_place.h"
#include "gpu/plan/loops/guardable.h"
#include "gpu/plan/sizes/counted_sizes.h"
#include "lang/core/definitions.h"
#include "lang/core/rewrite.h"

namespace halo::gpu {

using namespace core;

namespace {

// Statements that every invocation of a kernel may compute again. More of them, the elementary
// functions say, cost more than a launch that computes them once.
constexpr size_t kMaxCost = 16;

class Placer {
 public:
  Placer(const Program& program, bool is_final)
      : program_(program), kernels_(program), is_final_(is_final) {}

  Placement run(const Function& host) {
    const Body& body = host.body;
    findOverwritten(body);
    findCounted(body);
    uses_ = useCounts(program_, body);
    for (const Operand& result : body.results) {
      if (!result.isConstant()) uses_[result.value]--;
    }
    while (std::exchange(changed_, false)) find(body);
    started_ = placement_.staying;
    do {
      changed_ = true;
      while (std::exchange(changed_, false)) {
        inspect(body);
        for (size_t i = 0; i < body.results.size(); ++i) {
          bool is_size = i < static_cast<size_t>(host.size_results);
          if (is_size || !isHeld(body.results[i])) drop(body.results[i]);
        }
      }
    } while (dropUnreached(body));
    std::erase_if(placement_.counted, [&](const auto& size) { return !stays(size.first); });
    findWanted(body);
    findChains(body);
    placement_.in_place = elementsInPlace(program_, host, placement_.staying);
    return std::move(placement_);
  }

 private:
  bool stays(const Operand& operand) const {
    return !operand.isConstant() && placement_.staying.contains(operand.value);
  }
  void add(ValueId value) {
    if (!program_.type(value).isScalar() || (is_settling_ && !allowed_.contains(value))) return;
    changed_ |= placement_.staying.insert(value).second;
  }
  // Drops scalars that stayed because of others, which are out by now. Such are in arms of a branch
  // that the host knows, and in loops that carry such scalars.
  bool dropUnreached(const Body& body) {
    allowed_ = std::exchange(placement_.staying, {});
    is_settling_ = true;
    do {
      changed_ = false;
      find(body);
    } while (changed_);
    is_settling_ = false;
    return placement_.staying.size() < allowed_.size();
  }
  void drop(const Operand& operand) {
    if (!operand.isConstant()) changed_ |= placement_.staying.erase(operand.value) > 0;
  }
  void dropAll(const Expr& expr) {
    forEachOperand(expr, [&](const Operand& operand) { drop(operand); });
  }

  // In memory of its own, so that the host can fetch it at any time.
  bool isHeld(const Operand& operand) const { return held_.contains(operand.value); }

  // ---- arrays that change in place, or have views

  void findOverwritten(const Body& body) {
    for (const Stm& stm : body.stms) {
      if (const Function* kernel = kernels_.of(stm)) {
        const Operands& args = std::get<Call>(stm.expr).args;
        for (size_t k = 0; k < args.size(); ++k) {
          if (kernel->consumed[k]) overwritten_.insert(args[k].value);
        }
      } else if (const auto* loop = std::get_if<Loop>(&stm.expr)) {
        for (const Carried& carried : loop->carried) {
          if (carried.consumed) overwritten_.insert(carried.initial.value);
        }
      } else if (const auto* match = std::get_if<Match>(&stm.expr)) {
        // Other names for the same memory.
        for (const Case& one : match->cases) addValues(one.body.results);
        addValues(match->otherwise.results);
      } else if (!std::holds_alternative<Index>(stm.expr)) {
        std::unordered_set<ValueId> used = freeValues(program_, stm);
        overwritten_.insert(used.begin(), used.end());
      }
      forEachBody(stm.expr, [&](const Body& inner) { findOverwritten(inner); });
    }
  }
  void addValues(const Operands& operands) {
    for (const Operand& operand : operands) overwritten_.insert(operand.value);
  }
  bool readsRegister(const Stm& stm) const {
    const auto* index = std::get_if<Index>(&stm.expr);
    return index != nullptr && isRegister(program_, *index) && !overwritten_.contains(index->array);
  }

  // By a position that is asserted before. Every array of host code is in device memory.
  bool readsElement(const Stm& stm) const {
    return std::holds_alternative<Index>(stm.expr) && program_.type(stm.results[0]).isScalar() &&
           !stm.checked;
  }

  // ---- sizes that have bounds

  void findCounted(const Body& body) {
    for (const Stm& stm : body.stms) {
      if (stm.results.size() == 1) definitions_.add(stm);
      const auto counted =
          countedSize(program_, stm, [&](ValueId value) { return definitions_.find(value); });
      if (counted) placement_.counted.emplace(stm.results[0], counted->most);
      forEachBody(stm.expr, [&](const Body& inner) { findCounted(inner); });
    }
  }
  bool isCounted(const Operand& operand) const {
    return stays(operand) && placement_.counted.contains(operand.value);
  }
  // `xs[0:count:1]`, of an array of one axis.
  bool isFront(const Stm& stm) const {
    const auto* slice = std::get_if<Slice>(&stm.expr);
    return slice != nullptr && slice->dims.size() == 1 && slice->dims[0].start == kZero &&
           slice->dims[0].stride == kOne && isCounted(slice->dims[0].length);
  }
  // Bounds of those sizes of results that the host does not know.
  bool leavesSizes(const Stm& stm) const {
    if (kernels_.of(stm) == nullptr && !isFront(stm)) return false;
    return std::all_of(stm.results.begin(), stm.results.end(), [&](ValueId result) {
      const Operands& shape = program_.type(result).shape;
      return shape.size() <= 1 ||
             std::none_of(shape.begin(), shape.end(),
                          [&](const Operand& size) { return isCounted(size); });
    });
  }

  // ---- scalars that start on the device

  void find(const Body& body) {
    for (const Stm& stm : body.stms) {
      if (readsRegister(stm)) placement_.registers.insert(stm.results[0]);
      bool starts = kernels_.of(stm) != nullptr || readsRegister(stm) || readsElement(stm);
      if (starts) held_.insert(stm.results.begin(), stm.results.end());
      if (isComputed(stm)) {
        forEachOperand(stm.expr, [&](const Operand& operand) { starts |= stays(operand); });
      }
      if (starts) {
        for (ValueId result : stm.results) add(result);
      }
      forEachBody(stm.expr, [&](const Body& inner) { find(inner); });
      if (const auto* loop = std::get_if<Loop>(&stm.expr)) findCarried(stm, *loop);
      if (const auto* match = std::get_if<Match>(&stm.expr)) findChosen(stm, *match);
    }
  }
  // An arm's scalar stays where the host chooses the arm. One that only the caller wants is read in
  // the arm: the host waits once for it in any case.
  void findChosen(const Stm& stm, const Match& match) {
    for (size_t k = 0; k < stm.results.size(); ++k) {
      bool starts = stays(match.otherwise.results[k]);
      for (const Case& one : match.cases) starts |= stays(one.body.results[k]);
      if (!starts || uses_[stm.results[k]] <= 0) continue;
      add(stm.results[k]);
      held_.insert(stm.results[k]);
    }
  }
  void findCarried(const Stm& stm, const Loop& loop) {
    for (size_t k = 0; k < loop.carried.size(); ++k) {
      if (!stays(loop.body.results[k]) && !stays(loop.carried[k].initial)) continue;
      add(loop.carried[k].param);
      add(stm.results[k]);
      held_.insert(stm.results[k]);
    }
  }

  // ---- scalars that the host looks at

  void dropSizes(const std::vector<ValueId>& binders) {
    for (ValueId binder : binders) {
      for (const Operand& size : program_.type(binder).shape) drop(size);
    }
  }
  void inspect(const Body& body) {
    const Stm* const around = std::exchange(latest_, nullptr);
    for (const Stm& stm : body.stms) {
      if (!leavesSizes(stm)) dropSizes(stm.results);
      dropSizes(boundIn(stm.expr));
      if (const auto* loop = std::get_if<Loop>(&stm.expr)) {
        inspectLoop(stm, *loop);
      } else {
        inspect(stm);
        forEachBody(stm.expr, [&](const Body& inner) { inspectArm(stm, inner); });
      }
      if (!launchesNothing(stm)) latest_ = &stm;
    }
    latest_ = around;
  }
  void inspectArm(const Stm& stm, const Body& arm) {
    inspect(arm);
    for (size_t k = 0; k < arm.results.size(); ++k) {
      if (!stays(stm.results[k])) drop(arm.results[k]);
    }
  }
  void inspect(const Stm& stm) {
    if (const Function* kernel = kernels_.of(stm)) {
      const Operands& args = std::get<Call>(stm.expr).args;
      for (size_t k = 0; k < args.size(); ++k) {
        if (isPlainScalar(program_, *kernel, k)) continue;
        if (!isCounted(args[k]) || !takesCounted(program_, *kernel, k)) drop(args[k]);
      }
    } else if (isComputed(stm)) {
      inspectComputed(stm);
    } else if (is_final_ && (std::holds_alternative<Assert>(stm.expr) || readsElement(stm))) {
      inspectLeft(stm);
    } else if (!std::holds_alternative<Assert>(stm.expr) && !readsElement(stm) &&
               !readsRow(program_, stm) && !isFront(stm)) {
      dropAll(stm.expr);  // a kernel may do those three
    }
  }
  // A check or an element that no kernel computes: the host looks at its operands.
  void inspectLeft(const Stm& stm) {
    if (const auto* element = std::get_if<Index>(&stm.expr)) {
      for (const Operand& index : element->indices) drop(index);
    } else {
      dropAll(stm.expr);
    }
  }
  // Each kernel computes all of it again. A value that depends on nothing that stays is the host's
  // to know. A check of it must stop the host before it divides by it, or reads an element there.
  void inspectComputed(const Stm& stm) {
    ValueId result = stm.results[0];
    bool depends = false;
    forEachOperand(stm.expr, [&](const Operand& operand) { depends |= stays(operand); });
    if (!depends) drop(result);
    const auto counted = placement_.counted.find(result);
    if (counted != placement_.counted.end()) drop(counted->second);  // the host's to know
    if (!placement_.staying.contains(result)) dropAll(stm.expr);
  }

  // A carried scalar is on the device as a whole or not at all.
  void inspectLoop(const Stm& stm, const Loop& loop) {
    inspect(loop.body);
    size_t condition = loop.carried.size();
    if (const auto* counted = std::get_if<ForLoop>(&loop.form)) {
      drop(counted->bound);
    } else {
      condition = static_cast<size_t>(std::get<WhileLoop>(loop.form).condition);
      inspectCondition(stm, loop, condition);
    }
    for (size_t k = 0; k < loop.carried.size(); ++k) {
      bool on_device = stays(loop.carried[k].param);
      if (k == condition || on_device) continue;
      drop(loop.body.results[k]);
      drop(loop.carried[k].initial);
      drop(stm.results[k]);
    }
  }
  void inspectCondition(const Stm& stm, const Loop& loop, size_t condition) {
    const Operand& next = loop.body.results[condition];
    drop(loop.carried[condition].param);
    drop(stm.results[condition]);
    std::string why =
        stays(next) ? whyNotGuardable(program_, loop) : "the host needs its condition";
    if (why.empty() && is_final_ && !startsAtOnce(loop.carried[condition].initial))
      why = "kernels stand between its first condition and it";
    if (why.empty()) {
      why = whatHostWants(loop.body);
      if (why.empty()) {
        placement_.guarded.insert(next.value);
        return;
      }
    }
    if (!next.isConstant() && started_.contains(next.value)) {
      placement_.unguarded.try_emplace(next.value, why);  // later values follow from that
    }
    if (!next.isConstant()) placement_.guarded.erase(next.value);
    drop(next);
    drop(loop.carried[condition].initial);
  }
  // The kernel that finds no iteration to run stops all launches behind it: the loop's alone.
  bool startsAtOnce(const Operand& initial) const {
    if (!stays(initial)) return true;
    if (latest_ == nullptr || kernels_.of(*latest_) == nullptr) return false;
    const std::vector<ValueId>& made = latest_->results;
    return std::find(made.begin(), made.end(), initial.value) != made.end();
  }
  // The kernels' findings that the host wants; empty: none.
  std::string whatHostWants(const Body& body) const {
    std::string why;
    for (const Stm& stm : body.stms) {
      bool starts = kernels_.of(stm) != nullptr || readsRegister(stm) || readsElement(stm);
      for (ValueId result : stm.results) {
        if (!starts || !program_.type(result).isScalar() || stays(result) || !why.empty()) continue;
        why = "the host needs `" + program_.values[result].name + "` of `" +
              briefly(program_, stm) + "`";
      }
      if (const auto* match = std::get_if<Match>(&stm.expr)) {
        for (const Body* arm : livingArms(*match)) {
          if (why.empty()) why = whatHostWants(*arm);
        }
      } else {
        forEachBody(stm.expr, [&](const Body& inner) {
          if (why.empty()) why = whatHostWants(inner);
        });
      }
    }
    return why;
  }

  // ---- chains of computed scalars

  void findWanted(const Body& body) {
    for (const Stm& stm : body.stms) {
      const Function* kernel = kernels_.of(stm);
      if (kernel != nullptr && !kernel->kernel[0].space.empty()) {
        for (const Operand& arg : std::get<Call>(stm.expr).args) {
          if (stays(arg)) wanted_.insert(arg.value);
        }
      }
      forEachBody(stm.expr, [&](const Body& inner) { findWanted(inner); });
    }
  }
  void findChains(const Body& body) {
    for (const Stm& stm : body.stms) {
      if (isComputed(stm) && stays(stm.results[0])) findChain(stm);
      forEachBody(stm.expr, [&](const Body& inner) { findChains(inner); });
    }
  }
  // Users of one operand compute it once, so statements count, not the paths through them.
  void findChain(const Stm& stm) {
    ValueId result = stm.results[0];
    Chain chain = {result};
    forEachOperand(stm.expr, [&](const Operand& operand) {
      auto found = operand.isConstant() ? chains_.end() : chains_.find(operand.value);
      if (found != chains_.end()) chain.insert(found->second.begin(), found->second.end());
    });
    if (chain.size() > kMaxCost && wanted_.contains(result)) {
      placement_.chains.insert(result);
    } else {
      while (chain.size() > kMaxCost + 1) chain.erase(std::prev(chain.end()));
      chains_[result] = std::move(chain);
    }
  }

  const Program& program_;
  const Kernels kernels_;
  const bool is_final_;
  const Stm* latest_ = nullptr;  // of the body at hand that launches or waits
  Placement placement_;
  std::unordered_map<ValueId, int> uses_;  // but for results of the function
  std::unordered_set<ValueId> overwritten_;
  std::unordered_set<ValueId> held_;
  core::Definitions definitions_;
  bool is_settling_ = false;
  std::unordered_set<ValueId> allowed_;  // while settling: those that stay so far
  std::unordered_set<ValueId> started_;  // scalars that would stay if the host looked at none
  // The operands of a value, direct or not, and itself; one more than the limit stands for more.
  using Chain = std::set<ValueId>;
  std::unordered_map<ValueId, Chain> chains_;
  std::unordered_set<ValueId> wanted_;  // by kernels of many invocations
  bool changed_ = true;
};

}  // namespace

Placement placeScalars(const Program& planned, const Function& host, bool is_final) {
  return Placer(planned, is_final).run(host);
}

}  // namespace halo::gpu
