// One walk over the nest: levels of a value are those of all that its statement mentions.
#include "gpu/schedule/reduce/level_costs.h"

#include <unordered_set>

#include "gpu/plan/nests/nest.h"
#include "gpu/schedule/words.h"
#include "lang/core/rewrite.h"
#include "lang/passes/fuse/row_costs.h"

namespace halo::gpu {
namespace {

using core::Body;
using core::Screma;
using core::Stm;
using core::ValueId;

// Operations that a load takes the time of. The outermost of three levels around and more is a
// batch: what depends on it is most of the data, and comes from further away.
constexpr double kLoad = 4, kBatchLoad = 6;
constexpr size_t kBatchLevels = 3;
constexpr double kUnknown = 8;      // turns of a node whose width is no constant
constexpr double kMaxWritten = 16;  // turns that a driver writes out

double turns(const Screma& screma) {
  return screma.width.isConstant() ? static_cast<double>(screma.width.constant.asSigned())
                                   : kUnknown;
}

class CostWalk {
 public:
  CostWalk(const core::Program& program, const std::vector<const Screma*>& nest)
      : program_(program), nest_(nest) {}

  std::optional<LevelCosts> run(const core::Function& kernel) {
    for (const Stm& stm : kernel.body.stms) {
      if (&stm != &kernel.body.stms.back()) around(stm);
    }
    for (size_t k = 0; k < nest_.size(); ++k) enter(k);
    const Screma& own = *nest_.back();
    body(own.map.body, 1);
    for (const core::Reduction& each : own.reductions) body(each.op.body, 1, all());
    if (!can_share_) return std::nullopt;
    return costs_;
  }

 private:
  Levels all() const { return (Levels{1} << nest_.size()) - 1; }

  // The parameters of level k and the code in front of the next one.
  void enter(size_t k) {
    const Screma& level = *nest_[k];
    const bool is_own = k + 1 == nest_.size();
    for (size_t i = 0; i < level.inputs.size(); ++i) {
      const ValueId param = level.map.params[i];
      levels_[param] = of(level.inputs[i]) | Levels{1} << k;
      copyVirtual(level.inputs[i], param);
      if (is_own) loadInput(level.inputs[i], param, 1);
    }
    if (is_own) return;
    const Body before = prologueOf(level, *nest_[k + 1]);
    for (const Stm& stm : before.stms) around(stm);
  }
  // A statement outside of the element's code.
  void around(const Stm& stm) {
    for (ValueId result : stm.results) levels_[result] = of(stm);
    noteVirtual(stm);
  }

  Levels of(ValueId value) const {
    const auto found = levels_.find(value);
    return found == levels_.end() ? 0 : found->second;
  }
  Levels of(const core::Operand& operand) const {
    return operand.isConstant() ? 0 : of(operand.value);
  }
  Levels of(const Stm& stm) const {
    Levels levels = 0;
    for (ValueId value : core::freeValues(program_, stm)) levels |= of(value);
    return levels;
  }

  // Arrays that are computed where they are read, and parts of such.
  void noteVirtual(const Stm& stm) {
    if (std::holds_alternative<core::Iota>(stm.expr) ||
        std::holds_alternative<core::Replicate>(stm.expr)) {
      virtual_.insert(stm.results[0]);
    }
    for (ValueId array : viewed(stm)) copyVirtual(array, stm.results[0]);
  }
  static std::vector<ValueId> viewed(const Stm& stm) {
    if (const auto* index = std::get_if<core::Index>(&stm.expr)) return {index->array};
    if (const auto* slice = std::get_if<core::Slice>(&stm.expr)) return {slice->array};
    if (const auto* turned = std::get_if<core::Rearrange>(&stm.expr)) return {turned->array};
    if (const auto* reshape = std::get_if<core::Reshape>(&stm.expr)) return {reshape->array};
    return {};
  }
  void copyVirtual(ValueId from, ValueId to) {
    if (virtual_.contains(from)) virtual_.insert(to);
  }

  void load(ValueId value, double times) {
    const bool is_batch = nest_.size() > kBatchLevels && (of(value) & 1) != 0;
    const auto words = static_cast<double>(wordsOf(program_.type(value).scalar));
    costs_.loads.push_back({of(value), times * words * (is_batch ? kBatchLoad : kLoad)});
  }
  void loadInput(ValueId input, ValueId param, double times) {
    if (!program_.type(param).isScalar() || virtual_.contains(input)) return;
    load(param, times);
    costs_.streams = costs_.streams || of(param) == all();
  }

  // `more`: levels of the operands that operators have.
  void body(const Body& b, double times, Levels more = 0) {
    for (const Stm& stm : b.stms) statement(stm, times, more);
  }

