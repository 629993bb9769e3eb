#include "gpu/raise/division/gather_divisions.h"

#include <vector>

#include "lang/imp/operands.h"
#include "lang/imp/walk.h"

namespace halo::gpu {

using namespace imp;

namespace {

constexpr size_t kFar = 200;  // statements from its first to its last one

// Statements that only bind variables, in an order that has independent divisions next to each
// other.
Block gathered(const Block& run, const KnownDivisors& known, size_t together) {
  Block out;
  std::vector<bool> done(run.size(), false);
  for (size_t i = 0; i < run.size(); ++i) {
    if (done[i]) continue;
    if (inexact(run[i], kF32) == nullptr) {
      out.push_back(run[i]);
      continue;
    }
    std::vector<size_t> group = {i};
    std::unordered_set<VarId> waiting = {varOf(run[i])};
    for (size_t k = i + 1; k < run.size() && k < i + kFar && group.size() < together; ++k) {
      bool divides = inexact(run[k], kF32) != nullptr;
      bool waits = dependsOn(run[k], waiting, known);
      if (done[k] || !(divides || waits)) continue;
      if (!waits) group.push_back(k);
      waiting.insert(varOf(run[k]));
    }
    for (size_t k = i + 1; k < group.back(); ++k) {
      if (done[k] || waiting.contains(varOf(run[k]))) continue;
      out.push_back(run[k]);
      done[k] = true;
    }
    for (size_t k : group) {
      out.push_back(run[k]);
      done[k] = true;
    }
  }
  return out;
}

}  // namespace

bool dependsOn(const Stm& stm, const std::unordered_set<VarId>& vars, const KnownDivisors& known) {
  bool found = false;
  forEachOperand(stm, [&](const Operand& operand) {
    found = found || (!operand.isConstant() && vars.contains(operand.var));
  });
  const Prim* division = found ? nullptr : divisionF32(stm);
  if (division == nullptr || division->args[1].isConstant()) return found;
  auto divisor = known.inverses.find(division->args[1].var);
  if (divisor == known.inverses.end() || divisor->second.inverse == varOf(stm)) return found;
  return vars.contains(divisor->second.inverse);  // on which the rest depends
}

Block gatherDivisions(const Block& block, const KnownDivisors& known, size_t together) {
  Block out, run;
  auto end = [&] {
    for (Stm& stm : gathered(run, known, together)) out.push_back(std::move(stm));
    run.clear();
  };
  for (const Stm& stm : block) {
    if (std::holds_alternative<Let>(stm.node)) {
      run.push_back(stm);
      continue;
    }
    end();
    out.push_back(stm);
  }
  end();
  return out;
}

}  // namespace halo::gpu
