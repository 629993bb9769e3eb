// Stage `kernels` as text: the limits, then each function, a kernel with its schedules behind it.
// parse(print(p)) == p, but for spans and reasons.
//
//   limits default{subgroup=32, shared_bytes=32768, ..}
//
//   kernel main_1 [n_1] scatter (n_1: i64, xs_2: [n_1]u32) -> ([n_1]u32) {
//     .. }
//   schedule main_1 {
//     when elements <= 5120: sort{placement=one_workgroup, ..}
//     when elements < 4294967296: sort{placement=onesweep, ..}
//     otherwise: cpu{} }
#pragma once

#include <map>
#include <optional>
#include <string>
#include <vector>

#include "gpu/plan/limits.h"
#include "gpu/schedule/schedule.h"
#include "lang/core/ir.h"

namespace halo::gpu {

using ScheduleVersions = std::vector<ScheduleVersion>;
// By kernel; those of one invocation have none.
using Schedules = std::map<std::string, ScheduleVersions>;

struct ScheduledProgram {
  Limits limits;
  core::Program kernels;
  Schedules schedules;
};

std::string print(const Schedule& schedule);
std::string print(const ScheduledProgram& program);

// Errors: malformed_core at their place in the text.
diag::Result<ScheduledProgram> parseScheduled(const source::Files& files, source::FileId file);

}  // namespace halo::gpu
