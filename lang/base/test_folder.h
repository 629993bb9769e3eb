// A folder of a unit test's own, gone with it.
#pragma once

#include <doctest/doctest.h>
#include <stdlib.h>

#include <filesystem>
#include <iterator>
#include <string>

namespace halo::base {

class TestFolder {
 public:
  TestFolder() {
    std::string pattern = (std::filesystem::temp_directory_path() / "halo_test_XXXXXX").string();
    REQUIRE(mkdtemp(pattern.data()) != nullptr);
    path = pattern;
  }
  ~TestFolder() {
    std::error_code ignored;
    std::filesystem::remove_all(path, ignored);
  }
  TestFolder(const TestFolder&) = delete;
  TestFolder& operator=(const TestFolder&) = delete;

  size_t count() const {
    return static_cast<size_t>(std::distance(std::filesystem::directory_iterator(path), {}));
  }

  std::string path;
};

}  // namespace halo::base
