// Telling commands from program text, and printing the result of an input.
#include "cli/repl/repl.h"

#include <fmt/format.h>

#include "cli/repl/command.h"
#include "cli/repl/hints.h"
#include "lang/diag/json.h"

namespace halo::repl {

namespace {

std::string trimmed(const std::string& text) {
  const size_t begin = text.find_first_not_of(" \t\r\n");
  if (begin == std::string::npos) return "";
  return text.substr(begin, text.find_last_not_of(" \t\r\n") - begin + 1);
}

std::string joined(const std::vector<std::string>& words) {
  std::string text;
  for (size_t i = 0; i < words.size(); ++i) {
    if (i > 0) text += i + 1 == words.size() ? " or " : ", ";
    text += "`:" + words[i] + "`";
  }
  return text;
}

}  // namespace

Repl::Repl(session::SessionOptions options, Io io)
    : session_(std::move(options)), workspace_(session_), io_(std::move(io)) {}

bool Repl::enter(const std::string& text) {
  for (const std::string& input : splitInputs(text)) {
    if (!enterOne(input)) ++failures_;
    if (quit) return false;
  }
  return true;
}

bool Repl::enterOne(const std::string& input) {
  const std::string text = trimmed(input);
  if (text.starts_with(":")) return command(text.substr(1));
  const bool is_hole = text.starts_with("???");  // an expression
  if (text.starts_with("?") && !is_hole) return command("doc " + trimmed(text.substr(1)));
  diag::Sink sink;
  const bool is_quiet = text.ends_with(";");
  Entered entered;
  watched([&] {
    entered = workspace_.enter(is_quiet ? text.substr(0, text.size() - 1) : input,
                               settings.backends, sink);
  });
  if (!entered.ok) {
    if (const auto hint = hintFor(text)) sink = withNote(sink, "help: " + *hint);
    fail(sink);
    if (!entered.agreement.empty()) say("-- " + entered.agreement);
    return false;
  }
  fail(sink);  // warnings
  if (!is_quiet) printMade(entered);
  if (!entered.agreement.empty()) say("-- " + entered.agreement);
  if (settings.show_time) printTimes(entered.times);
  return true;
}

void Repl::watched(const std::function<void()>& evaluate) const {
  if (io_.watch) {
    io_.watch(evaluate);
  } else {
    evaluate();
  }
}

bool Repl::command(const std::string& input) {
  const CommandLine line = splitCommand(input);
  const Found found = findCommand(line.name);
  if (found.command != nullptr) {
    const size_t at = line.name.find('@');
    const std::string stage = at == std::string::npos ? "" : line.name.substr(at) + " ";
    return found.command->run(*this, stage + line.argument);
  }
  if (found.candidates.empty()) {
    std::vector<std::string> names;
    for (const Command& command : commands()) names.emplace_back(command.name);
    const auto near = diag::didYouMean(line.name, names);
    return fail("there is no command `:" + line.name + "`, " +
                (near ? "did you mean `:" + *near + "`?" : "`:help` lists them"));
  }
  return fail("`:" + line.name + "` may be " + joined(found.candidates));
}

bool Repl::showPictures(const std::vector<picture::Pixels>& frames) const {
  if (io_.pictures) io_.pictures(frames);
  return static_cast<bool>(io_.pictures);
}

bool Repl::fail(const diag::Diagnostic& diagnostic) {
  io_.err(display.is_json ? diag::toJson(diagnostic, session_.files()) + "\n"
                          : diag::render(diagnostic, session_.files(), {.color = display.color}));
  return false;
}

bool Repl::fail(const diag::Sink& sink) {
  if (!sink.all().empty()) {
    io_.err(display.is_json ? diag::toJsonLines(sink, session_.files())
                            : diag::render(sink, session_.files(), {.color = display.color}));
  }
  return false;
}

bool Repl::fail(const std::string& message) {
  io_.err(display.is_json
              ? R"({"severity": "error", "message": )" + diag::jsonString(message) + "}\n"
              : "error: " + message + "\n");
  return false;
}

std::optional<Checked> Repl::check(const std::string& expression) {
  diag::Sink sink;
  auto checked = workspace_.check(expression, sink);
  if (!checked) fail(sink);
  return checked;
}

std::optional<Evaluation> Repl::evaluate(const std::string& expression) {
  const auto checked = check(expression.empty() ? "it" : expression);
  if (!checked) return std::nullopt;
  if (!checked->isValue()) {
    fail("`" + expression + "` is a function, of type `" + checked->type() + "`");
    return std::nullopt;
  }
  diag::Result<Evaluation> evaluation = Evaluation{};
  watched([&] { evaluation = workspace_.evaluate(*checked, backend()); });
  if (!evaluation) {
    fail(evaluation.error());
    return std::nullopt;
  }
  return std::move(*evaluation);
}

// `f32 = 1.5` for an expression, `x : f32 = 1.5` for a definition.
void Repl::printMade(const Entered& entered) {
  for (const Made& made : entered.made) {
    if (!made.kind.empty()) {
      say(made.kind + (made.name.empty() ? "" : " " + made.name));
      continue;
    }
    std::string line = entered.is_expression ? made.type : made.name + " : " + made.type;
    if (made.value) {
      auto text = show(*made.value, made.layout, settings.show);
      if (!text) {
        fail(text.error());
        continue;
      }
      line += (text->starts_with('\n') ? " =" : " = ") + *text;
    }
    say(line);
  }
}

void Repl::printTimes(const Times& times) {
  say(fmt::format("-- {}: check {:.2f} ms, compile {:.2f} ms, run {:.2f} ms",
                  session::name(times.backend), times.check_ms, times.compile_ms, times.run_ms));
}

}  // namespace halo::repl
