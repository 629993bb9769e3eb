// First the statements that change the array, then the places that they change, then the log in
// the forward loop and its use in the return loop.
#include "lang/ad/reverse/overwrites.h"

#include <algorithm>
#include <set>

#include "lang/core/visit.h"

namespace halo::ad {

namespace {

constexpr int64_t kFewElements = 16;  // of an array that is recorded as it is

// The part that an update replaces, as a value of its own.
Type partOf(const Program& program, const core::Update& update) {
  return program.type(update.value);
}

// Which of the loop's carried arrays the statement gives as this value.
size_t positionOf(const Stm& stm, ValueId value) {
  return static_cast<size_t>(std::find(stm.results.begin(), stm.results.end(), value) -
                             stm.results.begin());
}

// The carried array of a loop that its changes are of.
size_t changedBy(const core::Loop& loop, const Changes& changes) {
  for (size_t k = 0; k < loop.carried.size(); ++k) {
    const auto known = changesIn(loop.body, loop.carried[k].param, loop.body.results[k]);
    if (known && !known->empty() && known->front().at == changes.front().at) return k;
  }
  HALO_UNREACHABLE("a loop that changes nothing");
}

}  // namespace

std::optional<Changes> changesIn(const Body& body, ValueId before, const Operand& after) {
  Changes changes;
  for (Operand now = after; now != Operand(before);) {
    const auto at = core::makerOf(body.stms, now);
    if (!at) return std::nullopt;
    const Stm& stm = body.stms[*at];
    if (const auto* copy = std::get_if<core::Copy>(&stm.expr)) {
      now = copy->array;
    } else if (const auto* update = std::get_if<core::Update>(&stm.expr)) {
      changes.insert(changes.begin(), Change{*at, {}});
      now = update->array;
    } else if (const auto* loop = std::get_if<core::Loop>(&stm.expr)) {
      const size_t k = positionOf(stm, now.value);
      auto inner = changesIn(loop->body, loop->carried[k].param, loop->body.results[k]);
      if (!inner || inner->empty() || !std::holds_alternative<core::ForLoop>(loop->form)) return {};
      changes.insert(changes.begin(), Change{*at, std::move(*inner)});
      now = loop->carried[k].initial;
    } else {
      return std::nullopt;
    }
  }
  return changes;
}

std::optional<Overwrites> Overwrites::of(Program& program, const StepView& step, ValueId before,
                                         const Operand& after) {
  auto changes = changesIn(step.body, before, after);
  const Type& whole = program.type(before);
  if (!changes || changes->empty() || core::hasAtMost(whole.shape, kFewElements))
    return std::nullopt;
  Overwrites found(program, step, std::move(*changes));
  core::visitStms(step.body, [&](const Stm& stm) {
    if (stm.results.size() == 1) found.definitions_[stm.results[0]] = stm;
  });
  std::vector<ValueId> indices;
  if (!found.find(step, step.body, found.changes_, whole.rank(), indices)) return std::nullopt;
  return found;
}

// Whether the log of all changes is smaller than the array, and places and sizes are known.
bool Overwrites::find(const StepView& step, const Body& body, const Changes& changes, size_t rank,
                      std::vector<ValueId>& indices) {
  const auto isAround = [&](const Operand& operand) {
    return operand.isConstant() || step.is_outside(operand.value);
  };
  const auto isKnown = [&](const Operand& operand) { return isPlaced(step, operand, indices); };
  for (const Change& change : changes) {
    const Expr& expr = body.stms[change.at].expr;
    if (const auto* loop = std::get_if<core::Loop>(&expr)) {
      const auto& form = std::get<core::ForLoop>(loop->form);
      if (!isAround(form.bound)) return false;
      indices.push_back(form.index);
      if (!find(step, loop->body, change.inner, rank, indices)) return false;
      indices.pop_back();
      continue;
    }
    const auto& update = std::get<core::Update>(expr);
    const Type part = partOf(program_, update);
    if (part.rank() + indices.size() >= rank) return false;
    if (!std::all_of(part.shape.begin(), part.shape.end(), isAround) ||
        !std::all_of(update.indices.begin(), update.indices.end(), isKnown)) {
      return false;
    }
    for (const core::SliceDim& dim : update.dims) {
      if (!isKnown(dim.start) || !isAround(dim.length) || !isKnown(dim.stride)) return false;
    }
  }
  return true;
}

// Whether a number of the step can be made again in front of it.
bool Overwrites::isPlaced(const StepView& step, const Operand& operand,
                          const std::vector<ValueId>& indices) {
  if (operand.isConstant() || step.is_outside(operand.value)) return true;
  const ValueId value = operand.value;
  if (std::find(indices.begin(), indices.end(), value) != indices.end()) return true;
  if (step.is_given(value)) return needed_.push_back(value), true;
  const auto found = definitions_.find(value);
  if (found == definitions_.end()) return false;
  const Expr& expr = found->second.expr;
  const auto* index = std::get_if<core::Index>(&expr);
  const bool is_number = std::holds_alternative<core::PrimOp>(expr) ||
                         std::holds_alternative<core::Convert>(expr) ||
                         std::holds_alternative<core::Select>(expr) ||
                         (index != nullptr && step.is_outside(index->array));
  if (!is_number || !program_.type(value).isScalar()) return false;
  const auto used = core::freeValues(program_, found->second);
  return std::all_of(used.begin(), used.end(),
                     [&](ValueId one) { return isPlaced(step, one, indices); });
}

Operand Overwrites::placed(Emitter& e, const Operand& operand, Names& names) const {
  if (operand.isConstant()) return operand;
  const auto known = names.find(operand.value);
  if (known != names.end()) return known->second;
  const bool is_given = std::find(needed_.begin(), needed_.end(), operand.value) != needed_.end();
  const auto found = definitions_.find(operand.value);
  if (is_given || found == definitions_.end()) return operand;
  core::Substitution replaced;
  const auto used = core::freeValues(program_, found->second);
  for (const ValueId one : std::set<ValueId>(used.begin(), used.end())) {
    replaced[one] = placed(e, one, names);
  }
  Expr expr = found->second.expr;
  core::substitute(program_, expr, replaced);
  const ValueId made = e.bind("at", program_.type(operand), std::move(expr));
  names[operand.value] = made;
  return made;
}

std::vector<Type> Overwrites::types(const Steps& steps) const {
  std::vector<Type> types;
  addTypes(body_, changes_, {}, steps, types);
  return types;
}

void Overwrites::addTypes(const Body& body, const Changes& changes, const Operands& around,
                          const Steps& steps, std::vector<Type>& types) const {
  for (const Change& change : changes) {
    const Expr& expr = body.stms[change.at].expr;
    if (const auto* loop = std::get_if<core::Loop>(&expr)) {
      Operands more = around;
      more.push_back(steps(std::get<core::ForLoop>(loop->form).bound));
      addTypes(loop->body, change.inner, more, steps, types);
    } else {
      types.push_back(arrayOf(around, partOf(program_, std::get<core::Update>(expr))));
    }
  }
}

ValueId Overwrites::putBack(Emitter& e, ValueId after, const std::vector<ValueId>& logs,
                            const Steps& steps) const {
  return undone(e, body_, changes_, after, logs, steps, {});
}

namespace {

size_t countOf(const Change& change) {
  if (change.inner.empty()) return 1;
  size_t count = 0;
  for (const Change& one : change.inner) count += countOf(one);
  return count;
}

}  // namespace

ValueId Overwrites::undone(Emitter& e, const Body& body, const Changes& changes, ValueId array,
                           const std::vector<ValueId>& logs, const Steps& steps,
                           Names names) const {
  auto end = logs.end();
  for (size_t i = changes.size(); i-- > 0;) {
    const Change& change = changes[i];
    const std::vector<ValueId> mine(end - static_cast<ptrdiff_t>(countOf(change)), end);
    end -= static_cast<ptrdiff_t>(mine.size());
    const Expr& expr = body.stms[change.at].expr;
    if (const auto* loop = std::get_if<core::Loop>(&expr)) {
      array = undoneLoop(e, *loop, change, array, mine, steps, names);
    } else {
      array = undoneUpdate(e, std::get<core::Update>(expr), array, mine[0], names);
    }
  }
  return array;
}

ValueId Overwrites::undoneLoop(Emitter& e, const core::Loop& loop, const Change& change,
                               ValueId array, const std::vector<ValueId>& logs, const Steps& steps,
                               Names names) const {
  const auto& form = std::get<core::ForLoop>(loop.form);
  const Operand bound = steps(form.bound);
  const Operand last = e.sub(bound, kOne);
  core::Loop back;
  const ValueId j = program_.add("j", {}), own = program_.add("m", program_.type(array));
  back.form = core::ForLoop{j, bound};
  back.carried.push_back({own, array, false});
  Emitter inner(program_);
  const Operand i = inner.sub(last, j);
  names[form.index] = i;
  std::vector<ValueId> rows;
  for (const ValueId log : logs) rows.push_back(inner.index(log, {i}));
  const ValueId before = undone(inner, loop.body, change.inner, own, rows, steps, names);
  back.body = inner.take({before});
  return e.bind("m", program_.type(array), std::move(back));
}

ValueId Overwrites::undoneUpdate(Emitter& e, const core::Update& update, ValueId array, ValueId log,
                                 Names& names) const {
  core::Update back{{}, {}, {}, log};
  for (const Operand& index : update.indices) back.indices.push_back(placed(e, index, names));
  for (const core::SliceDim& dim : update.dims) {
    const Operand start = placed(e, dim.start, names);
    back.dims.push_back({start, dim.length, placed(e, dim.stride, names)});
  }
  back.array = e.copy(array);
  return e.bind("m", program_.type(array), std::move(back));
}

namespace {

// The part that the update replaces: taken in front of it, checked as it is.
std::vector<Stm> taken(Program& program, const Body& body, const Stm& stm, ValueId old) {
  const auto& update = std::get<core::Update>(stm.expr);
  const Type type = partOf(program, update);
  ValueId array = update.array;
  if (const auto maker = core::makerOf(body.stms, array)) {
    const auto* copy = std::get_if<core::Copy>(&body.stms[*maker].expr);
    if (copy != nullptr) array = copy->array;
  }
  Expr part = core::Index{array, update.indices};
  if (!update.dims.empty()) part = core::Slice{array, update.dims};
  if (type.isScalar()) return {{{old}, std::move(part), stm.checked, stm.span}};
  const ValueId view = program.add("t", type);
  return {{{view}, std::move(part), stm.checked, stm.span}, {{old}, core::Copy{view}, false, {}}};
}

// The loop with a row of the log for each step.
std::vector<ValueId> loggedLoop(Program& program, Stm& stm, const Changes& inner, Emitter& before,
                                const Overwrites::Steps& steps) {
  auto& loop = std::get<core::Loop>(stm.expr);
  const size_t k = changedBy(loop, inner);
  const auto form = std::get<core::ForLoop>(loop.form);
  const auto rows =
      Overwrites::log(program, loop.body, loop.carried[k].param, loop.body.results[k], steps);
  Emitter last(program);
  std::vector<ValueId> logs;
  for (const ValueId row : rows) {
    const Type type = arrayOf({steps(form.bound)}, program.type(row));
    const ValueId log = program.add("log", type);
    const ValueId none = before.bind("log", type, core::Scratch{type.scalar, type.shape});
    loop.carried.push_back({log, none, false});
    loop.body.results.push_back(last.updated(log, {form.index}, row));
    logs.push_back(program.add("log", type));
    stm.results.push_back(logs.back());
  }
  for (Stm& one : last.take({}).stms) loop.body.stms.push_back(std::move(one));
  return logs;
}

}  // namespace

std::vector<ValueId> Overwrites::log(Program& program, Body& body, ValueId before,
                                     const Operand& after, const Steps& steps) {
  const Changes changes = changesIn(body, before, after).value();
  std::vector<ValueId> logs;
  for (size_t i = changes.size(); i-- > 0;) {
    const auto at = body.stms.begin() + static_cast<ptrdiff_t>(changes[i].at);
    std::vector<Stm> stms;
    std::vector<ValueId> mine;
    if (std::holds_alternative<core::Loop>(at->expr)) {
      Emitter e(program);
      mine = loggedLoop(program, *at, changes[i].inner, e, steps);
      stms = e.take({}).stms;
    } else {
      const Type type = partOf(program, std::get<core::Update>(at->expr));
      mine = {program.add("old", type)};
      stms = taken(program, body, *at, mine[0]);
    }
    logs.insert(logs.begin(), mine.begin(), mine.end());
    body.stms.insert(at, stms.begin(), stms.end());
  }
  return logs;
}

}  // namespace halo::ad
