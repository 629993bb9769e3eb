// (1) Which reductions do not vary. (2) A node of them. (3) The rest without them.
#include "lang/passes/fuse/split_sums.h"

#include <algorithm>

#include "lang/core/rewrite.h"

namespace halo::passes {
namespace {

using core::Operand;
using core::Program;
using core::Reduction;
using core::Screma;
using core::Stm;
using core::ValueId;
using ValueSet = std::unordered_set<ValueId>;

class SumSplitter {
 public:
  SumSplitter(Program& program, Stm& stm, RowNames& names)
      : program_(program), stm_(stm), node_(std::get<Screma>(stm.expr)), names_(names) {}

  std::optional<Stm> split() {
    common_ = commonCode(program_, node_, names_);
    size_t at = 0, count = 0;
    for (const Reduction& reduction : node_.reductions) {
      are_common_.push_back(isCommon(reduction, at));
      count += are_common_.back() ? 1 : 0;
      at += reduction.neutral.size();
    }
    const bool are_all = count == node_.reductions.size() && at == stm_.results.size();
    if (count == 0 || are_all) return std::nullopt;
    Stm sums = takeSums();
    dropUnusedCommon(program_, node_.map.body, common_);
    return sums;
  }

 private:
  bool isSame(const Operand& operand) const {
    return operand.isConstant() || !names_.varying.contains(operand.value);
  }
  // `first`: position of its operands among the map's results.
  bool isCommon(const Reduction& reduction, size_t first) const {
    for (size_t k = 0; k < reduction.neutral.size(); ++k) {
      if (!isSame(reduction.neutral[k]) || !isSame(node_.map.body.results[first + k])) return false;
      if (!program_.type(stm_.results[first + k]).isScalar()) return false;
    }
    const std::vector<Stm>& op = reduction.op.body.stms;
    return !usesAny(core::freeValues(program_, reduction.op), names_.varying) &&
           std::all_of(op.begin(), op.end(), isCommonKind);
  }

  Stm takeSums() {
    Screma sums{node_.width, {}, {}, {}, {}, node_.flattening};
    Stm made;
    made.span = stm_.span;
    std::vector<ValueId> left_results;
    core::Operands left;
    std::vector<Reduction> others;
    size_t at = 0;
    for (size_t r = 0; r < node_.reductions.size(); ++r) {
      const size_t end = at + node_.reductions[r].neutral.size();
      for (; at < end; ++at) {
        (are_common_[r] ? made.results : left_results).push_back(stm_.results[at]);
        (are_common_[r] ? sums.map.body.results : left).push_back(node_.map.body.results[at]);
      }
      (are_common_[r] ? sums.reductions : others).push_back(std::move(node_.reductions[r]));
    }
    for (; at < stm_.results.size(); ++at) {
      left_results.push_back(stm_.results[at]);
      left.push_back(node_.map.body.results[at]);
    }
    stm_.results = std::move(left_results);
    node_.map.body.results = std::move(left);
    node_.reductions = std::move(others);
    fillMap(sums);
    made.expr = std::move(sums);
    return made;
  }

  void fillMap(Screma& sums) {
    std::vector<ValueId> values;
    for (const Operand& result : sums.map.body.results) {
      if (!result.isConstant()) values.push_back(result.value);
    }
    for (size_t i : takeNeeded(program_, node_.map.body, common_, values)) {
      sums.map.body.stms.push_back(node_.map.body.stms[i]);
    }
    for (size_t k = 0; k < node_.inputs.size(); ++k) {
      const ValueId param = node_.map.params[k];
      if (std::find(values.begin(), values.end(), param) == values.end()) continue;
      sums.inputs.push_back(node_.inputs[k]);
      sums.map.params.push_back(param);
    }
    sums.map = core::freshCopy(program_, sums.map);
  }

  Program& program_;
  Stm& stm_;
  Screma& node_;
  RowNames& names_;
  CommonCode common_;
  std::vector<bool> are_common_;  // by reduction
};

}  // namespace

std::optional<Stm> splitSums(Program& program, Stm& stm, RowNames& names) {
  const auto* node = std::get_if<Screma>(&stm.expr);
  if (node == nullptr || node->reductions.empty() || stm.results.size() < 2) return std::nullopt;
  const bool differs = !node->width.isConstant() && names.varying.contains(node->width.value);
  if (differs) return std::nullopt;
  return SumSplitter(program, stm, names).split();
}

}  // namespace halo::passes
