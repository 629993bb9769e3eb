// Loading programs, choosing and preparing engines.
#include "cli/session/session.h"

#include <iostream>
#include <iterator>

#include "cli/distributed/on_ranks.h"
#include "cli/session/imports.h"
#include "cli/session/prelude.h"
#include "cli/session/simple.h"
#include "gpu/engine.h"
#include "interp/interpreter.h"
#include "jit/engine.h"
#include "lang/ad/no_derivative.h"
#include "lang/base/phase.h"
#include "lang/base/threads.h"

namespace halo::session {
namespace {

// Elements for each statement of a loop's step from which on the GPU launches each statement by
// itself. A workgroup computes a sum of 2^17 elements in the time of these launches
// (gpu/plan/loops/step_work.cpp).
constexpr int64_t kShortStep = int64_t{1} << 18;

// Elements that a step's cells go over from which on two GPUs gain more than an all-gather takes,
// about 60 us.
constexpr int64_t kMinGatheredWork = int64_t{1} << 28;

// How the parts of an entry are cut and prepared for an engine. `options`: of the engine.
void setGpu(distributed::Entry& entry, const engine::Options& options, const std::string& device) {
  entry.cutting.cuts_inner_sums = false;
  entry.cutting.sums = options.float_mode == engine::FloatMode::kStrict
                           ? passes::ShardOptions::Order::kOfEngine
                           : passes::ShardOptions::Order::kChunks;
  entry.cutting.short_step = kShortStep;
  entry.cutting.min_gathered_work = kMinGatheredWork;
  entry.cutting.goes_beside = true;
  entry.cutting.routes_arguments = false;
  entry.prepare = [options, device](const core::Program& part, const std::string& name) {
    return gpu::prepareCore(part, name, device, options);
  };
  entry.copies = [device] { return gpu::pageCopies(device); };
}

void setCpu(distributed::Entry& entry, const engine::Options& options) {
  if (options.float_mode == engine::FloatMode::kStrict) {
    entry.cutting.sums = passes::ShardOptions::Order::kSequence;
  }
  entry.copies = engine::hostPageCopies;
  entry.prepare = [options](const core::Program& part, const std::string& name) {
    return jit::prepareCore(part, name, options);
  };
}

}  // namespace

using diag::Code;

diag::Result<Backend> backendFromName(const std::string& name) {
  for (Backend backend : {Backend::kInterp, Backend::kCpu, Backend::kGpu, Backend::kAuto}) {
    if (name == session::name(backend)) return backend;
  }
  std::vector<std::string> notes;
  if (name == "all") {
    notes.emplace_back(
        "help: `halo run --backend=all`, `halo test` and `:backend all` of a session compare the "
        "engines");
  } else if (name == "gpus" || name == "ranks") {
    notes.push_back("help: `halo repl --" + name + "=2` and `halo run --" + name +
                    "=2` use several; a session does so from its start");
  } else if (auto near = diag::didYouMean(name, {"interp", "cpu", "gpu", "auto"})) {
    notes.push_back("help: did you mean `" + *near + "`?");
  }
  return diag::fail(Code::unknown_backend, {},
                    "unknown backend `" + name + "`: it is one of interp, cpu, gpu and auto",
                    std::move(notes));
}

const char* name(Backend backend) {
  switch (backend) {
    case Backend::kInterp:
      return "interp";
    case Backend::kCpu:
      return "cpu";
    case Backend::kGpu:
      return "gpu";
    case Backend::kAuto:
      return "auto";
  }
  HALO_UNREACHABLE("backend");
}

std::shared_ptr<const types::Program> Loaded::program() const {
  return {environment, &types::program(*environment)};
}

Session::Session(SessionOptions options) : options_(std::move(options)) {}

types::EnvironmentRef Session::prelude() {
  const base::Phase phase("prelude");
  if (prelude_ == nullptr) prelude_ = preludeOnDemand(files_);
  return prelude_;
}

void Session::beginWith(source::Files files, types::EnvironmentRef known) {
  files_ = std::move(files);
  prelude_ = std::move(known);
}

Params Session::paramsOf(const std::string& path) const {
  Params params = options_.params;
  if (options_.tuning.empty()) return params;
  if (auto beside = readTuning(path + "." + options_.tuning)) params.merge(*beside);
  return params;
}

std::optional<Loaded> Session::load(const std::string& name, diag::Sink& sink) {
  const bool is_input = name == "-";
  const std::string path = is_input ? "standard input" : name;
  std::optional<std::string> text =
      is_input ? std::string(std::istreambuf_iterator<char>(std::cin), {}) : readText(path);
  if (!text) {
    sink.add(missingFile(path));
    return std::nullopt;
  }
  const types::EnvironmentRef known = prelude();
  const source::FileId file = files_.add(path, std::move(*text));
  const base::Phase phase("check");
  types::EnvironmentRef environment = extendByProgram(
      files_, known, file, sink, {.warns = options_.warns, .params = paramsOf(path)});
  if (environment == nullptr) return std::nullopt;
  if (options_.warns) ad::warnOfSteps(types::program(*environment), sink);
  return Loaded{std::move(environment), file};
}

diag::Result<types::DefId> Session::findEntry(const Loaded& loaded, const std::string& name) const {
  const types::Program& program = types::program(*loaded.environment);
  if (!name.empty()) {
    if (auto entry = program.findEntry(name)) return *entry;
  } else {
    if (auto entry = program.findEntry("main")) return *entry;
    if (program.entries().size() == 1) return program.entries()[0];
  }
  std::vector<std::string> names;
  for (types::DefId entry : program.entries()) names.push_back(program.defs[entry].name);
  std::string message =
      name.empty() ? "the program has no entry `main`" : "the program has no entry `" + name + "`";
  std::vector<std::string> notes;
  if (auto near = diag::didYouMean(name, names)) notes.push_back("did you mean `" + *near + "`?");
  if (names.empty()) notes.push_back("mark a definition with `entry`, or name it `main`");
  for (const std::string& other : names) notes.push_back("there is `" + other + "`");
  if (name.empty() && !names.empty()) {
    notes.push_back("help: `--entry=" + names[0] + "` names the one to run");
  }
  return diag::fail(Code::unknown_entry, {}, message, std::move(notes));
}

void Session::lookForDevices() { has_hardware_ = base::startAsync(gpu::hasHardwareDevice).share(); }

bool Session::hasHardwareDevice() {
  if (!has_hardware_.valid()) lookForDevices();
  return has_hardware_.get();
}

Backend Session::resolve(Backend backend, const types::Program& program, types::DefId entry) {
  if (backend != Backend::kAuto) return backend;
  if (isSimple(program, entry)) return Backend::kInterp;
  if (hasHardwareDevice()) return Backend::kGpu;
  if (options_.engine.verbose && options_.engine.log) {
    options_.engine.log("no hardware Vulkan device: running on cpu");
  }
  return Backend::kCpu;
}

diag::Result<engine::Engine*> Session::engine(Backend backend) {
  auto found = engines_.find(backend);
  if (found != engines_.end()) return found->second.get();
  std::unique_ptr<engine::Engine> made;
  switch (backend) {
    case Backend::kInterp:
      made = interp::makeInterpreter();
      break;
    case Backend::kCpu:
      made = jit::makeCpuEngine();
      break;
    case Backend::kGpu: {
      if (has_hardware_.valid()) has_hardware_.wait();  // one thread at a time
      auto gpu = gpu::makeGpuEngine(options_.device);
      if (!gpu) return diag::Failure(gpu.error());
      made = std::move(*gpu);
      break;
    }
    case Backend::kAuto:
      HALO_UNREACHABLE("auto is resolved first");
  }
  return engines_.emplace(backend, std::move(made)).first->second.get();
}

diag::Result<std::monostate> Session::useDevice(const std::string& name) {
  auto gpu = gpu::makeGpuEngine(name);
  if (!gpu) return diag::Failure(gpu.error());
  std::erase_if(prepared_, [](const auto& entry) { return entry.first.backend == Backend::kGpu; });
  engines_[Backend::kGpu] = std::move(*gpu);
  options_.device = name;
  return std::monostate{};
}

diag::Result<engine::Prepared*> Session::prepare(Backend backend, const Loaded& loaded,
                                                 types::DefId entry) {
  Key key{backend, &types::program(*loaded.environment), entry};
  auto found = prepared_.find(key);
  if (found != prepared_.end()) return found->second.get();
  auto chosen = engine(backend);
  if (!chosen) return diag::Failure(chosen.error());
  const base::Phase phase("prepare");
  auto prepared = (*chosen)->prepare(loaded.program(), entry, options_.engine);
  if (!prepared) return diag::Failure(prepared.error());
  const bool has_checkpoints = options_.checkpoints.isAsked();
  if (options_.ranks != nullptr || !options_.team.empty() || has_checkpoints) {
    prepared = onRanks(backend, loaded, entry, std::move(*prepared));
    if (!prepared) return diag::Failure(prepared.error());
  }
  return prepared_.emplace(key, std::move(*prepared)).first->second.get();
}

// The interpreter runs whole on every rank, and cannot stop between two steps of a loop.
diag::Result<std::unique_ptr<engine::Prepared>> Session::onRanks(
    Backend backend, const Loaded& loaded, types::DefId entry,
    std::unique_ptr<engine::Prepared> whole) {
  if (backend == Backend::kInterp && options_.checkpoints.isAsked()) {
    return diag::fail(diag::Code::engine_unsupported, {},
                      "the interpreter writes no checkpoints, and continues none",
                      {"help: --backend=cpu and --backend=gpu do"});
  }
  if (backend == Backend::kInterp) return whole;
  distributed::Entry of{
      loaded.program(),       entry,           options_.engine, {}, {}, {}, options_.checkpoints,
      session::name(backend), std::move(whole)};
  of.results = options_.results;
  engine::Options options = options_.engine;
  options.explain = nullptr;
  if (backend == Backend::kGpu) {
    setGpu(of, options, options_.device);
  } else {
    setCpu(of, options);
  }
  if (options_.team.empty()) {
    return distributed::prepareOnRanks(std::move(of), options_.ranks);
  }
  return distributed::prepareOnThreads(std::move(of), options_.team);
}

}  // namespace halo::session
