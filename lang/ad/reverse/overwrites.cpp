// First the statements that change the array, then the places that they change. Then the log in the
// forward loop and its use in the return loop.
#include "lang/ad/reverse/overwrites.h"

#include <algorithm>
#include <set>

#include "lang/ad/rules.h"
#include "lang/core/visit.h"

namespace halo::ad {

namespace {

constexpr int64_t kFewElements = 16;  // of an array that is recorded as it is

// One row of an array, or one element, may have the array's rank.
size_t extentsOf(const Type& part) {
  const Operand one = Operand::ofI64(1);
  return static_cast<size_t>(
      std::count_if(part.shape.begin(), part.shape.end(), [&](const auto& e) { return e != one; }));
}

bool isMadeIn(const Body& body, ValueId value) {
  return core::makerOf(body.stms, value).has_value();
}

// What is recorded of an update, a scatter or a histogram: index arrays that the body makes, then
// the parts that are replaced.
std::vector<Type> partsOf(const Program& program, const Body& body, const Change& change) {
  const Stm& stm = body.stms[change.at];
  if (const auto* update = std::get_if<core::Update>(&stm.expr)) {
    return {program.type(update->value)};
  }
  const PlacesOfNode places = placesOf(stm.expr).value();
  std::vector<Type> parts;
  for (const ValueId index : places.indices) {
    if (isMadeIn(body, index)) parts.push_back(program.type(index));
  }
  const Type& whole = program.type(stm.results[change.result]);
  parts.push_back(arrayOf({places.width}, rowOf(whole, places.indices.size())));
  return parts;
}

size_t countOf(const Program& program, const Body& body, const Changes& changes);

// How many logs a change has.
size_t countOf(const Program& program, const Body& body, const Change& change) {
  const Expr& expr = body.stms[change.at].expr;
  if (const auto* loop = std::get_if<core::Loop>(&expr)) {
    return countOf(program, loop->body, change.inner);
  }
  const auto* match = std::get_if<core::Match>(&expr);
  if (match == nullptr) return partsOf(program, body, change).size();
  size_t count = 0;
  const auto arms = core::armsOf(*match);
  for (size_t a = 0; a < arms.size(); ++a) {
    count += countOf(program, *arms[a], change.arms[a]);
  }
  return count;
}

size_t countOf(const Program& program, const Body& body, const Changes& changes) {
  size_t count = 0;
  for (const Change& one : changes) count += countOf(program, body, one);
  return count;
}

}  // namespace

std::optional<Overwrites> Overwrites::of(Program& program, const StepView& step, ValueId before,
                                         const Operand& after) {
  auto trace = traceOf(step.body, after);
  const Type& whole = program.type(before);
  if (!trace || trace->before != before || trace->changes.empty()) return std::nullopt;
  if (core::hasAtMost(whole.shape, kFewElements)) return std::nullopt;
  Overwrites found(program, step, std::move(trace->changes));
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
      const bool is_known = step.has_most(form.bound, indices) && isKnown(form.bound);
      if (!isAround(form.bound) && !is_known) return false;
      indices.push_back(form.index);
      if (!find(step, loop->body, change.inner, rank, indices)) return false;
      indices.pop_back();
      continue;
    }
    if (const auto* match = std::get_if<core::Match>(&expr)) {
      if (!isKnown(match->scrutinee)) return false;
      const auto arms = core::armsOf(*match);
      for (size_t a = 0; a < arms.size(); ++a) {
        if (!find(step, *arms[a], change.arms[a], rank, indices)) return false;
      }
      continue;
    }
    if (placesOf(expr)) {
      if (!findPlaces(step, body, change, indices.size())) return false;
      continue;
    }
    const auto& update = std::get<core::Update>(expr);
    const Type part = program_.type(update.value);
    if (extentsOf(part) + indices.size() >= rank) return false;
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

// The places of a scatter or a histogram, in so many loops of the step. As many places as the array
// has, or more, are no less than the array.
bool Overwrites::findPlaces(const StepView& step, const Body& body, const Change& change,
                            size_t loops) {
  const Stm& stm = body.stms[change.at];
  const PlacesOfNode places = placesOf(stm.expr).value();
  const Type& whole = program_.type(stm.results[change.result]);
  const Operand& extent = whole.shape[0];
  const bool is_many = places.width.isConstant() && extent.isConstant() &&
                       places.width.constant.asSigned() >= extent.constant.asSigned();
  const bool is_unknown = places.is_hist && !places.width.isConstant();
  const bool is_as_many = places.indices.size() == 1 && (places.width == extent || is_many);
  const bool is_less = loops == 0 ? !is_as_many : loops + 1 < places.indices.size();
  if (is_unknown || !is_less) return false;
  const auto isThere = [&](ValueId index) {
    return isMadeIn(body, index) || step.is_outside(index);
  };
  const auto isAround = [&](const Operand& size) {
    return size.isConstant() || step.is_outside(size.value);
  };
  const std::vector<Type> parts = partsOf(program_, body, change);
  return std::all_of(places.indices.begin(), places.indices.end(), isThere) &&
         std::all_of(parts.begin(), parts.end(), [&](const Type& part) {
           return std::all_of(part.shape.begin(), part.shape.end(), isAround);
         });
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
      more.push_back(steps(std::get<core::ForLoop>(loop->form)));
      addTypes(loop->body, change.inner, more, steps, types);
    } else if (const auto* match = std::get_if<core::Match>(&expr)) {
      const auto arms = core::armsOf(*match);
      for (size_t a = 0; a < arms.size(); ++a) {
        addTypes(*arms[a], change.arms[a], around, steps, types);
      }
    } else {
      for (const Type& part : partsOf(program_, body, change)) {
        types.push_back(arrayOf(around, part));
      }
    }
  }
}

