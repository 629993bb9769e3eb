// Schedules and the program that they belong to, as text.
#include <fmt/format.h>

#include "gpu/schedule/fields.h"
#include "gpu/schedule/text.h"
#include "lang/core/text.h"

namespace halo::gpu {
namespace {

std::string textOf(bool value) { return value ? "true" : "false"; }
std::string textOf(int64_t value) { return std::to_string(value); }
std::string textOf(const MatrixDepth& value) { return std::to_string(value.elements); }
std::string textOf(const OwnWords& value) { return std::to_string(value.words); }
std::string textOf(int value) { return std::to_string(value); }
// rows x lines of invocations x invocations
std::string textOf(const TilePart& part) {
  return fmt::format("{}x{}x{}x{}", part.rows, part.lines, part.lanes, part.height);
}
// [16x32, 32x32]
std::string textOf(const TileBlocks& blocks) {
  std::vector<std::string> texts;
  for (const auto& block : blocks) texts.push_back(fmt::format("{}", fmt::join(block, "x")));
  return fmt::format("[{}]", fmt::join(texts, ", "));
}
// [1x4, 3x2]
std::string textOf(const LevelTiles& tile) {
  TileBlocks levels;
  for (const LevelTile& each : tile.levels) levels.push_back({each.level, each.cells});
  return textOf(levels);
}
template <typename Enum>
requires std::is_enum_v<Enum> std::string textOf(Enum value) {
  return namesOf(value)[static_cast<size_t>(value)];
}

// A sort inside of another schedule.
std::string textOf(const SortSchedule& value) { return print(Schedule(value)); }

template <typename Value>
bool isLeftOut(const Value&) {
  return false;
}
bool isLeftOut(const MatrixDepth& value) { return value.elements == 0; }
bool isLeftOut(const OwnWords& value) { return value.words == 0; }
bool isLeftOut(const LevelTiles& value) { return value.levels.empty(); }
bool isLeftOut(const SortSchedule& value) { return value == SortSchedule{}; }
bool isLeftOut(Finish value) { return value == Finish::kLaunch; }
bool isLeftOut(ReduceSchedule::RunLanes value) {
  return value == ReduceSchedule::RunLanes::kNeighbours;
}
bool isLeftOut(SplitProductSchedule::Blocks value) {
  return value == SplitProductSchedule::Blocks::kLarge;
}

// `name{field=value, ..}`
template <typename Fields>
std::string withFields(const std::string& name, Fields fields) {
  std::string text;
  visitFields(fields, [&](const char* field, auto& value) {
    if (isLeftOut(value)) return;
    text += fmt::format("{}{}={}", text.empty() ? "" : ", ", field, textOf(value));
  });
  return name + "{" + text + "}";
}

std::string printed(const ScheduleVersions& versions, const std::string& kernel) {
  std::string text = "schedule " + kernel + " {\n";
  for (size_t i = 0; i < versions.size(); ++i) {
    const ScheduleVersion& version = versions[i];
    text += "  " + (version.guard.isAlways() ? "otherwise" : "when " + print(version.guard)) + ": ";
    text += print(version.schedule) + (i + 1 < versions.size() ? "\n" : " }\n");
  }
  return text;
}

}  // namespace

std::string print(const Schedule& schedule) {
  return std::visit([](const auto& one) { return withFields(one.kName, one); }, schedule);
}

std::string print(const ScheduledProgram& program) {
  std::string text = "limits " + withFields(program.limits.name, program.limits) + "\n";
  for (const core::Function& function : program.kernels.functions) {
    text += "\n" + core::print(program.kernels, function);
    auto found = program.schedules.find(function.name);
    if (found != program.schedules.end()) text += printed(found->second, function.name);
  }
  return text;
}

}  // namespace halo::gpu
