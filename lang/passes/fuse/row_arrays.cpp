// Dear values of the last level that the rest of it uses become arrays. The node that makes them
// has the same levels, with the common statements alone.
#include "lang/passes/fuse/row_arrays.h"

#include <algorithm>

#include "lang/core/rewrite.h"
#include "lang/passes/fuse/row_costs.h"

namespace halo::passes {
namespace {

using core::Body;
using core::Operand;
using core::Program;
using core::Screma;
using core::Stm;
using core::ValueId;
using ValueSet = std::unordered_set<ValueId>;

class RowArrays {
 public:
  RowArrays(Program& program, const Levels& levels) : program_(program), levels_(levels) {}

  void choose(const RowNames& names, const RowSurroundings& surroundings) {
    for (ValueId value : wanted()) {
      if (chosen_.size() == kMaxArrays) return;
      if (cost(value) < surroundings.dear || !fits(value, names, surroundings)) continue;
      chosen_.push_back(value);
    }
  }

  std::optional<Stm> share() {
    if (chosen_.empty()) return std::nullopt;
    Stm made = makeArrays();
    readArrays(made.results);
    dropUnusedCommon(program_, last().node().map.body, last().common);
    return made;
  }

 private:
  const Level& last() const { return levels_.back(); }

  // Common values that the rest of the map uses, in order.
  std::vector<ValueId> wanted() const {
    const Body& body = last().node().map.body;
    const std::set<size_t>& common = last().common.stms;
    ValueSet used;
    for (size_t i = 0; i < body.stms.size(); ++i) {
      if (!common.contains(i)) used.merge(core::freeValues(program_, body.stms[i]));
    }
    for (const Operand& result : body.results) {
      if (!result.isConstant()) used.insert(result.value);
    }
    std::vector<ValueId> values;
    for (size_t i : common) {
      for (ValueId result : body.stms[i].results) {
        if (used.contains(result)) values.push_back(result);
      }
    }
    return values;
  }

  // At the last level: what the levels around it do is done less often. Values that are arrays
  // already cost nothing.
  size_t cost(ValueId value) const {
    CommonCode others = last().common;
    for (ValueId chosen : chosen_) others.maker.erase(chosen);
    std::vector<ValueId> values = {value};
    const Body& body = last().node().map.body;
    CodeCost costs;
    size_t cost = 0;
    for (size_t i : takeNeeded(program_, body, others, values)) cost += costs.of(body.stms[i]);
    return cost;
  }

  // What values need, by level, and all names from the outside.
  struct Need {
    std::vector<std::set<size_t>> stms;
    std::vector<ValueSet> outside;
  };
  Need need(std::vector<ValueId> values) const {
    Need need;
    need.stms.resize(levels_.size());
    need.outside.resize(levels_.size());
    for (size_t level = levels_.size(); level-- > 0;) {
      const Level& at = levels_[level];
      need.stms[level] = takeNeeded(program_, at.node().map.body, at.common, values);
      need.outside[level].insert(values.begin(), values.end());
      for (ValueId input : usedInputs(at.node(), need.outside[level])) values.push_back(input);
    }
    need.outside.insert(need.outside.begin(), ValueSet(values.begin(), values.end()));
    return need;
  }
  static std::vector<ValueId> usedInputs(const Screma& node, const ValueSet& used) {
    std::vector<ValueId> inputs;
    for (size_t k = 0; k < node.inputs.size(); ++k) {
      if (used.contains(node.map.params[k])) inputs.push_back(node.inputs[k]);
    }
    return inputs;
  }

  // An array of several dimensions for a value that depends on each of them.
  bool fits(ValueId value, const RowNames& names, const RowSurroundings& surroundings) const {
    if (levels_.size() < 2 && !surroundings.is_loop) return true;
    const Need needed = need({value});
    for (size_t level = 0; level < levels_.size(); ++level) {
      const Screma& node = levels_[level].node();
      if (usedInputs(node, needed.outside[level + 1]).empty()) return false;
    }
    const bool per_cell = usesAny(needed.outside[0], surroundings.cells);
    return holdsAsMuch(program_, levels_, names, surroundings, per_cell);
  }

  core::Type typeFrom(size_t level, ValueId value) const {
    core::Type type{program_.type(value).scalar, {}};
    for (; level < levels_.size(); ++level) type.shape.push_back(levels_[level].node().width);
    return type;
  }

  Stm makeArrays() {
    const Need needed = need(chosen_);
    Stm made;
    for (size_t level = levels_.size(); level-- > 0;) {
      core::Lambda map;
      const Body& body = levels_[level].node().map.body;
      for (size_t i : needed.stms[level]) map.body.stms.push_back(body.stms[i]);
      const bool is_last = level + 1 == levels_.size();
      const std::vector<ValueId>& results = is_last ? chosen_ : made.results;
      map.body.results = core::Operands(results.begin(), results.end());
      if (!is_last) map.body.stms.push_back(std::move(made));
      made = around(level, std::move(map), needed.outside[level + 1]);
    }
    return made;
  }
  // `used`: what the map takes from the outside.
  Stm around(size_t level, core::Lambda map, const ValueSet& used) {
    const Screma& node = levels_[level].node();
    Screma row{node.width, usedInputs(node, used), {}, {}, {}};
    for (ValueId param : node.map.params) {
      if (used.contains(param)) map.params.push_back(param);
    }
    row.map = level == 0 ? core::freshCopy(program_, map) : std::move(map);
    Stm made;
    for (ValueId value : chosen_) {
      const std::string name = program_.values[value].name;
      made.results.push_back(program_.add(name, typeFrom(level, value)));
    }
    made.expr = std::move(row);
    made.span = levels_[level].stm->span;
    return made;
  }

  void readArrays(std::vector<ValueId> rows) {
    for (size_t level = 0; level < levels_.size(); ++level) {
      Screma& node = levels_[level].node();
      for (size_t k = 0; k < chosen_.size(); ++k) {
        node.inputs.push_back(rows[k]);
        const std::string name = program_.values[chosen_[k]].name;
        rows[k] = program_.add(name, typeFrom(level + 1, chosen_[k]));
        node.map.params.push_back(rows[k]);
      }
    }
    core::Substitution elements;
    for (size_t k = 0; k < chosen_.size(); ++k) elements[chosen_[k]] = rows[k];
    core::substitute(program_, last().node().map.body, elements);
  }

  Program& program_;
  const Levels& levels_;
  std::vector<ValueId> chosen_;
};

}  // namespace

std::optional<Stm> shareCommonCode(Program& program, const Levels& levels, const RowNames& names,
                                   const RowSurroundings& surroundings) {
  RowArrays arrays(program, levels);
  arrays.choose(names, surroundings);
  return arrays.share();
}

}  // namespace halo::passes
