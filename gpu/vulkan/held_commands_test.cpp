// Levels of commands by the memory that they touch.
#include "gpu/vulkan/held_commands.h"

#include <doctest/doctest.h>

using namespace halo::gpu::vulkan;  // NOLINT: a test of this namespace

namespace {

HeldCommand step(std::string name, uint64_t from, uint64_t to, uint32_t groups = 1) {
  HeldCommand command;
  command.name = std::move(name);
  command.groups = {groups, 1, 1};
  command.accesses = {{from, 100, false}, {to, 100, true}};
  return command;
}

std::string namesOf(const std::vector<HeldCommand>& commands) {
  std::string names;
  for (const HeldCommand& command : commands) {
    names += command.name + std::to_string(command.level) + " ";
  }
  return names;
}

}  // namespace

TEST_CASE("held commands: chains side by side, small commands first") {
  HeldCommands held;
  held.add(step("a", 0, 100, 9));
  held.add(step("b", 100, 0, 9));
  held.add(step("c", 0, 100, 9));
  held.add(step("x", 1000, 1100));
  held.add(step("y", 1100, 1000));
  CHECK(held.levels() == 3);
  CHECK(namesOf(held.takeAll()) == "x0 a0 y1 b1 c2 ");
  CHECK(held.isEmpty());
}

TEST_CASE("held commands: later ones come behind the levels that are taken") {
  HeldCommands held;
  held.add(step("a", 0, 100, 9));
  held.add(step("b", 100, 0, 9));
  CHECK(namesOf(held.take(1)) == "a0 ");
  held.add(step("x", 1000, 1100));
  held.add(step("c", 0, 100, 9));
  CHECK(namesOf(held.takeAll()) == "x1 b1 c2 ");
}

TEST_CASE("held commands: readers of the same memory are of one level, a writer waits for all") {
  HeldCommands held;
  held.add(step("a", 0, 100));
  held.add(step("b", 0, 200));
  held.add(step("c", 300, 0));
  held.add(step("d", 50, 400));
  CHECK(namesOf(held.takeAll()) == "a0 b0 c1 d2 ");
}

TEST_CASE("held commands: a launch beside another stays behind it, at its level") {
  HeldCommands held;
  HeldCommand beside = step("e", 0, 0);
  beside.accesses.clear();
  held.add(step("a", 0, 100, 9));
  held.add(beside);
  held.add(step("b", 100, 0, 9));
  held.add(beside);
  held.add(step("x", 1000, 1100, 5));
  held.add(step("y", 1100, 1000, 5));
  CHECK(namesOf(held.takeAll()) == "x0 a0 e0 y1 b1 e1 ");
}
