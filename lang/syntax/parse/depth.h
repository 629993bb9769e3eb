// Internal to the parser: how deep constructs are nested. The limit keeps the recursion of rules,
// and of the phases behind them, within the stack.
#pragma once

#include "lang/syntax/parse/cursor.h"

namespace halo::syntax {

inline constexpr size_t kMaxNesting = 256;

// Counts levels of nesting while it lives; one too many begins a panic.
class Depth {
 public:
  explicit Depth(Cursor& cursor, size_t levels = 1) : cursor_(cursor), levels_(levels) {
    cursor_.depth_ += levels_;
    if (cursor_.depth_ > kMaxNesting) tooDeep();
  }
  ~Depth() { cursor_.depth_ -= levels_; }
  Depth(const Depth&) = delete;
  Depth& operator=(const Depth&) = delete;
  void more() {
    ++levels_;
    if (++cursor_.depth_ > kMaxNesting) tooDeep();
  }

 private:
  void tooDeep();

  Cursor& cursor_;
  size_t levels_;
};

}  // namespace halo::syntax
