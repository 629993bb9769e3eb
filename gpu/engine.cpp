// Preparing: Core, plan, host program, kernels. Calling: upload, run, results stay on the device.
// Failures are replayed on the CPU; what the device cannot do runs there altogether.
#include "gpu/engine.h"

#include <algorithm>
#include <chrono>

#include "gpu/context.h"
#include "gpu/device_table.h"
#include "gpu/kernels.h"
#include "gpu/plan/plan.h"
#include "gpu/raise/walk.h"
#include "gpu/templates/host.h"
#include "jit/engine.h"
#include "jit/host_program.h"
#include "lang/core/text.h"
#include "lang/engine/failure.h"
#include "lang/engine/regroup.h"
#include "lang/imp/text.h"
#include "lang/lower/lower.h"
#include "lang/passes/pipeline.h"

namespace halo::gpu {
namespace {

using diag::Code;
using value::Value;
using Clock = std::chrono::steady_clock;

double since(Clock::time_point begin) {
  return std::chrono::duration<double, std::milli>(Clock::now() - begin).count();
}

passes::RunOptions runOptions(const engine::Options& options) {
  passes::RunOptions run{.verify = options.verify, .after = {}};
  if (options.time_pass) {
    run.after = [time = options.time_pass](const passes::PassRow& row, double ms,
                                           const core::Program&) { time(row.name, ms); };
  }
  return run;
}

core::Program planned(const core::Program& lowered, const passes::RunOptions& run,
                      const Variants& variants) {
  // Planning comes last: a pass that took a kernel's statement apart would leave its template with
  // something else than what was planned.
  core::Program program = passes::run(passes::rows(passes::Pipeline::kGpu), lowered, run);
  return plan(passes::run(passes::afterPlan(), std::move(program), run), variants);
}

Variants variantsOf(const vulkan::Features& features, const engine::Options& options) {
  Variants variants;
  variants.subgroup = features.shuffles ? static_cast<int>(features.subgroup_size) : 0;
  variants.shared_bytes = std::min<int64_t>(features.shared_bytes, variants.shared_bytes);
  variants.forced = options.variant;
  variants.explain = options.explain;
  return variants;
}

// How many operands each failure site reports.
std::vector<size_t> operandCounts(const imp::Program& program) {
  std::vector<size_t> counts(program.sites.size(), 0);
  for (const imp::Function& function : program.functions) {
    forEachStm(function.body, [&](const imp::Stm& stm) {
      if (auto* fail = std::get_if<imp::Fail>(&stm.node)) {
        counts[static_cast<size_t>(fail->site)] = fail->operands.size();
      }
    });
  }
  return counts;
}

// A leaf program on the device: arguments and results are scalars and arrays of scalars.
class GpuProgram {
 public:
  // Nothing with a reason in `why`: this program runs on the CPU.
  static diag::Result<std::unique_ptr<GpuProgram>> make(const core::Program& lowered,
                                                        const std::string& entry, Context& context,
                                                        const engine::Options& options,
                                                        std::string* why) {
    auto begin = Clock::now();
    const Variants variants = variantsOf(context.device->features(), options);
    core::Program kernels = planned(lowered, runOptions(options), variants);
    HostResult host = lowerHost(kernels, entry, variants);
    if (!host.unsupported.empty()) {
      *why = host.unsupported;
      return nullptr;
    }
    std::unique_ptr<GpuProgram> made(new GpuProgram(lowered, entry, context));
    const vulkan::Features& features = context.device->features();
    made->kernels_ = makeKernels(host.program, targetOf(features), glslOptionsOf(features));
    *why = missingFeature(host.program, made->kernels_, features);
    if (!why->empty()) {
      *why = "the device lacks " + *why;
      return nullptr;
    }
    auto compiled = jit::compile(host.program, entry,
                                 {.optimise = false, .use_disk_cache = false, .threads = 1});
    if (!compiled) return diag::Failure(compiled.error());
    made->host_ = std::move(*compiled);
    made->sites_ = host.program.sites;
    made->operand_counts_ = operandCounts(host.program);
    made->times_.compile_ms = since(begin);
    return made;
  }

