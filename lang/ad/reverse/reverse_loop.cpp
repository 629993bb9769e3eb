// The return of a loop of n steps is a loop from the last step to the first. It carries the
// cotangents of the carried values and of outer arrays it reads.
//
//   y = loop (x = x0) for i < n { .. return f x }
// becomes
//   y, tape = loop (x = x0, tape = scratch [n]) for i < n { tape[i] = x; .. return f x, tape }
//   x0' = loop (x' = y') for j < n { i = n - 1 - j; x = tape[i]; .. return x' of f at x }
//
// Recorded is what the return statements need of a step: carried values, and numbers read from
// carried arrays in place of these arrays. A `while` loop counts its steps and runs again with a
// record. Where carried arrays change their size, the loop runs again up to each step instead;
// under `#[checkpoint(s)]` from the last of the states that are kept (snapshots.h).
#include <algorithm>
#include <set>

#include "lang/ad/lean.h"
#include "lang/ad/places.h"
#include "lang/ad/reverse/reverse.h"
#include "lang/ad/reverse/snapshots.h"
#include "lang/ad/rules.h"

namespace halo::ad {

class ReverseLoop {
 public:
  ReverseLoop(Reverse& reverse, Scope& s, size_t at, const Cotangents& cs)
      : all_(reverse),
        program_(reverse.program_),
        s_(s),
        at_(at),
        stm_(s.forward[at]),
        node_(std::get<core::Loop>(stm_.expr)),
        cs_(cs),
        r_(program_, Scope::Kind::kLoop, &s) {}

  void run() {
    index_ = program_.add("i", {});
    Lambda lambda{{}, node_.body};
    for (const core::Carried& carried : node_.carried) lambda.params.push_back(carried.param);
    if (const auto* counted = std::get_if<core::ForLoop>(&node_.form)) {
      lambda.params.push_back(counted->index);
    } else {
      lambda.params.push_back(index_);
    }
    step_ = lambda;
    copy_ = all_.again(lambda);
    const LoopHint hint = all_.hints_.of(stm_);
    if (findSizes()) {
      states_ = States::kRunAgain;
    } else if (hint.states > 0) {
      states_ = States::kSnapshots;
    }
    countSteps();
    sweep();
    emit();
  }

 private:
  using CarriedList = std::vector<core::Carried>;
  // How a step of the return loop gets the values of the loop at that step.
  enum class States { kTape, kRunAgain, kSnapshots };

  size_t count() const { return node_.carried.size(); }
  ValueId param(size_t k) const { return copy_.params[k]; }
  ValueId position() const { return copy_.params.back(); }
  bool varies(size_t k) const { return all_.varies(node_.carried[k].param); }

  // Carried sizes of carried arrays.
  bool findSizes() {
    for (size_t k = 0; k < count(); ++k) {
      for (const Operand& size : program_.type(param(k)).shape) {
        for (size_t z = 0; z < count(); ++z) {
          if (size == Operand(param(z))) sizes_.insert(z);
        }
      }
    }
    return !sizes_.empty();
  }

  // Steps, never negative. A while loop gets a counter.
  void countSteps() {
    if (const auto* counted = std::get_if<core::ForLoop>(&node_.form)) {
      const Operand zero = Operand::ofI64(0);
      if (counted->bound.isConstant()) {
        steps_ = Operand::ofI64(std::max<int64_t>(counted->bound.constant.asSigned(), 0));
        return;
      }
      const ValueId steps = program_.add("steps", {});
      insert(
          {{steps}, core::PrimOp{Op::kMax, ScalarType::kI64, {counted->bound, zero}}, false, {}});
      steps_ = steps;
      return;
    }
    bound_ = mostSteps();
    core::Loop loop = node_;
    const ValueId counter = program_.add("counter", {}), steps = program_.add("steps", {});
    Emitter e(program_);
    e.body() = std::move(loop.body);
    Operands next = e.body().results;
    next.push_back(e.add(counter, Operand::ofI64(1)));
    loop.body = e.take(std::move(next));
    loop.carried.push_back({counter, Operand::ofI64(0), false});
    Stm& forward = s_.forward[at_];
    forward.expr = std::move(loop);
    forward.results.push_back(steps);
    all_.own(s_, {steps});
    steps_ = steps;
  }
  // Of `#[bound(n)]`: tapes of a known size.
  std::optional<Operand> mostSteps() const {
    for (const Stm& stm : node_.body.stms) {
      const auto* check = std::get_if<core::Assert>(&stm.expr);
      if (check != nullptr && check->code == diag::Code::bound_exceeded) return check->operands[0];
    }
    return std::nullopt;
  }
  // In front of the loop.
  void insert(Stm stm) {
    all_.own(s_, stm.results);
    s_.forward.insert(s_.forward.begin() + static_cast<ptrdiff_t>(at_), std::move(stm));
    ++at_;
  }

