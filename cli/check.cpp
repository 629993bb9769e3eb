// halo check: parse and type-check; diagnostics to standard error, status 2 on errors.
#include "cli/commands.h"

namespace halo::cli {

int check(const Common& common, const CheckArguments& arguments,
          const std::vector<std::string>& files) {
  int worst = kOk;
  for (const std::string& file : files) {
    session::SessionOptions options = sessionOptions(common);
    options.warns = !arguments.is_silent;
    session::Session session(std::move(options));
    diag::Sink sink;
    session.load(file, sink);
    const bool is_warned = !sink.all().empty();
    worst = std::max(worst, report(common, session.files(), sink));
    if (arguments.is_strict && is_warned) worst = std::max(worst, kRejected);
  }
  return worst;
}

}  // namespace halo::cli
