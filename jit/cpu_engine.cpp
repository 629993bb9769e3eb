// The cpu engine: checked program -> Core -> passes -> Imp -> code; calls, and replay of failures.
#include <fmt/format.h>

#include "jit/call_profile.h"
#include "jit/cpu_pipeline.h"
#include "jit/engine.h"
#include "jit/host_program.h"
#include "jit/leaves.h"
#include "jit/pass_timer.h"
#include "jit/runtime/background.h"
#include "lang/ad/differentiate.h"
#include "lang/base/check.h"
#include "lang/core/visit.h"
#include "lang/engine/failure.h"
#include "lang/engine/regroup.h"
#include "lang/imp/text.h"

namespace halo::jit {
namespace {

using passes::Pipeline;
using value::Value;
// Where a function calls itself.
source::Span recursionOf(const core::Program& program, const std::string& name) {
  source::Span span;
  const core::Function* function = program.find(name);
  if (function == nullptr) return span;
  core::visitStms(function->body, [&](const core::Stm& stm) {
    const auto* call = std::get_if<core::Call>(&stm.expr);
    if (call != nullptr && call->function == name) span = stm.span;
  });
  return span;
}

source::Span entryOf(const core::Program& program) {
  for (const core::Function& function : program.functions) {
    if (function.is_entry) return function.span;
  }
  return {};
}

// `lowered`: the program's Core, where that is known.
diag::Diagnostic describe(const RunFailure& failure, const imp::Program& program,
                          const core::Program* lowered) {
  source::Span span;
  if (failure.site >= 0) span = program.sites[static_cast<size_t>(failure.site)].span;
  if (failure.code == diag::Code::stack_exhausted) {
    const auto function = static_cast<size_t>(failure.operands.at(0));
    if (lowered != nullptr) span = recursionOf(*lowered, program.functions[function].name);
    return engine::describeFailure(failure.code, {}, span);
  }
  if (failure.code == diag::Code::out_of_memory) span = program.placeOf(failure.buffer);
  // Compiled code does not say how far it came.
  if (failure.code == diag::Code::interrupted && lowered != nullptr) span = entryOf(*lowered);
  return engine::describeFailure(failure.code, failure.operands, span);
}

class CpuPrepared final : public engine::Prepared {
 public:
  CpuPrepared(imp::Program program, std::unique_ptr<HostProgram> code, std::string entry,
              std::unique_ptr<CallProfile> profile)
      : program_(std::move(program)),
        profile_(std::move(profile)),
        code_(std::move(code)),
        entry_(std::move(entry)) {}

  // With this a failure is replayed.
  void keepCore(core::Program lowered) {
    lowered_ = std::make_unique<core::Program>(std::move(lowered));
  }
  // With this values are grouped as the entry's types say.
  void keepTypes(std::shared_ptr<const types::Program> program, types::DefId entry) {
    types_ = std::move(program);
    def_ = entry;
  }
  void setCompileTime(double milliseconds) { times_.compile_ms = milliseconds; }

  diag::Result<std::vector<Value>> call(const std::vector<Value>& arguments,
                                        const engine::CallContext& context) override {
    std::vector<Value> flat = types_ ? engine::flattenArguments(arguments) : arguments;
    if (types_ == nullptr) {
      if (auto problem = checkLeaves(program_, *program_.find(entry_), flat)) {
        return diag::Failure(std::move(*problem));
      }
    }
    auto leaves = toLeaves(flat);
    if (!leaves) return tl::unexpected(leaves.error());
    auto start = Clock::now();
    RunResult result = code_->run(*leaves, nullptr, context.cancel);
    times_.run_ms = millisecondsSince(start);
    profile_->called(start, Clock::now());
    if (!result) return diag::Failure(explain(result.error(), flat, context));
    auto values = fromLeaves(*result);
    if (!values || types_ == nullptr) return values;
    return engine::regroupResults(*types_, def_, *values);
  }

  engine::CallTimes lastTimes() const override { return times_; }

 private:
  diag::Diagnostic explain(const RunFailure& failure, const std::vector<Value>& leaves,
                           const engine::CallContext& context) const {
    bool has_place = failure.site >= 0 || failure.code == diag::Code::size_overflow;
    if (has_place && lowered_ != nullptr) {
      if (auto first = replay(*lowered_, entry_, leaves, context.cancel)) return *first;
    }
    return describe(failure, program_, lowered_.get());
  }