  // A size as the return loop carries it; others are the same outside.
  Type carriedType(Type type) const {
    for (Operand& size : type.shape) {
      for (const auto& [z, carried] : carried_sizes_) {
        if (size == Operand(param(z))) size = carried;
      }
    }
    return type;
  }
  Operand shaped(Emitter& e, const Operand& value, const Type& type) {
    if (type.isScalar()) return value;
    return e.reshaped(value.value, type.shape);
  }

  void sweep() {
    all_.own(r_, copy_.params);
    copy_body_ = copy_.body;
    for (const ValueId value : Reverse::binders(program_, copy_)) of_step_.insert(value);
    const Operands results = copy_.body.results;
    all_.start(r_, copy_.body);
    Emitter& e = s_.back;
    for (const size_t z : sizes_) {
      const ValueId size = program_.add("n", {});
      carried_sizes_[z] = size;
      carry(size, stm_.results[z], param(z));
    }
    for (size_t k = 0; k < count(); ++k) {
      if (!varies(k)) continue;
      const ValueId c = program_.add("c", carriedType(program_.type(param(k))));
      const Type type = program_.type(stm_.results[k]);
      of_param_[k] = carried_.size();
      carry(c, cs_[k] ? *cs_[k] : e.zero(type), {});
      all_.add(r_, results[k], shaped(r_.back, c, r_.back.type(results[k])));
    }
    // Cotangents of values around the loop grow from step to step.
    std::set<ValueId> around;
    for (const ValueId value : core::freeValues(program_, step_)) {
      if (!all_.varies(value) || all_.isDropped(s_, value)) continue;
      // Numbers as well: sums have the same order however a loop is cut.
      const bool is_scalar = program_.type(value).isScalar();
      if (is_scalar || !all_.isBeyondLambda(s_, value)) around.insert(value);
    }
    for (const ValueId value : around) {
      const ValueId c = program_.add("c", program_.type(value));
      of_array_[value] = carried_.size();
      carry(c, all_.takeOrZero(s_, value), {});
      const auto known = r_.cotangents.find(value);
      r_.cotangents[value] =
          known == r_.cotangents.end() ? Operand(c) : r_.back.sum(c, known->second);
    }
    all_.run(r_);
    for (const auto& [k, slot] : of_param_) {
      const Operand c = all_.takeOrZero(r_, param(k));
      next_[slot] = shaped(r_.back, c, r_.back.type(c));
    }
    for (const auto& [value, slot] : of_array_) next_[slot] = all_.takeOrZero(r_, value);
    sinkPlaces();
    for (const auto& [value, c] : r_.cotangents) {
      if (all_.isOwn(r_, value)) continue;
      const Type type = program_.type(value);
      const ValueId sum = program_.add("c", type);
      const size_t slot = carry(sum, e.zero(type), r_.back.sum(sum, c));
      const ValueId outside = value;
      sinks_.push_back([this, slot, outside] { all_.add(s_, outside, back_[slot]); });
    }
  }

  size_t carry(ValueId value, const Operand& initial, const Operand& next) {
    carried_.push_back({value, initial, false});
    next_.push_back(next);
    return next_.size() - 1;
  }

  // One row for each step.
  void sinkPlaces() {
    for (Place& place : all_.leavingPlaces(r_)) {
      auto kept = std::make_shared<Place>(place);
      kept->surround({steps_});
      std::vector<std::pair<size_t, size_t>> rows;  // index, slot
      for (size_t i = 0; i < place.indices.size(); ++i) {
        const Operand& index = place.indices[i];
        if (place.axis(i) != Place::kNoAxis || all_.isKnownOutside(r_, {index})) continue;
        if (index == Operand(position())) {
          kept->setAxis(i, 0);
        } else {
          rows.emplace_back(i, carryRows(spread(r_.back, place, i)));
          kept->setShift(i, 0);
        }
      }
      const size_t values = carryRows(place.value);
      sinks_.push_back([this, kept, rows, values] {
        for (const auto& [i, slot] : rows) kept->indices[i] = back_[slot];
        kept->value = back_[values];
        all_.addPlace(s_, *kept);
      });
    }
  }
  // An array with a row for each step; its slot.
  size_t carryRows(const Operand& part) {
    const Type type = arrayOf({steps_}, r_.back.type(part));
    const ValueId rows = program_.add("rows", type);
    const ValueId initial = s_.back.bind("rows", type, core::Scratch{type.scalar, type.shape});
    return carry(rows, initial, r_.back.updated(rows, {position()}, part));
  }

  // ---- what the return statements need of the step

