// Each statement once for each group of cells with the same operands, or jammed. All binders are
// fresh; their types mention the names of the group's first cell.
#include "lang/core/jam/jam.h"

#include <algorithm>

#include "lang/core/rewrite.h"

namespace halo::core {

ValueId CellNames::of(ValueId value, size_t cell) const {
  const auto found = names_.find(value);
  return found == names_.end() ? value : found->second[cell];
}

Operand CellNames::of(const Operand& operand, size_t cell) const {
  return operand.isConstant() ? operand : Operand(of(operand.value, cell));
}

std::vector<ValueId>& CellNames::operator[](ValueId value) {
  return names_.try_emplace(value, std::vector<ValueId>(cells_, value)).first->second;
}

namespace {

using Names = std::vector<ValueId>;

// The group of each cell: cells of one key are one group, and groups are numbered in the order of
// their first cells.
class Groups {
 public:
  template <typename KeyOf>
  Groups(size_t cells, const KeyOf& keyOf) {
    std::vector<decltype(keyOf(size_t{0}))> keys;
    for (size_t cell = 0; cell < cells; ++cell) {
      auto key = keyOf(cell);
      const auto known = std::find(keys.begin(), keys.end(), key);
      of_.push_back(known - keys.begin());
      if (known != keys.end()) continue;
      keys.push_back(std::move(key));
      first_.push_back(cell);
    }
  }

  size_t count() const { return first_.size(); }
  size_t first(size_t group) const { return first_[group]; }
  bool has(size_t group, size_t cell) const { return of_[cell] == group; }

 private:
  std::vector<size_t> of_, first_;
};

Groups groupsByUses(const std::unordered_set<ValueId>& used, const CellNames& names) {
  return {names.cells(), [&](size_t cell) {
            Names key;
            for (ValueId value : used) key.push_back(names.of(value, cell));
            return key;
          }};
}

class Jam {
 public:
  Jam(Program& program, CellNames& names) : program_(program), names_(names) {}

  Body run(const Body& body) {
    Body made;
    for (const Stm& stm : body.stms) statement(stm, made.stms);
    for (size_t cell = 0; cell < names_.cells(); ++cell) {
      for (const Operand& result : body.results) made.results.push_back(names_.of(result, cell));
    }
    return made;
  }

 private:
  void statement(const Stm& stm, std::vector<Stm>& to) {
    const Groups groups = groupsByUses(freeValues(program_, stm), names_);
    if (groups.count() > 1) {
      const auto* screma = std::get_if<Screma>(&stm.expr);
      if (screma != nullptr && isCommon(*screma)) return together(stm, *screma, to);
      const auto* match = std::get_if<Match>(&stm.expr);
      if (match != nullptr && isSame(match->scrutinee)) return together(stm, *match, to);
    }
    for (size_t group = 0; group < groups.count(); ++group) copy(stm, groups, group, to);
  }

  bool isSame(const Operand& operand) const {
    for (size_t cell = 1; cell < names_.cells(); ++cell) {
      if (names_.of(operand, cell) != names_.of(operand, 0)) return false;
    }
    return true;
  }
  // Whether cells take the same steps.
  bool isCommon(const Screma& screma) const {
    return screma.scans.empty() && !screma.partial_values && !screma.chunk && isSame(screma.width);
  }

  // The statement of one group's cells.
  void copy(const Stm& stm, const Groups& groups, size_t group, std::vector<Stm>& to) {
    const Body one = {{stm}, {}};
    Substitution substitution;
    for (ValueId value : freeValues(program_, one)) {
      substitution[value] = names_.of(value, groups.first(group));
    }
    const Body made = freshCopy(program_, one, std::move(substitution));
    for (size_t k = 0; k < stm.results.size(); ++k) {
      name(stm.results[k], groups, group, made.stms[0].results[k]);
    }
    to.push_back(made.stms[0]);
  }

  void name(ValueId value, const Groups& groups, size_t group, ValueId its_name) {
    Names& names = names_[value];
    for (size_t cell = 0; cell < names.size(); ++cell) {
      if (groups.has(group, cell)) names[cell] = its_name;
    }
  }
  // A binder of these cells.
  ValueId bind(ValueId value, const Groups& groups, size_t group) {
    ValueInfo info = program_.values[value];
    for (Operand& size : info.type.shape) size = names_.of(size, groups.first(group));
    const ValueId fresh = program_.values.add(std::move(info));
    name(value, groups, group, fresh);
    return fresh;
  }

