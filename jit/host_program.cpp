// Calling compiled entries: leaves to 8-byte slots and back, sizes from shapes, results that stay
// in the arena afterwards.
#include "jit/host_program.h"

#include <fmt/format.h>

#include <algorithm>

#include "jit/runtime/runtime.h"
#include "jit/runtime/tiers.h"
#include "lang/base/check.h"

namespace halo::jit {
namespace {

const std::atomic<uint32_t>* cancelWord(const base::CancelFlag* cancel) {
  static const std::atomic<uint32_t> kNever{0};
  return cancel != nullptr ? cancel->address() : &kNever;
}

class CompiledProgram final : public HostProgram {
 public:
  CompiledProgram(const imp::Program& program, const imp::Function& entry,
                  std::unique_ptr<Code> code, const CompileOptions& options)
      : sites_(program.sites),
        entry_(entry),
        code_(std::move(code)),
        threads_(options.threads),
        times_(options.times) {
    entry_.body.clear();
    for (imp::BufferId buffer : entry_.buffers) types_.push_back(program.buffers[buffer].type);
    for (const imp::EntryResult& result : entry_.results) {
      const auto* array = std::get_if<imp::ArrayResult>(&result);
      bool on_device = array && program.buffers[array->buffer].space == imp::Space::kDevice;
      on_device_.push_back(on_device);
      const auto* scalar = std::get_if<imp::Operand>(&result);
      scalar_types_.push_back(array != nullptr       ? array->type
                              : scalar->isConstant() ? scalar->constant.type
                                                     : program.vars[scalar->var].type);
    }
  }

  RunResult run(std::span<const Leaf> arguments, DeviceTable* device,
                const base::CancelFlag* cancel) override {
    std::vector<uint64_t> slots(entry_.buffers.size() + entry_.scalars.size());
    if (auto failure = fill(arguments, slots)) return tl::unexpected(std::move(*failure));
    RunContext context;
    context.cancel = cancelWord(cancel);
    context.stack_limit = stackLimit();
    context.threads = threads_;
    context.times = times_;
    context.device = device;
    if (device != nullptr && device->progress != nullptr) context.progress = device->progress;
    std::vector<uint64_t> out(resultSlots());
    int32_t status = code_->call(context, slots.data(), out.data());
    if (status != kRunOk) {
      freeDevice(context);
      return tl::unexpected(failure(status, context));
    }
    return results(out, arguments, context);
  }

 private:
  uint64_t& scalarSlot(std::vector<uint64_t>& slots, size_t index) const {
    return slots[entry_.buffers.size() + index];
  }

  // Sizes are taken from the shapes; where two arguments disagree, the call fails.
  std::optional<RunFailure> fill(std::span<const Leaf> arguments,
                                 std::vector<uint64_t>& slots) const {
    auto size_params = static_cast<size_t>(entry_.size_params);
    HALO_CHECK(arguments.size() + size_params == entry_.entry_params.size(),
               "wrong number of arguments for an entry");
    std::vector<bool> known(entry_.scalars.size(), false);
    for (size_t k = 0; k < arguments.size(); ++k) {
      const imp::Function::EntryParam& param = entry_.entry_params[size_params + k];
      auto index = static_cast<size_t>(param.index);
      if (!param.is_array) {
        scalarSlot(slots, index) = arguments[k].scalar.bits;
        known[index] = true;
        continue;
      }
      slots[index] = arguments[k].data;
      std::vector<int64_t> needed = arguments[k].shape;
      for (size_t axis = 0; axis < param.shape.size(); ++axis) {
        const imp::Operand& size = param.shape[axis];
        if (size.isConstant()) {
          needed[axis] = size.constant.asSigned();
          continue;
        }
        auto at = std::find(entry_.scalars.begin(), entry_.scalars.end(), size.var);
        HALO_CHECK(at != entry_.scalars.end(), "the size of a parameter is no parameter");
        auto scalar = static_cast<size_t>(at - entry_.scalars.begin());
        if (!known[scalar]) {
          scalarSlot(slots, scalar) = static_cast<uint64_t>(arguments[k].shape[axis]);
          known[scalar] = true;
        }
        needed[axis] = static_cast<int64_t>(scalarSlot(slots, scalar));
      }
      if (needed != arguments[k].shape) return mismatch(arguments[k].shape, needed);
    }
    return std::nullopt;
  }

  static RunFailure mismatch(const std::vector<int64_t>& found,
                             const std::vector<int64_t>& needed) {
    RunFailure failure;
    failure.code = diag::Code::shape_mismatch;
    failure.operands = found;
    failure.operands.insert(failure.operands.end(), needed.begin(), needed.end());
    return failure;
  }

  size_t resultSlots() const {
    size_t count = 0;
    for (const imp::EntryResult& result : entry_.results) {
      const auto* array = std::get_if<imp::ArrayResult>(&result);
      count += array != nullptr ? 2 + array->shape.size() : 1;
    }
    return count;
  }

