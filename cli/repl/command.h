// The commands of the REPL: `:time e`. A name may be cut short as long as one command alone is
// meant.
#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace halo::repl {

class Repl;

// The kind of word after a command, for completion.
enum class Argument { kNone, kExpression, kName, kFile, kFolder, kWord };

struct Command {
  const char* name;
  const char* usage;  // of the argument, as `:help` shows it
  Argument argument;
  const char* help;
  bool (*run)(Repl& repl, const std::string& argument);  // false: it failed
};

std::span<const Command> commands();

struct Found {
  const Command* command = nullptr;
  std::vector<std::string> candidates;  // if none or several are meant
};
Found findCommand(std::string_view prefix);

// `:core@fuse e` is the command `core@fuse` with the argument `e`.
struct CommandLine {
  std::string name;
  std::string argument;
};
CommandLine splitCommand(std::string_view line);

}  // namespace halo::repl
