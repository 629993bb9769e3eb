// Commands for files and pictures.
#include "cli/picture/file.h"
#include "cli/picture/frames.h"
#include "cli/picture/plot.h"
#include "cli/repl/commands.h"
#include "cli/repl/repl.h"
#include "cli/session/values/arguments.h"
#include "lang/ranks/ranks.h"

namespace halo::repl {

namespace {

constexpr int64_t kPlotWidth = 560, kPlotHeight = 280;  // where plots are pictures

}  // namespace

bool runSave(Repl& repl, const std::string& argument) {
  const std::vector<std::string> words = session::splitWords(argument);
  if (words.empty()) return repl.fail("`:save` takes a file, and the value for it");
  const size_t at = argument.find(words[0]) + words[0].size();
  const size_t begin = argument.find_first_not_of(" \t", at);
  const std::string expression = begin == std::string::npos ? "it" : argument.substr(begin);
  const auto evaluation = repl.evaluate(expression);
  if (!evaluation) return false;
  const ranks::Ranks* ranks = repl.session().options().ranks;
  if (ranks != nullptr && !ranks->isFirst()) return true;  // the first one writes
  auto written = picture::writeFile(words[0], evaluation->value);
  if (!written) return repl.fail(written.error());
  repl.say("wrote " + *written);
  return true;
}

bool runImg(Repl& repl, const std::string& argument) {
  const auto evaluation = repl.evaluate(argument);
  if (!evaluation) return false;
  const auto frames = picture::framesOf(evaluation->value);
  if (!frames) return repl.fail(frames.error());
  if (repl.showPictures(*frames)) return true;
  repl.print(picture::inTerminal(frames->front(), repl.display.screen));
  if (frames->size() > 1) {
    repl.say("the first of " + std::to_string(frames->size()) +
             " pictures; `:save FILE.png` writes them all");
  }
  return true;
}

bool runPlot(Repl& repl, const std::string& argument) {
  const auto evaluation = repl.evaluate(argument);
  if (!evaluation) return false;
  const auto plot = picture::plotOf(evaluation->value);
  if (!plot) return repl.fail(plot.error());
  if (plot->heat.empty() && repl.showsDrawings()) {
    repl.showDrawing(picture::asSvg(*plot, kPlotWidth, kPlotHeight));
    return true;
  }
  const bool is_shown = repl.showPictures({picture::asPicture(*plot, kPlotWidth, kPlotHeight)});
  if (is_shown) return true;
  repl.print(picture::inTerminal(*plot, repl.display.screen));
  return true;
}

}  // namespace halo::repl