  std::unordered_set<ValueId> usesOf(const Stm& stm) const {
    return core::freeValues(program_, stm);
  }
  // Numbers that a step reads from arrays that change from step to step.
  bool isRecorded(const Stm& stm) const {
    if (states_ != States::kTape) return false;
    for (const ValueId result : stm.results) {
      if (!program_.type(result).isScalar() || !of_step_.contains(result)) return false;
    }
    for (const ValueId used : usesOf(stm)) {
      if (!program_.type(used).isScalar() && all_.isOwn(r_, used)) return true;
    }
    return false;
  }
  // Drops statements of the step that nothing needs; finds what is recorded.
  void prune() {
    std::unordered_set<ValueId> live;
    const auto use = [&](const Operand& operand) {
      if (!operand.isConstant()) live.insert(operand.value);
    };
    for (const Operand& next : next_) use(next);
    for (const core::Carried& carried : carried_) {
      for (const Operand& size : program_.type(carried.param).shape) use(size);
    }
    std::vector<Stm> kept_back;
    std::vector<Stm>& back = r_.back.body().stms;
    const auto isLive = [&](const Stm& stm) {
      return std::any_of(stm.results.begin(), stm.results.end(),
                         [&](ValueId result) { return live.contains(result); });
    };
    const auto keep = [&](std::vector<Stm>& stms, bool records) {
      std::vector<Stm> kept;
      for (size_t i = stms.size(); i-- > 0;) {
        if (!isLive(stms[i])) continue;
        if (records && isRecorded(stms[i])) {
          for (const ValueId result : stms[i].results) {
            if (live.contains(result)) recorded_.push_back(result);
          }
          continue;
        }
        kept.push_back(lean(program_, std::move(stms[i])));
        const auto used = usesOf(kept.back());
        live.insert(used.begin(), used.end());
      }
      std::reverse(kept.begin(), kept.end());
      stms = std::move(kept);
    };
    keep(back, false);
    keep(r_.forward, true);
    for (size_t k = 0; k < count(); ++k) {
      if (live.contains(param(k))) recorded_.push_back(param(k));
    }
  }

  // `i = steps - 1 - j`, then what was recorded.
  std::vector<Stm> opening(ValueId j) {
    Emitter e(program_);
    const Operand last = s_.back.sub(steps_, Operand::ofI64(1));
    e.append({{position()}, core::PrimOp{Op::kSub, ScalarType::kI64, {last, j}}, false, {}});
    if (states_ == States::kRunAgain) {
      if (!recorded_.empty() || !sizes_.empty()) runAgain(e);
    } else if (states_ == States::kSnapshots) {
      if (!recorded_.empty()) restore(e);
    } else {
      for (size_t i = 0; i < recorded_.size(); ++i) {
        e.append({{recorded_[i]}, core::Index{tapes_[i], {position()}}, false, {}});
      }
    }
    return e.take({}).stms;
  }

  // The loop up to this step: its results are what the step starts with.
  void runAgain(Emitter& e) {
    Lambda lambda = all_.again(step_);
    core::Loop loop;
    loop.form = core::ForLoop{lambda.params.back(), position()};
    std::vector<ValueId> results;
    for (size_t k = 0; k < count(); ++k) {
      loop.carried.push_back({lambda.params[k], node_.carried[k].initial, false});
      results.push_back(param(k));
    }
    loop.body = std::move(lambda.body);
    e.append({std::move(results), std::move(loop), false, stm_.span});
  }

  void restore(Emitter& e) {
    Snapshots kept(program_, keptInFront(all_.hints_.of(stm_)), steps_,
                   [this] { return all_.again(step_); });
    for (const core::Carried& one : kept.start(s_.back, node_.carried)) carried_.push_back(one);
    std::vector<ValueId> states;
    for (size_t k = 0; k < count(); ++k) states.push_back(param(k));
    const Operands next = kept.restore(e, position(), states);
    next_.insert(next_.end(), next.begin(), next.end());
  }

  // Each recorded value by its name in the loop whose step this is.
  std::unordered_map<ValueId, ValueId> namesIn(const Lambda& step) const {
    std::unordered_map<ValueId, ValueId> names;
    const Lambda whole{copy_.params, copy_body_};
    const std::vector<ValueId> mine = Reverse::binders(program_, whole);
    const std::vector<ValueId> theirs = Reverse::binders(program_, step);
    for (size_t i = 0; i < mine.size(); ++i) names[mine[i]] = theirs[i];
    return names;
  }

