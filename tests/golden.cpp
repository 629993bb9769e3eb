#include "tests/golden.h"

#include <doctest/doctest.h>

#include <algorithm>
#include <cstdlib>
#include <fstream>
#include <sstream>

namespace halo::test {

namespace fs = std::filesystem;

std::string readFile(const fs::path& path) {
  std::ostringstream text;
  text << std::ifstream(path, std::ios::binary).rdbuf();
  return text.str();
}

std::vector<fs::path> sorted(const fs::path& folder) {
  std::vector<fs::path> paths;
  for (const auto& entry : fs::directory_iterator(folder)) paths.push_back(entry.path());
  std::sort(paths.begin(), paths.end());
  return paths;
}

std::string commentHead(const std::string& text) {
  size_t end = 0;
  while (text.compare(end, 2, "//") == 0) end = text.find('\n', end) + 1;
  return text.substr(0, end);
}

void checkGolden(const fs::path& golden, const std::string& text) {
  if (std::getenv("HALO_UPDATE") != nullptr) {
    std::ofstream(golden) << text;
  } else {
    CHECK(text == readFile(golden));
  }
}

}  // namespace halo::test
