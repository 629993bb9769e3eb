// Programs beyond the device run on the CPU engine; devices that are lost are opened again.
#include "gpu/engine.h"

#include <algorithm>
#include <unordered_map>

#include "gpu/device_table.h"
#include "gpu/program.h"
#include "gpu/selftest.h"
#include "gpu/tuned.h"
#include "jit/engine.h"
#include "lang/ad/differentiate.h"
#include "lang/base/cache_folder.h"
#include "lang/base/match.h"
#include "lang/core/text.h"
#include "lang/core/visit.h"
#include "lang/engine/regroup.h"
#include "lang/imp/text.h"

namespace halo::gpu {
namespace {

using diag::Code;
using value::Value;
using MakeCpu = std::function<diag::Result<std::unique_ptr<engine::Prepared>>()>;

std::string entryOf(const core::Program& program) {
  for (const core::Function& function : program.functions) {
    if (function.is_entry) return function.name;
  }
  return "main";
}

// An entry on the GPU, or on the CPU if need be. With a checked program behind it, values are
// typed.
class GpuPrepared : public engine::Prepared {
 public:
  GpuPrepared(std::unique_ptr<GpuProgram> program, TunedChoices tuned, std::string device,
              engine::Options options, MakeCpu make_cpu,
              std::shared_ptr<const types::Program> types, types::DefId entry)
      : program_(std::move(program)),
        tuned_(std::move(tuned)),
        device_(std::move(device)),
        options_(std::move(options)),
        make_cpu_(std::move(make_cpu)),
        types_(std::move(types)),
        entry_(entry) {}

  diag::Result<std::vector<Value>> call(const std::vector<Value>& arguments,
                                        const engine::CallContext& context) override {
    if (program_ != nullptr) {
      if (types_ == nullptr) {
        if (auto problem = program_->check(arguments)) return diag::Failure(std::move(*problem));
      }
      auto leaves = callDevice(engine::flattenArguments(arguments), context);
      if (!leaves) return diag::Failure(leaves.error());
      if (*leaves) {
        return types_ == nullptr ? **leaves : engine::regroupResults(*types_, entry_, **leaves);
      }
    }
    if (cpu_ == nullptr) {
      auto made = make_cpu_();
      if (!made) return diag::Failure(made.error());
      cpu_ = std::move(*made);
    }
    return cpu_->call(arguments, context);
  }

  diag::Result<std::vector<Value>> placed(const std::vector<Value>& arguments) override {
    std::vector<Value> result;
    for (const Value& argument : arguments) {
      if (program_ == nullptr || program_->isLost()) return arguments;
      auto moved = value::withArrays(
          argument, [this](const value::Array& array) { return program_->place(array); });
      if (!moved) return diag::Failure(moved.error());
      result.push_back(std::move(*moved));
    }
    return result;
  }

  engine::CallTimes lastTimes() const override {
    if (program_ != nullptr) return program_->times();
    return cpu_ == nullptr ? engine::CallTimes{} : cpu_->lastTimes();
  }

 private:
  using Called = diag::Result<std::optional<std::vector<Value>>>;

  // A device that is lost is opened again, and the call repeated once, unless its arguments are
  // gone as well.
  Called callDevice(const std::vector<Value>& leaves, const engine::CallContext& context) {
    std::string why;
    if (program_->isLost()) {
      if (auto failed = reopen()) return diag::Failure(*failed);
      if (program_ == nullptr) return std::nullopt;
    }
    Called called = callUnrefused(leaves, context, &why);
    if (program_ == nullptr) return std::nullopt;
    bool was_cancelled = context.cancel != nullptr && context.cancel->isSet();
    bool repeats = program_->isLost() && !called && !was_cancelled &&
                   std::none_of(leaves.begin(), leaves.end(),
                                [&](const Value& leaf) { return program_->owns(leaf); });
    if (repeats && !reopen() && program_ != nullptr) called = program_->call(leaves, context, &why);
    if (called && !*called && (options_.verbose || options_.explain) && options_.log) {
      options_.log("this call runs on the cpu engine: " + why);
    }
    return called;
  }