  // Adds the tapes to a loop with this step: carried in the end.
  void record(core::Loop& loop, const Lambda& step, Emitter& outside,
              std::vector<ValueId>& results) {
    const auto names = namesIn(step);
    const Operand rows = bound_.value_or(steps_);
    Emitter first(program_), last(program_);
    Operands next = loop.body.results;
    const ValueId i = step.params.back();
    for (const ValueId value : recorded_) {
      const Type type = arrayOf({rows}, program_.type(value));
      const ValueId tape = program_.add("tape", type);
      const ValueId initial = outside.bind("tape", type, core::Scratch{type.scalar, type.shape});
      const ValueId original = names.at(value);
      const bool is_param =
          std::find(step.params.begin(), step.params.end(), original) != step.params.end();
      next.push_back((is_param ? first : last).updated(tape, {i}, original));
      loop.carried.push_back({tape, initial, false});
      tapes_.push_back(program_.add("tape", type));
      results.push_back(tapes_.back());
    }
    std::vector<Stm> stms = first.take({}).stms;
    const std::vector<Stm> end = last.take({}).stms;
    stms.insert(stms.end(), loop.body.stms.begin(), loop.body.stms.end());
    stms.insert(stms.end(), end.begin(), end.end());
    loop.body = {std::move(stms), std::move(next)};
  }

  void recordAll() {
    if (states_ != States::kTape || recorded_.empty()) return;
    if (std::holds_alternative<core::ForLoop>(node_.form)) {
      Emitter before(program_);
      core::Loop loop = node_;
      std::vector<ValueId> results = stm_.results;
      record(loop, step_, before, results);
      for (Stm& stm : before.take({}).stms) insert(std::move(stm));
      s_.forward[at_].expr = std::move(loop);
      s_.forward[at_].results = results;
      all_.own(s_, tapes_);
      return;
    }
    const Lambda step = all_.again(step_);
    core::Loop loop;
    loop.form = core::ForLoop{step.params.back(), steps_};
    std::vector<ValueId> results;
    for (size_t k = 0; k < count(); ++k) {
      loop.carried.push_back({step.params[k], node_.carried[k].initial, false});
      results.push_back(program_.add("t", program_.type(stm_.results[k])));
    }
    loop.body = step.body;
    record(loop, step, s_.back, results);
    s_.back.append({std::move(results), std::move(loop), false, stm_.span});
  }

  void explain() {
    std::string loop = "the loop over";
    for (const core::Carried& one : node_.carried) loop += " " + all_.nameOf(one.param);
    std::string what = recorded_.empty() ? " records nothing" : " records at each step";
    for (const ValueId value : recorded_) what += " " + all_.nameOf(value);
    if (states_ == States::kRunAgain) what = " runs again up to each step";
    if (states_ == States::kSnapshots) {
      what = " keeps " + std::to_string(keptInFront(all_.hints_.of(stm_))) + " states at a time";
    }
    all_.journal_.say(loop + what);
  }

  void emit() {
    if (carried_.empty()) return;
    prune();
    explain();
    recordAll();
    core::Loop loop;
    const ValueId j = program_.add("j", {});
    loop.form = core::ForLoop{j, steps_};
    std::vector<Stm> stms = opening(j);
    loop.carried = carried_;
    Body body = all_.finished(r_, next_);
    stms.insert(stms.end(), body.stms.begin(), body.stms.end());
    body.stms = std::move(stms);
    loop.body = std::move(body);
    for (const core::Carried& carried : carried_) {
      back_.push_back(program_.add("back", program_.type(carried.param)));
    }
    for (const ValueId result : back_) {
      for (Operand& size : program_.values[result].type.shape) {
        for (size_t i = 0; i < carried_.size(); ++i) {
          if (size == Operand(carried_[i].param)) size = back_[i];
        }
      }
    }
    s_.back.append({back_, std::move(loop), false, stm_.span});
    for (const auto& [value, slot] : of_array_) s_.cotangents[value] = back_[slot];
    for (const auto& [k, slot] : of_param_) {
      const Operand& initial = node_.carried[k].initial;
      if (all_.varies(initial)) {
        all_.add(s_, initial, shaped(s_.back, back_[slot], program_.type(initial)));
      }
    }
    for (const auto& sink : sinks_) sink();
  }

  Reverse& all_;
  Program& program_;
  Scope& s_;
  size_t at_;
  const Stm stm_;
  const core::Loop node_;
  const Cotangents& cs_;
  Scope r_;  // the step in the return loop

  Lambda step_, copy_;  // the step as it was, and as the return loop has it: parameters, then index
  Body copy_body_;
  std::unordered_set<ValueId> of_step_;  // all that the copy binds
  ValueId index_;                        // of a while loop
  std::set<size_t> sizes_;
  States states_ = States::kTape;
  Operand steps_;
  std::optional<Operand> bound_;
  CarriedList carried_;
  Operands next_;
  std::map<size_t, ValueId> carried_sizes_;
  std::map<size_t, size_t> of_param_;
  std::map<ValueId, size_t> of_array_;
  std::vector<std::function<void()>> sinks_;
  std::vector<ValueId> recorded_, tapes_, back_;
};

void Reverse::loop(Scope& s, size_t at, const Cotangents& cs) {
  ReverseLoop(*this, s, at, cs).run();
}

}  // namespace halo::ad
