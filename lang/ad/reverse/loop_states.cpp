// Values of the forward loop in the steps of the return loop: from tapes, from the loop run again,
// or from a state that is stored in front of it.
#include <algorithm>

#include "lang/ad/lean.h"
#include "lang/ad/reverse/reverse_loop.h"
#include "lang/ad/reverse/snapshots.h"

namespace halo::ad {

namespace {
constexpr size_t kMaxRows = 4;  // recorded of one array
}  // namespace

std::unordered_set<ValueId> ReverseLoop::usesOf(const Stm& stm) const {
  return core::freeValues(program_, stm);
}

// A carried array that the statement takes a row of.
std::optional<ValueId> ReverseLoop::rowOfCarried(const Stm& stm) const {
  const auto* index = std::get_if<core::Index>(&stm.expr);
  if (index == nullptr || program_.type(stm.results[0]).isScalar()) return std::nullopt;
  const bool is_carried =
      std::find(copy_.params.begin(), copy_.params.end(), index->array) != copy_.params.end();
  return is_carried ? std::optional(index->array) : std::nullopt;
}

// Numbers that a step reads from arrays that change from step to step, and rows that are all it
// reads of such an array.
bool ReverseLoop::isRecorded(const Stm& stm) const {
  if (states_ != States::kTape) return false;
  if (const auto array = rowOfCarried(stm)) {
    return !whole_.contains(*array) && of_step_.contains(stm.results[0]) && sizes_.empty();
  }
  for (const ValueId result : stm.results) {
    if (!program_.type(result).isScalar() || !of_step_.contains(result)) return false;
  }
  for (const ValueId used : usesOf(stm)) {
    if (!program_.type(used).isScalar() && all_.isOwn(r_, used)) return true;
  }
  return false;
}

// Drops statements of the step that nothing needs; finds what is recorded. Again where an array is
// needed as a whole, or by many rows, or is put back.
void ReverseLoop::prune() {
  std::vector<Stm> back = r_.back.body().stms;
  const std::vector<Stm> forward = r_.forward;
  for (;;) {
    const size_t known = whole_.size();
    pruneOnce();
    if (whole_.size() == known && !findOverwrites(back)) return;
    r_.back.body().stms = back;
    r_.forward = forward;
    recorded_.clear();
  }
}

void ReverseLoop::pruneOnce() {
  std::map<ValueId, size_t> rows;
  std::unordered_set<ValueId> live;
  const auto use = [&](const Operand& operand) {
    if (!operand.isConstant()) live.insert(operand.value);
  };
  for (const Operand& next : next_) use(next);
  for (const PutBack& one : put_back_) {
    for (const ValueId value : one.changes.needed()) live.insert(value);
  }
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
      if (records && isLogged(stms[i].results[0])) continue;
      if (records && isRecorded(stms[i])) {
        if (const auto array = rowOfCarried(stms[i])) ++rows[*array];
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
  for (const auto& [array, many] : rows) {
    if (live.contains(array) || many > kMaxRows) whole_.insert(array);
  }
  for (size_t k = 0; k < count(); ++k) {
    if (live.contains(param(k)) && !isPutBack(k)) recorded_.push_back(param(k));
  }
}

// `i = steps - 1 - j`, then what was recorded.
std::vector<Stm> ReverseLoop::opening(ValueId j) {
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
    putBack(e);
  }
  return e.take({}).stms;
}

// The loop up to this step: its results are what the step starts with.
void ReverseLoop::runAgain(Emitter& e) {
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

// The loop leaves the first states, where its steps are known in front of it.
void ReverseLoop::restore(Emitter& e) {
  Snapshots kept(program_, keptInFront(all_.hints_.of(stm_)), steps_,
                 [this] { return all_.again(step_); });
  if (std::holds_alternative<core::ForLoop>(node_.form)) {
    Emitter before(program_);
    kept.start(before, node_.carried);
    kept.run(before, node_.carried, step_, stm_.results);
    const auto loop = s_.forward.begin() + static_cast<ptrdiff_t>(at_);
    s_.forward.erase(loop);
    for (Stm& stm : before.take({}).stms) insert(std::move(stm));
  } else {
    kept.start(s_.back, node_.carried);
  }
  for (const core::Carried& one : kept.carried()) carried_.push_back(one);
  std::vector<ValueId> states;
  for (size_t k = 0; k < count(); ++k) states.push_back(param(k));
  const Operands next = kept.restore(e, position(), states);
  next_.insert(next_.end(), next.begin(), next.end());
}

// Each recorded value by its name in the loop whose step this is.
std::unordered_map<ValueId, ValueId> ReverseLoop::namesIn(const Lambda& step) const {
  std::unordered_map<ValueId, ValueId> names;
  const Lambda whole{copy_.params, copy_body_};
  const std::vector<ValueId> mine = Reverse::binders(program_, whole);
  const std::vector<ValueId> theirs = Reverse::binders(program_, step);
  for (size_t i = 0; i < mine.size(); ++i) names[mine[i]] = theirs[i];
  return names;
}

// Adds the tapes to a loop with this step: carried in the end.
void ReverseLoop::record(core::Loop& loop, const Lambda& step, Emitter& outside,
                         std::vector<ValueId>& results) {
  const auto names = namesIn(step);
  const Operand rows = bound_.value_or(steps_);
  Emitter first(program_), last(program_);
  std::map<ValueId, std::vector<Stm>> behind;  // of rows: the array may change later in the step
  Operands next = loop.body.results;
  const ValueId i = step.params.back();
  for (const ValueId value : recorded_) {
    const Type type = arrayOf({rows}, program_.type(value));
    const ValueId tape = program_.add("tape", type);
    const ValueId initial =
        outside.bind("tape", type, core::Scratch{type.scalar, type.shape}, false, stm_.span);
    const ValueId original = names.at(value);
    const bool is_param =
        std::find(step.params.begin(), step.params.end(), original) != step.params.end();
    const auto maker = core::makerOf(loop.body.stms, original);
    const bool is_row = maker && !program_.type(value).isScalar() &&
                        std::holds_alternative<core::Index>(loop.body.stms[*maker].expr);
    Emitter row(program_);
    next.push_back((is_param ? first : is_row ? row : last).updated(tape, {i}, original));
    if (is_row) behind[original] = row.take({}).stms;
    loop.carried.push_back({tape, initial, false});
    tapes_.push_back(program_.add("tape", type));
    results.push_back(tapes_.back());
  }
  recordOverwrites(loop, outside, i, next, results);
  std::vector<Stm> stms = first.take({}).stms;
  const std::vector<Stm> end = last.take({}).stms;
  for (const Stm& stm : loop.body.stms) {
    stms.push_back(stm);
    const auto row = stm.results.empty() ? behind.end() : behind.find(stm.results[0]);
    if (row != behind.end()) stms.insert(stms.end(), row->second.begin(), row->second.end());
  }
  stms.insert(stms.end(), end.begin(), end.end());
  loop.body = {std::move(stms), std::move(next)};
}

void ReverseLoop::recordAll() {
  if (states_ != States::kTape || (recorded_.empty() && put_back_.empty())) return;
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

// ---- arrays that a step changes in place and that the return loop needs as a whole
//
// It carries them backwards. Where its step changes one again to find numbers, it takes that back.

bool ReverseLoop::isPutBack(size_t k) const {
  return std::any_of(put_back_.begin(), put_back_.end(),
                     [&](const PutBack& one) { return one.k == k; });
}

// Whether the return loop reads the value from the log of such an array.
bool ReverseLoop::isLogged(ValueId value) const {
  return std::any_of(put_back_.begin(), put_back_.end(), [&](const PutBack& one) {
    return std::find(one.logs.begin(), one.logs.end(), value) != one.logs.end();
  });
}

Extents& ReverseLoop::extents() {
  if (!extents_) {
    const auto is_outside = [this](ValueId value) { return !of_step_.contains(value); };
    extents_.emplace(program_, copy_body_, is_outside, [this](Stm stm) { insert(std::move(stm)); });
    extents_->know(position(), steps_);
  }
  return *extents_;
}

std::optional<Overwrites> ReverseLoop::overwritesOf(size_t k) {
  const auto is_outside = [this](ValueId value) { return !of_step_.contains(value); };
  const auto is_given = [this](ValueId value) {
    if (!program_.type(value).isScalar()) return false;
    if (const auto maker = core::makerOf(copy_body_.stms, value)) {
      return isRecorded(copy_body_.stms[*maker]);
    }
    return std::find(copy_.params.begin(), copy_.params.end(), value) != copy_.params.end();
  };
  const auto has_most = [this](const Operand& bound, const std::vector<ValueId>& indices) {
    return extents().isKnown(bound, indices);
  };
  return Overwrites::of(program_, {copy_body_, is_outside, is_given, has_most}, param(k),
                        copy_body_.results[k]);
}

// Whether more of the arrays recorded as a whole are put back from now on; `back` are the return
// statements, `r_` has those that are needed.
bool ReverseLoop::findOverwrites(std::vector<Stm>& back) {
  if (states_ != States::kTape || !sizes_.empty()) return false;
  const size_t known = put_back_.size();
  for (size_t k = 0; k < count(); ++k) {
    const bool is_whole =
        std::find(recorded_.begin(), recorded_.end(), param(k)) != recorded_.end();
    if (!is_whole || program_.type(param(k)).isScalar()) continue;
    if (const auto changes = overwritesOf(k)) carryBack(k, *changes, back);
  }
  return put_back_.size() > known;
}

void ReverseLoop::carryBack(size_t k, const Overwrites& changes, std::vector<Stm>& back) {
  const auto steps = [this](const core::ForLoop& form) { return extents().most(form); };
  PutBack one{k, 0, changes};
  const auto values = changes.values(steps);
  const std::vector<Type> types = changes.types(steps);
  for (size_t i = 0; i < types.size(); ++i) {
    const auto is_known = [&](ValueId value) {
      return isLogged(value) ||
             std::find(one.logs.begin(), one.logs.end(), value) != one.logs.end();
    };
    const bool is_new = !values[i] || is_known(*values[i]);
    one.logs.push_back(is_new ? program_.add("old", types[i]) : *values[i]);
  }
  const ValueId changed = changes.first().results[0];
  const bool changes_again = std::any_of(r_.forward.begin(), r_.forward.end(),
                                         [&](const Stm& stm) { return stm.results[0] == changed; });
  Operand next = param(k);
  if (changes_again) {
    Emitter e(program_);
    next = changes.putBack(e, copy_body_.results[k].value, one.logs);
    for (Stm& stm : e.take({}).stms) back.push_back(std::move(stm));
  }
  one.slot = carry(program_.add("m", program_.type(param(k))), stm_.results[k], next);
  put_back_.push_back(std::move(one));
}

// In front of a step.
void ReverseLoop::putBack(Emitter& e) {
  for (const PutBack& one : put_back_) {
    for (size_t i = 0; i < one.logs.size(); ++i) {
      e.append({{one.logs[i]}, core::Index{one.tapes[i], {position()}}, false, {}});
    }
    one.changes.putBack(e, carried_[one.slot].param, one.logs);
    e.body().stms.back().results = {param(one.k)};
  }
}

// Tapes of the parts that each step overwrites; the return loop starts with the last arrays.
void ReverseLoop::recordOverwrites(core::Loop& loop, Emitter& outside, ValueId i, Operands& next,
                                   std::vector<ValueId>& results) {
  for (PutBack& one : put_back_) {
    carried_[one.slot].initial = results[one.k];
    std::vector<ValueId> tapes;
    for (const ValueId log : one.logs) {
      const Type type = arrayOf({bound_.value_or(steps_)}, program_.type(log));
      tapes.push_back(program_.add("tape", type));
      const ValueId initial =
          outside.bind("tape", type, core::Scratch{type.scalar, type.shape}, false, stm_.span);
      loop.carried.push_back({tapes.back(), initial, false});
      one.tapes.push_back(program_.add("tape", type));
      results.push_back(one.tapes.back());
    }
    const Operand after = loop.body.results[one.k];
    for (const ValueId tape : Overwrites::log(program_, loop.body, after, tapes, {i})) {
      next.emplace_back(tape);
    }
  }
}

}  // namespace halo::ad
