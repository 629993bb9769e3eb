// How far a value moves from a segment to the next one, from the positions on.
#include "gpu/schedule/reduce/segment_reads.h"

#include <algorithm>
#include <optional>
#include <unordered_map>

#include "lang/core/rewrite.h"
#include "lang/core/visit.h"

namespace halo::gpu {

using namespace core;
using prim::Op;

namespace {

using Step = std::optional<int64_t>;  // nothing: not the same everywhere, or unknown

class Steps {
 public:
  // Names without an entry are the same in all segments.
  Step of(const Operand& operand) const {
    if (operand.isConstant()) return 0;
    const auto found = steps_.find(operand.value);
    return found == steps_.end() ? Step(0) : found->second;
  }
  void set(ValueId value, Step step) { steps_[value] = step; }

  void add(const Stm& stm) {
    const Step step = ofStatement(stm);
    if (step == 0) return;
    for (const ValueId result : stm.results) set(result, step);
  }

 private:
  Step ofStatement(const Stm& stm) const {
    if (const auto* convert = std::get_if<Convert>(&stm.expr)) return of(convert->arg);
    if (const auto* prim = std::get_if<PrimOp>(&stm.expr)) return ofPrim(*prim);
    Step step = 0;
    visitUses(stm.expr, [&](const auto& use) {
      if (of(Operand(use)) != 0) step = std::nullopt;
    });
    return step;
  }

  Step ofPrim(const PrimOp& prim) const {
    std::vector<Step> steps;
    for (const Operand& arg : prim.args) steps.push_back(of(arg));
    const bool move = std::any_of(steps.begin(), steps.end(), [](Step s) { return s != 0; });
    if (!move) return 0;
    const bool are_known = std::all_of(steps.begin(), steps.end(), [](Step s) { return s; });
    if (!are_known || prim.type != prim::ScalarType::kI64) return std::nullopt;
    switch (prim.op) {
      case Op::kAdd:
        return *steps[0] + *steps[1];
      case Op::kSub:
        return *steps[0] - *steps[1];
      case Op::kMin:
      case Op::kMax:  // a border, at which few segments are
        return *steps[0] == 0 ? steps[1] : *steps[1] == 0 ? steps[0] : std::nullopt;
      default:
        return std::nullopt;
    }
  }

  std::unordered_map<ValueId, Step> steps_;
};

// Iotas of the kernel and of the levels around the segment.
std::unordered_map<ValueId, Operand> iotasOf(const Body& body) {
  std::unordered_map<ValueId, Operand> iotas;
  visitStms(body, [&](const Stm& stm) {
    const auto* iota = std::get_if<Iota>(&stm.expr);
    if (iota != nullptr) iotas.emplace(stm.results[0], iota->step);
  });
  return iotas;
}

}  // namespace

bool segmentsReadNeighbours(const Function& kernel, const std::vector<const Screma*>& levels) {
  if (levels.size() < 2) return false;
  const Screma& segment = *levels[levels.size() - 2];
  const auto iotas = iotasOf(kernel.body);
  Steps steps;
  for (size_t i = 0; i < segment.inputs.size(); ++i) {
    const auto iota = iotas.find(segment.inputs[i]);
    const bool is_position = iota != iotas.end() && iota->second.isConstant();
    steps.set(segment.map.params[i],
              is_position ? Step(iota->second.constant.asSigned()) : std::nullopt);
  }
  bool are_neighbours = false, are_apart = false;
  visitStms(segment.map.body, [&](const Stm& stm) {
    if (const auto* index = std::get_if<Index>(&stm.expr)) {
      const Operands& at = index->indices;
      const bool same_row =
          steps.of(index->array) == 0 &&
          std::all_of(at.begin(), at.end() - 1, [&](const Operand& i) { return steps.of(i) == 0; });
      const Step step = steps.of(at.back());
      are_neighbours = are_neighbours || (same_row && step == 1);
      are_apart = are_apart || !same_row || (step != 0 && step != 1);
    }
    steps.add(stm);
  });
  const auto& inputs = levels.back()->inputs;
  are_apart = are_apart || std::any_of(inputs.begin(), inputs.end(),
                                       [&](ValueId input) { return steps.of(input) != 0; });
  return are_neighbours && !are_apart;
}

}  // namespace halo::gpu