  RunFailure failure(int32_t status, const RunContext& context) const {
    RunFailure failure;
    failure.operands = context.operands;
    failure.buffer = context.buffer;
    switch (status) {
      case kRunFailed:
        failure.site = context.site;
        failure.code = sites_[static_cast<size_t>(context.site)].code;
        return failure;
      case kRunOutOfMemory:
        failure.code = diag::Code::out_of_memory;
        return failure;
      case kRunSizeOverflow:
        failure.code = diag::Code::size_overflow;
        return failure;
      case kRunInterrupted:
        failure.code = diag::Code::interrupted;
        break;
      case kRunStackExhausted:
        failure.code = diag::Code::stack_exhausted;
        failure.operands = {context.site};  // the function's number
        return failure;
      case kRunDeviceFailure:
        failure.code = diag::Code::device_failure;
        break;
      default:
        HALO_UNREACHABLE("unknown status of a call");
    }
    failure.operands.clear();
    return failure;
  }

  std::vector<Leaf> results(const std::vector<uint64_t>& out, std::span<const Leaf> arguments,
                            RunContext& context) const {
    std::vector<Leaf> leaves;
    size_t slot = 0;
    for (size_t k = 0; k < entry_.results.size(); ++k) {
      Leaf leaf;
      leaf.type = scalar_types_[k];
      const auto* array = std::get_if<imp::ArrayResult>(&entry_.results[k]);
      leaf.is_array = array != nullptr;
      if (array == nullptr) {
        leaf.scalar = value::Scalar::fromBits(leaf.type, out[slot++]);
      } else {
        uint64_t base = out[slot++];
        uint64_t offset = out[slot++] * static_cast<uint64_t>(prim::byteSize(leaf.type));
        for (size_t axis = 0; axis < array->shape.size(); ++axis) {
          leaf.shape.push_back(static_cast<int64_t>(out[slot++]));
        }
        leaf.data = base + offset;
        if (!on_device_[k]) leaf.owner = ownerOf(base, arguments, context);
        if (on_device_[k]) std::erase(context.device_arena, base);
      }
      if (k >= static_cast<size_t>(entry_.size_results)) leaves.push_back(std::move(leaf));
    }
    freeDevice(context);
    return leaves;
  }

  // A result is memory of this call, or (part of) an argument returned unchanged.
  static value::BufferRef ownerOf(uint64_t base, std::span<const Leaf> arguments,
                                  RunContext& context) {
    auto found = context.arena.find(reinterpret_cast<void*>(base));
    if (found != context.arena.end()) return found->second;
    for (const Leaf& argument : arguments) {
      if (argument.is_array && argument.data == base) return argument.owner;
    }
    return nullptr;
  }

  static void freeDevice(RunContext& context) {
    for (uint64_t handle : context.device_arena) {
      context.device->free(context.device->self, handle);
    }
    context.device_arena.clear();
  }

  std::vector<imp::Site> sites_;
  imp::Function entry_;  // without its body
  std::unique_ptr<Code> code_;
  int threads_;
  NestTimes* times_;
  std::vector<value::ScalarType> types_;         // of array parameters
  std::vector<value::ScalarType> scalar_types_;  // of results
  std::vector<bool> on_device_;                  // of results
};

}  // namespace

std::optional<diag::Diagnostic> checkLeaves(const imp::Program& program, const imp::Function& entry,
                                            const std::vector<value::Value>& leaves) {
  auto first = static_cast<size_t>(entry.size_params);
  size_t count = entry.entry_params.size() - first;
  if (leaves.size() != count) {
    return diag::fail(diag::Code::wrong_argument_count, {},
                      fmt::format("entry `{}` takes {} arguments, found {}", entry.name, count,
                                  leaves.size()))
        .value();
  }
  for (size_t k = 0; k < count; ++k) {
    const imp::Function::EntryParam& param = entry.entry_params[first + k];
    auto index = static_cast<size_t>(param.index);
    prim::ScalarType type = param.is_array ? program.buffers[entry.buffers[index]].type
                                           : program.vars[entry.scalars[index]].type;
    bool fits = false;
    if (const value::Scalar* scalar = leaves[k].scalar()) {
      fits = !param.is_array && scalar->type == type;
    } else if (const value::Array* array = leaves[k].array()) {
      fits = param.is_array && array->type() == type && array->rank() == param.rank;
    }
    if (fits) continue;
    return diag::fail(diag::Code::wrong_argument_type, {},
                      fmt::format("argument {} of entry `{}` needs rank {} of `{}`", k + 1,
                                  entry.name, param.rank, prim::name(type)))
        .value();
  }
  return std::nullopt;
}

diag::Result<std::unique_ptr<HostProgram>> compile(const imp::Program& program,
                                                   const std::string& entry,
                                                   const CompileOptions& options) {
  for (const imp::Function& function : program.functions) {
    if (!function.is_entry || function.name != entry) continue;
    auto code = compileCode(program, entry, options);
    if (!code) return tl::unexpected(code.error());
    return std::make_unique<CompiledProgram>(program, function, std::move(*code), options);
  }
  return diag::fail(diag::Code::unknown_entry, {}, "no entry `" + entry + "`");
}

}  // namespace halo::jit