  // Nothing: the device gave up on a loop (checkTrips), the CPU must run it.
  diag::Result<std::optional<std::vector<Value>>> call(const std::vector<Value>& leaves,
                                                       const base::CancelFlag* cancel) {
    std::lock_guard lock(context_.in_use);
    vulkan::Stream& stream = *context_.stream;
    auto begin = Clock::now();
    CallDevice device(context_, kernels_);
    std::vector<jit::Leaf> arguments;
    for (const Value& leaf : leaves) {
      auto argument = upload(leaf, device);
      if (!argument) return diag::Failure(argument.error());
      arguments.push_back(std::move(*argument));
    }
    stream.begin(cancel);
    times_.transfer_ms = since(begin);
    begin = Clock::now();
    jit::DeviceTable table = device.table();
    jit::RunResult ran = host_->run(arguments, &table, cancel);
    if (device.error()) return diag::Failure(*device.error());
    auto finished = stream.finish();
    if (!finished) return diag::Failure(finished.error());
    times_.run_ms = since(begin);
    times_.device_ms = stream.deviceMilliseconds();
    bool kernel_failed = stream.failure()[0] != 0;
    if (kernel_failed || !ran) return failure(leaves, ran, kernel_failed, cancel);
    std::vector<Value> results;
    for (const jit::Leaf& leaf : *ran) results.push_back(result(leaf, device));
    return results;
  }

  const engine::CallTimes& times() const { return times_; }

  // What the driver compiled for this program is there for the next process.
  ~GpuProgram() { context_.pipelines->save(); }
  GpuProgram(const GpuProgram&) = delete;
  GpuProgram& operator=(const GpuProgram&) = delete;

 private:
  GpuProgram(const core::Program& lowered, std::string entry, Context& context)
      : lowered_(lowered), entry_(std::move(entry)), context_(context) {}

  diag::Result<jit::Leaf> upload(const Value& value, CallDevice& device) {
    jit::Leaf leaf;
    if (const value::Scalar* scalar = value.scalar()) {
      leaf.scalar = *scalar;
      leaf.type = scalar->type;
      return leaf;
    }
    const value::Array& array = *value.array();
    leaf.is_array = true;
    leaf.type = array.type();
    leaf.shape = array.shape();
    auto bytes_per = static_cast<uint64_t>(prim::byteSize(array.type()));
    if (array.buffer != nullptr && &array.buffer->memory() == context_.memory.get() &&
        array.isDense()) {
      device.borrow(array.buffer);
      leaf.data =
          array.buffer->deviceAddress() + static_cast<uint64_t>(array.layout.offset) * bytes_per;
      return aligned(leaf, static_cast<uint64_t>(array.elements()) * bytes_per, device);
    }
    auto dense = value::toDense(array);
    if (!dense) return diag::Failure(dense.error());
    uint64_t bytes = static_cast<uint64_t>(dense->elements()) * bytes_per;
    auto buffer = context_.memory->allocate(bytes);
    if (!buffer) return diag::Failure(buffer.error());
    if (bytes > 0) {
      auto written = context_.stream->write((*buffer)->deviceAddress(), dense->data(), bytes);
      if (!written) return diag::Failure(written.error());
    }
    leaf.data = (*buffer)->deviceAddress();
    device.borrow(std::move(*buffer));
    return leaf;
  }

  // Kernels load vectors: arguments begin at multiples of 16 bytes.
  diag::Result<jit::Leaf> aligned(jit::Leaf leaf, uint64_t bytes, CallDevice& device) {
    if (leaf.data % 16 == 0 || bytes == 0) return leaf;
    auto buffer = context_.memory->allocate(bytes);
    if (!buffer) return diag::Failure(buffer.error());
    auto copied = context_.stream->copy((*buffer)->deviceAddress(), leaf.data, bytes);
    if (!copied) return diag::Failure(copied.error());
    leaf.data = (*buffer)->deviceAddress();
    device.borrow(std::move(*buffer));
    return leaf;
  }

