// Few: one element inside, more outside, copies and moves of both.
#include "lang/base/containers/few.h"

#include <doctest/doctest.h>

#include <algorithm>
#include <string>

namespace {

using halo::base::Few;
using Words = Few<std::string>;

const std::string kLong = "longer than what a string holds in itself";

TEST_CASE("elements come and go on both sides of one") {
  Words words;
  CHECK(words.empty());
  for (const char* word : {"c", "a", "b"}) words.push_back(word + kLong);
  CHECK(words.size() == 3);
  std::sort(words.begin(), words.end());
  CHECK(words == Words{"a" + kLong, "b" + kLong, "c" + kLong});
  words.erase(words.begin());
  CHECK(words == Words{"b" + kLong, "c" + kLong});
  words.pop_back();
  CHECK(words == Words{"b" + kLong});
  words.erase(words.begin());
  CHECK(words == Words());
}

TEST_CASE("copies are apart, what was moved from is empty") {
  for (const Words& some : {Words(), Words{kLong}, Words{kLong, "b", "c"}}) {
    Words copy = some;
    CHECK(copy == some);
    Words moved = std::move(copy);
    CHECK(moved == some);
    CHECK(copy.empty());
    copy = moved;
    copy.push_back("new");
    CHECK(moved == some);
    moved = std::move(copy);
    CHECK(moved.size() == some.size() + 1);
    CHECK(moved.back() == "new");
    moved = some;
    CHECK(moved == some);
  }
}

TEST_CASE("sequences hold sequences") {
  Few<Few<int>> rows{{1}, {2, 3}, {}};
  Few<Few<int>> copy = rows;
  copy[1][0] = 7;
  CHECK(rows[1] == Few<int>{2, 3});
  CHECK(copy[1] == Few<int>{7, 3});
}

}  // namespace
