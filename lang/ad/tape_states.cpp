// A loop at a time, and a pair of state and tape at a time.
#include "lang/ad/tape_states.h"

#include <algorithm>

#include "lang/ad/emit.h"
#include "lang/core/aliases.h"
#include "lang/core/visit.h"
#include "lang/passes/simplify/simplify.h"

namespace halo::ad {

namespace {

using Stms = std::vector<Stm>;

// Elements of the result as such, all of them.
bool isParallel(const Stm& stm, const Operand& value) {
  size_t reduced = 0;
  if (const auto* screma = std::get_if<core::Screma>(&stm.expr)) {
    if (!core::isMap(*screma)) return false;
  } else if (const auto* stencil = std::get_if<core::Stencil>(&stm.expr)) {
    for (const core::Reduction& one : stencil->reductions) reduced += one.neutral.size();
  } else {
    return false;
  }
  const auto first = stm.results.begin() + static_cast<ptrdiff_t>(reduced);
  return std::find(first, stm.results.end(), value.value) != stm.results.end();
}

// Positions among the carried values, and of the statements that write the tape. States are the
// recorded one, then those of one step, two steps, .. before.
struct Recorded {
  std::vector<size_t> states;
  size_t tape;
  size_t scratch;       // in the body around
  size_t copy, update;  // in the step
};

class TapeStepper {
 public:
  explicit TapeStepper(Program& program) : program_(program) {}

  bool changed() const { return changed_; }

  void run(Body& body) {
    for (size_t i = 0; i < body.stms.size(); ++i) {
      const Expr& expr = body.stms[i].expr;
      if (std::holds_alternative<core::Loop>(expr) || std::holds_alternative<core::Match>(expr)) {
        core::visitBodies(body.stms[i].expr, [&](Body& nested) { run(nested); });
      }
      while (const auto found = recorded(body, i)) i += rewrite(body, i, *found);
    }
  }

 private:
  std::optional<Recorded> recorded(const Body& body, size_t at) const {
    const auto* loop = std::get_if<core::Loop>(&body.stms[at].expr);
    if (loop == nullptr || !std::holds_alternative<core::ForLoop>(loop->form)) return std::nullopt;
    for (size_t tape = 0; tape < loop->carried.size(); ++tape) {
      const auto found = recordedBy(body, *loop, tape);
      if (found) return found;
    }
    return std::nullopt;
  }

  std::optional<Recorded> recordedBy(const Body& body, const core::Loop& loop, size_t tape) const {
    const core::Carried& carried = loop.carried[tape];
    const auto scratch = core::makerOf(body.stms, carried.initial);
    if (!scratch || !std::holds_alternative<core::Scratch>(body.stms[*scratch].expr)) return {};
    const auto outer = core::useCounts(program_, body);
    auto inner = core::useCounts(program_, loop.body);
    const auto update = core::makerOf(loop.body.stms, loop.body.results[tape]);
    if (!update || outer.at(carried.initial.value) != 1) return std::nullopt;
    const auto* store = std::get_if<core::Update>(&loop.body.stms[*update].expr);
    const ValueId index = std::get<core::ForLoop>(loop.form).index;
    if (store == nullptr || loop.body.stms[*update].checked || !store->dims.empty() ||
        store->indices != Operands{index} || store->value.isConstant()) {
      return std::nullopt;
    }
    const auto copy = core::makerOf(loop.body.stms, store->array);
    const auto* copied = copy ? std::get_if<core::Copy>(&loop.body.stms[*copy].expr) : nullptr;
    if (copied == nullptr || copied->array != carried.param || inner[carried.param] != 1 ||
        inner[store->array] != 1 || inner[loop.body.results[tape].value] != 1) {
      return std::nullopt;
    }
    for (size_t state = 0; state < loop.carried.size(); ++state) {
      if (store->value != Operand(loop.carried[state].param) || !isMadeAnew(loop, state)) continue;
      const std::vector<size_t> states = handedOn(loop, state);
      if (!states.empty()) return Recorded{states, tape, *scratch, *copy, *update};
    }
    return std::nullopt;
  }

  bool isMadeAnew(const core::Loop& loop, size_t state) const {
    const core::Carried& carried = loop.carried[state];
    const Type& type = program_.type(carried.param);
    const auto isCarried = [&](const Operand& size) {
      return std::any_of(loop.carried.begin(), loop.carried.end(),
                         [&](const auto& one) { return size == Operand(one.param); });
    };
    if (type.isScalar() || carried.consumed ||
        std::any_of(type.shape.begin(), type.shape.end(), isCarried)) {
      return false;
    }
    const Operand& next = loop.body.results[state];
    const auto maker = core::makerOf(loop.body.stms, next);
    return maker && isParallel(loop.body.stms[*maker], next) &&
           core::useCounts(program_, loop.body).at(next.value) == 1;
  }

