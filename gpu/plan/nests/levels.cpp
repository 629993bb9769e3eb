// Inner levels first: each level keeps the inputs and the code that inner levels mention.
#include "gpu/plan/nests/levels.h"

#include <algorithm>

#include "lang/core/rewrite.h"

namespace halo::gpu {

using namespace core;

namespace {

// All that a body mentions, sizes in the types of its results included.
std::unordered_set<ValueId> mentioned(const Program& program, const Body& body) {
  std::unordered_set<ValueId> free = freeValues(program, body);
  for (const Operand& result : body.results) {
    if (!result.isConstant()) free.insert(result.value);
  }
  return free;
}

std::vector<ValueId> inOrder(const std::unordered_set<ValueId>& values) {
  std::vector<ValueId> sorted(values.begin(), values.end());
  std::sort(sorted.begin(), sorted.end());
  return sorted;
}

std::vector<Stm> codeBetween(const Screma& level) {
  const std::vector<Stm>& stms = level.map.body.stms;
  return {stms.begin(), stms.end() - 1};
}

}  // namespace

Body withNeeded(const Program& program, const std::vector<Stm>& candidates, Body body) {
  std::unordered_set<ValueId> needed = mentioned(program, body);
  std::vector<Stm> chosen;
  for (size_t i = candidates.size(); i-- > 0;) {
    const std::vector<ValueId>& results = candidates[i].results;
    const bool wanted = std::any_of(results.begin(), results.end(),
                                    [&](ValueId result) { return needed.contains(result); });
    if (!wanted) continue;
    chosen.push_back(candidates[i]);
    needed.merge(freeValues(program, candidates[i]));
  }
  body.stms.insert(body.stms.begin(), chosen.rbegin(), chosen.rend());
  return body;
}

Levels::Levels(Program& program, std::vector<const Screma*> levels)
    : program_(program), levels_(std::move(levels)) {
  for (const Screma* level : levels_) widths_.push_back(level->width);
}

bool Levels::binds(ValueId value) const {
  for (size_t k = 0; k < levels_.size(); ++k) {
    const std::vector<ValueId>& params = levels_[k]->map.params;
    if (std::find(params.begin(), params.end(), value) != params.end()) return true;
    if (k + 1 == levels_.size()) break;
    for (const Stm& stm : codeBetween(*levels_[k])) {
      if (std::find(stm.results.begin(), stm.results.end(), value) != stm.results.end()) {
        return true;
      }
    }
  }
  return false;
}

ValueId Levels::sourceOf(ValueId param) const {
  for (size_t k = levels_.size(); k-- > 0;) {
    const std::vector<ValueId>& params = levels_[k]->map.params;
    auto at = std::find(params.begin(), params.end(), param);
    if (at == params.end()) return {};
    param = levels_[k]->inputs[static_cast<size_t>(at - params.begin())];
  }
  return param;
}

Type Levels::expandedType(const Type& of_cell) const {
  Type type = of_cell;
  type.shape.insert(type.shape.begin(), widths_.begin(), widths_.end());
  return type;
}

Stm Levels::nest(Body body, std::vector<ValueId> results, const Expanded& expanded,
                 Span span) const {
  struct Extra {
    ValueId value, array;
  };
  std::vector<Extra> extras;
  for (ValueId value : inOrder(mentioned(program_, body))) {
    auto found = expanded.find(value);
    if (found != expanded.end()) extras.push_back({value, found->second});
  }
  // The arrays' parts at each level, from the outside in; the cell's own name at the last.
  std::vector<std::vector<ValueId>> parts(levels_.size());
  for (size_t k = 0; k < levels_.size(); ++k) {
    for (const Extra& extra : extras) {
      Type type = program_.type(extra.value);
      type.shape.insert(type.shape.begin(), widths_.begin() + static_cast<long>(k) + 1,
                        widths_.end());
      bool is_last = k + 1 == levels_.size();
      std::string name = program_.values[extra.value].name;
      parts[k].push_back(is_last ? extra.value : program_.add(std::move(name), std::move(type)));
    }
  }
  Screma node;
  for (size_t k = levels_.size(); k-- > 0;) {
    const Screma& level = *levels_[k];
    bool is_last = k + 1 == levels_.size();
    if (!is_last) body = withNeeded(program_, codeBetween(level), std::move(body));
    node = Screma{level.width, {}, {}, {}, {}};
    std::unordered_set<ValueId> needed = mentioned(program_, body);
    for (size_t i = 0; i < level.inputs.size(); ++i) {
      if (!needed.contains(level.map.params[i])) continue;
      node.inputs.push_back(level.inputs[i]);
      node.map.params.push_back(level.map.params[i]);
    }
    for (size_t i = 0; i < extras.size(); ++i) {
      node.inputs.push_back(k == 0 ? extras[i].array : parts[k - 1][i]);
      node.map.params.push_back(parts[k][i]);
    }
    node.map.body = std::move(body);
    if (k == 0) break;
    Stm inner{{}, node, false, span};
    body = {};
    for (ValueId result : results) {
      Type type = program_.type(result);
      type.shape.erase(type.shape.begin(), type.shape.begin() + static_cast<long>(k));
      inner.results.push_back(program_.add("part", std::move(type)));
      body.results.push_back(inner.results.back());
    }
    body.stms.push_back(std::move(inner));
  }
  node.map = freshCopy(program_, node.map);
  return {std::move(results), std::move(node), false, span};
}

Body Levels::bound(Body body, const Operands& indices, const Expanded& expanded) const {
  std::vector<Stm> binding;
  auto element = [&](ValueId value, ValueId array, Operands at) {
    binding.push_back({{value}, Index{array, std::move(at)}, false, {}});
  };
  for (size_t k = 0; k < levels_.size(); ++k) {
    const Screma& level = *levels_[k];
    for (size_t i = 0; i < level.inputs.size(); ++i) {
      element(level.map.params[i], level.inputs[i], {indices[k]});
    }
    if (k + 1 == levels_.size()) break;
    for (Stm& stm : codeBetween(level)) binding.push_back(std::move(stm));
  }
  for (ValueId value : inOrder(mentioned(program_, body))) {
    auto found = expanded.find(value);
    if (found != expanded.end()) element(value, found->second, indices);
  }
  return withNeeded(program_, binding, std::move(body));
}

}  // namespace halo::gpu