  void together(const Stm& stm, const Screma& screma, std::vector<Stm>& to) {
    Screma made;
    made.width = names_.of(screma.width, 0);
    made.flattening = screma.flattening;
    made.joins = screma.joins;
    takeInputs(screma, made);
    made.map.body.stms = run(screma.map.body).stms;
    Stm jammed{{}, {}, stm.checked, stm.span};
    size_t next = 0;
    for (const Reduction& reduction : screma.reductions) {
      reduce(stm, reduction, next, jammed.results, made);
      next += reduction.neutral.size();
    }
    for (; next < stm.results.size(); ++next) {
      const Operand& result = screma.map.body.results[next];
      const Groups groups(names_.cells(), [&](size_t cell) { return names_.of(result, cell); });
      for (size_t group = 0; group < groups.count(); ++group) {
        made.map.body.results.push_back(names_.of(result, groups.first(group)));
        jammed.results.push_back(bind(stm.results[next], groups, group));
      }
    }
    jammed.expr = std::move(made);
    to.push_back(std::move(jammed));
  }

  // Each input once for the cells that have it in common.
  void takeInputs(const Screma& screma, Screma& made) {
    for (size_t i = 0; i < screma.inputs.size(); ++i) {
      const ValueId input = screma.inputs[i];
      const Groups groups(names_.cells(), [&](size_t cell) { return names_.of(input, cell); });
      for (size_t group = 0; group < groups.count(); ++group) {
        made.inputs.push_back(names_.of(input, groups.first(group)));
        made.map.params.push_back(bind(screma.map.params[i], groups, group));
      }
    }
  }

  // A reduction whose elements begin at result `next` of the old map.
  void reduce(const Stm& stm, const Reduction& reduction, size_t next, Names& results,
              Screma& made) {
    const Operands& all = std::get<Screma>(stm.expr).map.body.results;
    std::unordered_set<ValueId> used = freeValues(program_, reduction.op);
    const auto uses = [&](const Operand& operand) {
      if (!operand.isConstant()) used.insert(operand.value);
    };
    for (size_t k = 0; k < reduction.neutral.size(); ++k) {
      uses(all[next + k]), uses(reduction.neutral[k]);
    }
    const Groups groups = groupsByUses(used, names_);
    for (size_t group = 0; group < groups.count(); ++group) {
      const size_t cell = groups.first(group);
      Substitution substitution;
      for (ValueId value : used) substitution[value] = names_.of(value, cell);
      Reduction copy = reduction;
      copy.op = freshCopy(program_, reduction.op, std::move(substitution));
      for (size_t k = 0; k < copy.neutral.size(); ++k) {
        copy.neutral[k] = names_.of(copy.neutral[k], cell);
        made.map.body.results.push_back(names_.of(all[next + k], cell));
        results.push_back(bind(stm.results[next + k], groups, group));
      }
      made.reductions.push_back(std::move(copy));
    }
  }

  // All cells take the same branch.
  void together(const Stm& stm, const Match& match, std::vector<Stm>& to) {
    Match made;
    made.scrutinee = names_.of(match.scrutinee, 0);
    for (const Case& each : match.cases) made.cases.push_back({each.value, run(each.body)});
    made.otherwise = run(match.otherwise);
    std::vector<Body*> branches = {&made.otherwise};
    for (Case& each : made.cases) branches.push_back(&each.body);
    std::vector<Operands> returned(branches.size());
    Stm jammed{{}, {}, stm.checked, stm.span};
    for (size_t k = 0; k < stm.results.size(); ++k) {
      const Groups groups(names_.cells(), [&](size_t cell) {
        Operands of_branches;
        for (const Body* branch : branches) {
          of_branches.push_back(branch->results[cell * stm.results.size() + k]);
        }
        return of_branches;
      });
      for (size_t group = 0; group < groups.count(); ++group) {
        const size_t at = groups.first(group) * stm.results.size() + k;
        for (size_t b = 0; b < branches.size(); ++b) {
          returned[b].push_back(branches[b]->results[at]);
        }
        jammed.results.push_back(bind(stm.results[k], groups, group));
      }
    }
    for (size_t b = 0; b < branches.size(); ++b) branches[b]->results = std::move(returned[b]);
    jammed.expr = std::move(made);
    to.push_back(std::move(jammed));
  }

  Program& program_;
  CellNames& names_;
};

}  // namespace

Body jam(Program& program, const Body& body, CellNames& names) {
  return Jam(program, names).run(body);
}

}  // namespace halo::core
