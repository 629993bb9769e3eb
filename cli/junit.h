// Reports in JUnit's format, which every continuous integration shows.
#pragma once

#include <string>
#include <vector>

namespace halo::cli {

struct JunitCase {
  std::string group, name;  // such as a program and its entry
  std::vector<std::string> failures;
  bool is_skipped = false;
};

std::string junitText(const std::string& suite, const std::vector<JunitCase>& cases);

// A JSON string with its quotes; a JSON list of strings.
std::string jsonText(const std::string& text);
std::string jsonList(const std::vector<std::string>& texts);

}  // namespace halo::cli
