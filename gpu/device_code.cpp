// Core to kernels and a host program, in order: the passes, plan, schedules, templates, raising,
// printing.
#include "gpu/device_code.h"

#include <algorithm>
#include <bit>

#include "gpu/code_cache.h"
#include "gpu/plan/plan.h"
#include "gpu/schedule/choose.h"
#include "gpu/schedule/legal.h"
#include "lang/base/phase.h"
#include "lang/core/rewrite.h"
#include "lang/imp/text.h"
#include "lang/imp/walk.h"
#include "lang/passes/pipeline.h"

namespace halo::gpu {
namespace {

constexpr uint64_t kScratchParts = 32;  // of the device's memory: one is for arrays of cells

passes::RunOptions runOptions(const engine::Options& options) {
  passes::RunOptions run{.verify = options.verify, .after = {}};
  if (options.time_pass) {
    run.after = [time = options.time_pass](const passes::PassRow& row, double ms,
                                           const core::Program&) { time(row.name, ms); };
  }
  return run;
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

// Where a kernel comes from: its own statement, or else the first inside that says so.
source::Span sourceOf(const core::Body& body) {
  source::Span found;
  for (size_t i = body.stms.size(); i-- > 0 && !found.file.valid();) {
    found = body.stms[i].span;
    core::forEachBody(body.stms[i].expr, [&](const core::Body& inner) {
      if (!found.file.valid()) found = sourceOf(inner);
    });
  }
  return found;
}

using Offered = std::map<std::string, std::vector<std::string>>;

// Each name once, by the key of the statement that it is offered for.
void collect(Offered& offered, const std::string& key, const std::vector<std::string>& names) {
  std::vector<std::string>& known = offered[key];
  for (const std::string& name : names) {
    if (std::find(known.begin(), known.end(), name) == known.end()) known.push_back(name);
  }
}

// Where kernels come from; statements of passes have no place, and get the entry's.
std::map<std::string, source::Span> spansOf(const core::Program& kernels,
                                            const std::string& entry) {
  std::map<std::string, source::Span> spans;
  for (const core::Function& function : kernels.functions) {
    if (function.kernel.empty()) continue;
    source::Span span = sourceOf(function.body);
    spans[function.name] = span.file.valid() ? span : kernels.find(entry)->span;
  }
  return spans;
}

// Core through the gpu pipeline and plan. Planning comes last: a pass that took a kernel's
// statement in two would leave its template with another statement than the planned one.
core::Program planned(const core::Program& lowered, const engine::Options& options,
                      const Variants& variants) {
  passes::RunOptions run = runOptions(options);
  core::Program program = passes::run(passes::rows(passes::Pipeline::kGpu), lowered, run);
  if (options.float_mode != engine::FloatMode::kStrict) {
    bool is_fast = options.float_mode == engine::FloatMode::kFast;
    program = passes::run(passes::sums(is_fast), std::move(program), run);
  }
  Variants own = variants;
  own.strict_floats = options.float_mode == engine::FloatMode::kStrict;
  program = plan(passes::run(passes::afterPlan(), std::move(program), run), own);
  if (options.verify) passes::mustVerify(program, "plan");
  return program;
}

// The host program and the names of kernels are all that calls need.
void dropKernelCode(DeviceCode& code) {
  for (imp::Function& function : code.host.functions) {
    if (function.kind == imp::FunctionKind::kKernel) function.body.clear();
  }
  for (Kernel& kernel : code.kernels) {
    for (KernelVariant* variant : {&kernel.narrow, &kernel.wide}) variant->function.body.clear();
  }
}

// Trees and sorts of a workgroup halve their invocations, and some drivers have 896 or 1,000 at
// most. No schedule is made for fewer than 256: such a device leaves kernels to the CPU.
int64_t invocationsOfSchedules(const vulkan::Features& features) {
  constexpr uint32_t kMinInvocations = 256;
  return std::bit_floor(std::max(features.max_workgroup, kMinInvocations));
}

}  // namespace

Variants variantsOf(const vulkan::Features& features, const engine::Options& options) {
  Variants variants;
  variants.name = features.is_reference ? "default" : "device";
  variants.subgroup = features.shuffles() ? static_cast<int>(features.subgroup_size) : 0;
  variants.shared_bytes = features.shared_bytes;
  variants.most_invocations = invocationsOfSchedules(features);
  variants.scratch_bytes =
      std::max(kMinScratch, static_cast<int64_t>(features.memory_bytes / kScratchParts));
  variants.groups_talk = features.memory_model && features.atomics_int64;
  variants.matrix_f16 = {features.matrix_depth_f16};
  variants.matrix_i8 = {features.matrix_depth_i8};
  variants.matrix_u8 = {features.matrix_depth_u8};
  // No standard promises it; software shares few cores among many workgroups (gpu.md#look-back).
  variants.groups_finish = features.is_hardware;
  setForced(variants, options.variant);
  // A test on a device that has none: loops stand for them (raise.h, plainMatrices). The reference
  // device has those that are asked for.
  if (variants.forced == "matrices" && !features.has_matrices()) {
    variants.matrix_f16 = {16}, variants.matrix_i8 = variants.matrix_u8 = {32};
  }
  variants.explain = options.explain;
  return variants;
}

Stages makeStages(const CodeRequest& request, const Variants& variants, Stage last) {
  const auto& [lowered, entry, features, options, tuning] = request;
  Stages stages;
  core::Program kernels = planned(lowered, options, variants);
  if (auto type = mixedByScatter(kernels, features)) {
    stages.unsupported = "the device cannot scatter `" + std::string(prim::name(*type)) + "`";
    return stages;
  }
  stages.kernels = scheduled(std::move(kernels), variants);
  if (options.verify) mustVerify(stages.kernels);
  if (last == Stage::kKernels) return stages;
  stages.host = lowerHost(stages.kernels, entry, variants);
  if (options.verify) imp::mustVerify(stages.host.program);
  stages.unsupported = stages.host.unsupported;
  if (!stages.unsupported.empty() || last == Stage::kImp) return stages;
  Target target = targetOf(features);
  GlslOptions printing = glslOptionsOf(features);
  if (options.float_mode == engine::FloatMode::kFast) loosen(target, printing);
  stages.code = makeKernels(stages.host.program, target, printing);
  const std::string missing = missingFeature(stages.code, features);
  if (!missing.empty()) stages.unsupported = "the device lacks " + missing;
  return stages;
}

DeviceCode makeCode(const CodeRequest& request) {
  DeviceCode code;
  Variants variants = variantsOf(request.features, request.options);
  variants.tuned = request.tuning.choices;
  if (request.tuning.collects) {
    variants.offer = [&](const std::string& key, const std::vector<std::string>& names) {
      collect(code.offered, key, names);
    };
  }
  Stages stages = makeStages(request, variants);
  code.unsupported = std::move(stages.unsupported);
  if (!code.unsupported.empty()) return code;
  code.kernels = std::move(stages.code);
  code.host = std::move(stages.host.program);
  code.kernel_sites = numberSites(code.kernels);
  code.takes_capacity = stages.host.takes_capacity;
  code.operand_counts = operandCounts(code.host);
  code.spans = spansOf(stages.kernels.kernels, request.entry);
  dropKernelCode(code);
  return code;
}

DeviceCode deviceCode(const CodeRequest& request) {
  const engine::Options& options = request.options;
  if (!options.use_disk_cache || options.verify || options.explain) return makeCode(request);
  const CodeCache cache;
  const std::string key = CodeCache::keyOf(request);
  if (auto found = cache.find(key)) return std::move(*found);
  DeviceCode code = makeCode(request);
  cache.store(key, code);
  return code;
}

}  // namespace halo::gpu
