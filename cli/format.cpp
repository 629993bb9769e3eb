// halo fmt: programs in their layout, in place, or from standard input to standard output.
#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>

#include "cli/commands.h"
#include "cli/print.h"
#include "cli/session/testing/programs.h"
#include "lang/base/files.h"
#include "lang/format/changes.h"
#include "lang/format/format.h"

namespace halo::cli {

namespace {

constexpr size_t kMaxBytes = size_t{1} << 28;  // the lexer's own limit, with its message, is lower

// A text whose layout is to change: named or shown instead.
int unchanged(const Common& common, const FormatArguments& arguments, const source::File& file,
              const std::string& text) {
  if (arguments.shows_changes) {
    cli::print(stdout, "{}", format::changes(file.name, file.text, text));
  } else if (!common.quiet) {
    cli::print(stderr, "{}: not formatted\n", file.name);
  }
  return kRunTimeError;
}

int formatInput(const Common& common, const FormatArguments& arguments) {
  base::ReadFile input = base::readFile("/dev/stdin", kMaxBytes);
  source::Files files;
  diag::Sink sink;
  const source::FileId file = files.add("<stdin>", std::move(input.bytes));
  const std::optional<std::string> text = format::format(files, file, sink);
  if (!text) return report(common, files, sink);
  const bool writes = !arguments.checks && !arguments.shows_changes;
  if (writes) cli::print(stdout, "{}", *text);
  if (writes || *text == files[file].text) return kOk;
  return unchanged(common, arguments, files[file], *text);
}

// `is_found`: in a folder, so that its name is news.
int formatFile(const Common& common, const FormatArguments& arguments, const std::string& path,
               bool is_found) {
  base::ReadFile input = base::readFile(path, kMaxBytes);
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
  if (arguments.checks || arguments.shows_changes) {
    return unchanged(common, arguments, files[file], *text);
  }
  const std::string problem = base::writeFile(path, *text);
  if (!problem.empty()) return reportUnwritable(common, path, problem);
  if (is_found && !common.quiet) cli::print(stderr, "{}: formatted\n", path);
  return kOk;
}

}  // namespace

int formatPrograms(const Common& common, const FormatArguments& arguments) {
  const bool is_input = arguments.paths.empty() || arguments.paths == std::vector<std::string>{"-"};
  if (is_input) return formatInput(common, arguments);
  int worst = kOk;
  for (const std::string& path : session::findPrograms(arguments.paths)) {
    const bool is_found =
        std::find(arguments.paths.begin(), arguments.paths.end(), path) == arguments.paths.end();
    worst = std::max(worst, formatFile(common, arguments, path, is_found));
  }
  return worst;
}

}  // namespace halo::cli
