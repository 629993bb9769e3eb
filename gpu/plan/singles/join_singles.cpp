// Kernels wait until a statement needs one of them, or may not pass them.
#include "gpu/plan/singles/join_singles.h"

#include <algorithm>
#include <unordered_set>
#include <utility>

#include "gpu/plan/code_behind.h"
#include "gpu/plan/host_code.h"
#include "gpu/plan/singles/joined_kernel.h"
#include "lang/core/rewrite.h"
#include "lang/core/visit.h"

namespace halo::gpu {

using namespace core;

namespace {

// Statements of one invocation; shader compilers take long for long bodies.
constexpr size_t kMaxStatements = 64;

size_t countStms(const Body& body) {
  size_t count = 0;
  visitStms(body, [&](const Stm&) { count++; });
  return count;
}

class SingleJoiner {
 public:
  // `uses`: of the whole function's values; `params`: of the function.
  SingleJoiner(Program& program, const Uses& uses, const std::vector<ValueId>& params,
               const std::function<std::string()>& next_name)
      : program_(program), uses_(uses), params_(params), next_name_(next_name) {}

  void join(Body& body) {
    std::vector<Stm> before = std::move(body.stms);
    body.stms.clear();
    for (Stm& stm : before) {
      forEachBody(stm.expr, [&](Body& inner) {
        SingleJoiner(program_, uses_, params_, next_name_).join(inner);
      });
      take(std::move(stm), body.stms);
    }
    flush(body.stms);
  }

 private:
  void take(Stm stm, std::vector<Stm>& out) {
    const Function* callee = kernelOf(program_, stm);
    if (callee != nullptr && isWholeReduction(program_, *callee)) {
      flush(out);
      return wait(std::move(stm), true, 0);
    }
    if (isApartFromReduction(stm)) flush(out);
    const bool depends = dependsOn(stm, made_);
    if (const Function* kernel = singleOf(stm)) {
      // Loops of kernels that do not depend on each other may run concurrently.
      const size_t count = countStms(kernel->body);
      const bool is_apart = count > kernel->body.stms.size() && !depends;
      if (is_apart || count_ + count > kMaxStatements) flush(out);
      return wait(std::move(stm), true, count);
    }
    const size_t count = scalarCode(stm);
    const bool is_element = std::holds_alternative<Index>(stm.expr);
    const bool waits = count > 0 && count <= kMaxStatements;
    if (waits && (depends || is_element || dependsOn(stm, free_))) {
      if (count_ + count > kMaxStatements) flush(out);
      return wait(std::move(stm), false, count);
    }
    if (depends || !launchesNothing(stm)) flush(out);
    release(stm, out);
    out.push_back(std::move(stm));
  }
  // Whether code of the statement cannot be behind the reduction that waits. It would read arrays
  // that other workgroups make, or be told the size that the reduction may take from the device.
  // Parameters are none of these.
  bool isApartFromReduction(const Stm& stm) const {
    if (waiting_.empty() || !waiting_[0].is_call || singleOf(waiting_[0].stm) != nullptr)
      return false;
    const Stm& reduction = waiting_[0].stm;
    const std::unordered_set<ValueId> used = freeValues(program_, stm);
    const bool reads_made = std::any_of(
        reduction.results.begin(), reduction.results.end(),
        [&](ValueId made) { return !program_.type(made).isScalar() && used.contains(made); });
    const Operand size = spaceOfCall(program_, reduction)[0];
    const bool is_param = !size.isConstant() &&
                          std::find(params_.begin(), params_.end(), size.value) != params_.end();
    return reads_made || (!size.isConstant() && !is_param && used.contains(size.value));
  }
  void wait(Stm stm, bool is_call, size_t count) {
    const bool is_free = !is_call && !dependsOn(stm, made_);
    auto& values = is_free ? free_ : made_;
    values.insert(stm.results.begin(), stm.results.end());
    count_ += count;
    waiting_.push_back({std::move(stm), is_call, is_free});
  }
  bool dependsOn(const Stm& stm, const std::unordered_set<ValueId>& values) const {
    if (values.empty()) return false;
    const std::unordered_set<ValueId> used = freeValues(program_, stm);
    return std::any_of(used.begin(), used.end(),
                       [&](ValueId value) { return values.contains(value); });
  }
  // Free code that a statement in front of the waiting ones needs.
  void release(const Stm& stm, std::vector<Stm>& out) {
    std::unordered_set<ValueId> needed = freeValues(program_, stm);
    if (!dependsOn(stm, free_)) return;
    std::vector<Waiting> kept, released;
    while (!waiting_.empty()) {
      Waiting one = std::move(waiting_.back());
      waiting_.pop_back();
      const bool goes = one.is_free && needed.contains(one.stm.results[0]);
      if (goes) needed.merge(freeValues(program_, one.stm));
      (goes ? released : kept).push_back(std::move(one));
    }
    for (size_t i = released.size(); i-- > 0;) {
      for (ValueId result : released[i].stm.results) free_.erase(result);
      out.push_back(std::move(released[i].stm));
    }
    waiting_.assign(std::make_move_iterator(kept.rbegin()), std::make_move_iterator(kept.rend()));
  }

