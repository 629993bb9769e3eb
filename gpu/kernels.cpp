// Raising and printing.
#include "gpu/kernels.h"

#include <algorithm>
#include <atomic>
#include <future>
#include <thread>
#include <unordered_map>

#include "lang/base/heap.h"
#include "lang/base/phase.h"
#include "lang/base/threads.h"
#include "lang/imp/accesses.h"
#include "lang/imp/walk.h"

namespace halo::gpu {

using namespace imp;

namespace {

constexpr size_t kKernelsPerThread = 4;
constexpr size_t kMaxThreads = 16;

void print(const Program& program, KernelVariant& variant, const GlslOptions& options) {
  variant.layout = argumentLayout(program, variant.function);
  variant.types = typesOf(program, variant.function);
  variant.shared_bytes = sharedBytes(program, variant.function);
  const Repeats repeats = outlineRepeats(program, variant.function, options.long_code);
  variant.glsl = printGlsl(program, variant.function, options, repeats);
}

Kernel raised(Program& program, const Function& source, const Target& target) {
  Kernel kernel;
  auto [wide, narrow] = raise(program, source, target);
  const std::set<BufferId> written = writtenBuffers(wide.body);
  for (size_t i = 0; i < wide.buffers.size(); ++i) {
    kernel.writes.push_back(written.contains(wide.buffers[i]));
    // Indices count the elements of both, and words of either are fewer bytes.
    auto bytesOf = [&](BufferId buffer) { return prim::byteSize(program.buffers[buffer].type); };
    kernel.element_bytes.push_back(std::min(bytesOf(source.buffers[i]), bytesOf(wide.buffers[i])));
  }
  for (VarId scalar : source.scalars) {
    kernel.is_i64.push_back(program.vars[scalar].type == ScalarType::kI64);
  }
  kernel.narrow.scalars = scalarParts(program, source, narrow);
  kernel.wide.scalars = scalarParts(program, source, wide);
  kernel.narrow.function = std::move(narrow);
  kernel.wide.function = std::move(wide);
  return kernel;
}

// By several threads: a loop of stencils alone has thirty kernels, and one takes some milliseconds.
// Each thread binds the variables of its kernels in a copy of the program without functions. Texts
// number variables in order, so that they do not depend on the thread.
void makeAll(const Program& program, std::vector<Kernel>& kernels, const Target& target,
             const GlslOptions& options) {
  std::atomic<size_t> next = 0;
  auto work = [&] {
    Program own;
    own.vars = program.vars;
    own.buffers = program.buffers;
    own.sites = program.sites;
    for (size_t i = next++; i < kernels.size(); i = next++) {
      const Function& source = program.functions[i];
      if (source.kind != FunctionKind::kKernel) continue;
      kernels[i] = raised(own, source, target);
      print(own, kernels[i].narrow, options);
      print(own, kernels[i].wide, options);
    }
  };
  std::vector<std::future<void>> helpers;
  size_t threads = std::min<size_t>(std::thread::hardware_concurrency(), kMaxThreads);
  for (size_t i = 1; i < std::min(threads, kernels.size() / kKernelsPerThread); ++i) {
    helpers.push_back(base::startAsync([&] {
      base::keepHeapInLargePages();
      work();
    }));
  }
  work();
}

}  // namespace

namespace {

// A kernel that only asks for another engine leaves nothing to protect: those behind it end, and
// their results are discarded.
bool mustStop(const Program& program, const Block& block) {
  bool found = false;
  forEachStm(block, [&](const Stm& stm) {
    const auto* fail = std::get_if<Fail>(&stm.node);
    if (fail == nullptr) return;
    diag::Code code = program.sites[static_cast<size_t>(fail->site)].code;
    found |= code != diag::Code::engine_unsupported;
  });
  return found;
}

// How many conditions stand before each kernel's launch, at least.
class Conditions {
 public:
  explicit Conditions(const Program& program) {
    for (const Function& function : program.functions) {
      if (function.kind != FunctionKind::kKernel) visit(function.body, 0);
    }
  }
  int before(const std::string& kernel) const {
    auto found = least_.find(kernel);
    return found == least_.end() ? 0 : found->second;
  }

 private:
  void visit(const Block& block, int conditions) {
    for (const Stm& stm : block) {
      if (const auto* launch = std::get_if<Launch>(&stm.node)) {
        auto [found, is_new] = least_.try_emplace(launch->kernel, conditions);
        if (!is_new) found->second = std::min(found->second, conditions);
      } else if (const auto* branch = std::get_if<If>(&stm.node)) {
        visit(branch->then_block, conditions + 1);
        visit(branch->else_block, conditions + 1);
      } else if (const auto* loop = std::get_if<For>(&stm.node)) {
        visit(loop->body, conditions);
      } else if (const auto* loop = std::get_if<While>(&stm.node)) {
        visit(loop->before, conditions);
        visit(loop->body, conditions);
      }
    }
  }

