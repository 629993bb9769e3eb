// One walk over the body. The last map is kept open: the next statement joins it or closes it.
#include "lang/passes/fuse/fuse_chains.h"

#include <algorithm>
#include <unordered_map>
#include <unordered_set>

#include "lang/core/rewrite.h"
#include "lang/passes/parallel_node.h"

namespace halo::passes {
namespace {

using core::Body;
using core::Operand;
using core::Stm;
using core::ValueId;

bool isScrema(const Stm& stm) { return std::holds_alternative<core::Screma>(stm.expr); }

bool isParallel(const Stm& stm) {
  return isScrema(stm) || std::holds_alternative<core::Stencil>(stm.expr) ||
         std::holds_alternative<core::Scatter>(stm.expr) ||
         std::holds_alternative<core::Hist>(stm.expr);
}

template <typename List>
void append(List& list, const List& tail) {
  list.insert(list.end(), tail.begin(), tail.end());
}

class Chains {
 public:
  Chains(core::Program& program, Body& body) : program_(program), body_(body) { count(); }

  void run() {
    for (Stm& stm : body_.stms) {
      if (open_ && isScrema(stm) && extend(stm)) continue;
      close();
      if (isScrema(stm)) open(stm);
      last_ = std::move(stm);
    }
    close();
    body_.stms = std::move(out_);
  }

 private:
  void count() {
    for (const Stm& stm : body_.stms) {
      for (ValueId value : core::freeValues(program_, stm)) users_[value]++;
      if (isParallel(stm)) made_.insert(stm.results.begin(), stm.results.end());
    }
    for (const Operand& result : body_.results) {
      if (!result.isConstant()) users_[result.value]++;
    }
  }

  static bool isMap(const ParallelNode& node) {
    return node.reductions.empty() && node.scans.empty();
  }

  void open(const Stm& stm) {
    open_ = decompose(stm);
    if (open_ && !isMap(*open_)) open_.reset();
  }

  void close() {
    if (open_ && is_joint_) last_ = compose(std::move(*open_));
    open_.reset();
    is_joint_ = false;
    if (last_) out_.push_back(std::move(*last_));
    last_.reset();
  }

  // The element of the open map that is this input of the screma behind it.
  const Operand* element(ValueId input) const {
    const std::vector<ValueId>& made = open_->mapped_results;
    const auto found = std::find(made.begin(), made.end(), input);
    return found == made.end() ? nullptr
                               : &open_->mapped[static_cast<size_t>(found - made.begin())];
  }

  // Nothing lies in between, so no order of effects changes.
  bool extend(const Stm& stm) {
    const std::optional<ParallelNode> found = decompose(stm);
    if (!found) return false;  // some rows of a longer reduction
    ParallelNode next = *found;
    const core::Flattening &here = open_->flattening, &there = next.flattening;
    if (next.space != open_->space || (here.any() && there.any() && here != there)) return false;
    core::Substitution elements;
    std::vector<ValueId> inputs = std::move(next.inputs), params = std::move(next.input_params);
    next.inputs.clear(), next.input_params.clear();
    for (size_t i = 0; i < inputs.size(); ++i) {
      if (const Operand* own = element(inputs[i])) {
        if (!program_.type(*own).isScalar()) return false;
        elements[params[i]] = *own;
      } else if (made_.contains(inputs[i])) {
        return false;  // perhaps of a pair with another producer
      } else {
        next.inputs.push_back(inputs[i]), next.input_params.push_back(params[i]);
      }
    }
    if (elements.empty() || usesWhole(next)) return false;
    join(std::move(next), elements, inputs);
    if (!isMap(*open_)) close();
    return true;
  }

  // Does the lambda read a result of the open map other than its own element?
  bool usesWhole(ParallelNode node) const {
    node.inputs.clear(), node.input_params.clear();
    const auto used = core::freeValues(program_, compose(std::move(node)));
    return std::any_of(open_->mapped_results.begin(), open_->mapped_results.end(),
                       [&](ValueId made) { return used.contains(made); });
  }

  void join(ParallelNode next, const core::Substitution& elements,
            const std::vector<ValueId>& taken) {
    Stm own = compose(std::move(next));
    core::substitute(program_, own.expr, elements);
    next = *decompose(own);
    ParallelNode& joint = *open_;
    joint.span = next.span;
    joint.flattening.add(next.flattening);
    append(joint.inputs, next.inputs);
    append(joint.input_params, next.input_params);
    append(joint.stms, next.stms);
    dropTaken(taken);
    joint.reductions = std::move(next.reductions);
    joint.reduced = std::move(next.reduced);
    joint.reduced_results = std::move(next.reduced_results);
    joint.scans = std::move(next.scans);
    joint.scanned = std::move(next.scanned);
    joint.scanned_results = std::move(next.scanned_results);
    append(joint.mapped, next.mapped);
    append(joint.mapped_results, next.mapped_results);
    is_joint_ = true;
  }

  // Results of the open map that no other statement uses.
  void dropTaken(const std::vector<ValueId>& taken) {
    for (size_t i = 0; i < open_->mapped_results.size();) {
      const ValueId made = open_->mapped_results[i];
      const bool is_taken = std::find(taken.begin(), taken.end(), made) != taken.end();
      if (!is_taken || users_[made] > 1) {
        ++i;
        continue;
      }
      open_->mapped_results.erase(open_->mapped_results.begin() + static_cast<std::ptrdiff_t>(i));
      open_->mapped.erase(open_->mapped.begin() + static_cast<std::ptrdiff_t>(i));
    }
  }

  core::Program& program_;
  Body& body_;
  std::unordered_map<ValueId, size_t> users_;  // statements; the end of the body is one more
  std::unordered_set<ValueId> made_;           // by parallel nodes
  std::vector<Stm> out_;
  std::optional<Stm> last_;           // the statement of the open map as it was, or any other one
  std::optional<ParallelNode> open_;  // a map that the next statement may join
  bool is_joint_ = false;
};

}  // namespace

void fuseChains(core::Program& program, Body& body) {
  bool has_neighbours = false;
  for (size_t i = 1; i < body.stms.size(); ++i) {
    has_neighbours = has_neighbours || (isScrema(body.stms[i - 1]) && isScrema(body.stms[i]));
  }
  if (has_neighbours) Chains(program, body).run();
}

}  // namespace halo::passes
