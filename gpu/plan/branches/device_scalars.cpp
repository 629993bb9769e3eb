// Loops hand scalars on, so all statements are visited until nothing is added.
#include "gpu/plan/branches/device_scalars.h"

#include "lang/core/visit.h"

namespace halo::gpu {

using namespace core;

namespace {

class Finder {
 public:
  Finder(const Program& program, DeviceScalars& known) : program_(program), known_(known) {}

  void run(const Body& body) {
    for (size_t before = known_.size() + 1; before != known_.size();) {
      before = known_.size();
      visit(body);
    }
  }

 private:
  bool isKnown(const Operand& operand) const {
    return !operand.isConstant() && known_.contains(operand.value);
  }
  void add(ValueId value) {
    if (program_.type(value).isScalar()) known_.insert(value);
  }
  static bool isOfHost(const Expr& expr) {
    return std::holds_alternative<Literal>(expr) || std::holds_alternative<PrimOp>(expr) ||
           std::holds_alternative<Convert>(expr) || std::holds_alternative<Select>(expr) ||
           std::holds_alternative<Call>(expr);
  }

  void visit(const Body& body) {
    for (const Stm& stm : body.stms) visit(stm);
  }
  void visit(const Stm& stm) {
    if (const auto* loop = std::get_if<Loop>(&stm.expr)) return visit(stm, *loop);
    if (const auto* match = std::get_if<Match>(&stm.expr)) return visit(stm, *match);
    bool is_made = !isOfHost(stm.expr);
    visitUses(stm.expr, [&](const auto& use) { is_made = is_made || isKnown(Operand(use)); });
    for (const ValueId result : stm.results) {
      if (is_made) add(result);
    }
  }
  void visit(const Stm& stm, const Loop& loop) {
    visit(loop.body);
    for (size_t k = 0; k < loop.carried.size(); ++k) {
      if (!isKnown(loop.carried[k].initial) && !isKnown(loop.body.results[k])) continue;
      add(loop.carried[k].param);
      add(stm.results[k]);
    }
  }
  void visit(const Stm& stm, const Match& match) {
    visitBodies(stm.expr, [&](const Body& arm) { visit(arm); });
    for (size_t k = 0; k < stm.results.size(); ++k) {
      bool is_made = isKnown(match.scrutinee) || isKnown(match.otherwise.results[k]);
      for (const Case& one : match.cases) is_made = is_made || isKnown(one.body.results[k]);
      if (is_made) add(stm.results[k]);
    }
  }

  const Program& program_;
  DeviceScalars& known_;
};

}  // namespace

void addDeviceScalars(const Program& program, const Body& body, DeviceScalars& known) {
  Finder(program, known).run(body);
}

}  // namespace halo::gpu
