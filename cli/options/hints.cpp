#include "cli/options/hints.h"

#include <algorithm>
#include <array>
#include <regex>
#include <string_view>

#include "lang/diag/diagnostic.h"

namespace halo::cli {
namespace {

constexpr std::string_view kCompiled =
    "`halo run PROGRAM` compiles and runs, `--backend` names the engine";
constexpr std::string_view kOfClone = "that is a command of the script in a clone: `./halo`";

struct Row {
  std::string_view word, text;
};

constexpr std::array kCommands = {
    Row{"autotune", "`halo tune` finds the fastest kernels"},
    Row{"build", kCompiled},
    Row{"c", kCompiled},
    Row{"compile", kCompiled},
    Row{"cuda", kCompiled},
    Row{"format", "`halo fmt` lays programs out"},
    Row{"hip", kCompiled},
    Row{"install", kOfClone},
    Row{"ispc", kCompiled},
    Row{"multicore", kCompiled},
    Row{"notebook", "`halo kernel install` makes Halo a kernel of Jupyter"},
    Row{"opencl", kCompiled},
    Row{"selftest", kOfClone},
    Row{"shell", "`halo repl` is a session"},
    Row{"version", "`halo --version`"},
};

std::vector<std::string> optionsOf(const CLI::App& command) {
  std::vector<std::string> names;
  for (const CLI::Option* option : command.get_options()) {
    for (const std::string& name : option->get_lnames()) names.push_back("--" + name);
  }
  return names;
}

// `a`, `b`: the words between the braces of "x not in {a,b}".
std::vector<std::string> choices(const std::string& braces) {
  static const std::regex word(R"([^,{}\s]+)");
  return {std::sregex_token_iterator(braces.begin(), braces.end(), word),
          std::sregex_token_iterator()};
}

}  // namespace

std::optional<std::string> hintForCommand(const std::string& word, Likeness likeness) {
  std::vector<std::string> words;
  for (const Row& row : kCommands) words.emplace_back(row.word);
  const auto near = likeness == Likeness::kNear ? diag::didYouMean(word, words) : std::nullopt;
  const auto* row = std::find_if(kCommands.begin(), kCommands.end(), [&](const Row& row) {
    return row.word == word || row.word == near;
  });
  if (row == kCommands.end()) return std::nullopt;
  return "help: " + std::string(row->text);
}

std::vector<std::string> hintsForWords(const std::string& message, const CLI::App& command) {
  static const std::regex option(R"((?:unknown option `|not expected: )(--[\w-]+))");
  static const std::regex value(R"((\S+) not in (\{.*\}))");
  std::smatch found;
  std::optional<std::string> near;
  if (std::regex_search(message, found, option)) {
    near = diag::didYouMean(found.str(1), optionsOf(command));
  } else if (std::regex_search(message, found, value)) {
    near = diag::didYouMean(found.str(1), choices(found.str(2)));
  }
  if (!near) return {};
  return {"help: did you mean `" + *near + "`?"};
}

}  // namespace halo::cli
