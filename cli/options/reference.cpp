#include "cli/options/reference.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <CLI/Config.hpp>
#include <CLI/Formatter.hpp>
#include <algorithm>
#include <functional>
#include <vector>

namespace halo::cli {
namespace {

struct Choice {
  std::vector<std::string> spellings;  // `-v`, `--verbose`
  std::string description;
  std::vector<std::string> values;  // of which it takes one; none: free text or nothing
  bool takes_value = false;
};

struct Command {
  std::string name, description;
  std::vector<Choice> options;
  std::vector<std::string> positionals;
  std::vector<std::string> tasks;  // that the first positional is one of: `halo pkg sync`
};

// `{auto,always,never}` in the name of the option's type.
std::vector<std::string> valuesOf(const CLI::Option& option) {
  if (option.check_lname("backend")) return {"interp", "cpu", "gpu", "auto", "all"};
  const std::string type = option.get_type_name();
  const size_t begin = type.find('{');
  const size_t end = type.find('}', begin);
  std::vector<std::string> values;
  if (end == std::string::npos) return values;
  for (size_t at = begin + 1; at < end;) {
    const size_t comma = std::min(type.find(',', at), end);
    values.push_back(type.substr(at, comma - at));
    at = comma + 1;
  }
  return values;
}

std::string inOneLine(std::string text) {
  std::replace(text.begin(), text.end(), '\n', ' ');
  return text;
}

Choice choiceOf(const CLI::Option& option) {
  Choice choice;
  for (const std::string& name : option.get_snames()) choice.spellings.push_back("-" + name);
  for (const std::string& name : option.get_lnames()) choice.spellings.push_back("--" + name);
  choice.description = inOneLine(option.get_description());
  choice.values = valuesOf(option);
  choice.takes_value = option.get_items_expected_max() > 0;
  return choice;
}

Command commandOf(const CLI::App& sub) {
  Command command{sub.get_name(), inOneLine(sub.get_description()), {}, {}, {}};
  for (const CLI::Option* option : sub.get_options()) {
    if (option->nonpositional()) {
      command.options.push_back(choiceOf(*option));
    } else {
      const bool is_list = option->get_items_expected_max() > 1;
      if (command.positionals.empty()) command.tasks = valuesOf(*option);
      command.positionals.push_back(option->get_name() + (is_list ? " ..." : ""));
    }
  }
  return command;
}

std::vector<Command> commandsOf(const CLI::App& app) {
  std::vector<Command> commands;
  for (const CLI::App* sub : app.get_subcommands([](const CLI::App*) { return true; })) {
    commands.push_back(commandOf(*sub));
  }
  return commands;
}

std::vector<std::string> spellingsOf(const Command& command) {
  std::vector<std::string> all;
  for (const Choice& option : command.options) {
    all.insert(all.end(), option.spellings.begin(), option.spellings.end());
  }
  return all;
}

std::string bashScript(const std::vector<Command>& commands) {
  std::vector<std::string> names;
  std::string options, values;
  for (const Command& command : commands) {
    names.push_back(command.name);
    options += fmt::format("    {}) options='{}' tasks='{}' ;;\n", command.name,
                           fmt::join(spellingsOf(command), " "), fmt::join(command.tasks, " "));
    for (const Choice& option : command.options) {
      if (option.values.empty()) continue;
      values += fmt::format("    {}:{}) values='{}' ;;\n", command.name, option.spellings.back(),
                            fmt::join(option.values, " "));
    }
  }
  // `--backend=cpu` reaches a completion as three words: the option, `=`, and the value.
  return fmt::format(R"(# bash completion of halo, made by `halo completion bash`
_halo() {{
  local word=${{COMP_WORDS[COMP_CWORD]}} before=${{COMP_WORDS[COMP_CWORD-1]}}
  local command=${{COMP_WORDS[1]-}} options='' values='' tasks=''
  if [[ $word == = ]]; then word=''
  elif [[ $before == = ]]; then before=${{COMP_WORDS[COMP_CWORD-2]}}
  fi
  if ((COMP_CWORD == 1)); then
    mapfile -t COMPREPLY < <(compgen -W 'help {}' -- "$word"; compgen -f -X '!*.fut' -- "$word")
    return
  fi
  case $command:$before in
{}  esac
  case $command in
{}    help) values='engines schedules {}' ;;
  esac
  if [[ -n $values ]]; then
    mapfile -t COMPREPLY < <(compgen -W "$values" -- "$word")
  elif [[ $word == -* ]]; then
    mapfile -t COMPREPLY < <(compgen -W "$options --help" -- "$word")
  elif ((COMP_CWORD == 2)); then
    mapfile -t COMPREPLY < <(compgen -W "$tasks" -- "$word")
  fi
}}
complete -o bashdefault -o default -F _halo halo
)",
                     fmt::join(names, " "), values, options, fmt::join(names, " "));
}

// Within single quotes of a shell.
std::string quoted(const std::string& text, const std::string& special) {
  std::string out;
  for (char c : text) {
    if (c == '\'') {
      out += "'\\''";
    } else {
      if (special.find(c) != std::string::npos) out += '\\';
      out += c;
    }
  }
  return out;
}

std::string zshOption(const Choice& option, const std::string& spelling) {
  std::string value;
  if (option.takes_value) value = ":value:_files";
  if (!option.values.empty()) {
    value = fmt::format(":value:({})", fmt::join(option.values, " "));
  }
  return fmt::format(" \\\n        '{}{}[{}]{}'", spelling,
                     option.takes_value && spelling.size() > 2 ? "=" : "",
                     quoted(option.description, "[]:"), value);
}

