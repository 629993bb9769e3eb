// First the elements that cells add (CellAdditions), then their code (CellCode).
#include "lang/ad/sums/cell_additions.h"

#include <algorithm>

#include "lang/ad/rules.h"
#include "lang/core/node_kinds.h"
#include "lang/core/text/shorthand.h"

namespace halo::ad {

namespace {

constexpr size_t kMaxAdditions = 8;

const core::ForLoop* counted(const core::Loop& loop) {
  return std::get_if<core::ForLoop>(&loop.form);
}

const Stm* makerIn(const Body& body, const Operand& value) {
  const auto found = core::makerOf(body.stms, value);
  return found ? &body.stms[*found] : nullptr;
}

size_t resultOf(const Stm& stm, ValueId value) {
  const auto found = std::find(stm.results.begin(), stm.results.end(), value);
  return static_cast<size_t>(found - stm.results.begin());
}

// Numbers, reads and views, and branches of such.
bool isCheap(const Stm& stm) {
  if (const auto* match = std::get_if<core::Match>(&stm.expr)) {
    const auto arms = core::armsOf(*match);
    return std::all_of(arms.begin(), arms.end(), [](const Body* arm) {
      return std::all_of(arm->stms.begin(), arm->stms.end(), isCheap);
    });
  }
  const Expr& expr = stm.expr;
  return std::holds_alternative<core::PrimOp>(expr) ||
         std::holds_alternative<core::Convert>(expr) ||
         std::holds_alternative<core::Select>(expr) || std::holds_alternative<core::Index>(expr) ||
         std::holds_alternative<core::Slice>(expr) || std::holds_alternative<core::Iota>(expr);
}

// The array that the value is a copy of, or itself.
Operand uncopied(const Body& body, const Operand& array) {
  const Stm* maker = makerIn(body, array);
  const auto* copy = maker == nullptr ? nullptr : std::get_if<core::Copy>(&maker->expr);
  return copy == nullptr ? array : Operand(copy->array);
}

}  // namespace

CellAdditions::CellAdditions(Program& program, const Stm& map,
                             const std::unordered_set<ValueId>& zeros)
    : program_(program), node_(std::get<core::Screma>(map.expr)), zeros_(zeros) {
  outside_ = core::freeValues(program, node_.map);
  outer_.insert(node_.map.params.begin(), node_.map.params.end());
  define(node_.map.body, true);
}

void CellAdditions::define(const Body& body, bool is_outer) {
  for (const Stm& stm : body.stms) {
    definitions_.add(stm);
    if (is_outer) outer_.insert(stm.results.begin(), stm.results.end());
    if (const auto* match = std::get_if<core::Match>(&stm.expr)) {
      for (const Body* arm : core::armsOf(*match)) define(*arm, false);
    }
  }
}

std::optional<std::vector<Addition>> CellAdditions::of(size_t result) const {
  std::vector<Addition> found;
  if (!collect(node_.map.body.results[result], {}, found)) return std::nullopt;
  return found;
}

bool CellAdditions::collect(const Operand& value, const std::vector<ArmTaken>& path,
                            std::vector<Addition>& found) const {
  if (value.isConstant() || found.size() > kMaxAdditions) return false;
  if (zeros_.contains(value.value)) return true;
  const Stm* known = definitions_.find(value.value);
  if (known == nullptr) return false;
  const Stm& stm = *known;
  if (const auto* copy = std::get_if<core::Copy>(&stm.expr)) {
    return collect(copy->array, path, found);
  }
  if (const auto* loop = std::get_if<core::Loop>(&stm.expr)) {
    return collectLoop(stm, *loop, value.value, path, found);
  }
  if (const auto* match = std::get_if<core::Match>(&stm.expr)) {
    const auto arms = core::armsOf(*match);
    for (size_t arm = 0; arm < arms.size(); ++arm) {
      std::vector<ArmTaken> inner = path;
      inner.push_back({match, arm});
      if (!collect(arms[arm]->results[resultOf(stm, value.value)], inner, found)) return false;
    }
    return true;
  }
  if (const auto* sum = std::get_if<core::Screma>(&stm.expr)) {
    return core::isMap(*sum) && sum->inputs.size() == 2 && isSum(sum->map) &&
           collect(sum->inputs[0], path, found) && collect(sum->inputs[1], path, found);
  }
  const auto* hist = std::get_if<core::Hist>(&stm.expr);
  if (hist == nullptr || hist->operations.size() != 1 || !core::isIdentity(hist->map)) return false;
  const core::HistOp& operation = hist->operations[0];
  const bool is_of_numbers = program_.type(value).rank() == operation.index_rank;
  if (operation.destinations.size() != 1 || !is_of_numbers || !isSum(operation.op)) return false;
  const Operands indices(hist->inputs.begin(), hist->inputs.end() - 1);
  if (!collect(operation.destinations[0], path, found)) return false;
  found.push_back({path, hist->width, nullptr, indices, hist->inputs.back()});
  return true;
}

bool CellAdditions::collectLoop(const Stm& stm, const core::Loop& loop, ValueId row,
                                const std::vector<ArmTaken>& path,
                                std::vector<Addition>& found) const {
  const size_t k = resultOf(stm, row);
  const auto* form = counted(loop);
  if (form == nullptr || !collect(loop.carried[k].initial, path, found)) return false;
  const Addition like{path, form->bound, &loop, {}, {}};
  return collectUpdates(loop, loop.body.results[k], loop.carried[k].param, like, found);
}

// `r with [i] = r[i] + v`, one or several after another.
bool CellAdditions::collectUpdates(const core::Loop& loop, const Operand& after, ValueId before,
                                   const Addition& like, std::vector<Addition>& found) {
  const Body& step = loop.body;
  Operand now = after;
  while (now != Operand(before)) {
    const Stm* maker = makerIn(step, now);
    const auto* update = maker == nullptr ? nullptr : std::get_if<core::Update>(&maker->expr);
    if (update == nullptr || !update->dims.empty()) return false;
    const Operand earlier = uncopied(step, update->array);
    const Stm* sum = makerIn(step, update->value);
    const auto* add = sum == nullptr ? nullptr : std::get_if<core::PrimOp>(&sum->expr);
    if (add == nullptr || add->op != Op::kAdd) return false;
    Addition one = like;
    one.indices = update->indices;
    const auto isOld = [&](const Operand& operand) {
      const Stm* read = makerIn(step, operand);
      const auto* index = read == nullptr ? nullptr : std::get_if<core::Index>(&read->expr);
      return index != nullptr && Operand(index->array) == earlier &&
             index->indices == update->indices;
    };
    if (!isOld(add->args[0]) && !isOld(add->args[1])) return false;
    one.value = add->args[isOld(add->args[0]) ? 1 : 0];
    found.push_back(std::move(one));
    if (found.size() > kMaxAdditions) return false;
    now = earlier;
  }
  return true;
}

// ---- code

// The statement again, of values that `resolve` finds.
template <typename Resolve>
bool CellCode::copy(const Stm& stm, const Resolve& resolve, Names& names) {
  core::Substitution replaced;
  const auto used = core::freeValues(cells_.program_, stm);
  for (const ValueId one : std::set<ValueId>(used.begin(), used.end())) {
    const std::optional<Operand> found = resolve(one);
    if (!found) return false;
    if (*found != Operand(one)) replaced[one] = *found;
  }
  const Operands results(stm.results.begin(), stm.results.end());
  Lambda whole{{}, {{stm}, results}};
  whole = core::freshCopy(cells_.program_, whole, replaced);
  for (Stm& made : whole.body.stms) e_->append(std::move(made));
  for (size_t i = 0; i < results.size(); ++i) names[stm.results[i]] = whole.body.results[i];
  return true;
}

std::optional<Operand> CellCode::at(const Operand& value) {
  if (value.isConstant() || cells_.outside_.contains(value.value)) return value;
  if (const auto known = names_.find(value.value); known != names_.end()) return known->second;
  const std::vector<ValueId>& params = cells_.node_.map.params;
  const auto param = std::find(params.begin(), params.end(), value.value);
  if (param != params.end()) {
    const ValueId input = cells_.node_.inputs[static_cast<size_t>(param - params.begin())];
    return names_[value.value] = e_->index(input, {cell_});
  }
  const Stm* found = cells_.definitions_.find(value.value);
  if (found == nullptr) return std::nullopt;
  const Stm& stm = *found;
  if (isCheap(stm) && copy(
                          stm, [this](ValueId one) { return at(one); }, names_)) {
    return names_.at(value.value);
  }
  const Type& type = cells_.program_.type(value);
  if (!type.isScalar() || !cells_.outer_.contains(value.value)) return std::nullopt;
  auto& given = cells_.given_[value.value];
  if (given == ValueId{}) {
    given = cells_.program_.add("each", arrayOf({cells_.node_.width}, type));
  }
  return names_[value.value] = e_->index(given, {cell_});
}

Operand CellCode::isTaken(const ArmTaken& taken, const Operand& scrutinee) {
  const ScalarType type = e_->type(scrutinee).scalar;
  const auto isCase = [&](size_t i) -> Operand {
    const prim::Scalar& value = taken.match->cases[i].value;
    if (type != ScalarType::kBool) return e_->op(Op::kEq, type, scrutinee, Operand(value));
    return value.asBool() ? scrutinee : e_->op(Op::kNot, type, scrutinee);
  };
  if (taken.arm < taken.match->cases.size()) return isCase(taken.arm);
  Operand none = prim::Scalar::ofBool(true);
  for (size_t i = 0; i < taken.match->cases.size(); ++i) {
    const Operand other = e_->op(Op::kNot, ScalarType::kBool, isCase(i));
    none = i == 0 ? other : e_->both(none, other);
  }
  return none;
}

// Arithmetic that the cell may do whether or not it takes the arm; at most the steps of the arm.
std::optional<Operand> CellCode::steps(const Addition& addition) {
  const std::optional<Operand> steps = anywhere(addition.steps);
  if (!steps) return std::nullopt;
  return e_->op(Op::kMax, ScalarType::kI64, *steps, kZero);
}

std::optional<Operand> CellCode::anywhere(const Operand& value) {
  const Stm* found = cells_.definitions_.find(value);
  if (found == nullptr || cells_.outer_.contains(value.value)) return at(value);
  const auto* number = std::get_if<core::PrimOp>(&found->expr);
  const bool is_total = number != nullptr && (number->op == Op::kAdd || number->op == Op::kSub ||
                                              number->op == Op::kMul || number->op == Op::kMax ||
                                              number->op == Op::kMin);
  if (!is_total) return std::nullopt;
  Names names;
  if (!copy(
          *found, [this](ValueId one) { return anywhere(one); }, names)) {
    return std::nullopt;
  }
  return names.at(value.value);
}

// In the arms from `depth` on: nowhere, and nothing, where the cell does not take them.
std::optional<Operands> CellCode::element(const Addition& addition, const Operand& step,
                                          size_t depth) {
  if (depth == addition.path.size()) return ofStep(addition, step);
  const std::optional<Operand> scrutinee = at(addition.path[depth].match->scrutinee);
  if (!scrutinee) return std::nullopt;
  const Operand value = addition.value;
  Type type = cells_.program_.type(value);
  if (addition.loop == nullptr) type.shape.clear();
  std::vector<Type> types(addition.indices.size(), Type{});
  types.push_back(type);
  bool is_found = true;
  Operands none(addition.indices.size(), Operand::ofI64(-1));
  none.emplace_back(prim::zero(type.scalar));
  const std::vector<ValueId> made = e_->branch(
      isTaken(addition.path[depth], *scrutinee), types,
      [&](Emitter& yes) -> Operands {
        CellCode inner = *this;
        inner.e_ = &yes;
        const auto found = inner.element(addition, step, depth + 1);
        is_found = found.has_value();
        return found.value_or(none);
      },
      [&](Emitter&) -> Operands { return none; });
  if (!is_found) return std::nullopt;
  return Operands(made.begin(), made.end());
}

std::optional<Operands> CellCode::ofStep(const Addition& addition, const Operand& step) {
  Operands all = addition.indices, found;
  all.push_back(addition.value);
  Names names;
  if (addition.loop != nullptr) names[counted(*addition.loop)->index] = step;
  for (const Operand& one : all) {
    const std::optional<Operand> made =
        addition.loop != nullptr ? inStep(*addition.loop, one, names) : elementOf(one, step);
    if (!made) return std::nullopt;
    found.push_back(*made);
  }
  return found;
}

// A value of a step that needs nothing of earlier steps.
std::optional<Operand> CellCode::inStep(const core::Loop& loop, const Operand& value,
                                        Names& names) {
  if (value.isConstant()) return value;
  if (const auto known = names.find(value.value); known != names.end()) return known->second;
  const Stm* stm = makerIn(loop.body, value);
  if (stm == nullptr) return at(value);
  const auto resolve = [&](ValueId one) { return inStep(loop, one, names); };
  if (!copy(*stm, resolve, names)) return std::nullopt;
  return names.at(value.value);
}

// One element of an array of one dimension.
std::optional<Operand> CellCode::elementOf(const Operand& array, const Operand& position) {
  const Stm* known = cells_.definitions_.find(array.value);
  if (known == nullptr) {
    const std::optional<Operand> whole = at(array);
    if (!whole) return std::nullopt;
    return e_->index(whole->value, {position});
  }
  const Stm& stm = *known;
  if (const auto* copied = std::get_if<core::Copy>(&stm.expr)) {
    return elementOf(copied->array, position);
  }
  if (const auto* rows = std::get_if<core::Replicate>(&stm.expr)) {
    const bool is_number = cells_.program_.type(rows->value).isScalar();
    return is_number && rows->shape.size() == 1 ? at(rows->value) : std::nullopt;
  }
  if (const auto* map = std::get_if<core::Screma>(&stm.expr)) {
    return ofMap(stm, *map, array, position);
  }
  if (const auto* loop = std::get_if<core::Loop>(&stm.expr)) {
    return ofRows(*loop, resultOf(stm, array.value), position);
  }
  const std::optional<Operand> view = at(array);
  if (!view) return std::nullopt;
  return e_->index(view->value, {position});
}

std::optional<Operand> CellCode::ofMap(const Stm& stm, const core::Screma& map,
                                       const Operand& array, const Operand& position) {
  if (!core::isMap(map) || map.flattening.any()) return std::nullopt;
  core::Substitution replaced;
  for (size_t i = 0; i < map.inputs.size(); ++i) {
    if (cells_.program_.type(map.map.params[i]).rank() > 0) return std::nullopt;
    const std::optional<Operand> element = elementOf(map.inputs[i], position);
    if (!element) return std::nullopt;
    replaced[map.map.params[i]] = *element;
  }
  const auto used = core::freeValues(cells_.program_, map.map);
  for (const ValueId one : std::set<ValueId>(used.begin(), used.end())) {
    const std::optional<Operand> found = at(one);
    if (!found) return std::nullopt;
    if (*found != Operand(one)) replaced[one] = *found;
  }
  Body body = core::freshCopy(cells_.program_, map.map.body, replaced);
  for (Stm& made : body.stms) e_->append(std::move(made));
  return body.results[resultOf(stm, array.value)];
}

// Of an array that a loop fills, one element at each step: by the step, or from the last one on.
std::optional<Operand> CellCode::ofRows(const core::Loop& loop, size_t result,
                                        const Operand& position) {
  const auto* form = counted(loop);
  const Stm* maker = makerIn(loop.body, loop.body.results[result]);
  const auto* update = maker == nullptr ? nullptr : std::get_if<core::Update>(&maker->expr);
  const bool is_row = form != nullptr && update != nullptr && update->dims.empty() &&
                      update->indices.size() == 1 &&
                      uncopied(loop.body, update->array) == Operand(loop.carried[result].param);
  if (!is_row) return std::nullopt;
  Names names;
  if (update->indices[0] == Operand(form->index)) {
    names[form->index] = position;
    return inStep(loop, update->value, names);
  }
  const Stm* place = makerIn(loop.body, update->indices[0]);
  const auto* turned = place == nullptr ? nullptr : std::get_if<core::PrimOp>(&place->expr);
  if (turned == nullptr || turned->op != Op::kSub || turned->args[1] != Operand(form->index)) {
    return std::nullopt;
  }
  const std::optional<Operand> last = at(turned->args[0]);
  if (!last) return std::nullopt;
  names[form->index] = e_->sub(*last, position);
  return inStep(loop, update->value, names);
}

}  // namespace halo::ad
