// Rules that schedules of several families share.
#pragma once

#include <fmt/format.h>

#include <bit>
#include <string>

#include "gpu/plan/limits.h"
#include "gpu/schedule/field_types.h"

namespace halo::gpu {

inline bool isPower(int64_t value) {
  return value > 0 && std::has_single_bit(static_cast<uint64_t>(value));
}

// The fault in a workgroup whose subgroups of `lanes` exchange values; empty: none.
inline std::string lanesProblem(int64_t lanes, int64_t workgroup, const Limits& limits) {
  if (lanes != limits.subgroup || !hasLanes(limits)) {
    return fmt::format("{} lanes exchange values, a subgroup has {}", lanes, limits.subgroup);
  }
  return workgroup % lanes != 0 ? "a workgroup is not whole subgroups" : "";
}

inline std::string finishProblem(Finish finish, const Limits& limits) {
  const bool is_possible = finish == Finish::kLaunch || limits.groups_talk;
  return is_possible ? "" : "the last workgroup needs device-scope atomics";
}

}  // namespace halo::gpu