std::string zshScript(const std::vector<Command>& commands) {
  std::string names, cases;
  for (const Command& command : commands) {
    names += fmt::format("    '{}:{}'\n", command.name, quoted(command.description, ":"));
    std::string options;
    for (const Choice& option : command.options) {
      for (const std::string& spelling : option.spellings) options += zshOption(option, spelling);
    }
    if (!command.tasks.empty()) {
      options += fmt::format(" \\\n        '1:task:({})'", fmt::join(command.tasks, " "));
    }
    cases += fmt::format("      {}) _arguments{} \\\n        '*:file:_files' ;;\n", command.name,
                         options);
  }
  return fmt::format(R"(#compdef halo
# zsh completion of halo, made by `halo completion zsh`
_halo() {{
  local -a commands=(
{}  )
  if ((CURRENT == 2)); then
    _describe command commands
    _files -g '*.fut'
  else
    local command=$words[2]
    shift words
    ((CURRENT--))
    case $command in
{}      *) _files ;;
    esac
  fi
}}
_halo "$@"
)",
                     names, cases);
}

std::string fishScript(const std::vector<Command>& commands) {
  std::string out = "# fish completion of halo, made by `halo completion fish`\n";
  for (const Command& command : commands) {
    out += fmt::format("complete -c halo -n __fish_use_subcommand -a {} -d '{}'\n", command.name,
                       quoted(command.description, "\\"));
    if (!command.tasks.empty()) {
      out += fmt::format("complete -c halo -n '__fish_seen_subcommand_from {}' -f -a '{}'\n",
                         command.name, fmt::join(command.tasks, " "));
    }
    for (const Choice& option : command.options) {
      out += fmt::format("complete -c halo -n '__fish_seen_subcommand_from {}'", command.name);
      for (const std::string& spelling : option.spellings) {
        out +=
            spelling.starts_with("--") ? " -l " + spelling.substr(2) : " -s " + spelling.substr(1);
      }
      if (!option.values.empty()) {
        out += fmt::format(" -x -a '{}'", fmt::join(option.values, " "));
      } else if (option.takes_value) {
        out += " -r";
      }
      out += fmt::format(" -d '{}'\n", quoted(option.description, "\\"));
    }
  }
  return out;
}

// ---- manuals

// Text for troff: no line is a request, no hyphen becomes another sign.
std::string troff(const std::string& text) {
  std::string out;
  for (char c : text) {
    if (c == '-' || c == '\\') out += '\\';
    out += c == '\\' ? 'e' : c;
  }
  return out.starts_with('.') || out.starts_with('\'') ? "\\&" + out : out;
}

std::string optionsText(const std::vector<Choice>& options) {
  std::string out;
  for (const Choice& option : options) {
    std::vector<std::string> spellings;
    for (const std::string& spelling : option.spellings) spellings.push_back(troff(spelling));
    const std::string value = option.values.empty()
                                  ? std::string(option.takes_value ? "VALUE" : "")
                                  : fmt::format("{}", fmt::join(option.values, "|"));
    out += fmt::format(".TP\n.B {}{}{}\n{}\n", fmt::join(spellings, ", "), value.empty() ? "" : " ",
                       troff(value), troff(option.description));
  }
  return out;
}

std::string wholeManual(const std::vector<Command>& commands, const std::string& description) {
  std::string out = fmt::format(
      ".TH HALO 1\n.SH NAME\nhalo \\- {}\n.SH SYNOPSIS\n.B halo\n.I COMMAND\n[\\fIOPTION\\fR...] "
      "[\\fIARGUMENT\\fR...]\n.br\n.B halo\n.I FILE.fut\n[\\fIARGUMENT\\fR...]\n.SH COMMANDS\n",
      troff(description));
  for (const Command& command : commands) {
    out += fmt::format(".TP\n.B {}\n{}\n", command.name, troff(command.description));
  }
  return out +
         ".SH EXIT STATUS\n0; 1 run\\-time error; 2 the program was rejected; 3 this engine "
         "cannot run it; 64 wrong usage.\n.SH SEE ALSO\n.BR halo\\-run (1),\n"
         ".BR halo\\-repl (1);\n.B halo COMMAND \\-\\-help\n";
}

std::string commandManual(const Command& command) {
  std::string upper = command.name;
  std::transform(upper.begin(), upper.end(), upper.begin(),
                 [](unsigned char c) { return std::toupper(c); });
  std::string arguments;
  for (const std::string& name : command.positionals) arguments += "\n.I " + troff(name);
  return fmt::format(
      ".TH HALO\\-{} 1\n.SH NAME\nhalo\\-{} \\- {}\n.SH SYNOPSIS\n.B halo "
      "{}\n[\\fIOPTION\\fR...]{}\n"
      ".SH OPTIONS\n{}.SH SEE ALSO\n.BR halo (1)\n",
      upper, troff(command.name), troff(command.description), command.name, arguments,
      optionsText(command.options));
}

}  // namespace

std::string completionScript(const CLI::App& app, const std::string& shell) {
  const std::vector<Command> commands = commandsOf(app);
  if (shell == "bash") return bashScript(commands);
  if (shell == "zsh") return zshScript(commands);
  return shell == "fish" ? fishScript(commands) : "";
}

std::string manualPage(const CLI::App& app, const std::string& command) {
  const std::vector<Command> commands = commandsOf(app);
  if (command == "halo") return wholeManual(commands, app.get_description());
  const auto found = std::find_if(commands.begin(), commands.end(),
                                  [&](const Command& known) { return known.name == command; });
  return found == commands.end() ? "" : commandManual(*found);
}

}  // namespace halo::cli