  // Any compiler may fail on any kernel. Then the program without tuned schedules runs, else one
  // of the simplest kernels, else the CPU from now on (no program).
  Called callUnrefused(const std::vector<Value>& leaves, const engine::CallContext& context,
                       std::string* why) {
    Called called = programFor(leaves).call(leaves, context, why);
    if (isRefused(called) && uses_tuned_ && !tuned_.empty()) {
      sayRefused(called, "kernels as the rules make them run instead");
      uses_tuned_ = false;
      called = program_->call(leaves, context, why);
    }
    if (isRefused(called) && !is_plain_) {
      sayRefused(called, "the simplest kernels run instead");
      is_plain_ = true;
      auto made = program_->plain(why);
      if (made) program_ = std::move(*made);
      if (made && program_ != nullptr) called = program_->call(leaves, context, why);
    }
    if (program_ != nullptr && isRefused(called)) {
      sayRefused(called, "this program runs on the cpu engine");
      program_ = nullptr;
    }
    return called;
  }
  static bool isRefused(const Called& called) {
    return !refusalsFail() && !called && called.error().code == Code::compile_failure;
  }
  void sayRefused(const Called& called, const std::string& instead) const {
    const std::string line = called.error().message + ": " + instead;
    if (options_.explain) options_.explain(line);
    if (options_.verbose && options_.log) options_.log(line);
  }

  // The program tuned for arguments of such sizes, or else the one that the rules make.
  GpuProgram& programFor(const std::vector<Value>& leaves) {
    if (tuned_.empty() || !uses_tuned_) return *program_;
    const std::string size_class = sizeClass(leaves);
    auto [found, is_new] = of_sizes_.try_emplace(size_class);
    if (is_new) found->second = tunedFor(size_class);
    return found->second != nullptr ? *found->second : *program_;
  }

  // Null if nothing was tuned for such sizes.
  std::unique_ptr<GpuProgram> tunedFor(const std::string& size_class) const {
    std::vector<std::string> offered;
    for (const auto& [key, names] : program_->offered()) offered.push_back(key);
    const Choices choices = tuned_.find(size_class, offered);
    if (choices.empty()) return nullptr;
    std::string why;
    auto made = program_->with(choices, &why);
    return made ? std::move(*made) : nullptr;
  }

  // Why there is no device any more; nothing if there is one.
  std::optional<diag::Diagnostic> reopen() {
    auto context = contextFor(device_, options_.use_disk_cache);
    if (!context) return context.error();
    std::string why;
    auto made = program_->on(**context, &why);
    if (!made) return made.error();
    of_sizes_.clear();
    program_ = std::move(*made);
    return std::nullopt;
  }

  std::unique_ptr<GpuProgram> program_;
  bool is_plain_ = false;  // of the simplest kernels
  TunedChoices tuned_;
  bool uses_tuned_ = true;
  std::map<std::string, std::unique_ptr<GpuProgram>> of_sizes_;  // by class, as tuned
  std::string device_;
  engine::Options options_;
  MakeCpu make_cpu_;
  std::shared_ptr<const types::Program> types_;
  types::DefId entry_;
  std::unique_ptr<engine::Prepared> cpu_;
};

diag::Result<std::unique_ptr<engine::Prepared>> prepare(
    const core::Program& lowered, const std::string& entry, const std::string& device,
    const engine::Options& options, MakeCpu make_cpu, std::shared_ptr<const types::Program> types,
    types::DefId def) {
  auto physical = physicalFor(device);
  if (!physical) return diag::Failure(physical.error());
  GpuProgram::Open open = [&] { return contextFor(device, options.use_disk_cache); };
  std::string why;
  const bool uses_tuned = options.use_disk_cache && options.variant.empty();
  TunedChoices tuned(uses_tuned ? base::cacheFolder("tuned") : "", *physical);
  if (!tuned.problem().empty() && options.log && (options.verbose || options.explain)) {
    options.log(tuned.problem());
  }
  auto program = GpuProgram::make(lowered, entry, physical->features, open, options, &why,
                                  {{}, !tuned.empty()});
  if (!program) return diag::Failure(program.error());
  if (*program == nullptr && (options.verbose || options.explain) && options.log) {
    options.log("`" + entry + "` runs on the cpu engine: " + why);
  }
  return std::make_unique<GpuPrepared>(std::move(*program), std::move(tuned), device, options,
                                       std::move(make_cpu), std::move(types), def);
}

class GpuEngine : public engine::Engine {
 public:
  explicit GpuEngine(std::string device) : device_(std::move(device)) {}

