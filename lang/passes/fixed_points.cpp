#include "lang/passes/fixed_points.h"

#include <algorithm>

namespace halo::passes {
namespace {

// Types of values belong to no function.
bool hasSameValues(const core::Program& before, const core::Program& after) {
  const auto is_same = [](const core::ValueInfo& a, const core::ValueInfo& b) {
    return a.type == b.type && a.name == b.name;
  };
  return before.values.size() <= after.values.size() &&
         std::equal(before.values.begin(), before.values.end(), after.values.begin(), is_same);
}

const core::Function* sameAt(const std::vector<core::Function>& functions, size_t i,
                             const core::Function& wanted) {
  if (i < functions.size() && functions[i].name == wanted.name) return &functions[i];
  const auto found = std::find_if(functions.begin(), functions.end(),
                                  [&](const core::Function& f) { return f.name == wanted.name; });
  return found == functions.end() ? nullptr : &*found;
}

}  // namespace

core::Program FixedPoints::run(const PassRow& row, core::Program program) {
  if (leaves(row)) return program;
  if (row.run_on == nullptr) return runWhole(row, std::move(program));
  runOn(row, program);
  return program;
}

core::Program FixedPoints::runWhole(const PassRow& row, core::Program program) {
  core::Program after = row.run(program);
  const bool has_same_values = hasSameValues(program, after);
  // Values that no function uses count too: the numbers of later ones depend on them.
  bool is_same = has_same_values && program.values.size() == after.values.size() &&
                 program.functions.size() == after.functions.size();
  for (size_t i = 0; i < after.functions.size(); ++i) {
    const core::Function& function = after.functions[i];
    const core::Function* before = sameAt(program.functions, i, function);
    if (has_same_values && before != nullptr && *before == function) continue;
    ++functions_[function.name].now;
    is_same = false;
  }
  if (is_same) {
    program_.left[row.run] = program_.now;
  } else {
    ++program_.now;
  }
  return after;
}

void FixedPoints::runOn(const PassRow& row, core::Program& program) {
  std::vector<bool> wanted;
  for (const core::Function& function : program.functions) {
    wanted.push_back(!functions_[function.name].isLeftBy(row.run));
  }
  const size_t values = program.values.size();
  const std::vector<bool> changed = row.run_on(program, wanted);
  for (size_t i = 0; i < wanted.size(); ++i) {
    Version& version = functions_[program.functions[i].name];
    if (changed[i]) {
      ++version.now;
    } else if (wanted[i]) {
      version.left[row.run] = version.now;
    }
  }
  const bool any = std::find(changed.begin(), changed.end(), true) != changed.end();
  if (any || program.values.size() != values) {
    ++program_.now;
  } else {
    program_.left[row.run] = program_.now;
  }
}

}  // namespace halo::passes