  void statement(const Stm& stm, double times, Levels more) {
    const Levels levels = of(stm) | more;
    for (ValueId result : stm.results) levels_[result] = levels;
    noteVirtual(stm);
    costs_.statements += 1;
    can_share_ = can_share_ && !stm.checked && !stm.results.empty();
    if (!can_share_) return;
    if (const auto* screma = std::get_if<Screma>(&stm.expr)) return inner(stm, *screma, times);
    if (const auto* match = std::get_if<core::Match>(&stm.expr)) {
      return branches(stm, *match, times, more);
    }
    const bool is_scalar = program_.type(stm.results[0]).isScalar();
    if (std::holds_alternative<core::Index>(stm.expr)) {
      if (is_scalar && !virtual_.contains(viewed(stm)[0])) load(stm.results[0], times);
      return;
    }
    if (!viewed(stm).empty() || virtual_.contains(stm.results[0])) return;
    can_share_ = can_share_ && is_scalar && !std::holds_alternative<core::Loop>(stm.expr);
    const auto operations = static_cast<double>(passes::CodeCost().of(stm));
    costs_.operations.push_back({levels, times * operations});
    costs_.divides = costs_.divides || operations > 1;
  }

  void branches(const Stm& stm, const core::Match& match, double times, Levels more) {
    costs_.operations.push_back({of(match.scrutinee) | more, times});
    for (const core::Case& each : match.cases) body(each.body, times, more);
    body(match.otherwise, times, more);
    for (ValueId result : stm.results) {
      can_share_ = can_share_ && program_.type(result).isScalar();
    }
  }

  // A node of an element: a turn costs its loads and its code.
  void inner(const Stm& stm, const Screma& screma, double times) {
    can_share_ = can_share_ && screma.scans.empty() && !screma.partial_values;
    const double all_turns = times * turns(screma);
    for (size_t i = 0; i < screma.inputs.size(); ++i) {
      levels_[screma.map.params[i]] = of(screma.inputs[i]);
      copyVirtual(screma.inputs[i], screma.map.params[i]);
      loadInput(screma.inputs[i], screma.map.params[i], all_turns);
    }
    for (const core::Operand& result : screma.map.body.results) {
      if (!result.isConstant()) returned_.insert(result.value);
    }
    body(screma.map.body, all_turns);
    size_t next = 0;
    for (const core::Reduction& each : screma.reductions) {
      Levels levels = 0;
      for (size_t k = 0; k < each.neutral.size(); ++k) {
        levels |= of(screma.map.body.results[next + k]) | of(each.neutral[k]);
      }
      body(each.op.body, all_turns, levels);
      for (size_t k = 0; k < each.neutral.size(); ++k) levels_[stm.results[next++]] = levels;
    }
    for (; next < stm.results.size(); ++next) made(stm.results[next], screma, next);
  }
  // An array that stays in registers. A row that a turn returns is part of a larger one.
  void made(ValueId array, const Screma& screma, size_t result) {
    const core::Type& type = program_.type(array);
    can_share_ = can_share_ && core::hasAtMost(type.shape, static_cast<int64_t>(kMaxWritten));
    levels_[array] = of(screma.map.body.results[result]);
    virtual_.insert(array);
    if (!can_share_ || returned_.contains(array)) return;
    double words = static_cast<double>(wordsOf(type.scalar));
    for (const core::Operand& extent : type.shape) {
      words *= static_cast<double>(extent.constant.asSigned());
    }
    costs_.words.push_back({levels_[array], words});
  }

  const core::Program& program_;
  const std::vector<const Screma*>& nest_;
  std::unordered_map<ValueId, Levels> levels_;
  std::unordered_set<ValueId> virtual_;   // arrays that no memory has
  std::unordered_set<ValueId> returned_;  // from the turns of nodes
  LevelCosts costs_;
  bool can_share_ = true;
};

// Copies of a part in a tile.
double copies(Levels levels, const LevelTiles& tile) {
  double count = 1;
  for (const LevelTile& each : tile.levels) {
    if ((levels >> each.level & 1) != 0) count *= static_cast<double>(each.cells);
  }
  return count;
}

double sum(const std::vector<LevelCost>& costs, const LevelTiles& tile) {
  double total = 0;
  for (const LevelCost& each : costs) total += each.cost * copies(each.levels, tile);
  return total;
}

}  // namespace

double LevelCosts::cost(const LevelTiles& tile) const {
  const double all = sum(operations, tile) + sum(loads, tile);
  return all / copies(~Levels{0}, tile);
}

double LevelCosts::registers(const LevelTiles& tile) const {
  double total = sum(words, tile);
  for (const LevelCost& each : loads) total += copies(each.levels, tile);
  return total;
}

std::optional<LevelCosts> levelCosts(const core::Program& program, const core::Function& kernel,
                                     const std::vector<const core::Screma*>& levels) {
  return CostWalk(program, levels).run(kernel);
}

}  // namespace halo::gpu
