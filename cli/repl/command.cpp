// The table of commands, and finding one by the beginning of its name.
#include "cli/repl/command.h"

#include <algorithm>
#include <utility>

#include "cli/repl/commands.h"

namespace halo::repl {

namespace {

constexpr Command kCommands[] = {
    {"backend", "[interp|cpu|gpu|auto|all]", Argument::kWord,
     "the engine that evaluates; `all` compares them", runBackend},
    {"bench", "EXPRESSION", Argument::kExpression, "run it many times: minimum, median, mean",
     runBench},
    {"cd", "FOLDER", Argument::kFolder, "change the current folder", runCd},
    {"clear", "", Argument::kNone, "clear the screen", runClear},
    {"core", "EXPRESSION", Argument::kExpression,
     "its Core; `:core@PASS` after one of the optimiser's passes", runCore},
    {"device", "[NAME]", Argument::kWord, "list the Vulkan devices, or use one", runDevice},
    {"doc", "NAME", Argument::kName, "type and documentation; also `?NAME`", runDoc},
    {"glsl", "EXPRESSION", Argument::kExpression, "the shaders that the gpu engine makes of it",
     runGlsl},
    {"help", "[COMMAND]", Argument::kWord, "this list", runHelp},
    {"img", "[EXPRESSION]", Argument::kExpression, "show a picture: `[h][w]` of u32, u8, f32 ..",
     runImg},
    {"info", "[NAME]", Argument::kName, "the type and the origin of a name", runInfo},
    {"llvm", "EXPRESSION", Argument::kExpression, "the LLVM code that the cpu engine makes of it",
     runLlvm},
    {"load", "FILE [NAME]", Argument::kFile,
     "definitions of a program; a value from .png, .npy or text", runLoad},
    {"plot", "[EXPRESSION]", Argument::kExpression,
     "plot `[n]` values, a pair of `xs` and `ys`, or a matrix", runPlot},
    {"pwd", "", Argument::kNone, "the current folder", runPwd},
    {"quit", "", Argument::kNone, "leave; so does Ctrl-D", runQuit},
    {"reload", "", Argument::kNone, "read the last loaded program again", runReload},
    {"reset", "", Argument::kNone, "forget all definitions and values", runReset},
    {"save", "FILE [EXPRESSION]", Argument::kFile,
     "write a value as .png, .npy, .bin or text; pictures in a row as an animation", runSave},
    {"set", "[OPTION VALUE]", Argument::kWord, "show or change the options", runSet},
    {"time", "EXPRESSION", Argument::kExpression, "evaluate and say where the time goes", runTime},
    {"type", "EXPRESSION", Argument::kExpression, "its type, without evaluating it", runType},
};

// Letters that would stand for several commands, as other sessions have them.
constexpr std::pair<std::string_view, std::string_view> kShort[] = {{"l", "load"}, {"r", "reload"}};

bool isBlank(char c) { return c == ' ' || c == '\t' || c == '\n' || c == '\r'; }

}  // namespace

std::span<const Command> commands() { return kCommands; }

Found findCommand(std::string_view prefix) {
  prefix = prefix.substr(0, prefix.find('@'));
  Found found;
  if (prefix.empty()) return found;
  for (const auto& [letter, name] : kShort) {
    if (prefix == letter) prefix = name;
  }
  for (const Command& command : kCommands) {
    const std::string_view name = command.name;
    if (name == prefix) return {&command, {}};
    if (name.starts_with(prefix)) {
      found.command = &command;
      found.candidates.emplace_back(name);
    }
  }
  if (found.candidates.size() == 1) return {found.command, {}};
  found.command = nullptr;
  return found;
}

CommandLine splitCommand(std::string_view line) {
  const auto begin = std::find_if_not(line.begin(), line.end(), isBlank);
  const auto name_end = std::find_if(begin, line.end(), isBlank);
  const auto argument = std::find_if_not(name_end, line.end(), isBlank);
  CommandLine split{std::string(begin, name_end), std::string(argument, line.end())};
  while (!split.argument.empty() && isBlank(split.argument.back())) split.argument.pop_back();
  return split;
}

}  // namespace halo::repl
