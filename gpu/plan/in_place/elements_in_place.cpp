// Within one body: whatever another body wants of an element is copied.
#include "gpu/plan/in_place/elements_in_place.h"

#include <algorithm>

#include "gpu/plan/host_code.h"
#include "gpu/plan/in_place/regions.h"
#include "gpu/plan/in_place/stored_results.h"
#include "gpu/plan/loops/overwritten.h"
#include "lang/core/aliases.h"
#include "lang/core/rewrite.h"
#include "lang/core/visit.h"

namespace halo::gpu {

using namespace core;

namespace {

class InPlace {
 public:
  InPlace(const Program& program, const Function& host, const std::unordered_set<ValueId>& staying)
      : program_(program), staying_(staying), memory_(program, host.body) {
    visitStms(host.body, [&](const Stm& stm) { define(stm, definitions_); });
    run({host.body, host.params});
  }
  std::unordered_set<ValueId> take() { return std::move(found_); }

 private:
  // A body, the values that its node binds for it, and those that each statement mentions.
  struct Scope {
    const Body& body;
    std::vector<ValueId> bound;
    std::vector<std::unordered_set<ValueId>> used = {};
  };

  void run(Scope scope) {
    const std::vector<Stm>& stms = scope.body.stms;
    for (size_t s = 0; s < stms.size(); ++s) {
      forEachBody(stms[s].expr, [&](const Body& inner) { run({inner, boundIn(stms[s].expr)}); });
      const auto* index = std::get_if<Index>(&stms[s].expr);
      if (index == nullptr || !staying_.contains(stms[s].results[0])) continue;
      for (size_t k = scope.used.size(); k < stms.size(); ++k) {
        scope.used.push_back(freeValues(program_, stms[k]));
      }
      const std::optional<size_t> last = lastKernel(scope, s);
      if (last && isThere(scope, *index, s, *last)) found_.insert(stms[s].results[0]);
    }
  }

  // The last kernel that takes the result of statement `s`, or a scalar computed from it. Nothing
  // if others want these.
  std::optional<size_t> lastKernel(const Scope& scope, size_t s) const {
    const Body& body = scope.body;
    std::unordered_set<ValueId> wanted = {body.stms[s].results[0]};
    std::optional<size_t> last;
    for (size_t k = s + 1; k < body.stms.size(); ++k) {
      const Stm& stm = body.stms[k];
      const auto isUsed = [&](ValueId value) { return scope.used[k].contains(value); };
      if (std::none_of(wanted.begin(), wanted.end(), isUsed)) continue;
      if (isComputed(stm) && staying_.contains(stm.results[0])) {
        wanted.insert(stm.results[0]);
      } else if (kernelOf(program_, stm) != nullptr) {
        last = k;
      } else {
        return std::nullopt;
      }
    }
    const auto isWanted = [&](const Operand& result) {
      return !result.isConstant() && wanted.contains(result.value);
    };
    return std::any_of(body.results.begin(), body.results.end(), isWanted) ? std::nullopt : last;
  }

  bool isThere(const Scope& scope, const Index& index, size_t s, size_t last) {
    for (size_t k = s + 1; k <= last; ++k) {
      if (!leaves(scope.body.stms[k], index)) return false;
    }
    return isKept(scope, index.array, last);
  }

  // Whether the statement replaces no memory of the array but, as a kernel, a part disjoint from
  // the element.
  bool leaves(const Stm& stm, const Index& index) {
    const Function* kernel = kernelOf(program_, stm);
    if (kernel == nullptr) return !memory_.mayReplace(stm, index.array);
    const Call& call = std::get<Call>(stm.expr);
    for (size_t k = 0; k < call.args.size(); ++k) {
      const bool is_replaced =
          kernel->consumed[k] && memory_.mayShare(call.args[k].value, index.array);
      if (is_replaced && !storesApart(*kernel, call, k, index)) return false;
    }
    return true;
  }

  // Whether the kernel only stores results in its parameter `k`, and these disjoint from the
  // element.
  bool storesApart(const Function& kernel, const Call& call, size_t k, const Index& index) const {
    const ValueId array = call.args[k].value;
    const auto around = regionOf(program_, index.array, array, definitions_);
    const auto element = around ? around->at(index.indices) : std::nullopt;
    if (!element) return false;
    bool stores = false;
    for (size_t i = 0; i < kernel.body.results.size(); ++i) {
      const std::optional<Update> update = storedBy(kernel, i);
      if (!update || update->array != kernel.params[k]) continue;
      const auto store = asArguments(kernel, call, *update);
      if (!store) return false;
      const Region region = regionOf(program_, *store);
      if (!areApart(element->dims, region.dims, definitions_)) return false;
      stores = true;
    }
    return stores;
  }

  // Is the array of a body around this one, or is it or a view of it mentioned by statement `last`
  // or a later one? Until then its memory is not released.
  bool isKept(const Scope& scope, ValueId array, size_t last) const {
    const std::vector<Stm>& stms = scope.body.stms;
    const bool is_bound =
        std::find(scope.bound.begin(), scope.bound.end(), array) != scope.bound.end();
    if (!is_bound && !makerOf(stms, array)) return true;
    std::unordered_set<ValueId> names = {array};
    const auto isName = [&](ValueId value) { return names.contains(value); };
    for (size_t k = 0; k < stms.size(); ++k) {
      const auto of = viewed(stms[k].expr);
      const bool is_view = of && !program_.type(stms[k].results[0]).isScalar();
      if (is_view && isName(*of)) names.insert(stms[k].results[0]);
      const auto& used = scope.used[k];
      if (k >= last && std::any_of(used.begin(), used.end(), isName)) return true;
    }
    const Operands& results = scope.body.results;
    return std::any_of(results.begin(), results.end(), [&](const Operand& result) {
      return !result.isConstant() && isName(result.value);
    });
  }

  const Program& program_;
  const std::unordered_set<ValueId>& staying_;
  Overwritten memory_;
  DefiningExprs definitions_;
  std::unordered_set<ValueId> found_;
};

}  // namespace

std::unordered_set<ValueId> elementsInPlace(const Program& planned, const Function& host,
                                            const std::unordered_set<ValueId>& staying) {
  return InPlace(planned, host, staying).take();
}

}  // namespace halo::gpu
