// halo check: parse and type-check; diagnostics to standard error, status 2 on errors.
#include "cli/commands.h"

namespace halo::cli {

namespace {

struct Checked {
  explicit Checked(session::SessionOptions options) : session(std::move(options)) {}
  session::Session session;
  std::optional<session::Loaded> program;
};

}  // namespace

int check(const Common& common, const CheckArguments& arguments,
          const std::vector<std::string>& files) {
  int worst = kOk;
  // The last one goes with the process: to free a large program takes a tenth of the time.
  static auto& checked = *new std::optional<Checked>;
  for (const std::string& file : files) {
    session::SessionOptions options = sessionOptions(common);
    options.warns = !arguments.is_silent;
    checked.emplace(std::move(options));
    diag::Sink sink;
    checked->program = checked->session.load(file, sink);
    const bool is_warned = !sink.all().empty();
    worst = std::max(worst, report(common, checked->session.files(), sink));
    if (arguments.is_strict && is_warned) worst = std::max(worst, kRejected);
  }
  return worst;
}

}  // namespace halo::cli
