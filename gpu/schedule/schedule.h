// Schedules: how a kernel is made, not its meaning. `choose` decides them, stage `kernels` prints
// them, templates carry them out. The separation is Halide's [Ragan-Kelley 2013].
//
// Structs are plain data, one for each SCHEDULE of schedules.def. `legal` says which values a
// device can carry out.
#pragma once

#include <string>
#include <variant>
#include <vector>

#include "gpu/schedule/condition.h"
#include "gpu/schedule/field_types.h"
#include "lang/prim/prim.h"

namespace halo::gpu {

#define SCHEDULE(Type, text) \
  struct Type {              \
    static constexpr const char* kName = #text;
#define MEMBERS(...) __VA_ARGS__
#define FIELD(type, name, initial, meaning) type name = initial;
#define NESTED(Type, name) Type name;
#define END_SCHEDULE(Type)                      \
  bool operator==(const Type&) const = default; \
  }                                             \
  ;
#include "gpu/schedule/schedules.def"

// Rows begin with a comma, so that a type of none stands in front.
template <typename None, typename... All>
struct AllSchedules {
  using Variant = std::variant<All...>;
};
#define SCHEDULE(Type, text) , Type
using Schedule = AllSchedules<void
#include "gpu/schedule/schedules.def"
                              >::Variant;

// One way to run a kernel. The host takes the first version whose guard holds.
struct ScheduleVersion {
  Condition guard;  // the last version has none
  Schedule schedule;
  std::string reason;  // for --explain; no part of the text, not compared
  bool operator==(const ScheduleVersion& other) const {
    return guard == other.guard && schedule == other.schedule;
  }
};

}  // namespace halo::gpu
