// A session's answers to the user's input: program text goes to the workspace, `:commands` to
// their functions. Text in, text out; the owner of the terminal gives its width and
// capabilities.
#pragma once

#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include "cli/picture/terminal.h"
#include "cli/repl/workspace.h"

namespace halo::repl {

struct Display {
  picture::Screen screen;
  bool color = false;    // of diagnostics
  bool is_json = false;  // diagnostics as JSON, one object a line
};

struct Settings {
  ShowOptions show;
  bool show_time = false;  // after every input
  std::vector<session::Backend> backends = {session::Backend::kAuto};
};

struct Io {
  std::function<void(std::string_view)> out;  // answers
  std::function<void(std::string_view)> err;  // diagnostics
  // Pictures of `:img` and `:plot`; empty: they are text of `out`.
  std::function<void(const std::vector<picture::Pixels>& frames)> pictures = {};
  // Plots of lines, as SVG; empty: they are pictures.
  std::function<void(const std::string& svg)> drawings = {};
  // Around work that may take long; may be empty.
  std::function<void(const std::function<void()>& evaluate)> watch = {};
};

class Repl {
 public:
  Repl(session::SessionOptions options, Io io);

  // Whatever a text holds: inputs and commands, one after the other. False: `:quit`.
  bool enter(const std::string& text);

  // A paste may hold many inputs; these are the ones that `enter` would see.
  bool needsMore(const std::string& text) const { return isIncomplete(text); }

  // How many inputs have failed.
  int failures() const { return failures_; }

  // ---- for the commands
  Workspace& workspace() { return workspace_; }
  session::Session& session() { return session_; }
  const engine::Options& engineOptions() const { return session_.options().engine; }
  void print(std::string_view text) const { io_.out(text); }
  void say(const std::string& line) const { io_.out(line + "\n"); }
  void showPicturesBy(std::function<void(const std::vector<picture::Pixels>&)> show) {
    io_.pictures = std::move(show);
  }
  void showDrawingsBy(std::function<void(const std::string&)> show) {
    io_.drawings = std::move(show);
  }
  bool showsDrawings() const { return static_cast<bool>(io_.drawings); }
  void showDrawing(const std::string& svg) const { io_.drawings(svg); }
  // False: there is no place for them, so that they are to be printed as text.
  bool showPictures(const std::vector<picture::Pixels>& frames) const;
  bool fail(const diag::Diagnostic& diagnostic);  // always false
  bool fail(const diag::Sink& sink);
  bool fail(const std::string& message);  // about a command
  std::optional<Checked> check(const std::string& expression);
  // The value of an expression, without keeping it.
  std::optional<Evaluation> evaluate(const std::string& expression);
  session::Backend backend() const { return settings.backends[0]; }

  Display display;
  Settings settings;
  std::string loaded_file;  // of `:reload`
  bool quit = false;

 private:
  void watched(const std::function<void()>& evaluate) const;
  bool enterOne(const std::string& input);
  bool command(const std::string& input);
  void printMade(const Entered& entered);
  void printTimes(const Times& times);

  session::Session session_;
  Workspace workspace_;
  Io io_;
  int failures_ = 0;
};

}  // namespace halo::repl
