#include "lang/passes/nests/flat_nests.h"

#include <algorithm>
#include <iterator>
#include <unordered_set>

#include "lang/core/builder.h"
#include "lang/core/node_kinds.h"
#include "lang/core/rewrite.h"
#include "lang/core/used_once.h"
#include "lang/core/visit.h"
#include "lang/passes/nests/dense_rows.h"
#include "lang/passes/nests/divided_nest.h"
#include "lang/passes/parallel_node.h"

namespace halo::passes {
namespace {

using core::Body;
using core::Operand;
using core::Stm;
using core::ValueId;

class NestsAsFlatMaps {
 public:
  NestsAsFlatMaps(core::Program& program, const Body& function)
      : program_(program), strided_(stridedViews(program, function)) {}

  void body(Body& b) {
    for (Stm& stm : b.stms) {
      if (core::isPlainIota(stm.expr)) iotas_[stm.results[0]] = stm;
      if (core::isControl(stm.expr))
        core::forEachBody(stm.expr, [&](Body& nested) { body(nested); });
    }
    const std::unordered_set<ValueId> wanted = takenFlat(b, isAny);
    if (wanted.empty()) return;
    const std::unordered_set<ValueId> combined = takenFlat(b, combines);
    const auto counts = core::useCounts(program_, b);
    std::vector<Stm> old = std::move(b.stms);
    b.stms.clear();
    for (Stm& stm : old) {
      const bool is_wanted = std::any_of(stm.results.begin(), stm.results.end(),
                                         [&](ValueId result) { return wanted.contains(result); });
      auto nest = is_wanted ? nestOf(stm) : std::nullopt;
      if (nest) {
        flatten(std::move(*nest), b.stms);
      } else if (!is_wanted || !areReadOnce(stm, combined, counts) ||
                 !appendDivided(program_, stm, iotas_, strided_, b.stms)) {
        b.stms.push_back(std::move(stm));
      }
    }
  }

 private:
  static bool isAny(const ParallelNode&) { return true; }
  static bool combines(const ParallelNode& node) {
    return !node.reductions.empty() || !node.scans.empty();
  }

  // Where others read the rows, a division for each element costs more than it saves.
  static bool areReadOnce(const Stm& stm, const std::unordered_set<ValueId>& by,
                          const std::unordered_map<ValueId, int>& counts) {
    return std::all_of(stm.results.begin(), stm.results.end(), [&](ValueId result) {
      return by.contains(result) && core::isUsedOnce(counts, result);
    });
  }

  // Arrays that such parallel nodes of the body take through a reshape to one dimension.
  std::unordered_set<ValueId> takenFlat(const Body& b, bool (*isSuch)(const ParallelNode&)) const {
    std::unordered_set<ValueId> inputs;
    for (const Stm& stm : b.stms) {
      const auto node = decompose(stm);
      if (node && isSuch(*node)) inputs.insert(node->inputs.begin(), node->inputs.end());
    }
    std::unordered_set<ValueId> wanted;
    for (const Stm& stm : b.stms) {
      const auto* reshape = std::get_if<core::Reshape>(&stm.expr);
      const bool is_flat = reshape != nullptr && reshape->shape.size() == 1;
      if (is_flat && inputs.contains(stm.results[0])) wanted.insert(reshape->array);
    }
    return wanted;
  }

  // A nest over all dimensions of its results.
  std::optional<ParallelNode> nestOf(const Stm& stm) const {
    const auto outer = decompose(stm);
    if (!outer || outer->isStencil() || stm.results.empty()) return std::nullopt;
    const size_t rank = program_.type(stm.results[0]).rank();
    auto nest = rank < 2 ? std::nullopt : perfectNest(program_, *outer, rank);
    if (!nest || nest->inputs.empty() || nest->space.size() != rank) return std::nullopt;
    const bool is_dense = std::none_of(nest->inputs.begin(), nest->inputs.end(),
                                       [&](ValueId input) { return strided_.contains(input); });
    return is_dense ? nest : std::nullopt;
  }

  void flatten(ParallelNode nest, std::vector<Stm>& to) {
    const core::Operands shape = nest.space;
    core::Builder made(program_);
    Operand count = shape[0];
    for (size_t axis = 1; axis < shape.size(); ++axis) count = made.mul(count, shape[axis]);
    for (ValueId& input : nest.inputs) {
      input = flattened(program_, made, input, shape.size(), count);
    }
    std::vector<Stm> views;
    for (ValueId& result : nest.mapped_results) {
      const core::Type type = program_.type(result);
      const ValueId flat = program_.add(program_.values[result].name, {type.scalar, {count}});
      views.push_back({{result}, core::Reshape{flat, type.shape}, false, nest.span});
      result = flat;
    }
    nest.space = {count};
    made.append(compose(std::move(nest)));
    for (Stm& view : views) made.append(std::move(view));
    Body all = made.take({});
    std::move(all.stms.begin(), all.stms.end(), std::back_inserter(to));
  }

  core::Program& program_;
  const std::unordered_set<ValueId> strided_;
  Outside iotas_;
};

}  // namespace

core::Program flatNests(const core::Program& program) {
  core::Program result = program;
  for (core::Function& function : result.functions) {
    NestsAsFlatMaps(result, function.body).body(function.body);
  }
  return result;
}

}  // namespace halo::passes
