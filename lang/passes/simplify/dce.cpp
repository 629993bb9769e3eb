// Dead code: backwards, a statement stays if a result is used or if it may fail or not end. Of
// nodes that stay, unused results go, then parameters and inputs that no longer matter, and carried
// values that only compute themselves.
#include <algorithm>

#include "lang/core/node_kinds.h"
#include "lang/core/scatter.h"
#include "lang/core/visit.h"
#include "lang/passes/simplify/simplify_parts.h"

namespace halo::passes {
namespace {

using core::Body;
using core::Lambda;
using core::Loop;
using core::Operand;
using core::Operands;
using core::Stm;
using core::ValueId;

template <typename T>
void keep(std::vector<T>& list, const std::vector<bool>& mask, size_t offset = 0) {
  size_t next = offset;
  for (size_t i = 0; i < mask.size(); ++i) {
    if (mask[i]) std::swap(list[next++], list[offset + i]);
  }
  list.erase(list.begin() + static_cast<std::ptrdiff_t>(next),
             list.begin() + static_cast<std::ptrdiff_t>(offset + mask.size()));
}

bool all(const std::vector<bool>& mask) {
  for (bool bit : mask) {
    if (!bit) return false;
  }
  return true;
}

class Cleaner {
 public:
  explicit Cleaner(core::Program& program) : program_(program), live_(program.values.size()) {}

  bool run(core::Function& function) {
    for (const core::KernelInfo& kernel : function.kernel) use(kernel.space);
    body(function.body);
    return changed_;
  }

 private:
  void use(const Operand& o) {
    if (!o.isConstant()) live_[o.value.index] = true;
  }
  void use(const Operands& os) {
    for (const Operand& o : os) use(o);
  }
  void binder(ValueId v) { use(program_.type(v).shape); }
  bool isLive(ValueId v) const { return live_[v.index]; }

  void body(Body& b) {
    use(b.results);
    std::vector<Stm> kept;
    for (size_t i = b.stms.size(); i-- > 0;) {
      Stm& stm = b.stms[i];
      bool live = false;
      for (ValueId result : stm.results) live = live || isLive(result);
      if (!live && !core::mayFail(stm)) {
        changed_ = true;
        continue;
      }
      statement(stm);
      kept.push_back(std::move(stm));
    }
    b.stms.assign(std::make_move_iterator(kept.rbegin()), std::make_move_iterator(kept.rend()));
  }

  void statement(Stm& stm) {
    if (auto* node = std::get_if<core::Screma>(&stm.expr)) {
      dropReductions(stm, node->reductions, node->map);
      size_t first = combined(node->reductions) + combined(node->scans);
      dropResults(stm, node->map, first);
      lambdas(stm);
      dropInputs(node->inputs, node->map, 0);
    } else if (auto* node = std::get_if<core::Stencil>(&stm.expr)) {
      dropReductions(stm, node->reductions, node->map);
      dropResults(stm, node->map, combined(node->reductions));
      lambdas(stm);
      dropInputs(node->inputs, node->map, dropNeighbours(*node));
      dropInputs(node->positions, node->map, core::firstPosition(*node));
    } else if (auto* node = std::get_if<core::Scatter>(&stm.expr)) {
      dropDestinations(stm, *node);
      lambdas(stm);
      dropInputs(node->inputs, node->map, 0);
    } else if (auto* node = std::get_if<core::Hist>(&stm.expr)) {
      lambdas(stm);
      dropInputs(node->inputs, node->map, 0);
    } else if (auto* node = std::get_if<core::Match>(&stm.expr)) {
      dropMatchResults(stm, *node);
      core::visitBodies(stm.expr, [&](Body& arm) { body(arm); });
    } else if (auto* node = std::get_if<Loop>(&stm.expr)) {
      loop(stm, *node);
    }
    core::visitUses(stm.expr, [&](const auto& operand) { use(Operand(operand)); });
    for (ValueId result : stm.results) binder(result);
  }

  void lambdas(Stm& stm) {
    core::visitLambdas(stm.expr, [&](Lambda& lambda) {
      body(lambda.body);
      for (ValueId param : lambda.params) binder(param);
    });
  }

  template <typename List>
  static size_t combined(const List& list) {
    size_t count = 0;
    for (const auto& item : list) count += item.neutral.size();
    return count;
  }

  void dropReductions(Stm& stm, std::vector<core::Reduction>& reductions, Lambda& map) {
    size_t first = 0;
    for (size_t r = 0; r < reductions.size();) {
      const core::Reduction& reduction = reductions[r];
      size_t count = reduction.neutral.size();
      bool needed = false;
      for (size_t i = 0; i < count; ++i) needed = needed || isLive(stm.results[first + i]);
      for (const Stm& inner : reduction.op.body.stms) needed = needed || core::mayFail(inner);
      if (needed) {
        first += count;
        ++r;
        continue;
      }
      keep(stm.results, std::vector<bool>(count, false), first);
      keep(map.body.results, std::vector<bool>(count, false), first);
      reductions.erase(reductions.begin() + static_cast<std::ptrdiff_t>(r));
      changed_ = true;
    }
  }

