// Statements, calls of parts, and how ranks stop together; moves are in moves.cpp.
#include "cli/distributed/rank_program.h"

#include "lang/base/check.h"
#include "lang/core/rewrite.h"
#include "lang/core/visit.h"
#include "lang/passes/parts.h"

namespace halo::distributed {

using core::Body;
using core::Operand;
using core::Stm;
using core::ValueId;
using End = Outcome::End;

namespace {

const core::Function* entryOf(const core::Program& program) {
  for (const core::Function& function : program.functions) {
    if (function.is_entry) return &function;
  }
  HALO_UNREACHABLE("a program without an entry");
}

}  // namespace

RankProgram::RankProgram(core::Program program, PreparePart prepare, ranks::Ranks& ranks,
                         std::unique_ptr<engine::PageCopies> copies, Checkpoints* checkpoints,
                         ResultPlace* results)
    : program_(std::move(program)),
      entry_(entryOf(program_)),
      prepare_(std::move(prepare)),
      ranks_(ranks),
      checkpoints_(checkpoints),
      results_(results),
      rows_(ranks, std::move(copies)),
      all_gather_(ranks, rows_.copies()) {
  uses_ = core::useCounts(program_, entry_->body);
  noteLastUses(entry_->body, {entry_->params.begin(), entry_->params.end()});
  if (rows_.copies() != nullptr && rows_.copies()->isOfDevice()) {
    late_ = passes::lateScalars(
        program_, [&](const core::Loop& loop) { return passes::callsAhead(program_, loop) > 0; });
  }
}

// `own`: values that the body binds, or its owner for each run of it.
void RankProgram::noteLastUses(const Body& body, std::unordered_set<ValueId> own) {
  for (const Stm& stm : body.stms) own.insert(stm.results.begin(), stm.results.end());
  std::unordered_set<ValueId> later;
  for (const Operand& result : body.results) {
    if (!result.isConstant()) later.insert(result.value);
  }
  for (auto stm = body.stms.rbegin(); stm != body.stms.rend(); ++stm) {
    for (ValueId value : core::freeValues(program_, *stm)) {
      const bool is_last = later.insert(value).second && own.contains(value);
      if (is_last && !program_.type(value).isScalar()) last_uses_[&*stm].push_back(value);
    }
    const auto* loop = std::get_if<core::Loop>(&stm->expr);
    std::unordered_set<ValueId> params;
    if (loop != nullptr) {
      for (const core::Carried& carried : loop->carried) params.insert(carried.param);
    }
    core::visitBodies(stm->expr, [&](const Body& nested) { noteLastUses(nested, params); });
  }
}

bool RankProgram::hasMoves() const {
  bool found = false;
  core::visitStms(entry_->body, [&](const Stm& stm) {
    const auto* call = std::get_if<core::Call>(&stm.expr);
    const auto move = call != nullptr ? core::moveOf(call->function) : std::nullopt;
    found = found || (move && *move != core::Move::kBlock && *move != core::Move::kRows);
  });
  return found;
}

Outcome RankProgram::call(const Values& leaves, const base::CancelFlag* cancel) {
  values_.clear();
  arguments_ = leaves;
  rows_.traffic() = {};
  cancel_ = cancel;
  end_ = End::kResults;
  all_know_ = false;
  text_.clear();
  diagnostic_.reset();
  const ranks::Ranks::Call within(ranks_);
  rows_.runAhead();
  const auto sizes = static_cast<size_t>(entry_->size_params);
  HALO_CHECK(entry_->params.size() == sizes + leaves.size(), "arguments of another entry");
  for (size_t i = 0; i < leaves.size(); ++i) {
    bindSizes(entry_->params[sizes + i], leaves[i]);
    bind(entry_->params[sizes + i], leaves[i]);
  }
  Values results;
  if (run(entry_->body)) {
    const auto first = static_cast<size_t>(entry_->size_results);
    for (size_t i = first; i < entry_->body.results.size(); ++i) {
      results.push_back(get(entry_->body.results[i]));
    }
  }
  settle();
  rows_.abandon();
  const bool done = end_ == End::kResults && meet(0);
  if (!done && !all_know_) meet(0);
  Outcome outcome{end_, {}, text_, diagnostic_};
  if (end_ == End::kResults) outcome.leaves = std::move(results);
  values_.clear();
  arguments_.clear();
  return outcome;
}

// ---- values

value::Value RankProgram::get(const Operand& operand) {
  Value value = whereItIs(operand);
  if (!isLate(operand)) return value;
  auto fetched = rows_.copies()->fetch(*value.array());
  if (fetched) return *fetched;
  noRows(fetched.error());
  return prim::zero(program_.type(operand.value).scalar);
}

// An array where its type has none.
bool RankProgram::isLate(const Operand& operand) const {
  return !operand.isConstant() && program_.type(operand.value).isScalar() &&
         whereItIs(operand).array() != nullptr;
}

value::Value RankProgram::whereItIs(const Operand& operand) const {
  if (operand.isConstant()) return operand.constant;
  auto found = values_.find(operand.value);
  HALO_CHECK(found != values_.end(), "a value before its definition");
  return found->second;
}

int64_t RankProgram::number(const Operand& operand) { return get(operand).scalar()->asSigned(); }

// Sizes that stand in the type of an array are those of the array.
void RankProgram::bindSizes(ValueId id, const Value& value) {
  const core::Type& type = program_.type(id);
  for (size_t axis = 0; axis < type.shape.size(); ++axis) {
    const Operand& size = type.shape[axis];
    if (size.isConstant()) continue;
    values_.try_emplace(size.value, value::Scalar::ofI64(value.array()->shape()[axis]));
  }
}

// Arrays that an iteration binds need not outlive it.
void RankProgram::forget(const Body& body) {
  core::visitStms(body, [&](const Stm& stm) {
    for (ValueId result : stm.results) values_.erase(result);
  });
}

// ---- statements

bool RankProgram::run(const Body& body, size_t first, size_t end) {
  for (size_t i = first; i < end; ++i) {
    const Stm& stm = body.stms[i];
    if (!statement(stm) || end_ != End::kResults) return false;
    const auto unused = last_uses_.find(&stm);
    if (unused == last_uses_.end()) continue;
    for (ValueId value : unused->second) values_.erase(value);
  }
  return true;
}

bool RankProgram::statement(const Stm& stm) {
  if (cancel_ != nullptr && cancel_->isSet()) return stop(End::kInterrupted);
  if (const auto* node = std::get_if<core::Loop>(&stm.expr)) return loop(stm, *node);
  if (const auto* node = std::get_if<core::Match>(&stm.expr)) return match(stm, *node);
  const auto* call = std::get_if<core::Call>(&stm.expr);
  HALO_CHECK(call != nullptr, "a host program of ranks has calls, loops and matches");
  if (const auto move = core::moveOf(call->function)) return this->move(stm, *move, call->args);
  return part(stm, *call);
}

bool RankProgram::loop(const Stm& stm, const core::Loop& loop) {
  Values carried;
  for (const core::Carried& one : loop.carried) carried.push_back(whereItIs(one.initial));
  // So that the loop alone has them, and may change them in place.
  if (const auto unused = last_uses_.find(&stm); unused != last_uses_.end()) {
    const std::unordered_set<ValueId> inside = core::freeValues(program_, loop.body);
    for (ValueId value : unused->second) {
      if (!inside.contains(value)) values_.erase(value);
    }
  }
  for (int64_t i = 0;; ++i) {
    const Step step = nextStep(loop, carried, i);
    if (step == Step::kStopped) return false;
    if (step == Step::kEnd) break;
    const size_t done = step == Step::kBegun ? passes::callsAhead(program_, loop) : 0;
    for (size_t k = 0; k < carried.size(); ++k) {
      Value value = std::move(carried[k]);
      if (done == 0) bind(loop.carried[k].param, std::move(value));
    }
    if (!run(loop.body, done, loop.body.stms.size())) return false;
    for (size_t k = 0; k < carried.size(); ++k) carried[k] = whereItIs(loop.body.results[k]);
    forget(loop.body);
  }
  for (size_t k = 0; k < carried.size(); ++k) {
    values_.erase(loop.carried[k].param);
    bind(stm.results[k], std::move(carried[k]));
  }
  return true;
}

RankProgram::Step RankProgram::nextStep(const core::Loop& loop, const Values& carried, int64_t i) {
  if (const auto* counted = std::get_if<core::ForLoop>(&loop.form)) {
    const value::Scalar bound = *get(counted->bound).scalar();
    const bool goes_on = prim::isUnsigned(bound.type)
                             ? static_cast<uint64_t>(i) < bound.asUnsigned()
                             : i < bound.asSigned();
    if (goes_on) bind(counted->index, value::Scalar::ofSigned(bound.type, i));
    return goes_on ? Step::kNext : Step::kEnd;
  }
  const auto condition = static_cast<size_t>(std::get<core::WhileLoop>(loop.form).condition);
  if (const value::Scalar* known = carried[condition].scalar()) {
    return known->asBool() ? Step::kNext : Step::kEnd;
  }
  return beginAhead(loop, carried, condition);
}

// The device begins a step while the host still waits for the condition. The carried values stay
// until it is known. All ranks do so at the same place: messages keep their order.
RankProgram::Step RankProgram::beginAhead(const core::Loop& loop, const Values& carried,
                                          size_t condition) {
  const value::Array& late = *carried[condition].array();
  const bool is_ahead = rows_.copies()->beginFetch(late);
  if (is_ahead) {
    for (size_t k = 0; k < carried.size(); ++k) bind(loop.carried[k].param, carried[k]);
    if (!run(loop.body, 0, passes::callsAhead(program_, loop))) return Step::kStopped;
  }
  auto known = rows_.copies()->fetch(late);
  if (!known) {
    noRows(known.error());
    return Step::kStopped;
  }
  if (!known->asBool()) {
    forget(loop.body);
    return Step::kEnd;
  }
  return is_ahead ? Step::kBegun : Step::kNext;
}

// Scalars are the same on all ranks, so these take the same arm.
bool RankProgram::match(const Stm& stm, const core::Match& match) {
  const value::Scalar scrutinee = *get(match.scrutinee).scalar();
  const Body* arm = &match.otherwise;
  for (const core::Case& one : match.cases) {
    if (one.value == scrutinee) arm = &one.body;
  }
  if (!run(*arm)) return false;
  for (size_t k = 0; k < stm.results.size(); ++k) {
    bind(stm.results[k], whereItIs(arm->results[k]));
  }
  forget(*arm);
  return true;
}

engine::Prepared* RankProgram::prepared(const std::string& part) {
  std::unique_ptr<engine::Prepared>& known = parts_[part];
  if (known == nullptr) {
    core::Program alone = passes::partOf(program_, part);
    const auto late = late_.find(part);
    if (late != late_.end()) alone = passes::withLate(std::move(alone), late->second);
    auto made = prepare_(alone, part);
    if (!made) {
      failed(made.error());
      return nullptr;
    }
    known = std::move(*made);
  }
  return known.get();
}

bool RankProgram::part(const Stm& stm, const core::Call& call) {
  const core::Function* function = program_.find(call.function);
  HALO_CHECK(function != nullptr, "a part that is not there");
  engine::Prepared* code = prepared(call.function);
  if (code == nullptr) return false;
  const auto late = late_.find(call.function);
  auto arguments = argumentsOf(*function, call, late == late_.end() ? nullptr : &late->second);
  if (!arguments) return failed(arguments.error());
  std::vector<bool> late_results;
  if (late != late_.end()) {
    late_results.assign(late->second.results.begin() + function->size_results,
                        late->second.results.end());
  }
  auto results = [&] {
    const Timed timed(rows_.traffic().parts_ms);
    return code->call(*arguments, {cancel_, late_results.empty() ? nullptr : &late_results});
  }();
  if (!results) return noRows(results.error());
  const auto sizes = static_cast<size_t>(function->size_results);
  // Sizes first: in an iteration they may differ from those of the one before.
  for (size_t i = 0; i < sizes; ++i) values_.erase(stm.results[i]);
  for (size_t i = sizes; i < stm.results.size(); ++i) {
    Value& value = (*results)[i - sizes];
    if (value.array() != nullptr) bindSizes(stm.results[i], value);
    bind(stm.results[i], std::move(value));
  }
  return true;
}

// Without sizes. A scalar that the host has becomes an array where the part takes a late one.
diag::Result<std::vector<value::Value>> RankProgram::argumentsOf(const core::Function& part,
                                                                 const core::Call& call,
                                                                 const passes::LateScalars* late) {
  Values arguments;
  for (size_t i = static_cast<size_t>(part.size_params); i < call.args.size(); ++i) {
    const bool is_late = late != nullptr && late->params[i];
    Value value = is_late ? whereItIs(call.args[i]) : get(call.args[i]);
    if (const value::Scalar* scalar = value.scalar(); is_late && scalar != nullptr) {
      auto one = value::makeArray(scalar->type, {1});
      if (!one) return diag::Failure(one.error());
      value::setAt(*one, 0, *scalar);
      value = std::move(*one);
    }
    arguments.push_back(std::move(value));
  }
  return arguments;
}

// ---- stops

// A rank that stops says so where the others meet next; then all do.
bool RankProgram::meet(uint64_t site) {
  settle();
  if (end_ == End::kLost) return false;
  const Timed timed(rows_.traffic().agree_ms);
  auto worst = ranks_.agree(static_cast<int64_t>(end_), site);
  if (!worst) return lost(worst.error().text);
  if (*worst == 0) return true;
  if (*worst > static_cast<int64_t>(End::kFile)) {
    ranks_.leave();
    return lost("another rank has failed; all ranks are stopped");
  }
  end_ = static_cast<End>(*worst);
  all_know_ = true;
  return false;
}

// Rows that the device waits for arrive here at the latest: another rank may wait for ours.
bool RankProgram::settle() {
  if (end_ != End::kResults || rows_.copies() == nullptr) return end_ == End::kResults;
  auto arrived = rows_.copies()->settle();
  return arrived || noRows(arrived.error());
}

bool RankProgram::noRows(const diag::Diagnostic& diagnostic) {
  return rows_.isLost() || all_gather_.isLost() ? lost(diagnostic.message) : failed(diagnostic);
}

bool RankProgram::stop(End end) {
  end_ = end;
  return false;
}

bool RankProgram::lost(const std::string& text) {
  text_ = text;
  all_know_ = true;
  return stop(End::kLost);
}

bool RankProgram::noFile(const diag::Diagnostic& diagnostic) {
  diagnostic_ = diagnostic;
  return stop(End::kFile);
}

bool RankProgram::failed(const diag::Diagnostic& diagnostic) {
  text_ = diagnostic.message;
  diagnostic_ = diagnostic;
  return stop(diagnostic.code == diag::Code::interrupted ? End::kInterrupted : End::kFailed);
}

}  // namespace halo::distributed
