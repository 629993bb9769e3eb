// halo repl: the session on a terminal, or on a pipe, where it reads lines and says nothing but
// answers.
#include <signal.h>
#include <unistd.h>

#include <cstdio>
#include <cstring>

#include "cli/as_rank.h"
#include "cli/commands.h"
#include "cli/progress.h"
#include "cli/repl/editing.h"
#include "cli/terminal/history.h"
#include "cli/terminal/line_source.h"
#include "cli/terminal/screen.h"
#include "cli/terminal/shared_lines.h"
#include "lang/base/version.h"

namespace halo::cli {
namespace {

std::string variable(const char* name) {
  const char* value = std::getenv(name);
  return value == nullptr ? "" : value;
}

bool hasUnicode() {
  for (const char* name : {"LC_ALL", "LC_CTYPE", "LANG"}) {
    const std::string locale = variable(name);
    if (locale.empty()) continue;
    return locale.find("UTF-8") != std::string::npos || locale.find("utf8") != std::string::npos;
  }
  return false;
}

// The terminal's properties from its own description; it is asked for kitty's graphics when the
// first picture comes.
picture::Screen describeScreen() {
  picture::Screen screen;
  screen.is_terminal = isatty(STDOUT_FILENO) != 0;
  const terminal::Size size = terminal::screenSize();
  screen.columns = static_cast<int>(size.columns);
  screen.rows = static_cast<int>(size.rows);
  screen.has_unicode = hasUnicode();
  const std::string name = variable("TERM"), colours = variable("COLORTERM");
  const bool is_dumb = name.empty() || name == "dumb" || !variable("NO_COLOR").empty();
  if (!screen.is_terminal || is_dumb || !screen.has_unicode) return screen;
  const bool is_kitty = name == "xterm-kitty" || name == "xterm-ghostty";
  if (is_kitty && variable("TMUX").empty()) {
    screen.mode = picture::Mode::kKitty;
  } else if (colours == "truecolor" || colours == "24bit") {
    screen.mode = picture::Mode::kBlocks;
  } else {
    screen.mode = picture::Mode::kBlocks256;
  }
  return screen;
}

void print(std::FILE* file, std::string_view text) {
  std::fwrite(text.data(), 1, text.size(), file);
  std::fflush(file);
}

// The reader of our answers may leave: then there is nothing left to do, and no reason to die of a
// signal.
bool isOpen() { return std::ferror(stdout) == 0; }

class Face {
 public:
  // `ranks`: null if this process is alone.
  Face(const Common& common, const ReplArguments& arguments, ranks::Ranks* ranks)
      : common_(common),
        ranks_(ranks),
        repl_(options(common, ranks), io(common)),
        is_interactive_(isatty(STDIN_FILENO) != 0),
        file_(arguments.file) {
    repl_.display.screen = describeScreen();
    repl_.display.color = useColor(common);
    repl_.display.is_json = common.diagnostics == "json";
  }

  int run(const std::string& backend) {
    if (!repl_.enter(":backend " + backend) || repl_.failures() > 0) return kWrongUsage;
    if (is_interactive_ && !common_.quiet) {
      std::printf("Halo %s. :help lists the commands, Ctrl-D leaves.\n", base::version());
    }
    if (is_interactive_) repl_.session().lookForDevices();
    if (!file_.empty()) repl_.enter(":load \"" + file_ + "\"");
    if (ranks_ == nullptr || ranks_->isFirst()) makeSource();
    if (ranks_ != nullptr) {
      source_ = terminal::sharedLines(
          [this](std::string* text) { return ranks_->broadcast(text).has_value(); },
          std::move(source_));
    }
    while (isOpen()) {
      cancelFlag().clear();
      std::optional<std::string> input = source_->read();
      if (!input) break;
      // Without an editor Ctrl-C at the prompt is a signal, too, and means that line alone.
      if (!can_edit_) cancelFlag().clear();
      askAboutPictures(*input);
      if (!enter(*input)) break;
    }
    const std::string problem = source_->problem();
    if (!problem.empty()) {
      std::string text = "standard input cannot be read: " + problem;
      return report(common_, {}, diag::fail(diag::Code::unreadable_file, {}, text).value());
    }
    const int profiled = reportProfile(common_, repl_.session().files());
    if (profiled != kOk) return profiled;
    return is_interactive_ || repl_.failures() == 0 ? kOk : kRunTimeError;
  }

