// From the words of a command line to an exit status. The one header of this folder without CLI11.
#pragma once

#include <functional>
#include <string>
#include <vector>

namespace halo::cli {

// Reads the words behind the program's name and calls the command. `version` is the text of
// `--version`.
int runCommand(std::vector<std::string> words, const std::function<std::string()>& version);

}  // namespace halo::cli
