// Statistics by hand, results to JSON and back, comparisons that do not cry wolf.
#include <doctest/doctest.h>

#include <cmath>
#include <fstream>

#include "cli/bench/compare.h"
#include "cli/bench/statistics.h"
#include "lang/base/test_folder.h"

namespace halo::bench {
namespace {

TEST_CASE("statistics of a few numbers") {
  const std::vector<double> times = {1, 2, 3, 4, 10};
  CHECK(meanOf(times) == 4);
  CHECK(medianOf(times) == 3);
  CHECK(medianOf(std::vector<double>{4, 1, 2, 3}) == 2.5);
  CHECK(standardError(times) == doctest::Approx(std::sqrt(50.0 / 4 / 5)));
  CHECK(standardError(std::vector<double>{7}) == 0);
  CHECK(autocorrelation(std::vector<double>{1, 2, 1, 2, 1, 2}) < 0);
}

TEST_CASE("more runs while the mean is uncertain") {
  CHECK(moreRuns(std::vector<double>(20, 5.0)) == 0);
  CHECK(moreRuns(std::vector<double>{1, 5, 1, 5, 1, 5, 1, 5, 1, 5}) == 5);
  std::vector<double> drift;
  for (int i = 0; i < 100; ++i) drift.push_back(100 + i * 0.1);
  CHECK(moreRuns(drift) == 50);  // depends on the run before, so a small error counts
}

std::vector<Program> timesOf(std::vector<double> times) {
  return {{.name = "a.fut:main",
           .engine = "cpu",
           .data = {{.name = "#1 (\"3\")",
                     .microseconds = std::move(times),
                     .bytes = {{"host", 12}},
                     .failure = {}}}}};
}

TEST_CASE("results go to JSON and come back") {
  std::vector<Program> programs = timesOf({1.25, 3.5});
  programs[0].data.push_back(
      {.name = "bad", .microseconds = {}, .bytes = {}, .failure = "\"why\""});
  const base::TestFolder folder;
  const std::string path = folder.path + "/r.json";
  std::ofstream(path) << toJson(programs);
  const auto read = readResults(path);
  REQUIRE(read.has_value());
  REQUIRE(read->size() == 1);
  CHECK((*read)[0].name == "a.fut:main");
  CHECK((*read)[0].data[0].microseconds == std::vector<double>{1.25, 3.5});
  CHECK((*read)[0].data[1].failure == "\"why\"");
}

TEST_CASE("what is no result file is said to be none") {
  const base::TestFolder folder;
  const std::string path = folder.path + "/r.json";
  for (const char* text : {"", "[1]", "{\"a\": 3}", "{\"a\": {\"datasets\": [1]}}", "{",
                           R"({"a": {"datasets": {"x": {"runtimes": "no"}}}})",
                           R"({"a": {"datasets": {"x": {"runtimes": [1, null]}}}})"}) {
    std::ofstream(path) << text;
    CHECK_FALSE(readResults(path).has_value());
  }
  CHECK_FALSE(readResults(folder.path + "/none.json").has_value());
}

TEST_CASE("a slower data set is found, a busy moment is none") {
  const std::vector<double> steady = {100, 101, 99, 100, 102, 100};
  const std::vector<double> slow = {120, 121, 119, 120, 122, 120};
  const std::vector<double> busy = {100, 101, 900, 99, 800, 100};
  CHECK(compare(timesOf(steady), timesOf(slow), {}).slower == 1);
  CHECK(compare(timesOf(steady), timesOf(slow), {.tolerance = 0.3}).slower == 0);
  CHECK(compare(timesOf(steady), timesOf(busy), {}).slower == 0);
  CHECK(compare(timesOf(slow), timesOf(steady), {}).slower == 0);
  CHECK(compare(timesOf(steady), timesOf(slow), {}).text.find("0.83x") != std::string::npos);
}

}  // namespace
}  // namespace halo::bench
