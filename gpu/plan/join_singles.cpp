// Kernels wait until a statement needs one of them, or may not pass them.
#include "gpu/plan/join_singles.h"

#include <algorithm>
#include <unordered_set>
#include <utility>

#include "gpu/plan/outline.h"
#include "gpu/plan/placement.h"
#include "lang/core/rewrite.h"

namespace halo::gpu {

using namespace core;

namespace {

// Statements of one invocation; shader compilers take long for long bodies.
constexpr size_t kMostStatements = 64;

bool isStraightCode(const Body& body) {
  return std::all_of(body.stms.begin(), body.stms.end(), [](const Stm& stm) {
    bool is_straight = true;
    forEachBody(stm.expr, [&](const Body&) { is_straight = false; });
    return is_straight;
  });
}

// What the host may do earlier: it neither launches nor waits. Of checks that fail together the
// replay finds the first.
bool mayGoAhead(const Stm& stm) {
  return isComputed(stm) || std::holds_alternative<Assert>(stm.expr) ||
         std::holds_alternative<Index>(stm.expr) || std::holds_alternative<Slice>(stm.expr) ||
         std::holds_alternative<Rearrange>(stm.expr) || std::holds_alternative<Reshape>(stm.expr) ||
         std::holds_alternative<Literal>(stm.expr);
}

class SingleJoiner {
 public:
  using Uses = std::unordered_map<ValueId, int>;

  // `uses`: of the whole function's values.
  SingleJoiner(Program& program, const Uses& uses, const std::function<std::string()>& next_name)
      : program_(program), uses_(uses), next_name_(next_name) {}

  void join(Body& body) {
    std::vector<Stm> before = std::move(body.stms);
    body.stms.clear();
    for (Stm& stm : before) {
      forEachBody(stm.expr,
                  [&](Body& inner) { SingleJoiner(program_, uses_, next_name_).join(inner); });
      take(std::move(stm), body.stms);
    }
    flush(body.stms);
  }

 private:
  void take(Stm stm, std::vector<Stm>& out) {
    if (const Function* kernel = singleOf(stm)) {
      if (count_ + kernel->body.stms.size() > kMostStatements) flush(out);
      return wait(std::move(stm), kernel->body.stms.size());
    }
    const bool depends = dependsOnWaiting(stm);
    if (depends && isComputed(stm)) return wait(std::move(stm), 1);
    if (depends || !mayGoAhead(stm)) flush(out);
    out.push_back(std::move(stm));
  }
  void wait(Stm stm, size_t count) {
    made_.insert(stm.results.begin(), stm.results.end());
    count_ += count;
    waiting_.push_back(std::move(stm));
  }
  bool dependsOnWaiting(const Stm& stm) const {
    if (waiting_.empty()) return false;
    const std::unordered_set<ValueId> used = freeValues(program_, stm);
    return std::any_of(used.begin(), used.end(),
                       [&](ValueId value) { return made_.contains(value); });
  }

  // The kernel of one invocation that the statement calls, if its results are its own.
  const Function* singleOf(const Stm& stm) const {
    const auto* call = std::get_if<Call>(&stm.expr);
    const Function* callee = call == nullptr ? nullptr : program_.find(call->function);
    if (callee == nullptr || callee->kernel.empty()) return nullptr;
    const KernelInfo& info = callee->kernel[0];
    if (info.kind != KernelKind::kMap || !info.space.empty()) return nullptr;
    if (!isStraightCode(callee->body)) return nullptr;
    std::unordered_set<ValueId> made;
    for (const Stm& inner : callee->body.stms) {
      made.insert(inner.results.begin(), inner.results.end());
    }
    const bool are_own = std::all_of(
        callee->body.results.begin(), callee->body.results.end(),
        [&](const Operand& result) { return !result.isConstant() && made.contains(result.value); });
    return are_own ? callee : nullptr;
  }

  // ---- one kernel

  void flush(std::vector<Stm>& out) {
    std::vector<Stm> waiting = std::exchange(waiting_, {});
    made_.clear();
    count_ = 0;
    // Behind the last call scalars are computed where they are wanted.
    std::vector<Stm> behind;
    while (!waiting.empty() && isComputed(waiting.back())) {
      behind.insert(behind.begin(), std::move(waiting.back()));
      waiting.pop_back();
    }
    const auto calls = std::count_if(waiting.begin(), waiting.end(),
                                     [](const Stm& stm) { return !isComputed(stm); });
    if (calls > 1) {
      joinWaiting(waiting, out);
    } else {
      std::move(waiting.begin(), waiting.end(), std::back_inserter(out));
    }
    std::move(behind.begin(), behind.end(), std::back_inserter(out));
  }

  void joinWaiting(const std::vector<Stm>& waiting, std::vector<Stm>& out) {
    Uses left = uses_;  // outside of the kernel
    std::vector<Stm> again = computedAgain(waiting, left);
    Substitution inside;
    std::vector<Stm> stms;
    std::vector<ValueId> results, names;
    for (const Stm& stm : waiting) {
      addInside(stm, inside, stms);
      if (isComputed(stm)) continue;
      for (ValueId result : stm.results) {
        if (left[result] <= 0) continue;
        names.push_back(result);
        results.push_back(inside.at(result).value);
      }
    }
    Stm call =
        outlineAll(program_, std::move(stms), results, next_name_(), {KernelKind::kMap, {}}, {});
    call.results = std::move(names);
    call.span = waiting.front().span;
    out.push_back(std::move(call));
    std::move(again.begin(), again.end(), std::back_inserter(out));
  }

  // Scalars between the calls that others want, too. `left` becomes the uses outside.
  std::vector<Stm> computedAgain(const std::vector<Stm>& waiting, Uses& left) const {
    std::vector<Stm> again;
    for (size_t i = waiting.size(); i-- > 0;) {
      const Stm& stm = waiting[i];
      if (isComputed(stm) && left[stm.results[0]] > 0) {
        again.insert(again.begin(), stm);
        continue;
      }
      forEachOperand(stm.expr, [&](const Operand& operand) {
        if (!operand.isConstant()) left[operand.value]--;
      });
    }
    return again;
  }

  // The statement, or the body of the kernel that it calls, under new names.
  void addInside(const Stm& stm, Substitution& inside, std::vector<Stm>& stms) {
    Body body;
    Substitution known = inside;
    if (isComputed(stm)) {
      body = {{stm}, {stm.results[0]}};
    } else {
      const auto& call = std::get<Call>(stm.expr);
      const Function& kernel = *program_.find(call.function);
      for (size_t k = 0; k < call.args.size(); k++) {
        const Operand& arg = call.args[k];
        auto found = arg.isConstant() ? inside.end() : inside.find(arg.value);
        known[kernel.params[k]] = found == inside.end() ? arg : found->second;
      }
      body = kernel.body;
    }
    body = freshCopy(program_, body, known);
    for (size_t k = 0; k < stm.results.size(); k++) inside[stm.results[k]] = body.results[k];
    std::move(body.stms.begin(), body.stms.end(), std::back_inserter(stms));
  }

  Program& program_;
  const Uses& uses_;
  const std::function<std::string()>& next_name_;
  std::vector<Stm> waiting_;
  std::unordered_set<ValueId> made_;  // by statements that wait
  size_t count_ = 0;                  // of their statements
};

}  // namespace

void joinSingles(Program& program, Function& host, const std::function<std::string()>& next_name) {
  const SingleJoiner::Uses uses = useCounts(program, host.body);
  SingleJoiner(program, uses, next_name).join(host.body);
}

}  // namespace halo::gpu
