// halo dump --stage=S FILE: any stage of the compiler as text. Stages of the GPU are those of
// `run --device`; without that option those of a reference device, whatever the machine has.
#include <cstdio>

#include "cli/commands.h"
#include "cli/session/stages.h"

namespace halo::cli {

int dump(const Common& common, const DumpArguments& arguments) {
  session::SessionOptions options = sessionOptions(common);
  options.device = common.device;
  session::Session session(std::move(options));
  diag::Sink sink;
  if (arguments.each) {
    auto done = session::forEachPass(session, arguments.file, arguments.entry, sink,
                                     [](const std::string& title, const std::string& text) {
                                       std::printf("---- %s\n%s", title.c_str(), text.c_str());
                                     });
    if (!done) return report(common, session.files(), done.error());
    return report(common, session.files(), sink);
  }
  auto text = session::stageText(session, arguments.file, arguments.stage, arguments.entry, sink);
  if (!text) return report(common, session.files(), text.error());
  std::fputs(text->c_str(), stdout);
  if (!text->empty() && text->back() != '\n') std::fputc('\n', stdout);
  return report(common, session.files(), sink);
}

}  // namespace halo::cli
