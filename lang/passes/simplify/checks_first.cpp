// Stretches of scalar code, views, reads and checks. Statements that depend on no read of the
// stretch come first, then the rest, both in order.
#include "lang/passes/simplify/checks_first.h"

#include <unordered_set>

#include "lang/core/visit.h"

namespace halo::passes {
namespace {

using core::Body;
using core::Stm;
using core::ValueId;

bool isCheck(const Stm& stm) { return std::holds_alternative<core::Assert>(stm.expr); }

// Statements that may change places with a check.
bool isPure(const Stm& stm) {
  return !stm.checked && (std::holds_alternative<core::Literal>(stm.expr) ||
                          std::holds_alternative<core::PrimOp>(stm.expr) ||
                          std::holds_alternative<core::Convert>(stm.expr) ||
                          std::holds_alternative<core::Select>(stm.expr) ||
                          std::holds_alternative<core::Index>(stm.expr) ||
                          std::holds_alternative<core::Slice>(stm.expr) ||
                          std::holds_alternative<core::Rearrange>(stm.expr));
}

class Mover {
 public:
  explicit Mover(const core::Program& program) : program_(program) {}

  void run(Body& body) {
    for (Stm& stm : body.stms) {
      core::visitBodies(stm.expr, [&](Body& inner) { Mover(program_).run(inner); });
      take(std::move(stm));
    }
    flush();
    body.stms = std::move(done_);
  }

 private:
  void take(Stm stm) {
    const bool waits = usesRead(stm);
    if (isCheck(stm) && !waits) {
      first_.push_back(std::move(stm));
    } else if (!isPure(stm)) {
      flush();
      done_.push_back(std::move(stm));
    } else if (waits || isRead(stm)) {
      read_.insert(stm.results.begin(), stm.results.end());
      later_.push_back(std::move(stm));
    } else {
      first_.push_back(std::move(stm));
    }
  }
  bool isRead(const Stm& stm) const {
    return std::holds_alternative<core::Index>(stm.expr) &&
           program_.type(stm.results[0]).isScalar();
  }
  bool usesRead(const Stm& stm) const {
    bool uses = false;
    core::visitUses(stm.expr, [&](const auto& use) {
      const core::Operand operand(use);
      uses = uses || (!operand.isConstant() && read_.contains(operand.value));
    });
    return uses;
  }
  void flush() {
    for (Stm& stm : first_) done_.push_back(std::move(stm));
    for (Stm& stm : later_) done_.push_back(std::move(stm));
    first_.clear();
    later_.clear();
    read_.clear();
  }

  const core::Program& program_;
  std::vector<Stm> done_;
  std::vector<Stm> first_, later_;    // of the stretch at hand
  std::unordered_set<ValueId> read_;  // results of later_
};

}  // namespace

core::Program checksFirst(const core::Program& program) {
  core::Program result = program;
  for (core::Function& function : result.functions) Mover(result).run(function.body);
  return result;
}

}  // namespace halo::passes
