// Callees first: a function is inlined into others after everything was inlined into it, so each
// body is copied as often as it is called and no more.
#include "lang/passes/inline.h"

#include <algorithm>
#include <unordered_map>
#include <unordered_set>

#include "lang/core/rewrite.h"
#include "lang/core/visit.h"

namespace halo::passes {
namespace {

using core::Body;
using core::Call;
using core::Function;
using core::Program;
using core::Stm;

class Inliner {
 public:
  Inliner(const Program& program, bool keeps_sorts) : program_(program), keeps_sorts_(keeps_sorts) {
    for (size_t i = 0; i < program_.functions.size(); i++) index_[program_.functions[i].name] = i;
    state_.resize(program_.functions.size());
    for (size_t i = 0; i < program_.functions.size(); i++) findRecursion(i);
  }

  Program run() {
    std::vector<bool> reached(program_.functions.size());
    for (size_t i = 0; i < program_.functions.size(); i++) {
      if (program_.functions[i].is_entry) reach(i, reached);
    }
    std::vector<Function> kept;
    for (size_t i = 0; i < reached.size(); i++) {
      if (reached[i]) kept.push_back(std::move(program_.functions[i]));
    }
    program_.functions = std::move(kept);
    return std::move(program_);
  }

 private:
  struct State {
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

  // Recursive: it can reach itself. Quadratic, over a call graph of some hundred functions at most.
  void findRecursion(size_t function) {
    std::unordered_set<size_t> seen;
    std::vector<size_t> work{function};
    while (!work.empty()) {
      size_t current = work.back();
      work.pop_back();
      callees(current, [&](size_t callee) {
        if (callee == function) state_[function].recursive = true;
        if (seen.insert(callee).second) work.push_back(callee);
      });
    }
  }

  // `on_host`: outside of all lambdas.
  bool isInlined(size_t function, bool on_host) const {
    const Function& callee = program_.functions[function];
    if (isSort(callee)) return !keeps_sorts_ || !on_host || !sortsWholeArrays(callee);
    return !state_[function].recursive && callee.kernel.empty();
  }
  bool sortsWholeArrays(const Function& sort) const {
    return std::all_of(sort.results.begin(), sort.results.end(),
                       [&](core::ValueId result) { return program_.type(result).rank() == 1; });
  }

  void inlineInto(size_t function) {
    if (state_[function].done) return;
    state_[function].done = true;
    callees(function, [&](size_t callee) {
      if (isInlined(callee, false)) inlineInto(callee);
    });
    core::Substitution results;
    Body body = std::move(program_.functions[function].body);
    inlineBody(body, results, true);
    core::substitute(program_, body, results);
    program_.functions[function].body = std::move(body);
  }

  void inlineBody(Body& body, core::Substitution& results, bool on_host) {
    std::vector<Stm> old = std::move(body.stms);
    body.stms.clear();
    for (Stm& stm : old) {
      const bool is_control = std::holds_alternative<core::Loop>(stm.expr) ||
                              std::holds_alternative<core::Match>(stm.expr);
      core::visitBodies(stm.expr,
                        [&](Body& nested) { inlineBody(nested, results, on_host && is_control); });
      auto* call = std::get_if<Call>(&stm.expr);
      auto found = call ? index_.find(call->function) : index_.end();
      if (found == index_.end() || !isInlined(found->second, on_host)) {
        body.stms.push_back(std::move(stm));
        continue;
      }
      const Function& callee = program_.functions[found->second];
      core::Substitution arguments;
      for (size_t i = 0; i < callee.params.size(); i++) {
        auto earlier = results.find(call->args[i].value);
        arguments[callee.params[i]] = earlier == results.end() ? call->args[i] : earlier->second;
      }
      Body copy = core::freshCopy(program_, callee.body, std::move(arguments));
      // What the callee kept, because there it stood outside of lambdas.
      if (keeps_sorts_ && !on_host) {
        inlineBody(copy, results, false);
        for (core::Operand& result : copy.results) {
          auto inner = results.find(result.value);
          if (!result.isConstant() && inner != results.end()) result = inner->second;
        }
      }
      for (size_t i = 0; i < stm.results.size(); i++) results[stm.results[i]] = copy.results[i];
      for (Stm& inner : copy.stms) body.stms.push_back(std::move(inner));
    }
  }

  void reach(size_t function, std::vector<bool>& reached) {
    if (reached[function]) return;
    reached[function] = true;
    inlineInto(function);
    callees(function, [&](size_t callee) { reach(callee, reached); });
  }

  Program program_;
  bool keeps_sorts_;
  std::unordered_map<std::string, size_t> index_;
  std::vector<State> state_;
};

}  // namespace

bool isSort(const Function& function) {
  if (function.kernel.empty() || function.body.stms.empty()) return false;
  return function.kernel[0].kind == core::KernelKind::kScatter &&
         !std::holds_alternative<core::Scatter>(function.body.stms.back().expr);
}

core::Program inlineCalls(const core::Program& program) { return Inliner(program, false).run(); }

core::Program inlineAllButSorts(const core::Program& program) {
  return Inliner(program, true).run();
}

}  // namespace halo::passes
