// halo kernel install: the Python package does it, for the interpreter that has it.
#include <fmt/format.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>

#include "cli/commands.h"

namespace halo::cli {

int kernel(const Common& common, const std::vector<std::string>& words) {
  std::vector<std::string> all = {"python3", "-m", "halo.kernel", "install"};
  all.insert(all.end(), words.begin(), words.end());
  std::vector<char*> arguments;
  for (std::string& word : all) arguments.push_back(word.data());
  arguments.push_back(nullptr);
  execvp(arguments[0], arguments.data());
  return report(common, {},
                diag::fail(diag::Code::missing_file, {},
                           fmt::format("cannot start `python3`: {}", std::strerror(errno)),
                           {"the packages python3-halo and python3-ipykernel have the kernel"})
                    .value());
}

}  // namespace halo::cli
