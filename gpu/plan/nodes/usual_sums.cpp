// Positions are the numbers that the levels of a table count, each below the level's extent.
#include "gpu/plan/nodes/usual_sums.h"

#include <algorithm>
#include <cstdlib>
#include <unordered_map>
#include <unordered_set>
#include <utility>

#include "gpu/plan/nests/kinds.h"
#include "gpu/plan/nests/levels.h"
#include "gpu/plan/nests/nest.h"
#include "lang/core/builder.h"
#include "lang/core/rewrite.h"

namespace halo::gpu {

using namespace core;
using prim::Op;

namespace {

constexpr int64_t kMaxOffset = 1;
constexpr int64_t kAnyOffset = int64_t{1} << 32;

class UsualSums {
 public:
  explicit UsualSums(Program& program) : program_(program) {}

  // `level`: how many maps are around the body, without loops in between.
  void run(Body& body, size_t level) {
    std::vector<Stm> before = std::move(body.stms);
    body.stms.clear();
    for (Stm& stm : before) {
      if (auto* branch = std::get_if<Match>(&stm.expr); branch != nullptr && level >= 2) {
        for (size_t k = 0; k <= branch->cases.size(); ++k) take(*branch, k, body.stms);
      }
      auto* map = std::get_if<Screma>(&stm.expr);
      if (map != nullptr && isMap(*map) && !isFew({map->width})) {
        notePositions(*map);
        run(map->map.body, level + 1);
      } else if (level == 0) {
        forEachBody(stm.expr, [&](Body& inner) { run(inner, 0); });
      }
      note(stm);
      body.stms.push_back(std::move(stm));
    }
  }

 private:
  void note(const Stm& stm) {
    if (const auto* iota = std::get_if<Iota>(&stm.expr)) {
      const bool counts = iota->start == kZero && iota->step == kOne;
      if (counts && iota->type == ScalarType::kI64) counted_.emplace(stm.results[0], iota->count);
    }
    if (const auto* op = std::get_if<PrimOp>(&stm.expr)) made_.emplace(stm.results[0], *op);
  }
  void notePositions(const Screma& map) {
    for (size_t i = 0; i < map.inputs.size(); ++i) {
      const auto found = counted_.find(map.inputs[i]);
      if (found != counted_.end()) extents_.emplace(map.map.params[i], found->second);
    }
  }

  // Whether one is below, or above, the other in about half of the cells. Both take the same
  // numbers, and neither has more than one added.
  bool halve(const Operand& a, const Operand& b) const {
    const ValueId left = positionOf(a, kMaxOffset), right = positionOf(b, kMaxOffset);
    return left.valid() && right.valid() && left != right &&
           extents_.at(left) == extents_.at(right);
  }

  // The position that the operand is, or a constant of this size at most away from.
  ValueId positionOf(const Operand& operand, int64_t most) const {
    if (operand.isConstant()) return {};
    if (extents_.contains(operand.value)) return operand.value;
    const auto found = made_.find(operand.value);
    if (found == made_.end() || found->second.type != ScalarType::kI64) return {};
    const auto& [op, type, args, loose] = found->second;
    if (op != Op::kAdd && op != Op::kSub) return {};
    const auto next = [&](const Operand& constant, const Operand& rest) {
      const int64_t offset = constant.constant.asSigned();
      const bool is_small = -most <= offset && offset <= most;
      return is_small ? positionOf(rest, most - std::abs(offset)) : ValueId{};
    };
    if (args[1].isConstant()) return next(args[1], args[0]);
    return op == Op::kAdd && args[0].isConstant() ? next(args[0], args[1]) : ValueId{};
  }

  // Whether half of the cells, or more, take arm number `k`; that of no case is the last one.
  bool isUsual(const Match& branch, size_t k) const {
    if (branch.cases.size() != 1 || branch.scrutinee.isConstant()) return false;
    const auto found = made_.find(branch.scrutinee.value);
    if (found == made_.end() || found->second.args.size() != 2) return false;
    const PrimOp& compare = found->second;
    const auto is_position = [&](const Operand& arg) {
      return positionOf(arg, kAnyOffset).valid();
    };
    const bool if_true = (k == 0) == branch.cases[0].value.asBool();
    switch (compare.op) {
      case Op::kEq:
        return !if_true && (is_position(compare.args[0]) || is_position(compare.args[1]));
      case Op::kNe:
        return if_true && (is_position(compare.args[0]) || is_position(compare.args[1]));
      case Op::kLt:
      case Op::kLe:
      case Op::kGt:
      case Op::kGe:
        return halve(compare.args[0], compare.args[1]);
      default:
        return false;
    }
  }

  // Products of rows, all of which exist for each cell.
  bool isSum(const Stm& stm) const {
    const auto* node = std::get_if<Screma>(&stm.expr);
    if (node == nullptr || node->reductions.size() != 1 || !node->scans.empty()) return false;
    const Body& map = node->map.body;
    return stm.results.size() == 1 && node->inputs.size() == 2 && map.stms.size() == 1 &&
           std::holds_alternative<PrimOp>(map.stms[0].expr) && !mayFail(stm) &&
           hasScalarOperators(program_, *node) && !isFew({node->width});
  }
  bool isThere(const Stm& stm) const {
    const auto* read = std::get_if<Index>(&stm.expr);
    if (read == nullptr || stm.checked) return false;
    const Operands& shape = program_.type(read->array).shape;
    for (size_t d = 0; d < read->indices.size(); ++d) {
      const Operand& index = read->indices[d];
      const auto found = index.isConstant() ? extents_.end() : extents_.find(index.value);
      if (found == extents_.end() || found->second != shape[d]) return false;
    }
    return true;
  }

  void take(Match& branch, size_t k, std::vector<Stm>& before) {
    if (!isUsual(branch, k)) return;
    Body& arm = k == branch.cases.size() ? branch.otherwise : branch.cases[k].body;
    std::vector<Stm> rows;
    std::unordered_set<ValueId> bound;  // in the arm, by other statements
    std::erase_if(arm.stms, [&](const Stm& stm) {
      if (isSum(stm) && takeSum(stm, rows, bound, before)) return true;
      if (isThere(stm)) {
        rows.push_back(stm);
      } else {
        bound.insert(stm.results.begin(), stm.results.end());
      }
      return false;
    });
  }

  bool takeSum(const Stm& sum, const std::vector<Stm>& rows,
               const std::unordered_set<ValueId>& bound, std::vector<Stm>& before) {
    const Operands results(sum.results.begin(), sum.results.end());
    Body whole = withNeeded(program_, rows, Body{{sum}, results});
    for (ValueId used : freeValues(program_, whole)) {
      if (bound.contains(used)) return false;
    }
    whole = freshCopy(program_, whole);
    whole.stms.back().results = sum.results;  // the arm goes on with its name
    for (Stm& stm : whole.stms) before.push_back(std::move(stm));
    return true;
  }

  Program& program_;
  std::unordered_map<ValueId, Operand> counted_;  // extents of arrays 0, 1, 2 ..
  std::unordered_map<ValueId, Operand> extents_;  // of positions
  std::unordered_map<ValueId, PrimOp> made_;
};

}  // namespace

void takeUsualSums(Program& program, Body& host) { UsualSums(program).run(host, 0); }

}  // namespace halo::gpu