  static Value result(const jit::Leaf& leaf, const CallDevice& device) {
    if (!leaf.is_array) return leaf.scalar;
    value::Array array;
    array.layout.type = leaf.type;
    array.layout.shape = leaf.shape;
    array.layout.strides = value::denseStrides(leaf.shape);
    array.buffer = device.find(leaf.data);
    HALO_CHECK(array.buffer != nullptr, "a result in unknown memory");
    array.layout.offset =
        static_cast<int64_t>(leaf.data - array.buffer->deviceAddress()) / prim::byteSize(leaf.type);
    return array;
  }

  // What the interpreter would report: found by replay, else what the engine saw.
  diag::Result<std::optional<std::vector<Value>>> failure(const std::vector<Value>& leaves,
                                                          const jit::RunResult& ran,
                                                          bool kernel_failed,
                                                          const base::CancelFlag* cancel) {
    int site = -1;
    std::vector<int64_t> operands;
    Code code = Code::device_failure;
    if (kernel_failed) {
      const vulkan::FailureRecord& record = context_.stream->failure();
      site = static_cast<int>(record[0]) - 1;
      size_t count = std::min(operandCount(site), record.size() - 1);
      operands.assign(record.begin() + 1, record.begin() + 1 + static_cast<ptrdiff_t>(count));
    } else {
      site = ran.error().site;
      operands = ran.error().operands;
      code = ran.error().code;
    }
    if (site >= 0 && static_cast<size_t>(site) < sites_.size()) code = sites_[site].code;
    if (code == Code::engine_unsupported) return std::nullopt;
    if (code == Code::interrupted) return diag::Failure(engine::describeFailure(code, {}, {}));
    if (auto found = jit::replay(lowered_, entry_, leaves, cancel)) return diag::Failure(*found);
    source::Span span = site >= 0 ? sites_[static_cast<size_t>(site)].span : source::Span{};
    return diag::Failure(engine::describeFailure(code, operands, span));
  }

  size_t operandCount(int site) const {
    auto index = static_cast<size_t>(site);
    return site >= 0 && index < operand_counts_.size() ? operand_counts_[index] : 0;
  }

  core::Program lowered_;
  std::string entry_;
  Context& context_;
  std::vector<Kernel> kernels_;
  std::unique_ptr<jit::HostProgram> host_;
  std::vector<imp::Site> sites_;
  std::vector<size_t> operand_counts_;
  engine::CallTimes times_;
};

using MakeCpu = std::function<diag::Result<std::unique_ptr<engine::Prepared>>()>;

// An entry on the GPU, or on the CPU if need be. With a checked program behind it, values are
// typed.
class GpuPrepared : public engine::Prepared {
 public:
  GpuPrepared(std::unique_ptr<GpuProgram> program, MakeCpu make_cpu,
              std::shared_ptr<const types::Program> types, types::DefId entry)
      : program_(std::move(program)),
        make_cpu_(std::move(make_cpu)),
        types_(std::move(types)),
        entry_(entry) {}

