// From the innermost node outwards: a row that an inner node takes is an own element further out.
#include "lang/passes/nests/own_elements.h"

#include <algorithm>
#include <optional>
#include <unordered_map>

#include "lang/core/rewrite.h"
#include "lang/core/visit.h"
#include "lang/passes/parallel_node.h"
#include "lang/passes/with_bodies.h"

namespace halo::passes {
namespace {

using core::Body;
using core::Index;
using core::Operand;
using core::Program;
using core::Stm;
using core::ValueId;

class Reader {
 public:
  Reader(Program& program, const core::Function& function) : program_(program) {
    for (ValueId param : function.params) depths_[param] = 0;
  }

  void body(Body& b) {
    const size_t depth = before_.size();
    before_.emplace_back();
    std::vector<Stm> done;
    for (Stm& stm : b.stms) {
      if (const auto* iota = std::get_if<core::Iota>(&stm.expr)) counts_[stm.results[0]] = *iota;
      for (ValueId bound : core::boundIn(stm.expr)) depths_[bound] = depth + 1;
      std::optional<ParallelNode> node = decompose(stm);
      const bool fits = node && node->windows.empty() && node->space.size() == 1;
      if (fits) addPositions(*node);
      if (const auto* loop = std::get_if<core::Loop>(&stm.expr)) {
        if (const auto* counted = std::get_if<core::ForLoop>(&loop->form)) {
          extents_[counted->index] = counted->bound;
        }
      }
      core::visitBodies(stm.expr, [&](Body& inner) { body(inner); });
      if (fits) node = decompose(stm);
      if (fits && takes(*node, depth)) stm = compose(std::move(*node));
      for (Stm& view : before_[depth]) done.push_back(std::move(view));
      before_[depth].clear();
      for (ValueId result : stm.results) depths_[result] = depth;
      done.push_back(std::move(stm));
    }
    b.stms = std::move(done);
    before_.pop_back();
  }

 private:
  // Parameters that count all cells of the node.
  void addPositions(const ParallelNode& node) {
    for (size_t i = 0; i < node.inputs.size(); ++i) {
      auto found = counts_.find(node.inputs[i]);
      if (found == counts_.end()) continue;
      const core::Iota& iota = found->second;
      if (iota.start == core::kZero && iota.step == core::kOne && iota.count == node.space[0] &&
          iota.type == prim::ScalarType::kI64) {
        extents_[node.input_params[i]] = node.space[0];
      }
    }
  }

  // The own reads among the statements of the lambda become inputs.
  bool takes(ParallelNode& node, size_t depth) {
    core::Substitution elements;
    std::vector<Stm> kept;
    for (Stm& stm : node.stms) {
      const auto* read = std::get_if<Index>(&stm.expr);
      const auto axis = read != nullptr ? ownAxis(*read, node, depth) : std::nullopt;
      if (!axis) {
        kept.push_back(std::move(stm));
        continue;
      }
      node.inputs.push_back(rowOf(*read, *axis));
      node.input_params.push_back(stm.results[0]);
    }
    const bool some = kept.size() < node.stms.size();
    node.stms = std::move(kept);
    return some;
  }

  // The axis that the cells of the node go along. All others have positions further out.
  std::optional<size_t> ownAxis(const Index& read, const ParallelNode& node, size_t depth) const {
    const core::Type& type = program_.type(read.array);
    auto made = depths_.find(read.array);
    if (made == depths_.end() || made->second > depth) return std::nullopt;
    std::optional<size_t> axis;
    for (size_t k = 0; k < read.indices.size(); ++k) {
      const Operand& at = read.indices[k];
      auto extent = at.isConstant() ? extents_.end() : extents_.find(at.value);
      if (extent == extents_.end() || extent->second != type.shape[k]) return std::nullopt;
      const bool own = std::find(node.input_params.begin(), node.input_params.end(), at.value) !=
                       node.input_params.end();
      if (!own) continue;
      if (axis) return std::nullopt;  // a diagonal
      axis = k;
    }
    return axis;
  }

  // The array's row along the axis, at the places that the other indices give, as far out as these.
  ValueId rowOf(const Index& read, size_t axis) {
    const size_t last = read.indices.size() - 1;
    const ValueId array = axis == last ? read.array : turned(read, axis);
    if (last == 0) return array;
    Index view{array, read.indices};
    view.indices.erase(view.indices.begin() + static_cast<std::ptrdiff_t>(axis));
    size_t depth = depths_.at(array);
    for (const Operand& at : view.indices) depth = std::max(depth, depths_.at(at.value));
    const ValueId row =
        program_.add(program_.values[read.array].name, core::rowOf(program_.type(array), last));
    before_[depth].push_back({{row}, std::move(view), false, {}});
    depths_[row] = depth;
    return row;
  }

  // The array with the axis behind the other indices, as far out as there is the array.
  ValueId turned(const Index& read, size_t axis) {
    const core::Type type = program_.type(read.array);
    core::Rearrange view{read.array, {}};
    for (size_t k = 0; k < type.shape.size(); ++k) {
      if (k != axis) view.permutation.push_back(static_cast<int>(k));
      if (k == read.indices.size() - 1) view.permutation.push_back(static_cast<int>(axis));
    }
    core::Type shape{type.scalar, {}};
    for (int from : view.permutation) shape.shape.push_back(type.shape[static_cast<size_t>(from)]);
    const ValueId result = program_.add(program_.values[read.array].name, std::move(shape));
    const size_t depth = depths_.at(read.array);
    before_[depth].push_back({{result}, std::move(view), false, {}});
    depths_[result] = depth;
    return result;
  }

  Program& program_;
  std::unordered_map<ValueId, core::Iota> counts_;
  std::unordered_map<ValueId, Operand> extents_;  // of positions, and of indices of loops
  std::unordered_map<ValueId, size_t> depths_;    // of the body that a value is made in
  std::vector<std::vector<Stm>> before_;          // views in front of each body's statement
};

}  // namespace

core::Program ownElements(const core::Program& program) {
  return withBodies(program, [](core::Program& result, const core::Function& function, Body& body) {
    Reader(result, function).body(body);
  });
}

}  // namespace halo::passes