std::vector<std::optional<ValueId>> Overwrites::values(const Steps& steps) const {
  std::vector<std::optional<ValueId>> found(types(steps).size());
  size_t next = 0;
  for (const Change& change : changes_) {
    const auto places = placesOf(body_.stms[change.at].expr);
    size_t own = next;
    for (const ValueId index : places ? places->indices : std::vector<ValueId>{}) {
      const auto maker = core::makerOf(body_.stms, index);
      if (!maker) continue;
      if (body_.stms[*maker].results.size() == 1) found[own] = index;
      ++own;
    }
    next += countOf(program_, body_, change);
  }
  return found;
}

ValueId Overwrites::putBack(Emitter& e, ValueId after, const std::vector<ValueId>& logs) const {
  return undone(e, body_, changes_, after, logs, {});
}

// How often an inner loop runs, never negative.
Operand Overwrites::stepsAt(Emitter& e, const Operand& bound, Names& names) const {
  const Operand zero = Operand::ofI64(0);
  if (bound.isConstant()) return Operand::ofI64(std::max<int64_t>(bound.constant.asSigned(), 0));
  return e.prim(Op::kMax, ScalarType::kI64, {placed(e, bound, names), zero});
}

ValueId Overwrites::undone(Emitter& e, const Body& body, const Changes& changes, ValueId array,
                           const std::vector<ValueId>& logs, Names names) const {
  auto end = logs.end();
  for (size_t i = changes.size(); i-- > 0;) {
    const Change& change = changes[i];
    const size_t count = countOf(program_, body, change);
    const std::vector<ValueId> mine(end - static_cast<ptrdiff_t>(count), end);
    end -= static_cast<ptrdiff_t>(mine.size());
    const Expr& expr = body.stms[change.at].expr;
    if (const auto* loop = std::get_if<core::Loop>(&expr)) {
      array = undoneLoop(e, *loop, change, array, mine, names);
    } else if (const auto* match = std::get_if<core::Match>(&expr)) {
      array = undoneMatch(e, *match, change, array, mine, names);
    } else if (placesOf(expr)) {
      array = undonePlaces(e, body, change, array, mine);
    } else {
      array = undoneUpdate(e, std::get<core::Update>(expr), array, mine[0], names);
    }
  }
  return array;
}

