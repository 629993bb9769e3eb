// halo kernel install: the Python package does it, for the interpreter that has it.
#include <fmt/format.h>
#include <unistd.h>

#include <cerrno>
#include <cstdlib>
#include <cstring>

#include "cli/commands.h"

namespace halo::cli {
namespace {

// Of a package that is missing Python tells only that it cannot import a name.
bool hasPackages() {
  return std::system(
             "python3 -c 'import importlib.util as u, sys; "
             "sys.exit(None in map(u.find_spec, [\"halo\", \"ipykernel\"]))'") == 0;
}

int missing(const Common& common, std::string what) {
  return report(common, {},
                diag::fail(diag::Code::missing_file, {}, std::move(what),
                           {"the packages python3-halo and python3-ipykernel have the kernel"})
                    .value());
}

}  // namespace

int kernel(const Common& common, const std::vector<std::string>& words) {
  if (!hasPackages()) return missing(common, "the `python3` on the path lacks Halo's kernel");
  std::vector<std::string> all = {"python3", "-m", "halo.kernel", "install"};
  all.insert(all.end(), words.begin(), words.end());
  std::vector<char*> arguments;
  for (std::string& word : all) arguments.push_back(word.data());
  arguments.push_back(nullptr);
  execvp(arguments[0], arguments.data());
  return missing(common, fmt::format("cannot start `python3`: {}", std::strerror(errno)));
}

}  // namespace halo::cli