  // The statements of scalar code that one invocation may run: computed values, elements by places
  // that are asserted before, and branches of these; else 0.
  size_t scalarCode(const Stm& stm) const {
    if (isComputed(stm)) return 1;
    const bool is_scalar = std::all_of(stm.results.begin(), stm.results.end(), [&](ValueId result) {
      return program_.type(result).isScalar();
    });
    if (!is_scalar || stm.results.empty()) return 0;
    if (std::holds_alternative<Index>(stm.expr)) return stm.checked ? 0 : 1;
    if (!std::holds_alternative<Match>(stm.expr)) return 0;
    size_t count = 1;
    bool is_code = true;
    forEachBody(stm.expr, [&](const Body& body) {
      for (const Stm& inner : body.stms) {
        const size_t own = scalarCode(inner);
        is_code = is_code && own > 0;
        count += own;
      }
    });
    return is_code ? count : 0;
  }

  // The kernel of one invocation that the statement calls, if its results are its own.
  const Function* singleOf(const Stm& stm) const {
    const Function* callee = kernelOf(program_, stm);
    if (callee == nullptr) return nullptr;
    const KernelInfo& info = callee->kernel[0];
    if (info.kind != KernelKind::kMap || !info.space.empty()) return nullptr;
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
    std::vector<Waiting> waiting = std::exchange(waiting_, {});
    made_.clear();
    free_.clear();
    count_ = 0;
    // Behind the last call scalars are computed where they are wanted.
    std::vector<Stm> behind;
    while (!waiting.empty() && !waiting.back().is_call && !waiting.back().is_free) {
      behind.push_back(std::move(waiting.back().stm));
      waiting.pop_back();
    }
    const auto calls = std::count_if(waiting.begin(), waiting.end(),
                                     [](const Waiting& one) { return one.is_call; });
    if (calls > 1) {
      joinKernels(program_, uses_, std::move(waiting), next_name_(), out);
    } else {
      std::stable_partition(waiting.begin(), waiting.end(),
                            [](const Waiting& one) { return one.is_free; });
      for (Waiting& one : waiting) out.push_back(std::move(one.stm));
    }
    std::move(behind.rbegin(), behind.rend(), std::back_inserter(out));
  }

  Program& program_;
  const Uses& uses_;
  const std::vector<ValueId>& params_;
  const std::function<std::string()>& next_name_;
  std::vector<Waiting> waiting_;
  std::unordered_set<ValueId> made_, free_;  // by statements that wait
  size_t count_ = 0;                         // of their statements
};

}  // namespace

void joinSingles(Program& program, Function& host, const std::function<std::string()>& next_name) {
  const Uses uses = useCounts(program, host.body);
  const std::vector<ValueId> params = host.params;
  SingleJoiner(program, uses, params, next_name).join(host.body);
}

}  // namespace halo::gpu