ValueId Overwrites::undoneLoop(Emitter& e, const core::Loop& loop, const Change& change,
                               ValueId array, const std::vector<ValueId>& logs, Names names) const {
  const auto& form = std::get<core::ForLoop>(loop.form);
  const Operand bound = stepsAt(e, form.bound, names);
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
  const ValueId before = undone(inner, loop.body, change.inner, own, rows, names);
  back.body = inner.take({before});
  return e.bind("m", program_.type(array), std::move(back));
}

ValueId Overwrites::undoneMatch(Emitter& e, const core::Match& match, const Change& change,
                                ValueId array, const std::vector<ValueId>& logs,
                                Names names) const {
  core::Match back{placed(e, match.scrutinee, names), {}, {}};
  auto next = logs.begin();
  const auto arms = core::armsOf(match);
  for (size_t a = 0; a < arms.size(); ++a) {
    const auto count = static_cast<ptrdiff_t>(countOf(program_, *arms[a], change.arms[a]));
    const std::vector<ValueId> mine(next, next + count);
    next += count;
    Emitter inner(program_);
    const ValueId before = undone(inner, *arms[a], change.arms[a], array, mine, names);
    Body body = inner.take({before});
    if (a < match.cases.size()) {
      back.cases.push_back({match.cases[a].value, std::move(body)});
    } else {
      back.otherwise = std::move(body);
    }
  }
  return e.bind("m", program_.type(array), std::move(back));
}

