#include "cli/options/registry.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cctype>
#include <regex>

#include "cli/options/hints.h"
#include "cli/options/words.h"
#include "cli/print.h"
#include "gpu/plan/variants.h"

namespace halo::cli {

namespace {

// They list the options of engines.
constexpr std::array<std::string_view, 8> kRunning = {"run",     "repl",  "eval", "test",
                                                      "profile", "bench", "tune", "server"};

}  // namespace

Registry::Registry() {
  app_.name("halo");
  app_.require_subcommand(1);
  for (auto* group : {addPrograms, addDocuments, addFiles, addTests, addMeasurements, addStages,
                      addFuzz, addTools}) {
    group(*this);
  }
}

CLI::App* Registry::add(const std::string& name, const std::string& text,
                        std::function<int()> run) {
  CLI::App* sub = app_.add_subcommand(name, text);
  addCommon(*sub, common);
  const bool runs_programs = std::find(kRunning.begin(), kRunning.end(), name) != kRunning.end();
  addEngines(*sub, common, runs_programs ? "Engines" : "");
  if (!runs_programs) sub->footer("`halo help engines` lists the options of engines.");
  if (run) sub->callback([this, run = std::move(run)] { command = run; });
  return sub;
}

void Registry::addValues(std::vector<std::string>& words) const {
  unshieldValues(words);
  words.insert(words.end(), values.begin(), values.end());
}

std::vector<std::string> Registry::commandNames() const {
  std::vector<std::string> names;
  for (const CLI::App* sub : app_.get_subcommands({})) names.push_back(sub->get_name());
  return names;
}

bool Registry::isCommand(const std::string& word) const {
  const std::vector<std::string> names = commandNames();
  return word.starts_with("-") || std::find(names.begin(), names.end(), word) != names.end();
}

int Registry::unknownCommand(const std::string& word) const {
  const auto near = diag::didYouMean(word, commandNames());
  const auto hint = hintForCommand(word, near ? Likeness::kEqual : Likeness::kNear);
  const bool is_near = near.has_value() && !hint;
  return wrongUsage("unknown command `" + word + "`" +
                        (is_near ? ", did you mean `" + *near + "`?" : std::string()),
                    hint ? std::vector{*hint} : std::vector<std::string>());
}

int Registry::wrongWords(std::vector<std::string> reversed, const CLI::ParseError& error) {
  for (CLI::App* sub : app_.get_subcommands({})) {
    for (CLI::Option* option : sub->get_options()) {
      if (option->get_group().empty()) option->group("Engines");  // hidden ones have no name
    }
  }
  try {
    app_.parse(reversed);
  } catch (const CLI::ParseError& named) {
    return wrongUsage(named.what());
  }
  return wrongUsage(error.what());
}

int Registry::wrongUsage(const std::string& what, std::vector<std::string> notes) const {
  static const std::regex missing(R"(^([a-z_-]+) is required$)");
  std::string text = std::regex_replace(what, missing, "the argument `$1` is missing");
  unshield(text);
  text[0] = static_cast<char>(std::tolower(static_cast<unsigned char>(text[0])));
  const auto read = app_.get_subcommands();
  const std::string help = read.empty()
                               ? "`halo --help` lists the commands, `halo run --help` options"
                               : "`halo " + read[0]->get_name() + " --help` lists the options";
  if (!read.empty()) {
    for (std::string& hint : hintsForWords(text, *read[0])) notes.push_back(std::move(hint));
  }
  notes.push_back(help);
  return report(
      common, {},
      diag::fail(diag::Code::wrong_argument_count, {}, std::move(text), std::move(notes)).value());
}

int Registry::helpOfEngines() {
  CLI::App engines("Options of commands that run or compile programs");
  engines.name("halo COMMAND");
  engines.set_help_flag();
  addEngines(engines, common, "Options");
  cli::print(stdout, "{}", engines.help());
  return kOk;
}

int Registry::helpOfSchedules() {
  cli::print(
      stdout,
      "Schedules that --variant=NAME forces wherever they are possible; --explain names those "
      "that run.\n\n{}",
      gpu::variantsText());
  return kOk;
}

}  // namespace halo::cli