  std::unordered_map<std::string, int> least_;
};

}  // namespace

std::vector<Kernel> makeKernels(Program& program, const Target& target,
                                const GlslOptions& options) {
  const base::Phase phase("make kernels");
  GlslOptions printing = options;
  printing.checks_failure = std::any_of(
      program.functions.begin(), program.functions.end(), [&](const Function& function) {
        bool is_kernel = function.kind == FunctionKind::kKernel;
        return is_kernel && (target.counts_trips || mustStop(program, function.body));
      });
  for (const Function& function : program.functions) {
    forEachStm(function.body, [&](const Stm& stm) {
      printing.checks_stop = printing.checks_stop || std::holds_alternative<ExitFlag>(stm.node);
    });
  }
  // Passes add no other sites, and threads must agree on them.
  if (target.counts_trips || target.deepest > 0) givingUpSite(program);
  std::vector<Kernel> kernels(program.functions.size());
  makeAll(program, kernels, target, printing);
  const Conditions conditions(program);
  for (size_t i = 0; i < kernels.size(); ++i) {
    kernels[i].conditions = conditions.before(program.functions[i].name);
  }
  return kernels;
}

std::vector<int> numberSites(std::vector<Kernel>& kernels) {
  std::vector<int> numbered;
  for (Kernel& kernel : kernels) {
    for (KernelVariant* variant : {&kernel.narrow, &kernel.wide}) {
      variant->first_site = static_cast<uint32_t>(numbered.size());
      const std::vector<int> sites = failureSites(variant->function);
      numbered.insert(numbered.end(), sites.begin(), sites.end());
      variant->may_fail = !sites.empty();
    }
  }
  return numbered;
}

// Mesa 22.3 follows 80 levels; some of them are the shader's own.
constexpr int kSoftwareNesting = 64;

Target targetOf(const vulkan::Features& features) {
  const bool is_software = !features.is_hardware && !features.is_reference;
  return {.float64 = features.float64 && features.int64,
          .int64 = features.int64,
          .int8 = features.int8 && features.storage8,
          .int16 = features.int16 && features.storage16,
          .float16 = features.float16 && features.int16 && features.storage16,
          // Software implementations divide with the host's instructions (reliability.md#floats).
          .exact_division_f32 = is_software,
          .fuses_f32 = features.is_hardware,
          .extrema_f32 = features.extrema_f32,
          .divides_64_bits = !features.mixes_up_divisions,
          .drops_roundings = features.is_hardware,
          .folds_zeros = is_software,
          .counts_trips = is_software,
          .mixes_up_negations = features.is_hardware,
          .mixes_up_carried = is_software,
          .matrices = features.has_matrices() || features.is_reference,
          .lanes = features.subgroup_size,
          .long_code = features.long_code,
          .deepest = is_software ? kSoftwareNesting : 0};
}

void loosen(Target& target, GlslOptions& options) {
  target.exact_division_f32 = true;
  options.contracts = true;
}

GlslOptions glslOptionsOf(const vulkan::Features& features) {
  return {.push_bytes = vulkan::pushBytes(features),
          .signed_zero_nan_f16 = features.signed_zero_nan_f16,
          .signed_zero_nan_f32 = features.signed_zero_nan_f32,
          .signed_zero_nan_f64 = features.signed_zero_nan_f64,
          .moves_pointers = features.int64,
          .round_even_f16 = features.round_even_f16,
          .round_even_f32 = features.round_even_f32,
          .round_even_f64 = features.round_even_f64,
          .denormals_f32 = features.denormals_f32,
          .denormals_f64 = features.denormals_f64,
          .long_code = features.long_code,
          .fuses = features.is_hardware};
}

namespace {

std::string missing(const KernelTypes& types, const vulkan::Features& features) {
  if (types.int8 && !features.int8) return "8-bit integers";
  if (types.int16 && !features.int16) return "16-bit integers";
  if (types.int64 && !features.int64) return "64-bit integers";
  if (types.float16 && !features.float16) return "16-bit floats";
  // Their bits are 64-bit integers.
  if (types.float64 && !(features.float64 && features.int64)) return "64-bit floats";
  if (types.storage8 && !features.storage8) return "8-bit storage";
  if (types.storage16 && !features.storage16) return "16-bit storage";
  if (types.talks && !features.memory_model) return "a memory model";
  if (types.atomics64 && !features.atomics_int64) return "atomic 64-bit integers";
  if (types.matrices && !features.has_matrices() && !features.is_reference)
    return "cooperative matrices";
  if ((types.subgroups || types.shuffles) && !features.shuffles()) return "shuffles";
  return "";
}

std::string missing(const KernelVariant& kernel, const vulkan::Features& features) {
  const int* size = kernel.function.workgroup;
  auto invocations = static_cast<uint32_t>(size[0] * size[1] * size[2]);
  if (invocations > features.max_workgroup) {
    return "workgroups of " + std::to_string(invocations) + " invocations";
  }
  if (kernel.shared_bytes > features.shared_bytes) {
    return std::to_string(kernel.shared_bytes) + " bytes of shared memory";
  }
  return missing(kernel.types, features);
}

}  // namespace

// Of bools any mixture is one of the values.
std::optional<ScalarType> mixedByScatter(const core::Program& planned,
                                         const vulkan::Features& features) {
  Target target = targetOf(features);
  for (const core::Function& function : planned.functions) {
    bool scatters =
        !function.kernel.empty() && (function.kernel[0].kind == core::KernelKind::kScatter ||
                                     function.kernel[0].kind == core::KernelKind::kSort);
    if (!scatters) continue;
    for (core::ValueId result : function.results) {
      ScalarType type = planned.type(result).scalar;
      bool lacks = (type == ScalarType::kF16 && !target.float16) ||
                   (prim::isInteger(type) && prim::byteSize(type) == 1 && !target.int8) ||
                   (prim::isInteger(type) && prim::byteSize(type) == 2 && !target.int16);
      if (lacks) return type;
    }
  }
  return std::nullopt;
}

std::string missingFeature(std::vector<Kernel>& kernels, const vulkan::Features& features) {
  for (Kernel& kernel : kernels) {
    if (kernel.wide.glsl.empty()) continue;
    std::string lack = missing(kernel.narrow, features);
    if (!lack.empty()) return lack;
    // Launches too large for the narrow variant alone ask for another engine.
    if (!missing(kernel.wide, features).empty()) kernel.wide.glsl.clear();
  }
  return "";
}

}  // namespace halo::gpu
