// Attributes of a program's loops for reverse mode, by the place of the loop:
// lowering gives that place to the loop's statement, passes keep it.
#pragma once

#include <algorithm>
#include <cstdint>
#include <map>
#include <optional>
#include <tuple>

#include "lang/core/ir.h"
#include "lang/types/checked.h"

namespace halo::ad {

struct LoopHint {
  int64_t levels = 1;  // `#[stripmine(k)]`: k loops of n^(1/k) steps instead of one
  int64_t states = 0;  // `#[checkpoint(s)]`: s states at a time; 0: one for each step
  std::optional<int64_t> bound = std::nullopt;  // `#[bound(n)]` with a literal
};

class LoopHints {
 public:
  LoopHints() = default;
  explicit LoopHints(const types::Program& program);

  bool empty() const { return by_place_.empty(); }
  LoopHint of(const core::Stm& loop) const;
  void add(source::Span loop, LoopHint hint);
  // Copies of a loop that run again lack the check which says its bound.
  void addBounds(const core::Body& body);

 private:
  using Key = std::tuple<uint32_t, uint32_t, uint32_t>;
  static Key key(source::Span span) { return {span.file.index, span.begin, span.end}; }

  std::map<Key, LoopHint> by_place_;
};

// A state of a checkpointed loop is kept in front of every so many steps. Their own states are
// recorded at a time: half of all.
inline int64_t recordedAtATime(const LoopHint& hint) {
  return std::max<int64_t>(1, hint.states / 2);
}
// The bound that the loop checks.
std::optional<core::Operand> checkedBound(const core::Loop& loop);
inline int64_t keptInFront(const LoopHint& hint) { return hint.states - recordedAtATime(hint); }

}  // namespace halo::ad