// Places that are named twice had one element, so both write the same.
ValueId Overwrites::undonePlaces(Emitter& e, const Body& body, const Change& change, ValueId array,
                                 const std::vector<ValueId>& logs) const {
  const PlacesOfNode places = placesOf(body.stms[change.at].expr).value();
  core::Scatter back;
  back.width = places.width;
  auto log = logs.begin();
  std::vector<Type> types;
  for (const ValueId index : places.indices) {
    back.inputs.push_back(isMadeIn(body, index) ? *log++ : index);
    types.push_back(rowOf(program_.type(index)));
  }
  back.inputs.push_back(*log);
  types.push_back(rowOf(program_.type(*log)));
  back.map = e.identity(types);
  back.destinations = {{e.copy(array), static_cast<int>(places.indices.size())}};
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

// The array itself where the statement changes a copy.
ValueId uncopied(const Body& body, ValueId array) {
  const auto maker = core::makerOf(body.stms, array);
  if (!maker) return array;
  const auto* copy = std::get_if<core::Copy>(&body.stms[*maker].expr);
  return copy == nullptr ? array : copy->array;
}

// The part that the update replaces: taken in front of it, checked as it is.
std::vector<ValueId> takePart(Emitter& e, const Body& body, const Stm& stm) {
  const auto& update = std::get<core::Update>(stm.expr);
  const Type type = e.type(update.value);
  const ValueId array = uncopied(body, update.array);
  Expr part = core::Index{array, update.indices};
  if (!update.dims.empty()) part = core::Slice{array, update.dims};
  const ValueId view = e.program().add(type.isScalar() ? "old" : "t", type);
  e.append({{view}, std::move(part), stm.checked, stm.span});
  return {type.isScalar() ? view : e.bind("old", type, core::Copy{view})};
}

// The parts that a scatter or a histogram replaces, behind the index arrays that the body makes.
std::vector<ValueId> takeParts(Emitter& e, const Body& body, const Change& change) {
  const Expr& expr = body.stms[change.at].expr;
  const PlacesOfNode places = placesOf(expr).value();
  std::vector<ValueId> logs;
  for (const ValueId index : places.indices) {
    if (isMadeIn(body, index)) logs.push_back(index);
  }
  const auto* scatter = std::get_if<core::Scatter>(&expr);
  const ValueId array = scatter != nullptr
                            ? scatter->destinations[0].array
                            : std::get<core::Hist>(expr).operations[0].destinations[change.result];
  logs.push_back(gathered(e, places.width, places.indices, uncopied(body, array)));
  return logs;
}

// The loop, which carries the tapes.
std::vector<ValueId> loggedLoop(Program& program, Stm& stm, size_t k,
                                const std::vector<ValueId>& tapes, Operands at) {
  auto& loop = std::get<core::Loop>(stm.expr);
  std::vector<ValueId> own, after;
  for (const ValueId tape : tapes) {
    own.push_back(program.add("log", program.type(tape)));
    after.push_back(program.add("log", program.type(tape)));
    loop.carried.push_back({own.back(), tape, false});
  }
  at.emplace_back(std::get<core::ForLoop>(loop.form).index);
  for (const ValueId one : Overwrites::log(program, loop.body, loop.body.results[k], own, at)) {
    loop.body.results.emplace_back(one);
  }
  stm.results.insert(stm.results.end(), after.begin(), after.end());
  return after;
}

// The branch, which returns the tapes of all its arms; an arm leaves those of others as they are.
std::vector<ValueId> loggedMatch(Program& program, Stm& stm, const Change& change,
                                 const std::vector<ValueId>& tapes, const Operands& at) {
  const std::vector<Body*> arms = core::armsOf(std::get<core::Match>(stm.expr));
  auto next = tapes.begin();
  std::vector<std::vector<ValueId>> of_arms(arms.size(), tapes);
  for (size_t a = 0; a < arms.size(); ++a) {
    const auto count = static_cast<ptrdiff_t>(countOf(program, *arms[a], change.arms[a]));
    const auto own = Overwrites::log(program, *arms[a], arms[a]->results[change.result],
                                     {next, next + count}, at);
    std::copy(own.begin(), own.end(), of_arms[a].begin() + (next - tapes.begin()));
    next += count;
  }
  for (size_t a = 0; a < arms.size(); ++a) {
    arms[a]->results.insert(arms[a]->results.end(), of_arms[a].begin(), of_arms[a].end());
  }
  std::vector<ValueId> after;
  for (const ValueId tape : tapes) after.push_back(program.add("log", program.type(tape)));
  stm.results.insert(stm.results.end(), after.begin(), after.end());
  return after;
}

}  // namespace

std::vector<ValueId> Overwrites::log(Program& program, Body& body, const Operand& after,
                                     const std::vector<ValueId>& tapes, const Operands& at) {
  const Changes changes = traceOf(body, after).value().changes;
  std::vector<ValueId> now = tapes;
  auto end = now.end();
  for (size_t i = changes.size(); i-- > 0;) {
    const Change& change = changes[i];
    const auto begin = end - static_cast<ptrdiff_t>(countOf(program, body, change));
    Stm& stm = body.stms[change.at];
    const std::vector<ValueId> mine(begin, end);
    std::vector<ValueId> stored;
    if (std::holds_alternative<core::Loop>(stm.expr)) {
      stored = loggedLoop(program, stm, change.result, mine, at);
    } else if (std::holds_alternative<core::Match>(stm.expr)) {
      stored = loggedMatch(program, stm, change, mine, at);
    } else {
      Emitter e(program);
      const auto parts = placesOf(stm.expr) ? takeParts(e, body, change) : takePart(e, body, stm);
      for (size_t k = 0; k < parts.size(); ++k) stored.push_back(e.updated(mine[k], at, parts[k]));
      const std::vector<Stm> stms = e.take({}).stms;
      const auto place = body.stms.begin() + static_cast<ptrdiff_t>(change.at);
      body.stms.insert(place, stms.begin(), stms.end());
    }
    std::copy(stored.begin(), stored.end(), begin);
    end = begin;
  }
  return now;
}

}  // namespace halo::ad
