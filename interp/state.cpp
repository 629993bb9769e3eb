#include "interp/state.h"

#include <sys/mman.h>

#include <algorithm>

#include "lang/base/stack.h"
#include "lang/engine/failure.h"

namespace halo::interp {

namespace {

// Virtual memory only; pages come when they are touched, and come zeroed. 2^24 slots are more than
// the C++ stack can use up in frames of ordinary functions.
#ifdef __EMSCRIPTEN__
constexpr size_t kSlotCount = size_t{1} << 18;  // WebAssembly touches all of them at once
#else
constexpr size_t kSlotCount = size_t{1} << 24;
#endif
constexpr size_t kStackReserve = 256 * 1024;  // for built-ins, allocation and the failure itself
#ifdef __EMSCRIPTEN__
// The frames of a deep expression are in both stacks: this one, and JavaScript's (state.h), which
// ends first. So no more than a part of this one is used.
constexpr size_t kMaxStack = 160 * 1024;
#else
constexpr size_t kMaxStack = SIZE_MAX;
#endif

uintptr_t stackLimit() {
  const auto& bounds = base::stackBounds();
  HALO_CHECK(bounds.has_value(), "no stack attributes");
  const size_t used = std::min(kMaxStack, bounds->size - kStackReserve);
  return bounds->lowest + bounds->size - used;
}

const base::CancelFlag kNeverCancelled;

}  // namespace

State::State(const base::CancelFlag* cancel)
    : cancel_word_((cancel != nullptr ? cancel : &kNeverCancelled)->address()),
      stack_limit_(stackLimit()) {
  void* memory = mmap(nullptr, kSlotCount * sizeof(Datum), PROT_READ | PROT_WRITE,
                      MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  if (memory == MAP_FAILED) {
    slots_ = top_ = end_ = nullptr;  // the first call reports that the stack is exhausted
    return;
  }
  slots_ = top_ = static_cast<Datum*>(memory);
  end_ = slots_ + kSlotCount;
}

State::~State() {
  constants.clear();
  if (slots_ == nullptr) return;
  pop(slots_);
  munmap(slots_, kSlotCount * sizeof(Datum));
}

void State::fail(Code code, Span span, std::span<const int64_t> operands) const {
  throw Failed{engine::describeFailure(code, operands, span)};
}

void State::failStack() const { fail(Code::stack_exhausted); }
void State::failInterrupted() const { fail(Code::interrupted); }

}  // namespace halo::interp
