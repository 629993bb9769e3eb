// A chain is found from its last stencil backwards.
#include "gpu/plan/nests/chain.h"

#include <algorithm>
#include <set>
#include <unordered_map>
#include <unordered_set>

#include "gpu/plan/nests/kinds.h"
#include "lang/core/rewrite.h"

namespace halo::gpu {

using namespace core;

namespace {

constexpr size_t kMaxStages = 4;

class Chains {
 public:
  Chains(Program& program, std::vector<Stm> stms, const Operands& results,
         const std::function<bool(const Stm&)>& accepts)
      : program_(program), stms_(std::move(stms)), accepts_(accepts) {
    for (const Operand& result : results) {
      if (!result.isConstant()) kept_.insert(result.value);
    }
    for (size_t k = 0; k < stms_.size(); ++k) {
      for (ValueId used : freeValues(program_, stms_[k])) users_[used].insert(k);
      for (ValueId result : stms_[k].results) made_at_[result] = k;
    }
  }

  std::vector<Stm> run() {
    for (size_t last = stms_.size(); last-- > 0;) {
      if (gone_.contains(last)) continue;
      std::set<size_t> chain = endingAt(last);
      if (chain.size() > 1) replace(chain, last);
    }
    std::vector<Stm> left;
    for (size_t k = 0; k < stms_.size(); ++k) {
      if (!gone_.contains(k)) left.push_back(std::move(stms_[k]));
    }
    return left;
  }

 private:
  const Stencil* stencilAt(size_t k) const {
    const auto* stencil = std::get_if<Stencil>(&stms_[k].expr);
    return stencil != nullptr && stencil->reductions.empty() ? stencil : nullptr;
  }

  // With all stencils before it whose results have no other use.
  std::set<size_t> endingAt(size_t last) const {
    const Stencil* end = stencilAt(last);
    if (end == nullptr || stms_[last].results.size() != 1) return {};
    std::set<size_t> chain = {last};
    for (bool grows = true; grows && chain.size() < kMaxStages;) {
      grows = false;
      for (size_t k = last; k-- > 0 && !grows;) {
        const Stencil* stencil = stencilAt(k);
        if (chain.contains(k) || gone_.contains(k) || stencil == nullptr) continue;
        grows = stencil->space == end->space && isOnlyFor(stms_[k], chain);
        if (grows) chain.insert(k);
      }
    }
    return chain;
  }

  bool isOnlyFor(const Stm& stm, const std::set<size_t>& chain) const {
    return std::all_of(stm.results.begin(), stm.results.end(), [&](ValueId result) {
      auto users = users_.find(result);
      return !kept_.contains(result) && users != users_.end() &&
             std::includes(chain.begin(), chain.end(), users->second.begin(), users->second.end());
    });
  }

  void replace(const std::set<size_t>& chain, size_t last) {
    for (size_t k = *chain.begin(); k < last; ++k) {  // the chain moves behind these
      if (!chain.contains(k) && !consumed(program_, stms_[k]).empty()) return;
    }
    std::unordered_set<ValueId> sources;
    for (size_t k : chain) {
      for (const Window& window : stencilAt(k)->windows) {
        auto made = made_at_.find(window.array);
        if (made == made_at_.end() || !chain.contains(made->second)) sources.insert(window.array);
      }
    }
    ValueId result = stms_[last].results[0];
    if (sources.size() != 1 || program_.type(*sources.begin()) != program_.type(result)) return;
    Stm loop = loopOf(chain, *sources.begin(), result);
    if (!accepts_(loop)) return;
    gone_.insert(chain.begin(), chain.end());
    gone_.erase(last);
    stms_[last] = std::move(loop);
  }

  Stm loopOf(const std::set<size_t>& chain, ValueId source, ValueId result) {
    Loop loop;
    ValueId carried = program_.add(program_.values[source].name, program_.type(source));
    ValueId index = program_.add("i", {ScalarType::kI64, {}});
    loop.carried = {{carried, source, false}};
    loop.form = ForLoop{index, Operand::ofI64(1)};
    Body body;
    for (size_t k : chain) body.stms.push_back(stms_[k]);
    body.results = {result};
    loop.body = freshCopy(program_, body, {{source, carried}});
    return {{result}, std::move(loop), false, stms_[*chain.rbegin()].span};
  }

  Program& program_;
  std::vector<Stm> stms_;
  const std::function<bool(const Stm&)>& accepts_;
  std::unordered_set<ValueId> kept_;
  std::unordered_map<ValueId, std::set<size_t>> users_;
  std::unordered_map<ValueId, size_t> made_at_;
  std::set<size_t> gone_;  // into a loop
};

}  // namespace

std::vector<Stm> chainStencils(Program& program, std::vector<Stm> stms, const Operands& results,
                               const std::function<bool(const Stm&)>& accepts) {
  return Chains(program, std::move(stms), results, accepts).run();
}

}  // namespace halo::gpu