  void dropResults(Stm& stm, Lambda& map, size_t first) {
    std::vector<bool> mask;
    for (size_t i = first; i < stm.results.size(); ++i) mask.push_back(isLive(stm.results[i]));
    if (all(mask)) return;
    keep(stm.results, mask, first);
    keep(map.body.results, mask, first);
    changed_ = true;
  }

  // A node has one destination at least: its map may fail.
  void dropDestinations(Stm& stm, core::Scatter& node) {
    std::vector<bool> mask = liveResults(stm);
    if (std::none_of(mask.begin(), mask.end(), [](bool bit) { return bit; })) mask[0] = true;
    if (all(mask)) return;
    std::vector<bool> values;
    const auto writes = static_cast<size_t>(core::writesOf(node));
    for (size_t d = 0; d < mask.size(); ++d) {
      const auto indices = static_cast<size_t>(node.destinations[d].index_rank);
      values.insert(values.end(), writes * (indices + 1), mask[d]);
    }
    keep(node.map.body.results, values);
    keep(stm.results, mask);
    keep(node.destinations, mask);
    changed_ = true;
  }

  std::vector<bool> liveResults(const Stm& stm) const {
    std::vector<bool> mask;
    for (ValueId result : stm.results) mask.push_back(isLive(result));
    return mask;
  }

  // Parameters from `first` on belong to the inputs, or to the axes of positions.
  template <typename Inputs>
  void dropInputs(Inputs& inputs, Lambda& map, size_t first) {
    std::vector<bool> mask;
    for (size_t i = 0; i < inputs.size(); ++i) mask.push_back(isLive(map.params[first + i]));
    if (all(mask)) return;
    keep(map.params, mask, first);
    keep(inputs, mask);
    changed_ = true;
  }

  // Returns how many parameters the windows have then.
  size_t dropNeighbours(core::Stencil& node) {
    size_t first = 0;
    for (core::Window& window : node.windows) {
      std::vector<bool> mask;
      const size_t count = core::paramsOf(window);
      for (size_t i = 0; i < count; ++i) mask.push_back(isLive(node.map.params[first + i]));
      if (window.dynamic.empty() && !all(mask)) {
        keep(node.map.params, mask, first);
        keep(window.offsets, mask);
        changed_ = true;
      }
      first += core::paramsOf(window);
    }
    std::erase_if(node.windows, [](const core::Window& window) {
      return window.dynamic.empty() && window.offsets.empty();
    });
    return first;
  }

  // Sizes of results that stay must stay.
  std::vector<bool> liveBinders(const std::vector<ValueId>& binders) const {
    std::vector<bool> mask;
    for (ValueId v : binders) mask.push_back(isLive(v));
    for (size_t i = 0; i < binders.size(); ++i) {
      for (size_t j = 0; j < binders.size(); ++j) {
        if (!mask[j]) continue;
        for (const Operand& size : program_.type(binders[j]).shape) {
          if (size == Operand(binders[i])) mask[i] = true;
        }
      }
    }
    return mask;
  }

  void dropMatchResults(Stm& stm, core::Match& match) {
    std::vector<bool> mask = liveBinders(stm.results);
    if (all(mask)) return;
    keep(stm.results, mask);
    for (core::Case& c : match.cases) keep(c.body.results, mask);
    keep(match.otherwise.results, mask);
    changed_ = true;
  }

  void loop(Stm& stm, Loop& node) {
    std::vector<bool> mask = liveCarried(stm, node);
    if (!all(mask)) dropCarried(stm, node, mask);
    body(node.body);
    for (const core::Carried& c : node.carried) binder(c.param);
    if (auto* form = std::get_if<core::ForLoop>(&node.form)) use(form->bound);
  }

  // The smallest set that holds the used results and the operands of its own computation.
  std::vector<bool> liveCarried(const Stm& stm, const Loop& node) {
    std::vector<bool> mask = liveBinders(stm.results);
    if (const auto* form = std::get_if<core::WhileLoop>(&node.form)) {
      mask[static_cast<size_t>(form->condition)] = true;
    }
    bool grown = !all(mask);
    while (grown) {
      Loop trial = node;
      Stm trial_stm{stm.results, {}, false, {}};
      Cleaner cleaner(program_);
      keep(trial.body.results, mask);
      cleaner.body(trial.body);
      grown = false;
      for (size_t i = 0; i < mask.size(); ++i) {
        if (mask[i]) cleaner.binder(node.carried[i].param);
      }
      for (size_t i = 0; i < mask.size(); ++i) {
        if (mask[i] || !cleaner.isLive(node.carried[i].param)) continue;
        mask[i] = grown = true;
      }
    }
    return mask;
  }

  void dropCarried(Stm& stm, Loop& node, const std::vector<bool>& mask) {
    if (auto* form = std::get_if<core::WhileLoop>(&node.form)) {
      auto position = static_cast<std::ptrdiff_t>(form->condition);
      form->condition = static_cast<int>(std::count(mask.begin(), mask.begin() + position, true));
    }
    keep(stm.results, mask);
    keep(node.carried, mask);
    keep(node.body.results, mask);
    changed_ = true;
  }

  core::Program& program_;
  std::vector<bool> live_;
  bool changed_ = false;
};

}  // namespace

bool eliminateDeadCode(core::Program& program, core::Function& function) {
  return Cleaner(program).run(function);
}

}  // namespace halo::passes
