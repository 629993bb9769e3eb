// Levels of commands, by the memory that they touch.
#include "gpu/vulkan/held_commands.h"

#include <algorithm>
#include <iterator>

namespace halo::gpu::vulkan {
namespace {

bool hasToWait(const HeldCommand& later, const HeldCommand& earlier) {
  return std::any_of(later.accesses.begin(), later.accesses.end(), [&](const Access& access) {
    return std::any_of(earlier.accesses.begin(), earlier.accesses.end(),
                       [&](const Access& other) { return conflicts(access, other); });
  });
}

uint64_t groupsOf(const HeldCommand& command) {
  return uint64_t{command.groups[0]} * command.groups[1] * command.groups[2];
}

}  // namespace

bool overlaps(const Access& a, const Access& b) {
  return a.address < b.address + b.bytes && b.address < a.address + a.bytes;
}

bool conflicts(const Access& a, const Access& b) {
  return (a.writes || b.writes) && overlaps(a, b);
}

void HeldCommands::add(HeldCommand command) {
  const bool is_beside = command.accesses.empty() && !commands_.empty();
  command.level = is_beside ? commands_.back().level : first_level_;
  command.size = is_beside ? commands_.back().size : groupsOf(command);
  for (const HeldCommand& earlier : commands_) {
    if (earlier.level >= command.level && hasToWait(command, earlier)) {
      command.level = earlier.level + 1;
    }
  }
  commands_.push_back(std::move(command));
}

std::vector<HeldCommand> HeldCommands::take(int levels) {
  const int end = first_level_ + levels;
  const auto rest =
      std::stable_partition(commands_.begin(), commands_.end(),
                            [&](const HeldCommand& command) { return command.level < end; });
  std::vector<HeldCommand> taken(std::make_move_iterator(commands_.begin()),
                                 std::make_move_iterator(rest));
  commands_.erase(commands_.begin(), rest);
  first_level_ = commands_.empty() ? 0 : end;
  std::stable_sort(taken.begin(), taken.end(), [](const HeldCommand& a, const HeldCommand& b) {
    return a.level != b.level ? a.level < b.level : a.size < b.size;
  });
  return taken;
}

int HeldCommands::levels() const {
  int levels = 0;
  for (const HeldCommand& command : commands_) {
    levels = std::max(levels, command.level + 1 - first_level_);
  }
  return levels;
}

std::vector<HeldCommand> HeldCommands::takeAll() { return take(levels()); }

}  // namespace halo::gpu::vulkan
