// The state that one call of an entry carries along: slots of active functions, evaluated
// constants, the sink of failures, the stop flag.
//
// A run-time failure is the exception Failed; it never leaves this folder (Prepared::call catches
// it). Nothing here costs time while all goes well.
#pragma once

#include <algorithm>
#include <atomic>
#include <initializer_list>
#include <memory>
#include <optional>
#include <span>
#include <unordered_map>
#include <utility>
#include <vector>

#include "interp/arrays/datum.h"
#include "lang/base/cancel.h"
#include "lang/diag/diagnostic.h"
#include "lang/types/checked.h"

namespace halo::interp {

using diag::Code;
using source::Span;

struct Failed {
  diag::Diagnostic diagnostic;
};

// Where an expression stands. One inside the prelude is not shown to the user. A failure there is
// reported at the innermost active application in the user's code (README.md, "Where").
struct Site {
  Span span;
  bool in_prelude = false;
};

class Tape;

class State {
 public:
  explicit State(const base::CancelFlag* cancel);
  State(const State&) = delete;
  State& operator=(const State&) = delete;
  ~State();

  // `count` zeroed slots on top of the stack; pop releases their values.
  Datum* push(size_t count) {
    if (count > static_cast<size_t>(end_ - top_)) failStack();
    Datum* base = top_;
    top_ += count;
    return base;
  }
  void pop(Datum* base) {
    while (top_ != base) (--top_)->reset();
  }

  // Called wherever evaluation may go on for long.
  void poll() {
    if (cancel_word_->load(std::memory_order_relaxed) != 0) failInterrupted();
  }
  // Called before every descent that the program, not its text, makes deep.
  void checkStack() {
    if (reinterpret_cast<uintptr_t>(__builtin_frame_address(0)) < stack_limit_) failStack();
  }

  void enterCall() {
    if (++calls_ > kMaxCalls) failStack();
  }
  void leaveCall() { --calls_; }

  Span where(const Site& site) const { return site.in_prelude ? user_span : site.span; }
  [[noreturn]] void fail(Code code, Span span, std::span<const int64_t> operands) const;
  [[noreturn]] void fail(Code code, Span span, std::initializer_list<int64_t> operands = {}) const {
    fail(code, span, std::span<const int64_t>(operands.begin(), operands.size()));
  }
  // A built-in fails: it counts as prelude code.
  [[noreturn]] void fail(Code code, std::initializer_list<int64_t> operands = {}) const {
    fail(code, user_span, operands);
  }

  Span user_span;  // the innermost active application in the user's code
  // Open derivative operators. While there are none every scalar is plain (active.h).
  uint32_t differentiating = 0;
  std::vector<Tape*> tapes{nullptr};  // by level, from 1 on; null: forward mode
  bool isReverse() const {
    return std::any_of(tapes.begin(), tapes.end(),
                       [](const Tape* tape) { return tape != nullptr; });
  }
  std::unordered_map<types::DefId, Datum> constants;

 private:
#ifdef __EMSCRIPTEN__
  // Most of a call's frames is in the stack of JavaScript, which has about 1 MB: 300 to 500 bytes a
  // call. Its end cannot be asked for, and the page ends there.
  static constexpr int kMaxCalls = 1500;
#else
  // Failing unwinds them, which takes 3 us for each.
  static constexpr int kMaxCalls = 600000;
#endif
  [[noreturn]] void failStack() const;
  [[noreturn]] void failInterrupted() const;

  const std::atomic<uint32_t>* cancel_word_;
  uintptr_t stack_limit_;
  int calls_ = 0;  // of functions that are active
  Datum* slots_;
  Datum* top_;
  Datum* end_;
};

// Marks `span` as the active application in the user's code for a while.
class UserSpanScope {
 public:
  UserSpanScope(State& state, const Site& site) : state_(state), previous_(state.user_span) {
    if (!site.in_prelude) state.user_span = site.span;
  }
  ~UserSpanScope() { state_.user_span = previous_; }
  UserSpanScope(const UserSpanScope&) = delete;
  UserSpanScope& operator=(const UserSpanScope&) = delete;

 private:
  State& state_;
  Span previous_;
};

// The body of a function is evaluated for a while. A text may be deep, and takes up stack only.
// Calls in calls have a limit of their own, long before a stack of several GiB ends.
class CallScope {
 public:
  explicit CallScope(State& state) : state_(state) { state_.enterCall(); }
  ~CallScope() { state_.leaveCall(); }
  CallScope(const CallScope&) = delete;
  CallScope& operator=(const CallScope&) = delete;

 private:
  State& state_;
};

// A derivative operator is open; `tape` is null in forward mode.
class LevelScope {
 public:
  LevelScope(State& state, Tape* tape) : level(++state.differentiating), state_(state) {
    state_.tapes.push_back(tape);
  }
  ~LevelScope() {
    state_.tapes.pop_back();
    --state_.differentiating;
  }
  LevelScope(const LevelScope&) = delete;
  LevelScope& operator=(const LevelScope&) = delete;
  const uint32_t level;

 private:
  State& state_;
};

// Work on plain values alone, which runs as if no operator were open.
class PlainScope {
 public:
  explicit PlainScope(State& state)
      : state_(state), previous_(std::exchange(state.differentiating, 0)) {}
  ~PlainScope() { state_.differentiating = previous_; }
  PlainScope(const PlainScope&) = delete;
  PlainScope& operator=(const PlainScope&) = delete;

 private:
  State& state_;
  uint32_t previous_;
};

// Slots that live as long as a C++ scope.
class Slots {
 public:
  Slots(State& state, size_t count) : state_(state), base_(state.push(count)) {}
  ~Slots() { state_.pop(base_); }
  Slots(const Slots&) = delete;
  Slots& operator=(const Slots&) = delete;
  Datum* get() const { return base_; }

 private:
  State& state_;
  Datum* base_;
};

}  // namespace halo::interp
