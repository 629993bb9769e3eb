// The kernels' bodies under new names, one behind the other.
#include "gpu/plan/singles/joined_kernel.h"

#include <algorithm>
#include <utility>

#include "gpu/plan/host_code.h"
#include "gpu/plan/outline.h"
#include "lang/core/rewrite.h"

namespace halo::gpu {

using namespace core;

namespace {

class KernelJoiner {
 public:
  KernelJoiner(Program& program, const Uses& uses) : program_(program), uses_(uses) {}

  void run(std::vector<Waiting> waiting, const std::string& name, std::vector<Stm>& out) {
    Uses inside_uses;
    std::vector<Stm> again = takeOutside(waiting, inside_uses, out);
    KernelInfo info{KernelKind::kMap, {}};
    if (waiting[0].is_call) {
      info = program_.find(std::get<Call>(waiting[0].stm.expr).function)->kernel[0];
      info.space = spaceOfCall(program_, waiting[0].stm);
    }
    Substitution inside;
    std::vector<Stm> stms;
    std::vector<ValueId> results, names;
    for (const Waiting& one : waiting) {
      addInside(one.stm, inside, stms);
      if (isComputed(one.stm)) continue;
      const bool is_reduction = &one == &waiting[0] && !info.space.empty();
      for (ValueId result : one.stm.results) {
        if (!is_reduction && !isUsedOutside(result, inside_uses)) continue;
        names.push_back(result);
        results.push_back(inside.at(result).value);
      }
    }
    Stm call = outlineAll(program_, std::move(stms), results, name, std::move(info), {});
    call.results = std::move(names);
    call.span = waiting.front().stm.span;
    out.push_back(std::move(call));
    std::move(again.begin(), again.end(), std::back_inserter(out));
  }

 private:
  // Scalar code that others want, too: free code goes in front, computed values are computed again
  // behind the kernel. `inside` becomes the uses in the kernel.
  std::vector<Stm> takeOutside(std::vector<Waiting>& waiting, Uses& inside, std::vector<Stm>& out) {
    std::vector<Stm> again, front;
    std::vector<Waiting> kept;
    for (size_t i = waiting.size(); i-- > 0;) {
      Waiting& one = waiting[i];
      const Stm& stm = one.stm;
      const bool is_wanted =
          !one.is_call && std::any_of(stm.results.begin(), stm.results.end(), [&](ValueId result) {
            return isUsedOutside(result, inside);
          });
      const bool goes = is_wanted && one.is_free;
      if (is_wanted && !goes && isComputed(stm)) {
        again.insert(again.begin(), stm);
      } else if (!goes) {
        for (const auto& [value, count] : useCounts(program_, Body{{stm}, {}}))
          inside[value] += count;
      }
      if (goes) {
        front.push_back(std::move(one.stm));
      } else {
        kept.push_back(std::move(one));
      }
    }
    std::move(front.rbegin(), front.rend(), std::back_inserter(out));
    waiting.assign(std::make_move_iterator(kept.rbegin()), std::make_move_iterator(kept.rend()));
    return again;
  }

  bool isUsedOutside(ValueId value, const Uses& inside) const {
    const auto all = uses_.find(value);
    const auto here = inside.find(value);
    return all != uses_.end() && all->second > (here == inside.end() ? 0 : here->second);
  }

  // The statement, or the body of the kernel that it calls, under new names.
  void addInside(const Stm& stm, Substitution& inside, std::vector<Stm>& stms) {
    Body body;
    Substitution known = inside;
    const auto* call = std::get_if<Call>(&stm.expr);
    if (call == nullptr) {
      body.stms.push_back(stm);
      for (ValueId result : stm.results) body.results.push_back(result);
    } else {
      const Function& kernel = *program_.find(call->function);
      for (size_t k = 0; k < call->args.size(); ++k) {
        const Operand& arg = call->args[k];
        auto found = arg.isConstant() ? inside.end() : inside.find(arg.value);
        known[kernel.params[k]] = found == inside.end() ? arg : found->second;
      }
      body = kernel.body;
    }
    body = freshCopy(program_, body, known);
    for (size_t k = 0; k < stm.results.size(); ++k) inside[stm.results[k]] = body.results[k];
    std::move(body.stms.begin(), body.stms.end(), std::back_inserter(stms));
  }

  Program& program_;
  const Uses& uses_;
};

}  // namespace

Operands spaceOfCall(const Program& program, const Stm& stm) {
  const auto& call = std::get<Call>(stm.expr);
  const Function& kernel = *program.find(call.function);
  Operands space = kernel.kernel[0].space;
  for (Operand& extent : space) {
    const auto param = std::find_if(kernel.params.begin(), kernel.params.end(),
                                    [&](ValueId one) { return extent == Operand(one); });
    if (param != kernel.params.end()) {
      extent = call.args[static_cast<size_t>(param - kernel.params.begin())];
    }
  }
  return space;
}

void joinKernels(Program& program, const Uses& uses, std::vector<Waiting> waiting,
                 const std::string& name, std::vector<Stm>& out) {
  KernelJoiner(program, uses).run(std::move(waiting), name, out);
}

}  // namespace halo::gpu
