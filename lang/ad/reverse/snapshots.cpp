#include "lang/ad/reverse/snapshots.h"

#include <utility>

namespace halo::ad {

namespace {

// `while more`; `more` is carried in front of all else, whose last values are the result.
std::vector<ValueId> runWhile(Emitter& e, const Operand& more, const Operands& initials,
                              const std::vector<ValueId>& results,
                              const std::function<Operands(Emitter&, const Operands&)>& step) {
  Program& program = e.program();
  core::Loop loop;
  loop.form = core::WhileLoop{0};
  loop.carried.push_back({program.add("more", kFlag), more, false});
  Operands carried;
  for (const Operand& initial : initials) {
    loop.carried.push_back({program.add("c", e.type(initial)), initial, false});
    carried.push_back(loop.carried.back().param);
  }
  Emitter inner(program);
  Operands next = step(inner, carried);  // `more` first
  loop.body = inner.take(std::move(next));
  std::vector<ValueId> all{program.add("t", kFlag)};
  for (size_t i = 0; i < initials.size(); ++i) {
    const bool is_named = i < results.size() && results[i].valid();
    all.push_back(is_named ? results[i] : program.add("t", e.type(initials[i])));
  }
  e.append({all, std::move(loop), false, {}});
  return {all.begin() + 1, all.end()};
}

}  // namespace

Operands Snapshots::Stack::all() const {
  Operands all{top};
  all.insert(all.end(), places.begin(), places.end());
  all.insert(all.end(), states.begin(), states.end());
  return all;
}

Snapshots::Stack Snapshots::stackOf(const Operands& all, size_t from) const {
  const auto places = all.begin() + static_cast<ptrdiff_t>(from) + 1;
  const auto first_state = places + (hasNumbers() ? most_ : 1);
  return {*(places - 1), {places, first_state}, {first_state, all.end()}};
}

Operand Snapshots::lastPlace(Emitter& e, const Operand& top) const {
  const Operand last = e.sub(top, kOne);
  if (!hasNumbers()) return e.index(carried_.places[0].value, {last});
  Operand place = carried_.places[0];
  for (int64_t k = 1; k < most_; ++k) {
    const Operand is_last = e.compare(Op::kEq, last, Operand::ofI64(k));
    place = e.select(is_last, carried_.places[static_cast<size_t>(k)], place);
  }
  return place;
}

// The places with one more on top.
Operands Snapshots::withPlace(Emitter& e, const Stack& stack, const Operand& place) const {
  if (!hasNumbers()) return {e.updated(stack.places[0].value, {stack.top}, place)};
  Operands places;
  for (int64_t k = 0; k < most_; ++k) {
    const Operand is_top = e.compare(Op::kEq, stack.top, Operand::ofI64(k));
    places.push_back(e.select(is_top, place, stack.places[static_cast<size_t>(k)]));
  }
  return places;
}

void Snapshots::start(Emitter& outside, const std::vector<core::Carried>& states) {
  const Operand least = outside.op(Op::kMax, ScalarType::kI64, steps_, kOne);
  count_ = outside.op(Op::kMin, ScalarType::kI64, least, Operand::ofI64(most_));
  Operands initials{kOne};
  if (hasNumbers()) {
    initials.insert(initials.end(), static_cast<size_t>(most_), kZero);
  } else {
    initials.push_back(outside.zero({ScalarType::kI64, {count_}}));
  }
  for (const core::Carried& state : states) {
    const Type type = arrayOf({count_}, program_.type(state.param));
    const ValueId none = outside.bind("kept", type, core::Scratch{type.scalar, type.shape});
    initials.push_back(outside.updated(none, {kZero}, state.initial));
  }
  initial_ = stackOf(initials, 0);
}

void Snapshots::run(Emitter& outside, const std::vector<core::Carried>& states, Lambda step,
                    const std::vector<ValueId>& results) {
  Operands initials;
  for (const core::Carried& state : states) initials.push_back(state.initial);
  const auto again = std::exchange(step_, [&] { return step; });
  const auto left = reach(outside, steps_, kZero, initial_, initials, results);
  step_ = again;
  initial_ = stackOf({left.begin(), left.end()}, 0);
}

std::vector<core::Carried> Snapshots::carried() {
  std::vector<core::Carried> carried;
  Operands params;
  for (const Operand& initial : initial_.all()) {
    carried.push_back({program_.add("kept", program_.type(initial)), initial, false});
    params.push_back(carried.back().param);
  }
  carried_ = stackOf(params, 0);
  return carried;
}

Operands Snapshots::restore(Emitter& e, const Operand& position,
                            const std::vector<ValueId>& states) {
  // A state behind this step has no use any more: at most the one in front of the next step.
  const Operand is_behind = e.compare(Op::kGt, lastPlace(e, carried_.top), position);
  Stack stack = carried_;
  stack.top = e.select(is_behind, e.sub(carried_.top, kOne), carried_.top);
  const Operand from = lastPlace(e, stack.top);
  Operands initials;
  for (const Operand& kept : stack.states) {
    // A view would keep the array: its next update would copy all kept states.
    const ValueId state = e.index(kept.value, {e.sub(stack.top, kOne)});
    initials.push_back(e.type(state).isScalar() ? state : e.copy(state));
  }
  const auto left = reach(e, position, from, stack, initials, states);
  return {left.begin(), left.end()};
}

// Binds the states in front of the step at `position`; the stack behind them.
std::vector<ValueId> Snapshots::reach(Emitter& e, const Operand& position, const Operand& from,
                                      const Stack& stack, const Operands& states,
                                      const std::vector<ValueId>& results) {
  Operands initials{from};
  initials.insert(initials.end(), states.begin(), states.end());
  const Operands all = stack.all();
  initials.insert(initials.end(), all.begin(), all.end());
  std::vector<ValueId> names{ValueId()};
  names.insert(names.end(), results.begin(), results.end());
  const size_t count = states.size();
  const std::vector<ValueId> found = runWhile(
      e, e.compare(Op::kLt, from, position), initials, names, [&](Emitter& at, const Operands& c) {
        const Operands own(c.begin() + 1, c.begin() + 1 + static_cast<ptrdiff_t>(count));
        return nextStop(at, position, c[0], stackOf(c, 1 + count), own);
      });
  return {found.begin() + 1 + static_cast<ptrdiff_t>(count), found.end()};
}

// From one kept state to the next one: whether to go on, the place, the states, the stack.
Operands Snapshots::nextStop(Emitter& e, const Operand& position, const Operand& from,
                             const Stack& stack, const Operands& states) {
  const Operand room = e.sub(count_, stack.top), distance = e.sub(position, from);
  const Operand is_full = e.compare(Op::kLe, room, kZero);
  const Operand by =
      e.select(is_full, distance, advance(e, e.add(room, kOne), e.add(distance, kOne)));
  const Operand to = e.add(from, by);
  const Operands reached = ran(e, from, by, states);
  const Operand stores = e.compare(Op::kLt, to, position);
  Operands next{stores, to};
  next.insert(next.end(), reached.begin(), reached.end());
  const Operands kept = pushed(e, stores, stack, to, reached);
  next.insert(next.end(), kept.begin(), kept.end());
  return next;
}

// With s kept, the one in front of these steps among them: C(s + r - 1, s) for the least r with
// C(s + r, s) >= length.
Operand Snapshots::advance(Emitter& e, const Operand& s, const Operand& length) const {
  const Operand first = e.add(s, kOne);
  return runWhile(e, e.compare(Op::kLt, first, length), {kOne, kOne, first}, {},
                  [&](Emitter& at, const Operands& c) -> Operands {
                    const Operand r = at.add(c[0], kOne);
                    const Operand product = at.mul(c[2], at.add(s, r));
                    const Operand range = at.op(Op::kQuot, ScalarType::kI64, product, r);
                    return {at.compare(Op::kLt, range, length), r, c[2], range};
                  })[1];
}

// So many steps of the loop.
Operands Snapshots::ran(Emitter& e, const Operand& from, const Operand& count,
                        const Operands& states) {
  Lambda step = step_();
  core::Loop loop;
  const ValueId t = program_.add("t", {});
  loop.form = core::ForLoop{t, count};
  std::vector<Type> types;
  for (size_t k = 0; k < states.size(); ++k) {
    loop.carried.push_back({step.params[k], states[k], false});
    types.push_back(program_.type(step.params[k]));
  }
  const core::PrimOp position{Op::kAdd, ScalarType::kI64, {from, t}};
  loop.body = std::move(step.body);
  loop.body.stms.insert(loop.body.stms.begin(), {{step.params.back()}, position, false, {}});
  const std::vector<ValueId> found = e.bindAll("state", std::move(types), std::move(loop));
  return {found.begin(), found.end()};
}

// Numbers are chosen outside of the branch, so that they need no device.
Operands Snapshots::pushed(Emitter& e, const Operand& stores, const Stack& stack,
                           const Operand& place, const Operands& states) {
  Stack next{e.select(stores, e.add(stack.top, kOne), stack.top), stack.places, {}};
  const Operands more = hasNumbers() ? withPlace(e, stack, place) : Operands();
  for (size_t k = 0; k < more.size(); ++k) {
    next.places[k] = e.select(stores, more[k], stack.places[k]);
  }
  Operands arrays = hasNumbers() ? Operands() : stack.places;
  arrays.insert(arrays.end(), stack.states.begin(), stack.states.end());
  std::vector<Type> types;
  for (const Operand& one : arrays) types.push_back(e.type(one));
  const std::vector<ValueId> found = e.branch(
      stores, std::move(types),
      [&](Emitter& yes) {
        Operands made = hasNumbers() ? Operands() : withPlace(yes, stack, place);
        for (size_t k = 0; k < states.size(); ++k) {
          made.push_back(yes.updated(stack.states[k].value, {stack.top}, states[k]));
        }
        return made;
      },
      [&](Emitter&) { return arrays; });
  const auto first_state = found.begin() + (hasNumbers() ? 0 : 1);
  if (!hasNumbers()) next.places = {found[0]};
  next.states = {first_state, found.end()};
  return next.all();
}

}  // namespace halo::ad
