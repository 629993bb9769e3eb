// Everything bound inside varies; nothing that varies may be a size.
#include "gpu/plan/loops/guardable.h"

#include <algorithm>
#include <unordered_set>

#include "gpu/plan/host_code.h"
#include "gpu/plan/sizes/counted_sizes.h"
#include "lang/base/match.h"
#include "lang/core/definitions.h"
#include "lang/core/rewrite.h"
#include "lang/core/text.h"

namespace halo::gpu {

using namespace core;

namespace {

class Guardable {
 public:
  explicit Guardable(const Program& program) : program_(program) {}

  std::string run(const Loop& loop) {
    for (const Carried& carried : loop.carried) varying_.insert(carried.param);
    bind(loop.body);
    for (const Carried& carried : loop.carried) {
      if (hasFixedShape(carried.param)) continue;
      return "the size of `" + program_.values[carried.param].name + "` changes";
    }
    check(loop.body);
    return why_;
  }

 private:
  void bind(const Body& body) {
    for (const Stm& stm : body.stms) {
      if (stm.results.size() == 1) definitions_.add(stm);
      if ((isComputed(stm) && isFixed(stm)) || isFixedChoice(stm)) continue;
      varying_.insert(stm.results.begin(), stm.results.end());
      for (ValueId value : boundIn(stm.expr)) varying_.insert(value);
      forEachBody(stm.expr, [&](const Body& inner) { bind(inner); });
    }
  }
  bool isFixed(const Operand& operand) const {
    return operand.isConstant() || !varying_.contains(operand.value);
  }
  bool isFixed(const Stm& stm) const {
    bool is_fixed = true;
    forEachOperand(stm.expr, [&](const Operand& operand) { is_fixed &= isFixed(operand); });
    return is_fixed;
  }
  // A branch that a constant decides, to a value that no iteration changes.
  bool isFixedChoice(const Stm& stm) const {
    const auto* match = std::get_if<Match>(&stm.expr);
    if (match == nullptr) return false;
    const std::vector<const Body*> arms = livingArms(*match);
    return arms.size() == 1 && arms[0]->stms.empty() &&
           std::all_of(arms[0]->results.begin(), arms[0]->results.end(),
                       [&](const Operand& result) { return isFixed(result); });
  }
  // Sizes, and those that kernels find on the device, if the room is the same in all iterations.
  bool hasFixedRoom(const Operand& size) const {
    if (isFixed(size)) return true;
    const Stm* stm = definitions_.find(size);
    const auto counted =
        stm == nullptr
            ? std::nullopt
            : countedSize(program_, *stm, [&](ValueId value) { return definitions_.find(value); });
    if (!counted) return false;
    if (isFixed(counted->most)) return true;
    const auto* match = definitions_.node<Match>(counted->most);
    if (match == nullptr) return false;
    const std::vector<const Body*> arms = livingArms(*match);
    return arms.size() == 1 && arms[0]->stms.empty() && hasFixedRoom(arms[0]->results[0]);
  }
  bool hasFixedShape(ValueId value) const {
    const Operands& shape = program_.type(value).shape;
    return std::all_of(shape.begin(), shape.end(),
                       [&](const Operand& size) { return hasFixedRoom(size); });
  }

  bool check(const Body& body) {
    return std::all_of(body.stms.begin(), body.stms.end(), [&](const Stm& stm) {
      bool fine = check(stm);
      if (!fine && why_.empty()) why_ = "the host does `" + briefly(program_, stm) + "`";
      return fine;
    });
  }
  bool check(const Stm& stm) {
    bool is_check = std::holds_alternative<Assert>(stm.expr);  // a kernel does that
    if ((stm.checked && !is_check) ||
        !std::all_of(stm.results.begin(), stm.results.end(),
                     [&](ValueId value) { return hasFixedShape(value); })) {
      return false;
    }
    bool inside = true;
    if (const auto* match = std::get_if<Match>(&stm.expr)) {
      for (const Body* arm : livingArms(*match)) inside = inside && check(*arm);
    } else {
      forEachBody(stm.expr, [&](const Body& inner) { inside = inside && check(inner); });
    }
    return inside &&
           base::match(
               stm.expr, [](const Literal&) { return true; }, [](const PrimOp&) { return true; },
               [](const Convert&) { return true; }, [](const Select&) { return true; },
               [](const Assert&) { return true; }, [](const Match&) { return true; },
               [](const Slice&) { return true; }, [](const Rearrange&) { return true; },
               [](const Reshape&) { return true; }, [](const Slide&) { return true; },
               // A kernel reads an element (carried.h).
               [](const Index&) { return true; },
               [&](const Loop& e) {
                 auto* counted = std::get_if<ForLoop>(&e.form);
                 return counted != nullptr && isFixed(counted->bound);
               },
               [&](const Call& e) { return check(e); },
               base::otherwise([](const auto&) { return false; }));
  }
  bool check(const Call& call) const {
    const Function* callee = program_.find(call.function);
    if (callee == nullptr || callee->kernel.empty()) return false;
    for (size_t k = 0; k < call.args.size(); ++k) {
      bool may_vary = !program_.type(call.args[k]).isScalar() || isFixed(call.args[k]) ||
                      isPlainScalar(program_, *callee, k) ||
                      (hasFixedRoom(call.args[k]) && takesCounted(program_, *callee, k));
      if (!may_vary) return false;
    }
    return true;
  }

  const Program& program_;
  std::unordered_set<ValueId> varying_;
  core::Definitions definitions_;
  std::string why_;
};

}  // namespace

std::string whyNotGuardable(const Program& program, const Loop& loop) {
  return Guardable(program).run(loop);
}

std::vector<const Body*> livingArms(const Match& match) {
  std::vector<const Body*> arms;
  for (const Case& one : match.cases) {
    const bool is_chosen = match.scrutinee == Operand(one.value);
    if (is_chosen) return {&one.body};
    if (!match.scrutinee.isConstant()) arms.push_back(&one.body);
  }
  arms.push_back(&match.otherwise);
  return arms;
}

std::string briefly(const Program& program, const Stm& stm) {
  std::string text = print(program, stm);
  text.erase(0, text.find_first_not_of(' '));
  return text.substr(0, text.find('\n'));
}

bool isRegister(const Program& program, const Index& index) {
  const Operands& shape = program.type(index.array).shape;
  return shape.size() == 1 && shape[0] == Operand::ofI64(1) && index.indices.size() == 1 &&
         index.indices[0] == Operand::ofI64(0);
}

}  // namespace halo::gpu
