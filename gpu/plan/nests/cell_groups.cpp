// Free values of each statement are found once; a walk backwards adds those of cheap code.
#include "gpu/plan/nests/cell_groups.h"

#include <algorithm>
#include <unordered_map>

#include "gpu/plan/nests/nest.h"
#include "lang/core/node_kinds.h"
#include "lang/core/rewrite.h"

namespace halo::gpu {

using namespace core;

namespace {

bool isAnyOf(const CellGroups::Values& values, const std::vector<ValueId>& results) {
  return std::any_of(results.begin(), results.end(),
                     [&](ValueId result) { return values.contains(result); });
}

bool contains(const CellGroup& group, size_t i) {
  return std::find(group.members.begin(), group.members.end(), i) != group.members.end();
}

}  // namespace

CellGroups::CellGroups(const Program& program, const Body& cell, const std::vector<Kind>& kinds)
    : program_(program), cell_(cell), kinds_(kinds) {
  for (const Stm& stm : cell.stms) free_.push_back(freeValues(program, stm));
  group();
}

CellGroups::Values CellGroups::throughCheap(Values needed) const {
  for (size_t i = kinds_.size(); i-- > 0;) {
    if (isCheap(i) && isAnyOf(needed, cell_.stms[i].results)) {
      needed.insert(free_[i].begin(), free_[i].end());
    }
  }
  return needed;
}

CellGroups::Values CellGroups::valuesIn(const Operands& operands) {
  Values values;
  for (const Operand& operand : operands) {
    if (!operand.isConstant()) values.insert(operand.value);
  }
  return values;
}

std::unordered_set<size_t> CellGroups::makersOf(const Values& values) const {
  std::unordered_set<size_t> positions;
  for (size_t i = 0; i < kinds_.size(); ++i) {
    if (!isCheap(i) && isAnyOf(values, cell_.stms[i].results)) positions.insert(i);
  }
  return positions;
}

void CellGroups::group() {
  CellGroup pending;
  auto flush = [&] {
    if (!pending.members.empty()) groups_.push_back(std::move(pending));
    pending = {};
  };
  for (size_t i = 0; i < kinds_.size(); ++i) {
    if (isCheap(i)) continue;
    if (kinds_[i] == Kind::kScalar) {
      pending.members.push_back(i);
      continue;
    }
    const std::unordered_set<size_t> needed = makersFor(i);
    // A check comes before whatever relies on it.
    const bool must_wait =
        !consumed(program_, cell_.stms[i]).empty() ||
        std::any_of(pending.members.begin(), pending.members.end(), [&](size_t member) {
          return needed.contains(member) || mayFail(cell_.stms[member]);
        });
    if (must_wait) flush();
    groups_.push_back({{i}, true});
  }
  flush();
}

bool CellGroups::crossRegularly(const Classifier& classifier) const {
  std::unordered_map<ValueId, size_t> group_of;
  for (size_t g = 0; g < groups_.size(); ++g) {
    for (size_t member : groups_[g].members) {
      for (ValueId value : cell_.stms[member].results) group_of[value] = g;
    }
  }
  auto cross = [&](const std::unordered_set<size_t>& needed, size_t g) {
    for (size_t position : needed) {
      for (ValueId value : cell_.stms[position].results) {
        if (group_of.at(value) != g && !classifier.isRegular(value)) return false;
      }
    }
    return true;
  };
  for (size_t g = 0; g < groups_.size(); ++g) {
    for (size_t member : groups_[g].members) {
      if (!cross(makersFor(member), g)) return false;
    }
  }
  return cross(makersOf(valuesForResults()), groups_.size());
}

bool CellGroups::passArrays() const {
  Values made;
  for (size_t i = 0; i < kinds_.size(); ++i) {
    const Stm& stm = cell_.stms[i];
    const bool uses = std::any_of(free_[i].begin(), free_[i].end(),
                                  [&](ValueId value) { return made.contains(value); });
    if (uses && !isCheap(i)) return true;
    if (uses) made.insert(stm.results.begin(), stm.results.end());
    if (isCheap(i)) continue;
    for (ValueId value : stm.results) {
      if (!program_.type(value).isScalar()) made.insert(value);
    }
  }
  return false;
}

bool CellGroups::isUsedOutside(ValueId value, const CellGroup& group) const {
  if (valuesForResults().contains(value)) return true;
  for (size_t i = 0; i < kinds_.size(); ++i) {
    if (contains(group, i) || isCheap(i)) continue;
    if (valuesFor(i).contains(value)) return true;
  }
  return false;
}

bool CellGroups::isMade(ValueId value) const {
  for (size_t i = 0; i < kinds_.size(); ++i) {
    const std::vector<ValueId>& results = cell_.stms[i].results;
    const bool is_here = std::find(results.begin(), results.end(), value) != results.end();
    if (is_here) return !isCheap(i);
  }
  return false;
}

namespace {

// Cheap code and branches of it.
bool isCheapCode(const Body& body) {
  return std::all_of(body.stms.begin(), body.stms.end(), [](const Stm& stm) {
    if (!std::holds_alternative<Match>(stm.expr)) return isCheap(stm);
    bool are_cheap = true;
    forEachBody(stm.expr, [&](const Body& arm) { are_cheap = are_cheap && isCheapCode(arm); });
    return are_cheap;
  });
}

// Empty if something else than the extents says how much there is to do, or cells differ.
Operands extentsOf(const Program& program, const Stm& stm, const Classifier& cell) {
  Operands extents;
  if (auto* screma = std::get_if<Screma>(&stm.expr)) {
    const std::vector<const Screma*> nest = mapNest(*screma, SIZE_MAX);
    for (const Screma* level : nest) extents.push_back(level->width);
    for (const Stm& inner : nest.back()->map.body.stms) {
      bool has_body = false;
      const bool sums = !isMap(*nest.back());
      forEachBody(inner.expr, [&](const Body& body) {
        const bool is_branch = sums && std::holds_alternative<Match>(inner.expr);
        has_body = has_body || !is_branch || !isCheapCode(body);
      });
      if (has_body) return {};
    }
  } else if (std::holds_alternative<Copy>(stm.expr) || std::holds_alternative<Reshape>(stm.expr)) {
    extents = program.type(stm.results[0]).shape;
  }
  bool differs = std::any_of(extents.begin(), extents.end(),
                             [&](const Operand& extent) { return cell.isLocal(extent); });
  return differs ? Operands{} : extents;
}

}  // namespace

std::vector<Operands> innerExtents(const Program& program, const Body& body,
                                   const std::vector<Kind>& kinds, const std::vector<ValueId>& rows,
                                   const Classifier& cell) {
  std::vector<Operands> all;
  for (size_t i = 0; i < kinds.size(); ++i) {
    if (kinds[i] != Kind::kParallel) continue;
    Operands extents = extentsOf(program, body.stms[i], cell);
    if (extents.empty()) return {};
    all.push_back(std::move(extents));
  }
  for (ValueId row : rows) all.push_back(program.type(row).shape);
  return all;
}

}  // namespace halo::gpu
