// Callees first: a small function is inlined into others after everything was inlined into it. A
// large one keeps its calls, and each copy of it gets their bodies. A chain of functions that call
// each other would be copied over and over otherwise.
#include "lang/passes/calls/inline.h"

#include <algorithm>
#include <iterator>
#include <unordered_map>
#include <unordered_set>

#include "lang/core/derivative_name.h"
#include "lang/core/node_kinds.h"
#include "lang/core/rewrite.h"
#include "lang/core/visit.h"
#include "lang/passes/calls/sorts.h"

namespace halo::passes {
namespace {

using core::Body;
using core::Call;
using core::Function;
using core::Program;
using core::Stm;

constexpr size_t kSmall = 512;  // statements of a function with all that it calls

// In statements; a lambda makes loops, which cost as much as so many.
constexpr size_t kLambda = 16;
// A function may grow to so many times the cost of it and its callees as written. Small ones may
// grow more.
constexpr size_t kMaxGrowth = 64;
constexpr size_t kMaxCost = 1 << 12;
// Where that is not enough, callees of this cost stay functions, at last cheaper ones.
constexpr size_t kLargest = 256, kSmallest = 16;
constexpr size_t kUnlimited = size_t{1} << 40;

// Which calls of sorts of arrays of scalars stay.
enum class KeptSorts { kNone, kOnHost, kAll };

class Inliner {
 public:
  Inliner(const Program& program, KeptSorts kept_sorts, bool keeps_rules = false)
      : program_(program), kept_sorts_(kept_sorts), keeps_rules_(keeps_rules) {
    for (size_t i = 0; i < program_.functions.size(); ++i) index_[program_.functions[i].name] = i;
    state_.resize(program_.functions.size());
    for (size_t i = 0; i < program_.functions.size(); ++i) {
      core::visitStms(program_.functions[i].body, [&](const Stm& stm) {
        ++state_[i].size;
        ++state_[i].written;
        core::visitLambdas(stm.expr, [&](const core::Lambda&) { state_[i].written += kLambda; });
      });
      callees(i, [&](size_t callee) { state_[i].callees.push_back(callee); });
    }
    for (size_t i = 0; i < program_.functions.size(); ++i) findRecursion(i);
    if (!keeps_rules_) keepLargeCallees();
  }

  Program run() {
    std::vector<bool> reached(program_.functions.size());
    for (size_t i = 0; i < program_.functions.size(); ++i) {
      if (program_.functions[i].is_entry) reach(i, reached);
    }
    std::vector<Function> kept;
    for (size_t i = 0; i < reached.size(); ++i) {
      if (reached[i]) kept.push_back(std::move(program_.functions[i]));
    }
    program_.functions = std::move(kept);
    for (Function& function : program_.functions) {
      for (core::KernelInfo& kernel : function.kernel) {
        if (program_.find(kernel.row_sort) == nullptr) kernel.row_sort.clear();
      }
    }
    return std::move(program_);
  }

 private:
  struct State {
    std::vector<size_t> callees;  // as it was written, in order
    size_t size = 0;              // in statements; once visited with those of callees, up to kSmall
    size_t written = 0;           // the same, of the function alone
    bool kept = false;            // too large to be copied to each call
    size_t number = 0, lowest = 0;  // by Tarjan: numbers in order of visits from 1 on
    bool on_stack = false;
    bool recursive = false;
    bool done = false;
  };

  template <typename Visit>
  void callees(size_t function, Visit visit) const {
    core::visitStms(program_.functions[function].body, [&](const Stm& stm) {
      const auto* call = std::get_if<Call>(&stm.expr);
      auto found = call ? index_.find(call->function) : index_.end();
      if (found != index_.end()) visit(found->second);
    });
  }

  // Recursive: it can reach itself (R. Tarjan, Depth-first search and linear graph algorithms,
  // 1972).
  void findRecursion(size_t function) {
    State& state = state_[function];
    if (state.number > 0) return;
    state.number = state.lowest = ++visited_;
    state.on_stack = true;
    stack_.push_back(function);
    for (size_t callee : state.callees) {
      findRecursion(callee);
      const State& other = state_[callee];
      if (callee == function) state.recursive = true;
      if (other.on_stack) state.lowest = std::min(state.lowest, other.lowest);
      state.size = std::min(state.size + other.size, kSmall + 1);
    }
    order_.push_back(function);
    if (state.lowest != state.number) return;
    const bool is_cycle = stack_.back() != function;
    size_t member;
    do {
      member = stack_.back();
      stack_.pop_back();
      state_[member].on_stack = false;
      state_[member].recursive = state_[member].recursive || is_cycle;
    } while (member != function);
  }

