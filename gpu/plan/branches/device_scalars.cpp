// Loops hand scalars on, so all statements are visited until nothing is added.
#include "gpu/plan/branches/device_scalars.h"

#include "gpu/plan/nests/kinds.h"
#include "lang/core/visit.h"

namespace halo::gpu {

using namespace core;

namespace {

// Counts of loops around kernels, and the scalars that they are computed from.
class Counts {
 public:
  explicit Counts(const Program& program) : program_(program) {}

  std::unordered_set<ValueId> run(const Body& body) {
    for (size_t before = found_.size() + 1; before != found_.size();) {
      before = found_.size();
      visit(body);
    }
    return std::move(found_);
  }

 private:
  void add(const Operand& operand) {
    if (!operand.isConstant() && program_.type(operand).isScalar()) found_.insert(operand.value);
  }
  void visit(const Body& body) {
    for (auto stm = body.stms.rbegin(); stm != body.stms.rend(); ++stm) visit(*stm);
  }
  void visit(const Stm& stm) {
    if (const auto* loop = std::get_if<Loop>(&stm.expr)) return visit(stm, *loop);
    if (std::holds_alternative<Match>(stm.expr)) {
      for (size_t k = 0; k < stm.results.size(); ++k) {
        if (!found_.contains(stm.results[k])) continue;
        visitBodies(stm.expr, [&](const Body& arm) { add(arm.results[k]); });
      }
      return visitBodies(stm.expr, [&](const Body& arm) { visit(arm); });
    }
    if (!isComputed(stm.expr) || !found_.contains(stm.results[0])) return;
    visitUses(stm.expr, [&](const auto& use) { add(Operand(use)); });
  }
  void visit(const Stm& stm, const Loop& loop) {
    if (!hasParallel(program_, loop.body)) return;  // a kernel may be all of it
    if (const auto* counted = std::get_if<ForLoop>(&loop.form)) add(counted->bound);
    for (size_t k = 0; k < loop.carried.size(); ++k) {
      const Carried& carried = loop.carried[k];
      if (!found_.contains(carried.param) && !found_.contains(stm.results[k])) continue;
      add(carried.initial);
      add(carried.param);
      add(loop.body.results[k]);
    }
    visit(loop.body);
  }
  static bool isComputed(const Expr& expr) {
    return std::holds_alternative<PrimOp>(expr) || std::holds_alternative<Convert>(expr) ||
           std::holds_alternative<Select>(expr);
  }

  const Program& program_;
  std::unordered_set<ValueId> found_;
};

class Finder {
 public:
  Finder(const Program& program, DeviceScalars& known) : program_(program), known_(known) {}

  void run(const Body& body) {
    counts_ = Counts(program_).run(body);
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
    if (program_.type(value).isScalar() && !counts_.contains(value)) known_.insert(value);
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
  std::unordered_set<ValueId> counts_;
};

}  // namespace

void addDeviceScalars(const Program& program, const Body& body, DeviceScalars& known) {
  Finder(program, known).run(body);
}

}  // namespace halo::gpu
