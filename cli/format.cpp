// halo fmt: programs in their layout, in place, or from standard input to standard output.
#include <fmt/format.h>
#include <unistd.h>

#include "cli/commands.h"
#include "cli/print.h"
#include "cli/session/testing/tester.h"
#include "lang/base/files.h"
#include "lang/format/format.h"

namespace halo::cli {

namespace {

constexpr size_t kMostBytes = size_t{1} << 28;  // the lexer's own limit, with its message, is lower

int notFormatted(const Common& common, const std::string& name) {
  if (!common.quiet) cli::print(stderr, "{}: not formatted\n", name);
  return kRunTimeError;
}

int formatInput(const Common& common, bool checks) {
  base::ReadFile input = base::readFile("/dev/stdin", kMostBytes);
  source::Files files;
  diag::Sink sink;
  const source::FileId file = files.add("<stdin>", std::move(input.bytes));
  const std::optional<std::string> text = format::format(files, file, sink);
  if (!text) return report(common, files, sink);
  if (checks) return *text == files[file].text ? kOk : notFormatted(common, "<stdin>");
  cli::print(stdout, "{}", *text);
  return kOk;
}

int formatFile(const Common& common, const std::string& path, bool checks) {
  base::ReadFile input = base::readFile(path, kMostBytes);
  source::Files files;
  diag::Sink sink;
  if (!input.problem.empty()) {
    sink.error(diag::Code::unreadable_file, {},
               fmt::format("cannot read `{}`: {}", path, input.problem));
    return report(common, files, sink);
  }
  const source::FileId file = files.add(path, std::move(input.bytes));
  const std::optional<std::string> text = format::format(files, file, sink);
  if (!text) return report(common, files, sink);
  if (*text == files[file].text) return kOk;
  if (checks) return notFormatted(common, path);
  const std::string problem = base::writeFile(path, *text);
  return problem.empty() ? kOk : reportUnwritable(common, path, problem);
}

}  // namespace

int formatPrograms(const Common& common, bool checks, const std::vector<std::string>& paths) {
  if (paths.empty()) return formatInput(common, checks);
  int worst = kOk;
  for (const std::string& path : session::findPrograms(paths)) {
    worst = std::max(worst, formatFile(common, path, checks));
  }
  return worst;
}

}  // namespace halo::cli