  std::string name() const override { return "gpu"; }

  diag::Result<std::unique_ptr<engine::Prepared>> prepare(
      std::shared_ptr<const types::Program> program, types::DefId entry,
      const engine::Options& options) override {
    auto lowered = ad::lower(*program, entry, options.explain);
    if (!lowered) return diag::Failure(lowered.error());
    MakeCpu make_cpu = [program, entry, options] {
      return jit::makeCpuEngine()->prepare(program, entry, options);
    };
    const std::string name = entryOf(*lowered);  // as Core spells it
    jit::PrepareCore prepare_core = [=, device = device_](const core::Program& core) {
      return gpu::prepare(core, name, device, options, make_cpu, program, entry);
    };
    auto general = prepare_core(*lowered);
    if (!general) return general;
    return jit::specialisedByValues(*lowered, name, std::move(*general), std::move(prepare_core),
                                    options);
  }

 private:
  std::string device_;
};

std::string featureLine(const vulkan::Features& features, const vulkan::FeatureRow& row) {
  std::string value = base::match(
      row.field,
      [&](bool vulkan::Features::*field) -> std::string { return features.*field ? "yes" : "no"; },
      [&](uint32_t vulkan::Features::*field) { return std::to_string(features.*field); },
      [&](uint64_t vulkan::Features::*field) { return std::to_string(features.*field); });
  return std::string(row.text) + ": " + value;
}

void appendSelfTest(const vulkan::PhysicalDevice& device, std::vector<std::string>& lines) {
  auto context = contextFor(device.name, true);
  if (!context) {
    lines.push_back("tried: " + context.error().message);
    return;
  }
  auto rows = selfTest(**context);
  if (!rows) {
    lines.push_back("tried: " + rows.error().message);
    return;
  }
  for (const SelfTestRow& row : *rows) {
    lines.push_back("tried: " + row.question + ": " + (row.holds ? "yes" : "no"));
  }
}

}  // namespace

std::vector<DeviceInfo> devices() {
  std::vector<DeviceInfo> all;
  for (const vulkan::PhysicalDevice& device : vulkan::physicalDevices()) {
    const vulkan::Features& f = device.features;
    DeviceInfo info{device.name, device.type, device.driver, device.usable, device.why_not, {}};
    for (const vulkan::FeatureRow& row : vulkan::featureRows()) {
      info.details.push_back(featureLine(f, row));
    }
    for (const std::string& name : device.matrices.extensions) {
      info.details.push_back("extension: " + name);
    }
    for (const vulkan::MatrixShape& shape : device.matrices.shapes) {
      info.details.push_back("cooperative matrix: " + vulkan::nameOf(shape));
    }
    info.details.push_back(std::string("timestamps: ") + (f.timestamp_ns > 0 ? "yes" : "no"));
    if (device.usable) appendSelfTest(device, info.details);
    all.push_back(std::move(info));
  }
  return all;
}

std::string loaderVersion() { return vulkan::loaderVersion(); }

std::string deviceName(const std::string& device) {
  auto physical = physicalFor(device);
  return physical ? physical->name + ", " + physical->driver : "";
}

diag::Result<std::monostate> limitDevices(const std::string& path) {
  return vulkan::setDeviceLimits(path);
}

void timeCalls() { GpuProgram::timeCalls(); }

int hardwareDevices() {
  int count = 0;
  for (const vulkan::PhysicalDevice& device : vulkan::physicalDevices()) {
    if (device.usable && device.features.is_hardware) ++count;
  }
  return count;
}

bool hasHardwareDevice() { return hardwareDevices() > 0; }

std::future<void> openEarly(const std::string& device) { return startOpening(device); }

diag::Result<std::unique_ptr<engine::Engine>> makeGpuEngine(const std::string& device) {
  if (!wasOpenedEarly(device)) {
    auto context = contextFor(device, true);
    if (!context) return diag::Failure(context.error());
  }
  return std::make_unique<GpuEngine>(device);
}

namespace {

// Parts of several ranks whose sums have the order of this engine's kernels (lang/passes/ranks).
bool hasOrderOfKernels(const core::Program& program) {
  bool found = false;
  for (const core::Function& function : program.functions) {
    found = found || !function.shares.empty();
    core::visitStms(function.body, [&](const core::Stm& stm) {
      const auto* node = std::get_if<core::Screma>(&stm.expr);
      found = found ||
              (node != nullptr && (node->partial_values || node->joins != core::Joins::kNothing));
    });
  }
  return found;
}

}  // namespace

// Without such an order another engine may run the part. With it the entry runs whole.
diag::Result<std::unique_ptr<engine::Prepared>> prepareCore(const core::Program& program,
                                                            const std::string& entry,
                                                            const std::string& device,
                                                            const engine::Options& options) {
  MakeCpu make_cpu = [program, entry,
                      options]() -> diag::Result<std::unique_ptr<engine::Prepared>> {
    if (!hasOrderOfKernels(program)) return jit::prepareCore(program, entry, options);
    return diag::fail(Code::engine_unsupported, {}, "sums of this part have the order of the gpu");
  };
  return prepare(program, entry, device, options, std::move(make_cpu), nullptr, {});
}

diag::Result<std::string> dump(const core::Program& lowered, Stage stage, const std::string& device,
                               const engine::Options& options) {
  vulkan::Features features = vulkan::referenceFeatures();
  if (!device.empty()) {
    auto physical = physicalFor(device);
    if (!physical) return diag::Failure(physical.error());
    features = physical->features;
  }
  engine::Options verified = options;
  verified.verify = true;
  const std::string entry = entryOf(lowered);
  const Tuning untuned;
  const Stages stages = makeStages({lowered, entry, features, verified, untuned},
                                   variantsOf(features, options), stage);
  if (!stages.unsupported.empty()) {
    return diag::fail(Code::engine_unsupported, {}, "this runs on the cpu: " + stages.unsupported);
  }
  if (stage == Stage::kKernels) return print(stages.kernels);
  if (stage == Stage::kImp) return imp::print(stages.host.program);
  std::string text;
  std::unordered_map<std::string, std::string> printed;  // names, by text
  for (const Kernel& kernel : stages.code) {
    for (const KernelVariant* variant : {&kernel.narrow, &kernel.wide}) {
      if (variant->glsl.empty()) continue;
      const std::string& name = variant->function.name;
      auto [same, is_new] = printed.try_emplace(variant->glsl, name);
      text += "// ---- " + name + (is_new ? "" : ": as " + same->second) + "\n";
      if (!is_new) continue;
      if (stage == Stage::kGlsl) {
        text += variant->glsl;
        continue;
      }
      auto assembly = vulkan::disassemble(variant->glsl, variant->function.name);
      if (!assembly) return diag::Failure(assembly.error());
      text += *assembly;
    }
  }
  return text;
}

}  // namespace halo::gpu
