// A statement is common if it is of a kind that may be, and uses nothing that varies.
#include "lang/passes/fuse/row_levels.h"

#include <algorithm>

#include "lang/core/rewrite.h"
#include "lang/passes/fuse/split_sums.h"
#include "lang/passes/row_code.h"

namespace halo::passes {

using core::Body;
using core::Operand;
using core::Program;
using core::Screma;
using core::Stm;
using core::ValueId;
using ValueSet = std::unordered_set<ValueId>;

bool isCommonKind(const Stm& stm) {
  if (isTotalScalarCode(stm)) return true;
  const auto* node = std::get_if<Screma>(&stm.expr);
  if (node == nullptr || node->reductions.empty() || !node->scans.empty()) return false;
  auto isTotal = [](const Body& body) {
    return std::all_of(body.stms.begin(), body.stms.end(), isCommonKind);
  };
  size_t reduced = 0;
  for (const core::Reduction& reduction : node->reductions) {
    if (!isTotal(reduction.op.body)) return false;
    reduced += reduction.neutral.size();
  }
  return reduced == stm.results.size() && isTotal(node->map.body);
}

bool usesAny(const ValueSet& used, const ValueSet& of) {
  return std::any_of(used.begin(), used.end(), [&](ValueId value) { return of.contains(value); });
}

namespace {

void bindParams(const Screma& node, RowNames& names) {
  names.bound.insert(node.map.params.begin(), node.map.params.end());
  for (size_t k = 0; k < node.inputs.size(); ++k) {
    if (names.varying.contains(node.inputs[k])) names.varying.insert(node.map.params[k]);
  }
}

bool givesScalars(const Program& program, const Stm& stm) {
  return std::all_of(stm.results.begin(), stm.results.end(),
                     [&](ValueId result) { return program.type(result).isScalar(); });
}

void classify(const Program& program, const Stm& stm, size_t number, RowNames& names,
              CommonCode& common) {
  names.bound.insert(stm.results.begin(), stm.results.end());
  const bool is_common = isCommonKind(stm) && givesScalars(program, stm) &&
                         !usesAny(core::freeValues(program, stm), names.varying);
  if (!is_common) return names.varying.insert(stm.results.begin(), stm.results.end());
  common.stms.insert(number);
  for (ValueId result : stm.results) common.maker[result] = number;
}

}  // namespace

CommonCode commonCode(const Program& program, const Screma& node, RowNames& names) {
  bindParams(node, names);
  CommonCode common;
  const std::vector<Stm>& stms = node.map.body.stms;
  for (size_t i = 0; i < stms.size(); ++i) classify(program, stms[i], i, names, common);
  return common;
}

Level enterLevel(Program& program, Stm& stm, RowNames& names, bool splits) {
  Level level{&stm, {}};
  if (!splits) {
    level.common = commonCode(program, level.node(), names);
    return level;
  }
  bindParams(level.node(), names);
  std::vector<Stm> stms;
  auto append = [&](Stm next) {
    classify(program, next, stms.size(), names, level.common);
    stms.push_back(std::move(next));
  };
  for (Stm& next : level.node().map.body.stms) {
    if (auto sums = splitSums(program, next, names)) append(std::move(*sums));
    append(std::move(next));
  }
  level.node().map.body.stms = std::move(stms);
  return level;
}

std::set<size_t> takeNeeded(const Program& program, const Body& body, const CommonCode& common,
                            std::vector<ValueId>& values) {
  std::set<size_t> stms;
  ValueSet outside;
  while (!values.empty()) {
    const ValueId value = values.back();
    values.pop_back();
    const auto maker = common.maker.find(value);
    if (maker == common.maker.end()) {
      outside.insert(value);
    } else if (stms.insert(maker->second).second) {
      const ValueSet used = core::freeValues(program, body.stms[maker->second]);
      values.insert(values.end(), used.begin(), used.end());
    }
  }
  values.assign(outside.begin(), outside.end());
  return stms;
}

void dropUnusedCommon(const Program& program, Body& body, const CommonCode& common) {
  ValueSet used;
  for (const Operand& result : body.results) {
    if (!result.isConstant()) used.insert(result.value);
  }
  std::vector<Stm> kept;
  for (size_t i = body.stms.size(); i-- > 0;) {
    Stm& stm = body.stms[i];
    const bool stays =
        !common.stms.contains(i) || usesAny({stm.results.begin(), stm.results.end()}, used);
    if (!stays) continue;
    used.merge(core::freeValues(program, stm));
    kept.push_back(std::move(stm));
  }
  std::reverse(kept.begin(), kept.end());
  body.stms = std::move(kept);
}

}  // namespace halo::passes
