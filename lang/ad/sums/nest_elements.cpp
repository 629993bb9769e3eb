// From results to what they are made of; each value once for each tuple of axes.
#include "lang/ad/sums/nest_elements.h"

#include <algorithm>

namespace halo::ad {

namespace {

// Operations of outer levels that each element may repeat.
constexpr size_t kMaxRepeated = 4;
constexpr size_t kMany = 1000;  // operations of a call or branch

const core::Screma& mapOf(const Stm& stm) { return std::get<core::Screma>(stm.expr); }

bool isMapNode(const Stm& stm) {
  const auto* node = std::get_if<core::Screma>(&stm.expr);
  return node != nullptr && core::isMap(*node) && !node->flattening.any();
}

bool isOperation(const Stm& stm) {
  return std::holds_alternative<core::PrimOp>(stm.expr) ||
         std::holds_alternative<core::Convert>(stm.expr) ||
         std::holds_alternative<core::Select>(stm.expr) ||
         std::holds_alternative<core::Literal>(stm.expr);
}

// Neither fails nor goes on for ever, nor do the functions that it calls. `depth`: of calls.
bool isTotal(const Program& program, const Stm& stm, int depth = 0) {
  constexpr int kDeepest = 8;
  if (stm.checked || depth > kDeepest || std::holds_alternative<core::Assert>(stm.expr) ||
      std::holds_alternative<core::Loop>(stm.expr)) {
    return false;
  }
  const auto all = [&](const Body& body, int deeper) {
    return std::all_of(body.stms.begin(), body.stms.end(),
                       [&](const Stm& inner) { return isTotal(program, inner, deeper); });
  };
  if (const auto* call = std::get_if<core::Call>(&stm.expr)) {
    const core::Function* callee = program.find(call->function);
    return callee != nullptr && all(callee->body, depth + 1);
  }
  bool is_total = true;
  core::forEachBody(stm.expr, [&](const Body& body) { is_total = is_total && all(body, depth); });
  return is_total;
}

}  // namespace

NestElements::NestElements(Program& program, Stm& map, Operands widths)
    : program_(program), map_(map), widths_(std::move(widths)), code_(program) {
  levels_.push_back({0, &map_, 0});
  level_of_[&map_] = 0;
  define(0);
}

void NestElements::define(size_t level) {
  Stm& stm = *levels_[level].stm;
  auto& node = std::get<core::Screma>(stm.expr);
  for (size_t i = 0; i < node.inputs.size(); ++i) {
    definitions_[node.map.params[i]] = {level, nullptr, node.inputs[i]};
  }
  for (Stm& inner : node.map.body.stms) {
    for (const ValueId result : inner.results) definitions_[result] = {level, &inner, {}};
  }
}

// The level of a map below known ones. One that is read along two axes has none.
std::optional<size_t> NestElements::levelOf(Stm& stm, int axis) {
  if (mapOf(stm).width != widths_[static_cast<size_t>(axis)]) return std::nullopt;
  if (const auto known = level_of_.find(&stm); known != level_of_.end()) {
    return levels_[known->second].axis == axis ? std::optional(known->second) : std::nullopt;
  }
  const size_t parent = definitions_.at(stm.results[0]).level;
  const Axes around = axesAround(parent);
  if (std::count(around.begin(), around.end(), axis) > 0) return std::nullopt;
  levels_.push_back({parent, &stm, axis});
  level_of_[&stm] = levels_.size() - 1;
  define(levels_.size() - 1);
  return levels_.size() - 1;
}

NestElements::Axes NestElements::axesAround(size_t level) const {
  Axes axes{levels_[level].axis};
  for (; level != 0; level = levels_[level].parent) {
    axes.insert(axes.begin(), levels_[levels_[level].parent].axis);
  }
  return axes;
}

std::optional<Operand> NestElements::element(size_t result) {
  Axes axes;
  for (size_t i = 1; i < widths_.size(); ++i) axes.push_back(static_cast<int>(i));
  const auto made = at(mapOf(map_).map.body.results[result], axes);
  return made ? std::optional(made->value) : std::nullopt;
}

std::optional<NestElements::Made> NestElements::at(const Operand& value, const Axes& axes) {
  if (value.isConstant()) return Made{value};
  const auto key = std::pair(value.value, axes);
  if (const auto known = made_.find(key); known != made_.end()) return known->second;
  auto made = atDefinition(value.value, axes);
  if (made) made_[key] = *made;
  return made;
}

std::optional<NestElements::Made> NestElements::atDefinition(ValueId value, const Axes& axes) {
  const auto found = definitions_.find(value);
  if (found == definitions_.end()) return leaf(value, axes);
  const Definition definition = found->second;
  if (definition.stm == nullptr) {
    Axes all = axes;
    all.insert(all.begin(), levels_[definition.level].axis);
    return at(definition.input, all);
  }
  if (axes.empty()) return computed(definition, value);
  if (isMapNode(*definition.stm)) {
    if (const auto level = levelOf(*definition.stm, axes[0])) {
      const auto& results = definition.stm->results;
      const auto i =
          static_cast<size_t>(std::find(results.begin(), results.end(), value) - results.begin());
      const Operand row = mapOf(*levels_[*level].stm).map.body.results[i];
      if (auto made = at(row, Axes(axes.begin() + 1, axes.end()))) return made;
    }
  } else if (auto made = ofView(*definition.stm, axes)) {
    return made;
  }
  return taken(definition, value, axes);
}

std::optional<NestElements::Made> NestElements::ofView(const Stm& stm, const Axes& axes) {
  if (const auto* view = std::get_if<core::Rearrange>(&stm.expr)) {
    Axes before(axes.size());
    for (size_t i = 0; i < axes.size(); ++i) {
      before[static_cast<size_t>(view->permutation[i])] = axes[i];
    }
    return at(view->array, before);
  }
  if (const auto* rows = std::get_if<core::Replicate>(&stm.expr)) {
    const auto inner = axes.begin() + static_cast<ptrdiff_t>(rows->shape.size());
    return at(rows->value, Axes(inner, axes.end()));
  }
  return std::nullopt;
}

// Scalars of all levels are computed in the element, others where that is cheap.
std::optional<NestElements::Made> NestElements::computed(const Definition& definition,
                                                         ValueId value) {
  const bool is_innermost = axesAround(definition.level).size() == widths_.size();
  const auto made_before = made_;
  const size_t leaves = leaves_.size(), statements = code_.body().stms.size();
  const auto made = again(*definition.stm, value);
  if (is_innermost) return made;
  const bool is_cheap = made && made->operations <= kMaxRepeated && made->leaves.size() <= 1;
  if (is_cheap || (made && (made->axes & 1U) == 0)) return made;
  made_ = made_before;
  leaves_.resize(leaves);
  code_.body().stms.resize(statements);
  return taken(definition, value, {});
}

std::optional<NestElements::Made> NestElements::again(const Stm& stm, ValueId value) {
  const bool is_branch = std::holds_alternative<core::Match>(stm.expr);
  const bool is_call = std::holds_alternative<core::Call>(stm.expr);
  if (!isOperation(stm) && !is_branch && !is_call) return std::nullopt;
  if (!isTotal(program_, stm)) return std::nullopt;
  core::Substitution elements;
  Made all;
  all.operations = isOperation(stm) ? 1 : kMany;
  const auto free = core::freeValues(program_, stm);
  for (const ValueId used : std::set<ValueId>(free.begin(), free.end())) {
    if (!program_.type(used).isScalar()) return std::nullopt;
    const auto made = at(used, {});
    if (!made) return std::nullopt;
    elements[used] = made->value;
    all.axes |= made->axes;
    all.operations += made->operations;
    all.leaves.insert(made->leaves.begin(), made->leaves.end());
  }
  Body copy = core::freshCopy(
      program_, Body{{stm}, Operands(stm.results.begin(), stm.results.end())}, elements);
  for (Stm& one : copy.stms) code_.append(std::move(one));
  for (size_t i = 0; i < stm.results.size(); ++i) {
    all.value = copy.results[i];
    made_[{stm.results[i], {}}] = all;
  }
  return made_.at({value, {}});
}

// As one more result of all maps around.
std::optional<NestElements::Made> NestElements::taken(const Definition& definition, ValueId value,
                                                      const Axes& axes) {
  Axes all = axesAround(definition.level);
  all.insert(all.end(), axes.begin(), axes.end());
  if (all.size() >= widths_.size() || !isKnownOutside(program_.type(value))) return std::nullopt;
  auto known = taken_.find(value);
  if (known == taken_.end()) {
    ValueId array = value;
    for (size_t level = definition.level;; level = levels_[level].parent) {
      Stm& stm = *levels_[level].stm;
      auto& node = std::get<core::Screma>(stm.expr);
      node.map.body.results.push_back(array);
      array =
          program_.add(program_.values[value].name, arrayOf({node.width}, program_.type(array)));
      stm.results.push_back(array);
      if (level == 0) break;
    }
    known = taken_.emplace(value, array).first;
  }
  return leaf(known->second, all);
}

std::optional<NestElements::Made> NestElements::leaf(ValueId array, const Axes& axes) {
  if (axes.empty()) return Made{array};
  if (axes.size() >= widths_.size() ||
      std::set<int>(axes.begin(), axes.end()).size() < axes.size()) {
    return std::nullopt;
  }
  const auto same = [&](const Leaf& one) { return one.array == array && one.axes == axes; };
  auto found = std::find_if(leaves_.begin(), leaves_.end(), same);
  if (found == leaves_.end()) {
    const ValueId element = program_.add("x", {program_.type(array).scalar, {}});
    leaves_.push_back({array, axes, element});
    found = leaves_.end() - 1;
  }
  Made made{found->element, 0, 0, {static_cast<size_t>(found - leaves_.begin())}};
  for (const int axis : axes) made.axes |= 1U << static_cast<unsigned>(axis);
  return made;
}

bool NestElements::isKnownOutside(const Type& type) const {
  return std::all_of(type.shape.begin(), type.shape.end(), [&](const Operand& size) {
    return size.isConstant() || !definitions_.contains(size.value);
  });
}

}  // namespace halo::ad
