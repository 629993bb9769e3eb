// Compiling for one device and calling: upload, run, results stay on the device. Failures are
// replayed on the CPU.
#include "gpu/program.h"

#include <fmt/format.h>

#include <algorithm>
#include <atomic>
#include <chrono>

#include "gpu/device_table.h"
#include "gpu/plan/plan.h"
#include "gpu/schedule/choose.h"
#include "gpu/schedule/legal.h"
#include "gpu/templates/host/host.h"
#include "jit/engine.h"
#include "lang/base/phase.h"
#include "lang/core/rewrite.h"
#include "lang/engine/failure.h"
#include "lang/imp/walk.h"
#include "lang/passes/pipeline.h"

namespace halo::gpu {
namespace {

using diag::Code;
using value::Value;
using Clock = std::chrono::steady_clock;

constexpr size_t kMaxEvents = 100000;   // of a profile: a trace that viewers still open
constexpr int64_t kCapacityGrowth = 4;  // so that few calls run more than twice

std::atomic<bool> times_calls = false;

double since(Clock::time_point begin) {
  return std::chrono::duration<double, std::milli>(Clock::now() - begin).count();
}

diag::Result<std::unique_ptr<jit::HostProgram>> compileHost(const imp::Program& program,
                                                            const std::string& entry,
                                                            bool use_disk_cache) {
  const base::Phase phase("compile host code");
  return jit::compile(
      program, entry,
      {.tier = engine::Tier::kQuick, .use_disk_cache = use_disk_cache, .threads = 1});
}

Value resultOf(const jit::Leaf& leaf, const CallDevice& device) {
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

}  // namespace

namespace {

// Pipelines that every call wants are made while the host goes on.
void prepare(Context& context, const std::vector<Kernel>& kernels) {
  std::vector<const KernelVariant*> certain;
  for (const Kernel& kernel : kernels) {
    if (kernel.conditions == 0) certain.push_back(&kernel.narrow);
  }
  prepareAll(*context.pipelines, std::move(certain));
}

}  // namespace

diag::Result<std::unique_ptr<GpuProgram>> GpuProgram::make(
    const core::Program& lowered, const std::string& entry, const vulkan::Features& features,
    const Open& open, const engine::Options& options, std::string* why, const Tuning& tuning) {
  auto begin = Clock::now();
  std::unique_ptr<GpuProgram> made(new GpuProgram(lowered, entry, options));
  made->code_ = deviceCode({lowered, entry, features, options, tuning});
  *why = made->code_.unsupported;
  if (!why->empty()) return nullptr;
  auto compiled = compileHost(made->code_.host, entry, options.use_disk_cache);
  if (!compiled) return diag::Failure(compiled.error());
  made->host_ = std::move(*compiled);
  made->tuning_ = tuning;
  made->times_.compile_ms = since(begin);
  auto context = open();
  if (!context) return diag::Failure(context.error());
  made->context_ = *context;
  prepare(**context, made->code_.kernels);
  return made;
}

std::optional<diag::Diagnostic> GpuProgram::check(const Leaves& leaves) const {
  return jit::checkLeaves(code_.host, *code_.host.find(entry_), leaves);
}

diag::Result<std::unique_ptr<GpuProgram>> GpuProgram::on(Context& context, std::string* why) const {
  Open open = [&context] { return &context; };
  return make(lowered_, entry_, context.device->features(), open, options_, why, tuning_);
}

diag::Result<std::unique_ptr<GpuProgram>> GpuProgram::with(const Choices& choices,
                                                           std::string* why) const {
  Open open = [this] { return context_; };
  return make(lowered_, entry_, context_->device->features(), open, options_, why,
              {choices, false});
}

diag::Result<std::unique_ptr<GpuProgram>> GpuProgram::plain(std::string* why) const {
  Open open = [this] { return context_; };
  engine::Options simple = options_;
  simple.variant = "plain";
  return make(lowered_, entry_, context_->device->features(), open, simple, why, {});
}

void GpuProgram::timeCalls() { times_calls = true; }

bool GpuProgram::owns(const Value& leaf) const {
  const value::Array* array = leaf.array();
  return array != nullptr && array->buffer != nullptr &&
         &array->buffer->memory() == context_->memory.get();
}

// Arguments are as they were, so that a call whose cells had too little room runs again.
diag::Result<std::optional<GpuProgram::Leaves>> GpuProgram::call(const Leaves& leaves,
                                                                 const engine::CallContext& context,
                                                                 std::string* why) {
  std::lock_guard lock(context_->in_use);
  while (true) {
    auto results = callOnce(leaves, context, why);
    if (wanted_capacity_ <= capacity_) return results;
    const int64_t grown = capacity_ * kCapacityGrowth;
    capacity_ = std::max(grown, wanted_capacity_);
    if (options_.explain) {
      options_.explain(
          fmt::format("an array of a cell has {} elements: the call runs again with "
                      "room for {} in each such array",
                      wanted_capacity_, capacity_));
    }
  }
}

diag::Result<std::optional<GpuProgram::Leaves>> GpuProgram::callOnce(
    const Leaves& leaves, const engine::CallContext& context, std::string* why) {
  wanted_capacity_ = 0;
  vulkan::StreamCounts before = context_->stream->counts();
  context_->stream->setProfiling(options_.profile != nullptr);
  CallDevice device(*context_, code_.kernels);
  auto results = run(leaves, device, context, why);
  context_->stream->end();
  if (!results || !results->has_value()) context_->kept->forget();  // launches may have ended early
  sayRefusals(device);
  const core::Function* function = lowered_.find(entry_);
  if (!results && results.error().code == Code::interrupted && function != nullptr) {
    results.error().span = function->span;  // kernels do not say how far they came
  }
  if (options_.profile != nullptr) addToProfile(before);
  return results;
}

// The arguments of the host program: the leaves, then the capacity if it takes one.
diag::Result<std::vector<jit::Leaf>> GpuProgram::uploaded(const Leaves& leaves,
                                                          CallDevice& device) {
  std::vector<jit::Leaf> arguments;
  for (const Value& leaf : leaves) {
    auto argument = upload(leaf, device);
    if (!argument) return diag::Failure(argument.error());
    arguments.push_back(std::move(*argument));
  }
  if (code_.takes_capacity) {
    arguments.emplace_back();
    arguments.back().scalar = value::Scalar::ofI64(capacity_);
    arguments.back().type = prim::ScalarType::kI64;
  }
  return arguments;
}

diag::Result<std::optional<GpuProgram::Leaves>> GpuProgram::run(const Leaves& leaves,
                                                                CallDevice& device,
                                                                const engine::CallContext& context,
                                                                std::string* why) {
  const base::Phase phase("call");
  const base::CancelFlag* cancel = context.cancel;
  vulkan::Stream& stream = *context_->stream;
  auto begin = Clock::now();
  auto arguments = uploaded(leaves, device);
  if (!arguments) return diag::Failure(arguments.error());
  stream.begin(cancel, times_calls || options_.verbose);
  times_.transfer_ms = since(begin);
  begin = Clock::now();
  jit::DeviceTable table = device.table();
  PipelinesAhead ahead(*host_, code_.kernels, *context_->pipelines);
  device.beforeCompiling([&] { ahead.start(*arguments, device.memory()); });
  jit::RunResult ran = host_->run(*arguments, &table, cancel);
  if (device.error()) {
    const Code code = device.error()->code;
    const bool is_others =
        code == Code::engine_unsupported || (code_.takes_capacity && code == Code::out_of_memory);
    if (!is_others) {
      diag::Diagnostic found = *device.error();
      if (code == Code::out_of_memory && !ran) found.span = code_.host.placeOf(ran.error().buffer);
      return diag::Failure(std::move(found));
    }
    *why = device.error()->message;
    return std::nullopt;
  }
  auto finished = ran ? fetchScalars(*ran, context.late) : stream.finish();
  if (!finished) return diag::Failure(finished.error());
  times_.run_ms = since(begin);
  times_.device_ms = stream.deviceMilliseconds();
  bool kernel_failed = stream.failure()[0] != 0;
  if (kernel_failed || !ran) return failure(leaves, ran, kernel_failed, cancel, why);
  std::vector<Value> results;
  for (const jit::Leaf& leaf : *ran) results.push_back(resultOf(leaf, device));
  return results;
}

// Scalar results that the host program has left on the device. Waits for it, unless the call runs
// ahead (Context). Small arrays lie where the host looks at them later.
diag::Result<std::monostate> GpuProgram::fetchScalars(std::vector<jit::Leaf>& leaves,
                                                      const std::vector<bool>* late) {
  std::vector<vulkan::Stream::Fetch> wanted;
  std::vector<uint64_t> bits(leaves.size());
  for (size_t k = 0; k < leaves.size(); ++k) {
    if (!leaves[k].is_array || !leaves[k].shape.empty()) continue;
    wanted.push_back(
        {leaves[k].data, &bits[k], static_cast<uint64_t>(prim::byteSize(leaves[k].type))});
  }
  vulkan::Stream& stream = *context_->stream;
  bool is_seen = !wanted.empty();
  const size_t sizes = late == nullptr ? 0 : leaves.size() - late->size();  // in front
  for (size_t k = 0; k < leaves.size(); ++k) {
    const jit::Leaf& leaf = leaves[k];
    const bool is_empty = std::find(leaf.shape.begin(), leaf.shape.end(), 0) != leaf.shape.end();
    if (!leaf.is_array || is_empty) continue;  // no neighbour's rows, say
    if (late != nullptr && k >= sizes && (*late)[k - sizes]) continue;
    if (context_->memory->find(leaf.data).mapped == nullptr) continue;
    stream.expectRead();
    is_seen = true;
  }
  if (context_->runs_ahead && !is_seen && stream.isClean() && options_.profile == nullptr) {
    auto submitted = stream.flush();
    if (!submitted) return diag::Failure(submitted.error());
    return std::monostate{};
  }
  auto done = wanted.empty() ? stream.finish() : stream.readAll(wanted);
  if (!done) return done;
  for (size_t k = 0; k < leaves.size(); ++k) {
    if (!leaves[k].is_array || !leaves[k].shape.empty()) continue;
    leaves[k].is_array = false;
    leaves[k].scalar = value::Scalar::fromBits(leaves[k].type, bits[k]);
  }
  return done;
}

// Kernels load vectors: arguments begin at multiples of 16 bytes.
diag::Result<jit::Leaf> GpuProgram::aligned(jit::Leaf leaf, uint64_t bytes, CallDevice& device) {
  if (leaf.data % 16 == 0 || bytes == 0) return leaf;
  auto buffer = context_->memory->allocate(bytes);
  if (!buffer) return diag::Failure(buffer.error());
  auto copied = context_->stream->copy((*buffer)->deviceAddress(), leaf.data, bytes);
  if (!copied) return diag::Failure(copied.error());
  leaf.data = (*buffer)->deviceAddress();
  device.borrow(std::move(*buffer));
  return leaf;
}

diag::Result<value::Array> GpuProgram::place(const value::Array& array) {
  if (owns(array) && array.isDense()) return array;
  auto dense = value::toDense(array);
  if (!dense) return dense;
  const auto bytes = static_cast<uint64_t>(dense->elements()) *
                     static_cast<uint64_t>(prim::byteSize(array.type()));
  std::lock_guard lock(context_->in_use);
  auto buffer = context_->memory->allocate(bytes);
  if (!buffer) return diag::Failure(buffer.error());
  vulkan::Stream& stream = *context_->stream;
  if (bytes > 0) {
    auto written = stream.write((*buffer)->deviceAddress(), dense->data(), bytes);
    if (written) written = stream.finish();
    if (!written) return diag::Failure(written.error());
  }
  dense->buffer = std::move(*buffer);
  dense->layout.offset = 0;
  return dense;
}

diag::Result<jit::Leaf> GpuProgram::upload(const Value& value, CallDevice& device) {
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
  if (array.buffer != nullptr && &array.buffer->memory() == context_->memory.get() &&
      array.isDense()) {
    device.borrow(array.buffer);
    leaf.data =
        array.buffer->deviceAddress() + static_cast<uint64_t>(array.layout.offset) * bytes_per;
    return aligned(leaf, static_cast<uint64_t>(array.elements()) * bytes_per, device);
  }
  auto dense = value::toDense(array);
  if (!dense) return diag::Failure(dense.error());
  uint64_t bytes = static_cast<uint64_t>(dense->elements()) * bytes_per;
  auto buffer = context_->memory->allocate(bytes);
  if (!buffer) return diag::Failure(buffer.error());
  if (bytes > 0) {
    auto written = context_->stream->write((*buffer)->deviceAddress(), dense->data(), bytes);
    if (!written) return diag::Failure(written.error());
  }
  leaf.data = (*buffer)->deviceAddress();
  device.borrow(std::move(*buffer));
  return leaf;
}

// The interpreter's report, found by replay, else the engine's own.
diag::Result<std::optional<GpuProgram::Leaves>> GpuProgram::failure(const Leaves& leaves,
                                                                    const jit::RunResult& ran,
                                                                    bool kernel_failed,
                                                                    const base::CancelFlag* cancel,
                                                                    std::string* why) {
  int site = -1;
  std::vector<int64_t> operands;
  Code code = Code::device_failure;
  if (kernel_failed) {
    const vulkan::FailureRecord& record = context_->stream->failure();
    site = code_.kernel_sites.at(static_cast<size_t>(record[0] - 1));
    size_t count = std::min(operandCount(site), record.size() - 1);
    operands.assign(record.begin() + 1, record.begin() + 1 + static_cast<ptrdiff_t>(count));
  } else {
    site = ran.error().site;
    operands = ran.error().operands;
    code = ran.error().code;
  }
  if (site >= 0 && static_cast<size_t>(site) < code_.host.sites.size())
    code = code_.host.sites[site].code;
  if (kernel_failed && code == Code::out_of_memory) {  // KernelScope::checkRoom
    wanted_capacity_ = operands[0];
    return std::nullopt;
  }
  if (code == Code::engine_unsupported) {
    *why = "a loop is longer, or a kernel deeper, than the device follows";
    return std::nullopt;
  }
  if (code == Code::interrupted) return diag::Failure(engine::describeFailure(code, {}, {}));
  if (auto found = jit::replay(lowered_, entry_, leaves, cancel)) return diag::Failure(*found);
  source::Span span = site >= 0 ? code_.host.sites[static_cast<size_t>(site)].span : source::Span{};
  return diag::Failure(engine::describeFailure(code, operands, span));
}

size_t GpuProgram::operandCount(int site) const {
  auto index = static_cast<size_t>(site);
  return site >= 0 && index < code_.operand_counts.size() ? code_.operand_counts[index] : 0;
}

// The kernels of one kernel function begin with its name.
source::Span GpuProgram::spanOf(const std::string& kernel) const {
  source::Span span;
  size_t longest = 0;
  for (const auto& [name, place] : code_.spans) {
    if (name.size() < longest || !kernel.starts_with(name)) continue;
    longest = name.size();
    span = place;
  }
  return span;
}

void GpuProgram::sayRefusals(const CallDevice& device) const {
  for (const std::string& line : device.refusals()) {
    if (options_.explain) options_.explain(line);
    if (options_.verbose && options_.log) options_.log(line);
  }
}

void GpuProgram::addToProfile(const vulkan::StreamCounts& before) {
  engine::Profile& profile = *options_.profile;
  const vulkan::StreamCounts& now = context_->stream->counts();
  ++profile.calls;
  profile.launches += now.launches - before.launches;
  profile.copies += now.copies - before.copies;
  profile.barriers += now.barriers - before.barriers;
  profile.submits += now.submits - before.submits;
  profile.waits += now.waits - before.waits;
  profile.bytes_up += now.bytes_up - before.bytes_up;
  profile.bytes_down += now.bytes_down - before.bytes_down;
  for (vulkan::TimedCommand& command : context_->stream->takeTimes()) {
    if (profile.events.size() == kMaxEvents) break;
    source::Span span = spanOf(command.name);
    profile.events.push_back(
        {std::move(command.name), span, command.bytes, command.begin_us, command.us});
  }
}

}  // namespace halo::gpu
