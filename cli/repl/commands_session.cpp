// Commands about the session itself: help, files, folders, starting anew.
#include <fmt/format.h>

#include <filesystem>

#include "cli/repl/command.h"
#include "cli/repl/commands.h"
#include "cli/repl/repl.h"
#include "cli/session/values/arguments.h"
#include "lang/value/format.h"

namespace halo::repl {

namespace fs = std::filesystem;

namespace {

constexpr char kIntroduction[] =
    "Type an expression to see its value, a definition to keep it:\n"
    "  map (* 2) (iota 5)      def f x = x * x + 1      f it[3]      -- `it` is the last value\n"
    "A line that is not complete goes on in the next; an empty line ends it anyway. `;` at the "
    "end\n"
    "hides the value. Ctrl-C stops an evaluation, Tab completes, Ctrl-R searches the history.\n"
    "\nCommands, which may be cut short:\n";

bool isProgram(const std::string& path) { return fs::path(path).extension() == ".fut"; }

bool isName(const std::string& word) {
  if (word.empty() || (std::isalpha(static_cast<unsigned char>(word[0])) == 0 && word[0] != '_')) {
    return false;
  }
  for (char c : word) {
    if (std::isalnum(static_cast<unsigned char>(c)) == 0 && c != '_' && c != '\'') return false;
  }
  return true;
}

// `chip` for `data/chip-2.png`: the part of the file's name that can be a name.
std::string nameFor(const std::string& path) {
  std::string name;
  for (char c : fs::path(path).stem().string()) {
    name += std::isalnum(static_cast<unsigned char>(c)) != 0 ? c : '_';
  }
  if (!isName(name)) name = "v_" + name;
  if (std::isupper(static_cast<unsigned char>(name[0])) != 0) {
    name[0] = static_cast<char>(std::tolower(name[0]));
  }
  return name;
}

bool loadProgram(Repl& repl, const std::string& path) {
  diag::Sink sink;
  const bool done = repl.workspace().load(path, sink);
  repl.fail(sink);
  if (done) repl.say("loaded " + path);
  return done;
}

bool loadValue(Repl& repl, const std::string& path, std::string name) {
  auto values = value::readFile(repl.session().files(), path, std::nullopt);
  if (!values) return repl.fail(values.error());
  if (values->empty()) return repl.fail("`" + path + "` holds no value");
  if (name.empty()) name = nameFor(path);
  if (!isName(name)) return repl.fail("`" + name + "` is no name for a value");
  const value::Value value =
      values->size() == 1 ? (*values)[0] : value::makeTuple(std::move(*values));
  diag::Sink sink;
  if (!repl.workspace().define(name, value, sink)) return repl.fail(sink);
  const auto checked = repl.check(name);
  if (checked) repl.say(name + " : " + checked->type());
  return true;
}

}  // namespace

bool runHelp(Repl& repl, const std::string& argument) {
  if (!argument.empty()) {
    const Found found = findCommand(argument.starts_with(":") ? argument.substr(1) : argument);
    if (found.command == nullptr) return repl.fail("there is no command `" + argument + "`");
    const Command& command = *found.command;
    repl.say(fmt::format(":{} {}\n  {}", command.name, command.usage, command.help));
    return true;
  }
  repl.print(kIntroduction);
  for (const Command& command : commands()) {
    const std::string call = std::string(":") + command.name + " " + command.usage;
    repl.say(fmt::format("  {:<34} {}", call, command.help));
  }
  return true;
}

bool runQuit(Repl& repl, const std::string&) {
  repl.quit = true;
  return true;
}

bool runLoad(Repl& repl, const std::string& argument) {
  const std::vector<std::string> words = session::splitWords(argument);
  if (words.empty() || words.size() > 2) return repl.fail("`:load` takes a file");
  std::string path = words[0];
  if (path.size() > 1 && path.starts_with('"') && path.ends_with('"')) {
    path = path.substr(1, path.size() - 2);
  }
  if (!isProgram(path)) return loadValue(repl, path, words.size() > 1 ? words[1] : "");
  repl.loaded_file = fs::absolute(path).string();
  return loadProgram(repl, path);
}

bool runReload(Repl& repl, const std::string&) {
  if (repl.loaded_file.empty()) return repl.fail("no program was loaded, `:load FILE` does that");
  return loadProgram(repl, repl.loaded_file);
}

bool runReset(Repl& repl, const std::string&) {
  repl.workspace().reset();
  return true;
}

bool runClear(Repl& repl, const std::string&) {
  if (repl.display.screen.is_terminal) repl.print("\x1b[H\x1b[2J\x1b[3J");
  return true;
}

bool runCd(Repl& repl, const std::string& argument) {
  const char* home = std::getenv("HOME");
  std::error_code error;
  fs::current_path(argument.empty() && home != nullptr ? home : argument, error);
  if (error) return repl.fail("`" + argument + "`: " + error.message());
  return runPwd(repl, "");
}

bool runPwd(Repl& repl, const std::string&) {
  std::error_code error;
  const fs::path path = fs::current_path(error);
  if (error) return repl.fail("the current folder is gone: " + error.message());
  repl.say(path.string());
  return true;
}

}  // namespace halo::repl