  imp::Program program_;
  std::unique_ptr<CallProfile> profile_;  // outlives the code
  std::unique_ptr<HostProgram> code_;
  std::string entry_;
  std::unique_ptr<core::Program> lowered_;
  std::shared_ptr<const types::Program> types_;
  types::DefId def_;
  engine::CallTimes times_;
};

diag::Result<std::unique_ptr<CpuPrepared>> prepare(imp::Program program, const std::string& entry,
                                                   const engine::Options& options,
                                                   std::unique_ptr<CallProfile> profile) {
  CompileOptions compile_options;
  compile_options.use_disk_cache = options.use_disk_cache;
  compile_options.threads = options.threads;
  compile_options.tier = options.tier;
  compile_options.times = profile->times();
  PassTimer timer(options, "llvm");
  base::StageScope stage("llvm");
  auto start = Clock::now();
  auto code = compile(program, entry, compile_options);
  if (!code) return tl::unexpected(code.error());
  profile->keepNames(program, entry);
  profile->compiled(start, Clock::now());
  auto prepared = std::make_unique<CpuPrepared>(std::move(program), std::move(*code), entry,
                                                std::move(profile));
  prepared->setCompileTime(millisecondsSince(start));
  return prepared;
}

diag::Result<std::unique_ptr<CpuPrepared>> prepareLowered(const core::Program& lowered,
                                                          const std::string& entry,
                                                          const engine::Options& options) {
  auto profile = std::make_unique<CallProfile>(options.profile);
  imp::Program program = impOf(lowered, Pipeline::kCpu, options, profile->spans());
  auto prepared = prepare(std::move(program), entry, options, std::move(profile));
  if (prepared) (*prepared)->keepCore(lowered);
  return prepared;
}

class CpuEngine final : public engine::Engine {
 public:
  std::string name() const override { return "cpu"; }

  diag::Result<std::unique_ptr<engine::Prepared>> prepare(
      std::shared_ptr<const types::Program> program, types::DefId entry,
      const engine::Options& options) override {
    auto lowered = lowerEntry(*program, entry, options);
    if (!lowered) return tl::unexpected(lowered.error());
    std::string name;
    for (const core::Function& function : lowered->functions) {
      if (function.is_entry) name = function.name;
    }
    PrepareCore prepare_core =
        [=](const core::Program& core) -> diag::Result<std::unique_ptr<engine::Prepared>> {
      auto prepared = prepareLowered(core, name, options);
      if (!prepared) return tl::unexpected(prepared.error());
      (*prepared)->keepTypes(program, entry);
      return std::move(*prepared);
    };
    auto general = prepare_core(*lowered);
    if (!general) return general;
    return specialisedByValues(*lowered, name, std::move(*general), std::move(prepare_core),
                               options);
  }

 private:
  static diag::Result<core::Program> lowerEntry(const types::Program& program, types::DefId entry,
                                                const engine::Options& options) {
    PassTimer timer(options, "lower");
    base::StageScope stage("lower");
    return ad::lower(program, entry, options.explain);
  }
};

}  // namespace

bool isCompiling() { return Background::get().isBusy(); }

std::unique_ptr<engine::Engine> makeCpuEngine() { return std::make_unique<CpuEngine>(); }

diag::Result<std::unique_ptr<engine::Prepared>> prepareCore(const core::Program& program,
                                                            const std::string& entry,
                                                            const engine::Options& options) {
  auto prepared = prepareLowered(program, entry, options);
  if (!prepared) return tl::unexpected(prepared.error());
  return std::move(*prepared);
}

diag::Result<std::unique_ptr<engine::Prepared>> prepareImp(const imp::Program& program,
                                                           const std::string& entry,
                                                           const engine::Options& options) {
  auto prepared = prepare(program, entry, options, std::make_unique<CallProfile>(options.profile));
  if (!prepared) return tl::unexpected(prepared.error());
  return std::move(*prepared);
}

std::optional<diag::Diagnostic> replay(const core::Program& lowered, const std::string& entry,
                                       const std::vector<Value>& leaf_arguments,
                                       const base::CancelFlag* cancel) {
  imp::Program program = impOf(lowered, Pipeline::kPlain, {});
  auto code = compile(program, entry, {});
  if (!code) return code.error();
  auto leaves = toLeaves(leaf_arguments);
  if (!leaves) return leaves.error();
  RunResult result = (*code)->run(*leaves, nullptr, cancel);
  if (result) return std::nullopt;
  return describe(result.error(), program, &lowered);
}

}  // namespace halo::jit
