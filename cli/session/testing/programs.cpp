// Regular expressions are POSIX's, or else ECMAScript's, or else plain text.
#include "cli/session/testing/programs.h"

#include <algorithm>
#include <filesystem>
#include <regex>

namespace halo::session {

bool matches(const std::string& text, const std::string& regex) {
  // POSIX `.` matches line ends too.
  std::string flat = text;
  std::replace(flat.begin(), flat.end(), '\n', ' ');
  // `\\]` and the like are fine with most libraries, but not with the strict reading of POSIX.
  for (auto flavour : {std::regex::extended, std::regex::ECMAScript}) {
    try {
      return std::regex_search(flat, std::regex(regex, flavour));
    } catch (const std::regex_error&) {
    }
  }
  return flat.find(regex) != std::string::npos;
}

std::vector<std::string> findPrograms(const std::vector<std::string>& paths) {
  namespace fs = std::filesystem;
  std::vector<std::string> programs;
  for (const std::string& path : paths) {
    std::error_code error;
    if (!fs::is_directory(path, error)) {
      programs.push_back(path);
      continue;
    }
    for (const auto& entry : fs::recursive_directory_iterator(path, error)) {
      if (entry.path().extension() == ".fut") programs.push_back(entry.path().string());
    }
  }
  std::sort(programs.begin(), programs.end());
  return programs;
}

}  // namespace halo::session
