#include "lang/ad/sums/step_sums.h"

#include <algorithm>

#include "lang/ad/rules.h"
#include "lang/core/definitions.h"
#include "lang/core/node_kinds.h"

namespace halo::ad {

namespace {

// Element by element: a map of an addition, at any rank.
bool isAddition(const Stm& stm) {
  const auto* map = std::get_if<core::Screma>(&stm.expr);
  if (map == nullptr || !core::isMap(*map) || map->inputs.size() != 2) return false;
  const Body& body = map->map.body;
  if (body.stms.size() != 1 || body.results.size() != 1) return false;
  if (body.results[0] != Operand(body.stms[0].results[0])) return false;
  const std::vector<ValueId>& params = map->map.params;
  if (const auto* op = std::get_if<core::PrimOp>(&body.stms[0].expr))
    return op->op == Op::kAdd && op->args == Operands{params[0], params[1]};
  const auto* inner = std::get_if<core::Screma>(&body.stms[0].expr);
  return inner != nullptr && inner->inputs == params && isAddition(body.stms[0]);
}

}  // namespace

StepSums::StepSums(Program& program, const core::Loop& loop)
    : program_(program), loop_(loop), definitions_(core::Definitions::of(loop.body)) {
  uses_ = core::useCounts(program, loop.body);
  for (const core::Carried& one : loop.carried) carried_.insert(one.param);
  for (const Stm& stm : loop.body.stms) {
    const auto* row = std::get_if<core::Index>(&stm.expr);
    const bool is_of_step = row != nullptr && row->indices.size() == 1 &&
                            !row->indices[0].isConstant() && !isOfStep(row->array);
    if (is_of_step) rows_.push_back(program.type(stm.results[0]).shape);
  }
  carried_.insert(std::get<core::ForLoop>(loop.form).index);
}

std::optional<std::vector<Term>> StepSums::terms(size_t k,
                                                 std::unordered_set<ValueId>& dead) const {
  const ValueId start = loop_.carried[k].param;
  std::vector<Term> found;
  std::map<ValueId, int> seen;
  Operand at = loop_.body.results[k];
  ++seen[start];
  while (at != Operand(start)) {
    const Stm* stm = maker(at);
    if (stm == nullptr) return std::nullopt;
    const auto* update = std::get_if<core::Update>(&stm->expr);
    const auto term = update != nullptr ? ofUpdate(*update, start, seen) : ofWhole(*stm);
    if (!term) return std::nullopt;
    found.push_back(term->second);
    ++seen[at.value];
    at = term->first;
  }
  for (const auto& [value, count] : seen) {
    const auto used = uses_.find(value);
    if (used == uses_.end() || used->second != count) return std::nullopt;
    if (value != start) dead.insert(value);
  }
  for (size_t i = 0; i < found.size(); ++i) {
    for (size_t j = 0; j < i; ++j) {
      if (!differ(found[i].indices, found[j].indices)) return std::nullopt;
    }
  }
  std::reverse(found.begin(), found.end());
  return found;
}

std::optional<Sum> StepSums::read(ValueId value) const {
  const Stm* stm = maker(value);
  const auto* node = stm == nullptr ? nullptr : std::get_if<core::Screma>(&stm->expr);
  if (node == nullptr) return std::nullopt;
  Sum sum{stm, {}};
  std::map<ValueId, ValueId> roots;
  if (!readLevel(*node, roots, sum)) return std::nullopt;
  for (const ValueId free : core::freeValues(program_, *stm)) {
    if (isOfStep(free) && !sum.leaves.contains(free)) return std::nullopt;
  }
  return sum;
}

const Stm* StepSums::maker(const Operand& value) const { return definitions_.find(value); }

StepSums::Found StepSums::ofUpdate(const core::Update& update, ValueId start,
                                   std::map<ValueId, int>& seen) const {
  if (!update.dims.empty() || !areLiteral(update.indices)) return std::nullopt;
  const Stm* added = maker(update.value);
  if (added == nullptr || !isAddition(*added)) return std::nullopt;
  const std::vector<ValueId>& sides = std::get<core::Screma>(added->expr).inputs;
  const Stm* part = maker(sides[0]);
  const auto* index = part == nullptr ? nullptr : std::get_if<core::Index>(&part->expr);
  if (index == nullptr || index->array != start || index->indices != update.indices)
    return std::nullopt;
  ++seen[start];
  ++seen[sides[0]];
  ++seen[added->results[0]];
  ValueId before = update.array;
  const Stm* copied = maker(before);
  const auto* copy = copied == nullptr ? nullptr : std::get_if<core::Copy>(&copied->expr);
  if (copy != nullptr) {
    ++seen[before];
    before = copy->array;
  }
  return std::pair(Operand(before), Term{update.indices, sides[1]});
}

StepSums::Found StepSums::ofWhole(const Stm& stm) {
  if (!isAddition(stm)) return std::nullopt;
  const std::vector<ValueId>& sides = std::get<core::Screma>(stm.expr).inputs;
  return std::pair(Operand(sides[0]), Term{{}, sides[1]});
}

bool StepSums::areLiteral(const Operands& indices) {
  return !indices.empty() && std::all_of(indices.begin(), indices.end(),
                                         [](const Operand& i) { return i.isConstant(); });
}

bool StepSums::differ(const Operands& a, const Operands& b) {
  return areLiteral(a) && a.size() == b.size() && a != b;
}

bool StepSums::readLevel(const core::Screma& node, std::map<ValueId, ValueId>& roots,
                         Sum& sum) const {
  const auto rootOf = [&](ValueId array) {
    const auto found = roots.find(array);
    return found == roots.end() ? array : found->second;
  };
  if (node.flattening.any() || !node.scans.empty()) return false;
  if (!core::isMap(node)) {
    const bool is_sum = node.reductions.size() == 1 && isSum(node.reductions[0].op) &&
                        node.map.body.results.size() == 1;
    return is_sum && !readsStep(node.map) &&
           std::all_of(node.inputs.begin(), node.inputs.end(), [&](ValueId input) {
             return readLeaf(rootOf(input), program_.type(input).rank(), node.width, sum);
           });
  }
  const Body& body = node.map.body;
  if (body.stms.size() != 1 || body.results.size() != 1) return false;
  if (body.results[0] != Operand(body.stms[0].results[0])) return false;
  for (size_t i = 0; i < node.inputs.size(); ++i) {
    roots[node.map.params[i]] = rootOf(node.inputs[i]);
  }
  const auto* inner = std::get_if<core::Screma>(&body.stms[0].expr);
  return inner != nullptr && readLevel(*inner, roots, sum);
}

bool StepSums::readsStep(const core::Lambda& map) const {
  const auto free = core::freeValues(program_, map);
  return std::any_of(free.begin(), free.end(), [&](ValueId value) { return isOfStep(value); });
}

bool StepSums::readLeaf(ValueId root, size_t rank, const Operand& width, Sum& sum) const {
  if (!isOfStep(root)) return false;
  const Stm* made = maker(root);
  const auto* columns = made == nullptr ? nullptr : std::get_if<core::Rearrange>(&made->expr);
  const ValueId leaf = columns != nullptr ? columns->array : root;
  const bool is_flat = !core::isMap(std::get<core::Screma>(sum.stm->expr));
  const bool is_column = rank == 1 && !is_flat;
  if (columns != nullptr && (!is_column || columns->permutation.back() != 0)) return false;
  if (columns == nullptr && !is_flat && program_.type(root).rank() > 1) return false;
  const Operands& shape = program_.type(leaf).shape;
  const bool is_row = std::find(rows_.begin(), rows_.end(), shape) != rows_.end();
  if (shape[0] != width || !is_row) return false;
  sum.leaves[root] = leaf;
  return true;
}

}  // namespace halo::ad
