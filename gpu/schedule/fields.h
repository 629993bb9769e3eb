// The names of a schedule's fields, in the order of its text: shared by printer and parser.
#pragma once

#include <span>

#include "gpu/plan/limits.h"
#include "gpu/schedule/schedule.h"

namespace halo::gpu {

// Names of an enumeration's values, by value.
#define NAMES(Type, Enum, ...)                              \
  inline std::span<const char* const> namesOf(Type::Enum) { \
    static constexpr const char* kNames[] = {__VA_ARGS__};  \
    return kNames;                                          \
  }
#include "gpu/schedule/schedules.def"

// visit(name, field) for each field; fields are int64_t, int, bool, enumerations and field_types.h.
template <typename Visit>
void visitFields(ProductValues& s, Visit&& visit) {
  visit("row_values", s.of_row);
  visit("column_values", s.of_column);
  visit("cell_values", s.of_cell);
}

#define SCHEDULE(Type, text) \
  template <typename Visit>  \
  void visitFields([[maybe_unused]] Type& s, [[maybe_unused]] Visit&& visit) {
#define FIELD(type, name, initial, meaning) visit(#name, s.name);
#define NESTED(Type, name) visitFields(s.name, visit);
#define END_SCHEDULE(Type) }
#include "gpu/schedule/schedules.def"

template <typename Visit>
void visitFields(Limits& s, Visit&& visit) {
  visit("subgroup", s.subgroup);
  visit("shared_bytes", s.shared_bytes);
  visit("invocations", s.most_invocations);
  visit("scratch_bytes", s.scratch_bytes);
  visit("device_scope_atomics", s.groups_talk);
  visit("forward_progress", s.groups_finish);
  visit("matrix_f16", s.matrix_f16);
  visit("matrix_i8", s.matrix_i8);
  visit("matrix_u8", s.matrix_u8);
}

}  // namespace halo::gpu
