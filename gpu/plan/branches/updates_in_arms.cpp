// The update goes behind the last statement of each arm, in the place of the result.
#include "gpu/plan/branches/updates_in_arms.h"

#include <algorithm>

#include "gpu/plan/loops/overwritten.h"
#include "gpu/plan/placement.h"
#include "lang/core/rewrite.h"
#include "lang/core/visit.h"

namespace halo::gpu {

using namespace core;

namespace {

class ArmUpdates {
 public:
  ArmUpdates(Program& program, Function& host)
      : program_(program), memory_(program, host.body), uses_(useCounts(program, host.body)) {}

  void run(Body& body) {
    for (Stm& stm : body.stms) forEachBody(stm.expr, [&](Body& inner) { run(inner); });
    for (size_t u = 0; u < body.stms.size(); ++u) {
      const auto place = placeOf(body, u);
      if (!place) continue;
      move(body, *place);
      --u;
    }
  }

 private:
  // Statement `update` stores result `result` of the branch `made`, its argument `value`, in its
  // argument `array`.
  struct Place {
    size_t made, update, result, value, array;
  };

  std::optional<Place> placeOf(const Body& body, size_t u) {
    const Function* kernel = kernelOf(program_, body.stms[u]);
    if (kernel == nullptr || kernel->body.stms.size() != 1) return std::nullopt;
    const auto* update = std::get_if<Update>(&kernel->body.stms[0].expr);
    if (update == nullptr || update->value.isConstant()) return std::nullopt;
    Place place{0, u, 0, paramOf(*kernel, update->value.value), paramOf(*kernel, update->array)};
    const Operands& args = std::get<Call>(body.stms[u].expr).args;
    if (place.value == args.size() || place.array == args.size()) return std::nullopt;
    const Operand& value = args[place.value];
    const auto made = makerOf(body.stms, value);
    if (!made || uses_[value.value] != 1 || program_.type(value).isScalar()) return std::nullopt;
    const auto* match = std::get_if<Match>(&body.stms[*made].expr);
    if (match == nullptr) return std::nullopt;
    const std::vector<ValueId>& results = body.stms[*made].results;
    place.made = *made;
    place.result = static_cast<size_t>(std::find(results.begin(), results.end(), value.value) -
                                       results.begin());
    const bool moves = isFree(body, place) && areKernels(*match, place, args[place.array].value);
    return moves ? std::optional(place) : std::nullopt;
  }

  static size_t paramOf(const Function& kernel, ValueId value) {
    const auto found = std::find(kernel.params.begin(), kernel.params.end(), value);
    return static_cast<size_t>(found - kernel.params.begin());
  }

  // Whether the update may stand in front of the statements between: none makes its operands, uses
  // its array or may check where it stores.
  bool isFree(const Body& body, const Place& place) {
    const Operands& args = std::get<Call>(body.stms[place.update].expr).args;
    const ValueId array = args[place.array].value;
    for (size_t k = place.made; k < place.update; ++k) {
      for (const ValueId result : body.stms[k].results) {
        const auto uses = std::count(args.begin(), args.end(), Operand(result));
        if (uses != 0 && args[place.value] != Operand(result)) return false;
      }
      if (k == place.made) continue;
      if (body.stms[k].results.empty()) return false;
      for (const ValueId used : freeValues(program_, body.stms[k])) {
        if (!program_.type(used).isScalar() && memory_.mayShare(used, array)) return false;
      }
    }
    return true;
  }

  // Whether a kernel makes the result in each arm, for this alone, and no result is a view of the
  // array.
  bool areKernels(const Match& match, const Place& place, ValueId array) {
    const auto arms = armsOf(match);
    return std::all_of(arms.begin(), arms.end(), [&](const Body* arm) {
      const Operand& value = arm->results[place.result];
      const auto made = makerOf(arm->stms, value);
      const bool is_kernel = made && kernelOf(program_, arm->stms[*made]) != nullptr;
      const auto isView = [&](const Operand& result) {
        return !result.isConstant() && !program_.type(result).isScalar() &&
               memory_.mayShare(result.value, array);
      };
      return is_kernel && uses_[value.value] == 1 &&
             std::none_of(arm->results.begin(), arm->results.end(), isView);
    });
  }

  void move(Body& body, const Place& place) {
    const Stm update = body.stms[place.update];
    Stm& made = body.stms[place.made];
    const ValueId after = update.results[0];
    for (Body* arm : armsOf(std::get<Match>(made.expr))) {
      Stm own = update;
      const ValueId stored = program_.add(program_.values[after].name, program_.type(after));
      own.results = {stored};
      std::get<Call>(own.expr).args[place.value] = arm->results[place.result];
      arm->stms.push_back(std::move(own));
      arm->results[place.result] = stored;
    }
    made.results[place.result] = after;
    body.stms.erase(body.stms.begin() + static_cast<std::ptrdiff_t>(place.update));
  }

  Program& program_;
  Overwritten memory_;
  std::unordered_map<ValueId, int> uses_;
};

}  // namespace

void moveUpdatesIntoArms(Program& program, Function& host) {
  ArmUpdates(program, host).run(host.body);
}

}  // namespace halo::gpu