  diag::Result<std::vector<Value>> call(const std::vector<Value>& arguments,
                                        const engine::CallContext& context) override {
    if (program_ != nullptr) {
      auto leaves = program_->call(engine::flattenArguments(arguments), context.cancel);
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

  engine::CallTimes lastTimes() const override {
    if (program_ != nullptr) return program_->times();
    return cpu_ == nullptr ? engine::CallTimes{} : cpu_->lastTimes();
  }

 private:
  std::unique_ptr<GpuProgram> program_;
  MakeCpu make_cpu_;
  std::shared_ptr<const types::Program> types_;
  types::DefId entry_;
  std::unique_ptr<engine::Prepared> cpu_;
};

diag::Result<std::unique_ptr<engine::Prepared>> prepare(const core::Program& lowered,
                                                        const std::string& entry, Context& context,
                                                        const engine::Options& options,
                                                        MakeCpu make_cpu,
                                                        std::shared_ptr<const types::Program> types,
                                                        types::DefId def) {
  std::string why;
  auto program = GpuProgram::make(lowered, entry, context, options, &why);
  if (!program) return diag::Failure(program.error());
  if (*program == nullptr && options.verbose && options.log) {
    options.log("`" + entry + "` runs on the cpu engine: " + why);
  }
  return std::make_unique<GpuPrepared>(std::move(*program), std::move(make_cpu), std::move(types),
                                       def);
}

class GpuEngine : public engine::Engine {
 public:
  explicit GpuEngine(std::string device) : device_(std::move(device)) {}

  std::string name() const override { return "gpu"; }

  diag::Result<std::unique_ptr<engine::Prepared>> prepare(
      std::shared_ptr<const types::Program> program, types::DefId entry,
      const engine::Options& options) override {
    auto context = contextFor(device_, options.use_disk_cache);
    if (!context) return diag::Failure(context.error());
    auto lowered = lower::lower(*program, entry);
    if (!lowered) return diag::Failure(lowered.error());
    MakeCpu make_cpu = [program, entry, options] {
      return jit::makeCpuEngine()->prepare(program, entry, options);
    };
    return gpu::prepare(*lowered, program->defs[entry].name, **context, options,
                        std::move(make_cpu), program, entry);
  }

 private:
  std::string device_;
};

std::string deviceLine(const std::string& name, bool has) {
  return name + (has ? ": yes" : ": no");
}

}  // namespace

std::vector<DeviceInfo> devices() {
  std::vector<DeviceInfo> all;
  for (const vulkan::PhysicalDevice& device : vulkan::physicalDevices()) {
    const vulkan::Features& f = device.features;
    DeviceInfo info{device.name, device.type, device.driver, device.usable, device.why_not, {}};
    info.details = {"workgroup: " + std::to_string(f.max_workgroup) + " invocations, " +
                        std::to_string(f.shared_bytes / 1024) + " KiB shared, subgroup " +
                        std::to_string(f.subgroup_size),
                    "largest allocation: " + std::to_string(f.max_allocation >> 20) + " MiB",
                    deviceLine("8-bit integers", f.int8 && f.storage8),
                    deviceLine("16-bit integers", f.int16 && f.storage16),
                    deviceLine("64-bit integers", f.int64),
                    deviceLine("16-bit floats", f.float16),
                    deviceLine("64-bit floats", f.float64),
                    deviceLine("signed zeros and NaNs preserved", f.signed_zero_nan_f32),
                    deviceLine("denormals preserved", f.denormals_f32),
                    deviceLine("timestamps", f.timestamp_ns > 0)};
    all.push_back(std::move(info));
  }
  return all;
}

bool hasHardwareDevice() {
  for (const vulkan::PhysicalDevice& device : vulkan::physicalDevices()) {
    if (device.usable && device.features.is_hardware) return true;
  }
  return false;
}

diag::Result<std::unique_ptr<engine::Engine>> makeGpuEngine(const std::string& device) {
  auto context = contextFor(device, true);
  if (!context) return diag::Failure(context.error());
  return std::make_unique<GpuEngine>(device);
}

diag::Result<std::unique_ptr<engine::Prepared>> prepareCore(const core::Program& program,
                                                            const std::string& entry,
                                                            const std::string& device,
                                                            const engine::Options& options) {
  auto context = contextFor(device, options.use_disk_cache);
  if (!context) return diag::Failure(context.error());
  MakeCpu make_cpu = [program, entry, options] {
    return jit::prepareCore(program, entry, options);
  };
  return prepare(program, entry, **context, options, std::move(make_cpu), nullptr, {});
}

diag::Result<std::string> dump(const core::Program& lowered, Stage stage,
                               const engine::Options& options) {
  passes::RunOptions run{.verify = true, .after = {}};
  Variants variants;
  variants.forced = options.variant;
  if (stage == Stage::kKernels) return core::print(planned(lowered, run, variants));
  std::string entry = "main";
  for (const core::Function& function : lowered.functions) {
    if (function.is_entry) entry = function.name;
  }
  HostResult host = lowerHost(planned(lowered, run, variants), entry, variants);
  if (!host.unsupported.empty()) {
    return diag::fail(Code::engine_unsupported, {}, "this runs on the cpu: " + host.unsupported);
  }
  if (stage == Stage::kImp) return imp::print(host.program);
  std::vector<Kernel> kernels = makeKernels(host.program, {}, {});
  std::string text;
  for (const Kernel& kernel : kernels) {
    for (const KernelVariant* variant : {&kernel.narrow, &kernel.wide}) {
      if (variant->glsl.empty()) continue;
      text += "// ---- " + variant->function.name + "\n";
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
