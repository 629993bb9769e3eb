// Each arm is read as cheap code and maps, then written once more for one element.
#include "gpu/plan/nodes/row_branches.h"

#include <algorithm>
#include <optional>
#include <unordered_set>

#include "gpu/plan/nests/kinds.h"
#include "gpu/plan/nests/nest.h"
#include "lang/core/builder.h"
#include "lang/core/node_kinds.h"
#include "lang/core/rewrite.h"

namespace halo::gpu {

using namespace core;

namespace {

// The length of all results, if they are long rows.
std::optional<Operand> rowLength(const Program& program, const Stm& stm) {
  if (stm.results.empty()) return std::nullopt;
  const Operands& first = program.type(stm.results[0]).shape;
  const bool are_equal = std::all_of(stm.results.begin(), stm.results.end(),
                                     [&](ValueId row) { return program.type(row).shape == first; });
  return are_equal && isLongRow(first) ? std::optional(first[0]) : std::nullopt;
}

bool isRowMap(const Stm& stm, const Operand& length) {
  const auto* map = std::get_if<Screma>(&stm.expr);
  return map != nullptr && isMap(*map) && map->width == length;
}

// Cheap code, and maps that nothing but the arm's results uses.
bool isRowArm(const Program& program, const Body& arm, const Operand& length) {
  std::unordered_set<ValueId> mapped;
  for (const Stm& stm : arm.stms) {
    const std::unordered_set<ValueId> used = freeValues(program, stm);
    const bool uses_maps = std::any_of(used.begin(), used.end(),
                                       [&](ValueId value) { return mapped.contains(value); });
    if (uses_maps) return false;
    if (isRowMap(stm, length)) {
      mapped.insert(stm.results.begin(), stm.results.end());
    } else if (!isCheap(stm)) {
      return false;
    }
  }
  return true;
}

// The numbers 0, 1, .. that an arm makes.
bool isPositions(const Body& arm, ValueId value) {
  return std::any_of(arm.stms.begin(), arm.stms.end(), [&](const Stm& stm) {
    return isPlainIota(stm.expr) && stm.results[0] == value;
  });
}

// The results of the arm's map at `at`.
Operands elementsOf(Builder& code, const Body& arm, const Screma& map, const Operand& at) {
  Operands args;
  for (ValueId input : map.inputs) {
    if (isPositions(arm, input)) {
      args.push_back(at);
      continue;
    }
    const Type element = rowOf(code.program().type(input));
    args.emplace_back(code.bind("x", element, Index{input, {at}}));
  }
  auto [stms, results] = apply(code.program(), map.map, args);
  for (Stm& stm : stms) code.append(std::move(stm));
  return results;
}

// The arm for the element at `at`.
Body elementArm(Program& program, const Body& arm, const Operand& length, const Operand& at) {
  Builder code(program);
  Substitution elements;
  for (const Stm& stm : arm.stms) {
    if (!isRowMap(stm, length)) {
      code.append(stm);
      continue;
    }
    const Operands made = elementsOf(code, arm, std::get<Screma>(stm.expr), at);
    for (size_t i = 0; i < made.size(); ++i) elements[stm.results[i]] = made[i];
  }
  Operands results;
  for (const Operand& row : arm.results) {
    auto found = elements.find(row.value);
    if (found == elements.end()) {
      const Type element = rowOf(program.type(row));
      found = elements.emplace(row.value, code.bind("x", element, Index{row.value, {at}})).first;
    }
    results.push_back(found->second);
  }
  return freshCopy(program, code.take(std::move(results)));
}

// The branch as a map, and the iota of its positions.
std::vector<Stm> asRowMap(Program& program, const Stm& stm, const Operand& length) {
  const auto& branch = std::get<Match>(stm.expr);
  const ValueId at = program.add("j", {ScalarType::kI64, {}});
  Match element{branch.scrutinee, {}, elementArm(program, branch.otherwise, length, at)};
  for (const Case& one : branch.cases) {
    element.cases.push_back({one.value, elementArm(program, one.body, length, at)});
  }
  std::vector<Type> types;
  for (ValueId row : stm.results) types.push_back(rowOf(program.type(row)));
  Builder map(program);
  const std::vector<ValueId> made = map.bindAll("y", types, std::move(element), false, stm.span);
  return mapOverRow(program, stm, at, map.take(Operands(made.begin(), made.end())));
}

bool isRowBranch(const Program& program, const Match& branch, const Operand& length) {
  const auto is_row_arm = [&](const Body& arm) { return isRowArm(program, arm, length); };
  return is_row_arm(branch.otherwise) &&
         std::all_of(branch.cases.begin(), branch.cases.end(),
                     [&](const Case& one) { return is_row_arm(one.body); });
}

}  // namespace

bool isLongRow(const Operands& shape) { return shape.size() == 1 && !isFew(shape); }

std::vector<Stm> mapOverRow(Program& program, const Stm& row, ValueId at, Body element) {
  const Operand length = program.type(row.results[0]).shape[0];
  Builder cell(program);
  const Iota positions{ScalarType::kI64, length, Operand::ofI64(0), Operand::ofI64(1)};
  const ValueId js = cell.bind("js", {ScalarType::kI64, {length}}, positions);
  Screma map;
  map.width = length;
  map.inputs = {js};
  map.map = {{at}, std::move(element)};
  cell.append({row.results, std::move(map), false, row.span});
  return cell.take({}).stms;
}

Body withRowBranches(Program& program, const Body& body) {
  Body result;
  result.results = body.results;
  for (const Stm& stm : body.stms) {
    const auto* branch = std::get_if<Match>(&stm.expr);
    const std::optional<Operand> length =
        branch != nullptr ? rowLength(program, stm) : std::nullopt;
    if (!length) {
      result.stms.push_back(stm);
      continue;
    }
    Stm whole = stm;  // whose arms may give rows by branches of their own
    forEachBody(whole.expr, [&](Body& arm) { arm = withRowBranches(program, arm); });
    if (!isRowBranch(program, std::get<Match>(whole.expr), *length)) {
      result.stms.push_back(stm);
      continue;
    }
    for (Stm& made : asRowMap(program, whole, *length)) result.stms.push_back(std::move(made));
  }
  return result;
}

namespace {

// The maps of a cell's uniform code, in loops and arms as well.
void joinRows(Program& program, Body& cell) {
  for (Stm& stm : cell.stms) {
    auto* node = std::get_if<Screma>(&stm.expr);
    if (node == nullptr) {
      if (isControl(stm.expr)) forEachBody(stm.expr, [&](Body& body) { joinRows(program, body); });
      continue;
    }
    if (!isMap(*node)) continue;
    Screma joined = *node;
    Screma* last = &joined;
    const size_t levels = mapNest(joined, SIZE_MAX).size();
    for (size_t k = 1; k < levels; ++k) last = &std::get<Screma>(last->map.body.stms.back().expr);
    last->map.body = withRowBranches(program, last->map.body);
    if (mapNest(joined, SIZE_MAX).size() > levels) *node = std::move(joined);
  }
}

}  // namespace

Stm withJoinedRows(Program& program, const Stm& nest, size_t cells) {
  Stm joined = nest;
  auto* level = &std::get<Screma>(joined.expr);
  for (size_t k = mapNest(*level, cells).size(); k > 1; k--) {
    level = &std::get<Screma>(level->map.body.stms.back().expr);
  }
  joinRows(program, level->map.body);
  return joined;
}

}  // namespace halo::gpu
