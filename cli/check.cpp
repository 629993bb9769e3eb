// halo check: parse and type-check; diagnostics to standard error, status 2 on errors.
#include "cli/commands.h"

namespace halo::cli {

int check(const Common& common, const std::vector<std::string>& files) {
  int worst = kOk;
  for (const std::string& file : files) {
    session::SessionOptions options = sessionOptions(common);
    options.warns = true;
    session::Session session(std::move(options));
    diag::Sink sink;
    session.load(file, sink);
    worst = std::max(worst, report(common, session.files(), sink));
  }
  return worst;
}

}  // namespace halo::cli
