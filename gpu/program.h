// A leaf program on one device: arguments and results are scalars and arrays of scalars.
#pragma once

#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "gpu/context.h"
#include "gpu/device_code.h"
#include "jit/host_program.h"
#include "lang/core/ir.h"
#include "lang/engine/engine.h"

namespace halo::gpu {

class CallDevice;

class GpuProgram {
 public:
  using Leaves = std::vector<value::Value>;

  // The device may still be opening while the program is made for it: `open` waits. Nothing with a
  // reason in `why`: this program runs on the CPU.
  using Open = std::function<diag::Result<Context*>()>;
  static diag::Result<std::unique_ptr<GpuProgram>> make(
      const core::Program& lowered, const std::string& entry, const vulkan::Features& features,
      const Open& open, const engine::Options& options, std::string* why,
      const Tuning& tuning = {});
  GpuProgram(const GpuProgram&) = delete;
  GpuProgram& operator=(const GpuProgram&) = delete;

  // From now on calls of all programs measure their time on the device.
  static void timeCalls();

  // The same program on another device, or on this one opened again.
  diag::Result<std::unique_ptr<GpuProgram>> on(Context& context, std::string* why) const;

  // The same program with these choices.
  diag::Result<std::unique_ptr<GpuProgram>> with(const Choices& choices, std::string* why) const;

  // The same program with the simplest kernel for everything.
  diag::Result<std::unique_ptr<GpuProgram>> plain(std::string* why) const;

  // Whether the entry takes these leaves: of programs that no type checker has seen.
  std::optional<diag::Diagnostic> check(const Leaves& leaves) const;

  // Nothing with a reason in `why`: the CPU must run this call (a loop or a launch is too long).
  diag::Result<std::optional<Leaves>> call(const Leaves& leaves, const engine::CallContext& context,
                                           std::string* why);

  // A dense copy of the array on the device; itself if it is there.
  diag::Result<value::Array> place(const value::Array& array);

  const engine::CallTimes& times() const { return times_; }
  // The variants of each statement that has several, by its key; if they were collected.
  const std::map<std::string, std::vector<std::string>>& offered() const { return code_.offered; }
  // The device is gone; so are arrays that live there.
  bool isLost() const { return context_->stream->isLost(); }
  bool owns(const value::Value& leaf) const;

 private:
  GpuProgram(const core::Program& lowered, std::string entry, const engine::Options& options)
      : lowered_(lowered), entry_(std::move(entry)), options_(options) {}

  diag::Result<jit::Leaf> aligned(jit::Leaf leaf, uint64_t bytes, CallDevice& device);
  diag::Result<jit::Leaf> upload(const value::Value& value, CallDevice& device);
  diag::Result<std::vector<jit::Leaf>> uploaded(const Leaves& leaves, CallDevice& device);
  diag::Result<std::optional<Leaves>> callOnce(const Leaves& leaves,
                                               const engine::CallContext& context,
                                               std::string* why);
  diag::Result<std::optional<Leaves>> run(const Leaves& leaves, CallDevice& device,
                                          const engine::CallContext& context, std::string* why);
  diag::Result<std::monostate> fetchScalars(std::vector<jit::Leaf>& leaves,
                                            const std::vector<bool>* late);
  diag::Result<std::optional<Leaves>> failure(const Leaves& leaves, const jit::RunResult& ran,
                                              bool kernel_failed, const base::CancelFlag* cancel,
                                              std::string* why);
  void sayRefusals(const CallDevice& device) const;
  void addToProfile(const vulkan::StreamCounts& before);
  source::Span spanOf(const std::string& kernel) const;
  size_t operandCount(int site) const;

  core::Program lowered_;
  std::string entry_;
  Context* context_ = nullptr;
  engine::Options options_;
  DeviceCode code_;
  std::unique_ptr<jit::HostProgram> host_;
  int64_t capacity_ = 64;        // grows with the needs of calls
  int64_t wanted_capacity_ = 0;  // by the last call
  engine::CallTimes times_;
  Tuning tuning_;
};

}  // namespace halo::gpu