  // Functions that call each other twice, `def f1 x = f0 (f0 x)`, would fill the memory.
  void keepLargeCallees() {
    std::vector<size_t> costs(state_.size());
    std::vector<size_t> chains(state_.size());
    for (size_t done = 0; done < order_.size(); ++done) {
      const size_t function = order_[done];
      costs[function] = inlinedCost(function, costs);
      chains[function] = longestChain(function, chains);
      // All that a chain writes is below, so that most functions need no walk.
      if (costs[function] <= std::max(kMaxCost, kMaxGrowth * chains[function])) continue;
      const std::vector<size_t> below = reachable(function);
      size_t written = 0;
      for (size_t each : below) written += state_[each].written;
      const size_t most = std::max(kMaxCost, kMaxGrowth * written);
      for (size_t largest = kLargest; costs[function] > most && largest >= kSmallest;
           largest /= 4) {
        for (size_t each : below) {
          costs[each] = inlinedCost(each, costs);
          state_[each].kept = state_[each].kept || costs[each] > largest;
        }
      }
      for (size_t k = 0; k <= done; ++k) chains[order_[k]] = longestChain(order_[k], chains);
    }
  }
  // What one chain of calls writes that are copied, of the function alone at least.
  size_t longestChain(size_t function, const std::vector<size_t>& chains) const {
    size_t below = 0;
    for (size_t callee : state_[function].callees) {
      if (isCopied(callee)) below = std::max(below, chains[callee]);
    }
    return state_[function].written + below;
  }
  size_t inlinedCost(size_t function, const std::vector<size_t>& costs) const {
    size_t cost = state_[function].written;
    for (size_t callee : state_[function].callees) cost += isCopied(callee) ? costs[callee] : 0;
    return std::min(cost, kUnlimited);
  }
  // The function and all that is copied into it, callees first.
  std::vector<size_t> reachable(size_t function) const {
    std::unordered_set<size_t> found = {function};
    std::vector<size_t> left = {function};
    while (!left.empty()) {
      const size_t next = left.back();
      left.pop_back();
      for (size_t callee : state_[next].callees) {
        if (isCopied(callee) && found.insert(callee).second) left.push_back(callee);
      }
    }
    std::vector<size_t> ordered;
    std::copy_if(order_.begin(), order_.end(), std::back_inserter(ordered),
                 [&](size_t each) { return found.contains(each); });
    return ordered;
  }

  // `on_host`: outside of all lambdas.
  bool isInlined(size_t function, bool on_host) const {
    const Function& callee = program_.functions[function];
    if (keeps_rules_ && hasRule(callee.name)) return false;
    if (isSort(callee)) return !isKept(on_host) || !sortsWholeArrays(callee);
    return isCopied(function) && callee.kernel.empty();
  }
  bool isKept(bool on_host) const {
    return kept_sorts_ == KeptSorts::kAll || (kept_sorts_ == KeptSorts::kOnHost && on_host);
  }
  bool isCopied(size_t function) const {
    return !state_[function].recursive && !state_[function].kept;
  }
  bool hasRule(const std::string& name) const {
    return index_.contains(core::partialsOf(name)) || index_.contains(core::adjointOf(name));
  }
  bool isSmall(size_t function) const { return state_[function].size <= kSmall; }
  bool sortsWholeArrays(const Function& sort) const {
    return std::all_of(sort.results.begin(), sort.results.end(),
                       [&](core::ValueId result) { return program_.type(result).rank() == 1; });
  }

  void inlineInto(size_t function) {
    if (state_[function].done) return;
    state_[function].done = true;
    for (size_t callee : state_[function].callees) {
      if (isInlined(callee, false) && isSmall(callee)) inlineInto(callee);
    }
    core::Substitution results;
    Body body = std::move(program_.functions[function].body);
    inlineBody(body, results, true);
    core::substitute(program_, body, results);
    program_.functions[function].body = std::move(body);
  }