 private:
  static repl::Io io(const Common& common) {
    repl::Io io;
    io.out = [](std::string_view text) { print(stdout, text); };
    io.err = [](std::string_view text) { print(stderr, text); };
    io.watch = [is_wanted = !common.quiet](const std::function<void()>& evaluate) {
      const ProgressBar bar(is_wanted);
      evaluate();
    };
    return io;
  }

  static session::SessionOptions options(const Common& common, ranks::Ranks* ranks) {
    session::SessionOptions options = optionsOfRank(common, ranks);
    options.cancel = &cancelFlag();
    return options;
  }

  bool enter(const std::string& input) {
    const terminal::Size size = terminal::screenSize();
    repl_.display.screen.columns = static_cast<int>(size.columns);
    repl_.display.screen.rows = static_cast<int>(size.rows);
    return repl_.enter(input);
  }

  void makeSource() {
    terminal::Language language;
    language.needs_more = [](const std::string& text) { return repl::isIncomplete(text); };
    language.continues = [](const std::string& line) { return repl::continuesInput(line); };
    language.begins_another = repl::beginsAnother;
    const std::string name = variable("TERM");
    can_edit_ = is_interactive_ && isatty(STDOUT_FILENO) != 0 && !name.empty() && name != "dumb";
    if (!can_edit_) {
      source_ = terminal::plainLines(STDIN_FILENO, is_interactive_, std::move(language));
      return;
    }
    language.complete = [this](const std::string& text, size_t cursor) {
      repl::Completion found = repl::complete(repl_, text, cursor);
      return terminal::Completions{found.start, std::move(found.candidates)};
    };
    language.styles = [](const std::string& text) {
      std::vector<terminal::Style> styles;
      for (repl::Part part : repl::partsOf(text)) {
        styles.push_back(static_cast<terminal::Style>(part));
      }
      return styles;
    };
    can_ask_ = true;
    source_ =
        terminal::lineEditor(terminal::historyFile(), repl_.display.color, std::move(language));
  }

  void askAboutPictures(const std::string& input) {
    const bool may_show =
        input.find(":i") != std::string::npos || input.find(":pl") != std::string::npos;
    const bool is_known = repl_.display.screen.mode == picture::Mode::kKitty ||
                          repl_.display.screen.mode == picture::Mode::kAscii;
    if (!can_ask_ || !may_show || is_known || !variable("TMUX").empty()) return;
    can_ask_ = false;
    if (source_->hasKittyGraphics()) repl_.display.screen.mode = picture::Mode::kKitty;
  }

  const Common& common_;
  ranks::Ranks* ranks_;
  repl::Repl repl_;
  bool is_interactive_;
  bool can_edit_ = false;
  bool can_ask_ = false;
  std::string file_;
  std::unique_ptr<terminal::LineSource> source_;
};

static_assert(static_cast<int>(repl::Part::kCommand) ==
              static_cast<int>(terminal::Style::kCommand));

}  // namespace

int repl(const Common& common, const ReplArguments& arguments) {
  signal(SIGPIPE, SIG_IGN);
  cancelFlag();  // Ctrl-C is ours from here on
  const std::string backend = arguments.gpus.empty() ? arguments.backend : "gpu";
  if (ranks::placeOf().isRank()) {
    return asRank(
        common, [&](ranks::Ranks& ranks) { return Face(common, arguments, &ranks).run(backend); });
  }
  const int count = ranksAsked(arguments.ranks, arguments.gpus);
  if (count > 1) return ranks::startHere(count, ranks::Terminal::kOfFirstRank);
  return Face(common, arguments, nullptr).run(backend);
}

}  // namespace halo::cli
