#include "interp/interpreter.h"

#include <chrono>

#include "interp/arrays/boundary.h"
#include "interp/prepare/prepare.h"
#include "interp/prepare/prepare_type.h"
#include "lang/base/stack.h"
#include "lang/engine/regroup.h"
#include "lang/types/sizes/given.h"

namespace halo::interp {

namespace {

using types::Program;
using value::Value;

// Where an entry's size parameter is found in its arguments.
struct EntrySize {
  size_t argument;
  std::vector<int> path;
};

class PreparedEntry : public engine::Prepared {
 public:
  PreparedEntry(std::shared_ptr<const Program> program, types::DefId entry, State& state)
      : program_(std::move(program)),
        entry_(entry),
        preparation_(*program_),
        function_(preparation_.prepare(entry, state)) {
    types::TypeId type = definition().type;
    while (const auto* function = std::get_if<types::FunctionType>(&program_->types[type])) {
      parameters_.push_back(function->parameter);
      type = function->result;
    }
    result_ = type;
    for (types::BinderId size : definition().size_parameters) sizes_.push_back(find(size));
    given_ = types::givenFor(*program_, entry_);
  }

  diag::Result<std::vector<Value>> call(const std::vector<Value>& arguments,
                                        const engine::CallContext& context) override {
    if (!preparation_.isRecursive()) return callHere(arguments, context);
    diag::Result<std::vector<Value>> results;
    base::onLargeStack([&] { results = callHere(arguments, context); });
    return results;
  }

  engine::CallTimes lastTimes() const override { return times_; }

 private:
  diag::Result<std::vector<Value>> callHere(const std::vector<Value>& arguments,
                                            const engine::CallContext& context) {
    const auto start = std::chrono::steady_clock::now();
    try {
      State state(context.cancel);
      state.user_span = definition().span;
      auto results = toValues(state, run(state, arguments));
      const std::chrono::duration<double, std::milli> elapsed =
          std::chrono::steady_clock::now() - start;
      times_.run_ms = elapsed.count();
      return results;
    } catch (Failed& failed) {
      return tl::unexpected(std::move(failed.diagnostic));
    }
  }

  const types::Def& definition() const { return program_->defs[entry_]; }

  EntrySize find(types::BinderId size) const {
    for (size_t i = 0; i < parameters_.size(); ++i) {
      if (auto path = findSize(*program_, parameters_[i], size)) return {i, std::move(*path)};
    }
    HALO_UNREACHABLE("a size parameter that no argument shows");
  }

  Datum run(State& state, const std::vector<Value>& arguments) const {
    const size_t own = parameters_.size();
    HALO_CHECK(arguments.size() == own + given_.size(), "arguments were not checked");
    const Slots args(state, own);
    for (size_t i = 0; i < own; ++i) {
      args.get()[i] = fromValue(*program_, parameters_[i], arguments[i]);
    }
    for (size_t i = 0; i < given_.size(); ++i) {
      const types::TypeId type = program_->defs[given_[i]].type;
      state.constants.emplace(given_[i], fromValue(*program_, type, arguments[own + i]));
    }
    std::vector<Datum> env;
    for (const EntrySize& size : sizes_) {
      env.push_back(Datum::ofI64(sizeAt(args.get()[size.argument], size.path)));
    }
    preparation_.runConstants(state);
    auto* closure = new Closure(function_, {definition().span, false});
    Datum function(closure);
    closure->env = std::move(env);
    if (function_->arity() == 0) function = function_->call(state, closure->env.data(), nullptr);
    return apply(state, std::move(function), args.get(), own);
  }

  std::vector<Value> toValues(State& state, const Datum& datum) const {
    std::vector<Value> leaves;
    appendLeaves(state, *program_, result_, datum, leaves);
    size_t next = 0;
    Value whole = engine::regroup(*program_, result_, leaves, &next);
    const auto* record = std::get_if<types::RecordType>(&program_->types[result_]);
    if (record != nullptr && whole.record()->isTuple()) return whole.record()->fields;
    return {std::move(whole)};
  }

  std::shared_ptr<const Program> program_;
  types::DefId entry_;
  Preparation preparation_;
  const Function* function_;
  std::vector<types::TypeId> parameters_;
  types::TypeId result_;
  std::vector<EntrySize> sizes_;
  std::vector<types::DefId> given_;
  engine::CallTimes times_;
};

class Interpreter : public engine::Engine {
 public:
  std::string name() const override { return "interp"; }

  diag::Result<std::unique_ptr<engine::Prepared>> prepare(std::shared_ptr<const Program> program,
                                                          types::DefId entry,
                                                          const engine::Options&) override {
    const base::StageScope stage("interp");
    try {
      State state(nullptr);
      state.user_span = program->defs[entry].span;
      return std::make_unique<PreparedEntry>(std::move(program), entry, state);
    } catch (Failed& failed) {
      return tl::unexpected(std::move(failed.diagnostic));
    }
  }
};

}  // namespace

std::unique_ptr<engine::Engine> makeInterpreter() { return std::make_unique<Interpreter>(); }

}  // namespace halo::interp