  // The state and those that it becomes as it is: `(b, a)` returns `a`. None if a step returns a
  // part of one, or one twice: that would show a row while the tape is written.
  std::vector<size_t> handedOn(const core::Loop& loop, size_t state) const {
    core::Aliases aliases(program_);
    aliases.bindBody(loop.body);
    std::vector<size_t> states{state};
    for (;;) {
      const ValueId param = loop.carried[states.back()].param;
      std::vector<size_t> heirs;
      for (size_t k = 0; k < loop.carried.size(); ++k) {
        const core::Roots roots = aliases.of(loop.body.results[k]);
        if (std::binary_search(roots.begin(), roots.end(), param)) heirs.push_back(k);
      }
      if (heirs.empty()) return states;
      const size_t heir = heirs[0];
      const bool is_known = std::count(states.begin(), states.end(), heir) > 0;
      if (heirs.size() > 1 || is_known || loop.carried[heir].consumed ||
          loop.body.results[heir] != Operand(param) ||
          program_.type(loop.carried[heir].param) != program_.type(param)) {
        return {};
      }
      states.push_back(heir);
    }
  }

  // How many more statements there are in front of the loop.
  size_t rewrite(Body& body, size_t at, const Recorded& found) {
    changed_ = true;
    core::Loop loop = std::get<core::Loop>(body.stms[at].expr);
    std::vector<ValueId> results = body.stms[at].results;
    const Type state = program_.type(loop.carried[found.states[0]].param);
    const Operand rows = program_.type(loop.carried[found.tape].param).shape[0];
    const ValueId old_tape = results[found.tape];
    const core::ForLoop form = std::get<core::ForLoop>(loop.form);
    const auto ahead = static_cast<int64_t>(found.states.size());

    Emitter before(program_), after(program_);
    const Type longer = arrayOf({before.add(rows, Operand::ofI64(ahead))}, state);
    ValueId first = before.bind("tape", longer, core::Scratch{longer.scalar, longer.shape}, false,
                                body.stms[at].span);
    for (size_t k = 0; k < found.states.size(); ++k) {
      const Operand& initial = loop.carried[found.states[k]].initial;
      first = before.bind("tape", longer, core::Update{first, {row(found, k)}, {}, initial});
    }
    loop.carried[found.tape].initial = first;
    const ValueId last = program_.add("tape", longer);
    results[found.tape] = last;
    step(loop, found, longer, form.index);

    const Operand steps = after.prim(Op::kMax, ScalarType::kI64, {form.bound, kZero});
    for (size_t k = 0; k < found.states.size(); ++k) {
      const Operand place = after.add(steps, row(found, k));
      after.append(
          {{results[found.states[k]]}, core::Index{last, {place}}, false, body.stms[at].span});
    }
    const ValueId part = after.rows(last, row(found, 0), rows);
    core::Substitution names;
    names[old_tape] = part;

    eraseStates(loop, results, found.states);
    body.stms[at] = {results, std::move(loop), body.stms[at].checked, body.stms[at].span};
    core::substitute(program_, body, names);
    Stms made = before.take({}).stms, behind = after.take({}).stms;
    const auto place = body.stms.begin() + static_cast<ptrdiff_t>(at);
    body.stms.insert(place + 1, behind.begin(), behind.end());
    body.stms.insert(body.stms.begin() + static_cast<ptrdiff_t>(at), made.begin(), made.end());
    return made.size();
  }

  // Of state `k` in front of the first step.
  static Operand row(const Recorded& found, size_t k) {
    return Operand::ofI64(static_cast<int64_t>(found.states.size() - 1 - k));
  }

  // The step with its states in the tape.
  void step(core::Loop& loop, const Recorded& found, const Type& longer, ValueId index) {
    const ValueId tape = program_.add("tape", longer);
    const Operand next = loop.body.results[found.states[0]];
    Stms& stms = loop.body.stms;
    stms.erase(stms.begin() + static_cast<ptrdiff_t>(std::max(found.copy, found.update)));
    stms.erase(stms.begin() + static_cast<ptrdiff_t>(std::min(found.copy, found.update)));
    Emitter front(program_), e(program_);
    for (size_t k = 0; k < found.states.size(); ++k) {
      const Operand place = front.add(index, row(found, k));
      front.append({{loop.carried[found.states[k]].param}, core::Index{tape, {place}}, false, {}});
    }
    const Stms read = front.take({}).stms;
    stms.insert(stms.begin(), read.begin(), read.end());
    const auto ahead = static_cast<int64_t>(found.states.size());
    const Operand following = e.add(index, Operand::ofI64(ahead));
    loop.body.results[found.tape] = e.updated(tape, {following}, next);
    for (Stm& stm : e.take({}).stms) stms.push_back(std::move(stm));
    loop.carried[found.tape].param = tape;
  }

  static void eraseStates(core::Loop& loop, std::vector<ValueId>& results,
                          std::vector<size_t> states) {
    std::sort(states.rbegin(), states.rend());
    for (const size_t state : states) {
      const auto offset = static_cast<ptrdiff_t>(state);
      loop.carried.erase(loop.carried.begin() + offset);
      loop.body.results.erase(loop.body.results.begin() + offset);
      results.erase(results.begin() + offset);
    }
  }

  Program& program_;
  bool changed_ = false;
};

}  // namespace

core::Program stepAlongTapes(core::Program program) {
  TapeStepper stepper(program);
  for (core::Function& function : program.functions) stepper.run(function.body);
  return stepper.changed() ? passes::simplify(program) : program;
}

}  // namespace halo::ad
