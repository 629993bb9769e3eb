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
  const bool ran = run(entry_->body);
  rows_.abandon();
  const bool done = ran && meet(0);
  if (!done && !all_know_) meet(0);
  Outcome outcome{end_, {}, text_, diagnostic_};
  if (end_ == End::kResults) {
    const auto first = static_cast<size_t>(entry_->size_results);
    for (size_t i = first; i < entry_->body.results.size(); ++i) {
      outcome.leaves.push_back(get(entry_->body.results[i]));
    }
  }
  values_.clear();
  arguments_.clear();
  return outcome;
}

// ---- values

value::Value RankProgram::get(const Operand& operand) const {
  if (operand.isConstant()) return operand.constant;
  auto found = values_.find(operand.value);
  HALO_CHECK(found != values_.end(), "a value before its definition");
  return found->second;
}

int64_t RankProgram::number(const Operand& operand) const {
  return get(operand).scalar()->asSigned();
}

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

bool RankProgram::run(const Body& body) {
  for (const Stm& stm : body.stms) {
    if (!statement(stm)) return false;
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
  for (const core::Carried& one : loop.carried) carried.push_back(get(one.initial));
  // So that the loop alone has them, and may change them in place.
  if (const auto unused = last_uses_.find(&stm); unused != last_uses_.end()) {
    const std::unordered_set<ValueId> inside = core::freeValues(program_, loop.body);
    for (ValueId value : unused->second) {
      if (!inside.contains(value)) values_.erase(value);
    }
  }
  const auto* counted = std::get_if<core::ForLoop>(&loop.form);
  const value::Scalar bound =
      counted != nullptr ? *get(counted->bound).scalar() : value::Scalar::ofI64(0);
  for (int64_t i = 0;; ++i) {
    if (counted == nullptr) {
      const auto condition = static_cast<size_t>(std::get<core::WhileLoop>(loop.form).condition);
      if (!carried[condition].scalar()->asBool()) break;
    } else {
      const bool goes_on = prim::isUnsigned(bound.type)
                               ? static_cast<uint64_t>(i) < bound.asUnsigned()
                               : i < bound.asSigned();
      if (!goes_on) break;
      bind(counted->index, value::Scalar::ofSigned(bound.type, i));
    }
    for (size_t k = 0; k < carried.size(); ++k) {
      bind(loop.carried[k].param, std::move(carried[k]));
    }
    if (!run(loop.body)) return false;
    for (size_t k = 0; k < carried.size(); ++k) carried[k] = get(loop.body.results[k]);
    forget(loop.body);
  }
  for (size_t k = 0; k < carried.size(); ++k) {
    values_.erase(loop.carried[k].param);
    bind(stm.results[k], std::move(carried[k]));
  }
  return true;
}

// Scalars are the same on all ranks, so these take the same arm.
bool RankProgram::match(const Stm& stm, const core::Match& match) {
  const value::Scalar scrutinee = *get(match.scrutinee).scalar();
  const Body* arm = &match.otherwise;
  for (const core::Case& one : match.cases) {
    if (one.value == scrutinee) arm = &one.body;
  }
  if (!run(*arm)) return false;
  for (size_t k = 0; k < stm.results.size(); ++k) bind(stm.results[k], get(arm->results[k]));
  forget(*arm);
  return true;
}

engine::Prepared* RankProgram::prepared(const std::string& part) {
  std::unique_ptr<engine::Prepared>& known = parts_[part];
  if (known == nullptr) {
    auto made = prepare_(passes::partOf(program_, part), part);
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
  Values arguments;
  for (size_t i = static_cast<size_t>(function->size_params); i < call.args.size(); ++i) {
    arguments.push_back(get(call.args[i]));
  }
  auto results = [&] {
    const Timed timed(rows_.traffic().parts_ms);
    return code->call(arguments, {.cancel = cancel_});
  }();
  if (!results && rows_.isLost()) return lost(results.error().message);
  if (!results) return failed(results.error());
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

// ---- stops

// A rank that stops says so where the others meet next; then all do.
bool RankProgram::meet(uint64_t site) {
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