  void inlineBody(Body& body, core::Substitution& results, bool on_host) {
    std::vector<Stm> old = std::move(body.stms);
    body.stms.clear();
    inlineStms(std::move(old), results, on_host, body.stms);
  }

  void inlineStms(std::vector<Stm> old, core::Substitution& results, bool on_host,
                  std::vector<Stm>& out) {
    for (Stm& stm : old) {
      const bool is_control = core::isControl(stm.expr);
      core::visitBodies(stm.expr,
                        [&](Body& nested) { inlineBody(nested, results, on_host && is_control); });
      auto* call = std::get_if<Call>(&stm.expr);
      auto found = call ? index_.find(call->function) : index_.end();
      if (found == index_.end() || !isInlined(found->second, on_host)) {
        out.push_back(std::move(stm));
        continue;
      }
      // A large function's copy may be the first to call it.
      if (isSmall(found->second)) inlineInto(found->second);
      Body copy = copyFor(*call, program_.functions[found->second], results);
      // The callee's remaining calls: all of them, or those that there stood outside of lambdas.
      if (!isSmall(found->second) || (kept_sorts_ == KeptSorts::kOnHost && !on_host)) {
        inlineStms(std::move(copy.stms), results, on_host, out);
        for (core::Operand& result : copy.results) result = known(result, results);
      } else {
        std::move(copy.stms.begin(), copy.stms.end(), std::back_inserter(out));
      }
      for (size_t i = 0; i < stm.results.size(); ++i) results[stm.results[i]] = copy.results[i];
    }
  }

  Body copyFor(const Call& call, const Function& callee, const core::Substitution& results) {
    core::Substitution arguments;
    for (size_t i = 0; i < callee.params.size(); ++i) {
      arguments[callee.params[i]] = known(call.args[i], results);
    }
    return core::freshCopy(program_, callee.body, std::move(arguments));
  }
  static core::Operand known(const core::Operand& operand, const core::Substitution& results) {
    if (operand.isConstant()) return operand;
    auto earlier = results.find(operand.value);
    return earlier == results.end() ? operand : earlier->second;
  }

  void reach(size_t function, std::vector<bool>& reached) {
    if (reached[function]) return;
    reached[function] = true;
    inlineInto(function);
    callees(function, [&](size_t callee) { reach(callee, reached); });
    const std::vector<core::KernelInfo>& kernel = program_.functions[function].kernel;
    if (kept_sorts_ == KeptSorts::kAll && !kernel.empty() && !kernel[0].row_sort.empty()) {
      reach(index_.at(kernel[0].row_sort), reached);
    }
    if (keeps_rules_) reachRules(function, reached);
  }
  // The functions that derivatives of it and of its callees are made of.
  void reachRules(size_t function, std::vector<bool>& reached) {
    std::vector<std::string> names;
    core::visitStms(program_.functions[function].body, [&](const Stm& stm) {
      const auto* call = std::get_if<Call>(&stm.expr);
      if (call == nullptr) return;
      if (const auto derivative = core::derivativeName(call->function)) {
        names.push_back(derivative->function);
      }
      names.push_back(core::partialsOf(call->function));
      names.push_back(core::adjointOf(call->function));
    });
    for (const std::string& name : names) {
      const auto found = index_.find(name);
      if (found != index_.end()) reach(found->second, reached);
    }
  }

  Program program_;
  KeptSorts kept_sorts_;
  bool keeps_rules_;
  std::unordered_map<std::string, size_t> index_;
  std::vector<State> state_;
  std::vector<size_t> stack_;  // of findRecursion
  std::vector<size_t> order_;  // functions, callees first
  size_t visited_ = 0;
};

}  // namespace

core::Program inlineCalls(const core::Program& program) {
  return Inliner(program, KeptSorts::kNone).run();
}

core::Program inlineAllButSorts(const core::Program& program) {
  return Inliner(program, KeptSorts::kAll).run();
}

core::Program inlineSorts(const core::Program& program) {
  return hasSorts(program) ? Inliner(program, KeptSorts::kNone).run() : program;
}

core::Program inlineSortsOfCells(const core::Program& program) {
  return hasSorts(program) ? Inliner(program, KeptSorts::kOnHost).run() : program;
}

core::Program inlineForDerivatives(const core::Program& program) {
  return Inliner(program, KeptSorts::kOnHost, true).run();
}

}  // namespace halo::passes
